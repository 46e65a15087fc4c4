// The rules that equations with one body share, on a primitive of its own: each transform keeps the primitive around the
// transformed body.
#include "control_testing.hpp"

#include <jacquard/control/body_rules.hpp>

using jq::array;
using jq::asarray;

namespace {

struct wrapped_p : jq::body_rules<wrapped_p> {
  static constexpr std::string_view name = "wrapped";
  struct params {
    jq::jaxpr_ref body;
    std::int64_t mark = 0;
    static constexpr std::string_view fields = "jaxpr mark";
    constexpr params with(jq::jaxpr_ref other) const { return {std::move(other), mark}; }
  };
};
array wrapped(const array& x) {
  const auto p = jq::make_jaxpr([](const array& v) { return lax::sin(v) * v; })(x);
  return jq::bind<wrapped_p>({p.program, 7}, {}, x);
}
const array x = asarray({0.3, 0.7});

}  // namespace

TEST_CASE("body rules: values, jvp and vmap") {
  CHECK_REPORT(jq::testing::all_close(wrapped(x), lax::sin(x) * x));
  const auto [y, t] = jq::jvp(wrapped, jq::primals(x), jq::tangents(x));
  CHECK_REPORT(jq::testing::all_close(t, (lax::cos(x) * x + lax::sin(x)) * x));
  CHECK_REPORT(jq::testing::check_vmap(wrapped, {1}, std::tuple{testing::examples(x, 1)}));
}
TEST_CASE("body rules: the primitive and its other parameters stay") {
  const auto p = jq::make_jaxpr([](const array& v, const array& t) {
    return jq::jvp(jq::vmap(wrapped), jq::primals(v), jq::tangents(t));
  })(x, x);
  CHECK(p->equations.size() == 1);
  CHECK(testing::count(jq::to_string(p), "mark=7") == 1);
}
TEST_CASE("body rules: transposed as one equation") {
  const auto linear = [](const array& v) {
    const auto p = jq::make_jaxpr([](const array& u) { return u * 3.0; })(v);
    return jq::bind<wrapped_p>({p.program, 7}, {}, v);
  };
  CHECK(show(std::get<0>(jq::linear_transpose(linear, x)(asarray({1.0, 2.0})))) == "f64[2] 3 6");
}
