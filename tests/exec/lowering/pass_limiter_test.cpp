// Chains of reductions over the same rows: how many passes a kernel runs, and that programs take as many kernels as that asks for.
#include <jacquard/exec/lowering/lowering.hpp>
#include <jacquard/exec/lowering/pass_limiter.hpp>

#include "../../show.hpp"

using jq::array;

namespace {

bool everything(jq::scalar_op, jq::dtype) { return true; }

/// x - mean(x), and again.
auto chain(int n) {
  return [n](array x) {
    for (int i = 0; i < n; ++i) x = jq::sin(x - jq::mean(x));
    return x;
  };
}
template <class F>
std::vector<std::size_t> passes_of(F f, const jq::shape& dims) {
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(jq::zeros(dims, jq::f64)));
  std::vector<std::size_t> r;
  for (const jq::lowering::loop_kernel& k : jq::lowering::lower(*p, &everything).kernels)
    jq::lowering::for_each_joined(k, [&](const auto& one) { r.push_back(jq::lowering::count_passes(jq::lowering::stage_passes(one))); });
  return r;
}
using counts = std::vector<std::size_t>;

}  // namespace

TEST_CASE("passes: what fits into one kernel stays there") {
  CHECK(passes_of(chain(4), {10000}) == counts{4});
  CHECK(passes_of(chain(6), {1000}) == counts{6});
  CHECK(passes_of(chain(20), {64}) == counts{20});  // in registers
}
TEST_CASE("passes: longer chains are cut, so that their time is linear") {
  const auto in_all = [](const counts& each) {
    std::size_t n = 0;
    for (std::size_t p : each) n += p;
    return n;
  };
  for (const int n : {7, 20, 50}) {
    CAPTURE(n);
    const counts few = passes_of(chain(n), {10000}), more = passes_of(chain(n), {1000});
    CHECK(*std::max_element(few.begin(), few.end()) <= 4);
    CHECK(*std::max_element(more.begin(), more.end()) <= 6);
    CHECK(in_all(few) <= std::size_t(n) + few.size());
    CHECK(in_all(more) <= std::size_t(n) + more.size());
  }
}
TEST_CASE("passes: what is stored is what others read, too, not what only a reduction does") {
  const auto f = [](array x) {
    for (int i = 0; i < 9; ++i) x = x - 0.5 * jq::sum(jq::square(x)) / jq::sum(x * x * x + 2.0);
    return x;
  };
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(jq::zeros({5000}, jq::f64)));
  std::size_t large = 0, kernels = 0;
  for (const jq::lowering::loop_kernel& k : jq::lowering::lower(*p, &everything).kernels) {
    ++kernels;
    for (const auto& o : k.outputs) large += p->avals[o.to.value.index()].elements() == 5000;
  }
  CHECK(kernels > 1);
  CHECK(large <= kernels);
}
