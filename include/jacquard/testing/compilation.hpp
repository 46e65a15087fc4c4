#pragma once
// check_jit: a jitted function against the same function run operation by operation.

#include "jacquard/exec/jit.hpp"
#include "jacquard/testing/comparison.hpp"

namespace jacquard::testing {

namespace detail {

inline report check_compiled(const leaf_function& f, const leaves& x, std::string_view platform, double rtol, double atol) {
  report r;
  const leaves want = f(x);
  const auto g = jit(f, backend(platform));
  for (int call = 0; call < 2; ++call) {  // the first one compiles, the second one finds the program
    const leaves got = g(x);
    r.add(call == 0 ? "first call" : "second call",
          rtol == 0 && atol == 0 ? identical(got, want) : all_close(got, want, rtol, atol));
  }
  if (g.cache_size() != 1) r.fail("two calls with one signature made ", g.cache_size(), " programs");
  return r;
}

}  // namespace detail

/// Checks jit of f on a backend against f. Without tolerances the results must be bit-identical, which the interpreter
/// promises; compiling backends fuse and round otherwise.
template <class F, class... A>
report check_jit(F f, const std::tuple<A...>& args, std::string_view platform = "interpreter", double rtol = 0,
                 double atol = 0) {
  return detail::check_compiled(on_leaves(f, args), leaves_of(args), platform, rtol, atol);
}

}  // namespace jacquard::testing
