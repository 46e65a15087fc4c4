// Laws of threads: results have the same bits for any number of them.
#include "row.hpp"

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/testing/comparison.hpp>

using namespace laws;
using jq::testing::report;

namespace {

/// Whether loops over its elements can be compiled.
bool can_fuse(const jq::primitive& p) { return p.record || p.reduce || p.view_of; }

/// f over many examples, and of each result the sum of all, the largest number and the sums over examples.
leaf_function over_examples(const instance& i, const std::vector<int>& axes) {
  return [f = jq::vmap(function_of(i), jq::in_axes_tree(axes))](const leaves& x) {
    leaves r = f(x);
    for (std::size_t k = 0, n = r.size(); k < n; ++k) {
      if (r[k].size() == 0) continue;
      const array y = jq::is_complex(r[k].dtype()) ? lax::real(r[k]) : r[k];
      r.push_back(jq::sum(y));
      r.push_back(jq::max(y));
      r.push_back(jq::sum(y, {0}));
    }
    return r;
  };
}

}  // namespace

TEST_CASE("one, two, three and seven threads compute the same bits") {
  const int before = jq::cpu::threads();
  for_each_instance(only(jq::i32, jq::f32), [](const instance& i) {
    report r;
    const leaves small = operands_of(i);
    if (!can_fuse(*i.of->op) || is_collective(*i.of) || small.empty()) return r;
    for (const array& x : small)
      if (x.size() == 0 || x.size() > 12) return r;
    const std::vector<int> axes(small.size(), 0);
    const leaves x = operands_of(i, axes, 20011);
    const auto f = jq::jit(over_examples(i, axes), jq::backend("cpu"), jq::compile_at::first_call);
    jq::cpu::set_threads(1);
    const leaves want = f(x);
    for (int n : {2, 3, 7}) {
      jq::cpu::set_threads(n);
      r.add(std::to_string(n) + " threads", jq::testing::identical(f(x), want));
    }
    return r;
  });
  jq::cpu::set_threads(before);
}
