// Stores past the caches: which outputs get them, and that the numbers are those of the interpreter wherever memory begins.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/native_backend.hpp>

#include <jacquard/testing/comparison.hpp>

#include "../../show.hpp"

using jq::array;

namespace {

constexpr std::int64_t many = (jq::cpu::stream_plan::least_bytes / 4) + 1000;

/// The text of the only kernel of a function.
template <class F, class... A>
jq::cpu::kernel_text text_of(F f, const A&... x) {
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(x...));
  const auto l = jq::lowering::lower(*p, &jq::cpu::can_emit);
  REQUIRE(l.kernels.size() == 1);
  jq::cpu::vector_target t;
  t.bytes = 64, t.isa = 'e';
  return jq::cpu::emit_kernel(l.kernels[0], t, jq::cpu::kernel_name(0));
}
template <class F, class... A>
bool streams(F f, const A&... x) {
  return text_of(f, x...).functions.find("!nontemporal") != std::string::npos;
}
template <class F, class... A>
void expect_same(F f, const A&... x) {
  jq::cpu::set_compile_at(jq::compile_time::first_call);
  const array got = jq::jit(f, jq::backend("cpu"))(x...), want = jq::jit(f, jq::backend("interpreter"))(x...);
  CHECK(jq::all(jq::abs(got - want) <= 1e-6 * (1.0 + jq::abs(want))).item<bool>());
}
array twice(const array& x) { return x * 2.0 + 1.0; }
array exp_shares(const array& x) {
  const array e = jq::exp(x - jq::max(x));
  return e / jq::sum(e);
}

}  // namespace

TEST_CASE("large outputs are stored past the caches, small ones are not") {
  CHECK(streams(twice, jq::zeros({many}, jq::f32)));
  CHECK_FALSE(streams(twice, jq::zeros({many / 2}, jq::f32)));
  CHECK(streams([](array x) { return jq::astype(x, jq::f16); }, jq::zeros({2 * many}, jq::f32)));
}
TEST_CASE("kernels that compute for longer than memory takes are stored as usual") {
  const array x = jq::zeros({many}, jq::f32);
  CHECK(streams([](array y) { return jq::exp(y); }, x));
  CHECK_FALSE(streams([](array y) { return jq::erf(jq::sin(y)); }, x));
  CHECK_FALSE(streams([](array y) { return 0.5 * y * (1.0 + jq::tanh(0.79788456 * (y + 0.044715 * y * y * y))); }, x));
  CHECK_FALSE(streams([](array y) { return jq::exp(y); }, jq::zeros({many}, jq::f64)));
}
TEST_CASE("rows that do not begin at whole vectors are stored as usual") {
  CHECK(streams(twice, jq::zeros({1024, 16 * 1024}, jq::f32)));
  const auto inner = [](array x) { return x(jq::slice(1, -1), jq::slice(1, -1)) * 2.0; };
  CHECK_FALSE(streams(inner, jq::zeros({1024, 16 * 1024}, jq::f32)));
}
TEST_CASE("what a row keeps in an output is stored past the caches where another phase reads it, the output itself is not") {
  CHECK(streams(exp_shares, jq::zeros({many}, jq::f32)));
  const auto text = text_of([](array x) { return jq::softmax(x, 1); }, jq::zeros({64 * 1024, 256}, jq::f32));
  CHECK(text.functions.find("!nontemporal") == std::string::npos);  // a row is read again at once
}
TEST_CASE("numbers stored past the caches") {
  if (!jq::cpu::code_generator::get()) return;
  const array x = jq::sin(jq::astype(jq::arange(many), jq::f32));
  for (const int threads : {1, 2}) {
    jq::cpu::set_threads(threads);
    expect_same(twice, x);
    expect_same(exp_shares, x);
  }
  jq::cpu::set_threads(1);
}
TEST_CASE("an output that has the memory of its input is stored as usual: the lines are in a cache") {
  const auto text = text_of(twice, jq::zeros({many}, jq::f32));
  CHECK(text.functions.find("icmp ne ptr %p1, %p0") != std::string::npos);
  const auto other = text_of([](array x) { return jq::astype(x, jq::f16); }, jq::zeros({2 * many}, jq::f32));
  CHECK(other.functions.find("icmp ne ptr") == std::string::npos);  // never has it
  if (!jq::cpu::code_generator::get()) return;
  jq::cpu::set_compile_at(jq::compile_time::first_call);
  const auto step = jq::jit(twice, jq::backend("cpu"), jq::donate_argnums<0>);
  array x = jq::full({many}, 3.f) + 0.f;
  for (int i = 0; i < 3; ++i) x = step(x);
  CHECK(jq::all(x == 31.f).item<bool>());
}
TEST_CASE("memory that does not begin at a whole vector is written, too") {
  if (!jq::cpu::code_generator::get()) return;
  jq::cpu::code_generator& g = *jq::cpu::code_generator::get();
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(twice)(jq::zeros({many}, jq::f32)));
  const auto l = jq::lowering::lower(*p, &jq::cpu::can_emit);
  const jq::cpu::kernel_text text = jq::cpu::emit_kernel(l.kernels[0], g.target(), jq::cpu::kernel_name(0));
  const auto module = g.compile(jq::cpu::emit_module({text}, g.target()));
  const auto run = reinterpret_cast<void (*)(void**, std::int64_t, std::int64_t, const void*)>(module->function(0, 0));
  std::vector<float> in(std::size_t(many), 3.f), out(std::size_t(many) + 16, 0.f);
  for (std::size_t shift : {0, 1, 8}) {
    std::fill(out.begin(), out.end(), 0.f);
    void* places[] = {in.data(), out.data() + shift};
    run(places, 0, text.ranges.units()[0], nullptr);
    CHECK(std::count(out.begin(), out.end(), 7.f) == many);
    CHECK(out[shift] == 7.f);
    CHECK(out[shift + std::size_t(many)] == 0.f);
  }
}
