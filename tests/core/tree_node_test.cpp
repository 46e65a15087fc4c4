// Trees: every kind of node, leaves in order, aggregates of up to 32 members without registration, trees taught by a trait.
#include <jacquard/core/tree_node.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include "../show.hpp"

#include <map>
#include <optional>

namespace {

struct s1 {
  jq::array a;
};
struct s2 {
  jq::array a, b;
};
struct s3 {
  jq::array a, b, c;
};
struct s5 {
  jq::array a, b, c, d, e;
};
struct s8 {
  jq::array a, b, c, d, e, f, g, h;
};
struct s13 {
  jq::array a, b, c, d, e, f, g, h, i, j, k, l, m;
};
struct s16 {
  jq::array a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p;
};
struct s17 {
  jq::array a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q;
};
struct s24 {
  jq::array a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x;
};
struct s31 {
  jq::array a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t,
      u, v, w, x, y, z, a1, b1, c1, d1, e1;
};
struct s32 {
  jq::array a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t,
      u, v, w, x, y, z, a1, b1, c1, d1, e1, f1;
};

struct inner {
  jq::array w, b;
};
struct outer {
  inner first;
  std::vector<inner> layers;
  std::optional<jq::array> extra;
  std::map<std::string, std::tuple<jq::array, double>> named;
  std::array<jq::array, 2> pair;
};
/// A container of the user's own.
class stack {
 public:
  jq::array top, bottom;

 private:
  [[maybe_unused]] int secret_ = 0;
};

template <class S>
bool flattens_in_order(int n) {
  std::vector<jq::array> leaves;
  for (int i = 0; i < n; ++i) leaves.push_back(jq::asarray(i));
  const S s = jq::tree::unflatten(S{}, leaves);
  const std::vector<jq::array> back = jq::tree::flatten(s);
  bool same = int(back.size()) == n && int(jq::leaf_count(s)) == n;
  for (int i = 0; same && i < n; ++i) same = back[std::size_t(i)].same_as(leaves[std::size_t(i)]);
  return same;
}

const auto one = [](double x) { return jq::asarray(x); };
outer sample() {
  outer o;
  o.first = {one(1), one(2)};
  o.layers = {{one(3), one(4)}, {one(5), one(6)}};
  o.extra = one(7);
  o.named = {{"z", {one(10), 11.0}}, {"a", {one(8), 9.0}}};
  o.pair = {one(12), one(13)};
  return o;
}

}  // namespace

template <>
struct jacquard::tree_traits<stack> {
  template <class T>
  static constexpr auto members(T& s) {
    return std::tie(s.top, s.bottom);
  }
};

static_assert(jq::tree_node<std::tuple<>> && jq::tree_node<std::pair<double, int>> && jq::tree_node<inner> && jq::tree_node<stack>);
static_assert(!jq::tree_node<int*> && !jq::tree_node<std::string> && !jq::tree_node<jq::array>);
static_assert(jq::leaf_count(std::tuple(1.0, std::pair(2, 3.f), std::tuple<>())) == 3);

TEST_CASE("aggregates of 1 to 32 members") {
  CHECK(flattens_in_order<s1>(1));
  CHECK(flattens_in_order<s2>(2));
  CHECK(flattens_in_order<s3>(3));
  CHECK(flattens_in_order<s5>(5));
  CHECK(flattens_in_order<s8>(8));
  CHECK(flattens_in_order<s13>(13));
  CHECK(flattens_in_order<s16>(16));
  CHECK(flattens_in_order<s17>(17));
  CHECK(flattens_in_order<s24>(24));
  CHECK(flattens_in_order<s31>(31));
  CHECK(flattens_in_order<s32>(32));
}

TEST_CASE("nodes of all kinds, nested: leaves in order, map keys sorted") {
  const outer o = sample();
  const std::vector<jq::array> leaves = jq::tree::flatten(o);
  REQUIRE(leaves.size() == 13);
  for (std::size_t i = 0; i < leaves.size(); ++i) CHECK(double(leaves[i]) == double(i + 1));
  CHECK(jq::leaf_count(o) == 13);
}

TEST_CASE("visiting by reference changes the tree") {
  outer o = sample();
  jq::for_each_leaf(o, [](auto& x) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(x)>, double>) x = 100;
    else x = jq::asarray(0.0);
  });
  CHECK(std::get<1>(o.named.at("a")) == 100);
  CHECK(double(o.layers[1].b) == 0.0);
}

TEST_CASE("absent optionals and empty containers have no leaves") {
  outer o = sample();
  o.extra.reset();
  o.layers.clear();
  o.named.clear();
  CHECK(jq::leaf_count(o) == 4);
  CHECK(jq::leaf_count(std::vector<inner>{}) == 0);
  CHECK(jq::leaf_count(std::optional<double>{}) == 0);
}

TEST_CASE("a trait teaches other types") {
  stack s;
  s.top = one(1);
  s.bottom = one(2);
  CHECK(show(s) == "f64[] 1, f64[] 2");
  const stack g = jq::grad([](const stack& t) { return t.top * t.bottom * t.bottom; })(s);
  CHECK(show(g) == "f64[] 4, f64[] 4");
}

TEST_CASE("transforms take and return trees of aggregates") {
  const auto loss = [](const outer& o) {
    jq::array sum = jq::asarray(0.0);
    jq::for_each_leaf(o, [&](const auto& x) { sum = sum + x * x; });
    return sum;
  };
  static_assert(std::is_same_v<jq::rebind_t<inner>, inner>);
  const inner g = jq::grad([](const inner& p) { return p.w * p.w * p.b; })(inner{one(2), one(3)});
  CHECK(show(g) == "f64[] 12, f64[] 4");
  CHECK(double(loss(sample())) == 819.0);
}
