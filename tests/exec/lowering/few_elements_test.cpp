// Equations on few elements, written out by other primitives in bodies of loops: which are, what they compute, and that strict programs keep their
// kernels. Oracle: the interpreter.
#include <jacquard/exec/lowering/few_elements.hpp>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/testing/comparison.hpp>

#include "../../show.hpp"

using jq::array;
namespace lax = jq::lax;

namespace {

const array few = jq::asarray({0.5f, -1.0f, 2.0f, 0.25f, 3.0f, -2.0f, 1.0f, 0.0f});

template <class F>
std::string written_out(F f, const array& x) {
  const jq::closed_jaxpr p = jq::make_jaxpr(f)(x), q{jq::lowering::with_few_written_out(p.program), p.constants};
  CHECK_FALSE(jq::check_jaxpr(*q));
  const std::vector<array> want = jq::eval_jaxpr(p, std::vector<array>{x}), got = jq::eval_jaxpr(q, std::vector<array>{x});
  CHECK(jq::testing::all_close(got, want, 1e-6, 1e-6).ok);
  return jq::to_string(q);
}
/// 20 trips on the cpu backend, next to the interpreter.
template <class F>
void check_trips(F body, const array& x, const jq::precision& p, double tolerance) {
  const auto f = [body](array a) { return lax::fori_loop(0, 20, [&](array, array s) { return body(s); }, a); };
  const array want = jq::jit(f, jq::backend("interpreter"))(x), got = jq::jit(f, jq::backend("cpu"), p, jq::compile_at::first_call)(x);
  const auto r = tolerance == 0 ? jq::testing::identical(got, want) : jq::testing::all_close(got, want, tolerance, tolerance);
  CHECK_MESSAGE(r.ok, r.text);
}

}  // namespace

TEST_CASE("few elements: what has a rule goes, what is too much stays") {
  CHECK(written_out([](array a) { return jq::cumsum(a) * 2.0f; }, few).find("cumsum") == std::string::npos);
  CHECK(written_out([](array a) { return jq::sort(a) + jq::argmax(a).astype(jq::f32); }, few).find("sort") == std::string::npos);
  CHECK(written_out([](array a) { return jq::cumsum(a); }, jq::zeros({100})).find("cumsum") != std::string::npos);
  CHECK(written_out([](array a) { return jq::cumprod(a); }, few).find("cumprod") != std::string::npos);
}
TEST_CASE("few elements: many examples of them are a call") {
  const array one = jq::eye(3) * 2.0, many = jq::broadcast_to(one, {9, 3, 3}) + 0.0;
  const auto inverse = [](array a) { return jq::linalg::inv(a); };
  CHECK(written_out(inverse, one).find("lu ") == std::string::npos);
  CHECK(written_out(inverse, one).find("call[") == std::string::npos);
  CHECK(written_out(inverse, many).find("lu ") == std::string::npos);
  CHECK(written_out(inverse, many).find("call[") != std::string::npos);
  CHECK(written_out(inverse, jq::eye(5)).find("lu ") != std::string::npos);
  const jq::closed_jaxpr p = jq::make_jaxpr(inverse)(one), q = jq::make_jaxpr(inverse)(many);
  CHECK(jq::to_string(*jq::lowering::with_examples_written_out(p.program)).find("lu ") != std::string::npos);
  CHECK(jq::to_string(*jq::lowering::with_examples_written_out(q.program)).find("lu ") == std::string::npos);
}
TEST_CASE("few elements: a program without such equations is the same one") {
  const jq::closed_jaxpr p = jq::make_jaxpr([](array a) { return jq::sin(a); })(few);
  CHECK(&*jq::lowering::with_few_written_out(p.program) == &*p.program);
}
TEST_CASE("few elements: loops compute what they did") {
  const auto sums = [](array s) { return jq::cumsum(s * 0.3f) - 0.1f; };
  const auto sorts = [](array s) { return jq::sort(1.0f - s); };
  const auto places = [](array s) { return s * 0.5f + jq::argmax(s).astype(jq::f32) - jq::argmin(s * s).astype(jq::f32); };
  const auto factors = [](array s) {
    const array m = jq::reshape(jq::concatenate({s, s}, 0)(jq::slice(0, 9)), {3, 3}) * 0.01f + 4.0f * jq::eye(3, jq::f32);
    return 0.5f * s + jq::ravel(lax::cholesky(m))(jq::slice(0, 8));
  };
  const auto systems = [](array s) {
    const array m = jq::reshape(s, {2, 4})(jq::slice(0, 2), jq::slice(0, 2)) * 0.1f + 2.0f * jq::eye(2, jq::f32), r = jq::reshape(jq::concatenate({s, s}, 0), {4, 4}) * 0.1f + 3.0f * jq::eye(4, jq::f32);
    return 0.5f * s + jq::ravel(jq::concatenate({jq::linalg::inv(m), jq::linalg::solve(m, jq::reshape(s(jq::slice(0, 4)), {2, 2}))}, 0)) + 0.1f * jq::linalg::slogdet(r).logabsdet;
  };
  for (const jq::precision& p : {jq::precision::fast, jq::precision::fast_math}) {
    check_trips(systems, few, p, 1e-5);
    check_trips(sums, few, p, 1e-5);
    check_trips(sorts, few, p, 1e-5);
    check_trips(places, few, p, 1e-5);
    check_trips(factors, few, p, 1e-5);
  }
  check_trips(sums, few, jq::precision::strict, 0);
  check_trips(sorts, few, jq::precision::strict, 0);
  check_trips(places, few, jq::precision::strict, 0);
}
