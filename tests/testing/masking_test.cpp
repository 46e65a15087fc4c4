// check_mask finds wrong masking rules and accepts right ones.
#include "wrong_prims.hpp"

#include <jacquard/testing/masking.hpp>

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;
using jq::testing::check_mask;
using jq::testing::leaves;

namespace {

/// The sum over all dimensions, whose masking rule adds up the padding, too.
struct leaking_sum_p {
  static constexpr std::string_view name = "leaking_sum";
  static constexpr jq::type_set domain = jq::floats;
  static constexpr std::uint32_t linear = 1;
  static constexpr jq::aval abstract_eval(jq::inference& c) { return c.in[0].with(jq::shape{}); }
  static constexpr array transpose(int, const auto& ct, const auto& c) { return lax::broadcast_in_dim(ct, c.in[0].dims, {}); }
  static constexpr jq::masked mask(auto& c) { return {jq::bind<leaking_sum_p>({}, jq::location{}, c.x[0]), {}}; }
  template <class T>
  static constexpr void kernel(const jq::kernel_args<T>& a) {
    T s(0);
    for (std::int64_t i = 0; i < a.in_types[0].elements(); ++i) s = s + a.in[0][i];
    a.out[0][0] = s;
  }
};
/// The scalar times every element, whose masking rule lets padding into the cotangent of the scalar.
struct leaking_scale_p {
  static constexpr std::string_view name = "leaking_scale";
  static constexpr jq::type_set domain = jq::floats;
  static constexpr jq::aval abstract_eval(jq::inference& c) { return c.in[1]; }
  static constexpr array jvp(int k, const auto& t, jq::view<const array> x, const auto&) { return lax::mul(k == 0 ? x[1] : t, k == 0 ? t : x[0]); }
  static constexpr jq::masked mask(auto& c) { return {jq::bind<leaking_scale_p>({}, jq::location{}, c.x[0], c.x[1]), c.dims[1]}; }
  template <class T>
  static constexpr void kernel(const jq::kernel_args<T>& a) {
    for (std::int64_t i = 0; i < a.out_types[0].elements(); ++i) a.out[0][i] = a.in[0][0] * a.in[1][i];
  }
};

const array x = jq::asarray({1.0, 2.0, 3.0, 4.0});

}  // namespace

TEST_CASE("right rules are accepted: values, tangents, cotangents") {
  CHECK_REPORT(check_mask([](const leaves& v) { return leaves{jq::cumsum(v[0])}; }, {"n"}, {x}, {{"n", 3}}));
  CHECK_REPORT(check_mask([](const leaves& v) { return leaves{jq::log(v[0]) * v[1]}; }, {"n", ""}, {x, array(2.0)}, {{"n", 3}}));
}
TEST_CASE("a rule that reads the padding is found") {
  // The argument is zero in its padding; its exponential is not.
  const auto f = [](const leaves& v) { return leaves{jq::bind<leaking_sum_p>({}, jq::location{}, lax::exp(v[0]))}; };
  CHECK_FINDS("result 0: logical part", check_mask(f, {"n"}, {x}, {{"n", 3}}));
}
TEST_CASE("a rule that lets cotangents out of the padding is found") {
  const auto f = [](const leaves& v) { return leaves{jq::bind<leaking_scale_p>({}, jq::location{}, v[1], lax::log(v[0]))}; };
  CHECK_FINDS("cotangent 1: logical part", check_mask(f, {"n", ""}, {x, jq::asarray(2.0)}, {{"n", 3}}));
}
TEST_CASE("wrong logical sizes are found") {
  const auto f = [](const leaves& v) { return leaves{v[0].shape()[0] > 100 ? lax::slice(v[0], {1}, {v[0].shape()[0]}, {1}) : v[0]}; };
  CHECK_FINDS("wanted at least f64[3]", check_mask(f, {"n"}, {jq::asarray({1.0, 2.0, 3.0})}, {{"n", 3}}));
}
