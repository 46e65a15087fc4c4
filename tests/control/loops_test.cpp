// lax::scan and lax::map as users call them: trees, options, weakly typed starts, and what is said of wrong bodies.
#include "control_testing.hpp"

using jq::array;
using jq::asarray;

namespace {

using two = std::pair<array, array>;
struct state {
  array position, speed;
};
const array xs = asarray({1.f, 2.f, 3.f});

template <class Error, class F>
std::string complaint(F&& f) {
  return testing::message_of<Error>(std::forward<F>(f));
}

}  // namespace

TEST_CASE("lax::scan: aggregates, vectors and pairs as carry, elements and results") {
  const auto [end, ys] = lax::scan(
      [](const state& s, const std::vector<array>& x) {
        const state next{s.position + s.speed, s.speed + x[0]};
        return std::pair{next, std::tuple{next.position, x[1]}};
      },
      state{asarray(0.f), asarray(1.f)}, std::vector{xs, xs * 2.f});
  CHECK(show(end) == "f32[] 7, f32[] 7");
  CHECK(show(ys) == "f32[3] 1 3 7, f32[3] 2 4 6");
}
TEST_CASE("lax::scan: unroll is a hint, which transforms pass on") {
  const auto sums = [](std::int64_t unroll) {
    return [=](const array& x) { return lax::scan([](const array& s, const array& v) { return two{s + v * v, s}; }, asarray(0.f), x, {.unroll = unroll}); };
  };
  CHECK(show(jq::jit(sums(2))(xs)) == show(sums(1)(xs)));
  const auto gradient = [&](const array& x) { return jq::grad([&](const array& v) { return sums(2)(v).first; })(x); };
  CHECK(show(gradient(xs)) == show(xs * 2.f));
  CHECK(testing::count(jq::to_string(jq::make_jaxpr(jq::vmap(gradient))(testing::stacked({xs, xs}))), "unroll=2") == 2);
}
TEST_CASE("lax::scan: a number as start takes the type that the body gives it") {
  const auto sum = [](const array& x) { return lax::scan([](const array& s, const array& v) { return two{s + v, s}; }, 0.0, x); };
  CHECK(show(sum(xs)) == "f32[] 6, f32[3] 0 1 3");
  CHECK(show(lax::scan([](const array& s, const array& v) { return two{s + v, v}; }, 0, xs).first) == "f32[] 6");
}
TEST_CASE("loops: no trips have the types of many, weakness included") {
  const array one = asarray(1.f);
  for (const array& start : {array(2.f), jq::sin(array(2.f)), array(2.0), array(2)})
    for (const int trips : {0, 1}) {
      const auto add = [&](const array&, const array& s) { return s + one; };
      const auto goes_on = [&](const array& s) { return s < float(2 * trips); };
      for (const array& y : {lax::fori_loop(0, trips, add, start), lax::fori_loop(0, asarray(trips), add, start),
                             lax::while_loop(goes_on, [&](const array& s) { return s + one; }, start),
                             jq::jit([&](const array& s) { return lax::fori_loop(0, trips, add, s); })(start)})
        CHECK(y.aval() == jq::aval(jq::f32, {}));
    }
}
TEST_CASE("lax::scan: a length without elements, and no trips") {
  const auto doubled = [](const array& s, const std::tuple<>& none) { return std::pair{s * 2.0, none}; };
  CHECK(show(lax::scan(doubled, asarray(1.0), std::tuple<>{}, {.length = 5}).first) == "f64[] 32");
  CHECK(show(lax::scan(doubled, asarray(1.0), std::tuple<>{}, {.length = 0}).first) == "f64[] 1");
  CHECK(show(jq::grad([&](const array& x) { return lax::scan(doubled, x, std::tuple<>{}, {.length = 0}).first; })(asarray(1.0))) == "f64[] 1");
}
TEST_CASE("lax::scan: borrowed elements may be returned and outlive the loop") {
  const std::vector<float> data{1, 2, 3};
  const auto last = [](const array&, const array& x) { return two{x, x}; };
  CHECK(show(lax::scan(last, asarray(0.f), data)) == "f32[] 3, f32[3] 1 2 3");
}
TEST_CASE("lax::scan: taps in the body run once a trip, in order") {
  std::vector<float> seen;
  const auto f = [&](const array& x) {
    return lax::scan(
        [&](const array& s, const array& v) {
          const array shown = jq::id_tap([&](const array& a, const jq::tap_context&) { seen.push_back(a.item<float>()); }, s + v);
          return two{shown, v};
        },
        asarray(0.f), x);
  };
  f(xs);
  jq::barrier_wait();
  CHECK(seen == std::vector<float>{1, 3, 6});
  seen.clear();
  CHECK(show(jq::jit(f)(xs)) == "f32[] 6, f32[3] 1 2 3");
  jq::barrier_wait();
  CHECK(seen == std::vector<float>{1, 3, 6});
}
TEST_CASE("lax::map: as vmap, one after the other") {
  const auto f = [](const array& x) { return std::tuple{lax::sin(x), x * 2.0}; };
  CHECK_REPORT(jq::testing::all_close(lax::map(f, xs), jq::vmap(f)(xs)));
  CHECK(show(jq::grad([&](const array& x) { return total(std::get<1>(lax::map(f, x))); })(xs)) == "f32[3] 2 2 2");
}
TEST_CASE("lax::scan: what is said of wrong arguments") {
  const auto keep = [](const array& s, const auto& v) { return std::pair{s, v}; };
  const auto run = [&](const auto& x, jq::scan_options o = {}) {
    return complaint<jq::value_error>([&] { lax::scan(keep, asarray(0.f), x, o); });
  };
  CHECK(run(std::vector{xs, jq::zeros({4})}).starts_with("scan got values with different leading axis sizes: 3, 4."));
  CHECK(run(std::tuple<>{}).starts_with("scan got no values to scan over and `length` not provided."));
  CHECK(run(xs, {.length = 5}).starts_with("scan got `length` argument of 5 which disagrees with leading axis sizes [3]"));
  CHECK(run(asarray(1.f)).starts_with("scan got value with no leading axis to scan over: ShapedArray(float32[])"));
  CHECK(run(std::tuple<>{}).find("loops_test.cpp:") != std::string::npos);
}
TEST_CASE("lax::scan: what is said of a carry that changes") {
  const auto types = complaint<jq::type_error>([] {
    lax::scan([](const array& s, const array& v) { return two{lax::convert_element_type(s, jq::i32, false), v}; }, asarray(0.f), xs);
  });
  CHECK(types.starts_with("scan carry output and input must have identical types, got\nDIFFERENT ShapedArray(int32[]) vs. ShapedArray(float32[])."));
  CHECK(types.find("loops_test.cpp:") != std::string::npos);
  CHECK(complaint<jq::type_error>([] {
          lax::scan([](const array& s, const array& v) { return std::pair{std::tuple{s, s}, v}; }, asarray(0.f), xs);
        }).starts_with("scan carry output and input must have same type structure, got (*, *) and *. "));
}
TEST_CASE("lax::fori_loop: what is said of a carry that changes names the loop and the carry alone") {
  const auto truth = [](const array&, const array& s) { return lax::gt(s, array(0.f)); };
  const auto twice = [](const array&, const array& s) { return std::tuple{s, s}; };
  for (const array& upper : {array(3), asarray(3)})
    for (bool compiled : {false, true}) {
      const auto said = [&](const auto& body) {
        const auto run = [&](const array& n, const array& start) { return lax::fori_loop(0, n, body, start); };
        return complaint<jq::type_error>([&] {
          if (compiled) jq::jit(run)(upper, asarray(0.f));
          else run(upper, asarray(0.f));
        });
      };
      CHECK(said(truth).starts_with("fori_loop carry output and input must have identical types, got\n"
                                    "DIFFERENT ShapedArray(bool[]) vs. ShapedArray(float32[])."));
      CHECK(said(twice).starts_with("fori_loop carry output and input must have same type structure, got (*, *) and *."));
      CHECK(said(truth).find("loops_test.cpp:") != std::string::npos);
    }
}
TEST_CASE("loops: a value that is asked for in a body names the loop that traces it") {
  const auto asks = [](const array& s) { return s.item<float>() > 0 ? s : -s; };
  CHECK(complaint<jq::concretization_error>([&] { lax::fori_loop(0, 3, [&](const array&, const array& s) { return asks(s); }, asarray(1.f)); })
            .find("traced by fori_loop") != std::string::npos);
  CHECK(complaint<jq::concretization_error>([&] { lax::map(asks, xs); }).find("traced by map") != std::string::npos);
}
TEST_CASE("lax::fori_loop: bounds that no double holds") {
  const auto visited = [](auto lower, auto trips) {
    const auto last = [](const array& i, const array&) { return i; };
    return lax::fori_loop(asarray(lower), asarray(decltype(lower)(lower + trips)), last, asarray(decltype(lower)(0)));
  };
  CHECK(visited((std::int64_t(1) << 60) + 1, 2).item<std::int64_t>() == (std::int64_t(1) << 60) + 2);
  CHECK(visited((std::uint64_t(1) << 63) + 1, 3).item<std::uint64_t>() == (std::uint64_t(1) << 63) + 3);
  CHECK(visited(std::int8_t(-100), 200).item<std::int8_t>() == 99);
}
TEST_CASE("lax::fori_loop passes its body constant arguments that stay, as references if it wants them") {
  const auto body = [](auto& i, auto& x) {
    static_assert(std::is_same_v<decltype(x), const array&>);
    return x + i;
  };
  CHECK(show(lax::fori_loop(0, 4, body, asarray(1.0))) == "f64[] 7");
  const auto counted = jq::jit([&](const array& n) { return lax::fori_loop(0, n, body, asarray(1.0)); });
  CHECK(show(counted(asarray(4))) == "f64[] 7");
}
