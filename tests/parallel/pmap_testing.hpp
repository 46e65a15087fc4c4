#pragma once
// What the tests of pmap share: eight host devices, numbers that every dtype holds exactly so that no order of summation matters, and comparison
// of pmap with vmap element by element.

#include "../show.hpp"

#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <tuple>

namespace pmap_testing {

using jq::array;
using function = std::function<array(const array&)>;
inline constexpr auto over_i = jq::axis_name<"i">;

/// At most this many members in what follows; before main, so that every test file has them, whatever runs first.
inline const bool has_devices = (jq::set_host_device_count(8), true);

/// Whole numbers from -6 to 6 in no order; as bool, whether positive.
inline array sample(const jq::shape& dims, jq::dtype type = jq::f64) {
  jq::buffer* b = jq::make_buffer(jq::aval(jq::f64, dims));
  for (std::int64_t i = 0; i < dims.elements(); ++i) static_cast<double*>(b->data)[i] = double((i * 7 + i / 13) % 13) - 6;
  const array x(b);
  if (type == jq::bool_) return x > 0.0;
  return lax::convert_element_type(jq::is_unsigned_integer(type) ? lax::abs(x) : x, type);
}

/// The same dtype, dimensions and bits. (Of i64 and u64 only what c128 holds, which is all that sample makes.)
inline bool same(const array& a, const array& b) {
  if (a.dtype() != b.dtype() || !(a.shape() == b.shape())) return false;
  if (a.size() == 0) return true;
  const array x = jq::copy(lax::convert_element_type(a, jq::c128)), y = jq::copy(lax::convert_element_type(b, jq::c128));
  const auto wide = [](const array& v) {
    if (v.kind() == jq::array_kind::literal) return std::vector<jq::complex128>{v.item<jq::complex128>()};
    const auto s = v.data<jq::complex128>();
    return std::vector<jq::complex128>(s.begin(), s.end());
  };
  const auto p = wide(x), q = wide(y);
  return p.size() == q.size() && std::memcmp(p.data(), q.data(), p.size() * sizeof p[0]) == 0;
}
template <class T>
bool same_tree(const T& a, const T& b) {
  const auto x = jq::tree::flatten(a), y = jq::tree::flatten(b);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!same(x[i], y[i])) return false;
  return x.size() == y.size();
}
/// The first elements, for messages.
inline std::string start_of(const array& x) { return show(x).substr(0, 200); }

#define CHECK_SAME(got, want)                                                                                       \
  do {                                                                                                              \
    const jq::array got_ = (got), want_ = (want);                                                                   \
    INFO("got " << pmap_testing::start_of(got_) << "\nwanted " << pmap_testing::start_of(want_));                   \
    CHECK(pmap_testing::same(got_, want_));                                                                         \
  } while (false)

/// pmap computes what vmap computes; strict, since native code, where that is part of the program, may round otherwise.
inline void check_agrees(const function& f, const array& x) {
  CHECK_SAME(jq::pmap(f, over_i, jq::precision::strict)(x), jq::vmap(f, over_i)(x));
}

}  // namespace pmap_testing
