#pragma once
// Sizes of a traced program as polynomials. A function is traced twice, on two sets of sizes that stand for names; integers
// that are equal in both programs do not depend on sizes, those that differ are found again as polynomials in the names.
// Deliberately without guessing: what is no polynomial in both tracings is an error.

#include "jacquard/core/dimension.hpp"
#include "jacquard/core/jaxpr.hpp"
#include "jacquard/core/list.hpp"

namespace jacquard::detail {

constexpr bool is_prime(std::int64_t n) {
  for (std::int64_t d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return true;
}

/// A name and the sizes that stand for it in the two tracings.
struct probed_name {
  name_text name;
  std::int64_t first = 0, second = 0;

  constexpr probed_name() = default;
  /// One-letter names get sizes of their own, others almost surely. The differences between the tracings are distinct primes:
  /// no small multiple of one is a multiple of another. All sizes are below 4096, so that f32 holds products of two.
  constexpr explicit probed_name(const name_text& n) : name(n) {
    const std::string_view s = n.view();
    std::uint32_t slot = s.size() == 1 ? std::uint32_t(s[0] - 'a') : 26u;
    if (slot >= 26) {
      std::uint32_t h = 2166136261u;
      for (char c : s) h = (h ^ std::uint8_t(c)) * 16777619u;
      slot = 26 + (h ^ (h >> 15)) % 98;
    }
    std::int64_t prime = 1009;
    for (std::uint32_t left = slot; left > 0; --left)
      do prime += 2;
      while (!is_prime(prime));
    second = 2050 + std::int64_t(slot);
    first = second + prime;
  }
};

/// Whether two literals are the same.
constexpr bool is_same(const jaxpr& p, const jaxpr& twin, atom a, atom b) {
  if (a.is_literal() != b.is_literal()) return false;
  return a.is_literal() ? p.literals[a.index()] == twin.literals[b.index()] : a == b;
}
constexpr bool same_words(const param_view& a, const param_view& b) {
  if (a.count != b.count) return false;
  for (std::uint32_t i = 0; i < a.count; ++i)
    if (a.words[i] != b.words[i]) return false;
  return true;
}
/// Whether the functions of two equations that hold programs are one. Rules of the user's may know a size that the program does
/// not show; functions of equations without programs are those of taps.
constexpr bool same_rules(const param_view& a, const param_view& b) {
  for (std::uint32_t i = 0; a.sub_count != 0 && i < a.function_count; ++i)
    if (!(a.functions[i] == b.functions[i])) return false;
  return true;
}
/// Whether two tracings differ in no size at all, so that the program holds for any sizes.
constexpr bool is_same(const jaxpr& p, const jaxpr& twin);
constexpr bool is_same(const jaxpr& p, const jaxpr& twin, const equation& e, const equation& f) {
  const param_view a = p.params(e), b = twin.params(f);
  if (!same_words(a, b) || !same_rules(a, b)) return false;
  for (std::size_t i = 0; i < e.in.count; ++i)
    if (!is_same(p, twin, p.inputs(e)[i], twin.inputs(f)[i])) return false;
  for (std::uint32_t i = 0; i < a.sub_count; ++i)
    if (!(a.subs[i] == b.subs[i]) && !is_same(*a.subs[i], *b.subs[i])) return false;
  return true;
}
constexpr bool is_same(const jaxpr& p, const jaxpr& twin) {
  if (!(p.avals == twin.avals) || p.equations.size() != twin.equations.size()) return false;
  for (std::size_t i = 0; i < p.equations.size(); ++i)
    if (p.equations[i].op != twin.equations[i].op || !is_same(p, twin, p.equations[i], twin.equations[i])) return false;
  for (std::size_t i = 0; i < p.outvars.size(); ++i)
    if (!is_same(p, twin, p.outvars[i], twin.outvars[i])) return false;
  return true;
}

/// Finds the polynomial behind the two integers that the tracings saw: one of those known already, or one with a single
/// product of names besides a constant, or with two.
class size_decoder {
 public:
  constexpr void add_name(const name_text& n) {
    names_.push_back(probed_name(n));
    products_.clear();
    const auto name = [&](std::size_t i) { return dimension::named(names_[i].name.view()); };
    for (std::size_t i = 0; i < names_.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j)
        for (std::size_t k = 0; k <= j; ++k) products_.push_back(candidate_of(name(i) * name(j) * name(k)));
    for (std::size_t i = 0; i < names_.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) products_.push_back(candidate_of(name(i) * name(j)));
    for (std::size_t i = 0; i < names_.size(); ++i) products_.push_back(candidate_of(name(i)));
    add_known(name(names_.size() - 1));
  }
  constexpr void add_known(const dimension& d) {
    if (d.is_constant()) return;
    const candidate c = candidate_of(d);
    for (const candidate& k : known_)
      if (k.first == c.first && k.second == c.second) return;
    known_.push_back(c);
  }
  /// The value of `d` in the first or the second tracing.
  constexpr std::int64_t probe(const dimension& d, bool second) const {
    return d.evaluate([&](const name_text& n) {
      for (const probed_name& p : names_)
        if (p.name == n) return second ? p.second : p.first;
      return std::int64_t(0);
    });
  }
  /// False if no polynomial is found.
  constexpr bool decode(std::int64_t first, std::int64_t second, dimension& d) const {
    if (first == second) return d = dimension(first), true;
    for (const candidate& c : known_)
      if (c.first == first && c.second == second) return d = c.size, true;
    for (const candidate& c : products_)
      if (with_one(c, first, second, d)) return true;
    for (const candidate& c : known_)
      if (with_one(c, first, second, d)) return true;
    for (std::int64_t k = 1; k <= 64; ++k)
      for (const candidate& c : products_)
        for (const std::int64_t factor : {k, -k})
          if (with_other(c, factor, first - factor * c.first, second - factor * c.second, d)) return true;
    return false;
  }
  /// " (mask traced the function on sizes that stand for names: n = 3059)"
  constexpr text legend() const {
    text r(" (mask traced the function on sizes that stand for names: ");
    for (std::size_t i = 0; i < names_.size(); ++i)
      r << (i == 0 ? "" : ", ") << names_[i].name.view() << " = " << names_[i].first << " or " << names_[i].second;
    return r << ')';
  }
  /// "m, n".
  constexpr text names() const {
    text r;
    for (const probed_name& n : names_) r << (r.empty() ? "" : ", ") << n.name.view();
    return r;
  }

 private:
  struct candidate {
    dimension size;
    std::int64_t first = 0, second = 0;
  };
  constexpr candidate candidate_of(const dimension& d) const { return {d, probe(d, false), probe(d, true)}; }
  /// factor * size + constant
  static constexpr bool with_one(const candidate& c, std::int64_t first, std::int64_t second, dimension& d) {
    const std::int64_t change = c.first - c.second;
    if (first == second || change == 0 || (first - second) % change != 0) return false;
    const std::int64_t factor = (first - second) / change;
    d = c.size * dimension(factor) + dimension(first - factor * c.first);
    return true;
  }
  /// The same for the rest, once factor * c.size is taken away.
  constexpr bool with_other(const candidate& c, std::int64_t factor, std::int64_t first, std::int64_t second, dimension& d) const {
    for (const candidate& other : products_)
      if (&other != &c && with_one(other, first, second, d)) {
        d = d + c.size * dimension(factor);
        return true;
      }
    return false;
  }

  list<probed_name> names_;
  list<candidate> known_, products_;
};

}  // namespace jacquard::detail
