// xtensor containers as arguments and results: layouts, borrowing, element types, trees, transforms, life times, errors.
#include <jacquard/interop/xtensor.hpp>

#include <complex>
#include <map>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

namespace {

template <class T>
using columns = xt::xarray<T, xt::layout_type::column_major>;

auto square_sum = [](jq::array x) { return jq::lax::reduce_sum(x * x, jq::int_list::iota(x.ndim())); };
auto identity = [](jq::array x) { return x; };

template <class T>
const T* memory(const jq::array& x) {
  return x.data<T>().data();
}
template <class F>
std::string type_error_of(F f) {
  try {
    f();
  } catch (const jq::type_error& e) {
    return e.what();
  }
  return "no error";
}
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("asarray copies, borrow does not") {
  xt::xarray<float> x = {{1, 2, 3}, {4, 5, 6}};
  const jq::array copy = jq::asarray(x), view = jq::borrow(x);
  CHECK(memory<float>(view) == x.data());
  CHECK(memory<float>(copy) != x.data());
  x(1, 2) = 60;
  CHECK(copy.data<float>()[5] == 6);
  CHECK(view.data<float>()[5] == 60);
  CHECK(copy.shape() == jq::shape{2, 3});
  CHECK(copy.dtype() == jq::f32);
}

TEST_CASE("tensors of fixed rank and of fixed shape") {
  const xt::xtensor<double, 2> t = {{1, 2}, {3, 4}};
  CHECK(memory<double>(jq::borrow(t)) == t.data());
  const xt::xtensor_fixed<int, xt::xshape<2, 2>> f = {{1, 2}, {3, 4}};
  CHECK(memory<int>(jq::borrow(f)) == f.data());
  CHECK(jq::asarray(f).dtype() == jq::i32);
  const xt::xtensor<double, 0> scalar(2.5);
  CHECK(jq::asarray(scalar).ndim() == 0);
  CHECK(float(jq::asarray(scalar)) == 2.5f);
  const xt::xarray<double> one = xt::ones<double>({1, 1, 1});
  CHECK(memory<double>(jq::borrow(one)) == one.data());
}

TEST_CASE("column-major containers are copied in both directions") {
  columns<double> x = {{1, 2, 3}, {4, 5, 6}};
  const jq::array a = jq::borrow(x);
  CHECK(memory<double>(a) != x.data());
  const auto e = a.data<double>();
  CHECK(std::vector<double>(e.begin(), e.end()) == std::vector<double>{1, 2, 3, 4, 5, 6});
  const columns<double> back = a;
  CHECK(back == x);
  CHECK(back.data()[1] == 4);
  const xt::xarray<double, xt::layout_type::dynamic> dynamic = a;
  CHECK(dynamic(1, 0) == 4);
  CHECK(jq::asarray(dynamic).data<double>()[3] == 4);
  const xt::xtensor_fixed<double, xt::xshape<2, 3>, xt::layout_type::column_major> fixed = a;
  CHECK(fixed(0, 2) == 3);
  CHECK(jq::asarray(fixed).data<double>()[2] == 3);
}

TEST_CASE("element types") {
  const xt::xarray<bool> flags = {true, false};
  CHECK(jq::asarray(flags).dtype() == jq::bool_);
  const xt::xtensor<std::complex<float>, 1> z = {{1, 2}, {3, 4}};
  CHECK(jq::asarray(z).dtype() == jq::c64);
  CHECK((xt::xtensor<std::complex<float>, 1>(jq::asarray(z)) == z));
  const xt::xarray<jq::bfloat16> h(std::vector<std::size_t>{2}, jq::bfloat16(1.5f));
  CHECK(jq::asarray(h).dtype() == jq::bf16);
  const xt::xarray<std::uint16_t> u = {1, 2, 3};
  CHECK(jq::asarray(u).dtype() == jq::u16);
}

TEST_CASE("empty arrays") {
  const xt::xarray<float> none = xt::zeros<float>({3, 0});
  const jq::array a = jq::asarray(none);
  CHECK(a.shape() == jq::shape{3, 0});
  const xt::xarray<float> back = a;
  CHECK(back.shape(1) == 0);
}

TEST_CASE("arrays convert implicitly, with checks") {
  const jq::array a = jq::asarray({{1.f, 2.f}, {3.f, 4.f}});
  const xt::xarray<float> x = a;
  const xt::xtensor<float, 2> t = a;
  const xt::xtensor_fixed<float, xt::xshape<2, 2>> f = a;
  CHECK(x(1, 0) == 3);
  CHECK(t(1, 0) == 3);
  CHECK(f(1, 0) == 3);
  xt::xarray<float> assigned;
  assigned = a;
  CHECK(assigned == x);
  CHECK(has(type_error_of([&] { xt::xarray<double> d = a; }), "wanted dtype float64"));
  CHECK(has(type_error_of([&] { xt::xtensor<float, 3> d = a; }), "rank 3"));
  CHECK(has(type_error_of([&] { xt::xtensor_fixed<float, xt::xshape<2, 3>> d = a; }), "wanted (2, 3)"));
}

TEST_CASE("gradients come back in the argument's type") {
  const xt::xarray<double> x = {1, 2, 3};
  auto g = jq::grad(square_sum)(x);
  static_assert(std::is_same_v<decltype(g), xt::xarray<double>>);
  CHECK(g == 2.0 * x);
  const xt::xtensor<float, 2> t = {{1, 2}, {3, 4}};
  const auto [value, gt] = jq::value_and_grad(square_sum)(t);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(gt)>, xt::xtensor<float, 2>>);
  CHECK(float(value) == 30.f);
  CHECK(gt(1, 1) == 8.f);
  const columns<double> c = {{1, 2}, {3, 4}};
  CHECK(jq::grad(square_sum)(c) == 2.0 * c);
  auto [y, pull] = jq::vjp(square_sum, t);
  auto [ct] = pull(jq::ones_like(y));
  static_assert(std::is_same_v<decltype(ct), xt::xtensor<float, 2>>);
  CHECK(ct == gt);
}

