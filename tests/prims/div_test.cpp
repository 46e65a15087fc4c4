// div: IEEE quotients, integers that never trap, complex numbers, derivatives in both operands, batching.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array quotient(const array& a, const array& b) { return lax::div(a, b); }
}  // namespace

static_assert(jq::div_p::apply(1.0, 0.0) == inf && jq::div_p::apply(7, 0) == -1 &&
              jq::div_p::apply(INT32_MIN, -1) == INT32_MIN);

TEST_CASE("div: floating point") {
  CHECK_CLOSE(quotient(make({1.0, -1.0, 0.0, inf, 1.0}), make({0.0, 0.0, 0.0, inf, inf})),
              make({inf, -inf, not_a_number, not_a_number, 0.0}), 0);
  CHECK_CLOSE(lax::div(1.0, make({4.0f})), make({0.25f}), 0);
  check_dtypes(binary(quotient), {make({7.0, -7.0}), make({2.0, 3.0})}, jq::numbers);
}
TEST_CASE("div: integers are truncated and never trap") {
  CHECK_CLOSE(quotient(make({7, -7, 7, -7}), make({2, 2, -2, -2})), make({3, -3, -3, 3}), 0);
  CHECK_CLOSE(quotient(make({1, 0, -5}), make({0, 0, 0})), make({-1, -1, -1}), 0);
  CHECK_CLOSE(quotient(make<std::uint8_t>({1}), make<std::uint8_t>({0})), make<std::uint8_t>({255}), 0);
  CHECK_CLOSE(quotient(make<std::int8_t>({-128}), make<std::int8_t>({-1})), make<std::int8_t>({-128}), 0);
  CHECK_CLOSE(quotient(make<std::int64_t>({INT64_MIN}), make<std::int64_t>({-1})), make<std::int64_t>({INT64_MIN}), 0);
}
TEST_CASE("div: complex numbers") {
  const array a = make<jq::complex128>({{1, 2}, {3e200, 1e200}}), b = make<jq::complex128>({{3, -4}, {2e200, 2e200}});
  CHECK_CLOSE(quotient(a, b), make<jq::complex128>({{-0.2, 0.4}, {1, -0.5}}), 1e-15);
}
TEST_CASE("div: derivative and batching") {
  const array a = make({1.0, 2.0}), b = make({3.0, -5.0}), s = scalar(2.0);
  for (const arrays& x : {arrays{a, b}, arrays{s, b}, arrays{a, s}}) {
    check_derivatives(binary(quotient), x);
    check_batching(binary(quotient), x);
  }
  const arrays back = cotangents(binary(quotient), {a, b}, make({1.0, 1.0}));
  CHECK_CLOSE(back[0], make({1.0 / 3, -0.2}), 1e-15);
  CHECK_CLOSE(back[1], make({-1.0 / 9, -2.0 / 25}), 1e-15);
  check_derivatives(binary(quotient), {make<jq::complex128>({{1, 2}}), make<jq::complex128>({{3, -4}})});
}
TEST_CASE("div: a derivative takes one division more than the quotient") {
  const auto divisions = [](const auto& program) {
    const std::string text = std::string(jq::to_string(program));
    std::size_t n = 0;
    for (std::size_t at = text.find("div "); at != std::string::npos; at = text.find("div ", at + 1)) ++n;
    return n;
  };
  const auto f = [](array a, array b) { return lax::div(a, b); };
  const array a = scalar(3.0), b = scalar(-7.0);
  CHECK(divisions(jq::make_jaxpr(jq::grad(f, jq::argnums<0, 1>))(a, b)) == 2);
  CHECK(divisions(jq::make_jaxpr([&](array x, array y, array tx, array ty) { return jq::jvp(f, jq::primals(x, y), jq::tangents(tx, ty)).second; })(a, b, a, b)) == 2);
  const auto d = jq::grad(f, jq::argnums<0, 1>)(a, b);
  CHECK_CLOSE(std::get<0>(d), scalar(-1.0 / 7), 1e-15);
  CHECK_CLOSE(std::get<1>(d), scalar(-3.0 / 49), 1e-15);
}
