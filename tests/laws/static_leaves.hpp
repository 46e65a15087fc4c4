#pragma once
// The leaves of what the compile-time lane returns, as arrays, in the order that a tree of arrays has.

#include <jacquard/jacquard.hpp>
#include <jacquard/testing/comparison.hpp>

#include <tuple>

namespace laws {

/// Puts the leaves of tensors, numbers, and lists and tuples of these behind `out`.
inline void put(const auto& x, jacquard::testing::leaves& out) {
  if constexpr (requires { x.begin(); x.push_back(x[0]); }) {
    for (const auto& e : x) put(e, out);
  } else if constexpr (requires { std::tuple_size<std::remove_cvref_t<decltype(x)>>::value; } && !requires { x.elements; })
    std::apply([&](const auto&... parts) { (put(parts, out), ...); }, x);
  else out.push_back(jacquard::asarray(x));
}

}  // namespace laws
