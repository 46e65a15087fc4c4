// Steps that change a value come after those that read it, unless something waits for them. Oracle: the order a person would choose.
#include <jacquard/exec/lowering/lowering.hpp>

#include "../../show.hpp"

using jq::array;

namespace {

bool everything(jq::scalar_op, jq::dtype) { return true; }

/// The listing of f's steps, where kernels put elements.
template <class F, class... A>
std::string lowered(F f, const A&... x) {
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(x...));
  return std::string(jq::lowering::to_text(*p, jq::lowering::lower(*p, &everything, jq::lowering::rounding::fast, {0, 4, true})).view());
}
/// Whether `first` is there, and `second` after it.
bool in_order(const std::string& text, const std::string& first, const std::string& second) {
  const std::size_t at = text.find(first);
  return at != std::string::npos && text.find(second, at) != std::string::npos;
}
const array x = jq::ones({90}), i = array(3);
/// Sorted by an equation of its own, so that what reads it comes late.
array late(const array& a) { return jq::sort(a); }

}  // namespace

TEST_CASE("late_writes: what is put comes after a kernel that reads the same value and waits for something else") {
  const auto f = [](array a, array k) {
    const array place = late(k + jq::arange(5))[0];
    return std::pair{a.at(k).set(1.0), jq::take(a, place) * 2};
  };
  CHECK(in_order(lowered(f, x, i), "lookup", "in a copy of v0"));
}
TEST_CASE("late_writes: unless that waits for the result") {
  const auto f = [](array a, array k) {
    const array changed = a.at(k).set(1.0);
    return std::pair{changed, jq::sum(a * late(changed))};
  };
  CHECK(in_order(lowered(f, x, i), "in a copy of v0", "sort"));
}
TEST_CASE("late_writes: equations that change what they are given move as well, those with effects stay") {
  const auto f = [](array a, array k) {
    const array place = late(k + jq::arange(5))[0];
    return std::pair{a.at(k + jq::arange(3)).add(array(1.0f).astype(jq::bf16)), jq::take(a, place)};  // numbers of 16 bits are added by the equation's own kernel
  };
  CHECK(in_order(lowered(f, x.astype(jq::bf16), i), "lookup", "scatter_add"));
}
TEST_CASE("late_writes: steps of which none has to move keep their order") {
  const auto f = [](array a, array k) { return a.at(k).set(1.0).at(k + 1).set(2.0).at(k + 2).set(3.0); };
  const std::string text = lowered(f, x, i);
  CHECK(in_order(text, "kernel 0", "kernel 1"));
  CHECK(in_order(text, "kernel 1", "kernel 2"));
}
