// pure_callback, io_callback and call: results, transforms that work and that do not, effects, order, errors.
#include "tap_log.hpp"

#include <stdexcept>

using jq::array;
using jq::vmap_method;

namespace {

/// sin on the host.
array host_sin(const array& x) { return lax::sin(x); }
const array three = jq::asarray({1.0, 2.0, 3.0});

template <class... O>
auto with(O... options) {
  return [=](const array& x) { return jq::pure_callback(host_sin, jq::shape_dtype(x.shape(), x.dtype()), x, options...); };
}

}  // namespace

TEST_CASE("callbacks: pure_callback computes eagerly, compiled and nested in compiled functions") {
  const auto f = with();
  CHECK(show(f(three)) == show(lax::sin(three)));
  CHECK(show(jq::jit(f)(three)) == show(lax::sin(three)));
  CHECK(show(jq::jit([&](const array& x) { return jq::jit(f)(x) + 1.0; })(three)) == show(lax::sin(three) + 1.0));
}
TEST_CASE("callbacks: trees of arguments and results, none at all, every dtype") {
  struct pair {
    array first, second;
  };
  const auto swap = [](const std::pair<array, std::vector<array>>& p, const array& c) {
    return std::tuple{p.second[0], pair{c, p.first}};
  };
  const auto r = jq::jit([&](const array& a, const array& b, const array& c) {
    return jq::pure_callback(swap, std::tuple{b, pair{c, a}}, std::pair{a, std::vector<array>{b}}, c);
  })(jq::asarray(1), jq::asarray({true, false}), jq::asarray({1.f, 2.f}));
  CHECK(show(r) == "bool[2] 1 0, f32[2] 1 2, i32[] 1");
  CHECK(show(jq::pure_callback([] { return std::tuple<>{}; }, std::tuple<>{})).empty());
  for (int t = 0; t < jq::dtype_count; ++t) {
    const array x = jq::ones({2}, jq::dtype(t));
    CHECK(show(jq::jit([&](const array& y) { return jq::pure_callback([](const array& z) { return z; }, y, y); })(x)) == show(x));
  }
}
TEST_CASE("callbacks: numbers returned take the announced type") {
  CHECK(show(jq::pure_callback([](const array& x) { return 2 * double(x); }, 0.f, 1.5f)) == "f32[] 3");
  CHECK(show(jq::pure_callback([](const array&) { return std::vector<float>{1, 2}; }, jq::zeros({2}), 0)) == "f32[2] 1 2");
}
TEST_CASE("callbacks: vmap methods") {
  const array m = jq::asarray({{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}});
  std::vector<std::string> seen;
  const auto run = [&](auto method, const array& x, const array& c) {
    seen.clear();
    return show(jq::vmap([&](const array& row, const array& shift) {
      return jq::pure_callback(
          [&](const array& a, const array& b) {
            seen.push_back(std::string(jq::cat(a.shape(), b.shape()).view()));
            if (b.ndim() == a.ndim()) return a + b;
            return a + jq::reshape(b, {});
          },
          row, row, shift, method);
    }, jq::in_axes<0, jq::none>)(x, c));
  };
  const std::string sum = "f64[3,2] 11 12 13 14 15 16";
  const array ten = jq::asarray({10.0, 10.0});
  CHECK(run(vmap_method::sequential, m, ten) == sum);
  CHECK(seen == std::vector<std::string>{"(2,)(2,)", "(2,)(2,)", "(2,)(2,)"});
  CHECK(run(vmap_method::sequential_unrolled, m, ten) == sum);
  CHECK(seen.size() == 3);
  CHECK(run(jq::vectorized(false), m, ten) == sum);
  CHECK(seen.size() == 3);
  CHECK(run(vmap_method::expand_dims, m, ten) == sum);
  CHECK(seen == std::vector<std::string>{"(3, 2)(1, 2)"});
  CHECK(run(vmap_method::broadcast_all, m, ten) == sum);
  CHECK(seen == std::vector<std::string>{"(3, 2)(3, 2)"});
  CHECK(run(jq::vectorized(true), m, jq::asarray(10.0)) == sum);
  CHECK(seen == std::vector<std::string>{"(3, 2)()"});
}
TEST_CASE("callbacks: nested vmaps, other axes, under jit") {
  const array m = jq::asarray({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}});
  for (const vmap_method how : {vmap_method::sequential, vmap_method::expand_dims, vmap_method::broadcast_all, vmap_method::legacy_vectorized}) {
    const auto f = with(how);
    CHECK(show(jq::vmap(jq::vmap(f))(m)) == show(lax::sin(m)));
    CHECK(show(jq::vmap(jq::vmap(f), jq::in_axes<1>, jq::out_axes<1>)(m)) == show(lax::sin(m)));
    CHECK(show(jq::jit(jq::vmap(f, jq::in_axes<1>, jq::out_axes<1>))(m)) == show(lax::sin(m)));
  }
  const auto outer = [&](const array& a, const array& b) {
    return jq::vmap([&](const array& y) {
      return jq::pure_callback([](const array& p, const array& q) { return p * 10.0 + q; }, 0.0, a, y, vmap_method::sequential);
    })(b);
  };
  CHECK(show(jq::vmap(outer, jq::in_axes<0, jq::none>)(jq::asarray({1.0, 2.0}), three)) == "f64[2,3] 11 12 13 21 22 23");
}
TEST_CASE("callbacks: what transforms refuse") {
  using testing::message_of;
  CHECK(message_of<jq::not_implemented>([] { jq::vmap(with())(three); }).find("vmap is only supported") != std::string::npos);
  CHECK(message_of<jq::not_implemented>([] { jq::grad([](const array& x) { return with()(x); })(array(1.0)); })
            .find("Pure callbacks do not support JVP. Please use jq::custom_jvp") != std::string::npos);
  const auto io = [](bool in_order) {
    return [=](const array& x) { return jq::io_callback(host_sin, x, x, jq::in_order(in_order)); };
  };
  for (const bool in_order : {false, true})
    CHECK(message_of<jq::not_implemented>([&] { jq::jvp(io(in_order), jq::primals(array(1.0)), jq::tangents(1.0)); })
              .find("IO callbacks do not support JVP.") != std::string::npos);
  CHECK(message_of<jq::not_implemented>([&] { jq::vmap(io(true))(three); }).find("Cannot `vmap` ordered IO callback") != std::string::npos);
  CHECK(show(jq::vmap(io(false))(three)) == show(lax::sin(three)));
  const auto called = [](const array& x) { return jq::call(host_sin, x, x); };
  CHECK(message_of<jq::not_implemented>([&] { jq::vmap(called)(three); })
            .find("batching rules are implemented only for id_tap, not for call.") != std::string::npos);
  CHECK(message_of<jq::not_implemented>([&] { jq::grad(called)(array(1.0)); })
            .find("JVP rule is implemented only for id_tap, not for call.") != std::string::npos);
}
TEST_CASE("callbacks: what has no derivative is refused before the function is called") {
  int calls = 0;
  const auto counted = [&](const array& x) { ++calls; return x; };
  const auto refused = [&](const auto& f) {
    CHECK_THROWS_AS(jq::grad(f)(array(1.0)), jq::not_implemented);
    CHECK_THROWS_AS(jq::jvp(f, jq::primals(array(1.0)), jq::tangents(1.0)), jq::not_implemented);
    CHECK_THROWS_AS(jq::linearize(f, array(1.0)), jq::not_implemented);
  };
  refused([&](const array& x) { return jq::pure_callback(counted, x, x); });
  refused([&](const array& x) { return jq::io_callback(counted, x, x); });
  refused([&](const array& x) { return jq::io_callback(counted, x, x, jq::in_order()); });
  refused([&](const array& x) { return jq::call(counted, x, x); });
  CHECK(calls == 0);
}
TEST_CASE("callbacks: a derivative is needed only where it is asked for") {
  const auto f = [](const array& x, const array& c) { return x * jq::pure_callback(host_sin, c, c); };
  CHECK(show(jq::grad(f)(array(2.0), array(0.5))) == show(lax::sin(array(0.5))));
}
TEST_CASE("callbacks: effects: unused pure ones are dropped, the others run exactly once, in order") {
  std::vector<int> calls;
  const auto note = [&](int n) {
    return [&calls, n](const array& x) {
      calls.push_back(n);
      return x;
    };
  };
  const auto f = jq::jit([&](const array& x) {
    jq::pure_callback(note(1), x, x);
    jq::io_callback(note(2), x, x, jq::in_order());
    jq::io_callback(note(3), x, x);
    jq::call(note(4), x, x);
    jq::io_callback(note(5), x, x, jq::in_order());
    return x;
  });
  f(three);
  CHECK(calls == std::vector<int>{2, 3, 4, 5});
  calls.clear();
  f(three);
  CHECK(calls == std::vector<int>{2, 3, 4, 5});
}
TEST_CASE("callbacks: equal effects are not merged; tracing runs nothing") {
  int calls = 0;
  const auto count = [&](const array& x) {
    ++calls;
    return x;
  };
  const auto f = jq::jit([&](const array& x) { return jq::io_callback(count, x, x) + jq::io_callback(count, x, x); });
  jq::make_jaxpr(f)(three);
  f.lower(three);
  CHECK(calls == 0);
  f(three);
  CHECK(calls == 2);
}
TEST_CASE("callbacks: values on demand run pure ones and refuse the others") {
  const auto f = [](const array& x) {
    const array y = jq::pure_callback(host_sin, x, lax::stop_gradient(x));
    return double(y) > 0 ? x : -x;
  };
  CHECK(double(jq::grad(f)(array(1.0))) == 1);
  CHECK(double(jq::grad(f)(array(-1.0))) == -1);
  CHECK_THROWS_AS(jq::grad([](const array& x) { return double(jq::io_callback(host_sin, 0.0, 1.0)) > 0 ? x : -x; })(array(1.0)),
                  jq::concretization_error);
}
TEST_CASE("callbacks: call takes one tree and returns one, or nothing") {
  CHECK(show(jq::jit([](const array& x) {
    return jq::call([](const std::pair<array, array>& p) { return std::vector<array>{p.second, p.first}; }, std::pair{x, x + 1.0},
                    std::vector<array>{x, x});
  })(array(1.0))) == "f64[] 2, f64[] 1");
  double seen = 0;
  jq::jit([&](const array& x) {
    jq::call([&](const array& v) { seen = double(v); }, x);
    return x;
  })(array(4.0));
  CHECK(seen == 4);
}
TEST_CASE("callbacks: results that were not announced") {
  using testing::message_of;
  const auto tree = [&] { jq::pure_callback([](const array& x) { return std::pair{x, x}; }, three, three); };
  CHECK(message_of<jq::type_error>(tree).find("pure_callback: Callback func should have returned a result with pytree") == 0);
  const auto shape = [&] { jq::jit([](const array& x) { return jq::call([](const array&) { return jq::zeros({2}, jq::f64); }, x, x); })(three); };
  CHECK(message_of<jq::type_error>(shape).find("should have returned a result with abstract values f64[3] but returned f64[2]") != std::string::npos);
  const auto type = [&] { jq::io_callback([](const array&) { return jq::zeros({3}, jq::f32); }, three, three); };
  CHECK(message_of<jq::type_error>(type).find("abstract values f64[3] but returned f32[3]") != std::string::npos);
  CHECK(message_of<jq::type_error>(type).find("Incorrect output dtype for return value") != std::string::npos);
  CHECK(message_of<jq::value_error>([] { jq::pure_callback(host_sin, array(), three); }).find("must have 'shape' and 'dtype'") != std::string::npos);
}
TEST_CASE("callbacks: a plain integer that the announced dtype cannot hold is an error") {
  using testing::message_of;
  const auto given = [](auto number, jq::dtype t) { return jq::pure_callback([=](const array&) { return number; }, jq::shape_dtype({}, t), three); };
  CHECK(given(200, jq::u8).item<int>() == 200);
  CHECK(given(-128, jq::i8).item<int>() == -128);
  CHECK(given(~std::uint64_t(0), jq::u64).item<std::uint64_t>() == ~std::uint64_t(0));
  CHECK(given(true, jq::i32).item<int>() == 1);
  CHECK(given(300, jq::f32).item<float>() == 300);
  const std::string m = message_of<jq::value_error>([&] { given(300, jq::u8); });
  CHECK(m.starts_with("pure_callback: Callback func returned 300 in result leaf 0, which uint8 cannot hold; announce a wider dtype"));
  CHECK(m.find("callbacks_test.cpp:") != std::string::npos);
  for (const jq::dtype t : {jq::u8, jq::u32, jq::u64}) CHECK_THROWS_AS(given(-1, t), jq::value_error);
  CHECK_THROWS_AS(given(~std::uint64_t(0), jq::i64), jq::value_error);
  CHECK_THROWS_AS(given(128, jq::i8), jq::value_error);
  CHECK_THROWS_AS(jq::call([](const array&) { return 70000; }, three, jq::shape_dtype({}, jq::i16)), jq::value_error);
}
TEST_CASE("callbacks: results that are empty, deleted or not computed yet") {
  using testing::message_of;
  const array gone = three + 0.0;
  jq::jit([](const array& x) { return x + 1.0; }, jq::donate_argnums<0>)(gone);
  REQUIRE(gone.is_deleted());
  const jq::device one("cpu", 0);
  for (const vmap_method how : {vmap_method::sequential, vmap_method::broadcast_all}) {
    const auto mapped = [&](const auto& f, const array& like) { return jq::vmap([&](const array& x) { return jq::pure_callback(f, like, x, how); })(three); };
    const auto empty = [&] { mapped([](const array&) { return array(); }, jq::shape_dtype({}, jq::f32)); };
    CHECK(message_of<jq::type_error>(empty).find("but returned an empty jq::array in result leaf 0") != std::string::npos);
    const array like = how == vmap_method::sequential ? jq::shape_dtype({3}, jq::f64) : jq::shape_dtype({}, jq::f64);
    CHECK(message_of<jq::deleted_error>([&] { mapped([&](const array&) { return gone; }, like); }).find("Array has been deleted with shape=float64[3]") == 0);
    // A call that does not wait returns before its result is there.
    const auto slow = jq::jit([](const array& x) { return lax::fori_loop(0, 20000, [](const array&, const array& v) { return v + 1.0; }, x); }, one);
    jq::set_dispatch(jq::dispatch::asynchronous);
    const array sums = jq::vmap([&](const array& x) { return jq::io_callback([&](const array& v) { return slow(v); }, x, x); })(three);
    jq::set_dispatch(jq::dispatch::by_default);
    CHECK(show(sums) == "f64[3] 20001 20002 20003");
  }
  CHECK(message_of<jq::type_error>([] { jq::pure_callback([](const array&) { return array(); }, 0.f, 1.f); }).find("abstract values f32[] but returned an empty") != std::string::npos);
  CHECK(message_of<jq::type_error>([] { jq::call([](const array&) { return std::pair{array(1.0), array()}; }, 1.f, std::pair{0.0, 0.f}); }).find("in result leaf 1") != std::string::npos);
}
TEST_CASE("callbacks: errors name the line of the types that were announced") {
  using testing::message_of;
  const auto one_number = [](const array& x) { return jq::sum(x); };
  const auto fails = [](const array& x) -> array {
    if (x.ndim() < 9) throw std::runtime_error("no such row");
    return x;
  };
  const auto ends = [](const std::string& message, int line) { return message.ends_with("callbacks_test.cpp:" + std::to_string(line) + "]"); };
  const auto three_numbers = [](jq::location at = jq::location::current()) { return jq::shape_dtype({3}, jq::f64, at); };
  const int line = __LINE__ + 1;
  const auto wrong = [&] { return jq::pure_callback(one_number, three_numbers(), three); };
  CHECK(ends(message_of<jq::type_error>(wrong), line));
  CHECK(ends(message_of<jq::type_error>([&] { jq::jit([&](const array&) { return wrong(); })(three); }), line));
  CHECK(ends(message_of<jq::tap_error>([&] { jq::io_callback(fails, three_numbers(), three); }), __LINE__));
  CHECK(ends(message_of<jq::tap_error>([&] { jq::call(fails, three, three); }), __LINE__));
  CHECK(ends(message_of<jq::not_implemented>([&] { jq::vmap([&](const array& x) { return jq::pure_callback(one_number, jq::shape_dtype({}, jq::f64), x); })(three); }), __LINE__));
}
TEST_CASE("callbacks: what the function throws arrives inside a tap_error") {
  bool nested = false;
  try {
    jq::jit([](const array& x) {
      return jq::pure_callback([](const array&) -> array { throw std::out_of_range("no such row"); }, x, x);
    })(three);
  } catch (const jq::tap_error& e) {
    CHECK(std::string(e.what()) == "pure_callback: the function threw: no such row");
    try {
      std::rethrow_if_nested(e);
    } catch (const std::out_of_range&) {
      nested = true;
    }
  }
  CHECK(nested);
}
TEST_CASE("callbacks: functions may call the library; arrays they keep stay valid") {
  const auto square = jq::jit([](const array& x) { return x * x; });
  std::vector<array> kept;
  const auto f = jq::vmap([&](const array& x) {
    return jq::pure_callback(
        [&](const array& v) {
          kept.push_back(v);
          return square(v) + jq::grad(square)(v);
        },
        0.0, x, vmap_method::sequential);
  });
  CHECK(show(jq::jit(f)(three + 0.0)) == "f64[3] 3 8 15");
  CHECK(show(kept) == "f64[] 1, f64[] 2, f64[] 3");
}
TEST_CASE("callbacks: taps and callbacks of an outfeed arrive in program order") {
  std::string order;
  const auto f = jq::jit([&](const array& x) {
    const array a = jq::id_tap([&](const array&) { order += "t"; }, x);
    const array b = jq::io_callback([&](const array& v) { order += "c"; return v; }, x, a);
    jq::debug::callback([&](const array&) { order += "d"; }, b);
    return jq::id_tap([&](const array&) { order += "t"; }, b);
  });
  jq::set_tap_delivery(jq::tap_delivery::outfeed);
  for (int i = 0; i < 50; ++i) f(three);
  jq::barrier_wait();
  jq::reset_tap_delivery();
  std::string want;
  for (int i = 0; i < 50; ++i) want += "tcdt";
  CHECK(order == want);
}
TEST_CASE("callbacks: where branches run for all examples, what acts is refused and what shows is not") {
  using testing::message_of;
  int calls = 0;
  const auto io = [&](const array& x) { return jq::io_callback([&](const array& v) { ++calls; return v; }, x, x); };
  const auto nested = [&](const array& x) { return jq::jit([&](const array& y) { return lax::fori_loop(0, 2, [&](const array&, const array& v) { return io(v); }, y); })(x); };
  const auto shown = [&](const array& x) {
    jq::debug::callback([&](const array&) { ++calls; }, x);
    jq::debug::callback([&](const array&) { ++calls; }, x, jq::in_order());
    return x;
  };
  const auto pure = [](const array& x) { return jq::pure_callback(host_sin, x, x, vmap_method::sequential); };
  const auto chosen = [](auto f) { return [f](const array& x) { return lax::cond(x > 1.5, f, [](const array& y) { return -y; }, x); }; };
  const auto looped = [](auto f) {
    return [f](const array& x) { return lax::while_loop([](const array& y) { return y < 2.5; }, [f](const array& y) { return f(y) + 1.0; }, x); };
  };
  const std::string cond = "IO effect not supported in vmap-of-cond", loop = "IO effect not supported in while_loop with batched predicate";
  CHECK(message_of<jq::not_implemented>([&] { jq::vmap(chosen(io))(three); }).find(cond) == 0);
  CHECK(message_of<jq::not_implemented>([&] { jq::vmap(chosen(nested))(three); }).find(cond) == 0);
  CHECK(message_of<jq::not_implemented>([&] { jq::jit(jq::vmap(looped(io)))(three); }).find(loop) == 0);
  CHECK(message_of<jq::not_implemented>([&] { jq::vmap(looped(nested))(three); }).find(loop) == 0);
  CHECK(calls == 0);
  CHECK(show(jq::vmap(chosen(shown))(three)) == "f64[3] -1 2 3");
  CHECK(calls == 6);
  CHECK(show(jq::vmap(looped(shown))(three)) == "f64[3] 3 3 3");
  CHECK(show(jq::vmap(chosen(pure))(three)) == show(jq::where(three > 1.5, lax::sin(three), -three)));
  // Where the choice is the same for all examples, nothing is left to chance.
  calls = 0;
  const auto alike = [&](const array& x, const array& p) { return lax::cond(p, io, [](const array& y) { return -y; }, x); };
  CHECK(show(jq::vmap(alike, jq::in_axes<0, jq::none>)(three, jq::asarray(true))) == show(three));
  CHECK(calls == 3);
}
