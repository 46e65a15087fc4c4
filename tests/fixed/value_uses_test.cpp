// Who makes and who reads a value, as passes over steps are told: operands, whole equations, results, and steps that are not kept.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

#include <cstdint>

namespace jq = jacquard;
using jq::detail::arithmetic, jq::detail::run_step;

namespace {

struct graph : jq::detail::value_graph {
  using value_graph::value_graph;
  constexpr std::uint32_t put(arithmetic what, std::uint32_t a, std::uint32_t b) {
    const std::uint32_t x[] = {a, b};
    return shared(run_step::kind_of(what), x, 2, number_type);
  }
};
struct uses : jq::detail::value_uses {
  template <class... A>
  constexpr explicit uses(A&&... a) : value_uses(a...) {}
  using value_uses::is_inner, value_uses::is_made, value_uses::is_made_by, value_uses::is_product, value_uses::maker, value_uses::pinned, value_uses::reader,
      value_uses::values_;
};
constexpr auto two_operands = [](const run_step&) { return 2u; };
constexpr auto no_reads = [](std::uint32_t, const auto&) {};

constexpr bool operands_are_noted() {
  graph g(jq::f64, 100, 400);
  const std::uint32_t a = g.new_number(), b = g.new_number();
  const std::uint32_t ab = g.put(arithmetic::multiply, a, b), aab = g.put(arithmetic::multiply, a, ab);
  const std::uint32_t sum = g.put(arithmetic::add, aab, g.number(2)), square = g.put(arithmetic::multiply, sum, sum);
  const bool keep[] = {true, true, true, true};
  const uses u(g, keep, two_operands, no_reads);
  const bool made = !u.is_made(a) && !u.is_made(g.number(2)) && u.is_made(ab) && &u.maker(aab) == &g.steps[1] && u.is_made_by(sum, arithmetic::add);
  const bool read = u.values_[a].uses == 2 && u.values_[a].reader == 2 && u.values_[a].reader_before == 1 && u.values_[b].reader_before == 0;
  const bool twice = u.values_[sum].uses == 2 && u.values_[square].uses == 0 && &u.reader(sum) == &g.steps[3];
  // Read by one product alone: ab. By a sum: aab. By a product, but no product: sum.
  return made && read && twice && u.is_inner(ab) && u.is_product(aab) && !u.is_inner(aab) && !u.is_inner(sum) && !u.is_inner(a) && !u.is_inner(square);
}
static_assert(operands_are_noted());

// A value that a whole equation or a result reads is no part of another alone; constants among these are passed by.
constexpr bool other_readers_pin() {
  graph g(jq::f64, 100, 400);
  const std::uint32_t a = g.new_number(), b = g.new_number(), ab = g.put(arithmetic::multiply, a, b);
  g.add_whole(7);
  const std::uint32_t abb = g.put(arithmetic::multiply, ab, b), all = g.put(arithmetic::multiply, abb, b);
  const std::uint32_t two = g.number(2);
  const bool keep[] = {true, true, true, true};
  const auto reads = [&](std::uint32_t n, const auto& visit) {
    if (n == 1) visit(ab), visit(two);
    if (n == 4) visit(abb), visit(all);
  };
  const uses u(g, keep, two_operands, reads);
  return u.values_[ab].uses == 1 + uses::pinned && !u.is_inner(ab) && !u.is_inner(abb) && u.values_[all].uses == uses::pinned && u.values_[b].uses == 3;
}
static_assert(other_readers_pin());

constexpr bool what_is_not_kept_reads_nothing() {
  graph g(jq::f64, 100, 400);
  const std::uint32_t a = g.new_number(), aa = g.put(arithmetic::multiply, a, a), aaa = g.put(arithmetic::multiply, a, aa), sum = g.put(arithmetic::add, a, aa);
  const bool keep[] = {true, true, false};
  const uses u(g, keep, two_operands, no_reads), with_room(g, keep, two_operands, no_reads, true, 9u), none(g, keep, two_operands, no_reads, false);
  return u.is_made(aaa) && !u.is_made(sum) && u.values_[aa].uses == 1 && u.is_inner(aa) && with_room.values_.size() == u.values_.size() + 9 && none.values_.size() == 0;
}
static_assert(what_is_not_kept_reads_nothing());

// Steps of one operand have it twice unless the arity says so.
constexpr bool arity_counts() {
  graph g(jq::f64, 100, 400);
  const std::uint32_t a = g.new_number();
  g.put(arithmetic::negate, a, a);
  const bool keep[] = {true};
  const uses twice(g, keep, two_operands, no_reads), once(g, keep, [](const run_step&) { return 1u; }, no_reads);
  return twice.values_[a].uses == 2 && once.values_[a].uses == 1;
}
static_assert(arity_counts());

TEST_CASE("makers and readers of values are noted at run time, too") {
  CHECK(operands_are_noted());
  CHECK(other_readers_pin());
  CHECK(what_is_not_kept_reads_nothing());
  CHECK(arity_counts());
}

}  // namespace
