// expect: jacquard: the program of a function transformed at compile time has more equations than JACQUARD_STATIC_EQUATIONS \(16384 unless defined\); define it larger for the whole program, or pass a jq::array to trace the function at run time
// A program that does not fit the compile-time lane: the message says what to define.
#define JACQUARD_STATIC_EQUATIONS 4
#include <jacquard/fixed.hpp>

constexpr auto long_chain = [](auto x) {
  for (int i = 0; i < 10; ++i) x = jacquard::sin(x);
  return x;
};
constexpr double y = jacquard::grad(long_chain)(0.5);
