// Mapped axes in scope: what a thread works under, how scopes nest, and that traces and checks of programs see them.
#include <jacquard/core/axis_binding.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include <memory>
#include <thread>

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;
using jq::detail::axis_scope;
using jq::detail::outermost_axes;

namespace {

const auto sum_over_i = [](const array& x) { return lax::psum(x, "i"); };
bool is_wrong(const jq::error_record& e) { return bool(e); }

}  // namespace

static_assert(outermost_axes() == nullptr);

TEST_CASE("axis_scope: as long as it lives, the innermost counts, and none is one, too") {
  CHECK(outermost_axes() == nullptr);
  const jq::axis_binding outer{"i", 4, nullptr}, inner{"j", 2, &outer};
  {
    const axis_scope first(&outer);
    CHECK(outermost_axes() == &outer);
    {
      const axis_scope second(&inner);
      CHECK(outermost_axes() == &inner);
      const axis_scope none(nullptr);
      CHECK(outermost_axes() == nullptr);
    }
    CHECK(outermost_axes() == &outer);
    const jq::axis_binding* elsewhere = &outer;
    std::thread([&] { elsewhere = outermost_axes(); }).join();  // another thread has its own
    CHECK(elsewhere == nullptr);
  }
  CHECK(outermost_axes() == nullptr);
}
TEST_CASE("axis_scope: a function is traced under the axes of its thread") {
  const array x = jq::asarray({1.f, 2.f});
  CHECK_THROWS_WITH_AS(jq::make_jaxpr(sum_over_i)(x), doctest::Contains("unbound axis name: i"), jq::value_error);
  const jq::axis_binding outer{"i", 4, nullptr}, inner{"j", 2, &outer};
  const axis_scope scope(&inner);
  const jq::closed_jaxpr p = jq::make_jaxpr([](const array& v) { return lax::psum(v, "i") + lax::psum(v, "j"); })(x);
  CHECK(jq::to_string(p).find("psum[axis_name=i]") != std::string::npos);
  CHECK(jq::to_string(p).find("psum[axis_name=j]") != std::string::npos);
  // The size is a number while the function is traced; an axis that it maps itself is one more.
  int size = 0, mapped = 0;
  jq::make_jaxpr(jq::vmap([&](const array& v) {
    size = lax::axis_size("i").item<int>();
    mapped = lax::axis_size("k").item<int>();
    return lax::psum(v, "k") + lax::psum(v, "i");
  }, jq::axis_name<"k">))(jq::zeros({3}, jq::f32));
  CHECK(size == 4);
  CHECK(mapped == 3);
  CHECK_THROWS_WITH_AS(jq::make_jaxpr([](const array& v) { return lax::psum(v, "n"); })(x), doctest::Contains("available to collective operations: [j, i]"), jq::value_error);
}
TEST_CASE("axis_scope: a program with collectives is well formed under its axes only") {
  const jq::axis_binding axis{"i", 4, nullptr};
  const jq::closed_jaxpr p = [&] {
    const axis_scope scope(&axis);
    return jq::make_jaxpr(sum_over_i)(jq::asarray({1.f, 2.f}));
  }();
  CHECK(is_wrong(jq::check_jaxpr(p)));
  CHECK_FALSE(is_wrong(jq::check_jaxpr(p, &axis)));
  const axis_scope scope(&axis);
  CHECK_FALSE(is_wrong(jq::check_jaxpr(p)));
  CHECK_FALSE(is_wrong(jq::check_jaxpr(*p)));
  const axis_scope none(nullptr);
  CHECK(is_wrong(jq::check_jaxpr(p)));
}
TEST_CASE("kept_axes: a copy that does not need the axes it was made of") {
  const auto copied = [] {
    const jq::axis_binding outer{"i", 4, nullptr}, inner{"j", 2, &outer};
    return std::make_unique<jq::detail::kept_axes>(&inner);
  }();
  const jq::axis_binding* const a = copied->innermost();
  REQUIRE(a != nullptr);
  CHECK(a->name == "j");
  CHECK(a->size == 2);
  REQUIRE(a->outer != nullptr);
  CHECK(a->outer->name == "i");
  CHECK(a->outer->size == 4);
  CHECK(a->outer->outer == nullptr);
  CHECK(jq::detail::kept_axes(nullptr).innermost() == nullptr);
}
