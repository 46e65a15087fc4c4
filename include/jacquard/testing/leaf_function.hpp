#pragma once
// Functions of trees seen as functions of flat lists of arrays: what all checks work on, so that they are compiled once.

#include <functional>

#include "jacquard/transforms/function.hpp"

namespace jacquard::testing {

/// The leaves of the arguments or of the result of a function.
using leaves = std::vector<array>;
using leaf_function = std::function<leaves(const leaves&)>;

/// The leaves of a list of arguments. Foreign ones are copied.
template <class... A>
leaves leaves_of(const std::tuple<A...>& args) {
  return tree::flatten(args);
}

/// f as a function of the leaves of its arguments that returns the leaves of its result. `args` gives the trees.
template <class F, class... A>
leaf_function on_leaves(F f, const std::tuple<A...>& args) {
  return [f, args](const leaves& x) {
    F g = f;
    const auto result = std::apply(
        [&](const auto&... a) { return jacquard::detail::call_with_leaves(g, x, std::index_sequence_for<A...>{}, a...); },
        args);
    return tree::flatten(result);
  };
}

}  // namespace jacquard::testing
