// exp, log, tanh, erf and logistic of compiled kernels against long double of the C library: units in the last place over whole ranges, every kind of special
// number, vectors of every length and of both widths, numbers of different sizes in one kernel, loops; and maxima beside constants, which are written by
// what is known of these.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/native_backend.hpp>

#include <cmath>
#include <limits>
#include <random>

#include "../../show.hpp"

using jq::array;

namespace {

struct function {
  const char* name;
  array (*of)(const array&);
  long double (*exact)(long double);
  double low, high;      ///< of a range in which results are normal
  double bound;          ///< of results
};
constexpr double infinite = std::numeric_limits<double>::infinity(), not_a_number = std::numeric_limits<double>::quiet_NaN();
const function functions[] = {{"exp", [](const array& x) { return jq::exp(x); }, [](long double x) { return std::exp(x); }, -87, 88.7, infinite},
                              {"log", [](const array& x) { return jq::log(x); }, [](long double x) { return std::log(x); }, 1e-30, 4, infinite},
                              {"tanh", [](const array& x) { return jq::tanh(x); }, [](long double x) { return std::tanh(x); }, -21, 21, 1},
                              {"erf", [](const array& x) { return jq::erf(x); }, [](long double x) { return std::erf(x); }, -6.5, 6.5, 1},
                              {"logistic", [](const array& x) { return jq::lax::logistic(x); }, [](long double x) { return 1 / (1 + std::exp(-x)); }, -87, 40, 1}};

auto compiled(array (*f)(const array&)) { return jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call); }

using evaluation = array (*)(array (*f)(const array&), const array& x);
array on_this_machine(array (*f)(const array&), const array& x) { return compiled(f)(x); }
/// f(x) by code for a processor with AVX2 and FMA only, and for a C library without functions of vectors.
array on_narrow_vectors(array (*f)(const array&), const array& x) {
  jq::cpu::code_generator* const g = jq::cpu::code_generator::get();
  jq::cpu::vector_target t = g->target();
  t.bytes = 32, t.isa = 'd', t.cpu = "haswell", t.features = "+avx2,+fma", t.has_function = nullptr;
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(x));
  const auto lowered = jq::lowering::lower(*p, &jq::cpu::can_emit);
  REQUIRE(lowered.kernels.size() == 1);
  const jq::cpu::kernel_text text = jq::cpu::emit_kernel(lowered.kernels[0], t, jq::cpu::kernel_name(0));
  const std::string module = jq::cpu::emit_module({text}, t);
  CHECK(module.find("_ZGV") == std::string::npos);
  CHECK(module.find("avx512") == std::string::npos);
  const auto code = g->compile(module);
  const auto run = [&]<class T>(T) {
    std::vector<T> result(std::size_t(x.size()));
    void* places[] = {const_cast<T*>(x.data<T>().data()), result.data()};
    reinterpret_cast<void (*)(void**, std::int64_t, std::int64_t, void*)>(code->function(0))(places, 0, text.ranges.units()[0], nullptr);
    return jq::asarray(result);
  };
  if (x.dtype() == jq::f32) return run(float());
  return run(double());
}
/// Those that can be tried here.
std::vector<evaluation> evaluations() {
  std::vector<evaluation> r{&on_this_machine};
  if (jq::cpu::code_generator::get() && jq::cpu::code_generator::get()->target().isa != 'b') r.push_back(&on_narrow_vectors);
  return r;
}

/// |got - want| in units in the last place of a T that is want.
template <class T>
double ulps(T got, long double want) {
  const T near = T(want);
  if (near != near || got != got) return (near != near) == (got != got) ? 0 : infinite;
  if (std::isinf(near) || std::isinf(got)) return got == near ? 0 : infinite;
  int exponent = 0;
  std::frexp(std::max(std::fabs(near), std::numeric_limits<T>::min()), &exponent);
  return double(std::fabs((long double)(got) - want) / std::ldexp(1.0L, exponent - std::numeric_limits<T>::digits));
}
template <class T>
array as_array(const std::vector<T>& x) { return jq::asarray(x); }

template <class T>
void check_range(const function& f, evaluation value) {
  std::mt19937_64 generator(7);
  std::vector<T> x;
  std::uniform_real_distribution<double> even(f.low, f.high), power(std::log2(1e-37), std::log2(f.high));
  for (int i = 0; i < 100003; ++i) x.push_back(T(even(generator)));
  for (int i = 0; i < 100003; ++i) x.push_back(T(std::exp2(power(generator)) * (f.low < 0 && i % 2 ? -1 : 1)));
  const array result = value(f.of, as_array(x));
  const auto y = result.data<T>();
  double worst = 0;
  bool bounded = true;
  for (std::size_t i = 0; i < x.size(); ++i) {
    worst = std::max(worst, ulps(y[i], f.exact(x[i])));
    bounded = bounded && std::fabs(y[i]) <= T(f.bound);
  }
  CHECK_MESSAGE(worst <= 4, f.name, ", ", worst, " ulp");
  CHECK_MESSAGE(bounded, f.name);
}
template <class T>
void check_special(const function& f, evaluation value) {
  using limits = std::numeric_limits<T>;
  const std::vector<T> x{T(0),       T(-0.0),       T(not_a_number),        T(-not_a_number),      T(infinite),  T(-infinite), limits::denorm_min(), -limits::denorm_min(), limits::min() / 3,
                         limits::max(), -limits::max(), T(1), T(-1), T(30), T(-30), T(-95), T(-100), T(-103.5), T(-720), T(-744), T(-746)};
  const array result = value(f.of, as_array(x));
  const auto y = result.data<T>();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double want = f.exact(x[i]);
    CHECK_MESSAGE(ulps(y[i], want) <= 4, f.name, "(", double(x[i]), ") = ", double(y[i]));
    if (want == want) CHECK_MESSAGE(std::signbit(y[i]) == std::signbit(want), f.name, "(", double(x[i]), ")");
  }
}

}  // namespace

