// pmap of native code: members of every dtype and size, loops and products of matrices, donation, host functions, and what is compiled while members run.
#include "pmap_testing.hpp"

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/testing/comparison.hpp>

using namespace pmap_testing;

namespace {

/// As long as it lives, programs become machine code before they run.
struct compiled_at_once {
  compiled_at_once() { jq::cpu::set_compile_at(jq::compile_time::first_call); }
  ~compiled_at_once() { jq::cpu::set_compile_at(jq::compile_time::by_default); }
};
const array four = jq::asarray({0.f, 1.f, 2.f, 3.f});

array mixed(const array& x) {
  const array y = jq::sin(x) * 2.0 + jq::sqrt(jq::abs(x));
  return jq::softmax(y + lax::pmean(y, "i")) * lax::pmax(jq::max(y), "i");
}
array exchanged(const array& x) {
  const array y = lax::all_to_all(x * 2.0 + 1.0, "i", 0, 1);
  return lax::ppermute(jq::transpose(y), "i", {{0, 1}, {1, 2}, {2, 0}}) + lax::psum_scatter(x, "i") - jq::sum(lax::all_gather(x, "i"));
}
array looped(const array& x) {
  return lax::fori_loop(0, 20, [](const array&, const array& v) { return jq::tanh(v) + 0.25 * lax::ppermute(v, "i", {{0, 1}, {1, 2}, {2, 0}}) + 0.125 * lax::psum(v, "i"); }, x);
}
/// pmap on native code against vmap on the interpreter.
void check_native(const function& f, const array& x, double tolerance) {
  const compiled_at_once here;
  const array want = jq::jit(jq::vmap(f, over_i), jq::backend("interpreter"), jq::precision::strict)(x);
  for (const jq::compile_at when : {jq::compile_at::first_call, jq::compile_at::never}) {
    const auto mapped = jq::pmap(f, over_i, jq::backend("cpu"), when);
    for (int round = 0; round < 3; ++round) {
      const auto r = jq::testing::all_close(mapped(x), want, tolerance, tolerance);
      CHECK_MESSAGE(r.ok, r.text);
    }
  }
}
array waves(const jq::shape& s, jq::dtype t = jq::f64) { return lax::convert_element_type(jq::reshape(jq::sin(jq::arange(s.elements(), jq::f64)), s), t); }

}  // namespace

