// Canonical form: permutations of dimensions that products read their operands through, and those that must stay.
#include <jacquard/exec/lowering/canonical.hpp>

#include <jacquard/testing/comparison.hpp>

#include "../../show.hpp"

using jq::array;
using jq::shape;

namespace {

array numbers(const shape& s, std::uint64_t seed = 1) { return jq::random::normal(jq::random::key(seed), s); }

/// How many transposes are left in the canonical program, which must compute the same.
template <class F, class... A>
int transposes_left(F f, const A&... x) {
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(x...));
  const jq::closed_jaxpr q{jq::lowering::canonical(p.program, true), p.constants};
  CHECK_FALSE(jq::check_jaxpr(*q));
  const std::vector<array> want = jq::eval_jaxpr(p, std::vector<array>{x...}), got = jq::eval_jaxpr(q, std::vector<array>{x...});
  CHECK(jq::testing::identical(got, want).ok);
  int n = 0;
  for (const jq::equation& e : q->equations) n += e.op->name == "transpose";
  return n;
}

}  // namespace

TEST_CASE("products read transposed matrices, on either side, twice, in batches") {
  const array x = numbers({5, 7}), y = numbers({5, 6}, 2), z = numbers({6, 7}, 3);
  CHECK(transposes_left([](array a, array b) { return jq::matmul(jq::transpose(a), b); }, x, y) == 0);
  CHECK(transposes_left([](array a, array b) { return jq::matmul(a, jq::transpose(b)); }, x, z) == 0);
  CHECK(transposes_left([](array a, array b) { return jq::matmul(jq::transpose(a), jq::transpose(b)); }, x, numbers({6, 5})) == 0);
  CHECK(transposes_left([](array a) { return jq::matmul(a, jq::transpose(a)); }, x) == 0);
  CHECK(transposes_left([](array a) { return jq::matmul(lax::transpose(a, {2, 0, 1}), lax::transpose(a, {2, 1, 0})); }, numbers({4, 4, 4})) == 2);
  const auto heads = [](array q, array k) {  // of attention: (entries, places, heads, features)
    return jq::matmul(lax::transpose(q, {0, 2, 1, 3}), lax::transpose(k, {0, 2, 3, 1}));
  };
  CHECK(transposes_left(heads, numbers({2, 5, 3, 4}), numbers({2, 6, 3, 4})) == 0);
  CHECK(transposes_left([](array a, array b) { return jq::matmul(lax::transpose(lax::transpose(a, {1, 0}), {1, 0}), b); }, x, numbers({7, 3})) == 0);
}
TEST_CASE("a transpose that something else reads stays, and so does one whose rows would lie apart") {
  const array x = numbers({5, 5}), y = numbers({5, 5}, 2);
  CHECK(transposes_left([](array a, array b) { return jq::matmul(jq::transpose(a), b) + jq::transpose(a); }, x, y) == 1);
  CHECK(transposes_left([](array a, array b) { return jq::tensordot(lax::transpose(a, {0, 2, 1}), b, 1); }, numbers({3, 5, 4}), y) == 1);
  CHECK(transposes_left([](array a) { return jq::transpose(a); }, x) == 1);
}
TEST_CASE("gradients of products need no transposes of their factors") {
  const auto loss = [](array w, array x) { return jq::sum(jq::square(jq::matmul(x, w))); };
  CHECK(transposes_left([&](array w, array x) { return jq::grad(loss)(w, x); }, numbers({6, 4}), numbers({9, 6})) <= 1);
}
TEST_CASE("products whose result is only read transposed have their operands change places") {
  const array x = numbers({5, 7}), y = numbers({6, 7}, 2), z = numbers({3, 5, 7}, 3), w = numbers({3, 7, 4}, 4);
  const auto product = [](array a, array b) { return jq::matmul(a, jq::transpose(b)); };
  CHECK(transposes_left([&](array a, array b) { return jq::transpose(product(a, b)); }, x, y) == 0);
  CHECK(transposes_left([&](array a, array b) { return jq::sin(jq::transpose(product(a, b))) * 2.0; }, x, y) == 0);
  CHECK(transposes_left([&](array a, array b) { return lax::transpose(jq::matmul(a, b), {0, 2, 1}); }, z, w) == 0);
  CHECK(transposes_left([](array a, array b) { return lax::transpose(jq::tensordot(a, b, 1), {2, 0, 1}); }, z, numbers({7, 2})) == 0);
  CHECK(transposes_left([&](array a, array b) { return jq::matmul(a, jq::tanh(jq::transpose(product(b, a)))); }, numbers({7, 7}), x) == 0);
  const auto layers = [](array m, array v) { return jq::matmul(m, jq::tanh(jq::matmul(m, v))); };
  CHECK(transposes_left(jq::vmap(layers, jq::in_axes<jq::none, 0>), numbers({7, 7}), x) == 0);
}
TEST_CASE("products read as they are, too, and permutations of another kind stay") {
  const array x = numbers({5, 7}), y = numbers({6, 7}, 2), z = numbers({3, 5, 7}, 3), w = numbers({3, 7, 4}, 4);
  const auto product = [](array a, array b) { return jq::matmul(a, jq::transpose(b)); };
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr([&](array a, array b) { return jq::transpose(product(a, b)); })(x, y));
  CHECK(jq::lowering::canonical(p.program, false)->equations.size() == 2);  // where each sum is rounded as it stands
  CHECK(transposes_left([&](array a, array b) { const array c = product(a, b); return jq::sum(c, 0) + jq::sum(jq::sin(jq::transpose(c)), 1); }, x, numbers({5, 7}, 5)) == 1);
  CHECK(transposes_left([&](array a, array b) { const array c = product(a, b); return std::make_pair(c, jq::transpose(c)); }, x, y) == 1);
  CHECK(transposes_left([](array a, array b) { return lax::transpose(jq::matmul(a, b), {2, 0, 1}); }, z, w) == 1);
  CHECK(transposes_left([](array a, array b) { return lax::transpose(jq::tensordot(a, b, 1), {1, 0, 2}); }, z, numbers({7, 2})) == 1);
}
TEST_CASE("programs without permutations stay the same object") {
  const jq::closed_jaxpr p = jq::make_jaxpr([](array a) { return jq::sin(a) * a; })(numbers({3}));
  CHECK(jq::lowering::with_permutations_absorbed(p.program) == p.program);
  CHECK(jq::lowering::with_contractions_turned(p.program) == p.program);
}
