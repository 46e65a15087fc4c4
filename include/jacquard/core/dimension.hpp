#pragma once
// Symbolic dimensions: polynomials with integer coefficients over named sizes, which stand for integers that are not
// negative, and over two functions of polynomials that size arithmetic needs: floor division by a constant and the positive
// part. Deliberately without values and bounds; those are core/dimension_bounds.

#include <string_view>
#include <vector>

#include "jacquard/core/list.hpp"
#include "jacquard/core/params.hpp"
#include "jacquard/core/text.hpp"

namespace jacquard {

/// A polynomial in canonical form: terms in descending graded order, none zero. Equal polynomials are equal objects.
class dimension {
 public:
  /// What a polynomial is built of: a name, floor(argument / divisor), or max(argument, 0) (divisor 0).
  struct atom {
    name_text name{};
    list<dimension> argument{};  ///< one if not a name
    std::int64_t divisor = 0;
    constexpr bool is_name() const { return argument.empty(); }
  };
  struct factor {
    atom base{};
    int power = 1;
  };
  struct term {
    std::int64_t coefficient = 0;
    list<factor> factors{};  ///< in order of their atoms
    constexpr int degree() const {
      int d = 0;
      for (const factor& f : factors) d += f.power;
      return d;
    }
  };

  constexpr dimension() = default;
  constexpr dimension(std::int64_t value) {
    if (value != 0) terms_.push_back({value, {}});
  }
  /// The size called `name`.
  static constexpr dimension named(std::string_view name) { return of_atom({name_text(name), {}, 0}); }

  constexpr const list<term>& terms() const { return terms_; }
  constexpr bool is_constant() const { return terms_.empty() || (terms_.size() == 1 && terms_[0].factors.empty()); }
  /// The constant term.
  constexpr std::int64_t constant() const {
    return terms_.empty() || !terms_.back().factors.empty() ? 0 : terms_.back().coefficient;
  }

  friend constexpr dimension operator+(const dimension& a, const dimension& b) {
    dimension r = a;
    for (const term& t : b.terms_) r.add(t);
    return r;
  }
  friend constexpr dimension operator*(const dimension& a, const dimension& b) {
    dimension r;
    for (const term& s : a.terms_)
      for (const term& t : b.terms_) r.add(product(s, t));
    return r;
  }
  friend constexpr dimension operator-(const dimension& a, const dimension& b) { return a + b * dimension(-1); }
  friend constexpr bool operator==(const dimension& a, const dimension& b) { return compare(a, b) == 0; }

  /// floor(a / divisor), divisor > 0. What it divides exactly comes out of the rounding.
  static constexpr dimension floor_div(const dimension& a, std::int64_t divisor) {
    dimension whole, rest;
    for (const term& t : a.terms_) {
      const std::int64_t q = floor_of(t.coefficient, divisor), r = t.coefficient - q * divisor;
      if (q != 0 && (t.factors.empty() || r == 0)) whole.add({q, t.factors});
      if (t.factors.empty() || r == 0) {
        if (r != 0) rest.add({r, t.factors});
      } else rest.add(t);
    }
    if (rest.is_constant()) return whole;  // 0 <= rest < divisor
    return whole + of_atom({{}, {rest}, divisor});
  }
  /// max(a, 0).
  static constexpr dimension positive_part(const dimension& a) {
    if (a.is_constant()) return dimension(a.constant() > 0 ? a.constant() : 0);
    for (const term& t : a.terms_)
      if (t.coefficient < 0) return of_atom({{}, {a}, 0});
    return a;  // sizes are not negative
  }

