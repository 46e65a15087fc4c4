// Rows: reading and writing at computed places.
#include "row.hpp"

namespace laws {

namespace {

using namespace jacquard;

operand spread(const shape& dims) { return between(-2, 2, dims); }
/// Numbers that are none of spread's, so that extremes are unique.
operand beside(const shape& dims) { return between(-1.7, 2.1, dims); }
/// Places in and around dimensions of size 3 to 5.
operand places(const shape& dims, dtype t = i32) {
  if (is_unsigned_integer(t)) return among({0, 1, 2, 3, 7}, dims).fixed(t);
  return among({-7, -2, -1, 0, 1, 2, 3, 7}, dims).fixed(t);
}

gather_p::params reading(const gather_dimension_numbers& n, const int_list& sizes, index_mode mode, bool nan, double fill) {
  return {n.offset_dims, n.collapsed_slice_dims, n.start_index_map, n.operand_batching_dims, n.start_indices_batching_dims,
          sizes, mode, nan, fill};
}
scatter_params writing(const scatter_dimension_numbers& n, index_mode mode) {
  return {n.update_window_dims, n.inserted_window_dims, n.scatter_dims_to_operand_dims, n.operand_batching_dims,
          n.scatter_indices_batching_dims, false, mode};
}

const auto clip = index_mode::clip, drop = index_mode::fill_or_drop;

template <class P>
row scattering(type_set types, operand (*given)(const shape&) = spread) {
  return of_primitive<P>(
      types, {with<P>(writing({{}, {0}, {0}}, drop), {spread({4}), places({5, 1}), given({5})}),
              with<P>(writing({{1}, {0}, {0}}, clip), {spread({4, 2}), places({3, 1}, i64), given({3, 2})}),
              with<P>(writing({{0, 2}, {}, {1}}, drop), {spread({2, 5}), places({3, 1}), given({2, 3, 2})}),
              with<P>(writing({{1}, {}, {0}}, clip), {spread({5}), places({2, 1}, u8), given({2, 2})}),
              with<P>(writing({{}, {0, 1}, {1, 0}}, drop), {spread({3, 4}), places({6, 2}), given({6})}),
              with<P>(writing({{}, {1}, {1}, {0}, {0}}, drop), {spread({3, 4}), places({3, 2, 1}), given({3, 2})}),
              with<P>(writing({{}, {0}, {0}}, drop), {spread({4}), places({0, 1}), given({0})}),
              with<P>(writing({{}, {}, {}}, drop), {spread({}), places({0}), given({})})});
}

const family rows{
    of_primitive<dynamic_slice_p>(any_type, {with<dynamic_slice_p>({{2}}, {spread({5}), places({})}),
                                             with<dynamic_slice_p>({{2, 1}}, {spread({3, 4}), places({}), places({}, i64)}),
                                             with<dynamic_slice_p>({{1, 4}}, {spread({3, 4}), places({}, u8), places({}, i8)}),
                                             with<dynamic_slice_p>({{}}, {spread({})}),
                                             with<dynamic_slice_p>({{0}}, {spread({0}), places({})})}),
    of_primitive<dynamic_update_slice_p>(any_type, {{{spread({5}), spread({2}), places({})}},
                                                    {{spread({3, 4}), spread({2, 1}), places({}), places({}, i64)}},
                                                    {{spread({3, 4}), spread({3, 2}), places({}, u8), places({}, i8)}},
                                                    {{spread({}), spread({})}},
                                                    {{spread({3}), spread({0}), places({})}}}),
    of_primitive<gather_p>(
        any_type, {with<gather_p>(reading({{}, {0}, {0}}, {1}, drop, false, 0), {spread({4}), places({5, 1})}),
                   with<gather_p>(reading({{1}, {0}, {0}}, {1, 2}, clip, true, 0), {spread({4, 2}), places({3, 1}, i64)}),
                   with<gather_p>(reading({{0, 2}, {}, {1}}, {2, 2}, drop, false, 1), {spread({2, 5}), places({3, 1})}),
                   with<gather_p>(reading({{1}, {}, {0}}, {2}, clip, true, 0), {spread({5}), places({2, 1}, u8)}),
                   with<gather_p>(reading({{}, {0, 1}, {1, 0}}, {1, 1}, drop, false, 2), {spread({3, 4}), places({6, 2})}),
                   with<gather_p>(reading({{}, {1}, {1}, {0}, {0}}, {1, 1}, drop, false, 0), {spread({3, 4}), places({3, 2, 1})}),
                   with<gather_p>(reading({{}, {0}, {0}}, {1}, drop, true, 0), {spread({4}), places({0, 1})}),
                   with<gather_p>(reading({{}, {}, {}}, {}, drop, true, 0), {spread({}), places({0})})},
        {.affine = true}),
    scattering<scatter_add_p>(numbers),
    scattering<scatter_max_p>(ordered, beside),
    scattering<scatter_min_p>(ordered, beside),
    scattering<scatter_mul_p>(numbers),
    scattering<scatter_p>(any_type),
};

}  // namespace

TEST_CASE("indexing: every dtype") { check_dtypes(rows); }

}  // namespace laws
