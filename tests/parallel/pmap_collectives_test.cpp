// pmap: values of all collectives against vmap and closed forms, by dtype, shape and number of members; several axes; trees; the same bits each time.
#include "pmap_testing.hpp"

#include <cstdint>

using namespace pmap_testing;
using pairs = std::vector<std::pair<int, int>>;

namespace {

/// f mapped by pmap over axis "i", as text.
template <class F, class... A>
std::string mapped(F f, const A&... x) {
  return show(jq::pmap(f, over_i)(x...));
}
const array four = jq::asarray({0.f, 1.f, 2.f, 3.f});
const array rows = jq::asarray({{0.f, 1.f}, {2.f, 3.f}, {4.f, 5.f}});

/// Each member sends to the next one.
pairs ring(int n) {
  pairs p;
  for (int i = 0; i < n; ++i) p.emplace_back(i, (i + 1) % n);
  return p;
}
/// The last member sends to the first; all others receive zeros.
pairs last_to_first(int n) { return {{n - 1, 0}}; }

struct named {
  const char* name;
  function f;
};
/// Collectives that take every shape; `n` is the number of members.
std::vector<named> of_any_shape(int n) {
  return {
      {"psum", [](const array& x) { return lax::psum(x, "i"); }},
      {"pmean", [](const array& x) { return lax::pmean(x, "i"); }},
      {"ppermute in a ring", [n](const array& x) { return lax::ppermute(x, "i", ring(n)); }},
      {"ppermute of one", [n](const array& x) { return lax::ppermute(x, "i", last_to_first(n)); }},
      {"ppermute of none", [](const array& x) { return lax::ppermute(x, "i", pairs{}); }},
      {"all_gather", [](const array& x) { return lax::all_gather(x, "i"); }},
      {"all_gather at the end", [](const array& x) { return lax::all_gather(x, "i", x.ndim()); }},
      {"axis_index", [](const array& x) { return x + lax::convert_element_type(lax::axis_index("i"), x.dtype()); }},
      {"axis_size", [](const array& x) { return x * lax::convert_element_type(lax::axis_size("i"), x.dtype()); }},
  };
}
std::vector<named> of_ordered() {
  return {{"pmax", [](const array& x) { return lax::pmax(x, "i"); }}, {"pmin", [](const array& x) { return lax::pmin(x, "i"); }}};
}

}  // namespace

