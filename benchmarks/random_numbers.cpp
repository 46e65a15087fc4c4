// Question: what do a million random numbers cost next to std::mt19937_64 (std::mt19937 for f32 and u32) and a distribution of the standard
// library that fill a vector? Ours are drawn eagerly, those by rejection and whole ones as compiled programs with the bits of the interpreter, and under
// jit, on one thread. Bar: 1x for bits, uniform, normal and whole numbers, 3x for those that are drawn by rejection.
// Unit: nanoseconds per number, and the ratio to the baseline in the same round (interleaved.hpp). Means are compared first.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/code_generator.hpp>
#include <jacquard/jacquard.hpp>

#include "interleaved.hpp"

namespace jq = jacquard;
using interleaved::observe;
using jq::array;

namespace {

constexpr int count = 1'000'000;

template <class T>
using engine = std::conditional_t<sizeof(T) <= 4, std::mt19937, std::mt19937_64>;

template <class T>
double mean(const T* x) {
  return std::accumulate(x, x + count, 0.0, [](double sum, T v) { return sum + double(v); }) / count;
}

/// `ours(key)` gives as many numbers of type T; `number(engine)` gives one.
template <class T, class Ours, class Number>
void task(const std::string& name, Ours ours, Number number, double deviation, double bar) {
  engine<T> generator(7);
  const auto numbers = std::make_unique<T[]>(count);
  const auto by_std = [&] {
    for (int i = 0; i < count; ++i) numbers[std::size_t(i)] = number(generator);
    observe(numbers.get());
  };
  by_std();
  const double wanted = mean(numbers.get());
  const array key = jq::random::key(3);
  const auto compiled = jq::jit(ours, jq::backend("cpu"));
  const auto eager = [&] { observe(ours(key).template data<T>().data()); };
  const auto jitted = [&] { observe(compiled(key).template data<T>().data()); };
  const auto error = [&](const array& x) { return std::fabs(mean(x.data<T>().data()) - wanted) / deviation; };
  const double tolerance = 7 / std::sqrt(double(count));
  interleaved::compare({name + ", eager", count, tolerance}, {"ours", eager}, {{"std", by_std, error(ours(key)), bar}});
  interleaved::compare({name + ", jit", count, tolerance}, {"ours", jitted}, {{"std", by_std, error(compiled(key)), bar}});
}

template <class T>
void floats(const std::string& dtype) {
  constexpr jq::dtype t = std::is_same_v<T, float> ? jq::f32 : jq::f64;
  const jq::shape dims{count};
  task<T>("uniform " + dtype, [=](const array& k) { return jq::random::uniform(k, dims, t); },
          [d = std::uniform_real_distribution<T>()](auto& g) mutable { return d(g); }, 0.3, 1);
  task<T>("normal " + dtype, [=](const array& k) { return jq::random::normal(k, dims, t); },
          [d = std::normal_distribution<T>()](auto& g) mutable { return d(g); }, 1, 1);
  task<T>("exponential " + dtype, [=](const array& k) { return jq::random::exponential(k, dims, t); },
          [d = std::exponential_distribution<T>()](auto& g) mutable { return d(g); }, 1, 1);
  task<T>("gamma " + dtype, [=](const array& k) { return jq::random::gamma(k, 2.5, dims, t); },
          [d = std::gamma_distribution<T>(T(2.5))](auto& g) mutable { return d(g); }, 1.6, 3);
}

}  // namespace

int main() {
  jq::cpu::set_threads(1);
  jq::cpu::set_compile_at(jq::cpu::code_generator::get() ? jq::compile_time::first_call : jq::compile_time::never);
  const jq::shape dims{count};
  task<std::uint32_t>("bits u32", [=](const array& k) { return jq::random::bits(k, dims, jq::u32); },
                      [](auto& g) { return std::uint32_t(g()); }, 1.3e9, 1);
  task<std::uint64_t>("bits u64", [=](const array& k) { return jq::random::bits(k, dims, jq::u64); },
                      [](auto& g) { return std::uint64_t(g()); }, 5.4e18, 1);
  floats<float>("f32");
  floats<double>("f64");
  task<std::int64_t>("randint i64", [=](const array& k) { return jq::random::randint(k, dims, 0, 1000, jq::i64); },
                     [d = std::uniform_int_distribution<std::int64_t>(0, 999)](auto& g) mutable { return d(g); }, 289, 1);
  task<bool>("bernoulli", [=](const array& k) { return jq::random::bernoulli(k, 0.3, dims); },
             [d = std::bernoulli_distribution(0.3)](auto& g) mutable { return d(g); }, 0.5, 3);
  task<std::int64_t>("poisson, rate 3", [=](const array& k) { return jq::random::poisson(k, 3.0, dims); },
                     [d = std::poisson_distribution<std::int64_t>(3)](auto& g) mutable { return d(g); }, 1.8, 3);
  task<std::int64_t>("poisson, rate 100", [=](const array& k) { return jq::random::poisson(k, 100.0, dims); },
                     [d = std::poisson_distribution<std::int64_t>(100)](auto& g) mutable { return d(g); }, 10, 3);
  task<std::int64_t>("binomial, 40 trials", [=](const array& k) { return jq::random::binomial(k, 40.0, 0.5, dims); },
                     [d = std::binomial_distribution<std::int64_t>(40, 0.5)](auto& g) mutable { return d(g); }, 3.2, 3);
}
