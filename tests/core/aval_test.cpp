// Abstract values: text, sizes, equality with and without weakness.
#include <jacquard/core/aval.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
using jq::aval;

static_assert(aval(jq::c128, {2, 3}).bytes() == 96 && aval(jq::bool_, {}).bytes() == 1);
static_assert(same_type(aval(jq::f32, {2}), aval(jq::f32, {2}, true)) && aval(jq::f32, {2}) != aval(jq::f32, {2}, true));
static_assert(!same_type(aval(jq::f32, {2}), aval(jq::f32, {2, 1})) && !same_type(aval(jq::f32, {2}), aval(jq::f64, {2})));
static_assert(aval(jq::f32, {2}, true).with(jq::i8) == aval(jq::i8, {2}, true));
static_assert(aval(jq::f32, {2}, true).with(jq::shape{4}) == aval(jq::f32, {4}, true));
static_assert(aval(jq::f32, {2, 3}).rank() == 2 && aval(jq::f32, {2, 3}).elements() == 6);

TEST_CASE("the short form of jaxprs") {
  CHECK(jq::cat(aval(jq::f32, {3, 4})).view() == "f32[3,4]");
  CHECK(jq::cat(aval(jq::bool_, {})).view() == "bool[]");
  CHECK(jq::cat(aval(jq::bf16, {0}, true)).view() == "bf16[0]");
}
