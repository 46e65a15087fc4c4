// Rows: collectives over an axis "i" of three members.
#include "row.hpp"

namespace laws {

namespace {

using namespace jacquard;

operand spread(const shape& dims) { return between(-2, 2, dims); }
const name_text axis("i");

template <class P>
row reduction(type_set types) {
  return of_primitive<P>(types, {with<P>({axis}, {apart({2})}), with<P>({axis}, {apart({})}), with<P>({axis}, {apart({0, 2})}),
                                 with<P>({axis}, {apart({2}).replicated()})});
}
/// all_gather and psum_scatter, for operands of one member.
template <class P>
row piecewise(type_set types, const std::vector<std::pair<detail::gather_params, shape>>& cases) {
  row r = of_primitive<P>(types, {});
  for (const auto& [p, dims] : cases) r.samples.push_back(with<P>(p, {spread(dims)}));
  r.samples.push_back(with<P>(cases[0].first, {spread(cases[0].second).replicated()}));
  return r;
}

const family rows{
    piecewise<all_gather_p>(any_type, {{{axis, 0, false}, {2}}, {{axis, 1, false}, {2}}, {{axis, 0, false}, {}},
                                       {{axis, 1, true}, {2, 2}}, {{axis, 0, true}, {0, 2}}}),
    of_primitive<all_to_all_p>(any_type, {with<all_to_all_p>({axis, 0, 0, false}, {spread({3})}),
                                          with<all_to_all_p>({axis, 1, 0, false}, {spread({2, 3})}),
                                          with<all_to_all_p>({axis, 0, 1, false}, {spread({3, 2})}),
                                          with<all_to_all_p>({axis, 0, 1, true}, {spread({6, 2})}),
                                          with<all_to_all_p>({axis, 1, 1, true}, {spread({2, 3})}),
                                          with<all_to_all_p>({axis, 0, 0, false}, {spread({3}).replicated()})}),
    of_primitive<axis_index_p>(only(i32), {with<axis_index_p>({axis}, {})}),
    of_primitive<pdot_p>(numbers, {with<pdot_p>({axis, {}, {}, {}, {}}, {spread({}), spread({})}), with<pdot_p>({axis, {1}, {0}, {}, {}}, {spread({2, 3}), spread({3, 2})}),
                                   with<pdot_p>({axis, {1}, {2}, {0}, {0}}, {spread({2, 3}), spread({2, 2, 3})}),
                                   with<pdot_p>({axis, {0}, {0}, {}, {}}, {spread({2}), spread({2}).replicated()})}),
    reduction<pmax_p>(ordered),
    reduction<pmin_p>(ordered),
    of_primitive<ppermute_p>(any_type, {with<ppermute_p>({axis, {0, 1, 1, 2, 2, 0}}, {spread({2})}),
                                        with<ppermute_p>({axis, {0, 2}}, {spread({})}),
                                        with<ppermute_p>({axis, {}}, {spread({2})}),
                                        with<ppermute_p>({axis, {2, 1, 1, 0}}, {spread({2, 2}).replicated()})}),
    reduction<psum_p>(numbers),
    piecewise<psum_scatter_p>(numbers, {{{axis, 0, false}, {3}}, {{axis, 1, false}, {2, 3}}, {{axis, 0, true}, {6, 2}},
                                        {{axis, 1, true}, {2, 3}}}),
};

}  // namespace

TEST_CASE("collectives: every dtype") { check_dtypes(rows); }

}  // namespace laws
