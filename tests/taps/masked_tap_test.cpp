// Taps under mask: the padded values, with the logical shapes of the run, beside every other transform.
#include "../show.hpp"

#include <sstream>

using jq::array;

namespace {

struct seen {
  std::vector<std::string> lines;
  /// "mask(3,)(2,),jvp: values"
  auto tap() {
    return [this](const auto& value, const jq::tap_context& c) {
      std::string s;
      for (const jq::transform_record& t : c.transforms) {
        s += (s.empty() ? "" : ",") + t.name;
        for (const jq::shape& d : t.logical_shapes) s += jq::cat(d).view();
        for (int d : t.batch_dims) s += " " + std::to_string(d);
      }
      lines.push_back((s.empty() ? "" : s + ": ") + show(value));
    };
  }
  std::vector<std::string> take() { return std::exchange(lines, {}); }
};
using lines = std::vector<std::string>;

const array x = jq::asarray({1.f, 2.f, 3.f, 4.f});
template <class F>
auto masked(F f) {
  return [f](const array& v, const array& n) { return jq::mask(f, jq::in_shapes<"n">, jq::out_shape<"">)(jq::args(v), jq::dims{{"n", n}}); };
}

}  // namespace

TEST_CASE("id_tap under mask: real logical shapes, also compiled") {
  seen log;
  const auto f = masked([&](const array& v) { return jq::sum(jq::id_tap(log.tap(), v * 2.0)); });
  CHECK(show(f(x, jq::asarray(3))) == "f32[] 12");
  CHECK(log.take() == lines{"mask(3,): f32[4] 2 4 6 0"});
  const auto g = jq::jit(f);
  g(x, jq::asarray(2));
  g(x, jq::asarray(1));
  CHECK(log.take() == lines{"mask(2,): f32[4] 2 4 0 0", "mask(1,): f32[4] 2 0 0 0"});
}
TEST_CASE("id_tap under mask: trees, scalars and results") {
  seen log;
  const auto f = masked([&](const array& v) {
    const auto p = jq::id_tap(log.tap(), std::pair{jq::concatenate({v, v}), jq::sum(v)}, jq::result(v));
    return jq::sum(p);
  });
  CHECK(show(f(x, jq::asarray(2))) == "f32[] 3");
  const std::vector<std::string> got = log.take();
  REQUIRE(got.size() == 1);
  CHECK(got[0].starts_with("mask(4,)(): f32[8] 1 2 1 2 "));
  CHECK(got[0].ends_with("f32[] 3"));
}
TEST_CASE("id_tap under mask and grad: tangents and cotangents take the shapes along") {
  seen log;
  const auto f = masked([&](const array& v) { return jq::sum(jq::id_tap(log.tap(), v) * v); });
  CHECK(show(jq::grad(f)(x, jq::asarray(2))) == "f32[4] 2 4 0 0");
  CHECK(log.take() == lines{"mask(2,): f32[4] 1 2 0 0", "mask(2,),jvp,transpose: f32[4] 1 2 0 0"});
}
TEST_CASE("id_tap under vmap of mask: one shape per example") {
  seen log;
  const auto f = jq::vmap(masked([&](const array& v) { return jq::sum(jq::id_tap(log.tap(), v)); }));
  CHECK(show(f(jq::asarray({{1.f, 2.f}, {3.f, 4.f}}), jq::asarray({2, 1}))) == "f32[2] 3 3");
  CHECK(log.take() == lines{"mask(2,)(1,),batch 0: f32[2,2] 1 2 3 0"});
}
TEST_CASE("id_tap under mask: every run tells its own sizes, by both deliveries") {
  for (const jq::tap_delivery how : {jq::tap_delivery::direct, jq::tap_delivery::outfeed}) {
    jq::set_tap_delivery(how);
    seen log;
    const auto f = masked([&](const array& v) { return jq::sum(jq::id_tap(log.tap(), v)); });
    const auto compiled = jq::jit(f);
    lines want;
    for (const int n : {3, 1, 4, 0, 3, 2}) {
      std::string line = "mask(" + std::to_string(n) + ",): f32[4]";
      for (int i = 1; i <= 4; ++i) line += i <= n ? " " + std::to_string(i) : "";
      compiled(x, jq::asarray(n));
      f(x, jq::asarray(n));
      want.push_back(line), want.push_back(line);
    }
    jq::barrier_wait();
    lines got = log.take();
    REQUIRE(got.size() == want.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      INFO(got[i]);
      CHECK(got[i].starts_with(want[i]));  // what the padding holds means nothing
    }
  }
  jq::reset_tap_delivery();
}
TEST_CASE("id_tap under mask: more sizes than a tap keeps contexts, then none at all") {
  for (const jq::tap_delivery how : {jq::tap_delivery::direct, jq::tap_delivery::outfeed}) {
    jq::set_tap_delivery(how);
    std::vector<std::int64_t> sizes;
    std::size_t unmasked = 0;
    const auto see = [&](const array&, const jq::tap_context& c) {
      if (c.transforms.empty()) ++unmasked;
      else sizes.push_back(c.transforms[0].logical_shapes[0][0]);
    };
    const array long_x = jq::ones({100});
    const auto program = [&](const array& v) { return jq::sum(jq::id_tap(see, v)); };
    const auto f = jq::jit(masked(program));
    for (int n = 0; n <= 100; ++n) f(long_x, jq::asarray(n));
    program(long_x);
    jq::barrier_wait();
    REQUIRE(sizes.size() == 101);
    for (std::int64_t n = 0; n <= 100; ++n) CHECK(sizes[std::size_t(n)] == n);
    CHECK(unmasked == 1);
  }
  jq::reset_tap_delivery();
}
TEST_CASE("id_tap under mask of mask: the shapes of each level, innermost first") {
  seen log;
  const auto outer = [&](const array& a, const array& b, const array& n, const array& m) {
    const auto f = [&](const array& v, const array& s) {
      const auto product = [&](const array& w) {
        const auto [p, q] = jq::id_tap(log.tap(), std::pair{v, w});
        return jq::sum(p) * jq::sum(q);
      };
      return jq::mask(product, jq::in_shapes<"m">, jq::out_shape<"">)(jq::args(s), jq::dims{{"m", m}});
    };
    return jq::mask(f, jq::in_shapes<"n", "3">, jq::out_shape<"">)(jq::args(a, b), jq::dims{{"n", n}});
  };
  const array scale = jq::asarray({1.f, 10.f, 100.f});
  CHECK(show(outer(x, scale, jq::asarray(2), jq::asarray(3))) == "f32[] 333");
  CHECK(show(jq::jit(outer)(x, scale, jq::asarray(3), jq::asarray(1))) == "f32[] 6");
  CHECK(log.take() == lines{"mask(2,)(3,),mask(2,)(3,): f32[4] 1 2 0 0, f32[3] 1 10 100",
                            "mask(3,)(1,),mask(3,)(3,): f32[4] 1 2 3 0, f32[3] 1 0 0"});
}
TEST_CASE("id_print under mask") {
  std::ostringstream out;
  const auto f = masked([&](const array& v) { return jq::sum(jq::id_print(v, jq::kw("what", "x"), jq::output_stream(out))); });
  f(x, jq::asarray(3));
  CHECK(out.str() == "transforms: [('mask', {'logical_shapes': [(3,)]})] what: x\n[1. 2. 3. 0.]\n");
}
