// Programs of hundreds of equations: making them ready takes time near linear in their length, code is written for what is worth it, and they
// compute what they should.
#include "../../show.hpp"

#include <jacquard/backends/cpu/cpu.hpp>

#include <jacquard/backends/cpu/code_generator.hpp>

#include <ctime>

using jq::array;

namespace {

array updated(int n, array x) {
  for (int i = 0; i < n; ++i) x = x.at(i).set(lax::sin(x(i + 1)) * 2.f);
  return x;
}
array summed(int n, const array& x) {
  array s = x(0);
  for (int i = 0; i < n; ++i) s = s + lax::sin(x(i)) * x(i + 1);
  return s + x;
}
array stacked(int n, const array& x) {
  std::vector<array> all;
  for (int i = 0; i < n; ++i) all.push_back(x(i) * float(i));
  return jq::stack(all);
}
template <class F>
auto slope(const F& f, int n) {
  return [=](const array& x) { return array(jq::grad([=](const array& v) { return jq::sum(f(n, v)); })(x)); };
}
array numbers(int n) { return jq::linspace(0.f, 1.f, n + 1); }

/// Processor time until the first result, on tiles; the best of three.
template <class F>
double first_result(const F& f, int n) {
  const array x = numbers(n);
  double best = 1e9;
  for (int k = 0; k < 3; ++k) {
    const std::clock_t start = std::clock();
    jq::jit(f, jq::compile_at::never).lower(x).compile()(x).block_until_ready();
    best = std::min(best, double(std::clock() - start));
  }
  return best;
}
/// How often that takes longer for four times the length: 4 where it is linear, 16 where it is quadratic.
template <class F>
double growth(const F& f) {
  return first_result(slope(f, 1600), 1600) / first_result(slope(f, 400), 400);
}

/// The machine code of a program, as text.
template <class F>
std::string code(const F& f, const array& x) {
  return jq::jit(f, jq::compile_at::first_call).lower(x).as_text("llvm");
}
/// The most places that a function loads and stores.
int most_places(const std::string& text) {
  int most = 0;
  for (std::size_t at = 0, end; at < text.size(); at = end) {
    end = std::min(text.find("\ndefine ", at + 1), text.size());
    most = std::max(most, testing::count(text.substr(at, end - at), " = load ptr, ptr %q"));
  }
  return most;
}
template <class F>
void check_result(const F& f, const array& x) {
  CHECK(show(jq::jit(f, jq::compile_at::first_call, jq::precision::strict)(x)) == show(jq::jit(f, jq::backend("interpreter"))(x)));
  CHECK(show(jq::jit(f, jq::compile_at::first_call)(x)) == show(jq::jit(f, jq::compile_at::never)(x)));
}

}  // namespace

TEST_CASE("long programs: time until the first result grows as their length") {
  CHECK(growth(updated) < 8);
  CHECK(growth(summed) < 8);
}
TEST_CASE("long programs: hundreds of short kernels and updates get no code, a few do") {
  if (!jq::cpu::code_generator::get()) return;
  const auto functions = [](int n) { return testing::count(code(slope(updated, n), numbers(n)), "\ndefine void @jq."); };
  CHECK(functions(20) > 20);
  CHECK(functions(200) < 130);
}
TEST_CASE("long programs: long kernels get code, however many") {
  if (!jq::cpu::code_generator::get()) return;
  const auto f = [](array x) {
    for (int i = 0; i < 200; ++i) x = lax::sin(x) - jq::max(x) * 0.5f;
    return x;
  };
  CHECK(testing::count(code(f, jq::ones({20000})), "define void @jq.") >= 100);
}
TEST_CASE("long programs: functions in registers load and store a bounded number of values") {
  if (!jq::cpu::code_generator::get()) return;
  CHECK(most_places(code([](const array& x) { return stacked(600, x); }, numbers(600))) < 200);
}
TEST_CASE("long programs: results") {
  check_result(slope(updated, 200), numbers(200));
  check_result([](const array& x) { return stacked(300, x); }, numbers(300));
  check_result([](const array& x) { return updated(150, x); }, numbers(150));
}
