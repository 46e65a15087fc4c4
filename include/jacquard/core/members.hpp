#pragma once
// Members of plain aggregates by structured bindings: counting them and visiting them in order. Up to 32 members.
// Deliberately no names (the language gives none) and no base classes; types with C arrays as members need the trait.

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace jacquard {
namespace detail {

struct any_member {
  template <class T>
  operator T() const;  // never defined: only asks whether T{...} would compile
};

template <class T, std::size_t... I>
constexpr bool initialisable_with(std::index_sequence<I...>) {
  return requires { T{(void(I), any_member{})...}; };
}

template <class T, std::size_t N = 0>
constexpr std::size_t count_members() {
  if constexpr (N <= 32 && initialisable_with<T>(std::make_index_sequence<N + 1>{})) return count_members<T, N + 1>();
  else return N;
}

}  // namespace detail

/// How many members the aggregate T has.
template <class T>
inline constexpr std::size_t member_count = detail::count_members<T>();

/// A tuple of references to the members of an aggregate, in order of declaration.
template <class T>
constexpr auto members(T& object) {
  constexpr std::size_t member_total = member_count<std::remove_const_t<T>>;
  static_assert(member_total <= 32, "jacquard: aggregates of more than 32 members need a specialisation of jacquard::tree_traits");
  if constexpr (member_total == 0) {
    return std::tie();
  } else if constexpr (member_total == 1) {
    auto& [a] = object;
    return std::tie(a);
  } else if constexpr (member_total == 2) {
    auto& [a, b] = object;
    return std::tie(a, b);
  } else if constexpr (member_total == 3) {
    auto& [a, b, c] = object;
    return std::tie(a, b, c);
  } else if constexpr (member_total == 4) {
    auto& [a, b, c, d] = object;
    return std::tie(a, b, c, d);
  } else if constexpr (member_total == 5) {
    auto& [a, b, c, d, e] = object;
    return std::tie(a, b, c, d, e);
  } else if constexpr (member_total == 6) {
    auto& [a, b, c, d, e, f] = object;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (member_total == 7) {
    auto& [a, b, c, d, e, f, g] = object;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (member_total == 8) {
    auto& [a, b, c, d, e, f, g, h] = object;
    return std::tie(a, b, c, d, e, f, g, h);
  } else if constexpr (member_total == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = object;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (member_total == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (member_total == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (member_total == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
  } else if constexpr (member_total == 13) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
  } else if constexpr (member_total == 14) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  } else if constexpr (member_total == 15) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
  } else if constexpr (member_total == 16) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  } else if constexpr (member_total == 17) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
  } else if constexpr (member_total == 18) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r);
  } else if constexpr (member_total == 19) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s);
  } else if constexpr (member_total == 20) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t);
  } else if constexpr (member_total == 21) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u);
  } else if constexpr (member_total == 22) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v);
  } else if constexpr (member_total == 23) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w);
  } else if constexpr (member_total == 24) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x);
  } else if constexpr (member_total == 25) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y);
  } else if constexpr (member_total == 26) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z);
  } else if constexpr (member_total == 27) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa);
  } else if constexpr (member_total == 28) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, ab] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, ab);
  } else if constexpr (member_total == 29) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, ab, ac] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, ab, ac);
  } else if constexpr (member_total == 30) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, ab, ac, ad] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, ab, ac, ad);
  } else if constexpr (member_total == 31) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, ab, ac, ad, ae] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, ab, ac, ad, ae);
  } else if constexpr (member_total == 32) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, ab, ac, ad, ae, af] = object;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, ab, ac, ad, ae, af);
  }
}

/// Calls visit with each member of an aggregate, in order. Written out for the usual small ones: going through std::tie
/// and std::apply costs several times the compile time.
template <class T, class F>
constexpr void for_each_member(T& object, F&& visit) {
  constexpr std::size_t member_total = member_count<std::remove_const_t<T>>;
  if constexpr (member_total == 0) {
    return;
  } else if constexpr (member_total == 1) {
    auto& [a] = object;
    visit(a);
  } else if constexpr (member_total == 2) {
    auto& [a, b] = object;
    visit(a), visit(b);
  } else if constexpr (member_total == 3) {
    auto& [a, b, c] = object;
    visit(a), visit(b), visit(c);
  } else if constexpr (member_total == 4) {
    auto& [a, b, c, d] = object;
    visit(a), visit(b), visit(c), visit(d);
  } else if constexpr (member_total == 5) {
    auto& [a, b, c, d, e] = object;
    visit(a), visit(b), visit(c), visit(d), visit(e);
  } else if constexpr (member_total == 6) {
    auto& [a, b, c, d, e, f] = object;
    visit(a), visit(b), visit(c), visit(d), visit(e), visit(f);
  } else if constexpr (member_total == 7) {
    auto& [a, b, c, d, e, f, g] = object;
    visit(a), visit(b), visit(c), visit(d), visit(e), visit(f), visit(g);
  } else if constexpr (member_total == 8) {
    auto& [a, b, c, d, e, f, g, h] = object;
    visit(a), visit(b), visit(c), visit(d), visit(e), visit(f), visit(g), visit(h);
  } else {
    std::apply([&](auto&... member) { (visit(member), ...); }, members(object));
  }
}

}  // namespace jacquard
