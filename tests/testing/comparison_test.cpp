// Comparisons: what counts as equal, and the text of what differs.
#include "wrong_prims.hpp"

#include <jacquard/testing/comparison.hpp>

#include <algorithm>
#include <limits>

namespace jq = jacquard;
using jq::asarray;
using jq::testing::all_close;
using jq::testing::identical;

namespace {
constexpr double inf = std::numeric_limits<double>::infinity(), no_number = std::numeric_limits<double>::quiet_NaN();
}

TEST_CASE("close within relative and absolute tolerance") {
  CHECK(all_close(asarray({1.0, 1000.0}), asarray({1.0, 1000.001}), 1e-5, 0));
  CHECK(!all_close(asarray({1.0, 1000.0}), asarray({1.0, 1000.1}), 1e-5, 0));
  CHECK(all_close(asarray({0.0}), asarray({1e-9}), 0, 1e-8));
  CHECK(all_close(asarray({0.0}), asarray({-0.0}), 0, 0));
}
TEST_CASE("what is not a number equals itself; infinities too") {
  CHECK(all_close(asarray({no_number, inf, -inf}), asarray({no_number, inf, -inf})));
  CHECK(!all_close(asarray({no_number}), asarray({1.0})));
  CHECK(!all_close(asarray({1.0}), asarray({no_number})));
  CHECK(!all_close(asarray({inf}), asarray({-inf})));
  CHECK(!all_close(asarray({1.0}), asarray({inf})));
}
TEST_CASE("types must agree") {
  CHECK_FINDS("got an array of type f32[1], wanted f64[1]", all_close(asarray({1.f}), asarray({1.0})));
  CHECK_FINDS("got an array of type f64[2], wanted f64[2,1]", all_close(asarray({1.0, 2.0}), asarray({{1.0}, {2.0}})));
}
TEST_CASE("integers are compared exactly, beyond what a double holds") {
  CHECK(!all_close(asarray({std::int64_t(1) << 53}), asarray({(std::int64_t(1) << 53) + 1})));
  CHECK(all_close(asarray({true, false}), asarray({true, false})));
  CHECK(!all_close(asarray({true}), asarray({false})));
}
TEST_CASE("complex numbers in both parts") {
  using c = jq::complex128;
  CHECK(all_close(asarray({c(1, 2)}), asarray({c(1, 2)})));
  CHECK(!all_close(asarray({c(1, 2)}), asarray({c(1, 2.1)})));
}
TEST_CASE("the report names what differs, at most four elements") {
  CHECK(all_close(asarray({{1.0, 2.0}, {3.0, 4.0}}), asarray({{1.0, 2.0}, {3.5, 4.0}})).text ==
        "element (1, 0): got 3.0:f64[], wanted 3.5:f64[]\n");
  const auto many = all_close(jq::zeros({3, 3}), jq::ones({3, 3}));
  CHECK(many.text.find("9 of 9 elements differ\n") != std::string::npos);
  CHECK(std::count(many.text.begin(), many.text.end(), '\n') == 5);
}
TEST_CASE("trees leaf by leaf") {
  CHECK(all_close(std::tuple{asarray(1.0), 2.0}, std::tuple{asarray(1.0), 2.0}));
  CHECK_FINDS("leaf 1: element ()", all_close(std::tuple{asarray(1.0), asarray(2.0)}, std::tuple{asarray(1.0), asarray(3.0)}));
  CHECK_FINDS("got a tree of structure PyTreeDef([*]), wanted PyTreeDef(*)", all_close(std::vector{asarray(1.0)}, asarray(1.0)));
}
TEST_CASE("identical means the same bits") {
  CHECK(identical(asarray({1.0, no_number}), asarray({1.0, no_number})));
  CHECK(!identical(asarray({0.0}), asarray({-0.0})));
  CHECK(!identical(asarray({1.0}), asarray({1.0 + 1e-15})));
  CHECK(!identical(asarray({1}), asarray({std::int64_t(1)})));
}