TEST_CASE("native pmap: members on the native backend compute what vmap does on the interpreter") {
  for (const int n : {1, 3, 8})
    for (const std::int64_t count : {1, 1003, 100003}) {
      CAPTURE(n);
      CAPTURE(count);
      if (n == 8) check_native(mixed, waves({n, count}, jq::f32), 1e-5);
      else check_native(mixed, waves({n, count}), 1e-12);
    }
  check_native(exchanged, waves({3, 3, 4}), 1e-12);
  check_native(exchanged, waves({3, 3, 257}), 1e-12);
  for (const std::int64_t count : {33, 5000}) check_native(looped, waves({3, count}), 1e-11);
}
TEST_CASE("native pmap: whole numbers are exact in every dtype") {
  const compiled_at_once here;
  for (int t = 0; t < jq::dtype_count; ++t) {
    const jq::dtype type = jq::dtype(t);
    if (type == jq::bool_) continue;
    CAPTURE(jq::name(type));
    const array x = sample({8, 3, 5}, type);
    const auto f = [](const array& v) {
      const array s = lax::psum(v + v, "i");
      return std::tuple{s * lax::convert_element_type(lax::axis_index("i"), v.dtype()), lax::all_gather(v, "i", 1), lax::ppermute(v, "i", {{0, 7}, {3, 2}}) + s};
    };
    CHECK(same_tree(jq::pmap(f, over_i)(x), jq::vmap(f, over_i)(x)));
  }
}
TEST_CASE("native pmap: products of matrices and their gradients, whose threads members share") {
  const compiled_at_once here;
  const auto loss = [](const array& w, const array& in) { return jq::mean(jq::square(jq::tanh(jq::matmul(in, w)))); };
  const auto f = [&](const array& w, const array& in) { return lax::pmean(jq::grad(loss)(w, in), "i"); };
  const array w = waves({64, 48}, jq::f32), in = waves({4, 96, 64}, jq::f32);
  const array want = jq::jit(jq::vmap(f, over_i, jq::in_axes<jq::none, 0>, jq::out_axes<jq::none>), jq::backend("interpreter"))(w, in);
  const auto mapped = jq::pmap(f, over_i, jq::in_axes<jq::none, 0>, jq::out_axes<jq::none>);
  for (int round = 0; round < 5; ++round) {
    const auto r = jq::testing::all_close(mapped(w, in), want, 1e-5, 1e-7);
    CHECK_MESSAGE(r.ok, r.text);
  }
}
TEST_CASE("native pmap: strict programs have the bits of the interpreter") {
  const compiled_at_once here;
  const auto f = [](const array& x) { return jq::exp(x) / (1.0 + lax::ppermute(x * x, "i", {{0, 1}, {1, 2}, {2, 0}})) + lax::axis_index("i"); };
  const array x = waves({3, 1003});
  const array want = jq::jit(jq::vmap(f, over_i), jq::backend("interpreter"), jq::precision::strict)(x);
  CHECK_SAME(jq::pmap(f, over_i, jq::precision::strict)(x), want);
}
TEST_CASE("native pmap: the same bits every time") {
  const compiled_at_once here;
  const auto f = jq::pmap(looped, over_i);
  const array x = waves({3, 2003}, jq::f32), first = f(x);
  int differences = 0;
  for (int round = 0; round < 100; ++round) differences += !same(f(x), first);
  CHECK(differences == 0);
}
TEST_CASE("native pmap: results are made where they are stacked, whatever they are made of") {
  const jq::precision exactly = jq::precision::strict;
  for (const jq::compile_time when : {jq::compile_time::first_call, jq::compile_time::never}) {
    jq::cpu::set_compile_at(when);
    for (const jq::dtype type : {jq::f64, jq::f16, jq::i32, jq::c64, jq::bool_})
      for (const std::int64_t count : {0, 1, 37, 5000}) {
        CAPTURE(jq::name(type));
        CAPTURE(count);
        const array x = sample({3, count, 2}, type);
        const auto f = [](const array& v) {
          const array twice = v.dtype() == jq::bool_ ? jq::logical_not(v) : v * v + v;
          return std::tuple{twice, v, twice, array(2.5f), jq::reshape(v, {-1}), jq::transpose(twice)};
        };
        CHECK(same_tree(jq::pmap(f, over_i, exactly)(x), jq::vmap(f, over_i)(x)));
        const auto g = [](const array& v, const array& w) { return std::pair{v + w, jq::cos(w)}; };
        if (type == jq::f64) CHECK(same_tree(jq::pmap(g, over_i, jq::in_axes<1, jq::none>, jq::out_axes<1, jq::none>, exactly)(jq::transpose(x, {1, 0, 2}), sample({count, 2})),
                                             jq::vmap(g, over_i, jq::in_axes<1, jq::none>, jq::out_axes<1, jq::none>)(jq::transpose(x, {1, 0, 2}), sample({count, 2}))));
      }
  }
  jq::cpu::set_compile_at(jq::compile_time::by_default);
}
TEST_CASE("native pmap: donated steps stay in one memory") {
  const compiled_at_once here;
  const auto step = jq::pmap([](const array& x) { return x - 0.5f * lax::pmean(x, "i") + lax::ppermute(x, "i", {{0, 1}, {1, 0}}) * 0.f; }, over_i, jq::donate_argnums<0>);
  array x = jq::ones({2, 70001}, jq::f32) * 4.f;
  x = jq::copy(x);
  const void* const memory = x.as_buffer()->data;
  for (int k = 0; k < 5; ++k) x = step(x);
  CHECK(x.as_buffer()->data == memory);
  CHECK_SAME(x, jq::ones({2, 70001}, jq::f32) * 0.125f);
}
TEST_CASE("native pmap: functions of the host, branches of members' own, and failures") {
  const compiled_at_once here;
  std::map<int, std::string> seen;
  const auto f = jq::pmap([&](const array& x) {
    const array y = lax::cond(x > 1.5f, [](const array& v) { return v * 10.f; }, [](const array& v) { return v - 1.f; }, x);
    return lax::psum(jq::id_tap([&](const array& v, const jq::tap_context& c) { seen[c.device.ordinal] = show(v); }, y), "i");
  }, over_i);
  CHECK(show(f(four)) == "f32[4] 49 49 49 49");
  CHECK(seen == std::map<int, std::string>{{0, "f32[] -1"}, {1, "f32[] 0"}, {2, "f32[] 20"}, {3, "f32[] 30"}});
  const auto fails = jq::pmap([](const array& x) {
    return lax::psum(jq::io_callback([](const array& v) {
      if (v.item<float>() == 2.f) throw std::runtime_error("no luck");
      return v;
    }, x, x * 1.f), "i");
  }, over_i);
  for (int round = 0; round < 10; ++round) CHECK_THROWS_WITH_AS(fails(four), doctest::Contains("no luck"), jq::tap_error);
  const auto apart = jq::pmap([](const array& x) { return lax::cond(x > 1.5f, [](const array& v) { return lax::psum(v, "i"); }, [](const array& v) { return v; }, x); }, over_i);
  for (int round = 0; round < 10; ++round) CHECK_THROWS_WITH_AS(apart(four), doctest::Contains("every member takes part in each collective"), jq::value_error);
}
TEST_CASE("native pmap: programs that become machine code in the background while members run them") {
  jq::cpu::set_compile_at(jq::compile_time::when_hot);
  const auto f = jq::pmap(mixed, over_i);
  const array x = waves({4, 20011}), want = jq::jit(jq::vmap(mixed, over_i), jq::backend("interpreter"))(x);
  for (int round = 0; round < 60; ++round) {
    const auto r = jq::testing::all_close(f(x), want, 1e-12, 1e-12);
    CHECK_MESSAGE(r.ok, r.text);
  }
  jq::cpu::finish_compiling();
  const auto r = jq::testing::all_close(f(x), want, 1e-12, 1e-12);
  CHECK_MESSAGE(r.ok, r.text);
  jq::cpu::set_compile_at(jq::compile_time::by_default);
}
