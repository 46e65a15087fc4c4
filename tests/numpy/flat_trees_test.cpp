// ravel_pytree: values, dtypes, empty trees, the way back under transforms, and its errors.
#include "../show.hpp"

#include <map>

using jq::array;

namespace {
struct layer {
  array w, b;
};
}  // namespace

TEST_CASE("ravel_pytree: leaves behind one another, and back") {
  const std::map<std::string, layer> model{{"b", {jq::asarray({{1.f, 2.f}, {3.f, 4.f}}), jq::asarray(5.f)}},
                                           {"a", {jq::asarray({-1.f}), jq::zeros({0})}}};
  const auto [flat, unravel] = jq::ravel_pytree(model);
  CHECK(show(flat) == "f32[6] -1 1 2 3 4 5");
  const std::map<std::string, layer> twice = unravel(flat * 2);
  CHECK(show(twice.at("b").w) == "f32[2,2] 2 4 6 8");
  CHECK(show(twice.at("b").b) == "f32[] 10");
  CHECK(twice.at("a").b.shape() == jq::shape{0});
}
TEST_CASE("ravel_pytree: dtypes are promoted, and come back") {
  const auto [flat, unravel] = jq::ravel_pytree(std::pair{jq::asarray({1.5f, 2.5f}), jq::asarray({3, 4})});
  CHECK(flat.dtype() == (jq::asarray(1.f) + jq::asarray(1)).dtype());
  CHECK(show(unravel(flat).second) == "i32[2] 3 4");
  CHECK_THROWS_WITH_AS(unravel(flat.astype(jq::i32)), doctest::Contains("unravel function given array of dtype int32, but expected dtype float32"),
                       jq::type_error);
  CHECK_THROWS_WITH_AS(unravel(jq::zeros({3})), doctest::Contains("unravel function given array of shape (3,), but expected shape (4,)"),
                       jq::shape_error);
}
TEST_CASE("ravel_pytree: of nothing, of one array, of numbers") {
  const auto [flat, unravel] = jq::ravel_pytree(std::vector<array>{});
  CHECK(show(flat) == show(jq::zeros({0})));
  CHECK(unravel(flat).empty());
  CHECK(show(jq::ravel_pytree(jq::eye(2)).first) == "f32[4] 1 0 0 1");
  const auto [numbers, back] = jq::ravel_pytree(std::tuple{1.5, std::vector<double>{2, 3}});
  CHECK(show(numbers) == "f64[3] 1.5 2 3");
  CHECK(show(std::get<1>(back(numbers))) == "f64[2] 2 3");
}
TEST_CASE("ravel_pytree: under transforms") {
  const auto f = [](const layer& l) {
    const auto [flat, unravel] = jq::ravel_pytree(l);
    const layer doubled = unravel(flat * flat);
    return jq::sum(doubled.w) + doubled.b;
  };
  const layer l{jq::asarray({1.f, 2.f}), jq::asarray(3.f)};
  const layer g = jq::jit(jq::grad(f))(l);
  CHECK(show(g.w) == "f32[2] 2 4");
  CHECK(show(g.b) == "f32[] 6");
  const layer rows{jq::ones({2, 2}), jq::asarray({1.f, 2.f})};
  CHECK(show(jq::vmap(f)(rows)) == "f32[2] 3 6");
}
