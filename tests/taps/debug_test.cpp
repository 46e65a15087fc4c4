// debug::callback and debug::print: when they run, what they see under transforms, formats and their errors.
#include "../captured_output.hpp"
#include "tap_log.hpp"

#include <limits>
#include <sstream>
#include <stdexcept>

using jq::array;

namespace {

/// What debug::print writes.
template <class... A>
std::string printed(std::string_view format, const A&... args) {
  std::ostringstream out;
  jq::debug::print(format, args..., jq::output_stream(out));
  return out.str();
}
/// What f(stream) prints when it runs.
template <class F>
std::string lines_of(F f) {
  std::ostringstream out;
  f(out);
  jq::barrier_wait();
  return out.str();
}

}  // namespace

TEST_CASE("debug: formats") {
  CHECK(printed("x: {}", 1.0) == "x: 1.0\n");
  CHECK(printed("{} {} {}", 1, true, 0.5f) == "1 True 0.5\n");
  CHECK(printed("{1} {0} {1}", 1, 2) == "2 1 2\n");
  CHECK(printed("{{}} {a}", jq::kw("a", jq::asarray({1, 2}))) == "{} [1 2]\n");
  CHECK(printed("{} {what}", 3, jq::kw("what", 4)) == "3 4\n");
  CHECK(printed("{:.2f} {x:.1f}", 2.0 / 3, jq::kw("x", jq::asarray(1.25))) == "0.67 1.2\n");
  CHECK(printed("{:.2f}", jq::asarray({1.0 / 3, 2.0})) == "[0.33 2.  ]\n");
  CHECK(printed("nothing") == "nothing\n");
  CHECK(printed("{} {}", std::pair{1, 2}) == "1 2\n");
  CHECK(printed("{}", jq::asarray(std::uint64_t(18446744073709551615u))) == "18446744073709551615\n");
}
TEST_CASE("debug: numbers are written as Python writes its own, of every dtype") {
  CHECK(printed("{} {}", jq::asarray(0.1f).astype(jq::f16), jq::asarray(2.f).astype(jq::bf16)) == "0.1 2.0\n");
  CHECK(printed("{:} {}", 0.1f, 1e16) == "0.1 1e+16\n");
  CHECK(printed("{} {} {}", jq::asarray(jq::complex128(1, -2)), jq::asarray(jq::complex64(0, 0.1f)), jq::asarray(jq::complex64(-0.f, 2.5f))) == "(1-2j) 0.1j (-0+2.5j)\n");
  CHECK(printed("{:.1f} {:.2f}", jq::asarray(jq::complex64(1.5f, 0.1f)), jq::asarray(jq::complex128(1, -2))) == "1.5+0.1j 1.00-2.00j\n");
  CHECK(printed("{:.2f} {:.0f} {:.1f}", 3, jq::asarray(true), jq::asarray(0.5f).astype(jq::f16)) == "3.00 1 0.5\n");
  CHECK(printed("{:.99f}", 1e308).size() == 309 + 1 + 99 + 1);
}
TEST_CASE("debug: formats that do not fit") {
  using testing::message_of;
  const auto problem = [](auto... args) { return message_of<jq::value_error>([&] { printed(args...); }); };
  CHECK(problem("x", 1).find("Unused positional arguments") != std::string::npos);
  CHECK(problem("x", jq::kw("a", 1)).find("Unused keyword arguments") != std::string::npos);
  CHECK(problem("x", jq::kw("a", 1)).find("You may be passing an f-string") != std::string::npos);
  CHECK(problem("{}").find("asks for the argument ''") != std::string::npos);
  CHECK(problem("{a}", 1).find("asks for the argument 'a'") != std::string::npos);
  CHECK(problem("{7}", 1).find("asks for the argument '7'") != std::string::npos);
  CHECK(problem("{", 1).find("write it twice") != std::string::npos);
  CHECK(problem("}", 1).find("write it twice") != std::string::npos);
  CHECK(problem("{:>8}", 1).find("got the format '>8'") != std::string::npos);
}
TEST_CASE("debug: runs under jit though nothing uses it, and not while tracing") {
  CHECK(lines_of([](std::ostringstream& out) {
    const auto f = jq::jit([&](const array& x) {
      jq::debug::print("x: {}", x, jq::output_stream(out));
      return x * 2.0;
    });
    f.lower(array(1.0));
    f(array(1.0));
    f(array(2.0));
  }) == "x: 1.0\nx: 2.0\n");
}
TEST_CASE("debug: once per example under vmap, also nested, in order") {
  CHECK(lines_of([](std::ostringstream& out) {
    jq::vmap([&](const array& x) {
      jq::debug::print("hello: {}", x, jq::output_stream(out));
      return x;
    })(jq::arange(2));
  }) == "hello: 0\nhello: 1\n");
  CHECK(lines_of([](std::ostringstream& out) {
    jq::vmap(jq::vmap([&](const array& x) {
      jq::debug::print("{}", x, jq::output_stream(out), jq::in_order());
      return x;
    }))(jq::reshape(jq::arange(6), {3, 2}));
  }) == "0\n1\n2\n3\n4\n5\n");
}
TEST_CASE("debug: primals only under derivatives") {
  const auto f = [](std::ostringstream& out) {
    return [&out](const array& x) {
      jq::debug::print("x: {}", x, jq::output_stream(out));
      return x * x;
    };
  };
  CHECK(lines_of([&](std::ostringstream& out) { jq::jvp(f(out), jq::primals(array(1.0)), jq::tangents(1.0)); }) == "x: 1.0\n");
  CHECK(lines_of([&](std::ostringstream& out) { CHECK(double(jq::grad(f(out))(array(1.0))) == 2); }) == "x: 1.0\n");
  CHECK(lines_of([&](std::ostringstream& out) { CHECK(double(jq::jit(jq::grad(jq::grad(f(out))))(array(1.0))) == 2); }) == "x: 1.0\n");
}
TEST_CASE("debug: callbacks get trees; taps, prints and callbacks keep program order") {
  std::string order;
  jq::jit([&](const array& x) {
    jq::debug::callback([&](const std::pair<array, array>& p, const array& y) { order += std::to_string(int(double(p.first) + double(p.second) + double(y))); },
                        std::pair{x, x}, x);
    const array a = jq::id_tap([&](const array&) { order += "t"; }, x);
    jq::debug::callback([&](const array&) { order += "d"; }, x, jq::in_order());
    jq::debug::callback([&] { order += "n"; });
    return a;
  })(array(1.0));
  CHECK(order == "3tdn");
}
TEST_CASE("debug: exceptions are postponed") {
  captured_output captured(2);
  const auto f = jq::jit([](const array& x) {
    jq::debug::callback([](const array&) { throw std::runtime_error("seen enough"); }, x);
    return x + 1.0;
  });
  CHECK(double(f(array(1.0))) == 2);
  CHECK_THROWS_WITH_AS(jq::barrier_wait(), doctest::Contains("seen enough"), jq::tap_error);
}
namespace {

/// Shows arrays with debug::print, of symbolic sizes n and m, and returns a number.
auto printing(std::ostringstream& out) {
  return [&out](const array& x, const array& y) {
    jq::debug::print("{} {} {}", x, jq::sum(x), y, jq::output_stream(out));
    return jq::sum(x * 2.0) + jq::sum(y);
  };
}
template <class F>
auto masked(F f) {
  return [f](const array& x, const array& y, const array& n, const array& m) {
    return jq::mask(f, jq::in_shapes<"n", "(n, m)">, jq::out_shape<"">)(jq::args(x, y), jq::dims{{"n", n}, {"m", m}});
  };
}
constexpr float hidden = std::numeric_limits<float>::quiet_NaN();
const array padded = jq::asarray({1.f, 2.f, hidden}), table = jq::asarray({{1.f, 2.f, hidden}, {3.f, 4.f, hidden}, {hidden, hidden, hidden}});

}  // namespace

