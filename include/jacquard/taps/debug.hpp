#pragma once
// debug::callback and debug::print: functions and formatted lines that look at values in the middle of a program, always run,
// and change nothing. Deliberately delivered like taps, exceptions included.

#include "jacquard/taps/callback_function.hpp"
#include "jacquard/taps/id_print.hpp"

namespace jacquard {

/// A named argument of debug::print.
struct named_array {
  std::string name;
  array value;
};
/// See jq::kw for plain values.
inline named_array kw(std::string_view name, const array& value) { return {std::string(name), value}; }

namespace detail {

template <>
inline constexpr bool is_callback_option<output_stream> = true;
template <>
inline constexpr bool is_callback_option<keyword> = true;
template <>
inline constexpr bool is_callback_option<keyword_argument> = true;
template <>
inline constexpr bool is_callback_option<named_array> = true;

/// The state of a debug callback: a tap of the tuple of arguments, delivered once per example.
template <class T = void>
struct debug_function : callback_state {
  function_ref tap;

  explicit debug_function(function_ref t) : tap(std::move(t)) {
    destroy = [](function_state* s) { delete static_cast<debug_function*>(s); };
  }
  static void run(function_state* s, callback_call& c) {
    deliver_to_channel(static_cast<debug_function*>(s)->tap, c.in, {{}, c.device});
  }
};

/// Binds a debug callback of the tuple `args`; `see` takes it.
template <class See, class... A>
void bind_debug(See see, const callback_options& o, const A&... args) {
  using tree = std::tuple<rebind_t<A>...>;
  function_ref tap = make_tap(std::move(see), {}, tree{empty_like(args)...});
  callback_params p;
  p.callback = function_ref(reinterpret_cast<function_ref::thunk>(&debug_function<>::run), new debug_function<>(std::move(tap)));
  p.method = vmap_method::sequential;
  const leaf_list leaves = flatten_all(args...);
  if (o.ordered) bind_list<ordered_debug_callback_p>(p, location{}, leaves);
  else bind_list<debug_callback_p>(p, location{}, leaves);
}

/// A format string, taken apart.
struct print_piece {
  std::string before;   ///< text before the value
  int argument = -1;    ///< leaf of the values, or -1
  int precision = -1;   ///< of {:.3f}
};

template <class T = void>
class print_format {
 public:
  /// Errors: value_error for a malformed string, and for arguments that it does not use or that are not there.
  print_format(std::string_view f, int positional, const std::vector<std::string>& names) {
    std::vector<char> used(std::size_t(positional) + names.size(), false);
    int next = 0;
    std::string before;
    for (std::size_t i = 0; i < f.size(); ++i) {
      if (f[i] == '}' || f[i] == '{') {
        if (i + 1 < f.size() && f[i + 1] == f[i]) {
          before += f[i++];
          continue;
        }
        const std::size_t end = f.find('}', i);
        if (f[i] == '}' || end == f.npos) raise(error_kind::value, "debug::print: a single '", f[i], "' in \"", f, "\"; write it twice");
        const int argument = find(f.substr(i + 1, end - i - 1), next, positional, names, f);
        used[std::size_t(argument)] = true;
        pieces_.push_back({std::move(before), argument, precision_of(f.substr(i + 1, end - i - 1), f)});
        before.clear();
        i = end;
      } else before += f[i];
    }
    pieces_.push_back({std::move(before), -1, -1});
    check(used, positional, f);
  }

  std::string apply(view<const array> values, std::int64_t threshold) const {
    std::string out;
    for (const print_piece& p : pieces_) {
      out += p.before;
      if (p.argument >= 0) out += text_of(values[std::size_t(p.argument)], p.precision, threshold);
    }
    return out + '\n';
  }

