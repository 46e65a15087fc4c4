// psum, pmax, pmin, ppermute and axis_index inside vmap: values, unmapped operands, nested axes, derivatives, errors.
#include "reference.hpp"

#include <algorithm>

using namespace prim_testing;

namespace {
constexpr auto over_i = jq::axis_name<"i">;
/// One program that uses collectives, its axis not mapped yet.
template <class F, class... A>
std::string program(F f, const A&... x) {
  return std::string(jq::to_string(jq::make_jaxpr(jq::vmap(f, over_i))(x...)));
}
}  // namespace

// Collectives keep their order, cannot be computed ahead of time, and run nowhere but on a mapped axis.
template <class... P>
constexpr bool are_collectives = ((jq::table_of<P>().effects == jq::collective_effect &&
                                   !jq::table_of<P>().foldable && !jq::table_of<P>().kernel) &&
                                  ...);
static_assert(are_collectives<jq::psum_p, jq::pmax_p, jq::pmin_p, jq::ppermute_p, jq::axis_index_p>);

TEST_CASE("psum, pmax, pmin: values") {
  const array x = make({0., 1., 2., 3.});
  CHECK_CLOSE(jq::vmap([](const array& v) { return lax::psum(v, "i"); }, over_i)(x), make({6., 6., 6., 6.}),
              0);
  CHECK_CLOSE(jq::vmap([](const array& v) { return lax::pmax(v, "i"); }, over_i)(x), make({3., 3., 3., 3.}),
              0);
  CHECK_CLOSE(jq::vmap([](const array& v) { return lax::pmin(v, "i"); }, over_i)(x), make({0., 0., 0., 0.}),
              0);
  const auto mean = [](const array& v) { return lax::div(v, lax::psum(v, "i")); };
  CHECK_CLOSE(jq::vmap(mean, over_i)(make({1., 3.})), make({0.25, 0.75}), 0);
  const array m = sample({3, 4});
  table from(m), want({3, 4});
  each(want.dims, [&](const position& p) {
    for (std::int64_t k = 0; k < 3; ++k) want(p) += from({k, p[1]});
  });
  CHECK_CLOSE(jq::vmap([](const array& v) { return lax::psum(v, "i"); }, over_i)(m), want.get(), 0);
  // Along the second dimension: the sum of the columns, once per column.
  const array columns = jq::vmap([](const array& v) { return lax::psum(v, "i"); }, jq::in_axes<1>, over_i)(m);
  const array sums = lax::reduce_sum(m, {1});
  CHECK_CLOSE(columns, lax::broadcast_in_dim(sums, {4, 3}, {1}), 0);
}
TEST_CASE("psum: booleans, constants, unmapped operands") {
  CHECK_CLOSE(jq::vmap([](const array& v) { return lax::psum(v, "i"); }, over_i)(make({true, false, true})),
              make<int>({2, 2, 2}), 0);
  const array x = make({1., 2., 3.});
  const auto size = [](const array& v) {
    return lax::add(v, lax::convert_element_type(lax::psum(1, "i"), jq::f64));
  };
  CHECK_CLOSE(jq::vmap(size, over_i)(x), make({4., 5., 6.}), 0);
  CHECK_CLOSE(jq::vmap([](const array& v) { return lax::add(v, lax::psum(2.5, "i")); }, over_i)(x),
              make({8.5, 9.5, 10.5}), 0);
  const auto shared = [](const array& v, const array& w) {
    return lax::add(lax::add(lax::psum(w, "i"), lax::pmax(w, "i")), v);
  };
  CHECK_CLOSE(jq::vmap(shared, jq::in_axes<0, jq::none>, over_i)(x, scalar(10.0)), make({41., 42., 43.}), 0);
  CHECK_CLOSE(
      jq::vmap([](const array& v) { return lax::add(v, lax::axis_size("i")); }, over_i)(make<int>({1, 2})),
      make<int>({3, 4}), 0);
}
TEST_CASE("collectives of constants are numbers while a function is traced") {
  const auto f = [](const array& v) {
    const int n = lax::psum(1, "i").item<int>();
    CHECK(lax::axis_size("i").item<int>() == n);
    CHECK(lax::pmax(3, "i").item<int>() == 3);
    CHECK(bool(lax::psum(jq::asarray({1, 2}), "i")(1) == 2 * n));
    return lax::mul(v, array(double(n)));
  };
  CHECK_CLOSE(jq::vmap(f, over_i)(make({1., 2., 3.})), make({3., 6., 9.}), 0);
  CHECK_CLOSE(jq::jit(jq::vmap(f, over_i))(make({1., 2., 3.})), make({3., 6., 9.}), 0);
  CHECK_THROWS_AS(jq::vmap([](const array& v) { return lax::mul(v, array(lax::axis_index("i").item<double>())); }, over_i)(make({1., 2.})),
                  jq::concretization_error);
}
TEST_CASE("collectives: nested axes") {
  const array m = sample({2, 3});
  const auto nested = [&](auto f) { return jq::vmap(jq::vmap(f, jq::axis_name<"j">), over_i)(m); };
  table from(m), over_first({2, 3}), over_second({2, 3}), over_both({2, 3}), number({2, 3});
  each(from.dims, [&](const position& p) {
    for (std::int64_t i = 0; i < 2; ++i) over_first(p) += from({i, p[1]});
    for (std::int64_t j = 0; j < 3; ++j) over_second(p) += from({p[0], j});
    for (double v : from.v) over_both(p) += v;
    number(p) = double(p[0] * 3 + p[1]);
  });
  CHECK_CLOSE(nested([](const array& v) { return lax::psum(v, "i"); }), over_first.get(), 0);
  CHECK_CLOSE(nested([](const array& v) { return lax::psum(v, "j"); }), over_second.get(), 0);
  CHECK_CLOSE(nested([](const array& v) { return lax::psum(v, {"i", "j"}); }), over_both.get(), 0);
  CHECK_CLOSE(nested([](const array&) { return lax::axis_index({"i", "j"}); }), number.get(jq::i32), 0);
  CHECK_CLOSE(nested([](const array& v) {
                return lax::pmax(v, {"j", "i"});
              }),
              lax::full({2, 3}, jq::literal(*std::max_element(from.v.begin(), from.v.end()))), 0);
  // An axis of the same name inside hides the outer one.
  const auto hidden = jq::vmap(jq::vmap([](const array& v) { return lax::psum(v, "i"); }, over_i), over_i);
  CHECK_CLOSE(hidden(m), over_second.get(), 0);
}
TEST_CASE("axis_index") {
  const auto f = [](const array& v) { return lax::add(v, lax::axis_index("i")); };
  CHECK_CLOSE(jq::vmap(f, over_i)(make<int>({10, 20, 30})), make<int>({10, 21, 32}), 0);
  CHECK(program(f, make<int>({1, 2})).find("iota[dimension=0 dtype=int32 shape=(2,)]") != std::string::npos);
}
TEST_CASE("ppermute: values") {
  const array x = make({1., 2., 3., 4.});
  const auto send = [&](std::initializer_list<std::pair<std::int64_t, std::int64_t>> p) {
    return jq::vmap([p](const array& v) { return lax::ppermute(v, "i", p); }, over_i)(x);
  };
  CHECK_CLOSE(send({{0, 1}, {1, 2}, {2, 3}, {3, 0}}), make({4., 1., 2., 3.}), 0);
  CHECK_CLOSE(send({{0, 3}, {3, 0}, {1, 2}, {2, 1}}), make({4., 3., 2., 1.}), 0);
  CHECK_CLOSE(send({{0, 1}, {1, 2}}), make({0., 1., 2., 0.}), 0);
  CHECK_CLOSE(send({}), make({0., 0., 0., 0.}), 0);
  const auto rotate = [](const array& v) { return lax::ppermute(v, "i", {{0, 1}, {1, 0}}); };
  CHECK_CLOSE(jq::vmap(rotate, jq::in_axes<1>, over_i)(make({1., 2., 3., 4.}, {2, 2})),
              make({2., 4., 1., 3.}, {2, 2}), 0);
  const auto constant = [](const array& v, const array& w) {
    return lax::add(v, lax::ppermute(w, "i", {{0, 1}}));
  };
  CHECK_CLOSE(jq::vmap(constant, jq::in_axes<0, jq::none>, over_i)(make({1., 2.}), scalar(5.0)),
              make({1., 7.}), 0);
}
TEST_CASE("collectives: derivatives") {
  const array x = make({1., 2., 3., 4.}, {2, 2});
  const function f = [](const arrays& z) {
    return jq::vmap(
        [](const array& v) {
          const array moved = lax::ppermute(lax::mul(v, v), "i", {{0, 1}});
          return lax::mul(lax::psum(lax::mul(v, moved), "i"), v);
        },
        over_i)(z[0]);
  };
  check_derivatives(f, {x});
  check_batching(f, {x});
  // Differentiated inside the mapped function, each member's gradient counts all members: n, not 1.
  const auto inside = jq::vmap(jq::grad([](const array& v) { return lax::neg(lax::psum(v, "i")); }), over_i);
  CHECK_CLOSE(inside(make({1., 1., 1., 1., 1.})), make({-5., -5., -5., -5., -5.}), 0);
  const auto back = jq::vmap(jq::grad([](const array& v) {
                               return lax::ppermute(lax::mul(v, v), "i", {{0, 1}, {1, 0}});
                             }),
                             over_i);
  CHECK_CLOSE(back(make({3., 5.})), make({6., 10.}), 0);
  CHECK_THROWS_WITH_AS(
      jq::vmap(jq::grad([](const array& v) { return lax::pmax(v, "i"); }), over_i)(make({1., 2.})),
      doctest::Contains("Differentiation rule for 'pmax' not implemented"), jq::not_implemented);
}
TEST_CASE("collectives: errors") {
  CHECK_THROWS_WITH_AS(
      jq::vmap([](const array& v) { return lax::psum(v, "k"); }, over_i)(make({1., 2.})),
      doctest::Contains(
          "psum: unbound axis name: k. The following axis names (e.g. defined by pmap) are available "
          "to collective operations: [i]"),
      jq::value_error);
  CHECK_THROWS_WITH_AS(lax::psum(make({1., 2.}), "i"), doctest::Contains("psum: unbound axis name: i"),
                       jq::value_error);
  CHECK_THROWS_WITH_AS(lax::axis_index("i"), doctest::Contains("axis_index: unbound axis name: i"),
                       jq::value_error);
  const auto send = [&](std::initializer_list<std::pair<std::int64_t, std::int64_t>> p) {
    return jq::vmap([p](const array& v) { return lax::ppermute(v, "i", p); }, over_i)(make({1., 2.}));
  };
  CHECK_THROWS_WITH_AS(
      send({{0, 1}, {1, 1}}),
      doctest::Contains("ppermute sources and destinations must be unique, got [(0, 1), (1, 1)]"),
      jq::value_error);
  CHECK_THROWS_AS(send({{0, 2}}), jq::value_error);
  CHECK_THROWS_AS(send({{-1, 0}}), jq::value_error);
  CHECK_THROWS_AS(send({{0, 0}, {0, 1}}), jq::value_error);
  CHECK_THROWS_AS(
      jq::vmap([](const array& v) { return lax::pmax(v, "i"); }, over_i)(make<jq::complex128>({{1, 2}})),
      jq::type_error);
}
