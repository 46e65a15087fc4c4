// Square roots made of multiplications: which kernels have them, and that they are the roots IEEE 754 asks for: all numbers of two binades of f32
// were tried, those of others differ by powers of two.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/native_backend.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>

#include "same.hpp"

using jq::array;

namespace {

jq::cpu::vector_target wide() {
  jq::cpu::vector_target t;
  t.bytes = 64, t.isa = 'e', t.features = "+avx512f,+avx512dq", t.cpu = "sapphirerapids";
  return t;
}
/// The text of the only kernel of a function.
template <class F, class... A>
std::string text_of(const jq::cpu::vector_target& t, F f, const A&... x) {
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(x...));
  const auto l = jq::lowering::lower(*p, &jq::cpu::can_emit);
  REQUIRE(l.kernels.size() == 1);
  return jq::cpu::emit_kernel(l.kernels[0], t, jq::cpu::kernel_name(0)).functions;
}
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }
/// Whether that has estimates of roots.
template <class F, class... A>
bool estimates(const jq::cpu::vector_target& t, F f, const A&... x) {
  return has(text_of(t, f, x...), "rsqrt14");
}
const auto roots_of = [](const array& x) { return jq::jit([](array a) { return jq::sqrt(a); }, jq::backend("cpu"))(x); };
constexpr auto inverse_root = [](const array& a) { return jq::lax::rsqrt(a); };
const auto inverse_roots_of = [](const array& x) { return jq::jit(inverse_root, jq::backend("cpu"))(x); };

template <class T>
void expect_roots(const std::vector<T>& numbers) {
  const array roots = roots_of(jq::asarray(numbers)), inverses = inverse_roots_of(jq::asarray(numbers));
  const auto got = roots.data<T>(), inverse = inverses.data<T>();
  // A root and a quotient of it, each rounded, are an ulp and a half off at most.
  const bool in_steps = has(jq::jit(inverse_root, jq::backend("cpu")).lower(jq::asarray(numbers)).compile().as_text("llvm"), "rsqrt14");
  std::size_t others = 0, far = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const long double exact = 1 / std::sqrt((long double)numbers[i]);
    const T near = T(exact), ulp = std::nextafter(near, 2 * near) - near;
    others += got[i] != std::sqrt(numbers[i]);
    far += !(std::fabs(inverse[i] - exact) <= (in_steps ? 1.0L : 1.5L) * ulp);
  }
  CHECK(others == 0);
  CHECK(far == 0);
}
template <class T>
void expect_limits(jq::dtype t) {
  const double infinity = HUGE_VAL;
  for (const double x : {0.0, -0.0, infinity, -infinity, -4.0, double(NAN), 4.0, double(std::numeric_limits<T>::denorm_min()), double(std::numeric_limits<T>::min()), double(std::numeric_limits<T>::max())}) {
    CAPTURE(x);
    const array many = jq::full({100}, x, t);
    const T root = roots_of(many).template data<T>()[70], inverse = inverse_roots_of(many).template data<T>()[70], want = std::sqrt(T(x)), one = 1 / want;
    CHECK(std::isnan(root) == std::isnan(want));
    CHECK(std::isnan(inverse) == std::isnan(one));
    if (std::isnan(want)) continue;
    CHECK(std::signbit(root) == std::signbit(want));
    CHECK((root == want || std::fabs(root - want) <= std::numeric_limits<T>::epsilon() * want));
    CHECK((inverse == one || std::fabs(inverse - one) <= std::numeric_limits<T>::epsilon() * one));
  }
}

}  // namespace

