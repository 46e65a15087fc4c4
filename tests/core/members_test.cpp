// Members of aggregates: counting and visiting 0 to 32 of them, nested and const ones, in order.
#include <jacquard/core/members.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

using jacquard::for_each_member;
using jacquard::member_count;
using jacquard::members;

namespace {

struct empty {};
struct inner {
  int a = 1;
  double b = 2;
};
struct mixed {
  inner first;
  std::string name;
  std::vector<int> list;
  const char* pointer = nullptr;
};
static_assert(member_count<empty> == 0 && member_count<inner> == 2 && member_count<mixed> == 4);

struct s1 {
  int a;
};
struct s2 {
  int a, b;
};
struct s3 {
  int a, b, c;
};
struct s4 {
  int a, b, c, d;
};
struct s5 {
  int a, b, c, d, e;
};
struct s6 {
  int a, b, c, d, e, f;
};
struct s7 {
  int a, b, c, d, e, f, g;
};
struct s8 {
  int a, b, c, d, e, f, g, h;
};
struct s9 {
  int a, b, c, d, e, f, g, h, i;
};
struct s10 {
  int a, b, c, d, e, f, g, h, i, j;
};
struct s11 {
  int a, b, c, d, e, f, g, h, i, j, k;
};
struct s12 {
  int a, b, c, d, e, f, g, h, i, j, k, l;
};
struct s13 {
  int a, b, c, d, e, f, g, h, i, j, k, l, m;
};
struct s14 {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n;
};
struct s15 {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o;
};
struct s16 {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p;
};
struct s17 {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p,
      q;
};
struct s18 {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p,
      q, r;
};
struct s19 {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p,
      q, r, s;
};
struct s20 {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p,
      q, r, s, t;
};
struct s21 {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p,
      q, r, s, t, u;
};
struct s22 {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p,
      q, r, s, t, u, v;
};
struct s23 {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p,
      q, r, s, t, u, v, w;
};
struct s24 {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p,
      q, r, s, t, u, v, w, x;
};
struct s25 {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p,
      q, r, s, t, u, v, w, x, y;
};
struct s26 {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p,
      q, r, s, t, u, v, w, x, y, z;
};
struct s27 {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p,
      q, r, s, t, u, v, w, x, y, z, a1;
};
struct s28 {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p,
      q, r, s, t, u, v, w, x, y, z, a1, b1;
};
struct s29 {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p,
      q, r, s, t, u, v, w, x, y, z, a1, b1, c1;
};
struct s30 {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p,
      q, r, s, t, u, v, w, x, y, z, a1, b1, c1, d1;
};
struct s31 {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p,
      q, r, s, t, u, v, w, x, y, z, a1, b1, c1, d1, e1;
};
struct s32 {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p,
      q, r, s, t, u, v, w, x, y, z, a1, b1, c1, d1, e1, f1;
};

/// Members get 1, 2, ...; the sum tells that each was visited once.
template <class S, int N>
constexpr bool visits_all() {
  S s{};
  int i = 0;
  for_each_member(s, [&](int& member) { member = ++i; });
  const S& constant = s;
  int expected = 0;
  for (int k = 1; k <= N; ++k) expected = int((std::int64_t(expected) * 3 + k) % 1000003);
  int got = 0;
  for_each_member(constant, [&](const int& member) { got = int((std::int64_t(got) * 3 + member) % 1000003); });
  return i == N && got == expected && member_count<S> == N && std::tuple_size_v<decltype(members(s))> == N;
}
static_assert(visits_all<s1, 1>() && visits_all<s2, 2>() && visits_all<s3, 3>() && visits_all<s4, 4>());
static_assert(visits_all<s5, 5>() && visits_all<s6, 6>() && visits_all<s7, 7>() && visits_all<s8, 8>());
static_assert(visits_all<s9, 9>() && visits_all<s10, 10>() && visits_all<s11, 11>() && visits_all<s12, 12>());
static_assert(visits_all<s13, 13>() && visits_all<s14, 14>() && visits_all<s15, 15>() && visits_all<s16, 16>());
static_assert(visits_all<s17, 17>() && visits_all<s18, 18>() && visits_all<s19, 19>() && visits_all<s20, 20>());
static_assert(visits_all<s21, 21>() && visits_all<s22, 22>() && visits_all<s23, 23>() && visits_all<s24, 24>());
static_assert(visits_all<s25, 25>() && visits_all<s26, 26>() && visits_all<s27, 27>() && visits_all<s28, 28>());
static_assert(visits_all<s29, 29>() && visits_all<s30, 30>() && visits_all<s31, 31>() && visits_all<s32, 32>());

}  // namespace

TEST_CASE("members are references in order of declaration") {
  mixed m;
  auto& [first, name, list, pointer] = m;
  CHECK(&std::get<0>(members(m)) == &first);
  CHECK(&std::get<3>(members(m)) == &pointer);
  for_each_member(m, []<class T>(T& member) {
    if constexpr (std::is_same_v<T, std::string>) member = "set";
  });
  CHECK(name == "set");
  CHECK(list.empty());
  const mixed& c = m;
  static_assert(std::is_same_v<decltype(std::get<1>(members(c))), const std::string&>);
}

TEST_CASE("no members") {
  empty e;
  int visited = 0;
  for_each_member(e, [&](auto&) { ++visited; });
  CHECK(visited == 0);
}
