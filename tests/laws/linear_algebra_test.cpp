// Rows: linear algebra and Fourier transforms.
#include "row.hpp"

#include <jacquard/prims/linear_algebra.hpp>

namespace laws {

namespace {

using namespace jacquard;

constexpr dtype_set matrix_types = only(f32, f64, c64, c128);

operand spread(const shape& dims) { return between(-2, 2, dims); }

const family rows{
    of_primitive<cholesky_p>(matrix_types, {{{dominant({3, 3})}}, {{dominant({2, 3, 3})}}, {{dominant({1, 1})}}, {{dominant({0, 0})}}},
                             {.holomorphic = false}),
    of_primitive<eig_p>(only(c64, c128), {with<eig_p>({true}, {dominant({3, 3})}), with<eig_p>({true}, {dominant({2, 2, 2})}),
                                          with<eig_p>({false}, {dominant({3, 3})}), with<eig_p>({true}, {dominant({0, 0})})},
                        {.holomorphic = false, .fixed_dims = 2}),
    of_primitive<eigh_p>(matrix_types, {with<eigh_p>({true}, {dominant({3, 3})}), with<eigh_p>({true}, {dominant({2, 2, 2})}),
                                        with<eigh_p>({false}, {dominant({3, 3})}), with<eigh_p>({true}, {dominant({0, 0})})},
                         {.holomorphic = false, .fixed_dims = 2}),
    of_primitive<fft_p>(matrix_types, {with<fft_p>({fft_type::fft, {6}}, {spread({2, 3, 6})}, only(c64, c128)),
                                       with<fft_p>({fft_type::ifft, {2, 5}}, {spread({3, 2, 5})}, only(c64, c128)),
                                       with<fft_p>({fft_type::rfft, {6}}, {spread({6})}, only(f32, f64)),
                                       with<fft_p>({fft_type::rfft, {3, 5}}, {spread({2, 3, 5})}, only(f32, f64)),
                                       with<fft_p>({fft_type::irfft, {6}}, {spread({2, 2, 4})}, only(c64, c128)),
                                       with<fft_p>({fft_type::irfft, {3, 5}}, {spread({3, 3})}, only(c64, c128)),
                                       with<fft_p>({fft_type::fft, {2, 3, 2}}, {spread({2, 2, 3, 2})}, only(c64, c128)),
                                       with<fft_p>({fft_type::rfft, {2, 2, 3}}, {spread({2, 2, 3})}, only(f32, f64)),
                                       with<fft_p>({fft_type::irfft, {2, 3, 4}}, {spread({2, 3, 3})}, only(c64, c128)),
                                       with<fft_p>({fft_type::fft, {4}}, {spread({0, 4})}, only(c64, c128))},
                        {.holomorphic = false, .fixed_dims = 3}),
    of_primitive<hessenberg_p>(matrix_types, {{{dominant({3, 3})}}, {{spread({2, 3, 3})}}, {{dominant({1, 1})}}, {{dominant({0, 0})}}},
                               {.holomorphic = false, .fixed_dims = 2}),
    of_primitive<lu_p>(matrix_types, {{{dominant({3, 3})}}, {{dominant({2, 3, 3})}}, {{apart({2, 2})}}, {{dominant({0, 0})}}}),
    of_primitive<qr_p>(matrix_types, {with<qr_p>({false}, {dominant({3, 3})}), with<qr_p>({false}, {dominant({2, 4, 2})}),
                                      with<qr_p>({true}, {dominant({2, 3})}), with<qr_p>({false}, {dominant({0, 2})})},
                       {.holomorphic = false, .fixed_dims = 2}),
    of_primitive<schur_p>(matrix_types, {with<schur_p>({true}, {dominant({3, 3})}), with<schur_p>({true}, {dominant({2, 2, 2})}),
                                            with<schur_p>({false}, {dominant({3, 3})}), with<schur_p>({true}, {dominant({0, 0})})},
                          {.holomorphic = false, .fixed_dims = 2}),
    of_primitive<svd_p>(matrix_types, {with<svd_p>({false, true}, {dominant({3, 3})}), with<svd_p>({false, true}, {dominant({2, 4, 2})}),
                                       with<svd_p>({false, true}, {dominant({2, 3})}), with<svd_p>({false, false}, {dominant({3, 2})}),
                                       with<svd_p>({true, true}, {dominant({2, 2})}), with<svd_p>({false, true}, {dominant({0, 2})})},
                        {.holomorphic = false, .fixed_dims = 2}),
    of_primitive<triangular_solve_p>(
        matrix_types, {with<triangular_solve_p>({true, true, false, false, false}, {dominant({3, 3}), spread({3, 2})}),
                       with<triangular_solve_p>({true, false, true, false, false}, {dominant({2, 3, 3}), spread({2, 3, 2})}),
                       with<triangular_solve_p>({false, true, true, true, false}, {dominant({3, 3}), spread({2, 3})}),
                       with<triangular_solve_p>({false, false, false, true, true}, {dominant({2, 2}), spread({3, 2})}),
                       with<triangular_solve_p>({true, true, true, true, true}, {dominant({2, 2}), spread({2, 1})}),
                       with<triangular_solve_p>({true, true, false, false, false}, {dominant({0, 0}), spread({0, 2})})},
        {.holomorphic = false}),
    of_primitive<tridiagonal_solve_p>(
        matrix_types, {{{spread({4}), between(4, 6, {4}), spread({4}), spread({4, 2})}}, {{spread({2, 3}), between(4, 6, {2, 3}), spread({2, 3}), spread({2, 3, 1})}},
                       {{spread({1}), between(4, 6, {1}), spread({1}), spread({1, 3})}}, {{spread({0}), spread({0}), spread({0}), spread({0, 2})}}}),
};

}  // namespace

TEST_CASE("linear algebra: every dtype") { check_dtypes(rows); }

}  // namespace laws
