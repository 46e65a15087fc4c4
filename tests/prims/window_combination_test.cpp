// Windows over all dimensions: the loops that combine one dimension after the other, against the definition, for all kinds of
// strides, paddings and dilations.
#include <algorithm>

#include "reference.hpp"

using namespace prim_testing;
using jq::detail::window_along;
using jq::detail::window_dim;

namespace {

jq::reduce_window_params given(const jq::int_list& window, const jq::int_list& strides, const jq::int_list& low, const jq::int_list& high,
                               const jq::int_list& base, const jq::int_list& dilation) {
  return {window, strides, low, high, base, dilation, jq::padding_kind::numbers};
}
const std::vector<jq::reduce_window_params> kinds{
    given({1, 1}, {1, 1}, {0, 0}, {0, 0}, {1, 1}, {1, 1}), given({2, 3}, {1, 1}, {0, 0}, {0, 0}, {1, 1}, {1, 1}),
    given({2, 3}, {2, 3}, {1, 0}, {1, 2}, {1, 1}, {1, 1}), given({3, 2}, {1, 2}, {-1, 2}, {2, -1}, {1, 1}, {1, 1}),
    given({2, 2}, {1, 3}, {1, 1}, {0, 2}, {2, 3}, {1, 1}), given({2, 2}, {2, 1}, {3, 1}, {1, 2}, {1, 2}, {2, 3}),
    given({1, 7}, {1, 1}, {0, 0}, {0, 0}, {1, 1}, {1, 1}), given({5, 6}, {1, 1}, {0, 0}, {0, 0}, {1, 1}, {1, 1}),
};
/// Calls f(value) for the elements of window `at`.
template <class F>
void each_element(const jq::reduce_window_params& p, const table& x, const position& at, F f) {
  each(shape(p.window_dimensions), [&](const position& tap) {
    position i;
    for (int d = 0; d < x.dims.rank(); ++d) {
      const std::int64_t place = at[std::size_t(d)] * p.window_strides[d] + tap[std::size_t(d)] * p.window_dilation[d] - p.padding_low[d];
      if (place < 0 || place % p.base_dilation[d] != 0 || place / p.base_dilation[d] >= x.dims[d]) return;
      i.push_back(place / p.base_dilation[d]);
    }
    f(x(i), i);
  });
}
shape places(const jq::reduce_window_params& p, const shape& x) {
  shape r;
  for (int d = 0; d < x.rank(); ++d) r.push_back(window_along(p, x, d).out);
  return r;
}
const array x = sample({5, 6});
/// The same windows on each of some channels, which are looked at together.
std::vector<jq::reduce_window_params> with_channels(const std::vector<jq::reduce_window_params>& all) {
  std::vector<jq::reduce_window_params> r;
  for (const jq::reduce_window_params& p : all)
    r.push_back(given(p.window_dimensions.with(2, 1), p.window_strides.with(2, 1), p.padding_low.with(2, 0), p.padding_high.with(2, 0), p.base_dilation.with(2, 1),
                      p.window_dilation.with(2, 1)));
  return r;
}

void check_definitions(const array& operand, const std::vector<jq::reduce_window_params>& all) {
  for (const jq::reduce_window_params& p : all) {
    const table in(operand);
    table sum(places(p, operand.shape())), largest(sum.dims, -inf), smallest(sum.dims, inf), gathered(sum.dims), scattered(operand.shape());
    each(sum.dims, [&](const position& at) {
      position best;
      each_element(p, in, at, [&](double v, const position& i) {
        sum(at) += v;
        if (v > largest(at)) best = i;
        largest(at) = std::max(largest(at), v);
        smallest(at) = std::min(smallest(at), v);
      });
      if (best.empty()) return;
      gathered(at) = in(best);
      scattered(best) += double(sum.index(at)) + 1;
    });
    table numbers(sum.dims);
    for (std::size_t i = 0; i < numbers.v.size(); ++i) numbers.v[i] = double(i) + 1;
    CHECK_CLOSE(jq::bind<jq::reduce_window_sum_p>(p, {}, operand), sum.get(), 0);
    CHECK_CLOSE(jq::bind<jq::reduce_window_max_p>(p, {}, operand), largest.get(), 0);
    CHECK_CLOSE(jq::bind<jq::reduce_window_min_p>(p, {}, operand), smallest.get(), 0);
    const jq::select_window_params s{p.window_dimensions, p.window_strides, p.padding_low, p.padding_high, p.base_dilation, p.window_dilation,
                                     p.padding, false};
    CHECK_CLOSE(jq::bind<jq::select_and_gather_add_p>(s, {}, operand, operand), gathered.get(), 0);
    CHECK_CLOSE(jq::bind<jq::select_and_scatter_add_p>(s, {}, numbers.get(), operand), scattered.get(), 0);
  }
}

}  // namespace

TEST_CASE("windows: sums, extremes and selections are their definitions") {
  check_definitions(x, kinds);
  check_definitions(sample({5, 6, 17}), with_channels(kinds));
}
