// How much stack traced functions may take.
#include <doctest/doctest.h>
#include <jacquard/backends/stack.hpp>

#include <thread>

namespace detail = jacquard::detail;

namespace {
const char* frame() { return static_cast<const char*>(__builtin_frame_address(0)); }
}  // namespace

TEST_CASE("a thread's stack is where its functions are") {
  const auto check = [] {
    const detail::stack_bounds b = detail::this_stack();
    CHECK(b.lowest < frame());
    CHECK(frame() < b.end);
  };
  check();
  std::thread(check).join();
}

TEST_CASE("two thirds of what is left may be taken, as long as that is not more than others have") {
  const detail::stack_bounds b = detail::this_stack();
  CHECK(detail::allowed_stack(b.lowest + 3000) == 2000);
  CHECK(detail::allowed_stack(b.lowest + (3 << 18)) == 1 << 19);
  CHECK(detail::allowed_stack(b.end - 1) == std::min<std::ptrdiff_t>((b.end - 1 - b.lowest) / 3 * 2, detail::most_stack));
}

TEST_CASE("a frame elsewhere has what most have") {
  static const char elsewhere = 0;
  CHECK(detail::allowed_stack(&elsewhere) == detail::most_stack);
}
