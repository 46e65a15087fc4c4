// Trees of gradients as vectors: norms and clipping.
#include "../numpy/numpy_testing.hpp"

#include <jacquard/optim/gradients.hpp>

namespace optim = jacquard::optim;

namespace {
double at(const array& x) { return x.item<double>(); }
using tree = std::pair<array, std::vector<array>>;
}  // namespace

TEST_CASE("norms, clipping, steps") {
  const tree g{asarray({3.0, 0.0}), {asarray(4.0f)}};
  CHECK(at(optim::tree_dot(g, g)) == 25);
  const array long16 = jq::full({30000}, 1.5f).astype(jq::bf16), large16 = jq::full({1}, 300.f).astype(jq::f16);
  CHECK(show(optim::tree_dot(long16, long16)) == "bf16[] 67584");  // 67500, rounded once
  CHECK(show(optim::tree_dot(std::pair{large16, large16}, std::pair{large16, -large16})) == "f16[] 0");
  CHECK(optim::tree_dot(large16, asarray({1.0f})).dtype() == jq::f32);
  CHECK(at(optim::global_norm(g)) == 5);
  CHECK(show(optim::clip_by_global_norm(g, 1)) == "f64[2] 0.6 0, f32[] 0.8");
  CHECK(show(optim::clip_by_global_norm(g, 10)) == "f64[2] 3 0, f32[] 4");
  CHECK(show(optim::clip_by_global_norm(tree{asarray({0.0}), {asarray(0.0f)}}, 1)) == "f64[1] 0, f32[] 0");
  CHECK(show(optim::clip_by_value(g, 3.5)) == "f64[2] 3 0, f32[] 3.5");
  CHECK(show(optim::apply_updates(g, tree{asarray({1.0, 1.0}), {asarray(-1.0)}})) == "f64[2] 4 1, f32[] 3");
  CHECK_ERROR_ANYWHERE(jq::type_error, optim::tree_dot(std::vector<array>{g.first}, std::vector<array>{g.first, g.first}), "structure");
}
TEST_CASE("the norm of complex numbers is that of their magnitudes") {
  const auto z = std::pair{asarray({jq::complex128(3, 4)}), asarray({12.0})};
  CHECK(optim::global_norm(z).item<double>() == doctest::Approx(13));
  const auto clipped = optim::clip_by_global_norm(z, 6.5);
  CHECK(clipped.first(0).item<jq::complex128>().imag() == doctest::Approx(2));
  CHECK(clipped.second(0).item<double>() == doctest::Approx(6));
  CHECK_ERROR_ANYWHERE(jq::type_error, optim::clip_by_value(z, 1), "clip_by_value: got a gradient of dtype complex128; wanted a real one");
}
TEST_CASE("derivatives at gradients of 0") {
  const array none = asarray({0.0, 0.0});
  CHECK(show(jq::grad([](const array& v) { return optim::global_norm(v); })(none)) == "f64[2] 0 0");
  CHECK(show(jq::grad([](const array& v) { return jq::sum(optim::clip_by_global_norm(v, 1.0)); })(none)) == "f64[2] 1 1");
  CHECK(show(jq::grad([](const array& v) { return optim::global_norm(v); })(asarray({3.0, 4.0}))) == "f64[2] 0.6 0.8");
  // v / |v|: the first element moves across the length only.
  CHECK(distance(jq::grad([](const array& v) { return optim::clip_by_global_norm(v, 1.0)(0); })(asarray({3.0, 4.0})), asarray({16.0 / 125, -12.0 / 125})) < 1e-15);
}
TEST_CASE("clip_by_global_norm of infinite elements and NaN, as optax has it") {
  const array x = optim::clip_by_global_norm(asarray({inf, 1.0}), 1), y = optim::clip_by_global_norm(asarray({not_a_number, 1.0}), 1);
  CHECK((std::isnan(x(0).item<double>()) && x(1).item<double>() == 0));
  CHECK((std::isnan(y(0).item<double>()) && std::isnan(y(1).item<double>())));
}
TEST_CASE("squares that f16 does not hold") {
  const array v = asarray({300.0, 400.0}).astype(jq::f16);
  CHECK(show(optim::global_norm(v)) == "f16[] 500");
  CHECK(show(optim::clip_by_global_norm(v, 5)) == "f16[2] 3 4");
  CHECK(show(optim::clip_by_global_norm(jq::full({4}, 60000.0, jq::f16), 60000)) == "f16[4] 30000 30000 30000 30000");
}
