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