  /// The value for given sizes of names; `size_of` maps a name_text to an integer.
  template <class Sizes>
  constexpr std::int64_t evaluate(const Sizes& size_of) const {
    std::int64_t sum = 0;
    for (const term& t : terms_) {
      std::int64_t product = t.coefficient;
      for (const factor& f : t.factors)
        for (int i = 0; i < f.power; ++i) product *= evaluate(f.base, size_of);
      sum += product;
    }
    return sum;
  }
  template <class Sizes>
  static constexpr std::int64_t evaluate(const atom& a, const Sizes& size_of) {
    if (a.is_name()) return size_of(a.name);
    const std::int64_t x = a.argument[0].evaluate(size_of);
    if (a.divisor == 0) return x > 0 ? x : 0;
    return floor_of(x, a.divisor);
  }
  static constexpr std::int64_t floor_of(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

  /// Divides polynomials by their leading terms: this == quotient * divisor + remainder, with a constant remainder in
  /// [0, divisor) where the divisor is constant, else none. False if there is no such quotient.
  constexpr bool divide(const dimension& divisor, dimension& quotient, dimension& remainder) const {
    quotient = {};
    remainder = *this;
    if (divisor.terms_.empty()) return false;
    const term& lead = divisor.terms_[0];
    while (!remainder.terms_.empty()) {
      term t;
      if (!quotient_of(remainder.terms_[0], lead, t)) break;
      dimension step;
      step.add(t);
      if (t.coefficient == 0) break;
      quotient = quotient + step;
      remainder = remainder - step * divisor;
    }
    if (!divisor.is_constant()) return remainder.terms_.empty();
    return remainder.is_constant() && remainder.constant() >= 0 && remainder.constant() < divisor.constant();
  }

  /// "k n + m + -1", "floor((n + 1) / 2)".
  friend constexpr text& operator<<(text& out, const dimension& d) {
    if (d.terms_.empty()) return out << '0';
    for (std::size_t i = 0; i < d.terms_.size(); ++i) {
      const term& t = d.terms_[i];
      if (i != 0) out << " + ";
      if (t.factors.empty() || t.coefficient != 1) out << t.coefficient;
      bool first = !t.factors.empty() && t.coefficient == 1;
      for (const factor& f : t.factors) {
        if (!first) out << ' ';
        first = false;
        put(out, f.base);
        if (f.power != 1) out << '^' << f.power;
      }
    }
    return out;
  }

 private:
  static constexpr dimension of_atom(const atom& a) {
    dimension r;
    r.terms_.push_back({1, {{a, 1}}});
    return r;
  }
  static constexpr void put(text& out, const atom& a) {
    if (a.is_name()) out << a.name.view();
    else if (a.divisor == 0) out << "max(" << a.argument[0] << ", 0)";
    else out << "floor((" << a.argument[0] << ") / " << a.divisor << ')';
  }

  // A total order, in which terms of higher degree come first.
  static constexpr int compare(std::int64_t a, std::int64_t b) { return a < b ? -1 : a > b ? 1 : 0; }
  static constexpr int compare(const atom& a, const atom& b) {
    if (a.is_name() != b.is_name()) return a.is_name() ? -1 : 1;
    if (a.is_name()) return a.name.view() < b.name.view() ? -1 : a.name == b.name ? 0 : 1;
    if (const int c = compare(a.divisor, b.divisor)) return c;
    return compare(a.argument[0], b.argument[0]);
  }
  static constexpr int compare_factors(const term& a, const term& b) {
    if (const int c = compare(std::int64_t(b.degree()), std::int64_t(a.degree()))) return c;
    for (std::size_t i = 0; i < a.factors.size() && i < b.factors.size(); ++i) {
      if (const int c = compare(a.factors[i].base, b.factors[i].base)) return c;
      if (const int c = compare(std::int64_t(b.factors[i].power), std::int64_t(a.factors[i].power))) return c;
    }
    return compare(std::int64_t(a.factors.size()), std::int64_t(b.factors.size()));
  }
  static constexpr int compare(const dimension& a, const dimension& b) {
    for (std::size_t i = 0; i < a.terms_.size() && i < b.terms_.size(); ++i) {
      if (const int c = compare_factors(a.terms_[i], b.terms_[i])) return c;
      if (const int c = compare(a.terms_[i].coefficient, b.terms_[i].coefficient)) return c;
    }
    return compare(std::int64_t(a.terms_.size()), std::int64_t(b.terms_.size()));
  }

  constexpr void add(const term& t) {
    if (t.coefficient == 0) return;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const int order = compare_factors(t, terms_[i]);
      if (order > 0) continue;
      if (order < 0) terms_.insert(terms_.begin() + std::ptrdiff_t(i), t);
      else if ((terms_[i].coefficient += t.coefficient) == 0) terms_.erase(terms_.begin() + std::ptrdiff_t(i));
      return;
    }
    terms_.push_back(t);
  }
  static constexpr term product(const term& a, const term& b) {
    term r{a.coefficient * b.coefficient, a.factors};
    for (const factor& f : b.factors) {
      std::size_t i = 0;
      while (i < r.factors.size() && compare(r.factors[i].base, f.base) < 0) ++i;
      if (i < r.factors.size() && compare(r.factors[i].base, f.base) == 0) r.factors[i].power += f.power;
      else r.factors.insert(r.factors.begin() + std::ptrdiff_t(i), f);
    }
    return r;
  }
  /// The term t with t * b == a, or for constants b, up to a remainder.
  static constexpr bool quotient_of(const term& a, const term& b, term& t) {
    t = {floor_of(a.coefficient, b.coefficient), a.factors};
    if (t.coefficient * b.coefficient != a.coefficient && !(a.factors.empty() && b.factors.empty())) return false;
    for (const factor& f : b.factors) {
      std::size_t i = 0;
      while (i < t.factors.size() && compare(t.factors[i].base, f.base) != 0) ++i;
      if (i == t.factors.size() || t.factors[i].power < f.power) return false;
      if ((t.factors[i].power -= f.power) == 0) t.factors.erase(t.factors.begin() + std::ptrdiff_t(i));
    }
    return true;
  }

  list<term> terms_;
};

/// The logical dimensions of an array.
using dimension_list = list<dimension>;

/// "(n, 3)".
constexpr text& operator<<(text& out, const dimension_list& dims) {
  out << '(';
  for (std::size_t i = 0; i < dims.size(); ++i) out << (i ? ", " : "") << dims[i];
  if (dims.size() == 1) out << ',';
  return out << ')';
}

}  // namespace jacquard
