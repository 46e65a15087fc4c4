// Functions that are compiled once for a program: constant evaluation reads their bodies, running code is linked to them.

#include "jacquard/core/compiled_once.hpp"

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

namespace {

constexpr auto slope = jq::grad([](auto x) { return jq::sin(x) * x; });

/// The text of the program of `slope`, summed up so that constant evaluation can return it.
constexpr unsigned digest_of_text() {
  unsigned sum = 0;
  const jq::text program = jq::to_text(jq::make_jaxpr(slope)(2.0));
  for (char c : program.view()) sum = sum * 31 + static_cast<unsigned char>(c);
  return sum;
}

}  // namespace

TEST_CASE("tracing, simplifying and printing give the same while the program is compiled and when it runs") {
  constexpr unsigned at_compile_time = digest_of_text();
  CHECK(digest_of_text() == at_compile_time);
  CHECK(jq::to_string(jq::make_jaxpr(slope)(jq::asarray(2.0))) ==
        "{ lambda ; a:f64[]. let\n    b:f64[] = sin a\n    c:f64[] = cos a\n    _:f64[] = mul b a\n    d:f64[] = mul b 1.0:f64[]\n"
        "    e:f64[] = mul 1.0:f64[] a\n    f:f64[] = mul e c\n    g:f64[] = add d f\n  in (g,) }");
}

TEST_CASE("errors thrown by functions of the library name the line of the program") {
  const jq::array x = jq::zeros({2}), y = jq::zeros({3});
  CHECK_THROWS_WITH_AS(x + y, doctest::Contains("compiled_once_test.cpp"), jq::shape_error);
}
