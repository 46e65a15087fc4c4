// Shape specifications: the grammar, and binding names to padded sizes.
#include "../show.hpp"

namespace {

std::string read(std::string_view s) {
  const jq::shape_spec spec = jq::detail::read_spec(s);
  return spec.ok ? std::string(jq::cat(spec).view()) : "error";
}
/// The padded sizes that a shape gives to names, or the message of what does not fit.
std::string bind(std::string_view s, const jq::shape& padded, jq::list<jq::detail::bound_name> names = {}) {
  jq::shape_spec spec = jq::detail::read_spec(s);
  if (const jq::error_record e = jq::detail::bind_names(spec, padded, 0, names)) return std::string(e.message.view());
  std::string r(jq::cat(spec).view());
  for (const auto& n : names) r += " " + std::string(n.name.view()) + "=" + std::to_string(n.padded);
  return r;
}

static_assert(jq::detail::read_spec("(n, 2*m + 1)").ok && !jq::detail::read_spec("(n").ok);

}  // namespace

TEST_CASE("shape specifications: what can be read") {
  CHECK(read("") == "()");
  CHECK(read("()") == "()");
  CHECK(read("n") == "(n,)");
  CHECK(read("(m, n)") == "(m, n)");
  CHECK(read("m, n,") == "(m, n)");
  CHECK(read("(n,)") == "(n,)");
  CHECK(read("( n , 3 )") == "(n, 3)");
  CHECK(read("m + n * k") == "(k n + m,)");
  CHECK(read("-3 + k + k * k") == "(k^2 + k + -3,)");
  CHECK(read("n + -1*n") == "(0,)");
  CHECK(read("n-1") == "(n + -1,)");
  CHECK(read("2n - m + 3") == "(-1 m + 2 n + 3,)");
  CHECK(read("(_, rows_2)") == "(_, rows_2)");
}
TEST_CASE("shape specifications: what cannot") {
  for (const char* s : {"(n", "n)", "(n))", "n +", "*n", "n**2", "n^2", "n/2", "(n, m", "1.5", "n;m", ",", "99999999999", "_n"}) {
    INFO(s);
    CHECK(read(s) == "error");
  }
}
TEST_CASE("shape specifications: names take padded sizes") {
  CHECK(bind("(n, 3)", {5, 3}) == "(n, 3) n=5");
  CHECK(bind("2n", {8}) == "(2 n,) n=4");
  CHECK(bind("n + 1", {5}) == "(n + 1,) n=4");
  CHECK(bind("n - 1", {5}) == "(n + -1,) n=6");
  CHECK(bind("(n, n)", {5, 5}) == "(n, n) n=5");
  CHECK(bind("(_, n)", {7, 2}) == "(7, n) n=2");
  CHECK(bind("(_, n)", {7, 2}, {{"n", 2}}) == "(7, n) n=2");
}
TEST_CASE("shape specifications: shapes that do not fit") {
  CHECK(bind("n", {5, 3}) == "mask: argument leaf 0 of shape (5, 3) does not fit the specification (n,): wanted 1 dimensions");
  CHECK(bind("(n, 2)", {5, 3}) == "mask: argument leaf 0 of shape (5, 3) does not fit the specification (n, 2): dimension 1 is 3, wanted 2");
  CHECK(bind("(n, n)", {5, 6}).ends_with("the padded size of n is 6 here and 5 in another dimension"));
  CHECK(bind("2n", {5}).ends_with("no size of n makes 2 n equal to 5"));
  CHECK(bind("n + 3", {2}).ends_with("no size of n makes n + 3 equal to 2"));
  CHECK(bind("n*m", {6}).ends_with("a positive multiple of one name plus a constant, not m n"));
  CHECK(bind("m + n", {6}).ends_with("plus a constant, not m + n"));
  CHECK(bind("3 - n", {2}).ends_with("plus a constant, not -1 n + 3"));
  CHECK(bind("n*n", {4}).ends_with("plus a constant, not n^2"));
}
