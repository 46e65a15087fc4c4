// Leaving out of loops and branches what nobody reads. Oracle: the same functions where all results are read.
#include "control_testing.hpp"

using jq::array;
using jq::asarray;

namespace {

constexpr jq::effect_set nothing = jq::no_effect;

/// What simplification leaves of f, which must still compute the same.
template <class F, class... A>
jq::closed_jaxpr trimmed(F f, const A&... x) {
  const jq::closed_jaxpr whole = jq::make_jaxpr(f)(x...), p = jq::simplify(whole);
  CHECK_FALSE(jq::check_jaxpr(*p));
  const std::vector<array> in = jq::tree::flatten(std::tuple{x...});
  CHECK_REPORT(jq::testing::identical(jq::eval_jaxpr(*p, p.constants, in), jq::eval_jaxpr(*whole, whole.constants, in)));
  return p;
}
/// The first equation of that primitive.
const jq::equation& equation_of(const jq::closed_jaxpr& p, std::string_view name) {
  for (const jq::equation& e : p->equations)
    if (e.op->name == name) return e;
  FAIL("no such equation");
  return p->equations[0];
}
const array numbers = asarray({1.f, 2.f, 3.f});

}  // namespace

TEST_CASE("trim: stacked results that nobody reads") {
  const auto p = trimmed([](const array& x) {
    return lax::scan([](const array& c, const array& e) { return std::pair{c + e, std::pair{jq::exp(c), jq::sin(e)}}; }, array(0.f), x).second.second;
  }, numbers);
  CHECK(jq::to_string(p) == R"({ lambda ; a:f32[3]. let
    b:f32[3] = scan[
      jaxpr={ lambda ; c:f32[]. let d:f32[] = sin c in (d,) }
      length=3
      num_carry=0
      num_consts=0
      reverse=False
      unroll=1
    ] a
  in (b,) })");
}
TEST_CASE("trim: carried values stay where others depend on them, directly or through others") {
  const auto step = [](const auto& c, const array& e) {
    const auto& [a, b, d, lonely] = c;
    return std::pair{std::tuple{a + b, b * d, d + e, lonely * a}, std::tuple<>{}};
  };
  const auto loop = [=](const array& x) { return lax::scan(step, std::tuple{array(0.f), array(1.f), array(2.f), array(3.f)}, x).first; };
  const auto results = [](const jq::closed_jaxpr& p) { return equation_of(p, "scan").out.count; };
  CHECK(results(trimmed([=](const array& x) { return std::get<0>(loop(x)); }, numbers)) == 3);
  CHECK(results(trimmed([=](const array& x) { return std::get<1>(loop(x)); }, numbers)) == 2);
  CHECK(results(trimmed([=](const array& x) { return std::get<2>(loop(x)); }, numbers)) == 1);
  CHECK(results(trimmed([=](const array& x) { return std::get<3>(loop(x)); }, numbers)) == 4);
}
TEST_CASE("trim: constants that only lost results read go, with what computes them") {
  const auto p = trimmed([](const array& x, const array& k) {
    const array dear = jq::exp(k);
    return lax::scan([&](const auto& c, const array& e) { return std::pair{std::pair{c.first * k, c.second + dear}, e * k}; },
                     std::pair{array(1.f), array(0.f)}, x).first.first;
  }, numbers, array(2.f));
  CHECK(testing::uses(p, "exp") == 0);
  CHECK(equation_of(p, "scan").in.count == 2);  // k and the carry: elements are not read either
}
TEST_CASE("trim: loops within loops") {
  const auto p = trimmed([](const array& x) {
    return lax::scan([](const array& c, const array& e) {
      const auto inner = lax::fori_loop(0, 3, [](const array&, const auto& s) { return std::pair{s.first + 1.f, jq::tanh(s.second)}; }, std::pair{c, e});
      return std::pair{inner.first, inner.second};
    }, array(0.f), x).first;
  }, numbers);
  CHECK(testing::uses(p, "tanh") == 0);
  CHECK(testing::uses(p, "scan") == 2);
}
TEST_CASE("trim: the counter of a loop that nobody reads, where all results are read; also with branches in the body") {
  const auto halves = [](const array& x) { return jq::lax::fori_loop(0, 5, [](const array&, const array& v) { return v * 0.5f + 1.f; }, x); };
  const jq::closed_jaxpr p = trimmed(halves, numbers);
  CHECK(p->equations.size() == 1);
  CHECK(equation_of(p, "scan").in.count == 1);
  const jq::closed_jaxpr inner = trimmed(
      [&](const array& x) {
        return jq::lax::fori_loop(0, 3, [&](const array&, const array& v) {
          return jq::lax::cond(jq::sum(v) > 4.f, [&](const array& w) { return halves(w); }, [](const array& w) { return w + 1.f; }, v);
        }, x);
      },
      numbers);
  CHECK(inner->equations.size() == 1);
  CHECK(equation_of(inner, "scan").in.count == 1);
  const jq::closed_jaxpr read = trimmed(
      [](const array& x) { return jq::lax::fori_loop(0, 5, [](const array& i, const array& v) { return v + i.astype(jq::f32); }, x); }, numbers);
  CHECK(equation_of(read, "scan").in.count == 2);
}
TEST_CASE("trim: a tap in a loop shows what passes; where a gradient reads nothing that the loop kept it goes with the loop, where taps may") {
  const auto tapped = [](const array& c, const array& x) { return std::pair{jq::id_tap([](const array&) {}, c + x), c * x}; };
  const auto f = [&](const array& v) { return jq::lax::scan(tapped, array(1.f), v).first; };
  const auto scans = [](const jq::closed_jaxpr& p) {
    return std::count_if(p->equations.begin(), p->equations.end(), [](const jq::equation& e) { return e.op->name == "scan"; });
  };
  const jq::closed_jaxpr p = jq::make_jaxpr(jq::grad(f))(numbers);
  CHECK(scans(jq::simplify(p)) == 2);
  CHECK(scans(jq::simplify(p, jq::tap_effect)) == 1);
  const auto read = [&](const array& v) { return jq::lax::scan([](const array& c, const array& x) { return std::pair{jq::id_tap([](const array&) {}, c * x), x}; }, array(1.f), v).first; };
  CHECK(scans(jq::simplify(jq::make_jaxpr(jq::grad(read))(numbers), jq::tap_effect)) == 2);
}
TEST_CASE("trim: effects stay, and what they show; taps do not under jit") {
  int seen = 0;
  const auto f = [&](const array& x) {
    return lax::scan([&](const auto& c, const array& e) {
      const array shown = jq::id_tap([&](const array&) { ++seen; }, c.second * e);
      return std::pair{std::pair{c.first + e, shown}, e};
    }, std::pair{array(0.f), array(1.f)}, x).first.first;
  };
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(numbers));
  CHECK(equation_of(p, "scan").out.count == 2);
  CHECK(equation_of(p, "scan").effects != nothing);
  CHECK(equation_of(jq::simplify(jq::make_jaxpr(f)(numbers), jq::tap_effect), "scan").out.count == 1);
  CHECK(show(jq::jit(f)(numbers)) == "f32[] 6");
  jq::barrier_wait();
  CHECK(seen == 0);
  CHECK(show(f(numbers)) == "f32[] 6");
  CHECK(seen == 3);
}
TEST_CASE("trim: loops with a condition keep what that reads") {
  const auto loop = [](const array& n, const array& k) {
    return lax::while_loop([&](const auto& c) { return std::get<0>(c) < n; },
                           [&](const auto& c) { return std::tuple{std::get<0>(c) + std::get<1>(c), std::get<1>(c), std::get<2>(c) * k, std::get<3>(c) + 1.f}; },
                           std::tuple{array(0.f), array(1.f), array(1.f), array(0.f)});
  };
  const auto p = trimmed([=](const array& n, const array& k) { return std::get<3>(loop(n, k)); }, array(5.f), array(2.f));
  const jq::equation& e = equation_of(p, "while");
  CHECK(e.out.count == 3);  // the two that the condition depends on, and the one that is read
  CHECK(e.in.count == 4);
  CHECK(testing::uses(p, "mul") == 0);
  CHECK(equation_of(trimmed([=](const array& n, const array& k) { return std::get<2>(loop(n, k)); }, array(5.f), array(2.f)), "while").in.count == 5);
}
TEST_CASE("trim: branches") {
  const auto f = [](const array& i, const array& x, const array& y) {
    return lax::cond(i > 0, [](const array& a, const array& b) { return std::pair{jq::sin(a), jq::exp(b)}; },
                     [](const array& a, const array& b) { return std::pair{a * 2.f, b}; }, x, y).first;
  };
  const auto p = trimmed(f, array(1), numbers, numbers * 2.f);
  const jq::equation& e = equation_of(p, "cond");
  CHECK(e.out.count == 1);
  CHECK(e.in.count == 2);
  CHECK(testing::uses(p, "exp") == 0);
}
TEST_CASE("trim: the way there of a gradient is what the way back needs") {
  const auto loss = [](const array& x) {
    return lax::fori_loop(0, 10, [&](const array& i, const array& s) { return s + jq::sum(x(i % 3)) * 2.f; }, array(0.f));
  };
  const auto gradient = trimmed(jq::grad(loss), jq::ones({3, 2}));
  CHECK(testing::uses(gradient, "reduce_sum") == 0);
  CHECK(testing::uses(jq::simplify(jq::make_jaxpr(jq::value_and_grad(loss))(jq::ones({3, 2}))), "reduce_sum") == 1);
}
// In the compile-time lane, too.
constexpr auto two_sums = [](auto x) {
  const auto both = jq::lax::scan([](const auto& c, const auto& e) { return std::pair{std::pair{c.first + e, c.second * e}, std::tuple<>{}}; },
                                  std::pair{array(0.0), array(1.0)}, x).first;
  return both.second;
};
static_assert(jq::jit(two_sums)(jq::tensor<double, 3>{2, 3, 4}) == 24.0);
static_assert(jq::grad(two_sums)(jq::tensor<double, 3>{2, 3, 4}) == jq::tensor<double, 3>{12, 8, 6});
static_assert(jq::simplify(jq::make_jaxpr(two_sums)(jq::tensor<double, 3>{2, 3, 4}))->equations[0].out.count == 1);
