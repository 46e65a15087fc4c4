// id_tap: what it returns, when it fires and with what, under every transform, in which order, and when it does not.
#include "tap_log.hpp"

#include <map>
#include <memory>
#include <sstream>

using jq::array;
using testing::tap_log;

namespace {

/// x * 3 tap(2 x), whose gradient is 12 x.
template <class Log>
auto tapped_square(Log& log) {
  return [&log](const array& x) { return x * (3.0 * jq::id_tap(log(), x * 2.0)); };
}
const array two = jq::asarray({1.f, 2.f});

}  // namespace

TEST_CASE("id_tap: eagerly, at once, and returns its argument") {
  tap_log log;
  const array y = jq::id_tap(log(), two);
  CHECK(log.take() == lines{"f32[2] 1 2"});
  CHECK(show(y) == show(two));
  const std::pair p = jq::id_tap(log(), std::pair{two, jq::asarray(3)});
  CHECK(log.take() == lines{"f32[2] 1 2, i32[] 3"});
  CHECK(show(p) == "f32[2] 1 2, i32[] 3");
}
TEST_CASE("id_tap: fn(arg) or fn(arg, context), any tree, numbers and foreign arrays as arrays") {
  int calls = 0;
  jq::id_tap([&](const array& x) { calls += x.item<int>(); }, 2);
  jq::id_tap([&](const array& x, const jq::tap_context&) { calls += int(x.size()); }, std::vector<double>{1, 2, 3});
  jq::id_tap([&](const std::map<std::string, array>& m) { calls += int(m.at("k").size()); },
             std::map<std::string, array>{{"k", jq::zeros({4})}});
  CHECK(calls == 9);
}
TEST_CASE("id_tap: keywords reach the function as they were given") {
  jq::tap_context seen;
  jq::id_tap([&](const array&, const jq::tap_context& c) { seen = c; }, two, jq::kw("what", "x"), jq::kw("step", 3), jq::kw("rate", 0.5),
             jq::kw("last", true));
  REQUIRE(seen.kwargs.size() == 4);
  CHECK(seen.kwargs[0].name == "what");
  CHECK(seen.kwargs[0].value.get<std::string>() == "x");
  CHECK(seen.kwargs[1].value.get<std::int64_t>() == 3);
  CHECK(seen.kwargs[2].value.get<double>() == 0.5);
  CHECK(seen.kwargs[3].value.get<bool>());
  CHECK(seen.transforms.empty());
}
TEST_CASE("id_tap: result= is returned instead, and ordered after the tap") {
  tap_log log;
  const auto f = [&](const array& x) { return jq::id_tap(log(), x * 2.f, jq::result(x + 1.f)); };
  CHECK(show(f(two)) == "f32[2] 2 3");
  CHECK(log.take() == lines{"f32[2] 2 4"});
  CHECK(show(jq::jit(f)(two)) == "f32[2] 2 3");
  CHECK(log.take() == lines{"f32[2] 2 4"});
  const auto tree = jq::id_tap(log(), two, jq::result(std::pair{two, 5}));
  CHECK(show(tree) == "f32[2] 1 2, i32[] 5");
}
TEST_CASE("id_tap: under jit at every call, never while tracing") {
  tap_log log;
  const auto f = jq::jit([&](const array& x) { return jq::id_tap(log(), x) + 1.f; });
  jq::make_jaxpr(f)(two);
  jq::eval_shape(f)(two);
  f.lower(two);
  CHECK(log.take().empty());
  f(two);
  f(jq::asarray({3.f, 4.f}));
  CHECK(log.take() == lines{"f32[2] 1 2", "f32[2] 3 4"});
}
TEST_CASE("id_tap: in program order, however the data flow") {
  tap_log log;
  const auto f = [&](const array& x) {
    const array a = jq::id_tap(log(), x * 1.0), b = jq::id_tap(log(), x * 2.0), c = jq::id_tap(log(), x * 3.0);
    return c + (a + b);
  };
  f(jq::asarray(1.0));
  CHECK(log.take() == lines{"f64[] 1", "f64[] 2", "f64[] 3"});
  jq::jit(f)(jq::asarray(1.0));
  CHECK(log.take() == lines{"f64[] 1", "f64[] 2", "f64[] 3"});
}
TEST_CASE("id_tap: without use of its result it is dropped under jit, and nowhere else") {
  tap_log log;
  const auto f = [&](const array& x) {
    jq::id_tap(log(), x);
    return x * 2.f;
  };
  CHECK(show(jq::jit(f)(two)) == "f32[2] 2 4");
  CHECK(log.take().empty());
  f(two);
  CHECK(log.take() == lines{"f32[2] 1 2"});
  jq::vmap(f)(two);
  CHECK(log.take() == lines{"batch(0): f32[2] 1 2"});
  jq::jit([&](const array& x) { return jq::jit(f)(x); })(two);
  CHECK(log.take().empty());
}
TEST_CASE("id_tap: so it is in bodies of loops and branches, at every depth") {
  tap_log log;
  const auto untapped = [&](const array& x) {
    const auto tapped = [&](const array& y) {
      jq::id_tap(log(), y * 2.f);
      return y + 1.f;
    };
    const array a = jq::lax::fori_loop(0, 2, [&](const array&, const array& y) { return jq::lax::cond(y(0) < 9.f, tapped, tapped, y); }, x);
    const auto [b, ys] = jq::lax::scan([&](const array& c, const array& y) { return std::pair{c, tapped(y)}; }, array(0.f), a);
    return jq::checkpoint(tapped)(ys + b);
  };
  const std::string want = show(untapped(two));
  CHECK(log.take().size() == 5);
  CHECK(show(jq::jit(untapped)(two)) == want);
  CHECK(log.take().empty());
  // Of two carried values the tapped one is not read.
  const auto unread = [&](const array& x) {
    return jq::lax::fori_loop(0, 3, [&](const array&, const std::pair<array, array>& c) { return std::pair{c.first * 2.f, jq::id_tap(log(), c.second + 1.f)}; },
                              std::pair{x, x}).first;
  };
  CHECK(show(jq::jit(unread)(two)) == "f32[2] 8 16");
  CHECK(log.take().empty());
  unread(two);
  CHECK(log.take().size() == 3);
  // What is used is shown.
  const auto used = [&](const array& x) { return jq::lax::fori_loop(0, 2, [&](const array&, const array& y) { return jq::id_tap(log(), y + 1.f); }, x); };
  CHECK(show(jq::jit(used)(two)) == "f32[2] 3 4");
  CHECK(log.take() == lines{"f32[2] 2 3", "f32[2] 3 4"});
}
TEST_CASE("id_tap: equal taps fire each") {
  tap_log log;
  const auto fn = log();
  const auto f = [&](const array& x) { return jq::id_tap(fn, x) + jq::id_tap(fn, x); };
  jq::jit(f)(two);
  CHECK(log.take() == lines{"f32[2] 1 2", "f32[2] 1 2"});
}
TEST_CASE("id_tap: jvp taps the primal, then the tangent") {
  tap_log log;
  const auto f = [&](const array& x) {
    const array a = jq::id_tap(log(), x * 2.0);
    return a * jq::id_tap(log(), x * 3.0);
  };
  const auto [y, t] = jq::jvp(f, jq::primals(array(5.0)), jq::tangents(0.1));
  CHECK(log.take() == lines{"f64[] 10", "jvp: f64[] 0.2", "f64[] 15", "jvp: f64[] 0.3"});
  CHECK(show(t) == "f64[] 6");
}
TEST_CASE("id_tap: tangents that are zero are tapped as zeros, integers as float0") {
  tap_log log;
  const auto f = [&](const array& x, const array& n) {
    const auto [a, b, c] = jq::id_tap(log(), std::tuple{x, n, jq::ones({2})});
    return a * b + total(c);
  };
  jq::jvp(f, jq::primals(5.0, jq::asarray(2)), jq::tangents(1.0, jq::asarray(false)));
  CHECK(log.take() == lines{"f64[] 5, i32[] 2, f32[2] 1 1", "jvp: f64[] 1, bool[] 0, f32[2] 0 0"});
  CHECK(show(jq::grad(f)(5.0, jq::asarray(2))) == "f64[] 2");
  CHECK(log.take() == lines{"f64[] 5, i32[] 2, f32[2] 1 1", "jvp,transpose: f64[] 2, bool[] 0, f32[2] 1 1"});
}
TEST_CASE("id_tap: grad taps primals in order, then cotangents backwards") {
  tap_log log;
  const auto f = [&](const array& x) {
    const array a = jq::id_tap(log(), x * 2.0);
    return jq::id_tap(log(), a * 3.0);
  };
  CHECK(double(jq::grad(f)(array(5.0))) == 6);
  CHECK(log.take() == lines{"f64[] 10", "f64[] 30", "jvp,transpose: f64[] 1", "jvp,transpose: f64[] 3"});
  CHECK(double(jq::grad(tapped_square(log))(array(5.0))) == 60);
  CHECK(log.take() == lines{"f64[] 10", "jvp,transpose: f64[] 15"});
}
TEST_CASE("id_tap: grad of grad") {
  tap_log log;
  CHECK(double(jq::grad(jq::grad(tapped_square(log)))(array(5.0))) == 12);
  CHECK(log.take() == lines{"f64[] 10", "jvp,transpose: f64[] 15", "jvp,transpose,jvp,transpose: f64[] 2", "jvp,transpose: f64[] 3"});
  // Compiled, the taps of 10 and 15 go: the second derivative does not depend on them.
  CHECK(show(jq::jit(jq::grad(jq::grad(tapped_square(log))))(array(5.0))) == "f64[] 12");
  CHECK(log.take() == lines{"jvp,transpose,jvp,transpose: f64[] 2", "jvp,transpose: f64[] 3"});
}
TEST_CASE("id_tap: making the program of a gradient fires nothing") {
  tap_log log;
  jq::make_jaxpr(jq::grad(jq::grad(tapped_square(log))))(array(5.0));
  CHECK(log.take().empty());
}
TEST_CASE("id_tap: gradients are not changed by taps") {
  tap_log log;
  const auto plain = [](const array& x) { return total(lax::sin(x) * x); };
  const auto tapped = [&](const array& x) {
    const auto [s, y] = jq::id_tap(log(), std::pair{lax::sin(x), x});
    return total(jq::id_tap(log(), s * y, jq::result(s * y)));
  };
  const array x = jq::asarray({0.5, 1.5});
  CHECK(show(jq::grad(tapped)(x)) == show(jq::grad(plain)(x)));
  CHECK(show(jq::hessian(tapped)(x)) == show(jq::hessian(plain)(x)));
  CHECK(show(jq::jvp(tapped, jq::primals(x), jq::tangents(x)).second) == show(jq::jvp(plain, jq::primals(x), jq::tangents(x)).second));
}
TEST_CASE("id_tap: vmap shows the whole batch once, with the batch dimension of each leaf") {
  tap_log log;
  const auto f = [&](const array& x, const array& y) { return std::get<1>(jq::id_tap(log(), std::pair{x, y * 2.f})); };
  jq::vmap(f, jq::in_axes<jq::none, 0>)(jq::asarray(3.f), two);
  CHECK(log.take() == lines{"batch(-,0): f32[] 3, f32[2] 2 4"});
  jq::vmap([&](const array& x) { return jq::id_tap(log(), x); }, jq::in_axes<1>)(jq::asarray({{1.f, 2.f}, {3.f, 4.f}}));
  CHECK(log.take() == lines{"batch(1): f32[2,2] 1 2 3 4"});
}
TEST_CASE("id_tap: nested vmaps keep their batch dimensions per level; results are not listed") {
  tap_log log;
  const array m = jq::asarray({{1.f, 2.f, 3.f}, {4.f, 5.f, 6.f}});
  const auto f = [&](const array& x) { return jq::id_tap(log(), x, jq::result(x * 2.f)); };
  CHECK(show(jq::vmap(jq::vmap(f))(m)) == "f32[2,3] 2 4 6 8 10 12");
  CHECK(log.take() == lines{"batch(0),batch(0): f32[2,3] 1 2 3 4 5 6"});
  jq::vmap(jq::vmap(f), jq::in_axes<1>)(m);
  CHECK(log.take() == lines{"batch(0),batch(1): f32[2,3] 1 2 3 4 5 6"});
  jq::vmap([&](const array& row) { return jq::vmap([&](const array& x) { return f(x * row[0]); }, jq::in_axes<0>)(row); })(m);
  CHECK(log.take() == lines{"batch(0),batch(0): f32[2,3] 1 2 3 16 20 24"});
}
TEST_CASE("id_tap: a tap of nothing mapped is not batched") {
  tap_log log;
  jq::vmap([&](const array& x, const array& c) { return x * jq::id_tap(log(), c); }, jq::in_axes<0, jq::none>)(two, jq::asarray(5.f));
  CHECK(log.take() == lines{"f32[] 5"});
}
TEST_CASE("id_tap: transforms are listed innermost first") {
  tap_log log;
  const auto f = [&](const array& x) { return jq::id_tap(log(), x * 2.f) * x; };
  jq::vmap(jq::grad(f))(two);
  CHECK(log.take() == lines{"batch(0): f32[2] 2 4", "jvp,transpose,batch(0): f32[2] 1 2"});
  jq::grad([&](const array& x) { return total(jq::vmap(f)(x)); })(two);
  CHECK(log.take() == lines{"batch(0): f32[2] 2 4", "batch(0),jvp,transpose: f32[2] 1 2"});
}
TEST_CASE("id_tap: inside jit inside transforms") {
  tap_log log;
  const auto f = jq::jit([&](const array& x) { return jq::id_tap(log(), x * 2.0) * x; });
  CHECK(double(jq::grad(f)(array(5.0))) == 20);
  CHECK(log.take() == lines{"f64[] 10", "jvp,transpose: f64[] 5"});
  jq::vmap(f)(jq::asarray({1.0, 2.0}));
  CHECK(log.take() == lines{"batch(0): f64[2] 2 4"});
  jq::jit([&](const array& x) { return f(x) + 1.0; })(array(1.0));
  CHECK(log.take() == lines{"f64[] 2"});
}
TEST_CASE("id_tap: values on demand do not fire taps, the evaluation does, once") {
  tap_log log;
  const auto f = [&](const array& x) {
    const array y = jq::id_tap(log(), x * 2.0);
    return bool(y > 1.0) && y.item<double>() < 100 ? y * y : y;
  };
  CHECK(double(jq::grad(f)(array(3.0))) == 24);
  CHECK(log.take() == lines{"f64[] 6", "jvp,transpose: f64[] 12"});
}
TEST_CASE("id_tap: no leaves at all") {
  int calls = 0;
  const auto see = [&](const std::tuple<>&) { ++calls; };
  jq::id_tap(see, std::tuple<>{});
  CHECK(calls == 1);
  CHECK(show(jq::id_tap(see, std::tuple<>{}, jq::result(two))) == "f32[2] 1 2");
  CHECK(calls == 2);
  const auto f = [&](const array& x) { return jq::id_tap(see, std::tuple<>{}, jq::result(x)) * 2.0; };
  CHECK(show(jq::jit(f)(array(1.0))) == "f64[] 2");
  CHECK(calls == 3);
  CHECK(double(jq::grad(f)(array(1.0))) == 2);
  CHECK(calls == 5);
  jq::jvp([&](const array& x) { jq::id_tap(see, std::tuple<>{}); return x; }, jq::primals(array(1.0)), jq::tangents(1.0));
  CHECK(calls == 6);
}
TEST_CASE("id_tap: booleans, integers and complex numbers") {
  tap_log log;
  jq::jit([&](const array& x) { return jq::id_tap(log(), std::tuple{x > 1.f, x.astype(jq::i8), lax::complex(x, x)}); })(two);
  CHECK(log.take() == lines{"bool[2] 0 1, i8[2] 1 2, c64[2] 1+1i 2+2i"});
}
TEST_CASE("id_tap: functions may call the library, other transforms and other compiled functions") {
  std::string seen;
  const auto square = jq::jit([](const array& x) { return x * x; });
  const auto f = [&](const array& x) {
    return jq::id_tap([&](const array& v) { seen = show(square(v)) + "; " + show(jq::grad(square)(v)); }, x * 1.0);
  };
  jq::jit(f)(array(3.0));
  CHECK(seen == "f64[] 9; f64[] 6");
  jq::grad([&](const array& x) { return f(x); })(array(4.0));
  jq::barrier_wait();
}
TEST_CASE("id_tap: functions that own what they capture live as long as the program") {
  auto count = std::make_shared<int>(0);
  {
    const auto f = jq::jit([count](const array& x) { return jq::id_tap([count](const array&) { ++*count; }, x); });
    f(two);
    f(two);
    CHECK(*count == 2);
    CHECK(count.use_count() > 1);
  }
  CHECK(count.use_count() == 1);
}
TEST_CASE("id_tap: constants, whatever transforms surround them") {
  tap_log log;
  const array captured = jq::asarray({1.f, 2.f});
  const auto f = [&](const array& x) {
    const array a = jq::id_tap(log(), 3.0), b = jq::id_tap(log(), captured), c = jq::id_tap(log(), jq::arange(3));
    return x * a + jq::sum(b) + jq::sum(c);
  };
  const lines plain{"f64[] 3", "f32[2] 1 2", "i64[3] 0 1 2"};
  CHECK(show(f(array(2.0))) == "f32[] 12");
  CHECK(log.take() == plain);
  CHECK(show(jq::jit(f)(array(2.0))) == "f32[] 12");
  CHECK(log.take() == plain);
  CHECK(show(jq::vmap(f)(jq::asarray({1.0, 2.0}))) == "f64[2] 9 12");
  CHECK(log.take() == plain);
  CHECK(double(jq::grad(f)(array(2.0))) == 3);
  CHECK(log.take() == plain);
  CHECK(show(jq::jit([&](const array& x) { return jq::jit(f)(x); })(array(2.0))) == "f32[] 12");
  CHECK(log.take() == plain);
}
TEST_CASE("id_tap: both deliveries show every dtype, and the same of every program") {
  const array m = jq::asarray({{1.f, 2.f, 3.f}, {4.f, 5.f, 6.f}});
  const auto shown = [&](jq::tap_delivery how, bool compiled) {
    jq::set_tap_delivery(how);
    tap_log log;
    const auto run = [&](auto f, const auto& x) {
      if (compiled) jq::jit(f)(x);
      else f(x);
    };
    const auto tap = [&](const array& x) { return jq::id_tap(log(), x); };
    const auto twice = [&](const array& x) { return tap(x * x) * x; };
    for (int t = 0; t < jq::dtype_count; ++t)
      for (const jq::shape& s : {jq::shape{}, jq::shape{2}, jq::shape{0, 3}}) run(tap, jq::ones(s, jq::dtype(t)));
    run([&](const array& x) { return jq::id_tap(log(), std::tuple<>{}, jq::result(x)); }, two);
    run([&](const array& x) { return jq::id_tap(log(), std::pair{std::tuple<>{}, jq::arange(2)}, jq::result(x)); }, two);
    run([&](const array& x) { return jq::jit([&](const array& y) { return tap(jq::jit(tap)(y) * 2.0); })(x); }, two);
    run(jq::vmap(jq::vmap(tap), jq::in_axes<1>), m);
    run(jq::vmap(jq::vmap(twice)), m);
    run(jq::grad(jq::grad(twice)), array(3.0));
    run(jq::vmap(jq::grad(jq::grad(twice))), two);
    run([&](const array& x) { return lax::fori_loop(0, 2, [&](const array& i, const array& v) { return jq::id_tap(log(), v * 2.0, jq::result(v + i)); }, x); }, array(1.0));
    run([&](const array& x) { return lax::cond(x > 0.0, tap, [](const array& y) { return -y; }, x); }, array(1.0));
    jq::barrier_wait();
    jq::reset_tap_delivery();
    return log.take();
  };
  const lines want = shown(jq::tap_delivery::direct, true);
  REQUIRE(want.size() > 3 * jq::dtype_count);
  lines dtypes;
  for (int t = 0; t < jq::dtype_count; ++t) {
    const std::string name(jq::name(jq::dtype(t))), one = jq::is_complex(jq::dtype(t)) ? " 1+0i" : " 1";
    dtypes.insert(dtypes.end(), {name + "[]" + one, name + "[2]" + one + one, name + "[0,3]"});
  }
  CHECK(lines(want.begin(), want.begin() + 3 * jq::dtype_count) == dtypes);
  const lines rest(want.begin() + 3 * jq::dtype_count, want.end());
  CHECK(rest == lines{"", "i64[2] 0 1", "f32[2] 1 2", "f32[2] 2 4", "batch(0),batch(1): f32[2,3] 1 2 3 4 5 6",
                      "batch(0),batch(0): f32[2,3] 1 4 9 16 25 36", "jvp,transpose: f64[] 3", "jvp,transpose,jvp,transpose: f64[] 6",
                      "jvp,transpose: f64[] 1", "jvp,transpose,batch(0): f32[2] 1 2", "jvp,transpose,jvp,transpose,batch(0): f32[2] 2 4",
                      "jvp,transpose: f32[] 1", "f64[] 2", "f64[] 2", "f64[] 1"});
  CHECK(shown(jq::tap_delivery::outfeed, true) == want);
  CHECK(shown(jq::tap_delivery::outfeed, false) == shown(jq::tap_delivery::direct, false));
}
TEST_CASE("id_tap: errors end with the user's line") {
  const array empty;
  const auto line_of = [](const auto& f) -> std::string {
    try {
      f();
    } catch (const jq::error& e) {
      const std::string message = e.what();
      return message.substr(message.rfind('/') + 1);
    }
    return "no error";
  };
  const auto see = [](const auto&) {};
  const auto here = [](int line) { return "id_tap_test.cpp:" + std::to_string(line) + "]"; };
  CHECK(line_of([&] { jq::id_tap(see, empty); }) == here(__LINE__));
  CHECK(line_of([&] { jq::id_tap(see, empty, jq::kw("what", "x"), jq::result(two)); }) == here(__LINE__));
  CHECK(line_of([&] { jq::id_tap(see, empty, jq::result(two)); }) == here(__LINE__));
  CHECK(line_of([&] { jq::id_print(empty); }) == here(__LINE__));
  CHECK(line_of([&] { jq::id_print(empty, jq::threshold(10)); }) == here(__LINE__));
  std::ostringstream out;
  CHECK(line_of([&] { jq::id_print(empty, jq::output_stream(out)); }) == here(__LINE__));
  CHECK(line_of([&] { jq::debug::print("{}", empty); }) == here(__LINE__));
  CHECK(line_of([&] { jq::debug::print("{} {}", two); }) == here(__LINE__));
}
