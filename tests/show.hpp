#pragma once
// What the tests of transforms, jit and taps share: trees of arrays as short texts, which compare dtype, shape and values at
// once and show all of them when they differ; sums; programs as static_asserts.

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace jq = jacquard;
namespace lax = jacquard::lax;

namespace testing {

inline std::string number_text(double v) {
  char text[40];
  std::snprintf(text, sizeof text, "%.5g", v);
  return text;
}

/// "f32[2] 1 2.5"; complex elements as "1+2i"; five digits.
inline std::string show_array(const jq::array& x) {
  if (x.is_none()) return "none";
  if (x.is_tracer()) return "tracer " + std::string(jq::cat(x.aval()).view());
  std::string s(jq::cat(x.aval()).view());
  const jq::array wide = lax::convert_element_type(x, jq::c128);
  const auto put = [&](jq::complex128 z) {
    s += ' ' + number_text(z.re);
    if (jq::is_complex(x.dtype())) s += (z.im < 0 ? "" : "+") + number_text(z.im) + "i";
  };
  if (wide.kind() == jq::array_kind::literal) put(wide.item<jq::complex128>());
  else
    for (const jq::complex128& z : wide.data<jq::complex128>()) put(z);
  return s;
}

/// All leaves of a tree: "f32[] 1, f32[2] 1 2".
template <class T>
std::string show(const T& tree) {
  std::string s;
  for (const jq::array& x : jq::tree::flatten(tree)) s += (s.empty() ? "" : ", ") + show_array(x);
  return s;
}

/// The sum of all elements.
constexpr jq::array total(const jq::array& x) { return lax::reduce_sum(x, jq::int_list::iota(x.ndim())); }

inline std::string text_of(const jq::closed_jaxpr& p) { return jq::to_string(p); }

/// How often `what` occurs in `text`.
inline int count(std::string_view text, std::string_view what) {
  int n = 0;
  for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + what.size())) ++n;
  return n;
}

/// The message of the error that f throws; "" if it throws none.
template <class Error = jq::error, class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace testing

using testing::show;
using testing::total;