 private:
  static int find(std::string_view field, int& next, int positional, const std::vector<std::string>& names, std::string_view f) {
    const std::string_view name = field.substr(0, field.find(':'));
    int n = -1;
    if (name.empty()) n = next++;
    else if (name[0] >= '0' && name[0] <= '9') {
      n = 0;
      for (char c : name.substr(0, 4)) n = 10 * n + (c - '0');
    } else {
      for (std::size_t k = 0; k < names.size(); ++k)
        if (names[k] == name) return positional + int(k);
    }
    if (n < 0 || n >= positional)
      raise(error_kind::value, "debug::print: \"", f, "\" asks for the argument '", name, "', got ", positional, " positional and ",
            names.size(), " keyword arguments; pass what the format string names");
    return n;
  }
  static int precision_of(std::string_view field, std::string_view f) {
    const std::size_t colon = field.find(':');
    if (colon == field.npos) return -1;
    const std::string_view spec = field.substr(colon + 1);
    if (spec.empty()) return -1;
    if (spec.size() >= 3 && spec.size() <= 4 && spec[0] == '.' && spec.back() == 'f' && spec[1] >= '0' && spec[1] <= '9' &&
        (spec.size() == 3 || (spec[2] >= '0' && spec[2] <= '9')))
      return spec.size() == 3 ? spec[1] - '0' : 10 * (spec[1] - '0') + (spec[2] - '0');
    raise(error_kind::value, "debug::print: got the format '", spec, "' in \"", f, "\", wanted nothing or digits as in {:.3f}");
  }
  static void check(const std::vector<char>& used, int positional, std::string_view f) {
    for (std::size_t i = 0; i < used.size(); ++i)
      if (!used[i])
        raise(error_kind::value, "debug::print: ", int(i) < positional ? "Unused positional arguments" : "Unused keyword arguments",
              " to \"", f, "\". You may be passing an f-string, or one that was formatted beforehand, which shows tracers, not values; "
              "give each argument a {} of its own");
  }
  static std::string text_of(const array& x, int precision, std::int64_t threshold) {
    if (x.ndim() == 0) return number_text(x, precision);
    print_options o;
    o.threshold = threshold;
    if (precision >= 0) o.precision = precision;
    return std::string(to_text(x, o).view());
  }
  /// As Python writes a number of its own.
  static std::string number_text(const array& x, int precision) {
    const dtype type = x.dtype();
    const float_kind kind = numerals::float_kind_of(element_kind_of(type));
    text t;
    if (is_complex(type)) {
      const complex128 z = x.item<complex128>();
      if (precision < 0) put_complex(t, z.re, z.im, kind);
      else t << digits_text(z.re, "%.*f", precision) << digits_text(z.im, "%+.*f", precision) << 'j';
    } else if (precision >= 0) t << digits_text(x.item<double>(), "%.*f", precision);
    else if (is_boolean(type)) t << (x.item<bool>() ? "True" : "False");
    else if (is_floating(type)) put_float(t, x.item<double>(), kind);
    else if (type == u64) t << x.item<std::uint64_t>();
    else t << x.item<std::int64_t>();
    return std::string(t.view());
  }
  static text digits_text(double v, const char* form, int precision) {
    char digits[512];  // the largest number has 309 digits before the point, and 99 can be asked for after it
    std::snprintf(digits, sizeof digits, form, precision, v);
    return text(std::string_view(digits));
  }

  list<print_piece> pieces_;
};

/// A format string and the line it was written in.
struct located_format {
  std::string_view text;
  location where;
  template <class S>
    requires std::is_convertible_v<const S&, std::string_view>
  constexpr located_format(const S& s, location line = location::current()) : text(s), where(line) {}
};

template <class Array = array>
Array value_of(const keyword& k) {
  return k.value.visit([]<class V>(const V& v) -> array {
    if constexpr (std::is_same_v<V, std::string>) raise(error_kind::type, "debug::print: got a text as a keyword argument; put it into the format string");
    else return array(v);
  });
}

}  // namespace detail

namespace debug {

/// Calls fn(args...) on the host wherever the program runs, with concrete values, once per example under vmap, with the
/// primals alone under derivatives, with the logical parts of arrays under mask. Always runs; with jq::in_order(true) in program order. What fn throws is reported by
/// barrier_wait.
template <class F, class... A>
void callback(F fn, const A&... args) {
  detail::callback_options o;
  (o.take(args), ...);
  std::apply(
      [&](const auto&... x) {
        const auto see = [fn](const auto& values) mutable { std::apply(fn, values); };
        detail::bind_debug(see, o, x...);
      },
      detail::arguments_of(args...));
}

/// Prints a line like debug::callback calls a function: "{}" takes the next argument, "{0}" one by number, "{name}" one given
/// as jq::kw(name, value), "{:.3f}" sets the digits after the point. Options: jq::in_order(true), jq::output_stream(os).
/// Errors: value_error for arguments that the format string does not use, or lacks.
template <class... A>
void print(const detail::located_format& format, const A&... args) {
  const rule_location_scope here(format.where);
  detail::callback_options o;
  (o.take(args), ...);
  std::vector<std::string> names;
  std::vector<array> named;
  const jacquard::output_stream* out = nullptr;
  [[maybe_unused]] const auto take = [&]<class T>(const T& x) {
    if constexpr (std::is_same_v<T, keyword_argument>) {
      const keyword k = x;
      names.push_back(k.name), named.push_back(detail::value_of(k));
    } else if constexpr (std::is_same_v<T, keyword>) names.push_back(x.name), named.push_back(detail::value_of(x));
    else if constexpr (std::is_same_v<T, named_array>) names.push_back(x.name), named.push_back(x.value);
    else if constexpr (std::is_same_v<T, jacquard::output_stream>) out = &x;
  };
  (take(args), ...);
  std::vector<array> values;
  std::apply([&](const auto&... x) { (flatten_into(x, values), ...); }, detail::arguments_of(args...));
  const detail::print_format<> f(format.text, int(values.size()), names);
  values.insert(values.end(), named.begin(), named.end());
  void* stream = out ? out->stream : nullptr;
  const auto write = out ? out->write : nullptr;
  const auto see = [f, stream, write](const std::tuple<std::vector<array>>& all) {
    const std::string line = f.apply(std::get<0>(all), 1000);
    if (stream) write(stream, line);
    else {
      std::fwrite(line.data(), 1, line.size(), stdout);
      std::fflush(stdout);
    }
  };
  detail::bind_debug(see, o, values);
}

}  // namespace debug
}  // namespace jacquard
