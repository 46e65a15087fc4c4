// check_grads finds wrong derivatives and accepts right ones.
#include "wrong_prims.hpp"

#include <jacquard/testing/gradients.hpp>

namespace jq = jacquard;
using jq::array;
using jq::asarray;
using jq::testing::check_grads;
using jq::testing::modes;

TEST_CASE("right derivatives, of trees, in both precisions") {
  const auto f = [](const std::pair<array, array>& p, const array& x) { return std::vector{jq::sin(p.first * x), p.second * x}; };
  CHECK_REPORT(check_grads(f, std::tuple{std::pair{asarray({1.0, 2.0}), asarray(3.0)}, asarray(0.5)}));
  CHECK_REPORT(check_grads(f, std::tuple{std::pair{asarray({1.f, 2.f}), asarray(3.f)}, asarray(0.5f)}, {.order = 1}));
  CHECK_REPORT(check_grads([](const array& x) { return jq::exp(x); }, std::tuple{asarray({0.1, 0.2})}, {.order = 3}));
}
TEST_CASE("integer arguments are left alone") {
  CHECK_REPORT(check_grads([](const array& x, const array& i) { return x(i); }, std::tuple{asarray({1.0, 2.0}), asarray({1, 1, 0})}));
}
TEST_CASE("a wrong jvp is found by differences, in either mode") {
  const auto f = [](const array& x) { return wrong::call<wrong::slope_p>(x); };
  const std::tuple args{asarray({1.0, 2.0})};
  CHECK_FINDS("jvp against differences: element (0,)", check_grads(f, args, {.order = 1}));
  CHECK_FINDS("vjp: <cotangent", check_grads(f, args, {.order = 1, .which = modes::reverse}));
}
TEST_CASE("a wrong transpose is found by the inner product, not in forward mode") {
  const auto f = [](const array& x) { return wrong::call<wrong::transpose_p>(x); };
  const std::tuple args{asarray({1.0, 2.0})};
  CHECK_FINDS("vjp: <cotangent", check_grads(f, args, {.order = 1}));
  CHECK_REPORT(check_grads(f, args, {.which = modes::forward}));
}
TEST_CASE("a wrong second derivative is found at order 2") {
  // x^3 as a product whose first factor's derivative is only wrong once differentiated again.
  const auto f = [](const array& x) {
    const auto inner = [](const array& y) { return y * y * y / 3.0; };
    const auto [y, t] = jq::jvp(inner, jq::primals(x), jq::tangents(jq::ones_like(x)));
    return y + 0.0 * wrong::call<wrong::slope_p>(t);
  };
  CHECK_REPORT(check_grads(f, std::tuple{asarray(2.0)}));
  const auto g = [](const array& x) { return jq::grad([](const array& y) { return y * y * y / 6.0; })(wrong::call<wrong::slope_p>(x)); };
  CHECK_FINDS("jvp against differences", check_grads(g, std::tuple{asarray(2.0)}, {.order = 1}));
}