TEST_CASE("pmap: the worked examples of collectives") {
  CHECK(mapped([](const array& x) { return lax::psum(x, "i"); }, four) == "f32[4] 6 6 6 6");
  CHECK(mapped([](const array& x) { return lax::pmean(x, "i"); }, four) == "f32[4] 1.5 1.5 1.5 1.5");
  CHECK(mapped([](const array& x) { return x / lax::pmean(x, "i"); }, four) == "f32[4] 0 0.66667 1.3333 2");
  CHECK(mapped([](const array& x) { return lax::pmax(x, "i"); }, four) == "f32[4] 3 3 3 3");
  CHECK(mapped([](const array& x) { return lax::pmin(x, "i"); }, four) == "f32[4] 0 0 0 0");
  CHECK(mapped([](const array& x) { return lax::ppermute(x + 1.f, "i", ring(4)); }, four) == "f32[4] 4 1 2 3");
  CHECK(mapped([](const array& x) { return lax::ppermute(x + 1.f, "i", pairs{{3, 0}, {0, 2}}); }, four) == "f32[4] 4 0 1 0");
  CHECK(mapped([](const array& x) { return lax::ppermute(x + 1.f, "i", pairs{{1, 1}}); }, four) == "f32[4] 0 2 0 0");
  CHECK(mapped([](const array& x) { return lax::all_gather(x, "i"); }, jq::asarray({1.f, 2.f})) == "f32[2,2] 1 2 1 2");
  CHECK(mapped([](const array& x) { return lax::all_gather(x, "i", 1); }, rows) == "f32[3,2,3] 0 2 4 1 3 5 0 2 4 1 3 5 0 2 4 1 3 5");
  CHECK(mapped([](const array& x) { return lax::all_gather(x, "i", 0, true); }, rows) == "f32[3,6] 0 1 2 3 4 5 0 1 2 3 4 5 0 1 2 3 4 5");
  const array square = jq::asarray({{1, 2}, {3, 4}});
  CHECK(mapped([](const array& x) { return lax::psum_scatter(x, "i"); }, square) == "i32[2] 4 6");
  CHECK(mapped([](const array& x) { return lax::psum_scatter(x, "i", 0, true); }, square) == "i32[2,1] 4 6");
  CHECK(mapped([](const array& x) { return lax::all_to_all(x, "i", 0, 0); }, square) == "i32[2,2] 1 3 2 4");
  CHECK(mapped([](const array&) { return lax::axis_index("i"); }, four) == "i32[4] 0 1 2 3");
  CHECK(mapped([](const array& x) { return x + lax::convert_element_type(lax::axis_size("i"), jq::f32); }, four) == "f32[4] 4 5 6 7");
}
TEST_CASE("pmap: collectives of a constant are numbers while the function is traced") {
  int size = 0;
  const auto f = [&](const array& x) {
    size = lax::psum(1, "i").item<int>();
    CHECK(lax::axis_size("i").item<int>() == size);
    CHECK(lax::pmax(7, "i").item<int>() == 7);
    return x * float(size);
  };
  CHECK(mapped(f, four) == "f32[4] 0 4 8 12");
  CHECK(size == 4);
  CHECK(mapped([](const array& x) { return x + lax::psum(2.5f, "i"); }, four) == "f32[4] 10 11 12 13");
  CHECK_THROWS_AS(mapped([](const array& x) { return x * float(lax::axis_index("i").item<int>()); }, four), jq::concretization_error);
}
TEST_CASE("pmap: collectives by dtype") {
  for (int t = 0; t < jq::dtype_count; ++t) {
    const jq::dtype type = jq::dtype(t);
    const array x = sample({3, 4}, type);
    const auto check = [&](const named& c) {
      INFO(c.name << " of " << std::string(jq::long_name(type)));
      check_agrees(c.f, x);
    };
    for (const named& c : of_any_shape(3)) {
      if (type == jq::bool_ && (c.name == std::string("axis_index") || c.name == std::string("axis_size"))) continue;  // their sums are no booleans
      check(c);
    }
    if (!jq::is_complex(type))
      for (const named& c : of_ordered()) check(c);
    const array square = sample({3, 3, 2}, type);
    CHECK_SAME(jq::pmap([](const array& v) { return lax::all_to_all(v, "i", 0, 1); }, over_i)(square),
               jq::vmap([](const array& v) { return lax::all_to_all(v, "i", 0, 1); }, over_i)(square));
    if (type != jq::bool_)
      CHECK_SAME(jq::pmap([](const array& v) { return lax::psum_scatter(v, "i"); }, over_i)(square),
                 jq::vmap([](const array& v) { return lax::psum_scatter(v, "i"); }, over_i)(square));
  }
}
TEST_CASE("pmap: psum counts booleans, pmean of them is a number, pmax and pmin are any and all") {
  const array x = jq::asarray({true, false, true});
  CHECK(mapped([](const array& v) { return lax::psum(v, "i"); }, x) == "i32[3] 2 2 2");
  CHECK(mapped([](const array& v) { return lax::pmean(v, "i"); }, x) == "f64[3] 0.66667 0.66667 0.66667");
  CHECK(mapped([](const array& v) { return lax::pmax(v, "i"); }, x) == "bool[3] 1 1 1");
  CHECK(mapped([](const array& v) { return lax::pmin(v, "i"); }, x) == "bool[3] 0 0 0");
}
TEST_CASE("pmap: narrow integers wrap, half precision rounds at every addition") {
  const array bytes = lax::convert_element_type(jq::asarray({100, 100, 100}), jq::i8);
  CHECK(mapped([](const array& v) { return lax::psum(v, "i"); }, bytes) == "i8[3] 44 44 44");
  // 2048 + 1 is no number of half precision and rounds to 2048, whichever comes first.
  const array halves = lax::convert_element_type(jq::asarray({2048.f, 1.f}), jq::f16);
  CHECK(mapped([](const array& v) { return lax::psum(v, "i"); }, halves) == "f16[2] 2048 2048");
}
TEST_CASE("pmap: NaN and infinity go through reductions as numbers do") {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(mapped([](const array& v) { return lax::pmax(v, "i"); }, jq::asarray({1.f, inf, -inf})) == "f32[3] inf inf inf");
  CHECK(mapped([](const array& v) { return jq::isnan(lax::pmax(v, "i")); }, jq::asarray({1.f, nan, 2.f})) == "bool[3] 1 1 1");
  CHECK(mapped([](const array& v) { return jq::isnan(lax::pmin(v, "i")); }, jq::asarray({nan, 1.f, 2.f})) == "bool[3] 1 1 1");
  CHECK(mapped([](const array& v) { return jq::isnan(lax::psum(v, "i")); }, jq::asarray({inf, -inf, 2.f})) == "bool[3] 1 1 1");
  CHECK(mapped([](const array& v) { return lax::ppermute(v, "i", {{1, 0}}); }, jq::asarray({nan, 1.f})) == "f32[2] 1 0");
}
TEST_CASE("pmap: collectives by number of members and shape") {
  // 100003 elements do not divide among members, 5 are fewer than some have, and empty arrays have no memory.
  const std::vector<jq::shape> shapes{{}, {1}, {5}, {0}, {2, 0, 3}, {3, 4, 5}, {64}, {129}, {100003}};
  for (const int n : {1, 2, 3, 8})
    for (const jq::shape& s : shapes) {
      const array x = sample(jq::shape(s.with(0, n)), jq::f32);
      const auto check = [&](const named& c) {
        INFO(c.name << " over " << n << " members of " << std::string(jq::cat(s).view()));
        check_agrees(c.f, x);
      };
      for (const named& c : of_any_shape(n)) {
        if (s.elements() > 1000 && c.name == std::string("all_gather at the end")) continue;
        check(c);
      }
      for (const named& c : of_ordered()) check(c);
    }
}
TEST_CASE("pmap: large arrays against sums computed one by one") {
  const std::int64_t count = 100003;
  for (const int n : {3, 8}) {
    const array x = sample({n, count});
    const array y = jq::pmap(function([](const array& v) { return lax::psum(v, "i"); }), over_i)(x);
    const array low = jq::pmap(function([](const array& v) { return lax::pmin(v, "i"); }), over_i)(x);
    const auto from = x.data<double>(), sums = y.data<double>(), least = low.data<double>();
    std::int64_t wrong = 0;
    for (std::int64_t e = 0; e < count; ++e) {
      double sum = 0, smallest = 100;
      for (int m = 0; m < n; ++m) {
        sum += from[std::size_t(m * count + e)];
        smallest = std::min(smallest, from[std::size_t(m * count + e)]);
      }
      for (int m = 0; m < n; ++m) wrong += sums[std::size_t(m * count + e)] != sum || least[std::size_t(m * count + e)] != smallest;
    }
    CHECK(wrong == 0);
  }
}
TEST_CASE("pmap: all_gather in every dimension, stacked and one after the other") {
  for (const int n : {1, 2, 3, 8}) {
    const array x = sample({n, 2, 3, 4}, jq::i32);
    for (int d = 0; d <= 3; ++d) {
      CAPTURE(n);
      CAPTURE(d);
      check_agrees([d](const array& v) { return lax::all_gather(v, "i", d); }, x);
      if (d < 3) check_agrees([d](const array& v) { return lax::all_gather(v, "i", d, true); }, x);
      check_agrees([d](const array& v) { return lax::all_gather(v, "i", d); }, sample({n, 2, 0, 4}));
    }
  }
}
TEST_CASE("pmap: psum_scatter in every dimension, by entry and by parts") {
  for (const int n : {1, 2, 3, 8})
    for (int d = 0; d < 3; ++d) {
      CAPTURE(n);
      CAPTURE(d);
      jq::shape entries{2, 3, 4}, parts{2, 3, 4};
      entries[d] = n;
      parts[d] = 3 * n;
      for (const jq::dtype t : {jq::i32, jq::f16, jq::c64}) {
        check_agrees([d](const array& v) { return lax::psum_scatter(v, "i", d); }, sample(jq::shape(entries.with(0, n)), t));
        check_agrees([d](const array& v) { return lax::psum_scatter(v, "i", d, true); }, sample(jq::shape(parts.with(0, n)), t));
      }
    }
  // Parts longer than what is combined at once.
  check_agrees([](const array& v) { return lax::psum_scatter(v, "i"); }, sample({3, 3, 10007}));
  check_agrees([](const array& v) { return lax::psum_scatter(v, "i", 1); }, sample({3, 2, 3, 10007}));
  check_agrees([](const array& v) { return lax::psum_scatter(v, "i", 0, true); }, sample({3, 0}));
}
TEST_CASE("pmap: all_to_all for every pair of dimensions, stacked and one after the other") {
  for (const int n : {1, 2, 3, 8})
    for (int split = 0; split < 3; ++split)
      for (int concat = 0; concat < 3; ++concat) {
        CAPTURE(n);
        CAPTURE(split);
        CAPTURE(concat);
        jq::shape entries{2, 3, 4}, parts{2, 3, 4};
        entries[split] = n;
        parts[split] = 2 * n;
        const auto stacked = [=](const array& v) { return lax::all_to_all(v, "i", split, concat); };
        const auto tiled = [=](const array& v) { return lax::all_to_all(v, "i", split, concat, true); };
        check_agrees(stacked, sample(jq::shape(entries.with(0, n)), jq::f32));
        check_agrees(tiled, sample(jq::shape(parts.with(0, n)), jq::i8));
        parts[(split + 1) % 3] = 0;
        check_agrees(tiled, sample(jq::shape(parts.with(0, n)), jq::c128));
      }
  // Each member's own piece stays, and what was exchanged comes back by the exchange of the dimensions.
  const array x = sample({3, 3, 5});
  const auto there_and_back = [](const array& v) { return lax::all_to_all(lax::all_to_all(v, "i", 0, 1), "i", 1, 0); };
  CHECK_SAME(jq::pmap(there_and_back, over_i)(x), x);
}
TEST_CASE("pmap: operands that all members share") {
  const array x = jq::asarray({1.0, 2.0, 3.0}), w = jq::asarray({10.0, 20.0, 30.0});
  const auto f = [](const array& v, const array& u) {
    return std::tuple{lax::psum(u, "i") + v, lax::pmax(u, "i") * v, lax::all_gather(u, "i"), lax::ppermute(u, "i", {{0, 1}}), lax::psum_scatter(u, "i"),
                      lax::all_to_all(u, "i", 0, 0), lax::pmean(u, "i")};
  };
  CHECK(same_tree(jq::pmap(f, over_i, jq::in_axes<0, jq::none>)(x, w), jq::vmap(f, over_i, jq::in_axes<0, jq::none>)(x, w)));
}
TEST_CASE("pmap: collectives of trees are those of their leaves") {
  const auto f = [](const array& v) {
    const std::vector<array> parts{v, 2.f * v};
    return std::tuple{lax::psum(std::pair{v, v > 1.f}, "i"), lax::pmean(parts, "i"), lax::ppermute(std::tuple{v}, "i", {{0, 1}, {1, 0}})};
  };
  CHECK(show(jq::pmap(f, over_i)(jq::asarray({1.f, 3.f}))) == "f32[2] 4 4, i32[2] 1 1, f32[2] 2 2, f32[2] 4 4, f32[2] 3 1");
}
TEST_CASE("pmap: collectives over an inner axis, the outer one, and both") {
  const array m = sample({2, 3});
  const auto check = [&](const function& f) {
    const array want = jq::vmap(jq::vmap(f, jq::axis_name<"j">), over_i)(m);
    CHECK_SAME(jq::pmap(jq::vmap(f, jq::axis_name<"j">), over_i)(m), want);
    CHECK_SAME(jq::pmap(jq::pmap(f, jq::axis_name<"j">), over_i)(m), want);
    CHECK_SAME(jq::vmap(jq::pmap(f, jq::axis_name<"j">), over_i)(m), want);
    CHECK_SAME(jq::pmap(jq::jit(jq::vmap(jq::jit(f), jq::axis_name<"j">)), over_i)(m), want);
  };
  check([](const array& v) { return lax::psum(v, "i"); });
  check([](const array& v) { return lax::psum(v, "j"); });
  check([](const array& v) { return lax::psum(v, {"i", "j"}); });
  check([](const array& v) { return lax::pmean(v, {"j", "i"}); });
  check([](const array& v) { return lax::pmax(v, {"i", "j"}); });
  check([](const array& v) { return lax::pmin(v, {"j", "i"}); });
  check([](const array&) { return lax::axis_index({"i", "j"}); });
  check([](const array&) { return lax::axis_index({"j", "i"}); });
  check([](const array& v) { return lax::all_gather(lax::all_gather(v, "i"), "j", 1); });
  check([](const array& v) { return lax::ppermute(lax::ppermute(v, "i", {{0, 1}, {1, 0}}), "j", {{0, 1}, {1, 2}}); });
  check([](const array& v) { return lax::all_to_all(lax::all_gather(v, "i"), "i", 0, 0); });
  // The position on both axes, the one named first varying slowest.
  CHECK(show(jq::pmap(jq::pmap([](const array&) { return lax::axis_index({"i", "j"}); }, jq::axis_name<"j">), over_i)(m)) == "i32[2,3] 0 1 2 3 4 5");
  CHECK(show(jq::pmap(jq::pmap([](const array&) { return lax::axis_index({"j", "i"}); }, jq::axis_name<"j">), over_i)(m)) == "i32[2,3] 0 2 4 1 3 5");
  // An axis of the same name inside hides the outer one.
  const auto sum = [](const array& v) { return lax::psum(v, "i"); };
  CHECK_SAME(jq::pmap(jq::vmap(sum, over_i), over_i)(m), jq::vmap(jq::vmap(sum, over_i), over_i)(m));
}
TEST_CASE("pmap: many collectives one after the other, some without readers") {
  const auto f = [](const array& v) {
    array x = v;
    for (int k = 0; k < 20; ++k) {
      x = lax::ppermute(x, "i", ring(8)) + float(k);
      lax::psum(x, "i");
      if (k % 5 == 4) x = x - lax::pmin(x, "i");
    }
    return x;
  };
  check_agrees(f, sample({8, 7}, jq::f32));
}
TEST_CASE("pmap: the same bits every time, on any thread's turn") {
  // Sums that depend on the order of their terms.
  const array x = jq::reshape(jq::sin(jq::arange(8 * 1003, jq::f32)), {8, 1003}) * jq::reshape(jq::exp(jq::arange(8, jq::f32)), {8, 1});
  const auto f = jq::pmap([](const array& v) {
    const array s = lax::psum(v, "i");
    return s + lax::psum(lax::ppermute(jq::sin(s * v), "i", ring(8)), "i") + lax::pmean(v * v, "i");
  }, over_i);
  const array first = f(x);
  int differences = 0;
  for (int round = 0; round < 100; ++round) differences += !same(f(x), first);
  CHECK(differences == 0);
}
