// Rows: primitives that combine elements along dimensions.
#include "row.hpp"

namespace laws {

namespace {

using namespace jacquard;

/// A reduction over `axes`.
template <class P>
row reduction(type_set types, const operand& x) {
  return of_primitive<P>(types, {with<P>({{1}}, {x.shaped({2, 3})}), with<P>({{0, 2}}, {x.shaped({2, 2, 3})}),
                                 with<P>({{0}}, {x.shaped({4})}), with<P>({{}}, {x.shaped({})}),
                                 with<P>({{1}}, {x.shaped({0, 3})})});
}
/// The same, with a sample that reduces nothing to the neutral element.
template <class P>
row reduction_with_neutral(type_set types, const operand& x) {
  row r = reduction<P>(types, x);
  r.samples.push_back(with<P>({{0}}, {x.shaped({0, 2})}));
  return r;
}
template <class P>
row extreme_position() {
  return of_primitive<P>(ordered, {with<P>({{1}, i32}, {apart({2, 3})}), with<P>({{0}, i64}, {apart({4})}),
                                   with<P>({{1}, u8}, {apart({2, 3, 2})}), with<P>({{0}, i16}, {apart({3, 0})})});
}

operand spread(const shape& dims) { return between(-2, 2, dims); }

const family rows{
    extreme_position<argmax_p>(),
    extreme_position<argmin_p>(),
    of_primitive<cumsum_p>(numbers, {with<cumsum_p>({0, false}, {spread({4})}), with<cumsum_p>({1, true}, {spread({2, 3})}),
                                     with<cumsum_p>({0, true}, {spread({3, 2})}), with<cumsum_p>({1, false}, {spread({2, 0})})}),
    of_primitive<dot_general_p>(
        any_type, {with<dot_general_p>({{1}, {0}, {}, {}}, {spread({2, 3}), spread({3, 4})}),
                   with<dot_general_p>({{0}, {0}, {}, {}}, {spread({3}), spread({3})}),
                   with<dot_general_p>({{}, {}, {}, {}}, {spread({}), spread({2})}),
                   with<dot_general_p>({{}, {}, {}, {}}, {spread({2}), spread({3})}),
                   with<dot_general_p>({{2}, {1}, {0}, {0}}, {spread({2, 3, 4}), spread({2, 4, 2})}),
                   with<dot_general_p>({{0, 2}, {2, 1}, {1}, {0}}, {spread({2, 3, 2}), spread({3, 2, 2})}),
                   with<dot_general_p>({{}, {}, {0}, {1}}, {spread({3}), spread({2, 3})}),
                   with<dot_general_p>({{1}, {0}, {}, {}}, {spread({2, 0}), spread({0, 3})})}),
    reduction_with_neutral<reduce_and_p>(bits, between(0, 9)),
    reduction<reduce_max_p>(ordered, apart()),
    reduction<reduce_min_p>(ordered, apart()),
    reduction_with_neutral<reduce_or_p>(bits, between(0, 9)),
    reduction_with_neutral<reduce_prod_p>(numbers, between(-2, 2)),
    reduction_with_neutral<reduce_sum_p>(numbers, between(-2, 2)),
    of_primitive<sort_p>(any_type, {with<sort_p>({0, true, 1}, {apart({5})}), with<sort_p>({1, true, 1}, {apart({2, 3})}),
                                    with<sort_p>({0, true, 1}, {apart({3, 2}), spread({3, 2})}),
                                    with<sort_p>({0, true, 1}, {apart({4}).fixed(i32), spread({4}), spread({4}).fixed(f64)}),
                                    with<sort_p>({0, true, 2}, {among({0, 1}, {5}).fixed(i8), apart({5})}),
                                    with<sort_p>({1, false, 1}, {apart({2, 0})})},
                         {.holomorphic = false, .one_dtype = false}),
    of_primitive<top_k_p>(ordered, {with<top_k_p>({2}, {apart({5})}), with<top_k_p>({1}, {apart({2, 3})}), with<top_k_p>({2}, {apart({2, 2, 3})}),
                                    with<top_k_p>({0}, {apart({3, 0})})}),
};

}  // namespace

TEST_CASE("reductions: every dtype") { check_dtypes(rows); }

}  // namespace laws
