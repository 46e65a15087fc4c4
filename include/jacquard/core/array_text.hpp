// array_text.hpp: lays an array out as numpy's array2string does with its defaults: one column width for all
// elements, rows wrapped at the line width, corners only beyond the threshold. (numpy 1.24; the table in the
// test comes from it.) It deliberately knows no array class: it asks a function for element i of a row-major
// array, so that it serves constants in constant evaluation and buffers at run time alike. It writes no
// dtype, no `array(...)`, and moves no data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <jacquard/core/float_column.hpp>
#include <jacquard/core/float_text.hpp>
#include <jacquard/core/text.hpp>

namespace jacquard {

enum class element_kind : std::uint8_t {
  boolean,
  integer,
  natural,
  half,
  brain,
  single,
  double_,
  complex_single,
  complex_double
};

// One element; which members count is the kind's business: b, i (integer), u (natural), re (floats), re and
// im (complex).
struct element_value {
  double re = 0, im = 0;
  std::int64_t i = 0;
  std::uint64_t u = 0;
  bool b = false;
};

struct print_options {
  int precision = 8;
  int line_width = 75;
  std::int64_t threshold = 1000;  // arrays with more elements show only their corners
  std::int64_t edge_items = 3;
};

namespace numerals {

constexpr bool is_complex(element_kind kind) {
  return kind == element_kind::complex_single || kind == element_kind::complex_double;
}

constexpr float_kind float_kind_of(element_kind kind) {
  if (kind == element_kind::half) return float_kind::half;
  if (kind == element_kind::brain) return float_kind::brain;
  return kind == element_kind::single || kind == element_kind::complex_single ? float_kind::single : float_kind::double_;
}

// Every element of an array, in one width.
class element_column {
  element_kind kind_;
  bool rank_zero_;
  std::size_t width_ = 0;  // of integers
  float_column re_, im_;

  // No `?:` between two texts: g++ 12 destroys the chosen one twice in constant evaluation.
  constexpr text integer(const element_value& n) const {
    if (kind_ == element_kind::integer) return cat(n.i);
    return cat(n.u);
  }
  constexpr bool is_integer() const {
    return kind_ == element_kind::integer || kind_ == element_kind::natural;
  }

 public:
  constexpr element_column(element_kind kind, bool rank_zero, int precision)
      : kind_(kind),
        rank_zero_(rank_zero),
        re_(float_kind_of(kind), precision, false),
        im_(float_kind_of(kind), precision, true) {}

  // `each(f)` calls f on every number that will be shown.
  template <class Each>
  constexpr void fit(const Each& each) {
    if (kind_ == element_kind::boolean) return;
    if (is_integer()) {
      each([this](const element_value& n) {
        const std::size_t size = integer(n).size();
        if (width_ < size) width_ = size;
      });
      return;
    }
    each([this](const element_value& n) {
      re_.look(n.re);
      if (is_complex(kind_)) im_.look(n.im);
    });
    re_.choose_notation();
    im_.choose_notation();
    each([this](const element_value& n) {
      re_.measure(n.re);
      if (is_complex(kind_)) im_.measure(n.im);
    });
    re_.fix();
    im_.fix();
  }

  constexpr void put(text& out, const element_value& n) const {
    if (kind_ == element_kind::boolean) {
      out << (n.b ? (rank_zero_ ? "True" : " True") : "False");
    } else if (is_integer()) {
      const text digits = integer(n);
      out.append(width_ - digits.size(), ' ') << digits;
    } else {
      re_.put(out, n.re);
      if (is_complex(kind_)) put_imaginary(out, n.im);
    }
  }

 private:
  // The 'j' follows the digits; the padding follows the 'j'.
  constexpr void put_imaginary(text& out, double im) const {
    im_.put(out, im);
    std::size_t spaces = 0;
    for (; out.back() == ' '; ++spaces) out.drop_back();
    out << 'j';
    out.append(spaces, ' ');
  }
};

// The nested brackets. Holds what all levels share.
template <class Get>
class array_layout {
  const std::vector<std::int64_t>& shape_;
  const std::vector<std::int64_t>& strides_;
  const Get& get_;
  const print_options& options_;
  bool corners_;

