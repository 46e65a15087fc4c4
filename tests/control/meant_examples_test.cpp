// Bodies that end only for the examples that they are meant for: vmap of branches and loops that hold while_loops.
#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include "control_testing.hpp"

namespace jq = jacquard;
namespace lax = jq::lax;
using jq::array;
using jq::asarray;
using testing::show;

namespace {

/// Doubles x until it is 100 or more: never, where x is not above zero.
constexpr auto doubled = [](auto x) {
  return lax::while_loop([](auto v) { return v < 100.0; }, [](auto v) { return v * 2.0; }, x);
};
constexpr auto guarded = [](auto x) { return lax::cond(x > 0.0, doubled, [](auto v) { return v - 1.0; }, x); };
/// The sum of what is doubled from x, x - 1, ... 1 on.
constexpr auto sums = [](auto x) {
  return lax::while_loop([](auto s) { return std::get<0>(s) > 0.0; },
                         [](auto s) { return std::tuple{std::get<0>(s) - 1.0, std::get<1>(s) + doubled(std::get<0>(s))}; }, std::tuple{x, x * 0.0});
};

}  // namespace

TEST_CASE("vmap of a cond: a branch that would not end for the examples that others take") {
  const array x = asarray({3.0, 0.0, -2.0, 60.0});
  for (const bool compiled : {false, true}) {
    const auto mapped = [&](const auto& f, const array& v) { return compiled ? jq::jit(jq::vmap(f))(v) : jq::vmap(f)(v); };
    CHECK(show(mapped(guarded, x)) == "f64[4] 192 -1 -3 120");
    CHECK(show(mapped(guarded, asarray({0.0, -5.0}))) == "f64[2] -1 -6");  // nobody takes it
    CHECK(show(mapped([](const array& v) { return jq::jvp(guarded, jq::primals(v), jq::tangents(asarray(1.0))).second; }, x)) == "f64[4] 64 1 1 2");
    const auto third = [](const array& v) {  // of three branches, with an operand that is the same for all
      const array index = lax::convert_element_type(v, jq::i32);
      return lax::switch_(index, std::tuple{[](const array& a, const array&) { return a; }, [](const array& a, const array& b) { return doubled(a * b); },
                                            [](const array& a, const array& b) { return a - b; }}, v, asarray(7.0));
    };
    CHECK(show(mapped(third, asarray({-1.0, 0.0, 1.0, 2.0, 9.0}))) == "f64[5] -1 0 112 -5 2");
  }
}
TEST_CASE("vmap of a while_loop: a loop in its body that would not end for the examples that are done") {
  const array x = asarray({0.0, 2.0, 5.0});
  const auto [left, sum] = jq::vmap(sums)(x);
  CHECK(show(left) == "f64[3] 0 0 0");
  CHECK(show(sum) == "f64[3] 0 256 736");  // 128 + 128; 160 + 128 + 192 + 128 + 128
  const auto scaled = [](const array& v, const array& factor) {  // examples along another dimension of a constant of the body
    return std::get<1>(lax::while_loop([](auto s) { return std::get<0>(s) > 0.0; },
                                       [&](auto s) {
                                         const array to = doubled(std::get<0>(s));
                                         return std::tuple{std::get<0>(s) - 1.0, std::get<1>(s) + to * factor};
                                       }, std::tuple{v, factor * 0.0}));
  };
  const array factors = lax::reshape(asarray({1.0, 2.0, 3.0, 10.0, 20.0, 30.0}), {2, 3});
  CHECK(show(jq::vmap(scaled, jq::in_axes<0, 1>)(x, factors)) == "f64[3,2] 0 0 512 5120 2208 22080");
}
TEST_CASE("vmap at compile time: branches and loops that end for the examples that they are meant for") {
  constexpr jq::tensor<double, 4> x{3, 0, -2, 60};
  static_assert(jq::vmap(guarded)(x) == jq::tensor<double, 4>{192, -1, -3, 120});
  const auto [left, sum] = jq::vmap(sums)(jq::tensor<double, 2>{0, 2});
  CHECK(left == jq::tensor<double, 2>{0, 0});
  CHECK(sum == jq::tensor<double, 2>{0, 256});
}
TEST_CASE("loops that end by what they compute are found at any depth") {
  const auto may_not_end = [](const auto& f) { return jq::detail::may_not_end(*jq::make_jaxpr(f)(asarray(1.0)).program); };
  CHECK(may_not_end(doubled));
  CHECK(may_not_end(guarded));
  CHECK(may_not_end(jq::jit([](const array& v) { return guarded(v) + 1.0; })));
  CHECK(!may_not_end([](const array& v) { return lax::fori_loop(0, 3, [](const array&, const array& s) { return s * 2.0; }, v); }));
}
TEST_CASE("vmap of a loop that is one for many examples already: those that are done keep what they have once, not once for each vmap") {
  const auto below = [](auto x, auto top) { return lax::while_loop([=](auto v) { return v < top; }, [](auto v) { return v * 2.0; }, x); };
  const auto twice = jq::vmap(jq::vmap(below, jq::in_axes<0, jq::none>), jq::in_axes<jq::none, 0>);
  const array x = asarray({3.0, 40.0, 99.0}), top = asarray({2.0, 50.0, 100.0, 7.0});
  CHECK(show(twice(x, top)) == "f64[4,3] 3 40 99 96 80 99 192 160 198 12 40 99");
  const std::string once = jq::to_string(jq::make_jaxpr([&](const array& a) { return jq::vmap(below, jq::in_axes<0, jq::none>)(a, asarray(50.0)); })(x)),
                    both = jq::to_string(jq::make_jaxpr(twice)(x, top));
  const auto count = [](const std::string& in, std::string_view of) {
    int n = 0;
    for (std::size_t at = in.find(of); at != std::string::npos; at = in.find(of, at + 1)) ++n;
    return n;
  };
  CHECK(count(once, "select_n") == 1);
  CHECK(count(both, "select_n") == 1);
  CHECK(count(both, "reduce_or") == 1);
}
TEST_CASE("vmap of loops that look like one for many examples, and are none: those that are done might go on") {
  // Rows of three, of which each is doubled while any is below a top, though it may be above it itself.
  const auto rows = [](const array& x) {
    return lax::while_loop([](const auto& s) { return array(lax::reduce_or(s.first, {0})); },
                           [](const auto& s) {
                             const array next = s.second * 2.0;
                             return std::pair{array(lax::and_(s.first, next < 50.0)), next};
                           },
                           std::pair{array(x < 50.0), x}).second;
  };
  const array x = lax::reshape(asarray({3.0, 40.0, 99.0, 60.0, 70.0, 49.0}), {2, 3});
  CHECK(show(jq::vmap(rows)(x)) == "f64[2,3] 96 1280 3168 120 140 98");
  // One whose flag may hold again.
  const auto again = [](const array& first) {
    return lax::while_loop([](const auto& s) { return array(lax::reduce_or(s.first, {0})); },
                           [](const auto& s) {
                             const array next = lax::select(s.first, s.second * 2.0, s.second);
                             return std::pair{array(next < 50.0), next};
                           },
                           std::pair{array(first > 30.0), first}).second;
  };
  CHECK(show(jq::vmap(again)(x)) == "f64[2,3] 96 80 198 120 140 98");
}
