// bind: computing at once, staging into the innermost trace, symbolic constants in constant evaluation, errors of each.
#include <jacquard/core/bind.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include "../show.hpp"

namespace {

/// A primitive from outside the library: x * scale, twice.
struct twice_scaled_p {
  static constexpr std::string_view name = "twice_scaled";
  struct params {
    double scale;
    static constexpr std::string_view fields = "scale";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr std::uint32_t linear = 1;
  static constexpr jq::type_set domain = jq::floats;
  static constexpr void abstract_eval(jq::inference& c, const params& p) {
    if (p.scale == 0) {
      c.fail(jq::error_kind::value, ": got scale 0");
      return;
    }
    c.outputs.push_back(c.in[0]);
    c.outputs.push_back(c.in[0]);
  }
  template <class T>
  static void kernel(const jq::kernel_args<T>& a, const params& p) {
    for (std::int64_t i = 0; i < a.in_types[0].elements(); ++i)
      a.out[0][i] = a.out[1][i] = T(p.scale) * a.in[0][i];
  }
};
struct no_kernel_p {
  static constexpr std::string_view name = "no_kernel";
  static constexpr jq::aval abstract_eval(jq::inference& c) { return c.in[0]; }
};

constexpr bool makes_constants() {
  const jq::array x = lax::add(jq::array(1.0), 2.0), y = lax::mul(x, x);
  return y.kind() == jq::array_kind::constant && y.dtype() == jq::f64 && y.ndim() == 0 && y.same_as(jq::array(y)) &&
         !y.same_as(x);
}
static_assert(makes_constants());
constexpr bool remembers_errors() {
  const jq::array bad = lax::add(lax::iota(jq::f32, {2}, 0), lax::iota(jq::f32, {3}, 0));
  return bad.as_constant() && bad.as_constant()->problem.kind == jq::error_kind::shape;
}
static_assert(remembers_errors());

}  // namespace

TEST_CASE("concrete operands are computed at once") {
  const jq::array x = jq::asarray({1.f, 2.f});
  const jq::array_list out = jq::bind_list<twice_scaled_p>({3.0}, {}, std::span(&x, 1));
  REQUIRE(out.size() == 2);
  CHECK(show(out[0]) == "f32[2] 3 6");
  CHECK(show(out[1]) == "f32[2] 3 6");
}

TEST_CASE("tracers are staged, into the innermost trace") {
  const auto p = jq::make_jaxpr([](jq::array x) {
    const jq::array_list out = jq::bind_list<twice_scaled_p>({2.0}, {}, std::span(&x, 1));
    return out[0] + out[1];
  })(jq::zeros({2}));
  CHECK(jq::to_string(p) ==
        "{ lambda ; a:f32[2]. let\n    b:f32[2] c:f32[2] = twice_scaled[scale=2.0] a\n    d:f32[2] = add b c\n  in (d,) }");
}

TEST_CASE("transforms reach a primitive from outside through its rules") {
  const auto f = [](jq::array x) { return total(jq::bind<twice_scaled_p>({5.0}, {}, x)); };
  CHECK(show(jq::jvp(f, jq::primals(jq::ones({2})), jq::tangents(jq::asarray({1.f, 10.f})))) == "f32[] 10, f32[] 55");
  CHECK(testing::message_of<jq::not_implemented>([&] { jq::grad(f)(jq::ones({2})); }).find("twice_scaled") != std::string::npos);
  CHECK(testing::message_of<jq::not_implemented>([&] { jq::vmap(f)(jq::ones({2, 2})); }).find("batch") != std::string::npos);
}

TEST_CASE("errors of abstract evaluation carry the caller's line") {
  const jq::array x = jq::ones({2});
  const auto m = testing::message_of<jq::value_error>([&] { jq::bind<twice_scaled_p>({0.0}, jq::location{"user.cpp", 4}, x); });
  CHECK(m == "twice_scaled: got scale 0 [user.cpp:4]");
}

TEST_CASE("too few operands, empty operands, no kernel") {
  const jq::array x = jq::ones({2}), none;
  CHECK_THROWS_AS(jq::bind_list<twice_scaled_p>({1.0}, {}, {}), jq::type_error);
  CHECK_THROWS_AS(jq::bind_list<jq::add_p>({}, {}, std::span(&x, 1)), jq::type_error);
  CHECK_THROWS_AS(jq::bind<twice_scaled_p>({1.0}, {}, none), jq::type_error);
  const auto m = testing::message_of<jq::not_implemented>([&] { jq::bind<no_kernel_p>({}, {}, x); });
  CHECK(m.find("no_kernel") != std::string::npos);
}

TEST_CASE("results whose bytes cannot be counted are errors of the operation, traced or not") {
  const auto huge = [](const jq::array& x) { return jq::sum(jq::broadcast_to(x, {1LL << 31, 1LL << 31, 1LL << 31})); };
  const auto wanted = doctest::Contains("broadcast_in_dim: the result would have more bytes than can be counted: f32[2147483648,2147483648,2147483648]");
  CHECK_THROWS_WITH_AS(huge(jq::ones({})), wanted, jq::shape_error);
  CHECK_THROWS_WITH_AS(jq::jit(huge)(jq::ones({})), wanted, jq::shape_error);
  CHECK_THROWS_WITH_AS(jq::make_jaxpr(huge)(jq::ones({})), wanted, jq::shape_error);
  CHECK(show(jq::jit([](const jq::array& x) { return jq::sum(jq::broadcast_to(x, {1LL << 31, 1LL << 31, 1LL << 31, 0})); })(jq::ones({}))) == "f32[] 0");
  CHECK_THROWS_WITH_AS(jq::vmap(huge)(jq::ones({2})), wanted, jq::shape_error);
  // mask traces with large sizes in place of small ones.
  const auto cube = jq::mask([](const jq::array& x) { return x * 2; }, jq::in_shapes<"(n, n, n, n, n, n)">, jq::out_shape<"(n, n, n, n, n, n)">);
  CHECK(show(jq::sum(cube(jq::args(jq::ones({2, 2, 2, 2, 2, 2})), jq::dims{{"n", 1}}))) == "f32[] 2");
  // So are the bodies that rules make anew meanwhile.
  const auto branches = [](const jq::array& x) {
    return jq::grad([](const jq::array& v) {
      return jq::sum(jq::lax::cond(jq::array(true), [](const jq::array& a) { return a * a; }, [](const jq::array& a) { return a + a; }, v));
    })(x);
  };
  const auto of_branches = jq::mask(branches, jq::in_shapes<"(n, n, n, n, n, n)">, jq::out_shape<"(n, n, n, n, n, n)">);
  CHECK(show(jq::sum(of_branches(jq::args(jq::ones({2, 2, 2, 2, 2, 2})), jq::dims{{"n", 1}}))) == "f32[] 2");
}

TEST_CASE("a table's address leads back to its type") {
  static_assert(jq::registration<twice_scaled_p>::table == &jq::primitive_table<twice_scaled_p>);
  static_assert(std::is_same_v<jq::primitive_of<&jq::primitive_table<twice_scaled_p>>, twice_scaled_p>);
  CHECK(&jq::table_of<twice_scaled_p>() == &jq::primitive_table<twice_scaled_p>);
  const jq::primitive& t = jq::table_of<twice_scaled_p>();
  CHECK(t.name == "twice_scaled");
  CHECK((t.jvp != nullptr));
  CHECK((t.transpose == nullptr));
  CHECK((t.batch == nullptr));
  CHECK((t.kernel != nullptr));
  CHECK((t.visit_params != nullptr));
}