 public:
  constexpr array_layout(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides,
                         const Get& get, const print_options& options, bool corners)
      : shape_(shape), strides_(strides), get_(get), options_(options), corners_(corners) {}

  // Calls item(index) along an axis for what is shown of it, and gap() where something is left out.
  template <class Item, class Gap>
  constexpr void along(std::size_t axis, const Item& item, const Gap& gap) const {
    const std::int64_t n = shape_[axis], edge = options_.edge_items;
    const bool shortened = corners_ && n > 2 * edge;
    for (std::int64_t i = 0; i < n; ++i) {
      if (shortened && i == edge) {
        gap();
        i = n - edge;
        if (i == n) break;
      }
      item(i);
    }
  }

  template <class F>
  constexpr void each(std::size_t axis, std::int64_t offset, const F& f) const {
    if (axis == shape_.size()) return f(get_(offset));
    along(
        axis, [&](std::int64_t i) { each(axis + 1, offset + i * strides_[axis], f); }, [] {});
  }

  constexpr void put(text& out, const element_column& column, std::size_t axis, std::int64_t offset) const {
    if (axis == shape_.size()) return column.put(out, get_(offset));
    out << '[';
    if (axis + 1 == shape_.size()) {
      put_row(out, column, offset);
    } else {
      bool first = true;
      const auto next_line = [&] {
        if (!first) out.append(shape_.size() - axis - 1, '\n').append(axis + 1, ' ');
        first = false;
      };
      along(
          axis,
          [&](std::int64_t i) {
            next_line();
            put(out, column, axis + 1, offset + i * strides_[axis]);
          },
          [&] {
            next_line();
            out << "...";
          });
    }
    out << ']';
  }

 private:
  constexpr void put_row(text& out, const element_column& column, std::int64_t offset) const {
    const std::size_t indent = shape_.size();
    // The closing brackets of all levels count against the width of every line.
    const std::int64_t width = options_.line_width - static_cast<std::int64_t>(indent);
    std::size_t line = indent;  // characters in the current line
    bool first = true;
    const auto put_word = [&](const text& word) {
      if (!first) {
        out << ' ';
        ++line;
      }
      first = false;
      if (static_cast<std::int64_t>(line + word.size()) > width && line > indent) {
        while (out.back() == ' ') out.drop_back();
        out << '\n';
        out.append(indent, ' ');
        line = indent;
      }
      out << word;
      line += word.size();
    };
    along(
        shape_.size() - 1,
        [&](std::int64_t i) {
          text word;
          column.put(word, get_(offset + i * strides_.back()));
          put_word(word);
        },
        [&] { put_word("..."); });
  }
};

}  // namespace numerals

// `shape` has size() and [] (a vector, an array, a span); get(i) is element i in row-major order, an
// `element_value`.
template <class Shape, class Get>
constexpr void put_array(text& out, const Shape& shape, element_kind kind, const Get& get,
                         const print_options& options = {}) {
  // Not strides(n): on libstdc++ 12, clang cannot evaluate that at compile time.
  std::vector<std::int64_t> extents, strides(std::size_t(shape.size()), 1);
  std::int64_t size = 1;
  for (const auto extent : shape) extents.push_back(static_cast<std::int64_t>(extent));
  for (std::size_t axis = strides.size(); axis-- > 0; size *= extents[axis]) strides[axis] = size;
  if (size == 0) {
    out << "[]";
    return;
  }
  const numerals::array_layout<Get> layout(extents, strides, get, options, size > options.threshold);
  numerals::element_column column(kind, extents.empty(), options.precision);
  column.fit([&](const auto& f) { layout.each(0, 0, f); });
  layout.put(out, column, 0, 0);
}

}  // namespace jacquard
