// What tests of sharded_jit share: a function computed with its first argument cut in several ways against the same function whole.
#pragma once

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include <limits>

namespace sharding {

namespace jq = jacquard;
namespace lax = jq::lax;
using jq::array;
using spec = jq::partition_spec;

/// The largest difference, or infinity where the types differ.
inline double difference(const array& a, const array& b) {
  if (a.shape() != b.shape() || a.dtype() != b.dtype()) return std::numeric_limits<double>::infinity();
  if (a.size() == 0) return 0;
  return jq::max(jq::abs(a.astype(jq::f64) - b.astype(jq::f64))).item<double>();
}
inline array grid() { return jq::sin(jq::reshape(jq::arange(64.0), {8, 8})); }
inline array weights() { return jq::cos(jq::reshape(jq::arange(64.0), {8, 8})); }

/// f with the rows, the columns, and both cut among four partitions, its other arguments whole. Sums may be taken in another order.
template <class F, class... A>
void check(const char* name, F f, const array& x, const A&... rest) {
  jq::set_host_device_count(8);
  CAPTURE(name);
  const array want = jq::jit(f)(x, rest...);
  for (const spec& s : {spec(4, 1), spec(1, 4), spec(2, 2)}) {
    CAPTURE(jq::to_string(s));
    if constexpr (sizeof...(A) == 0) CHECK(difference(jq::sharded_jit(f, jq::in_parts(s))(x), want) < 1e-12);
    else CHECK(difference(jq::sharded_jit(f, jq::in_parts(s, (static_cast<void>(rest), jq::none)...))(x, rest...), want) < 1e-12);
  }
}

}  // namespace sharding
