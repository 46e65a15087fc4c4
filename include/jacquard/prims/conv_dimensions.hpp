#pragma once
// What a convolution is told about its operands: which dimension is which, and how the spatial ones are padded. Both can be
// given by letters ("NHWC", "SAME") or by numbers. Not a primitive itself; deliberately without sizes, those are in conv_window.

#include <string_view>
#include <utility>

#include "jacquard/core/shape.hpp"

namespace jacquard {

/// How the spatial dimensions of a convolution are padded with zeros.
enum class padding_kind : std::uint8_t {
  numbers,     ///< by given numbers of elements
  same,        ///< such that the result has ceil(size / stride) elements, half of the padding on each side, an odd one at the end
  same_lower,  ///< the same with an odd one at the beginning
  unknown      ///< by a word that is none of those; shape checks report it
};

/// Paddings: "VALID" (none), "SAME", "SAME_LOWER", or a pair {low, high} per spatial dimension. Negative ones remove elements.
struct conv_padding {
  padding_kind kind = padding_kind::numbers;
  bool is_valid = false;  ///< none, whatever the number of dimensions is
  int_list low{}, high{};

  constexpr conv_padding(std::string_view word) {
    if (word == "VALID") is_valid = true;
    else if (word == "SAME") kind = padding_kind::same;
    else if (word == "SAME_LOWER") kind = padding_kind::same_lower;
    else {
      kind = padding_kind::unknown;
      for (char c : word.substr(0, max_rank)) low.push_back(c);  // for the message
    }
  }
  constexpr conv_padding(const char* word) : conv_padding(std::string_view(word)) {}
  constexpr conv_padding(std::initializer_list<std::pair<std::int64_t, std::int64_t>> pairs) {
    for (const auto& [l, h] : pairs) low.push_back(l), high.push_back(h);
  }
  constexpr conv_padding(const int_list& l, const int_list& h) : low(l), high(h) {}
};

/// Which dimension of the operands and the result is which. Each list begins with two places, of batch and feature (lhs, out) or
/// of output and input feature (rhs); those of the spatial dimensions follow, in an order that all three share.
struct conv_dimension_numbers {
  int_list lhs{}, rhs{}, out{};

  /// Batch (or output feature) first, then feature, then the spatial dimensions.
  constexpr conv_dimension_numbers() = default;
  constexpr conv_dimension_numbers(const int_list& l, const int_list& r, const int_list& o) : lhs(l), rhs(r), out(o) {}
  /// Letters: N batch, C feature, O output feature, I input feature; any others are spatial dimensions, which have the same names
  /// in all three, e.g. {"NHWC", "HWIO", "NHWC"}.
  constexpr conv_dimension_numbers(std::string_view l, std::string_view r, std::string_view o)
      : lhs(places(l, "NC", r)), rhs(places(r, "OI", r)), out(places(o, "NC", r)) {}
  constexpr conv_dimension_numbers(const char* l, const char* r, const char* o)
      : conv_dimension_numbers(std::string_view(l), std::string_view(r), std::string_view(o)) {}

  /// Where they were not given, those of operands of rank `rank`.
  constexpr conv_dimension_numbers or_default(int rank) const {
    if (!lhs.empty() || !rhs.empty() || !out.empty()) return *this;
    return {int_list::iota(rank), int_list::iota(rank), int_list::iota(rank)};
  }

 private:
  /// The places of two letters, then of the spatial ones in the order of the filter. Letters that are not there exactly once, and those
  /// that the filter has not, appear as their negative codes, which checks report.
  static constexpr int_list places(std::string_view s, std::string_view two, std::string_view filter) {
    int_list r{place(s, two[0]), place(s, two[1])};
    for (char c : filter)
      if (c != 'O' && c != 'I') r.push_back(place(s, c));
    for (char c : s)
      if (c != two[0] && c != two[1] && filter.find(c) == filter.npos) r.push_back(-std::int64_t(c));
    return r;
  }
  static constexpr std::int64_t place(std::string_view s, char c) {
    const std::size_t at = s.find(c);
    return at == s.npos || s.find(c, at + 1) != s.npos ? -std::int64_t(c) : std::int64_t(at);
  }
};

}  // namespace jacquard
