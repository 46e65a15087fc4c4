// not, and, or, xor: truth tables, integers bit by bit, no derivative, batching, all dtypes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array complement(const array& x) { return lax::not_(x); }
array both(const array& a, const array& b) { return lax::and_(a, b); }
array either(const array& a, const array& b) { return lax::or_(a, b); }
array differ(const array& a, const array& b) { return lax::xor_(a, b); }
}  // namespace

static_assert(jq::not_p::apply(true) == false && jq::not_p::apply(std::uint8_t(1)) == 254 &&
              jq::xor_p::apply(6, 3) == 5);
static_assert(jq::and_p::apply(6, 3) == 2 && jq::or_p::apply(true, false) && jq::or_p::apply(6, 3) == 7);

TEST_CASE("bitwise: bool") {
  const array a = make({false, false, true, true}), b = make({false, true, false, true});
  CHECK_CLOSE(complement(a), make({true, true, false, false}), 0);
  CHECK_CLOSE(both(a, b), make({false, false, false, true}), 0);
  CHECK_CLOSE(either(a, b), make({false, true, true, true}), 0);
  CHECK_CLOSE(differ(a, b), make({false, true, true, false}), 0);
}
TEST_CASE("bitwise: integers") {
  CHECK_CLOSE(complement(make<std::uint16_t>({0, 1})), make<std::uint16_t>({65535, 65534}), 0);
  CHECK_CLOSE(complement(make({0, -1, 5})), make({-1, 0, -6}), 0);
  CHECK_CLOSE(both(make({12, -1}), make({10, 7})), make({8, 7}), 0);
  CHECK_CLOSE(either(make({12, -8}), make({10, 7})), make({14, -1}), 0);
  CHECK_CLOSE(differ(make<std::uint64_t>({~0ull}), make<std::uint64_t>({1})), make<std::uint64_t>({~1ull}), 0);
  CHECK_CLOSE(lax::and_(make<std::uint8_t>({7}), 3), make<std::uint8_t>({3}), 0);
}
TEST_CASE("bitwise: dtypes and batching") {
  const array a = make({1.0, 0.0, 3.0}), b = make({1.0, 2.0, 0.0});
  check_dtypes(unary(complement), {a}, jq::bits);
  for (const auto& f : {both, either, differ}) {
    check_dtypes(binary(f), {a, b}, jq::bits);
    check_batching(binary(f), {make({1, 2, 3}), make({6, 5, 4})});
    check_batching(binary(f), {make({true, false}), scalar(true)});
  }
  check_batching(unary(complement), {make({1, 2, 3})});
  CHECK(std::string_view(jq::table_of<jq::not_p>().name) == "not");
}
