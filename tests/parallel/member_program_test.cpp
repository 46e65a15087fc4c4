// Programs of members: where their parts come from and their results go, one compilation for each device, donation, failures.
#include <jacquard/parallel/member_program.hpp>

#include "pmap_testing.hpp"

using namespace pmap_testing;
using jq::detail::member_plan;
using jq::detail::member_program;
using jq::detail::placement;

namespace {

const array rows = jq::asarray({{0.f, 1.f}, {2.f, 3.f}, {4.f, 5.f}});
const jq::axis_binding three{"i", 3, nullptr};

/// The plan of f for three members, on parts of these types.
template <class F, class... A>
member_plan plan_of(F f, std::vector<placement> in, std::vector<placement> out, const A&... parts) {
  const jq::detail::axis_scope scope(&three);
  std::vector<jq::detail::target> devices(3);
  for (int m = 0; m < 3; ++m) devices[std::size_t(m)].ordinal = m;
  const std::vector<char> donated(in.size(), false);
  return {jq::make_jaxpr(f)(parts...), three, std::move(in), std::move(out), donated, devices};
}
const auto sum_and_own = [](const array& x) { return std::pair{lax::psum(x, "i"), x * 2.f}; };
const array part = jq::zeros({2}, jq::f32);

}  // namespace

TEST_CASE("member_program: results are stacked where they are to be, or the first member's") {
  member_program p(plan_of(sum_and_own, {placement::stacked(0)}, {placement::whole(1), placement::stacked(1)}, part));
  for (int round = 0; round < 3; ++round) {
    const std::vector<array> r = p.run(std::vector<array>{rows}, {});
    REQUIRE(r.size() == 2);
    CHECK(show(r[0]) == "f32[2] 6 9");
    CHECK(show(r[1]) == "f32[2,3] 0 4 8 2 6 10");
  }
}
TEST_CASE("member_program: arguments along any dimension, and those that all members share") {
  const auto f = [](const array& x, const array& w) { return x * w + lax::convert_element_type(lax::axis_index("i"), jq::f32); };
  member_program p(plan_of(f, {placement::stacked(1), placement::whole(1)}, {placement::stacked(0)}, part, part));
  CHECK(show(p.run(std::vector<array>{jq::copy(jq::transpose(rows)), jq::asarray({1.f, 10.f})}, {})[0]) == "f32[3,2] 0 10 3 31 6 52");
}
TEST_CASE("member_program: a donated argument gives its memory to a result of its type") {
  member_plan plan = plan_of(sum_and_own, {placement::stacked(0)}, {placement::whole(1), placement::stacked(0)}, part);
  plan.donated = {true};
  member_program p(plan);
  const array x = jq::copy(rows);
  const void* const memory = x.as_buffer()->data;
  const std::vector<array> r = p.run(std::vector<array>{x}, {});
  CHECK(x.is_deleted());
  CHECK(r[1].as_buffer()->data == memory);
  CHECK(show(r[1]) == "f32[3,2] 0 2 4 6 8 10");
  CHECK_THROWS_AS(p.run(std::vector<array>{x}, {}), jq::deleted_error);
}
TEST_CASE("member_program: what a member throws, the call throws; the next one works") {
  const auto f = [](const array& x) {
    return lax::psum(jq::io_callback([](const array& v) {
      if (v.data<float>()[0] == 2.f) throw std::runtime_error("no luck");
      return v;
    }, x, x), "i");
  };
  member_program p(plan_of(f, {placement::stacked(0)}, {placement::whole(1)}, part));
  CHECK_THROWS_WITH_AS(p.run(std::vector<array>{rows}, {}), doctest::Contains("no luck"), jq::tap_error);
  CHECK(show(p.run(std::vector<array>{jq::copy(rows + 10.f)}, {})[0]) == "f32[2] 36 39");
}
TEST_CASE("member_program: no arguments, no results") {
  member_program index(plan_of([] { return lax::axis_index("i") * 2; }, {}, {placement::stacked(0)}));
  CHECK(show(index.run(std::vector<array>{}, {})[0]) == "i32[3] 0 2 4");
  member_program nothing(plan_of([](const array&) { return std::tuple<>{}; }, {placement::stacked(0)}, {}, part));
  CHECK(nothing.run(std::vector<array>{rows}, {}).empty());
}
