#pragma once
// What a tapped function is told: keyword arguments, the transforms it went through, the device. And the options of taps.

#include <string>

#include "jacquard/core/text.hpp"
#include "jacquard/core/tree.hpp"
#include "jacquard/prims/id_tap.hpp"

namespace jacquard {

/// What kind of value a keyword argument of a tap has.
enum class keyword_kind : std::int64_t { text, integer, real, boolean };
/// The value of a keyword argument of a tap: a text (a char is one of one letter), an integer, a real number or a truth value. Compares with any of them.
class kw_value {
 public:
  constexpr kw_value() = default;
  template <class T>
    requires(std::is_arithmetic_v<T> || std::is_convertible_v<const T&, std::string_view>)
  constexpr kw_value(const T& v) {
    if constexpr (std::is_same_v<T, bool>) kind_ = keyword_kind::boolean, integer_ = v;
    else if constexpr (std::is_same_v<T, char>) kind_ = keyword_kind::text, text_ = text(std::string_view(&v, 1));
    else if constexpr (std::is_integral_v<T>) integer_ = std::int64_t(v);
    else if constexpr (std::is_floating_point_v<T>) kind_ = keyword_kind::real, real_ = double(v);
    else kind_ = keyword_kind::text, text_ = text(std::string_view(v));
  }

  constexpr keyword_kind kind() const { return kind_; }
  /// The value as a std::string, std::int64_t, double or bool. Errors: type_error if it is of another kind.
  template <class T>
  constexpr T get() const {
    constexpr keyword_kind wanted = kind_of<T>();
    if (kind_ != wanted) raise(error_kind::type, "kw_value: got ", names[std::size_t(kind_)], ", wanted ", names[std::size_t(wanted)],
                               "; ask its kind() first");
    if constexpr (wanted == keyword_kind::text) return T(text_.view());
    else if constexpr (wanted == keyword_kind::real) return real_;
    else return T(integer_);
  }
  /// Calls f with the value as one of those types.
  template <class F>
  constexpr decltype(auto) visit(F&& f) const {
    switch (kind_) {
      case keyword_kind::text: return f(std::string(text_.view()));
      case keyword_kind::real: return f(real_);
      case keyword_kind::boolean: return f(integer_ != 0);
      default: return f(integer_);
    }
  }
  friend constexpr bool operator==(const kw_value& a, const kw_value& b) {
    return a.kind_ == b.kind_ && a.text_.view() == b.text_.view() && a.integer_ == b.integer_ && a.real_ == b.real_;
  }

 private:
  static constexpr const char* names[] = {"a text", "an integer", "a real number", "a truth value"};
  template <class T>
  static constexpr keyword_kind kind_of() {
    if constexpr (std::is_same_v<T, bool>) return keyword_kind::boolean;
    else if constexpr (std::is_same_v<T, double>) return keyword_kind::real;
    else if constexpr (std::is_same_v<T, std::int64_t>) return keyword_kind::integer;
    else {
      static_assert(std::is_constructible_v<T, std::string_view>, "jacquard: a kw_value is a std::string, std::int64_t, double or bool");
      return keyword_kind::text;
    }
  }
  keyword_kind kind_ = keyword_kind::integer;
  text text_;
  std::int64_t integer_ = 0;
  double real_ = 0;
};

/// A keyword argument of a tap; see jq::kw.
struct keyword {
  using option_of_id_tap = void;
  std::string name;
  kw_value value;
};
/// A keyword argument as it is given; usable in constant evaluation, and a jq::keyword wherever one is wanted. This and the other options of
/// taps bring the line they were written in, which nothing else could after arguments of any number.
struct keyword_argument {
  using option_of_id_tap = void;
  text name;
  kw_value value;
  location where{};

  operator keyword() const { return {std::string(name.view()), value}; }
};
/// A keyword argument passed on to a tapped function and printed by id_print.
template <class T>
constexpr keyword_argument kw(std::string_view name, const T& value, location where = location::current()) {
  return {text(name), kw_value(value), where};
}

/// One transform that a tap went through.
struct transform_record {
  std::string name;                     ///< "jvp", "transpose", "batch" or "mask"
  std::vector<int> batch_dims;          ///< of batch: one per tapped leaf, not_mapped (-1) = not batched
  list<shape> logical_shapes;           ///< of mask: one per tapped leaf; within vmap, for each leaf one per example
};

/// What a tapped function receives beside the value.
struct tap_context {
  list<keyword> kwargs;
  list<transform_record> transforms;  ///< innermost first
  device_id device;
};

template <class T>
struct result_option {
  using option_of_id_tap = void;
  T value;
  location where{};
};
/// Makes a tap return `value` instead of its argument, and orders the tap before every use of it.
template <class T>
constexpr result_option<T> result(T value, location where = location::current()) {
  return {std::move(value), where};
}

/// How many elements id_print shows before it summarises.
struct threshold {
  using option_of_id_print = void;
  std::int64_t value;
  location where;
  constexpr explicit threshold(std::int64_t n, location line = location::current()) : value(n), where(line) {}
};

/// Where id_print writes: any object with an ostream's `<<` that outlives the computation.
struct output_stream {
  using option_of_id_print = void;
  void* stream = nullptr;
  void (*write)(void*, std::string_view) = nullptr;
  location where;
  template <class S>
  constexpr explicit output_stream(S& s, location line = location::current())
      : stream(&s),
        write([](void* out, std::string_view text) { static_cast<S*>(out)->write(text.data(), std::ptrdiff_t(text.size())); }),
        where(line) {}
};

namespace detail {

/// Decodes the transform list of a tap.
template <class Record = transform_record>
list<Record> decode_transforms(view<const std::int64_t> codes, std::size_t tapped) {
  list<Record> r;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    switch (tap_transform(codes[i])) {
      case tap_transform::jvp: r.push_back({"jvp", {}, {}}); break;
      case tap_transform::transpose: r.push_back({"transpose", {}, {}}); break;
      case tap_transform::mask:
        r.push_back({"mask", {}, {}});
        ++i;
        for (std::size_t k = 0; k < tapped; ++k) {
          const std::int64_t examples = codes[i + 1], rank = codes[i + 2];
          i += 2;
          for (std::int64_t n = 0; n < examples; ++n) {
            r.back().logical_shapes.emplace_back();
            for (std::int64_t d = 0; d < rank; ++d) r.back().logical_shapes.back().push_back(codes[++i]);
          }
        }
        break;
      case tap_transform::batch:
        r.push_back({"batch", {}, {}});
        for (std::size_t k = 0; k < tapped; ++k) r.back().batch_dims.push_back(int(codes[++i]));
    }
  }
  return r;
}

}  // namespace detail
}  // namespace jacquard