TEST_CASE("other results are arrays that convert") {
  const xt::xarray<float> x = {1, 2, 3};
  const xt::xarray<float> y = jq::jit([](jq::array a) { return a + a; })(x);
  CHECK(y == 2.f * x);
  const xt::xarray<float> m = jq::vmap([](jq::array a) { return a * 3.f; })(x);
  CHECK(m == 3.f * x);
  const auto [p, t] = jq::jvp(square_sum, jq::primals(x), jq::tangents(x));
  CHECK(float(p) == 14.f);
  CHECK(float(t) == 28.f);
}

TEST_CASE("xtensor leaves inside trees") {
  std::map<std::string, xt::xarray<double>> params{{"b", {1.0}}, {"w", {2.0, 3.0}}};
  const auto loss = [](const std::map<std::string, jq::array>& p) { return square_sum(p.at("w")) + square_sum(p.at("b")); };
  const auto g = jq::grad(loss)(params);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(g)>, std::map<std::string, xt::xarray<double>>>);
  CHECK(g.at("w")(1) == 6.0);
  const std::tuple<xt::xarray<double>, jq::array> mixed{{1.0, 2.0}, jq::asarray({3.0, 4.0})};
  const auto [ga, gb] = jq::grad([](const std::tuple<jq::array, jq::array>& t) {
    return jq::lax::reduce_sum(std::get<0>(t) * std::get<1>(t), {0});
  })(mixed);
  CHECK(ga(1) == 4.0);
  CHECK(gb.data<double>()[1] == 2.0);
}

TEST_CASE("operators and functions take xtensor operands") {
  xt::xarray<float> w = {1, 2};
  const jq::array x = jq::asarray({10.f, 20.f});
  const jq::array sum = w + x, product = x * w;
  CHECK(sum.data<float>()[1] == 22);
  CHECK(product.data<float>()[1] == 40);
  const xt::xtensor_fixed<float, xt::xshape<2>> fixed = {1, 30};
  CHECK(bool((fixed < x).data<bool>()[0]));
  CHECK_FALSE(bool((fixed < x).data<bool>()[1]));
  CHECK((x / std::as_const(w)).data<float>()[1] == 10);
}

