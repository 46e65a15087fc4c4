// Programs within each other in machine code: what lies within an equation is prepared a few times, however deep it lies.
#include "../../show.hpp"

#include <jacquard/backends/cpu/cpu.hpp>

using jq::array;

namespace {

int looks = 0;

/// x, of which lowering asks what one element is.
struct noted_p : jq::elementwise<noted_p, jq::floats, 1> {
  static constexpr std::string_view name = "noted";
  template <class T>
  static constexpr T apply(T x) {
    return x;
  }
};
const jq::primitive noted_table = [] {
  jq::primitive p = jq::table_of<noted_p>();
  p.record = [](jq::record_call& c) { ++looks, jq::table_of<noted_p>().record(c); };
  return p;
}();
array noted(const array& x) {
  const array in[] = {x};
  return jq::bind(noted_table, in, {}, {})[0];
}

array branches(int depth, const array& x) {
  if (depth == 0) return lax::sin(noted(x));
  return lax::cond(x(0) > 0.f, [&](const array& y) { return branches(depth - 1, y * 1.01f); }, [](const array& y) { return y + 1.f; }, x);
}
array loops(int depth, const array& x) {
  if (depth == 0) return lax::sin(noted(x));
  const array n = lax::convert_element_type(x(0), jq::i32);
  return lax::fori_loop(0, n, [&](const array&, const array& y) { return loops(depth - 1, y); }, x);
}

/// How often the innermost equation is looked at until the program has machine code, which must compute what the interpreter does.
int looks_until_compiled(array (*f)(int, const array&), int depth, const array& x) {
  const auto of_depth = [=](const array& y) { return f(depth, y); };
  const std::string want = show(jq::jit(of_depth, jq::backend("interpreter"))(x));
  looks = 0;
  CHECK(show(jq::jit(of_depth, jq::compile_at::first_call)(x)) == want);
  CHECK(looks > 0);
  return looks;
}

}  // namespace

TEST_CASE("nested programs: what lies within is lowered a few times, not once for each level") {
  const array many = jq::ones({200});  // too many for one function
  CHECK(looks_until_compiled(branches, 48, many) <= looks_until_compiled(branches, 12, many) + 4);
  CHECK(looks_until_compiled(loops, 48, many) <= looks_until_compiled(loops, 12, many) + 4);
}
TEST_CASE("nested programs: one function of few elements, within branches that are none") {
  const array many = jq::ones({200});
  const auto f = [](const array& x) {
    const auto few = [](const array& y) { return lax::fori_loop(0, 3, [](const array& i, const array& s) { return s * 1.5f + i; }, jq::sum(y)); };
    return lax::cond(x(0) > 0.f, [&](const array& y) { return y * lax::cond(y(1) > 0.f, few, [](const array& v) { return v(0); }, y); }, [](const array& y) { return y; }, x);
  };
  CHECK(show(jq::jit(f, jq::compile_at::first_call)(many)) == show(jq::jit(f, jq::backend("interpreter"))(many)));
}
