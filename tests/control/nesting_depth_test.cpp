// Loops and branches within each other: rules look at what lies within them a few times for each level, not twice as often for each one more.
#include "control_testing.hpp"

using jq::array;
using jq::asarray;

namespace {

int seen = 0;  ///< how often a rule of the innermost equation ran

/// x, whose rules are counted.
struct noted_p : jq::elementwise<noted_p, jq::floats, 1> {
  static constexpr std::string_view name = "noted";
  static constexpr std::uint32_t linear = 1;
  template <class T>
  static constexpr T apply(T x) {
    return x;
  }
  static array transpose(int, const array& ct, const jq::transpose_call&) {
    ++seen;
    return ct;
  }
};
const jq::primitive noted_table = [] {
  jq::primitive p = jq::table_of<noted_p>();
  p.jvp = [](jq::jvp_call& c) { ++seen, jq::table_of<noted_p>().jvp(c); };
  p.batch = [](jq::batch_call& c) { ++seen, jq::table_of<noted_p>().batch(c); };
  p.trim = [](jq::trim_call&) { ++seen; };
  return p;
}();
array noted(const array& x) {
  const array in[] = {x};
  return jq::bind(noted_table, in, {}, {})[0];
}

array zero_like(const array& x) { return x * 0.0; }

/// Sums over loops within loops; the carry of each gets its tangent in the second look at its body.
array sums(int depth, const array& x) {
  if (depth == 0) return lax::sin(noted(x));
  return lax::fori_loop(0, 1, [&](const array&, const array& s) { return s + sums(depth - 1, x * 0.5); }, asarray(0.0));
}
array counted_whiles(int depth, const array& x) {
  if (depth == 0) return lax::sin(noted(x));
  return lax::while_loop([](const array& s) { return s < 1.0; }, [&](const array& s) { return s + 1.0 + counted_whiles(depth - 1, x * 0.5); }, asarray(0.0));
}
array branches(int depth, const array& x) {
  if (depth == 0) return lax::sin(noted(x));
  return lax::cond(x > 0.0, [&](const array& y) { return branches(depth - 1, y * 1.5); }, zero_like, x);
}
array mixture(int depth, const array& x) {
  if (depth == 0) return lax::sin(noted(x));
  if (depth % 3 == 0) return lax::scan([&](const array& s, const array& v) { return std::pair{s + mixture(depth - 1, v), s}; }, x, jq::expand_dims(x, 0)).first;
  if (depth % 3 == 1) return lax::cond(x > 0.0, [&](const array& y) { return mixture(depth - 1, y * 1.5); }, zero_like, x);
  return jq::checkpoint([&](const array& y) { return mixture(depth - 1, y) * 0.5; })(x);
}

/// How often the innermost equation is seen while f is traced.
template <class F>
int looks(const F& f, const array& x) {
  seen = 0;
  const jq::closed_jaxpr p = jq::make_jaxpr(f)(x);
  CHECK_FALSE(jq::check_jaxpr(*p));
  CHECK(seen > 0);
  return seen;
}

constexpr int depth = 12;
constexpr int few = 8 * depth;  // where looks doubled with every level, they were thousands
const array x = asarray(0.7), three = asarray({0.7, 0.2, -0.1});

}  // namespace

TEST_CASE("nesting: forward mode looks at each level a few times") {
  const auto tangent = [](auto f) { return [f](const array& v) { return jq::jvp([&](const array& y) { return f(depth, y); }, jq::primals(v), jq::tangents(v)).second; }; };
  CHECK(looks(tangent(sums), x) < few);
  CHECK(looks(tangent(counted_whiles), x) < few);
  CHECK(looks(tangent(branches), x) < few);
  CHECK(looks(tangent(mixture), x) < few);
}
TEST_CASE("nesting: reverse mode looks at each level a few times") {
  const auto slope = [](auto f, int levels) { return jq::grad([f, levels](const array& y) { return f(levels, y); }); };
  CHECK(looks(slope(sums, 6), x) < 48);  // what each trip keeps has a dimension for every loop
  CHECK(looks(slope(branches, depth), x) < few);
  CHECK(looks(slope(mixture, depth), x) < few);
}
TEST_CASE("nesting: vmap looks at each level a few times") {
  const auto mapped = [](auto f) { return jq::vmap([f](const array& y) { return f(depth, y); }); };
  CHECK(looks(mapped(sums), three) < few);
  CHECK(looks(mapped(counted_whiles), three) < few);
  CHECK(looks(mapped(branches), three) < few);
  CHECK(looks(mapped(mixture), three) < few);
  const auto branches_of_one = [](const array& of_all, const array& y) {
    return lax::cond(of_all > 0.0, [](const array& v) { return branches(depth, v); }, zero_like, y);
  };
  seen = 0;
  jq::make_jaxpr(jq::vmap(branches_of_one, jq::in_axes<jq::none, 0>))(x, three);
  CHECK(seen < few);
}
TEST_CASE("nesting: simplification looks at each level a few times, also where every counter goes") {
  const jq::closed_jaxpr p = jq::make_jaxpr([](const array& v) { return sums(depth, v); })(x);
  seen = 0;
  const jq::closed_jaxpr simple = jq::simplify(p);
  CHECK_FALSE(jq::check_jaxpr(*simple));
  CHECK(testing::uses(simple, "noted") == 1);
  CHECK(seen > 0);
  CHECK(seen < few);
}
