// Options: types where they fix types, which transforms take which, and how they are found among others.
#include "../show.hpp"

namespace {

using namespace jq::detail;

// A transformed function with options in its type stays empty.
constexpr auto f = [](const jq::array& x) { return x; };
static_assert(std::is_empty_v<decltype(jq::grad(f, jq::argnums<0>, jq::has_aux))>);
static_assert(std::is_empty_v<decltype(jq::vmap(f, jq::in_axes<0>, jq::out_axes<1>, jq::axis_name<"batch">))>);

// Which transform takes which option.
static_assert(for_grad<jq::argnums_t<0, 1>> && for_grad<jq::has_aux_t> && for_grad<jq::allow_int_t> && for_grad<jq::holomorphic_t>);
static_assert(!for_vmap<jq::argnums_t<0>> && !for_jit<jq::argnums_t<0>> && !for_grad<int>);
static_assert(for_vmap<jq::in_axes_t<0>> && for_vmap<jq::axis_size> && for_vmap<jq::axis_name_t<"i">> && !for_grad<jq::axis_size>);
static_assert(for_vmap<decltype(jq::in_axes_tree(0, jq::none))> && for_vmap<decltype(jq::out_axes_tree(std::tuple{0}))>);
static_assert(for_jit<jq::static_argnums_t<0>> && for_jit<jq::donate_argnums_t<0>> && for_jit<jq::device> && for_jit<jq::backend>);
static_assert(!for_vmap<jq::device> && !for_grad<jq::backend>);
static_assert(for_rules<jq::nondiff_argnums_t<0>> && !for_rules<jq::argnums_t<0>> && !for_rules<int>);
static_assert(for_id_tap<jq::keyword_argument> && for_id_tap<jq::result_option<int>> && !for_id_tap<jq::threshold> && for_id_print<jq::threshold>);

// None is a tree, though many are aggregates.
static_assert(!jq::tree_node<jq::argnums_t<0>> && !jq::tree_node<jq::nondiff_argnums_t<0>> && !jq::tree_node<jq::device>);
static_assert(!jq::tree_node<decltype(jq::in_axes_tree(0))> && !jq::tree_node<jq::in_shapes_t<"n">>);

// Finding one among several; what is missing has its default.
static_assert(argnums_of<>() == std::array{0});
static_assert(argnums_of<jq::has_aux_t, jq::argnums_t<2, -1>>() == std::array{2, -1});
static_assert(int_option<jq::donate_argnums_t, jq::static_argnums_t<0>, jq::donate_argnums_t<1>>() == std::array{1});
static_assert(int_option<jq::nondiff_argnums_t>().empty());
static_assert(single_argnum<jq::argnums_t<1>>() && !single_argnum<jq::argnums_t<0, 1>>());
static_assert(has_option<jq::has_aux_t, jq::argnums_t<0>, jq::has_aux_t> && !has_option<jq::has_aux_t>);
static_assert(jq::axis_name_t<"rows">::name == jq::name_text("rows"));
static_assert(jq::fixed_string("abc").view() == "abc");

// jq::none is an int constant, so that it mixes with axes.
static_assert(std::is_same_v<decltype(jq::in_axes<0, jq::none, -1>), const jq::in_axes_t<0, jq::none, -1>>);
static_assert(jq::none < 0 && jq::none != -1);

}  // namespace

TEST_CASE("options: of values") {
  CHECK(jq::axis_size(7).value == 7);
  CHECK(jq::device("cpu", 3).ordinal == 3);
  CHECK(jq::backend("interpreter").name == "interpreter");
  CHECK(jq::to_string(jq::device("cpu", 1)) == "cpu:1");
}
TEST_CASE("options: positions may be negative and must fit") {
  CHECK(is_selected(std::array{-1}, 2, 3));
  CHECK_FALSE(is_selected(std::array{-1}, 1, 3));
  CHECK(positions_fit(std::array{0, -3}, 3));
  CHECK_FALSE(positions_fit(std::array{3}, 3));
  CHECK_FALSE(positions_fit(std::array{-4}, 3));
}
TEST_CASE("options: in any order") {
  const auto g = [](const jq::array& x, const jq::array& y) { return std::pair{x * y, x}; };
  CHECK(show(jq::grad(g, jq::has_aux, jq::argnums<1>)(2.0, 3.0)) == show(jq::grad(g, jq::argnums<1>, jq::has_aux)(2.0, 3.0)));
  const auto x = jq::asarray({{1.f, 2.f}});
  CHECK(show(jq::vmap(f, jq::out_axes<1>, jq::in_axes<0>)(x)) == show(jq::vmap(f, jq::in_axes<0>, jq::out_axes<1>)(x)));
}