TEST_CASE("kernels that would wait for the divider have roots of multiplications") {
  const array x = jq::ones({1000}), rows = jq::ones({1000, 64});
  CHECK(estimates(wide(), [](array a) { return jq::sqrt(a); }, x));
  CHECK(estimates(wide(), [](array a) { return 1.0 / (a * jq::sqrt(a)); }, x.astype(jq::f64)));
  CHECK(estimates(wide(), [](array a) { return jq::lax::rsqrt(a); }, x));
  SUBCASE("what a choice takes seldom does not count") {
    CHECK(estimates(wide(), [](array a) { return jq::sum(jq::abs(a)); }, x.astype(jq::c64)));
    CHECK(estimates(wide(), [](array a) { return jq::sum(jq::abs(a)); }, x.astype(jq::c128)));
  }
  SUBCASE("not those with enough else to do, or with few roots") {
    const auto long_sum = [](array a) {
      array s = jq::sqrt(a);
      for (int i = 1; i < 40; ++i) s = s * a + double(i);
      return s;
    };
    CHECK_FALSE(estimates(wide(), long_sum, x));
    CHECK_FALSE(estimates(wide(), [](array a) { return jq::sqrt(jq::exp(a)); }, x));
    CHECK_FALSE(estimates(wide(), [](array a) { return a * jq::sqrt(jq::sum(a * a, 1, jq::keepdims)); }, rows));
  }
  SUBCASE("not where bits count, and not on other processors") {
    jq::cpu::vector_target strict = wide(), zen = wide(), narrow = wide();
    strict.strict = true, zen.cpu = "znver4", narrow.bytes = 32, narrow.isa = 'd';
    for (const auto& t : {strict, zen, narrow}) CHECK_FALSE(estimates(t, [](array a) { return jq::sqrt(a); }, x));
  }
}
TEST_CASE("roots of all numbers of two binades of f32, and inverse ones") {
  jq::cpu::set_compile_at(jq::compile_time::first_call);
  std::vector<float> numbers(std::size_t(1) << 22);
  for (std::uint32_t begin = 0; begin < (1u << 24); begin += std::uint32_t(numbers.size())) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::uint32_t bits = 0x3f800000u + begin + std::uint32_t(i);
      std::memcpy(&numbers[i], &bits, sizeof bits);
    }
    expect_roots(numbers);
  }
}
TEST_CASE("roots of numbers of f64") {
  jq::cpu::set_compile_at(jq::compile_time::first_call);
  std::mt19937_64 random(7);
  std::vector<double> numbers(std::size_t(1) << 20);
  for (double& x : numbers) x = std::ldexp(1 + double(random() >> 12) * 0x1p-52, int(random() % 1900) - 950);
  expect_roots(numbers);
}
TEST_CASE("roots at the limits") {
  jq::cpu::set_compile_at(jq::compile_time::first_call);
  expect_limits<float>(jq::f32);
  expect_limits<double>(jq::f64);
}
TEST_CASE("with fast_math roots are an ulp off at most") {
  jq::cpu::set_compile_at(jq::compile_time::first_call);
  const array x = jq::exp(jq::sin(jq::arange(100000).astype(jq::f64)) * 200.0);
  const auto f = [](array a) { return jq::sqrt(a); };
  for (const jq::dtype t : {jq::f32, jq::f64}) {
    const array a = (t == jq::f32 ? jq::exp(jq::log(x) * 0.25) : x).astype(t);
    const array got = jq::jit(f, jq::backend("cpu"), jq::precision::fast_math)(a), want = jq::jit(f, jq::backend("interpreter"))(a);
    CHECK(jq::all(jq::abs(got - want) <= want * (t == jq::f32 ? 0x1p-23 : 0x1p-52)).item<bool>());
  }
}
TEST_CASE("roots of numbers of 16 bits are rounded once") {
  jq::cpu::set_compile_at(jq::compile_time::first_call);
  const array x = jq::arange(2000).astype(jq::bf16) * 0.25;
  const array want = jq::jit([](array a) { return jq::sqrt(a); }, jq::backend("interpreter"))(x);
  CHECK(jq::all(roots_of(x) == want).item<bool>());
}
TEST_CASE("what is alike in all lanes takes the divider for one number") {
  const array rows = jq::ones({1000, 64}, jq::f64);
  const auto normalised = [](array a) { return a * jq::expand_dims(1.0 / jq::sqrt(jq::sum(a * a, {1})), 1); };
  const std::string along = text_of(wide(), normalised, rows), in_columns = text_of(wide(), normalised, jq::ones({1000, 3}, jq::f64));
  CHECK(has(along, "llvm.sqrt.v1f64"));
  CHECK(has(along, "fdiv contract <1 x double>"));
  CHECK(!has(along, "llvm.sqrt.v8f64"));
  CHECK(!has(along, "fdiv contract <8 x double>"));
  CHECK(!has(in_columns, "<1 x double>"));  // each lane has a row of its own
  SUBCASE("so does the inverse of what a row is divided by") {
    const std::string text = text_of(wide(), [](array a) { return a / jq::sum(a, 1, jq::keepdims); }, rows);
    CHECK(has(text, "fdiv <1 x double>"));
    CHECK(!has(text, "fdiv <8 x double>"));
  }
  SUBCASE("with the bits that vectors have") {
    const auto each = [](array a) {
      const array s = jq::sum(jq::abs(a), 1, jq::keepdims);
      return a * jq::sqrt(s) + jq::lax::rsqrt(s) * (1.0 / s) - s / (s + 1.0);
    };
    for (const jq::dtype t : {jq::f16, jq::bf16, jq::f32, jq::f64}) {
      CAPTURE(int(t));
      for (const std::int64_t width : {15, 64, 129}) {
        const array x = jq::random::normal(jq::random::key(7), {9, width}).astype(t);
        CHECK_SAME(each, x);
        CHECK_SAME([](array a) { return a / jq::sum(a, 1, jq::keepdims); }, x);
      }
    }
  }
}
