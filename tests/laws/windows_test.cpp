// Rows: reductions and selections over sliding windows.
#include "row.hpp"

namespace laws {

namespace {

using namespace jacquard;

/// A window over an operand, and the shape of the array of windows.
struct case_of_window {
  shape dims, places;
  reduce_window_params p;
};
const padding_kind numbers_given = padding_kind::numbers, same = padding_kind::same;
const std::vector<case_of_window> cases{
    {{5}, {4}, {{2}, {1}, {0}, {0}, {1}, {1}, numbers_given}},
    {{2, 5}, {2, 3}, {{1, 3}, {1, 2}, {0, 2}, {0, 1}, {1, 1}, {1, 1}, numbers_given}},
    {{3, 4}, {2, 6}, {{2, 2}, {1, 1}, {0, 1}, {0, -1}, {1, 2}, {1, 1}, numbers_given}},
    {{4, 3}, {4, 3}, {{3, 2}, {1, 1}, {}, {}, {1, 1}, {1, 1}, same}},
    {{6}, {2}, {{2}, {2}, {0}, {0}, {1}, {3}, numbers_given}},
    {{}, {}, {{}, {}, {}, {}, {}, {}, numbers_given}},
    {{0, 2}, {0, 2}, {{1, 1}, {1, 1}, {0, 0}, {0, 0}, {1, 1}, {1, 1}, numbers_given}},
};
template <class P>
row reduction(type_set types, const operand& x) {
  std::vector<sample> samples;
  for (const case_of_window& w : cases) samples.push_back(with<P>(w.p, {x.shaped(w.dims)}));
  return of_primitive<P>(types, samples);
}
template <class P>
row selection() {
  std::vector<sample> samples;
  for (const case_of_window& w : cases) {
    const auto& p = w.p;
    for (const bool smallest : {false, true}) {
      samples.push_back(with<P>({p.window_dimensions, p.window_strides, p.padding_low, p.padding_high, p.base_dilation, p.window_dilation, p.padding, smallest},
                                {between(-2, 2, P::gathers ? w.dims : w.places), apart(w.dims)}));
      samples.back().holds_sizes = !P::gathers && !(w.dims == w.places);  // the source is as large as the parameters say
    }
  }

  return of_primitive<P>(reals, samples);
}

const family rows{
    reduction<reduce_window_max_p>(reals, apart()),
    reduction<reduce_window_min_p>(reals, apart()),
    reduction<reduce_window_sum_p>(numbers, between(-2, 2)),
    selection<select_and_gather_add_p>(),
    selection<select_and_scatter_add_p>(),
};

}  // namespace

TEST_CASE("windows: every dtype") { check_dtypes(rows); }

}  // namespace laws
