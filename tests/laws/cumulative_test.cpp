// Rows: running operations along an axis.
#include "row.hpp"

namespace laws {

namespace {

using namespace jacquard;

/// Both directions, first, middle and last axes, and none but empty rows.
template <class P>
std::vector<sample> running(const operand& x) {
  return {with<P>({0, false}, {x.shaped({4})}), with<P>({1, true}, {x.shaped({2, 3})}), with<P>({0, true}, {x.shaped({3, 2})}),
          with<P>({1, false}, {x.shaped({2, 3, 2})}), with<P>({1, false}, {x.shaped({2, 0})})};
}
operand spread(const shape& dims) { return between(-2, 2, dims); }
sample recurrence(std::int64_t axis, bool reverse, const shape& dims) {
  return with<linear_recurrence_p>({axis, reverse}, {spread(dims), spread(dims)});
}

const family rows{
    of_primitive<cumlogsumexp_p>(floats, running<cumlogsumexp_p>(spread({}))),
    of_primitive<cummax_p>(ordered, running<cummax_p>(apart())),
    of_primitive<cummin_p>(ordered, running<cummin_p>(apart())),
    of_primitive<cumprod_p>(numbers, running<cumprod_p>(spread({}))),
    of_primitive<linear_recurrence_p>(numbers, {recurrence(0, false, {4}), recurrence(1, true, {2, 3}), recurrence(0, true, {3, 2}),
                                                recurrence(1, false, {2, 3, 2}), recurrence(0, false, {0})}),
};

}  // namespace

TEST_CASE("running operations: every dtype") { check_dtypes(rows); }

}  // namespace laws
