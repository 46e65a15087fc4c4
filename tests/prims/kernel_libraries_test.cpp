// kernel_libraries: scopes name libraries for one thread, one within another.
#include <jacquard/prims/kernel_libraries.hpp>

#include <doctest/doctest.h>
#include <thread>

using namespace jacquard::detail;

TEST_CASE("scopes nest, and other threads see none of them") {
  static constexpr kernel_libraries first, second;
  CHECK(libraries_here == nullptr);
  {
    const library_scope outer(&first);
    CHECK(libraries_here == &first);
    {
      const library_scope inner(&second);
      CHECK(libraries_here == &second);
      const library_scope none(nullptr);
      CHECK(libraries_here == nullptr);
    }
    CHECK(libraries_here == &first);
    std::thread([] { CHECK(libraries_here == nullptr); }).join();
  }
  CHECK(libraries_here == nullptr);
}
