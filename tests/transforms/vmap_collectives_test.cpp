// Collectives over a mapped axis: psum pmean pmax pmin all_gather ppermute all_to_all axis_index, their derivatives, nested axes.
#include "../show.hpp"

using jq::array;

namespace {

static_assert(jq::to_text(jq::make_jaxpr(jq::vmap([](const array& x) { return lax::psum(x, "i"); }, jq::axis_name<"i">))(
                  jq::zeros({3}))) ==
              "{ lambda ; a:f32[3]. let\n"
              "    b:f32[] = reduce_sum[axes=(0,)] a\n"
              "    c:f32[3] = broadcast_in_dim[broadcast_dimensions=() shape=(3,)] b\n"
              "  in (c,) }");

/// f mapped over axis "i".
template <class F, class... A>
std::string mapped(F f, const A&... x) {
  return show(jq::vmap(f, jq::axis_name<"i">)(x...));
}
const array four = jq::asarray({0.f, 1.f, 2.f, 3.f});
const array pairs = jq::asarray({{0.f, 1.f}, {2.f, 3.f}, {4.f, 5.f}});

}  // namespace

TEST_CASE("psum: the sum for each member; booleans are counted") {
  CHECK(mapped([](const array& x) { return lax::psum(x, "i"); }, four) == "f32[4] 6 6 6 6");
  CHECK(mapped([](const array& x) { return lax::psum(x > 0.5f, "i"); }, four) == "i32[4] 3 3 3 3");
  CHECK(mapped([](const array&) { return lax::psum(array(1), "i"); }, four) == "i32[4] 4 4 4 4");
  CHECK(mapped([](const array& x) { return x / lax::psum(x, "i"); }, four) == "f32[4] 0 0.16667 0.33333 0.5");
}
TEST_CASE("psum: out_axes none takes the common value") {
  const auto f = jq::vmap([](const array& x) { return lax::psum(x, "i"); }, jq::axis_name<"i">, jq::out_axes<jq::none>);
  CHECK(show(f(four)) == "f32[] 6");
}
TEST_CASE("pmax, pmin") {
  CHECK(mapped([](const array& x) { return lax::pmax(x, "i"); }, four) == "f32[4] 3 3 3 3");
  CHECK(mapped([](const array& x) { return lax::pmin(x, "i"); }, four) == "f32[4] 0 0 0 0");
  CHECK(mapped([](const array&) { return lax::pmax(array(5.f), "i"); }, four) == "f32[4] 5 5 5 5");
}
TEST_CASE("pmean: the mean; x / pmean") {
  CHECK(mapped([](const array& x) { return lax::pmean(x, "i"); }, four) == "f32[4] 1.5 1.5 1.5 1.5");
  CHECK(mapped([](const array& x) { return x / lax::pmean(x, "i"); }, four) == "f32[4] 0 0.66667 1.3333 2");
}
TEST_CASE("axis_index: the position, in the order of the names") {
  CHECK(mapped([](const array& x) { return lax::axis_index("i") + lax::convert_element_type(x, jq::i32) * 0; }, four) == "i32[4] 0 1 2 3");
  CHECK(mapped([](const array&) { return lax::axis_index("i"); }, four) == "i32[4] 0 1 2 3");
  const auto inner = jq::vmap([](const array&) { return lax::axis_index({"i", "j"}); }, jq::axis_name<"j">);
  CHECK(show(jq::vmap(inner, jq::axis_name<"i">)(pairs)) == "i32[3,2] 0 1 2 3 4 5");
}
TEST_CASE("all_gather: stacked or concatenated") {
  CHECK(mapped([](const array& x) { return lax::all_gather(x, "i"); }, jq::asarray({1.f, 2.f})) == "f32[2,2] 1 2 1 2");
  const auto f = jq::vmap([](const array& x) { return lax::all_gather(x, "i", 1); }, jq::axis_name<"i">, jq::out_axes<jq::none>);
  CHECK(show(f(pairs)) == "f32[2,3] 0 2 4 1 3 5");
  const auto tiled = jq::vmap([](const array& x) { return lax::all_gather(x, "i", 0, true); }, jq::axis_name<"i">, jq::out_axes<jq::none>);
  CHECK(show(tiled(pairs)) == "f32[6] 0 1 2 3 4 5");
}
TEST_CASE("ppermute: what is sent arrives, the others get zeros") {
  CHECK(mapped([](const array& x) { return lax::ppermute(x, "i", {{0, 1}, {1, 2}, {2, 3}, {3, 0}}); }, four) == "f32[4] 3 0 1 2");
  CHECK(mapped([](const array& x) { return lax::ppermute(x + 1.f, "i", {{3, 0}, {0, 2}}); }, four) == "f32[4] 4 0 1 0");
  CHECK_THROWS_WITH_AS(mapped([](const array& x) { return lax::ppermute(x, "i", {{0, 1}, {0, 2}}); }, four),
                       doctest::Contains("sources and destinations must be unique, got"), jq::value_error);
}
TEST_CASE("names: an axis without one is not named by an empty one, long ones are told apart") {
  CHECK_THROWS_WITH_AS(jq::vmap([](const array& x) { return lax::psum(x, ""); })(four), doctest::Contains("unbound axis name"), jq::value_error);
  const auto outer = [](const array& x) { return lax::psum(x, "batch_of_independent_experiments_outer"); };
  const auto inner = jq::vmap(outer, jq::axis_name<"batch_of_independent_experiments_inner">);
  CHECK(show(jq::vmap(inner, jq::axis_name<"batch_of_independent_experiments_outer">)(jq::ones({2, 3}, jq::f32))) == "f32[2,3] 2 2 2 2 2 2");
  CHECK_THROWS_AS(inner(four), jq::value_error);
}
TEST_CASE("all_to_all: piece j of member i goes to member j") {
  const array square = jq::asarray({{0.f, 1.f}, {2.f, 3.f}});
  CHECK(mapped([](const array& x) { return lax::all_to_all(x, "i", 0, 0); }, square) == "f32[2,2] 0 2 1 3");
  CHECK_THROWS_WITH_AS(mapped([](const array& x) { return lax::all_to_all(x, "i", 0, 0); }, pairs),
                       doctest::Contains("all_to_all requires the size of the mapped axis axis_name to equal x.shape[split_axis], but "
                                         "they are 3 and 2 respectively."), jq::shape_error);
}
TEST_CASE("collectives name their axis among nested ones") {
  const auto f = [](const array& x) { return std::tuple{lax::psum(x, "i"), lax::psum(x, "j"), lax::psum(x, {"i", "j"})}; };
  const auto nested = jq::vmap(jq::vmap(f, jq::axis_name<"j">), jq::axis_name<"i">);
  CHECK(show(nested(pairs)) == "f32[3,2] 6 9 6 9 6 9, f32[3,2] 1 1 5 5 9 9, f32[3,2] 15 15 15 15 15 15");
}
TEST_CASE("collectives pass through a vmap over another axis") {
  const auto f = [](const array& x) { return lax::psum(jq::vmap([](const array& y) { return y * lax::psum(y, "i"); })(x), "i"); };
  CHECK(mapped(f, pairs) == "f32[3,2] 36 81 36 81 36 81");
  const auto g = [](const array& x) { return jq::vmap([](const array& y) { return lax::all_gather(y, "i"); })(x); };
  CHECK(mapped(g, jq::asarray({{1.f, 2.f}, {3.f, 4.f}})) == "f32[2,2,2] 1 3 2 4 1 3 2 4");
}
TEST_CASE("collectives inside jit and grad inside vmap") {
  CHECK(mapped([](const array& x) { return jq::jit([](const array& v) { return v * lax::psum(v, "i"); })(x); }, four) == "f32[4] 0 6 12 18");
  // transpose of psum is psum: every member's cotangent 1 is summed
  CHECK(mapped([](const array& x) { return jq::grad([](const array& v) { return lax::psum(v, "i"); })(x); }, four) == "f32[4] 4 4 4 4");
  const auto mean_square = [](const array& w) {
    return total(jq::vmap([&](const array& x) { return lax::psum(w * x, "i") * x; }, jq::axis_name<"i">)(four));
  };
  CHECK(show(jq::grad(mean_square)(jq::asarray(2.f))) == "f32[] 36");
  CHECK(mapped([](const array& x) {
    return jq::grad([](const array& v) { return lax::ppermute(v * v, "i", {{0, 1}, {1, 2}, {2, 3}, {3, 0}}); })(x);
  }, four) == "f32[4] 0 2 4 6");
}
TEST_CASE("collectives under jit of vmap") {
  const auto f = jq::jit(jq::vmap([](const array& x) { return x - lax::pmean(x, "i"); }, jq::axis_name<"i">));
  CHECK(show(f(four)) == "f32[4] -1.5 -0.5 0.5 1.5");
}
TEST_CASE("collectives outside their axis") {
  const char* want = "unbound axis name: k. The following axis names (e.g. defined by pmap) are available to collective operations: [";
  CHECK_THROWS_WITH_AS(lax::psum(four, "k"), doctest::Contains(want), jq::error);
  CHECK_THROWS_WITH_AS(mapped([](const array& x) { return lax::psum(x, "k"); }, four), doctest::Contains("[i]"), jq::error);
  CHECK_THROWS_WITH_AS(mapped([](const array& x) { return lax::psum(x, "k"); }, four), doctest::Contains("vmap_collectives_test.cpp"), jq::error);
  CHECK_THROWS_WITH_AS(lax::axis_index("k"), doctest::Contains("axis_name<\"k\">"), jq::error);
  CHECK_THROWS_WITH_AS(mapped([](const array& x) { return jq::grad([](const array& v) { return lax::pmax(v, "i"); })(x); }, four),
                       doctest::Contains("Differentiation rule for 'pmax' not implemented"), jq::not_implemented);
}
