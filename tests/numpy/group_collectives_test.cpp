// Collectives among groups of members: by hand-computed values, under vmap and pmap, in gradients, at compile time, and what is refused.
#include <jacquard/numpy/group_collectives.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include "../show.hpp"

namespace jq = jacquard;
namespace lax = jq::lax;
using jq::array;
using jq::axis_index_groups;

namespace {

const array four = jq::asarray({1.f, 2.f, 4.f, 8.f});
const axis_index_groups pairs{{0, 2}, {3, 1}}, uneven{{1}, {0, 2, 3}};

/// f of each of the members, by vmap; pmap must give the same.
std::string mapped(auto f, const array& x) {
  const std::string r = show(jq::vmap(f, jq::axis_name<"i">)(x));
  jq::set_host_device_count(4);
  CHECK(show(jq::pmap(f, jq::axis_name<"i">)(x)) == r);
  CHECK(show(jq::jit(jq::vmap(f, jq::axis_name<"i">))(x)) == r);
  return r;
}
std::string refused(auto f, const array& x) {
  return testing::message_of<jq::error>([&] { jq::vmap(f, jq::axis_name<"i">)(x); });
}

}  // namespace

TEST_CASE("group collectives: sums, means and extremes of each group") {
  CHECK(mapped([](const array& x) { return lax::psum(x, "i", pairs); }, four) == "f32[4] 5 10 5 10");
  CHECK(mapped([](const array& x) { return lax::psum(x, "i", uneven); }, four) == "f32[4] 13 2 13 13");
  CHECK(mapped([](const array& x) { return lax::pmean(x, "i", pairs); }, four) == "f32[4] 2.5 5 2.5 5");
  CHECK(mapped([](const array& x) { return lax::pmean(x, "i", axis_index_groups{{3}, {0}, {1, 2}}); }, four) == "f32[4] 1 3 3 8");
  CHECK(mapped([](const array& x) { return lax::pmax(x, "i", uneven); }, four) == "f32[4] 8 2 8 8");
  CHECK(mapped([](const array& x) { return lax::pmin(x, "i", uneven); }, -four) == "f32[4] -8 -2 -8 -8");
  CHECK(mapped([](const array& x) { return lax::psum(x > 3.f, "i", uneven); }, four) == "i32[4] 2 0 2 2");
  CHECK(mapped([](const array& x) { return lax::pmean(x, "i", pairs); }, jq::asarray({1, 2, 4, 8})) == "f64[4] 2.5 5 2.5 5");
  CHECK(mapped([](const array& x) { return lax::psum(x, "i", pairs); }, jq::asarray({{1, 2}, {3, 4}, {5, 6}, {7, 8}})) == "i32[4,2] 6 8 10 12 6 8 10 12");
  const std::vector<std::vector<int>> listed{{0, 1}, {2, 3}};
  CHECK(mapped([&](const array& x) { return lax::psum(x, "i", axis_index_groups(listed)); }, four) == "f32[4] 3 3 12 12");
}
TEST_CASE("group collectives: a constant counts the members of a group") {
  CHECK(mapped([](const array& x) { return x * 0.f + lax::psum(array(1.f), "i", pairs); }, four) == "f32[4] 2 2 2 2");
  CHECK(mapped([](const array& x) { return x * 0.f + lax::psum(array(1.f), "i", uneven); }, four) == "f32[4] 3 1 3 3");
  CHECK(jq::make_jaxpr([](const array& x) { return x + lax::psum(array(2.f), "i", pairs); }, jq::axis_env<"i", 4>)(array(1.f))->effects == 0);
}
TEST_CASE("group collectives: trees") {
  const auto f = [](const array& x) { return lax::psum(std::pair{x, x * 2.f}, "i", pairs); };
  const auto [a, b] = jq::vmap(f, jq::axis_name<"i">)(four);
  CHECK(show(a) == "f32[4] 5 10 5 10");
  CHECK(show(b) == "f32[4] 10 20 10 20");
}
TEST_CASE("group collectives: gathered, scattered and exchanged") {
  const array x = jq::asarray({{0, 1, 2, 3}, {10, 11, 12, 13}, {20, 21, 22, 23}, {30, 31, 32, 33}});
  CHECK(mapped([](const array& v) { return lax::all_gather(v, "i", pairs); }, jq::asarray({1, 2, 3, 4})) == "i32[4,2] 1 3 4 2 1 3 4 2");
  CHECK(mapped([](const array& v) { return lax::all_gather(v, "i", pairs, 0, true)[jq::slice(2, 6)]; }, x) == "i32[4,4] 2 3 20 21 32 33 10 11 2 3 20 21 32 33 10 11");
  CHECK(mapped([](const array& v) { return lax::all_gather(v[jq::slice(0, 2)], "i", pairs, 1); }, x) ==
        "i32[4,2,2] 0 20 1 21 30 10 31 11 0 20 1 21 30 10 31 11");
  CHECK(mapped([](const array& v) { return lax::psum_scatter(v, "i", pairs, 0, true); }, x) == "i32[4,2] 20 22 44 46 24 26 40 42");
  CHECK(mapped([](const array& v) { return lax::psum_scatter(v[jq::slice(0, 2)], "i", pairs); }, x) == "i32[4] 20 42 22 40");
  CHECK(mapped([](const array& v) { return lax::all_to_all(v[jq::slice(1, 3)], "i", 0, 0, pairs); }, x) == "i32[4,2] 1 21 32 12 2 22 31 11");
  CHECK(mapped([](const array& v) { return lax::all_to_all(v, "i", 0, 0, pairs, true); }, x) == "i32[4,4] 0 1 20 21 32 33 12 13 2 3 22 23 30 31 10 11");
  // One group of all is the collective without groups.
  const axis_index_groups all{{0, 1, 2, 3}};
  CHECK(mapped([&](const array& v) { return lax::all_to_all(v, "i", 0, 0, all); }, x) == mapped([](const array& v) { return lax::all_to_all(v, "i", 0, 0); }, x));
  CHECK(mapped([&](const array& v) { return lax::psum_scatter(v, "i", all); }, x) == mapped([](const array& v) { return lax::psum_scatter(v, "i"); }, x));
}
TEST_CASE("group collectives: gradients meet the members of the group") {
  // Of sum_i i^2 (sum over the group)^2, in member j: 2 sum(group) (sum of i^2 over the group).
  const auto loss = [](const array& x) {
    const auto one = [](const array& v, const array& w) { return w * lax::psum(v, "i", uneven) * lax::psum(v, "i", uneven); };
    return jq::sum(jq::vmap(one, jq::axis_name<"i">)(x, jq::asarray({0.f, 1.f, 4.f, 9.f})));
  };
  CHECK(show(jq::grad(loss)(four)) == "f32[4] 338 4 338 338");
  const auto local = [](const array& v) { return jq::grad([](const array& u) { return lax::psum(u * u, "i", pairs); })(v); };
  CHECK(mapped(local, four) == "f32[4] 4 8 16 32");  // the sums of both members have it
}
TEST_CASE("group collectives: at compile time") {
  constexpr auto f = [](auto x) { return jq::vmap([](auto v) { return lax::psum(v, "i", axis_index_groups{{0, 2}, {1}}); }, jq::axis_name<"i">)(x); };
  static_assert(f(jq::tensor<double, 3>{1, 2, 4}) == jq::tensor<double, 3>{5, 2, 5});
}
TEST_CASE("group collectives: what is refused") {
  const auto has = [](const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; };
  for (const axis_index_groups& groups : {axis_index_groups{{0, 1}, {2}}, axis_index_groups{{0, 1}, {1, 2, 3}}, axis_index_groups{{0, 1}, {2, 4}}, axis_index_groups{{-1, 0, 1, 2}}})
    CHECK(has(refused([&](const array& x) { return lax::psum(x, "i", groups); }, four), "psum: axis_index_groups must cover all indices exactly once, got [["));
  CHECK(has(refused([](const array& x) { return lax::psum(x, 0, pairs); }, jq::ones({4, 2})), "axis_index_groups only supported for sums over just named axes"));
  CHECK(has(refused([](const array& x) { return lax::pmax(x, 0, pairs); }, jq::ones({4, 2})), "axis_index_groups only supported for sums over just named axes"));
  CHECK(has(refused([](const array& x) { return lax::all_gather(x, "i", uneven); }, four), "all_gather: axis_index_groups must all be the same size, got [[1], [0, 2, 3]]"));
  CHECK(has(refused([](const array& x) { return lax::all_gather(x, "i", pairs, 2); }, four), "all_gather: got dimension 2 for the shape"));
  CHECK(has(refused([](const array& x) { return lax::psum_scatter(x, "i", pairs); }, jq::ones({4, 3})), "wanted one of size 2, the members of a group"));
  CHECK(has(refused([](const array& x) { return lax::all_to_all(x, "i", 0, 0, pairs, true); }, jq::ones({4, 3})), "wanted one of a size divisible by 2"));
  CHECK(has(refused([](const array& x) { return lax::all_to_all(x, "i", 0, 1, pairs); }, jq::ones({4, 2})), "got dimensions 0 and 1"));
  CHECK(has(refused([](const array& x) { return lax::psum(x, "j", pairs); }, four), "j"));
  CHECK(has(refused([](const array& x) { return lax::all_to_all(x, "i", 0, 0, axis_index_groups{}, true); }, jq::ones({0, 3})), "must cover all indices"));
}
