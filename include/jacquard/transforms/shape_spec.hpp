#pragma once
// Shape specifications of mask: "n", "(n, 2*m + 1)", "(_, n - 1)", "". Reading them, and binding their names to the padded
// sizes of arguments. Deliberately one name per argument dimension, so that the size of an argument decides its name.

#include "jacquard/core/dimension.hpp"
#include "jacquard/core/error.hpp"
#include "jacquard/core/list.hpp"
#include "jacquard/transforms/options.hpp"

namespace jacquard {

/// The dimensions of one array. A dimension that is `any` ("_") is whatever the array has, and no symbol.
struct shape_spec {
  dimension_list dims;
  std::vector<char> any;
  bool ok = true;  ///< the text was one
};

/// "(n, _)".
constexpr text& operator<<(text& out, const shape_spec& s) {
  out << '(';
  for (std::size_t i = 0; i < s.dims.size(); ++i) {
    out << (i ? ", " : "");
    if (s.any[i]) out << '_';
    else out << s.dims[i];
  }
  return out << (s.dims.size() == 1 ? ",)" : ")");
}

namespace detail {

/// Reads one specification: '(' dims ')' or dims; dims separated by commas; each a sum of products of integers and names.
class spec_reader {
 public:
  constexpr explicit spec_reader(std::string_view s) {
    for (char c : s)
      if (c != ' ') text_.push_back(c);
  }
  constexpr shape_spec read() {
    shape_spec r;
    const bool nested = take('(');
    while (ok_ && at_ < text_.size() && text_[at_] != ')') {
      r.any.push_back(take('_'));
      r.dims.emplace_back();
      if (!r.any.back()) r.dims.back() = sum();
      if (!take(',')) break;
    }
    if (nested && !take(')')) ok_ = false;
    r.ok = ok_ && at_ == text_.size();
    return r;
  }

 private:
  constexpr bool take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  constexpr dimension sum() {
    dimension r;
    dimension sign(take('-') ? -1 : 1);
    while (ok_) {
      r = r + sign * product();
      if (take('+')) sign = dimension(take('-') ? -1 : 1);
      else if (take('-')) sign = dimension(-1);
      else break;
    }
    return r;
  }
  constexpr dimension product() {
    dimension r = factor();
    while (ok_ && (take('*') || (is_letter() && is_digit(text_[at_ - 1])))) r = r * factor();  // 2n is 2*n
    return r;
  }
  constexpr dimension factor() {
    if (is_letter()) {
      const std::size_t from = at_;
      while (at_ < text_.size() && (is_letter() || is_digit(text_[at_]) || text_[at_] == '_')) ++at_;
      if (at_ - from > name_text::most) ok_ = false;  // name_text holds no more
      return dimension::named(std::string_view(text_.data() + from, at_ - from));
    }
    std::int64_t n = 0;
    const std::size_t from = at_;
    for (; at_ < text_.size() && is_digit(text_[at_]) && n < 1'000'000'000; ++at_) n = 10 * n + (text_[at_] - '0');
    if (at_ == from) ok_ = false;
    return dimension(n);
  }
  constexpr bool is_letter() const {
    return at_ < text_.size() && ((text_[at_] >= 'a' && text_[at_] <= 'z') || (text_[at_] >= 'A' && text_[at_] <= 'Z'));
  }
  static constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

  std::vector<char> text_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

constexpr shape_spec read_spec(std::string_view s) { return spec_reader(s).read(); }
template <fixed_string S>
constexpr bool check_spec() {
  static_assert(read_spec(S.view()).ok, "jq::mask: this is not a shape specification; wanted dimensions such as \"(n, 2*m + 1, _)\": sums of "
                                        "products of integers and names, or _");
  return true;
}

/// A name and its padded size.
struct bound_name {
  name_text name;
  std::int64_t padded = 0;
};

/// Binds the names of one argument's dimensions to its padded shape, and replaces `_` by the sizes there.
constexpr error_record bind_names(shape_spec& s, const shape& padded, std::size_t leaf, list<bound_name>& names) {
  const auto wrong = [&](const auto&... why) {
    return make_error(error_kind::shape, "mask: argument leaf ", leaf, " of shape ", padded, " does not fit the specification ", s, ": ", why...);
  };
  if (padded.rank() != int(s.dims.size())) return wrong("wanted ", s.dims.size(), " dimensions");
  for (std::size_t i = 0; i < s.dims.size(); ++i) {
    const std::int64_t n = padded[int(i)];
    if (s.any[i]) s.dims[i] = dimension(n), s.any[i] = false;
    const dimension& d = s.dims[i];
    if (d.is_constant()) {
      if (d.constant() != n) return wrong("dimension ", i, " is ", n, ", wanted ", d);
      continue;
    }
    const dimension::term& t = d.terms()[0];
    const bool one_name = t.factors.size() == 1 && t.factors[0].power == 1 && t.coefficient > 0 &&
                          (d - dimension::named(t.factors[0].base.name.view()) * dimension(t.coefficient)).is_constant();
    if (!one_name) return wrong("the size of an argument must be an integer, or a positive multiple of one name plus a constant, not ", d);
    const std::int64_t rest = n - d.constant();
    if (rest < 0 || rest % t.coefficient != 0) return wrong("no size of ", t.factors[0].base.name.view(), " makes ", d, " equal to ", n);
    const bound_name b{t.factors[0].base.name, rest / t.coefficient};
    bool known = false;
    for (const bound_name& other : names) {
      if (!(other.name == b.name)) continue;
      known = true;
      if (other.padded != b.padded)
        return wrong("the padded size of ", b.name.view(), " is ", b.padded, " here and ", other.padded, " in another dimension");
    }
    if (!known) names.push_back(b);
  }
  return {};
}

/// A size that all names may have: no dimension of `specs` is negative then, where one of a few sizes does it.
constexpr std::int64_t some_size_of_names(const auto& specs) {
  for (const std::int64_t n : {8, 1 << 6, 1 << 10, 1 << 20, 3, 2, 1}) {
    bool fits = true;
    for (const shape_spec& s : specs)
      for (std::size_t d = 0; d < s.dims.size(); ++d) fits = fits && (s.any[d] || s.dims[d].evaluate([&](const name_text&) { return n; }) >= 0);
    if (fits) return n;
  }
  return 0;
}

}  // namespace detail
}  // namespace jacquard