TEST_CASE("an argument is borrowed for the call only: results own their memory") {
  const auto spoiled = [](auto f) {
    xt::xarray<double> x = {1, 2, 3};
    auto r = f(x);
    x.fill(-1);
    return r;
  };
  const auto first = [](const jq::array& a) { return a.data<double>()[0]; };
  CHECK(first(spoiled([](auto& x) { return jq::jit(identity)(x); })) == 1);
  CHECK(first(spoiled([](auto& x) { return jq::vmap(identity)(x); })) == 1);
  CHECK(first(spoiled([](auto& x) { return jq::jvp(identity, jq::primals(x), jq::tangents(x)).first; })) == 1);
  CHECK(first(spoiled([](auto& x) { return jq::jvp(identity, jq::primals(x), jq::tangents(x)).second; })) == 1);
  CHECK(first(spoiled([](auto& x) { return jq::vjp(identity, x).first; })) == 1);
  CHECK(first(spoiled([](auto& x) { return jq::linearize(identity, x).second(x); })) == 1);
  CHECK(first(spoiled([](auto& x) { return +jq::operand(x); })) == 1);
  CHECK(first(spoiled([](auto& x) { return jq::tree::flatten(x)[0]; })) == 1);
  CHECK(first(spoiled([](auto& x) { return jq::tree::map(identity, x); })) == 1);
}

TEST_CASE("residuals own their memory") {
  const auto make = [] {
    xt::xarray<double> x = {1, 2, 3};
    auto r = std::pair(jq::vjp(square_sum, x).second, jq::linearize(square_sum, x).second);
    x.fill(-1);
    return r;
  };
  const auto [pull, push] = make();
  CHECK(std::get<0>(pull(1.0))(2) == 6);
  CHECK(double(push(jq::asarray({0.0, 1.0, 0.0}))) == 4);
}

TEST_CASE("what the traced function keeps of an argument owns its memory") {
  jq::array kept;
  {
    xt::xarray<double> x = {5, 6};
    jq::grad([&](jq::array a) {
      kept = jq::concrete(a);
      return square_sum(a);
    })(x);
    CHECK(memory<double>(kept) != x.data());
    x.fill(-1);
  }
  CHECK(kept.data<double>()[1] == 6);
}

TEST_CASE("a trace that captures a view copies it, once") {
  xt::xarray<double> w = {2, 3};
  const jq::array view = jq::borrow(w);
  const auto p = jq::make_jaxpr([&](jq::array x) { return x * view + view; })(jq::asarray({1.0, 1.0}));
  REQUIRE(p.constants.size() == 1);
  CHECK(memory<double>(p.constants[0]) != w.data());
  w.fill(-1);
  CHECK(p.constants[0].data<double>()[0] == 2);
  CHECK(memory<double>(view) == w.data());
}

TEST_CASE("foreign arrays that live only inside the traced function") {
  const auto f = jq::jit([](jq::array x) {
    const xt::xarray<double> local = {10, 20};
    return x + jq::operand(local);
  });
  CHECK(f(jq::asarray({1.0, 2.0})).data<double>()[1] == 22);
  CHECK(f(jq::asarray({1.0, 3.0})).data<double>()[1] == 23);
  const auto g = jq::jit([](jq::array) { return xt::xarray<double>{1, 2}; });
  CHECK(jq::array(g(jq::asarray(0.0))).data<double>()[1] == 2);
}

TEST_CASE("no argument is copied by a call that keeps nothing") {
  xt::xarray<double> x = {1, 2, 3};
  const double* seen = nullptr;
  jq::grad([&](jq::array a) {
    seen = a.data<double>().data();
    return square_sum(a);
  })(x);
  CHECK(seen == x.data());
}

TEST_CASE("too many dimensions") {
  const xt::xarray<float> x = xt::zeros<float>({1, 1, 1, 1, 1, 1, 1, 1, 1});
  CHECK_THROWS_AS(jq::asarray(x), jq::value_error);
}
