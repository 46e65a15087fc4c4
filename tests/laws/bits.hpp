#pragma once
// What laws compare that let programs overwrite their arguments: bits, and copies of arguments. Deliberately without programs.

#include <jacquard/testing/comparison.hpp>

#include <bit>

#include "row.hpp"

namespace laws {

/// The same bits, or NaN in both.
inline jq::testing::report same_bits(const leaves& got, const leaves& want) {
  jq::testing::report r;
  if (got.size() != want.size()) return r.fail("got ", got.size(), " results, wanted ", want.size());
  for (std::size_t k = 0; k < got.size(); ++k) {
    if (!jq::same_type(got[k].aval(), want[k].aval())) return r.fail("result ", k, ": got an array of type ", got[k].aval(), ", wanted ", want[k].aval());
    const auto a = jq::testing::elements(got[k]), b = jq::testing::elements(want[k]);
    const auto same = [](double u, double v) { return (u != u && v != v) || std::bit_cast<std::uint64_t>(u) == std::bit_cast<std::uint64_t>(v); };
    r.add(jq::cat("result ", k).view(), jq::testing::detail::compare_elements(got[k], want[k], [&](std::int64_t i) {
      return same(a[std::size_t(i)].re, b[std::size_t(i)].re) && same(a[std::size_t(i)].im, b[std::size_t(i)].im);
    }));
  }
  return r;
}
/// Arrays that hold the same; where `x` has one twice and they share, one twice, too.
inline leaves copies(const leaves& x, bool shares = false) {
  leaves r;
  for (std::size_t k = 0; k < x.size(); ++k) {
    std::size_t first = 0;
    while (first < k && !(shares && x[first].as_buffer() == x[k].as_buffer())) ++first;
    r.push_back(first < k ? r[first] : jq::testing::detail::fill(x[k].aval(), [v = jq::testing::elements(x[k])](std::int64_t i) { return v[std::size_t(i)]; }));
  }
  return r;
}

}  // namespace laws
