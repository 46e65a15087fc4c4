// Functional updates: every kind of place, every operation, what is left out, derivatives.
#include "numpy_testing.hpp"

static_assert(traced([](array x) { return x.at(1).set(x[0]) + x.at(jq::all, jq::arange(2)).add(1); }, {3, 4}) > 0);
static_assert(traced([](array x) { return x.at(jq::slice(0, 3, 2)).max(0) + x.at(x > 0).set(1); }, {3, 4}) > 0);
static_assert(traced([](array x) { return x.at(0).set(jq::zeros({3})); }, {3, 4}) == -1);
static_assert(traced([](array x) { return jq::zeros({3}).at(0).set(x); }, {2}) == -1);

namespace {
const array x = jq::reshape(jq::arange(6), {2, 3});
const array v = jq::zeros({5});
}  // namespace

TEST_CASE("set: numbers, slices, steps") {
  CHECK(show(x.at(0).set(9)) == "i64[2,3] 9 9 9 3 4 5");
  CHECK(show(x) == "i64[2,3] 0 1 2 3 4 5");
  CHECK(show(x.at(-1, 1).set(9)) == "i64[2,3] 0 1 2 3 9 5");
  CHECK(show(x.at(jq::all, 1).set(asarray({7, 8}))) == "i64[2,3] 0 7 2 3 8 5");
  CHECK(show(x.at().set(1)) == "i64[2,3] 1 1 1 1 1 1");
  CHECK(show(x.at(jq::ellipsis, jq::slice(1, 3)).set(asarray({{7}, {8}}))) == "i64[2,3] 0 7 7 3 8 8");
  CHECK(show(v.at(jq::slice(0, 5, 2)).set(asarray({1.f, 2.f, 3.f}))) == "f32[5] 1 0 2 0 3");
  CHECK(show(v.at(jq::slice(jq::none, jq::none, -1)).set(jq::arange(5, jq::f32))) == "f32[5] 4 3 2 1 0");
  CHECK(show(v.at(jq::slice(3, jq::none, -3)).set(asarray({1.f, 2.f}))) == "f32[5] 2 0 0 1 0");
  CHECK(show(v.at(jq::slice(3, 1)).set(1)) == "f32[5] 0 0 0 0 0");
  CHECK(show(x.at(0, jq::newaxis).set(asarray({{7, 8, 9}}))) == "i64[2,3] 7 8 9 3 4 5");
}
TEST_CASE("add, multiply, min, max, get") {
  CHECK(show(x.at(1).add(10)) == "i64[2,3] 0 1 2 13 14 15");
  CHECK(show(x.at(jq::all, jq::slice(0, 3, 2)).multiply(2)) == "i64[2,3] 0 1 4 6 4 10");
  CHECK(show(x.at(jq::all, 0).min(1)) == "i64[2,3] 0 1 2 1 4 5");
  CHECK(show(x.at(0).max(asarray({1, 0, 7}))) == "i64[2,3] 1 1 7 3 4 5");
  CHECK(show(x.at(0, 1).get()) == "i64[] 1");
}
TEST_CASE("dynamic places: outside, nothing happens") {
  CHECK(show(x.at(asarray(-1)).set(9)) == "i64[2,3] 0 1 2 9 9 9");
  CHECK(show(x.at(asarray(1), jq::slice(1, 3)).multiply(2)) == "i64[2,3] 0 1 2 3 8 10");
  CHECK(show(x.at(asarray(2)).set(9)) == show(x));
  CHECK(show(x.at(asarray(-3), 0).add(9)) == show(x));
  CHECK(show(x.at(asarray(0), jq::slice(jq::none, jq::none, -2)).set(asarray({7, 8}))) == "i64[2,3] 8 1 7 3 4 5");
}
TEST_CASE("integer arrays: places named twice get both, or the last one") {
  CHECK(show(v.at(asarray({1, 1, 4})).add(1)) == "f32[5] 0 2 0 0 1");
  CHECK(show(v.at(asarray({1, 1, 4})).set(asarray({1.f, 2.f, 3.f}))) == "f32[5] 0 2 0 0 3");
  CHECK(show(v.at(asarray({-1, 5, -6})).add(1)) == "f32[5] 0 0 0 0 1");
  CHECK(show(x.at(jq::all, asarray({0, 2})).set(asarray({{6, 7}, {8, 9}}))) == "i64[2,3] 6 1 7 8 4 9");
  CHECK(show(x.at(asarray({1, 0}), asarray({0, 2})).add(100)) == "i64[2,3] 0 1 102 103 4 5");
  CHECK(show(x.at(asarray({{0}, {1}}), asarray({0, 2})).multiply(-1, jq::unique_indices)) == "i64[2,3] 0 1 -2 -3 4 -5");
  CHECK(show(x.at(1, asarray({0, 1})).max(4, jq::unique_indices)) == "i64[2,3] 0 1 2 4 4 5");
  const array z = jq::zeros({2, 2, 2}, jq::i64);
  CHECK(show(z.at(asarray({1, 0}), jq::all, 0).set(asarray({{1, 2}, {3, 4}}))) == "i64[2,2,2] 3 0 4 0 1 0 2 0");
  CHECK(show(z.at(jq::slice(0, 2, 2), jq::all, asarray({1})).add(5)) == "i64[2,2,2] 0 5 0 5 0 0 0 0");
  const array ones = jq::ones({3});
  CHECK(show(ones.at(asarray({1, 1})).multiply(asarray({2.f, 3.f}))) == "f32[3] 1 6 1");
  CHECK(show(ones.at(asarray({1, 1})).min(asarray({0.5f, 2.f}))) == "f32[3] 1 0.5 1");
  CHECK(show(ones.at(asarray({1, 1, 2})).max(asarray({5.f, 2.f, -1.f}))) == "f32[3] 1 5 1");
  CHECK(show(ones.at(asarray({1, 1})).divide(asarray({2.f, 4.f}))) == "f32[3] 1 0.125 1");
  CHECK(show((2 * ones).at(asarray({1, 1})).power(asarray({2.f, 3.f}))) == "f32[3] 2 64 2");
}
TEST_CASE("divide, power and apply") {
  const array y = asarray({1.0, 4.0, 9.0});
  CHECK(show(y.at(1).divide(2)) == "f64[3] 1 2 9");
  CHECK(show(y.at(jq::slice(1, 3)).power(0.5)) == "f64[3] 1 2 3");
  CHECK(show(y.at(y > 2).divide(4)) == "f64[3] 1 1 2.25");
  CHECK(show(y.at(asarray({0, 2})).apply([](const array& part) { return -part; })) == "f64[3] -1 4 -9");
  CHECK(show(y.at(asarray({2, 2})).apply([](const array& part) { return 2 * part; })) == "f64[3] 1 4 18");
  CHECK_ERROR(jq::type_error, x.at(0).divide(2), "at.divide", "int64", "astype");
  CHECK_ERROR(jq::type_error, x.at(0).power(2), "at.power", "int64");
}
TEST_CASE("modes: what becomes of places outside") {
  using jq::index_mode;
  const array y = asarray({1.0, 4.0, 9.0}), at = asarray({1, 7, -9});
  CHECK(show(y.at(at).set(0, index_mode::clip)) == "f64[3] 0 0 0");
  CHECK(show(y.at(at).add(1)) == "f64[3] 1 5 9");
  CHECK(show(y.at(at).add(1, {jq::unique_indices, index_mode::clip})) == "f64[3] 2 5 10");
  CHECK(show(y.at(at).get()) == "f64[3] 4 9 1");
  CHECK(show(y.at(at).get(index_mode::fill_or_drop)) == "f64[3] 4 nan nan");
  CHECK(show(y.at(at).get(index_mode::fill_or_drop, -1)) == "f64[3] 4 -1 -1");
  CHECK(show(y.at(asarray(5)).get(index_mode::fill_or_drop, 0)) == "f64[] 0");
  CHECK(show(y.at(1).get(index_mode::fill_or_drop, 0)) == "f64[] 4");
  CHECK_ERROR(jq::value_error, y.at(3).get(index_mode::fill_or_drop), "at.get", "out of bounds");
}
TEST_CASE("masks") {
  CHECK(show(x.at(x > 2).set(0)) == "i64[2,3] 0 1 2 0 0 0");
  CHECK(show(x.at(x > 2).multiply(2)) == "i64[2,3] 0 1 2 6 8 10");
  CHECK(show(x.at(asarray({true, false})).add(asarray({10, 20, 30}))) == "i64[2,3] 10 21 32 3 4 5");
  CHECK_ERROR(jq::shape_error, x.at(asarray({true})).set(1), "at.set", "(1,)", "(2, 3)", "leading dimensions");
  CHECK_ERROR(jq::shape_error, x.at(x > 2).set(asarray({1, 2})), "at.set", "(2,)", "broadcasts");
}
TEST_CASE("values take the dtype of the array") {
  CHECK(show(v.at(0).set(1)) == "f32[5] 1 0 0 0 0");
  CHECK(v.at(0).set(asarray(1.0)).dtype() == jq::f32);
  CHECK_ERROR(jq::type_error, x.at(0).set(1.5), "at.set", "float64", "int64", "lose information", "astype");
  CHECK_ERROR(jq::type_error, v.at(0).add(asarray(jq::complex64(1, 2))), "at.add", "complex64", "float32");
  CHECK_ERROR(jq::shape_error, x.at(0).set(asarray({1, 2})), "at.set", "(2,)", "(3,)", "broadcasts");
  CHECK_ERROR(jq::shape_error, x.at(0, 0).set(asarray({1})), "at.set", "(1,)", "()");
  CHECK_ERROR(jq::value_error, x.at(2).set(1), "at.set", "index 2 is out of bounds", "size 2");
  CHECK_ERROR(jq::type_error, x.at(asarray({0.5})).set(1), "at.set", "float64", "wanted integers");
}
TEST_CASE("derivatives: of what stays, and of what was put") {
  const array a = asarray({1.0, 2.0, 3.0}), w = asarray({10.0, 20.0, 30.0});
  const auto put = [&](auto update) {
    return jq::grad([&](const array& p, const array& q) { return jq::sum(w * update(p, q)); }, jq::argnums<0, 1>)(a, asarray(5.0));
  };
  CHECK(show(put([](array p, array q) { return p.at(1).set(q); })) == "f64[3] 10 0 30, f64[] 20");
  CHECK(show(put([](array p, array q) { return p.at(asarray({0, 2})).add(q); })) == "f64[3] 10 20 30, f64[] 40");
  CHECK(show(put([](array p, array q) { return p.at(jq::slice(0, 3, 2)).multiply(q); })) == "f64[3] 50 20 150, f64[] 100");
  CHECK(show(put([](array p, array q) { return p.at(p > 1).set(q); })) == "f64[3] 10 0 0, f64[] 50");
}
TEST_CASE("derivatives: what is computed beside the part does not reach them") {
  const array a = asarray({1.0, 0.0, 4.0, -2.0, 9.0}), part = asarray({true, false, true, false, true});
  const auto slope = [&](auto update) { return jq::grad([&](const array& p) { return jq::sum(update(p)); })(a); };
  const auto slope_of_value = [&](const array& p, auto update) { return jq::grad([&](const array& q) { return jq::sum(update(p, q)); })(asarray(2.0)); };
  const auto odd = [](const array& p) { return p.at(jq::slice(0, 5, 2)); };
  CHECK(show(slope([&](array p) { return odd(p).divide(2); })) == "f64[5] 0.5 1 0.5 1 0.5");
  CHECK(show(slope([&](array p) { return odd(p).power(0.5); })) == "f64[5] 0.5 1 0.25 1 0.16667");
  CHECK(show(slope([&](array p) { return p.at(p > 0).power(0.5); })) == "f64[5] 0.5 1 0.25 1 0.16667");
  CHECK(show(slope([&](array p) { return p.at(p != 0).power(-1); })) == "f64[5] -1 1 -0.0625 -0.25 -0.012346");
  CHECK(show(slope([&](array p) { return p.at(part).divide(2); })) == "f64[5] 0.5 1 0.5 1 0.5");
  CHECK(show(slope_of_value(a, [&](array p, array q) { return p.at(p > 0).power(q); })) == "f64[] 200.16");  // 16 log 4 + 81 log 9
  CHECK(show(slope_of_value(a, [&](array p, array q) { return odd(p).divide(q); })) == "f64[] -3.5");
  // Elements that are left alone may be infinite or NaN.
  const array lost = asarray({1.0, inf, 4.0, not_a_number, 9.0});
  const auto some = [](const array& p) { return p(asarray({0, 2, 4})); };
  CHECK(show(slope_of_value(lost, [&](array p, array q) { return some(p.at(part).multiply(q)); })) == "f64[] 14");
  CHECK(show(slope_of_value(lost, [&](array p, array q) { return some(odd(p).multiply(q)); })) == "f64[] 14");
  CHECK(show(slope_of_value(lost, [&](array p, array q) { return some(p.at(part).divide(q)); })) == "f64[] -3.5");
  CHECK(show(lost.at(part).multiply(2)) == "f64[5] 2 inf 8 nan 18");
  CHECK(show(odd(lost).power(2)) == "f64[5] 1 inf 16 nan 81");
}
TEST_CASE("derivatives of powers at index arrays: elements that are not named have none of their own") {
  const array a = asarray({0.0, 0.7, 1.2, 0.0, -3.0}), places = asarray({1, 1, 2});
  // (a^2)^2 of the element that is named twice
  const array second = jq::hessian([&](const array& p) { return jq::sum(p.at(places).power(2.0)); })(a);
  CHECK(distance(second, jq::diag(asarray({0.0, 12 * 0.49, 2.0, 0.0, 0.0}))) < 1e-14);
  const auto slopes = jq::grad([&](const array& p, const array& q) { return jq::sum(p.at(places).power(q)); }, jq::argnums<0, 1>)(a, asarray({2.0, 3.0, 0.5}));
  CHECK(distance(std::get<0>(slopes), asarray({1.0, 6 * std::pow(0.7, 5), 0.5 / std::sqrt(1.2), 1.0, 1.0})) < 1e-14);
  const double power = std::pow(0.7, 6) * std::log(0.7);
  CHECK(distance(std::get<1>(slopes), asarray({3 * power, 2 * power, std::sqrt(1.2) * std::log(1.2)})) < 1e-14);
  // Forwards too, where the exponent has a tangent: of a_1^(q q) + a_2^q.
  const auto powers = [&](const array& q) { return jq::sum(a.at(places).power(q)); };
  const double slope = 4 * std::pow(0.7, 4) * std::log(0.7) + 1.44 * std::log(1.2);
  CHECK(jq::jvp(powers, jq::primals(asarray(2.0)), jq::tangents(asarray(1.0))).second.item<double>() == doctest::Approx(slope));
  CHECK(jq::grad(powers)(asarray(2.0)).item<double>() == doctest::Approx(slope));
  const double l = std::log(0.7), k = std::log(1.2), bend = (2 + 16 * l) * l * std::pow(0.7, 4) + k * k * 1.44;
  CHECK(jq::hessian(powers)(asarray(2.0)).item<double>() == doctest::Approx(bend));
  CHECK(show(a.at(asarray({1, 7})).power(2.0)) == "f64[5] 0 0.49 1.2 0 -3");
}
TEST_CASE("put_along_axis") {
  const array y = asarray({{10, 30, 20}, {60, 40, 50}});
  CHECK(show(jq::put_along_axis(y, jq::expand_dims(jq::argmax(y, 1), 1), 99, 1)) == "i32[2,3] 10 99 20 99 40 50");
  CHECK(show(jq::put_along_axis(y, asarray({{-1, 0}}), asarray({{1, 2}, {3, 4}}), 1)) == "i32[2,3] 2 30 1 4 40 3");
  CHECK(show(jq::put_along_axis(y, asarray({{0, 7, 1}}), asarray({1, 2, 3}), 0)) == "i32[2,3] 1 30 20 60 40 3");
  const array order = jq::argsort(y, 1);
  CHECK(show(jq::put_along_axis(jq::zeros_like(y), order, jq::sort(y, 1), 1)) == show(y));
  CHECK_ERROR(jq::shape_error, jq::put_along_axis(y, asarray({0, 1}), 0, 1), "put_along_axis", "(2,)", "equal ranks");
  CHECK_ERROR(jq::type_error, jq::put_along_axis(y, asarray({{1.0}}), 0, 1), "put_along_axis", "float64");
}
