#pragma once
// fmt: formatters for arrays, jaxprs, shapes and dtypes. An array takes a precision, "{:.3}": at most so many digits after
// the point. The others take what a string takes, such as a width.

#include <algorithm>

#include <fmt/format.h>

#include "jacquard/core/array_text.hpp"
#include "jacquard/core/print.hpp"

namespace jacquard::detail {

// The text of an array is numpy/'s business; a dependent call finds it where the formatter is used.
template <class T, class... Options>
text text_for_fmt(const T& x, const Options&... options) {
  return to_text(x, options...);
}

}  // namespace jacquard::detail

template <>
struct fmt::formatter<jacquard::array> {
  constexpr auto parse(format_parse_context& context) {
    auto at = context.begin();
    const auto is_digit = [&] { return at != context.end() && *at >= '0' && *at <= '9'; };
    if (at != context.end() && *at == '.') {
      ++at;
      if (!is_digit()) throw_format_error("jacquard: an array is formatted with '{}' or '{:.N}'");
      for (options_.precision = 0; is_digit() && options_.precision < 100; ++at)
        options_.precision = 10 * options_.precision + (*at - '0');
    }
    if (at != context.end() && *at != '}') throw_format_error("jacquard: an array is formatted with '{}' or '{:.N}'");
    return at;
  }
  template <class Context>
  auto format(const jacquard::array& x, Context& context) const {
    const jacquard::text t = jacquard::detail::text_for_fmt(x, options_);
    return std::copy(t.view().begin(), t.view().end(), context.out());
  }

 private:
  [[noreturn]] static void throw_format_error(const char* what) { throw fmt::format_error(what); }
  jacquard::print_options options_;
};

template <>
struct fmt::formatter<jacquard::closed_jaxpr> : fmt::formatter<fmt::string_view> {
  template <class Context>
  auto format(const jacquard::closed_jaxpr& p, Context& context) const {
    const jacquard::text t = jacquard::to_text(p);
    return fmt::formatter<fmt::string_view>::format({t.view().data(), t.size()}, context);
  }
};

template <>
struct fmt::formatter<jacquard::shape> : fmt::formatter<fmt::string_view> {
  template <class Context>
  auto format(const jacquard::shape& s, Context& context) const {
    const jacquard::text t = jacquard::cat(s);
    return fmt::formatter<fmt::string_view>::format({t.view().data(), t.size()}, context);
  }
};

template <>
struct fmt::formatter<jacquard::dtype> : fmt::formatter<fmt::string_view> {
  template <class Context>
  auto format(jacquard::dtype t, Context& context) const {
    const std::string_view name = jacquard::long_name(t);
    return fmt::formatter<fmt::string_view>::format({name.data(), name.size()}, context);
  }
};