TEST_CASE("vector functions: within 4 ulp, and within their bounds") {
  for (const evaluation e : evaluations())
    for (const function& f : functions) check_range<float>(f, e), check_range<double>(f, e);
}
TEST_CASE("vector functions: zeros of either sign, denormal and infinite numbers, NaN, overflow and underflow") {
  for (const evaluation e : evaluations())
    for (const function& f : functions) check_special<float>(f, e), check_special<double>(f, e);
}
TEST_CASE("vector functions: erf of what is large is one") {
  const auto check = []<class T>(T, const std::vector<double>& at) {
    for (const evaluation e : evaluations()) {
      const array x = as_array(std::vector<T>(at.begin(), at.end())), one = jq::ones_like(x);
      CHECK(jq::all(e(functions[3].of, x) == one).item<bool>());
      CHECK(jq::all(e(functions[3].of, -x) == -one).item<bool>());
    }
  };
  check(float(), {3.925, 3.93, 3.94, 4, 4.06, 4.2, 9, 30, 1e30, infinite});
  check(double(), {5.94, 5.95, 5.96, 5.98, 6, 6.4, 9, 30, 1e300, infinite});
}
TEST_CASE("vector functions: an element has the same bits wherever it stands, in vectors of any length") {
  for (const function& f : functions)
    for (const jq::dtype t : {jq::f32, jq::f64, jq::f16, jq::bf16}) {
      const array x = ((jq::arange(150) + 1) * 0.02).astype(t), all = compiled(f.of)(x);
      for (const int n : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 65, 149})
        CHECK(jq::all(compiled(f.of)(x(jq::slice(0, n))) == all(jq::slice(0, n))).item<bool>());
    }
}
TEST_CASE("vector functions: beside numbers of other sizes, many at once, and in loops of few elements") {
  const auto mixed = [](const array& x, const array& n) { return jq::exp(x) + jq::tanh(x).astype(jq::f64) * n.astype(jq::f64) + jq::erf(x.astype(jq::f64)); };
  const array x = jq::linspace(-2, 2, 77).astype(jq::f32), n = (jq::arange(77) % 5).astype(jq::i8);
  CHECK(jq::allclose(jq::jit(mixed, jq::backend("cpu"), jq::compile_at::first_call)(x, n), mixed(x, n), 1e-6));
  const auto many = [](array a) {
    for (int i = 0; i < 6; ++i) a = jq::tanh(jq::log(jq::exp(a) + 1) + jq::erf(a));
    return a;
  };
  CHECK(jq::allclose(jq::jit(many, jq::backend("cpu"), jq::compile_at::first_call)(x), many(x), 1e-5));
  const auto apart = [](const array& a) { return jq::exp(-a) * jq::sin(a) + jq::log1p(a * a) * a; };
  CHECK(jq::allclose(jq::jit(apart, jq::backend("cpu"), jq::compile_at::first_call)(x), apart(x), 1e-5));
  const auto loop = [](const array& start) {
    return jq::lax::fori_loop(0, 9, [](const array&, const array& c) { return jq::tanh(c) + jq::exp(-c * c) * 0.5; }, start);
  };
  const array few = jq::linspace(-1, 1, 5);
  CHECK(jq::allclose(jq::jit(loop, jq::backend("cpu"), jq::compile_at::first_call)(few), loop(few), 1e-5));
}
TEST_CASE("vector functions: the larger and the smaller one of two numbers, one of them a constant, with NaN and zeros of either sign") {
  const auto check = [](auto f, const array& x) {
    const array got = jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call)(x), want = jq::jit(f, jq::backend("interpreter"))(x);
    const array same = ((got == want) & (jq::signbit(got) == jq::signbit(want))) | (jq::isnan(got) & jq::isnan(want));
    CHECK(jq::all(same).item<bool>());
  };
  const std::vector<double> each{not_a_number, infinite, -infinite, 0.0, -0.0, 1e-310, 2.0, -2.0, 0.5};
  std::vector<double> odd;
  for (int i = 0; i < 27; ++i) odd.push_back(each[std::size_t(i % 9)]);
  for (const jq::dtype t : {jq::f32, jq::f64, jq::bf16}) {
    const array x = jq::asarray(odd).astype(t);
    for (const double c : {0.0, -0.0, 0.5, -2.0, infinite, -infinite, not_a_number}) {
      check([&](const array& a) { return jq::maximum(a, c); }, x);
      check([&](const array& a) { return jq::minimum(a, c); }, x);
      check([&](const array& a) { return jq::maximum(jq::full({1}, c, a.dtype()), a); }, x);
      check([&](const array& a) { return jq::minimum(jq::full({1}, c, a.dtype()), a); }, x);
    }
    check([](const array& a) { return jq::maximum(a, jq::roll(a, 4)); }, x);
    check([](const array& a) { return jq::minimum(a, jq::roll(a, 5)); }, x);
  }
}
