// How host functions are called: with the logical parts of padded arrays, once per example, as often as a size says. Calls in
// programs are tested in tests/taps, their laws in tests/laws/callback_test.cpp.
#include "prim_testing.hpp"

#include <jacquard/prims/host_calls.hpp>

using namespace prim_testing;

namespace {

/// Notes the arrays that it gets.
struct notes : jq::callback_state {
  std::vector<array> seen;
  static void run(jq::function_state* s, jq::callback_call& c) {
    for (const array& x : c.in) static_cast<notes*>(s)->seen.push_back(x);
  }
};
/// What a host function sees of the operands.
std::vector<array> seen(const std::vector<array>& in, std::vector<std::int64_t> loops, std::vector<std::int64_t> sizes) {
  auto* state = new notes;
  state->destroy = [](jq::function_state* s) { delete static_cast<notes*>(s); };
  const jq::callback_params p{jq::function_ref(reinterpret_cast<jq::function_ref::thunk>(&notes::run), state), {}, {}, std::move(loops), std::move(sizes)};
  if (p.loops.empty()) jq::detail::call_host(p, in, {}, {});
  else jq::detail::call_per_example(p, 0, in, {}, {});
  return state->seen;
}
const array table = make({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, {2, 3});

}  // namespace

TEST_CASE("host calls: the leading part of an array") {
  CHECK_CLOSE(jq::detail::leading_part(table, make<std::int64_t>({2, 1})), make({1.0, 4.0}, {2, 1}), 0);
  CHECK(jq::detail::leading_part(table, make<std::int64_t>({0, 3})).shape() == shape{0, 3});
  CHECK(jq::detail::leading_part(table, make<std::int64_t>({2, 3})).same_as(table));
  CHECK_CLOSE(jq::detail::leading_part(make<std::int16_t>({7, 8, 9}), make<std::int64_t>({2})), make<std::int16_t>({7, 8}), 0);
}
TEST_CASE("host calls: padded operands by their logical shapes, which the function does not get") {
  const std::vector<array> got = seen({table, make({1.0}), make<std::int64_t>({1, 2})}, {}, {0});
  REQUIRE(got.size() == 2);
  CHECK_CLOSE(got[0], make({1.0, 2.0}, {1, 2}), 0);
  CHECK_CLOSE(got[1], make({1.0}), 0);
}
TEST_CASE("host calls: once per example, as often as an operand says") {
  const std::int64_t fixed = std::int64_t(jq::loop_use::fixed), mapped = std::int64_t(jq::loop_use::mapped), count = std::int64_t(jq::loop_use::count);
  const std::vector<array> all = seen({table}, {2, mapped}, {});
  REQUIRE(all.size() == 2);
  CHECK_CLOSE(all[1], make({4.0, 5.0, 6.0}), 0);
  const std::vector<array> one = seen({table, make<std::int64_t>({2}), array(std::int64_t(1))}, {2, mapped, fixed, count}, {0, -1});
  REQUIRE(one.size() == 1);
  CHECK_CLOSE(one[0], make({1.0, 2.0}), 0);
  CHECK(seen({table, array(std::int64_t(0))}, {2, mapped, count}, {-1}).empty());
  // Innermost first: columns of one row after another, of which rows differ in their number.
  const std::vector<array> ragged = seen({table, make<std::int64_t>({1, 2})}, {3, mapped, count, 2, mapped, mapped}, {-1});
  REQUIRE(ragged.size() == 3);
  CHECK(ragged[0].item<double>() == 1);
  CHECK(ragged[1].item<double>() == 4);
  CHECK(ragged[2].item<double>() == 5);
}
