// lapack: how functions are found and called, with functions of our own in the place of a library.
#include <jacquard/prims/lapack.hpp>

#include <doctest/doctest.h>
#include <string_view>
#include <vector>

namespace jq = jacquard;

TEST_CASE("lapack: names are looked up where a backend names a library, and nowhere else") {
  CHECK(jq::detail::lapack_function<double, "geqrf">() == nullptr);
  static int asked = 0;
  static constexpr jq::detail::kernel_libraries found{.lapack = [](const char* name) -> void* {
    asked += std::string_view(name) == "zpotrs_";
    return &asked;
  }};
  const jq::detail::library_scope scope(&found);
  CHECK(jq::detail::lapack_function<jq::complex128, "potrs">() == &asked);
  CHECK(jq::detail::lapack_function<jq::complex128, "potrs">() == &asked);
  CHECK(asked == 1);  // kept
}
TEST_CASE("lapack: arguments go by address, lengths of texts last") {
  static constexpr auto function = +[](const char* c, const int* n, double* x, std::size_t length) { x[0] = double(*n) + double(length) + double(*c == 'U'); };
  static constexpr jq::detail::kernel_libraries found{.lapack = [](const char*) { return reinterpret_cast<void*>(function); }};
  const jq::detail::library_scope scope(&found);
  double x = 0;
  CHECK(jq::detail::call_lapack<double, "testf", 1>('U', 5, &x));
  CHECK(x == 7);
}
TEST_CASE("lapack: columns from rows and back") {
  std::vector<int> from(20 * 37), to(20 * 37), back(20 * 37);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = int(i);
  jq::detail::transpose_into(from.data(), 20, 37, to.data());
  CHECK(to[20 * 3 + 2] == from[2 * 37 + 3]);
  jq::detail::transpose_into(to.data(), 37, 20, back.data());
  CHECK(back == from);
  std::vector<int> square(from.begin(), from.begin() + 19 * 19), turned(19 * 19);
  jq::detail::transpose_into(square.data(), 19, 19, turned.data());
  jq::detail::transpose_square(square.data(), 19);
  CHECK(square == turned);
}
