// Which values a scan stacks for its derivative. Oracle: the fewest by hand; derivatives against differences, and against the loop written out.
#include "control_testing.hpp"

using jq::array;
using jq::asarray;

namespace {

jq::detail::linearized_body linearized(auto&& body, std::vector<char> differentiate, const auto&... x) {
  return jq::detail::linearize_body(jq::make_jaxpr(body)(x...).program, nullptr, differentiate);
}
std::size_t residuals(const jq::detail::linearized_body& b) { return b.known->outvars.size() - b.tangent_of.size(); }
/// How many elements the scans of a program stack.
std::int64_t stacked_elements(const jq::jaxpr& p, std::int64_t trips) {
  std::int64_t n = 0;
  for (const jq::equation& e : p.equations)
    for (jq::variable v : p.outputs(e))
      if (e.op->name == "scan" && p.avals[v].rank() == 2 && p.avals[v].dims[0] == trips) n += p.avals[v].elements();
  return n;
}

}  // namespace

TEST_CASE("minimum cuts of networks, next to the sink") {
  // 0 -> 1 -> 2 -> 3 twice as narrow between 1 and 2 as elsewhere; and a diamond whose two ways are narrow at their ends.
  jq::detail::flow_network line(4);
  line.connect(0, 1, 4), line.connect(1, 2, 2), line.connect(2, 3, 4);
  line.fill(0, 3);
  CHECK(line.beyond_cut(3) == std::vector<char>{0, 0, 1, 1});
  jq::detail::flow_network equal(4);
  equal.connect(0, 1, 2), equal.connect(1, 2, 2), equal.connect(2, 3, 2);
  equal.fill(0, 3);
  CHECK(equal.beyond_cut(3) == std::vector<char>{0, 0, 0, 1});
  jq::detail::flow_network diamond(4);
  diamond.connect(0, 1, 3), diamond.connect(0, 2, 1), diamond.connect(1, 3, 1), diamond.connect(2, 3, 3), diamond.connect(1, 2, 1);
  diamond.fill(0, 3);
  CHECK(diamond.beyond_cut(3) == std::vector<char>{0, 0, 1, 1});
}
TEST_CASE("few residuals: arithmetic is done again from the carry, functions that are dear are not") {
  const array k = asarray({1.f, 2.f}), s = asarray({3.f, 4.f}), x = asarray({5.f, 6.f});
  const auto cheap = linearized([](const array& a, const array& b, const array& c) {
    const array z = a * b + c;
    return std::vector{z * z * z};
  }, {1, 1, 0}, k, s, x);
  CHECK(residuals(cheap) > 2);
  const auto few = jq::detail::with_fewest_residuals(cheap, 1, 1, nullptr);
  CHECK(residuals(few) <= 3);  // the carry, and what takes nothing: the constant and the element
  CHECK_FALSE(jq::check_jaxpr(*few.known));
  CHECK_FALSE(jq::check_jaxpr(few.linear));
  const auto dear = linearized([](const array& a, const array& b, const array&) { return std::vector{lax::tanh(a * b)}; }, {0, 1, 0}, k, s, x);
  const auto kept = jq::detail::with_fewest_residuals(dear, 1, 1, nullptr);
  CHECK(testing::count(jq::cat(jq::to_text({kept.known, {}, {}})).view(), "tanh") == 1);
  CHECK(testing::count(jq::cat(jq::to_text({jq::jaxpr_ref(kept.linear), {}, {}})).view(), "tanh") == 0);
}
TEST_CASE("few residuals: the gradient of a scan stacks its carry alone where the rest follows from it, and is the same") {
  const std::int64_t n = 5, width = 3;
  const auto loop = [](const array& w, const array& h, const array& xs) {
    return lax::scan([&](const array& s, const array& x) {
      const array z = w * s + x;
      return std::pair{z * z * 0.1f + z, std::tuple<>{}};
    }, h, xs).first;
  };
  const auto unrolled = [](const array& w, const array& h, const array& xs) {
    array s = h;
    for (int i = 0; i < 5; ++i) {
      const array z = w * s + xs[i];
      s = z * z * 0.1f + z;
    }
    return s;
  };
  const auto sum_of = [](auto f) { return [f](const array& w, const array& h, const array& xs) { return jq::sum(f(w, h, xs)); }; };
  const array w = asarray({0.5f, -0.7f, 0.9f}), h = asarray({0.1f, 0.2f, -0.3f}), xs = jq::reshape(jq::arange(15.f) * 0.1f, {n, width});
  const auto slope = jq::grad(sum_of(loop), jq::argnums<0, 1, 2>);
  const auto program = jq::make_jaxpr(slope)(w, h, xs).program;
  CHECK(stacked_elements(*program, n) <= 2 * n * width);  // the carries, and the cotangents of xs
  const auto got = slope(w, h, xs);
  const auto want = jq::grad(sum_of(unrolled), jq::argnums<0, 1, 2>)(w, h, xs);
  CHECK(jq::allclose(std::get<0>(got), std::get<0>(want), 1e-5));
  CHECK(jq::allclose(std::get<1>(got), std::get<1>(want), 1e-5));
  CHECK(jq::allclose(std::get<2>(got), std::get<2>(want), 1e-5));
}
TEST_CASE("few residuals: what the loop stacks for its caller is not stacked again, and taps are not repeated") {
  const auto loop = [](const array& h, const array& xs) {
    return jq::sum(lax::scan([](const array& s, const array& x) {
      const array y = lax::sin(s + x);
      return std::pair{y, lax::exp(y)};
    }, h, xs).second);
  };
  const array h = asarray({0.1f, 0.2f}), xs = jq::zeros({4, 2});
  const auto program = jq::make_jaxpr(jq::grad(loop))(h, xs).program;
  CHECK(stacked_elements(*program, 4) <= 2 * 4 * 2);  // exp y, which is its own slope, and cos
  // As often as where the loop is written out: a residual behind a tap is not computed again.
  int taps = 0;
  const auto step = [&](const array& c, const array& e) {
    const array y = jq::id_tap([&](const array&, const jq::tap_context&) { ++taps; }, c * e);
    return y * y;
  };
  const array ones = jq::ones({4, 2});
  jq::grad([&](const array& c) { return jq::sum(lax::scan([&](const array& a, const array& e) { return std::pair{step(a, e), std::tuple<>{}}; }, c, ones).first); })(h);
  const int in_loop = taps;
  taps = 0;
  jq::grad([&](array c) {
    for (int i = 0; i < 4; ++i) c = step(c, ones[i]);
    return jq::sum(c);
  })(h);
  CHECK(in_loop == taps);
}
