// Signatures: what makes two calls the same, leaf by leaf and in the structure of their trees.
#include "../show.hpp"

#include <map>
#include <optional>

using jq::array;

namespace {

template <class... A>
jq::detail::signature of(const A&... args) {
  return jq::detail::signature::of(jq::flatten_all(args...), args...);
}

}  // namespace

TEST_CASE("signatures: values do not count, dtype, shape and weakness do") {
  CHECK(of(jq::asarray({1.f, 2.f})) == of(jq::asarray({3.f, 4.f})));
  CHECK(of(jq::asarray({1.f, 2.f})).hash() == of(jq::asarray({3.f, 4.f})).hash());
  CHECK_FALSE(of(jq::asarray({1.f, 2.f})) == of(jq::asarray({1.f, 2.f, 3.f})));
  CHECK_FALSE(of(jq::asarray({1.f, 2.f})) == of(jq::asarray({1.0, 2.0})));
  CHECK_FALSE(of(jq::asarray(1.0)) == of(array(1.0)));
  CHECK_FALSE(of(jq::zeros({2, 3})) == of(jq::zeros({3, 2})));
  CHECK_FALSE(of(jq::zeros({6})) == of(jq::zeros({6, 1})));
}
TEST_CASE("signatures: lengths, keys and presence") {
  const array x = jq::zeros({2});
  CHECK_FALSE(of(std::vector{x, x}, x) == of(std::vector{x}, x));
  CHECK_FALSE(of(std::vector{x}, std::vector{x, x}) == of(std::vector{x, x}, std::vector{x}));
  using map = std::map<std::string, array>;
  CHECK_FALSE(of(map{{"a", x}}) == of(map{{"b", x}}));
  CHECK_FALSE(of(map{{"ab", x}, {"c", x}}) == of(map{{"a", x}, {"bc", x}}));
  CHECK(of(map{{"a", x}, {"b", x}}) == of(map{{"b", x}, {"a", x}}));
  CHECK_FALSE(of(std::optional<array>(x)) == of(std::optional<array>()));
}
TEST_CASE("signatures: hashes of similar calls differ") {
  std::vector<std::uint64_t> seen;
  for (int n = 0; n < 100; ++n) {
    const std::uint64_t h = of(jq::zeros({n})).hash();
    for (std::uint64_t other : seen) CHECK(h != other);
    seen.push_back(h);
  }
}
TEST_CASE("signatures: a call is recognised exactly where its signature is equal, and its leaves are found") {
  using map = std::map<std::string, array>;
  const array x = jq::zeros({2}), y = jq::ones({2}), wide = jq::zeros({2, 3}), tall = jq::zeros({3, 2}), exact = jq::zeros({2}, jq::f64);
  const std::vector<map> calls{{}, {{"a", x}}, {{"a", y}}, {{"b", x}}, {{"a", x}, {"b", wide}}, {{"a", x}, {"b", tall}}, {{"a", exact}},
                               {{"a", array(2.0)}}, {{"a", array(3.0)}}, {{"a", array(2)}}, {{"a", jq::asarray(2.0)}}, {{"a", jq::zeros({})}}};
  for (const map& a : calls)
    for (const map& b : calls) {
      jq::detail::borrowed_arrays leaves;
      CHECK(of(a).is_of(leaves, b) == (of(a) == of(b)));
    }
  jq::detail::borrowed_arrays leaves;
  const int holders = y.as_buffer()->references;
  REQUIRE(of(x, wide).is_of(leaves, y, wide));
  const jq::view<const array> found = leaves;
  REQUIRE(found.size() == 2);
  CHECK(found[0].as_buffer() == y.as_buffer());
  CHECK(y.as_buffer()->references == holders);
}
TEST_CASE("signatures: of any number of leaves; what is no value, or not ours, is left to others") {
  const auto recognised = [](const auto& tree) {
    jq::detail::borrowed_arrays leaves;
    return of(tree).is_of(leaves, tree);
  };
  for (const std::size_t n : {0u, 1u, 16u, 17u, 64u, 65u, 1000u}) {
    std::vector<array> many;
    for (std::size_t i = 0; i < n; ++i) many.push_back(jq::zeros({2}));
    jq::detail::borrowed_arrays leaves;
    CHECK(of(many).is_of(leaves, many));
    const jq::view<const array> found = leaves;
    REQUIRE(found.size() == n);
    for (std::size_t i = 0; i < n; ++i) CHECK(found[i].as_buffer() == many[i].as_buffer());
  }
  jq::make_jaxpr([&](const array& t) {
    CHECK_FALSE(recognised(t));
    return t;
  })(jq::zeros({2}));
  const float memory[2] = {1, 2};
  CHECK_FALSE(recognised(array(jq::borrow_buffer(jq::aval(jq::f32, {2}), const_cast<float*>(memory)))));
}
