// The comparisons: every order of operands, NaN, infinities and signed zeros, all dtypes, the dtype of the result, batching.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array equal(const array& a, const array& b) { return lax::eq(a, b); }
array unequal(const array& a, const array& b) { return lax::ne(a, b); }
array less(const array& a, const array& b) { return lax::lt(a, b); }
array less_equal(const array& a, const array& b) { return lax::le(a, b); }
array greater(const array& a, const array& b) { return lax::gt(a, b); }
array greater_equal(const array& a, const array& b) { return lax::ge(a, b); }
jq::dtype always_bool(jq::dtype) { return jq::bool_; }
}  // namespace

static_assert(jq::lt_p::apply(1, 2) && !jq::lt_p::apply(2u, 1u) && jq::ge_p::apply(0.0, -0.0) &&
              jq::ne_p::apply(true, false));
static_assert(jq::eq_p::apply(1, 1) && jq::gt_p::apply(true, false) && jq::le_p::apply(1.5, 1.5));

TEST_CASE("compare: floating point") {
  const array a = make({1.0, 2.0, 2.0, 0.0, -inf, not_a_number, not_a_number, 1.0});
  const array b = make({2.0, 1.0, 2.0, -0.0, inf, not_a_number, 1.0, not_a_number});
  using row = std::vector<bool>;
  CHECK(values<bool>(equal(a, b)) == row{false, false, true, true, false, false, false, false});
  CHECK(values<bool>(unequal(a, b)) == row{true, true, false, false, true, true, true, true});
  CHECK(values<bool>(less(a, b)) == row{true, false, false, false, true, false, false, false});
  CHECK(values<bool>(less_equal(a, b)) == row{true, false, true, true, true, false, false, false});
  CHECK(values<bool>(greater(a, b)) == row{false, true, false, false, false, false, false, false});
  CHECK(values<bool>(greater_equal(a, b)) == row{false, true, true, true, false, false, false, false});
}
TEST_CASE("compare: integers, bool, complex numbers") {
  CHECK_CLOSE(less(make<std::uint64_t>({~0ull}), make<std::uint64_t>({1})), make({false}), 0);
  CHECK_CLOSE(less(make<std::int64_t>({-1}), make<std::int64_t>({1})), make({true}), 0);
  CHECK_CLOSE(less(make<std::int64_t>({(1ll << 53) + 1}), make<std::int64_t>({(1ll << 53) + 2})), make({true}), 0);
  CHECK_CLOSE(less(make({false, true}), make({true, true})), make({true, false}), 0);
  const array z = make<jq::complex64>({{1, 2}, {1, 3}});
  CHECK_CLOSE(equal(z, make<jq::complex64>({{1, 2}, {1, 2}})), make({true, false}), 0);
  CHECK_CLOSE(lax::gt(make({1.0f, 3.0f}), 2.0), make({false, true}), 0);
  CHECK_FALSE(lax::gt(2.0, 1.0).weak_type());
}
TEST_CASE("compare: dtypes and batching") {
  const array a = make({1.0, 0.0, 2.0}), b = make({0.0, 0.0, 5.0});
  for (const auto& f : {equal, unequal}) check_dtypes(binary(f), {a, b}, jq::any_type, always_bool);
  for (const auto& f : {less, less_equal, greater, greater_equal})
    check_dtypes(binary(f), {a, b}, jq::ordered, always_bool);
  for (const auto& f : {equal, unequal, less, less_equal, greater, greater_equal}) {
    check_batching(binary(f), {a, b});
    check_batching(binary(f), {scalar(1.0), a});
  }
  CHECK(equal(make<int>({}, {0, 2}), make<int>({}, {0, 2})).shape() == shape{0, 2});
}
