// Loops whose trips are separate, as array operations. Oracle: the loops themselves, to the last bit.
#include <jacquard/exec/lowering/side_by_side.hpp>

#include <jacquard/testing/comparison.hpp>

#include "../../show.hpp"

using jq::array;
using jq::shape;

namespace {

array numbers(const shape& s, std::uint64_t seed = 1) { return jq::random::normal(jq::random::key(seed), s); }

/// How many loops are left in the program, which must compute the same.
template <class F, class... A>
int loops_left(F f, const A&... x) {
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(x...));
  const jq::closed_jaxpr q{jq::lowering::with_trips_side_by_side(p.program, true), p.constants};
  CHECK_FALSE(jq::check_jaxpr(*q));
  const std::vector<array> want = jq::eval_jaxpr(p, std::vector<array>{x...}), got = jq::eval_jaxpr(q, std::vector<array>{x...});
  CHECK(jq::testing::identical(got, want).ok);
  return testing::count(jq::to_string(q), "= scan[");
}

}  // namespace

TEST_CASE("side by side: maps of elementwise functions, of numbers, rows and several arrays") {
  const array x = numbers({7}), rows = numbers({7, 3}, 2), k = numbers({3}, 3);
  CHECK(loops_left([](array a) { return lax::map([](array e) { return jq::sin(e) * e + 1.0f; }, a); }, x) == 0);
  CHECK(loops_left([](array a, array b) { return lax::map([](const auto& e) { return e.first * jq::exp(e.second); }, std::pair{a, b}); }, x, rows) == 0);
  CHECK(loops_left([](array a, array b) { return lax::map([&](array e) { return std::pair{e * b, b + 1.0f}; }, a); }, rows, k) == 0);
  CHECK(loops_left([](array a) { return lax::map([](array e) { return jq::transpose(jq::reshape(e, {1, 3})) * 2.0f; }, a); }, rows) == 0);
}
TEST_CASE("side by side: the order of trips does not matter, nor results that are the same in each") {
  const auto backwards = [](array a) {
    return lax::scan([](const std::tuple<>& nothing, const array& e) { return std::pair{nothing, std::tuple{jq::exp(e), e, array(2.0f)}}; }, std::tuple<>{}, a, {.reverse = true}).second;
  };
  CHECK(loops_left(backwards, numbers({5})) == 0);
}
TEST_CASE("side by side: what the way there of a gradient keeps of indices") {
  const auto loss = [](array x) { return lax::fori_loop(0, 9, [&](array i, array s) { return s + jq::sum(x(i * 7 % 5)); }, array(0.0f)); };
  CHECK(loops_left(loss, numbers({5, 2})) == 1);
  CHECK(loops_left(jq::grad(loss), numbers({5, 2})) == 1);  // the way back
}
TEST_CASE("side by side: carries, sums, effects and loops without trips stay") {
  const array x = numbers({7}), rows = numbers({7, 3}, 2);
  CHECK(loops_left([](array a) { return lax::scan([](array c, array e) { return std::pair{c + e, c}; }, array(0.0f), a).second; }, x) == 1);
  CHECK(loops_left([](array a) { return lax::map([](array e) { return jq::sum(e); }, a); }, rows) == 1);
  CHECK(loops_left([](array a) { return lax::map([](array e) { return jq::id_tap([](array) {}, e); }, a); }, x) == 1);
  CHECK(loops_left([](array a) { return lax::map([](array e) { return jq::sin(e); }, a); }, jq::zeros({0})) == 1);
}
TEST_CASE("side by side: signs of zeros stay") {
  const array x = jq::asarray({-0.0f, 0.0f, 1.0f});
  CHECK(loops_left([](array a) { return lax::map([](array e) { return 1.0f / (e + 0.0f); }, a); }, x) == 0);
}
