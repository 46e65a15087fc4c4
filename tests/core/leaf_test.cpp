// Leaves: arrays, scalars and foreign containers as arrays and back.
#include <jacquard/core/leaf.hpp>

#include <complex>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include "../show.hpp"

namespace {

/// A foreign type taught to the library by this test: three floats.
struct vec3 {
  float data[3] = {};
};

}  // namespace

template <>
struct jacquard::leaf_traits<vec3> {
  using element = float;
  static array borrow(const vec3& v) { return detail::borrow_in(v.data, {3}); }
  static vec3 from_array(const array& x) {
    const auto e = detail::checked_elements<float>(x, "vec3", 1);
    return {{e[0], e[1], e[2]}};
  }
};

static_assert(jq::leaf<jq::array> && jq::leaf<double> && jq::leaf<std::complex<float>> && jq::leaf<std::vector<float>>);
static_assert(jq::leaf<std::array<int, 3>> && jq::leaf<vec3> && jq::foreign_array<vec3>);
static_assert(!jq::leaf<std::vector<jq::array>> && !jq::leaf<std::string> && !jq::leaf<const char*> && !jq::leaf<std::vector<bool>>);
static_assert(jq::to_array(2.0).kind() == jq::array_kind::literal && jq::from_array<double>(jq::array(2.0)) == 2.0);

TEST_CASE("scalars are weak literals") {
  CHECK(jq::to_array(3).aval() == jq::aval(jq::i32, {}, true));
  CHECK(jq::from_array<int>(jq::asarray(3.75)) == 3);
}

TEST_CASE("std::vector and std::array are borrowed, and checked on the way back") {
  std::vector<double> v{1, 2};
  const jq::array view = jq::to_array(v);
  CHECK(view.data<double>().data() == v.data());
  CHECK(view.as_buffer()->borrowed);
  CHECK(jq::from_array<std::vector<double>>(view) == v);
  const std::vector<double> converted = jq::asarray({3.0, 4.0});
  CHECK(converted == std::vector<double>{3, 4});
  const std::array<float, 2> fixed = jq::asarray({3.f, 4.f});
  CHECK(fixed == std::array<float, 2>{3, 4});

  CHECK_THROWS_AS(jq::from_array<std::vector<float>>(view), jq::type_error);
  CHECK_THROWS_AS(jq::from_array<std::vector<double>>(jq::ones({2, 2}, jq::f64)), jq::type_error);
  const auto m = testing::message_of<jq::type_error>([&] { (void)jq::from_array<std::array<double, 3>>(view); });
  CHECK(m.find("got 2 elements, wanted 3") != std::string::npos);
}

TEST_CASE("a foreign type of the user's takes part everywhere") {
  const vec3 v{{1, 2, 3}};
  const vec3 g = jq::grad([](jq::array x) { return total(x * x); })(v);
  CHECK(g.data[2] == 6.f);
  const vec3 y = jq::jit([](jq::array x) { return x * 2.f; })(v);
  CHECK(y.data[1] == 4.f);
  CHECK(show(jq::asarray(v)) == "f32[3] 1 2 3");
  const auto m = testing::message_of<jq::type_error>([] { vec3 w = jq::ones({3}, jq::f64); (void)w; });
  CHECK(m.find("vec3") != std::string::npos);
  CHECK(m.find("float32") != std::string::npos);
}
