// Cost: operations and bytes of primitives and programs. Oracle: counting by hand, and programs that do the same in another way.
#include <jacquard/core/cost.hpp>

#include "../show.hpp"

using jq::array;

namespace {

template <class F, class... A>
jq::program_cost cost(F f, const A&... x) {
  return jq::cost_of(*jq::make_jaxpr(f)(x...));
}
template <class F, class... A>
double flops(F f, const A&... x) {
  return cost(f, x...).flops;
}
const array matrix = jq::ones({4, 8}), vector = jq::ones({8});

/// Says nothing of its cost.
struct halve_p : jq::elementwise<halve_p, jq::inexact, 1> {
  static constexpr std::string_view name = "halve";
  template <class T>
  static constexpr T apply(T x) { return x * T(0.5f); }
};

}  // namespace

TEST_CASE("cost: without a rule it is one operation per element") {
  CHECK(flops([](array x) { return lax::sin(x); }, matrix) == 32);
  CHECK(flops([](array x) { return jq::bind<halve_p>({}, jq::location{}, x); }, matrix) == 32);
  CHECK(bool(jq::table_of<halve_p>().cost == nullptr));
  CHECK(cost([](array x) { return lax::sin(x); }, matrix).bytes_accessed == 2 * 32 * 4);
  CHECK(cost([](array x, array y) { return lax::mul(x, y); }, matrix, matrix).bytes_accessed == 3 * 32 * 4);
  CHECK(flops([](array x) { return lax::sin(x); }, jq::zeros({0, 3})) == 0);
}
TEST_CASE("cost: reductions, products and orders say their own") {
  CHECK(flops([](array x) { return lax::reduce_sum(x, {0}); }, matrix) == 32);
  CHECK(flops([](array x) { return lax::reduce_max(x, {0, 1}); }, matrix) == 32);
  CHECK(flops([](array x) { return lax::argmax(x, 1, jq::i32); }, matrix) == 32);
  CHECK(flops([](array x, array y) { return lax::dot_general(x, y, {{1}, {0}, {}, {}}); }, matrix, vector) == 2 * 32);
  CHECK(flops([](array x) { return lax::dot_general(x, x, {{1}, {1}, {0}, {0}}); }, matrix) == 2 * 32);
  CHECK(flops([](array x) { return lax::dot_general(x, x, {{}, {}, {}, {}}); }, vector) == 2 * 64);
  CHECK(flops([](array x) { return jq::sort(x); }, vector) == 8 * 3);
  CHECK(flops([](array x) { return jq::sort(x); }, jq::ones({1})) == 0);
  CHECK(flops([](array x) { return jq::sort(x); }, jq::ones({5})) == 5 * 3);
  for (int n : {2, 3, 7, 8, -3, 0}) {  // as many products as computing it makes
    struct counted {
      int* products;
      counted operator*(counted o) const { return ++*o.products, o; }
    };
    int products = n < 0 ? 1 : 0;
    const unsigned m = unsigned(n < 0 ? -n : n);
    counted x{&products}, r = x;
    bool any = false;
    for (unsigned bits = m; bits != 0; bits >>= 1, x = bits ? x * x : x)
      if (bits & 1) r = any ? r * x : x, any = true;
    CHECK(flops([&](array a) { return lax::integer_pow(a, n); }, vector) == 8 * products);
  }
}
TEST_CASE("cost: moving elements is free of operations, and reads what it writes") {
  CHECK(flops([](array x) { return lax::reshape(lax::transpose(x, {1, 0}), {32}); }, matrix) == 0);
  CHECK(cost([](array x) { return lax::slice(x, {0, 0}, {1, 2}); }, matrix).bytes_accessed == 2 * 8);
  CHECK(cost([](array x) { return lax::broadcast_in_dim(x, {100, 8}, {1}); }, vector).bytes_accessed == 32 + 3200);
  const array at = jq::asarray({0, 3}), more = jq::ones({2, 8});
  CHECK(flops([&](array x) { return x.at(at).add(more); }, matrix) - flops([&](array x) { return x.at(at).set(more); }, matrix) == 16);
}
TEST_CASE("cost: programs within programs") {
  const auto body = [](array c) { return jq::sin(c) * 2.f; };
  const double one = flops(body, vector);
  CHECK(one == 16);
  CHECK(flops([&](array x) { return jq::jit(body)(x); }, vector) == one);
  CHECK(flops([&](array x) { return jq::checkpoint(body)(x); }, vector) == one);
  const auto scan = [&](array x) { return lax::scan([&](array c, array) { return std::pair{body(c), c}; }, x, jq::zeros({7, 1})).first; };
  CHECK(flops(scan, vector) == 7 * one);
  CHECK(cost(scan, vector).counted);
  const jq::program_cost loop = cost([&](array x) { return lax::while_loop([](array c) { return jq::sum(c) < 1.f; }, body, x); }, vector);
  CHECK(loop.flops == one + 8 + 1);
  CHECK_FALSE(loop.counted);
  CHECK(flops([&](array x, array p) { return lax::cond(p, [&](array y) { return body(body(y)); }, body, x); }, vector, array(true)) >= 2 * one);
  CHECK(flops([&](array x, array p) { return lax::cond(p, body, body, x); }, vector, array(true)) ==
        flops([&](array x, array p) { return lax::cond(p, body, [](array y) { return y; }, x); }, vector, array(true)));
}
TEST_CASE("cost: taps are free") {
  CHECK(flops([](array x) { return jq::id_tap([](const array&) {}, x); }, vector) == 0);
}
TEST_CASE("cost: counts in constant evaluation") {
  static_assert(jq::cost_of(*jq::make_jaxpr([](array x) { return lax::sin(x) * x; })(1.0)).flops == 2);
}