TEST_CASE("debug: the logical parts under mask, of the sizes of each run") {
  CHECK(lines_of([](std::ostringstream& out) { masked(printing(out))(padded, table, array(2), array(1)); }) == "[1. 2.] 3.0 [[1.]\n [3.]]\n");
  CHECK(lines_of([](std::ostringstream& out) {
    const auto f = jq::jit(masked(printing(out)));
    f(padded, table, array(1), array(2));
    f(padded, table, array(2), array(0));
    f(padded, table, array(0), array(2));
    CHECK(double(f(jq::asarray({1.f, 2.f, 3.f}), jq::ones({3, 3}), array(3), array(3))) == 21);
  }) == "[1.] 1.0 [[1. 2.]]\n[1. 2.] 3.0 []\n[] 0.0 []\n[1. 2. 3.] 6.0 [[1. 1. 1.]\n [1. 1. 1.]\n [1. 1. 1.]]\n");
  std::vector<jq::shape> shapes;
  const auto see = [&](const std::pair<array, array>& p, const array& z) {
    for (const array* x : {&p.first, &p.second, &z}) shapes.push_back(x->shape());
  };
  masked([&](const array& x, const array& y) {
    jq::debug::callback(see, std::pair{jq::concatenate({x, x}), jq::transpose(y)}, jq::ones({2}), jq::in_order());
    return jq::sum(y);
  })(padded, table, array(2), array(1));
  jq::barrier_wait();
  CHECK(shapes == std::vector<jq::shape>{{4}, {1, 2}, {2}});
}
TEST_CASE("debug: ragged batches, masks of batches and masks of masks") {
  const array xs = jq::asarray({{1.f, hidden, hidden}, {2.f, 3.f, hidden}}), n = jq::asarray({1, 2});
  const auto sum_of = [](std::ostringstream& out) {
    return [&out](const array& x) {
      jq::debug::print("{}", x, jq::output_stream(out));
      return jq::sum(x);
    };
  };
  const auto of_size = [](auto f) {
    return [f](const array& x, const array& size) { return jq::mask(f, jq::in_shapes<"n">, jq::out_shape<"">)(jq::args(x), jq::dims{{"n", size}}); };
  };
  CHECK(lines_of([&](std::ostringstream& out) { jq::jit(jq::vmap(of_size(sum_of(out))))(xs, n); }) == "[1.]\n[2. 3.]\n");
  CHECK(lines_of([&](std::ostringstream& out) { jq::vmap(jq::grad(of_size(sum_of(out))))(xs, n); }) == "[1.]\n[2. 3.]\n");
  // A vmap within, over a dimension of symbolic size too.
  const auto rows = [&](std::ostringstream& out) { return [f = sum_of(out)](const array&, const array& y) { return jq::sum(jq::vmap(f)(y)); }; };
  CHECK(lines_of([&](std::ostringstream& out) { masked(rows(out))(padded, table, array(2), array(1)); }) == "[1.]\n[3.]\n");
  CHECK(lines_of([&](std::ostringstream& out) { masked(rows(out))(padded, table, array(0), array(1)); }).empty());
  const auto elements = [&](std::ostringstream& out) {
    return [&out](const array& x, const array& y) {
      const auto show = [&](const array& a, const array& b) {
        jq::debug::print("{} {}", a, b, jq::output_stream(out));
        return a;
      };
      return jq::sum(jq::vmap(jq::vmap(show, jq::in_axes<jq::none, 0>))(x, y));
    };
  };
  CHECK(lines_of([&](std::ostringstream& out) { masked(elements(out))(padded, table, array(2), array(1)); }) == "1.0 1.0\n2.0 3.0\n");
  CHECK(lines_of([&](std::ostringstream& out) {
    jq::vmap(masked(elements(out)), jq::in_axes<jq::none, jq::none, 0, jq::none>)(padded, table, jq::asarray({1, 2}), array(2));
  }) == "1.0 1.0\n1.0 2.0\n1.0 1.0\n1.0 2.0\n2.0 3.0\n2.0 4.0\n");
  // One mask within another: rows of m, of which n.
  const auto nested = [&](std::ostringstream& out, const array& height, const array& width) {
    const auto of_rows = [&](const array& y) {
      const auto one = [&](const array& row) {
        return jq::mask(sum_of(out), jq::in_shapes<"m">, jq::out_shape<"">)(jq::args(row), jq::dims{{"m", width}});
      };
      return jq::sum(jq::vmap(one)(y));
    };
    return jq::mask(of_rows, jq::in_shapes<"(n, _)">, jq::out_shape<"">)(jq::args(table), jq::dims{{"n", height}});
  };
  CHECK(lines_of([&](std::ostringstream& out) { nested(out, array(2), array(1)); }) == "[1.]\n[3.]\n");
  CHECK(lines_of([&](std::ostringstream& out) { nested(out, array(1), array(2)); }) == "[1. 2.]\n");
}
TEST_CASE("debug: by outfeed as well") {
  jq::set_tap_delivery(jq::tap_delivery::outfeed);
  CHECK(lines_of([](std::ostringstream& out) {
    jq::vmap([&](const array& x) {
      jq::debug::print("{}", x, jq::output_stream(out));
      return jq::id_print(x, jq::output_stream(out));
    })(jq::arange(3));
  }) == "0\n1\n2\ntransforms: [('batch', {'batch_dims': (0,)})]\n[0 1 2]\n");
  CHECK(lines_of([](std::ostringstream& out) { jq::jit(masked(printing(out)))(padded, table, array(2), array(1)); }) == "[1. 2.] 3.0 [[1.]\n [3.]]\n");
  jq::reset_tap_delivery();
}
