// device_callback: buffers without copies, aliases, and the rules that come with the call.
#include "tap_log.hpp"

#include <cmath>

using jq::array;

namespace {

/// y = x^2 in a loop of ours.
const auto square_kernel = [](const jq::device_call& c) {
  const auto x = c.input<double>(0);
  const auto y = c.output<double>(0);
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] * x[i];
};
template <class... O>
auto square(O... options) {
  return [=](const array& x) { return jq::device_callback(square_kernel, x, x, options...); };
}
const jq::jvp_rule forward([](const std::tuple<array>& x, const std::tuple<array>& t) { return 2.0 * std::get<0>(x) * std::get<0>(t); });
const jq::vjp_rule backward([](const std::tuple<array>& x, const array&, const array& ct) { return std::tuple{2.0 * std::get<0>(x) * ct}; });
const array three = jq::asarray({1.0, 2.0, 3.0});

}  // namespace

TEST_CASE("device_callback: eagerly, compiled, with trees") {
  CHECK(show(square()(three)) == "f64[3] 1 4 9");
  CHECK(show(jq::jit(square())(three)) == "f64[3] 1 4 9");
  const auto r = jq::jit([](const array& a, const array& b) {
    return jq::device_callback(
        [](const jq::device_call& c) {
          c.output<float>(0)[0] = float(c.input<int>(0)[0]);
          c.output<bool>(1)[0] = c.input<double>(1)[0] > 0;
          CHECK(c.stream == nullptr);
        },
        std::pair{jq::shape_dtype({1}, jq::f32), jq::shape_dtype({1}, jq::bool_)}, std::pair{a, b});
  })(jq::asarray({7}), jq::asarray({0.5}));
  CHECK(show(r) == "f32[1] 7, bool[1] 1");
}
TEST_CASE("device_callback: the input is the live buffer, the output becomes the result") {
  const void *in = nullptr, *out = nullptr;
  const auto f = [&](const array& x) {
    return jq::device_callback([&](const jq::device_call& c) {
      in = c.input<double>(0).data();
      out = c.output<double>(0).data();
      c.output<double>(0)[0] = 5;
    }, jq::shape_dtype({1}, jq::f64), x);
  };
  const array y = jq::jit(f)(three);
  CHECK(in == three.data<double>().data());
  CHECK(out == y.data<double>().data());
}
TEST_CASE("device_callback: aliases work in place where nobody else needs the input") {
  const void *in = nullptr, *out = nullptr;
  const auto increment = [&](const array& x) {
    return jq::device_callback([&](const jq::device_call& c) {
      in = c.input<double>(0).data();
      out = c.output<double>(0).data();
      for (double& v : c.output<double>(0)) v += 1;
    }, x, x, jq::input_output_aliases{{0, 0}});
  };
  CHECK(show(jq::jit([&](const array& x) { return increment(x * 2.0); })(three)) == "f64[3] 3 5 7");
  CHECK(in == out);
  CHECK(show(jq::jit([&](const array& x) { return increment(x); })(three)) == "f64[3] 2 3 4");
  CHECK(in != out);
  CHECK(show(three) == "f64[3] 1 2 3");
  CHECK(show(jq::jit([&](const array& x) {
    const array y = x * 2.0;
    return increment(y) - y;
  })(three)) == "f64[3] 1 1 1");
  CHECK(in != out);
  const array given = three + 0.0;
  const void* before = given.data<double>().data();
  CHECK(show(jq::jit(increment, jq::donate_argnums<0>)(given)) == "f64[3] 2 3 4");
  CHECK(out == before);
  using testing::message_of;
  CHECK(message_of<jq::value_error>([&] { jq::device_callback(square_kernel, three, three, jq::input_output_aliases{{1, 0}}); })
            .find("names input 1 and output 0") != std::string::npos);
  CHECK(message_of<jq::type_error>([&] { jq::device_callback(square_kernel, jq::zeros({2}), three, jq::input_output_aliases{{0, 0}}); })
            .find("only equal types can share memory") != std::string::npos);
}
TEST_CASE("device_callback: derivatives by a jvp rule, forwards, backwards and again") {
  const auto f = [](const array& x) { return square(forward)(x); };
  const auto [y, t] = jq::jvp(f, jq::primals(three), jq::tangents(jq::ones({3}, jq::f64)));
  CHECK(show(y) == "f64[3] 1 4 9");
  CHECK(show(t) == "f64[3] 2 4 6");
  CHECK(double(jq::grad(f)(array(3.0))) == 6);
  CHECK(double(jq::grad(jq::grad(f))(array(3.0))) == 2);
  CHECK(show(jq::jit(jq::vmap(jq::grad([](const array& x) { return square(forward, jq::vmap_method::sequential)(x); })))(three)) == "f64[3] 2 4 6");
}
TEST_CASE("device_callback: derivatives by a vjp rule, backwards") {
  const auto f = square(backward);
  CHECK(double(jq::grad(f)(array(3.0))) == 6);
  CHECK(double(jq::jit(jq::grad(f))(array(3.0))) == 6);
  CHECK(double(jq::grad(jq::jit(f))(array(3.0))) == 6);
  CHECK(show(jq::grad([&](const array& x) { return total(f(lax::sin(x)) * three); })(three)) ==
        show(2.0 * three * lax::sin(three) * lax::cos(three)));
  CHECK(testing::message_of<jq::not_implemented>([&] { jq::jvp(f, jq::primals(three), jq::tangents(three)); })
            .find("can't apply forward-mode autodiff") != std::string::npos);
  CHECK(testing::message_of<jq::not_implemented>([&] { jq::grad(square())(array(1.0)); }).find("no derivative was given") != std::string::npos);
}
TEST_CASE("device_callback: batching by a rule, by method, and with derivatives on either side") {
  const array m = jq::asarray({{1.0, 2.0}, {3.0, 4.0}});
  const jq::vmap_rule rows([](const array& x) { return jq::device_callback(square_kernel, x, x) + 0.5; });
  CHECK(show(jq::vmap(square(rows))(m)) == "f64[2,2] 1.5 4.5 9.5 16.5");
  CHECK(show(jq::vmap(square(jq::vmap_method::broadcast_all))(m)) == "f64[2,2] 1 4 9 16");
  CHECK(show(jq::vmap(jq::vmap(square(jq::vmap_method::sequential)))(m)) == "f64[2,2] 1 4 9 16");
  CHECK(testing::message_of<jq::not_implemented>([&] { jq::vmap(square())(m); }).find("vmap needs a rule") != std::string::npos);
  for (int k = 0; k < 2; ++k) {
    const auto sum = [&](const array& x) {
      const auto one = [&](const array& y) {
        return k == 0 ? square(forward, jq::vmap_method::sequential)(y) : square(backward, jq::vmap_method::sequential)(y);
      };
      return total(jq::vmap(jq::vmap(one))(x) * m);
    };
    CHECK(show(jq::grad(sum)(m)) == "f64[2,2] 2 8 18 32");
  }
}
TEST_CASE("device_callback: an argument that is not mapped gets the sum of the cotangents") {
  const auto product = [](const array& a, const array& x) {
    return jq::device_callback(
        [](const jq::device_call& c) { c.output<double>(0)[0] = c.input<double>(0)[0] * c.input<double>(1)[0]; }, 0.0, a, x,
        jq::vmap_method::sequential,
        jq::vjp_rule([](const std::tuple<array, array>& p, const array&, const array& ct) {
          return std::tuple{std::get<1>(p) * ct, std::get<0>(p) * ct};
        }));
  };
  const auto f = [&](const array& a, const array& x) { return total(jq::vmap(product, jq::in_axes<jq::none, 0>)(a, x)); };
  CHECK(show(jq::grad(f, jq::argnums<0, 1>)(array(2.0), three)) == "f64[] 6, f64[3] 2 2 2");
}
TEST_CASE("device_callback: integer arguments and results have no tangents") {
  const auto f = [](const array& x, const array& n) {
    const auto [y, count] = jq::device_callback(
        [](const jq::device_call& c) {
          c.output<double>(0)[0] = c.input<double>(0)[0] * c.input<int>(1)[0];
          c.output<int>(1)[0] = c.input<int>(1)[0] + 1;
        },
        std::pair{0.0, 0}, x, n,
        jq::vjp_rule([](const std::tuple<array, array>& p, const std::pair<array, array>&, const std::pair<array, array>& ct) {
          return std::tuple{std::get<1>(p) * ct.first, jq::zeros({}, jq::bool_)};
        }));
    return y * y;
  };
  CHECK(show(jq::grad(f)(array(3.0), jq::asarray(2))) == "f64[] 24");
}
TEST_CASE("device_callback: rules that give arrays of other types or another number of them") {
  using testing::message_of;
  const auto with = [](auto rule) { return [rule](const array& x) { return square(rule)(x); }; };
  const auto jvp_of = [](auto f) { return [f] { jq::jvp(f, jq::primals(three), jq::tangents(three)); }; };
  const auto grad_of = [](auto f) { return [f] { jq::grad([f](const array& x) { return jq::sum(f(x)); })(three); }; };
  using one = std::tuple<array>;
  CHECK(message_of<jq::type_error>(jvp_of(with(jq::jvp_rule([](const one&, const one& t) { return jq::sum(std::get<0>(t)); })))) ==
        "device_callback: the jvp rule gave an array of type f64[] for result 0 of type f64[3]; convert or reshape it");
  CHECK(message_of<jq::type_error>(jvp_of(with(jq::jvp_rule([](const one&, const one& t) { return std::pair{t, t}; })))) ==
        "device_callback: the jvp rule gave 2 arrays, wanted 1, one per result");
  CHECK(message_of<jq::type_error>(grad_of(with(jq::vjp_rule([](const one&, const array&, const array& ct) { return one{ct.astype(jq::f32)}; })))) ==
        "device_callback: the vjp rule gave an array of type f32[3] for argument 0 of type f64[3]; convert or reshape it");
  CHECK(message_of<jq::type_error>(grad_of(with(jq::vjp_rule([](const one&, const array&, const array&) { return std::tuple<>{}; })))) ==
        "device_callback: the vjp rule gave 0 arrays, wanted 1, one per argument");
  CHECK(message_of<jq::type_error>([&] { jq::vmap(with(jq::vmap_rule([](const array& x) { return jq::sum(x, {0}); })))(jq::ones({2, 3}, jq::f64)); }) ==
        "device_callback: the vmap rule gave an array of type f64[3] for result 0, wanted f64[2,3], with the batch dimension in front");
}
TEST_CASE("device_callback: what the kernel throws arrives inside a tap_error") {
  CHECK_THROWS_WITH_AS(jq::device_callback([](const jq::device_call&) { throw std::runtime_error("out of registers"); }, three, three),
                       "device_callback: the function threw: out of registers", jq::tap_error);
  const std::string line = std::to_string(__LINE__ + 1);
  CHECK(testing::message_of<jq::tap_error>([&] { jq::device_callback([](const jq::device_call&) { throw 1; }, jq::shape_dtype({3}, jq::f64), three); })
            .ends_with("that is no std::exception [" __FILE__ ":" + line + "]"));
}
