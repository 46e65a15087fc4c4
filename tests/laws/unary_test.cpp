// Rows: elementwise functions of one operand.
#include "row.hpp"

namespace laws {

namespace {

using namespace jacquard;

const traits not_holomorphic{.holomorphic = false};

sample conversion(dtype to, const shape& dims) { return with<convert_element_type_p>({to, false}, {apart(dims)}); }

/// The bits of numbers as those of another dtype of their size.
sample bits_as(dtype (*to)(std::size_t), const shape& dims) {
  return with_params_for<bitcast_convert_type_p>([=](dtype t) { return bitcast_convert_type_p::params{to(size_of(t))}; }, {between(0, 9, dims)});
}
dtype unsigned_of_size(std::size_t bytes) { return detail::unsigned_of_size(bytes); }
dtype signed_of_size(std::size_t bytes) { return bytes == 1 ? i8 : bytes == 2 ? i16 : bytes == 4 ? i32 : i64; }
dtype float_of_size(std::size_t bytes) { return bytes == 1 ? u8 : bytes == 2 ? bf16 : bytes == 4 ? f32 : f64; }

const family rows{
    unary<abs_p>(numbers, apart(), not_holomorphic),
    unary<acos_p>(inexact, between(-0.7, 0.7)),
    unary<acosh_p>(inexact, between(1.3, 3)),
    unary<asin_p>(inexact, between(-0.7, 0.7)),
    unary<asinh_p>(inexact, between(-2, 2)),
    unary<atan_p>(inexact, between(-2, 2)),
    unary<atanh_p>(inexact, between(-0.7, 0.7)),
    unary<cbrt_p>(floats, between(0.3, 3)),
    unary<ceil_p>(floats, apart()),
    unary<conj_p>(complexes, between(-2, 2), not_holomorphic),
    unary<clz_p>(integers, between(0, 9), {.widens = false}),
    unary<cos_p>(inexact, between(-3, 3)),
    unary<cosh_p>(inexact, between(-2, 2)),
    unary<erf_p>(floats, between(-2, 2)),
    unary<erfc_p>(floats, between(-2, 2)),
    unary<erf_inv_p>(floats, between(-0.8, 0.8)),
    unary<exp2_p>(inexact, between(-2, 2)),
    unary<exp_p>(inexact, between(-2, 2)),
    unary<expm1_p>(inexact, between(-1, 1)),
    unary<floor_p>(floats, apart()),
    unary<imag_p>(complexes, between(-2, 2), not_holomorphic),
    unary<is_finite_p>(inexact, between(-2, 2)),
    unary<log1p_p>(inexact, between(-0.6, 2)),
    unary<log_p>(inexact, between(0.3, 3)),
    unary<logistic_p>(inexact, between(-3, 3)),
    unary<neg_p>(numbers, between(-2, 2)),
    unary<not_p>(bits, between(0, 9)),
    unary<optimization_barrier_p>(any_type, between(-2, 2)),
    unary<population_count_p>(integers, between(0, 9)),
    unary<real_p>(complexes, between(-2, 2), not_holomorphic),
    unary<round_p>(floats, apart()),
    unary<rsqrt_p>(inexact, between(0.3, 3)),
    unary<sign_p>(numbers, apart(), not_holomorphic),
    unary<sin_p>(inexact, between(-3, 3)),
    unary<sinh_p>(inexact, between(-2, 2)),
    unary<sqrt_p>(inexact, between(0.3, 3)),
    unary<stop_gradient_p>(any_type, between(-2, 2), {.smooth = false}),
    unary<tan_p>(inexact, between(-1, 1)),
    unary<tanh_p>(inexact, between(-2, 2)),
    of_primitive<reduce_precision_p>(floats, {with<reduce_precision_p>({11, 46}, {between(-2, 2, {2, 3})}),
                                              with<reduce_precision_p>({11, 52}, {between(-2, 2)}),
                                              with<reduce_precision_p>({8, 46}, {between(-2, 2, {0, 2})})}),
    of_primitive<sharding_constraint_p>(any_type, {with<sharding_constraint_p>({{2, 1}}, {between(-2, 2, {2, 3})}), with<sharding_constraint_p>({{}}, {between(-2, 2)}),
                                                   with<sharding_constraint_p>({{1, 1}}, {between(-2, 2, {0, 2})})}),
    of_primitive<bitcast_convert_type_p>(reals, {bits_as(signed_of_size, {2, 3}), bits_as(unsigned_of_size, {}), bits_as(signed_of_size, {0, 2}), bits_as(float_of_size, {3})},
                                         {.smooth = false, .widens = false, .refuses = false}),
    of_primitive<integer_pow_p>(numbers, {with<integer_pow_p>({3}, {between(-2, 2, {2, 3})}),
                                          with<integer_pow_p>({2}, {between(-2, 2)}),
                                          with<integer_pow_p>({1}, {between(-2, 2, {2})}),
                                          with<integer_pow_p>({0}, {between(-2, 2, {0, 2})}),
                                          with<integer_pow_p>({-2}, {between(0.5, 2, {2, 3})}, of(inexact))}),
    of_primitive<convert_element_type_p>(
        every,
        {conversion(bool_, {3}), conversion(i8, {3}), conversion(i16, {}), conversion(i32, {2, 3}), conversion(i64, {3}),
         conversion(u8, {3}), conversion(u16, {0}), conversion(u32, {3}), conversion(u64, {2}), conversion(f16, {3}),
         conversion(bf16, {2, 2}), conversion(f32, {2, 3}), conversion(f64, {}), conversion(f64, {0, 2}), conversion(c64, {3}),
         conversion(c128, {2, 3}), with<convert_element_type_p>({f32, true}, {apart({3})})},
        not_holomorphic),
};

}  // namespace

TEST_CASE("functions of one operand: every dtype") { check_dtypes(rows); }

}  // namespace laws
