// Rows: primitives that move data by fixed places.
#include "row.hpp"

namespace laws {

namespace {

using namespace jacquard;

operand spread(const shape& dims) { return between(-2, 2, dims); }

/// All kept, since the primitive is its own transpose only then; tests/prims/mask_cotangent_test.cpp has the rest.
operand kept(const shape& dims) { return among({1}, dims).fixed(bool_); }

sample counting(const shape& dims, std::int64_t dimension) {
  return with_params_for<iota_p>([=](dtype t) { return iota_p::params{t, dims, dimension}; }, {});
}

sample prefixes(const shape& dims, std::int64_t size) {
  return with<prefix_mask_p>({size}, {among({0, 1, 2, 3, 5}, dims)});
}

sample random_rows(const shape& dims, dtype t, std::int64_t size) { return with<random_bits_p>({t, size}, {spread(dims), spread(dims)}); }

const family rows{
    of_primitive<iota_p>(numbers, {counting({5}, 0), counting({2, 3}, 1), counting({2, 3, 2}, 0), counting({0, 2}, 1)}),
    of_primitive<broadcast_in_dim_p>(any_type, {with<broadcast_in_dim_p>({{2, 3}, {}}, {spread({})}),
                                                with<broadcast_in_dim_p>({{2, 3}, {1}}, {spread({3})}),
                                                with<broadcast_in_dim_p>({{2, 3}, {0, 1}}, {spread({2, 1})}),
                                                with<broadcast_in_dim_p>({{4, 2, 1, 3}, {0, 2, 3}}, {spread({1, 1, 3})}),
                                                with<broadcast_in_dim_p>({{0, 3}, {1}}, {spread({3})}),
                                                with<broadcast_in_dim_p>({{2, 0}, {0, 1}}, {spread({1, 0})})}),
    of_primitive<concatenate_p>(any_type, {with<concatenate_p>({0}, {spread({2}), spread({3})}),
                                           with<concatenate_p>({1}, {spread({2, 3}), spread({2, 1}), spread({2, 0})}),
                                           with<concatenate_p>({0}, {spread({1, 2})}),
                                           with<concatenate_p>({1}, {spread({0, 2}), spread({0, 1})})}),
    of_primitive<pad_p>(any_type, {with<pad_p>({{1}, {2}, {0}}, {spread({3}), spread({})}),
                                   with<pad_p>({{1, 0}, {0, 2}, {1, 2}}, {spread({2, 3}), spread({})}),
                                   with<pad_p>({{-1, 2}, {1, -2}, {0, 1}}, {spread({3, 3}), spread({})}),
                                   with<pad_p>({{}, {}, {}}, {spread({}), spread({})}),
                                   with<pad_p>({{2}, {1}, {3}}, {spread({0}), spread({})})}),
    of_primitive<mask_cotangent_p>(any_type, {{{spread({2, 3}), kept({2, 3})}}, {{spread({}), kept({})}}, {{spread({0, 2}), kept({0, 2})}}}),
    of_primitive<prefix_mask_p>(integers, {prefixes({}, 4), prefixes({3}, 3), prefixes({2, 3}, 4), prefixes({0, 2}, 3), prefixes({2}, 0)}),
    of_primitive<random_bits_p>(only(u32), {random_rows({}, u32, 20), random_rows({3}, f32, 2), random_rows({2, 3}, f64, 17), random_rows({2}, u8, 0),
                                            random_rows({0, 2}, u64, 3), random_rows({2}, u16, 3), random_rows({2}, f16, 5), random_rows({}, bf16, 5)}),
    of_primitive<reshape_p>(any_type, {with<reshape_p>({{3, 2}}, {spread({2, 3})}), with<reshape_p>({{}}, {spread({1, 1})}),
                                       with<reshape_p>({{1, 1}}, {spread({})}), with<reshape_p>({{6}}, {spread({2, 1, 3})}),
                                       with<reshape_p>({{5, 0}}, {spread({0, 2})})}),
    of_primitive<rev_p>(any_type, {with<rev_p>({{0}}, {spread({4})}), with<rev_p>({{1, 0}}, {spread({2, 3})}),
                                   with<rev_p>({{1}}, {spread({2, 0, 3})}), with<rev_p>({{}}, {spread({})})}),
    of_primitive<slice_p>(any_type, {with<slice_p>({{1}, {4}, {1}}, {spread({5})}),
                                     with<slice_p>({{0, 1}, {3, 6}, {2, 3}}, {spread({3, 7})}),
                                     with<slice_p>({{2, 0}, {2, 2}, {1, 1}}, {spread({3, 2})}),
                                     with<slice_p>({{0, 1}, {0, 3}, {1, 2}}, {spread({0, 4})}),
                                     with<slice_p>({{}, {}, {}}, {spread({})})}),
    of_primitive<squeeze_p>(any_type, {with<squeeze_p>({{0}}, {spread({1, 3})}), with<squeeze_p>({{2, 0}}, {spread({1, 2, 1})}),
                                       with<squeeze_p>({{0, 1}}, {spread({1, 1})}), with<squeeze_p>({{1}}, {spread({0, 1})})}),
    of_primitive<transpose_p>(any_type, {with<transpose_p>({{1, 0}}, {spread({2, 3})}),
                                         with<transpose_p>({{1, 2, 0}}, {spread({2, 3, 4})}),
                                         with<transpose_p>({{}}, {spread({})}), with<transpose_p>({{1, 0}}, {spread({0, 2})})}),
};

}  // namespace

TEST_CASE("movement of data: every dtype") { check_dtypes(rows); }

}  // namespace laws
