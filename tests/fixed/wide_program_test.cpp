// Wide programs: what one trace leaves, before its size is known.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>
#include <jacquard/jacquard.hpp>

#include <memory>

namespace jq = jacquard;

constexpr auto twice = [](auto x) { return jq::sin(x) * 2.0 + jq::sin(x) * 2.0; };
template <bool simplified>
using program = jq::detail::static_program<simplified, std::remove_const_t<decltype(twice)>, jq::tensor<float, 3>>;

constexpr jq::frozen_sizes traced = jq::detail::trace_wide<program<false>>().used, simplified = jq::detail::trace_wide<program<true>>().used;
static_assert(traced.equations == 5 && simplified.equations == 3);
static_assert(simplified.types == 1 && simplified.variables == 4 && simplified.programs == 1 && simplified.message == 0);
static_assert(!jq::detail::trace_wide<program<true>>().too_large());

TEST_CASE("wide programs hold nested ones behind the main one") {
  const auto wide = std::make_unique<jq::detail::wide_program>();
  wide->add(jq::make_jaxpr([](const jq::array& x) { return jq::jit([](const jq::array& y) { return y * y; })(x); })(jq::array(2.f)));
  CHECK(wide->used.programs == 2);
  CHECK(wide->used.equations == 2);
  CHECK(wide->problem == jq::error_kind::none);
}
