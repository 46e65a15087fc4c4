#pragma once
// Reading the pieces of a printed jaxpr: words, numbers, dtypes, types, literals, with the position of the first error.
// After an error every function returns a dummy. core/read puts the pieces together.

#include "jacquard/core/literal.hpp"
#include "jacquard/core/error.hpp"
#include "jacquard/core/number_reader.hpp"
#include "jacquard/core/params.hpp"

namespace jacquard::detail {

/// A text that is read from the front.
class scanner {
 public:
  constexpr explicit scanner(std::string_view text) : text_(text) {}

  constexpr const error_record& problem() const { return problem_; }
  constexpr bool failed() const { return bool(problem_); }
  constexpr std::size_t position() const { return at_; }
  /// Records the first error, placed at `at`.
  template <class... Parts>
  constexpr void fail_at(std::size_t at, const Parts&... parts) {
    if (problem_) return;
    std::size_t line = 1, column = 1;
    for (std::size_t i = 0; i < at && i < text_.size(); ++i) {
      column = text_[i] == '\n' ? 1 : column + 1;
      line += text_[i] == '\n' ? 1 : 0;
    }
    problem_ = make_error(error_kind::value, "read_jaxpr: line ", line, ", column ", column, ": ", parts...);
  }
  /// "got ..., wanted ..." at the current position.
  template <class... Parts>
  constexpr void unexpected(const Parts&... wanted) {
    skip_space();
    std::string_view got = text_.substr(at_, 20);
    for (std::size_t i = 1; i < got.size(); ++i)
      if (is_space(got[i])) got = got.substr(0, i);
    if (got.empty()) fail_at(at_, "got the end of the text, wanted ", wanted...);
    else fail_at(at_, "got '", got, "', wanted ", wanted...);
  }

  static constexpr bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
  static constexpr bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  constexpr void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  /// The next character as it is, or after spaces; '\0' at the end.
  constexpr char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  constexpr char peek() {
    skip_space();
    return next();
  }
  constexpr void advance() { ++at_; }
  constexpr void return_to(std::size_t position) { at_ = position; }
  constexpr std::string_view rest() const { return text_.substr(at_); }

  constexpr bool take(char c) {
    if (failed() || peek() != c || c == '\0') return false;
    ++at_;
    return true;
  }
  constexpr void expect(char c) {
    if (!take(c)) unexpected('\'', c, '\'');
  }
  constexpr void expect_word(std::string_view w) {
    const std::size_t start = at_;
    if (word() == w) return;
    at_ = start;
    unexpected('\'', w, '\'');
  }
  /// Letters, digits and underscores; empty if there are none.
  constexpr std::string_view word() {
    skip_space();
    const std::size_t start = at_;
    while (is_word(next())) ++at_;
    return text_.substr(start, at_ - start);
  }

  template <class I>
  constexpr I integer() {
    skip_space();
    const parsed<I> n = parse_integer<I>(rest());
    if (!n) unexpected("an integer");
    at_ += n.used;
    return n.value;
  }
  constexpr double floating(float_kind kind) {
    skip_space();
    const parsed<double> n = parse_float(rest(), kind);
    if (!n) unexpected("a number");
    at_ += n.used;
    return n.value;
  }
  constexpr bool boolean() {
    const std::size_t start = at_;
    const std::string_view w = word();
    if (w == "True" || w == "False") return w == "True";
    at_ = start;
    unexpected("True or False");
    return false;
  }
  /// The dtype of a short ("f32") or long ("float32") name.
  constexpr dtype type_name(bool is_long) {
    const std::size_t start = at_;
    const std::string_view w = word();
    for (int i = 0; i < dtype_count; ++i)
      if (w == (is_long ? long_name(dtype(i)) : name(dtype(i)))) return dtype(i);
    at_ = start;
    unexpected("a dtype such as ", is_long ? "float32" : "f32");
    return f32;
  }
  /// "f32[2,3]".
  constexpr aval type() {
    aval r(type_name(false), {});
    expect('[');
    for (bool more = peek() != ']'; more && !failed(); more = take(',')) {
      const std::size_t start = at_;
      r.dims.push_back(integer<std::int64_t>());
      if (!failed() && r.dims.back() < 0) fail_at(start, "got a negative dimension");
      if (r.dims.overflowed()) fail_at(start, "got more than ", max_rank, " dimensions");
    }
    expect(']');
    return r;
  }
  /// A bare or quoted name.
  constexpr name_text user_name() {
    if (!take('\'')) return check_length(word(), at_);
    text t;
    const std::size_t start = at_;
    while (next() != '\'' && next() != '\0') {
      if (next() == '\\') {
        ++at_;
        t << (next() == 'n' ? '\n' : next());
      } else t << next();
      if (next() != '\0') ++at_;
    }
    expect('\'');
    return check_length(t.view(), start);
  }
  /// "2.0:f32[]".
  constexpr literal typed_literal() {
    const std::size_t start = at_;
    skip_value();
    expect(':');
    const aval t = type();
    if (!failed() && t.rank() != 0) fail_at(start, "got a literal of type ", t, ", wanted rank 0");
    const std::size_t end = at_;
    at_ = start;
    const literal l = value_of(t.type);
    if (!failed() && peek() != ':') unexpected("a value of type ", t);
    at_ = end;
    return l;
  }

 private:
  constexpr name_text check_length(std::string_view s, std::size_t where) {
    if (s.size() > 31) fail_at(where, "got a name of ", s.size(), " characters, wanted at most 31");
    return name_text(s);
  }
  /// Goes to the colon behind a value whose type is not known yet.
  constexpr void skip_value() {
    while (next() != '\0' && next() != ':' && !is_space(next())) ++at_;
  }
  constexpr literal value_of(dtype t) {
    literal l;
    l.type = t;
    switch (category_of(t)) {
      case category::boolean: l.low = boolean(); break;
      case category::integer: l.low = integer_of(t); break;
      case category::floating: l.low = std::bit_cast<std::uint64_t>(floating(kind_of(t))); break;
      default: {
        skip_space();
        const parsed<complex_parts> z = parse_complex(rest(), kind_of(t));
        if (!z) unexpected("a complex number");
        at_ += z.used;
        l.low = std::bit_cast<std::uint64_t>(z.value.re);
        l.high = std::bit_cast<std::uint64_t>(z.value.im);
      }
    }
    return l;
  }
  constexpr std::uint64_t integer_of(dtype t) {
    const std::size_t start = at_;
    const bool is_signed = is_signed_integer(t);
    const std::uint64_t bits = is_signed ? std::uint64_t(integer<std::int64_t>()) : integer<std::uint64_t>();
    literal l;
    l.type = is_signed ? i64 : u64;
    l.low = bits;
    const literal narrow = l.as(t);
    if (!failed() && narrow.low != bits) fail_at(start, "got an integer that does not fit into ", long_name(t));
    return bits;
  }
  static constexpr float_kind kind_of(dtype t) {
    switch (t) {
      case dtype::f16: return float_kind::half;
      case dtype::bf16: return float_kind::brain;
      case dtype::f32: case dtype::c64: return float_kind::single;
      default: return float_kind::double_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  error_record problem_;
};

}  // namespace jacquard::detail
