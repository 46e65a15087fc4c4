// Arrays of a call: empty at first, as many as were asked for, given back when the call ends.
#include <jacquard/core/call_arrays.hpp>

#include "../show.hpp"

using jq::detail::call_arrays;

TEST_CASE("call arrays: few and many, empty at first") {
  for (const std::size_t n : {0u, 1u, 6u, 7u, 100u}) {
    call_arrays a(n);
    CHECK(a.size() == n);
    CHECK(std::size_t(a.end() - a.begin()) == n);
    for (const jq::array& x : a) CHECK(x.is_none());
    for (std::size_t i = 0; i < n; ++i) a[i] = double(i);
    if (n > 0) CHECK(a.data()[n - 1].item<double>() == double(n - 1));
  }
}
TEST_CASE("call arrays: what they hold they let go") {
  const jq::array x = jq::ones({2});
  const int holders = x.as_buffer()->references;
  for (const std::size_t n : {3u, 30u}) {
    {
      call_arrays a(n);
      for (jq::array& y : a) y = x;
      CHECK(x.as_buffer()->references == holders + int(n));
    }
    CHECK(x.as_buffer()->references == holders);
  }
}
