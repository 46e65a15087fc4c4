// Kernels in ranges: any division into ranges, run in any order, gives the bits of the whole; and these are the numbers that the
// interpreter computes.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/native_backend.hpp>

#include <jacquard/testing/comparison.hpp>

#include <cstring>

#include "../../show.hpp"

using jq::array;

namespace {

/// Numbers without a pattern along any axis, dyadic so that products of two are exact in f32.
array numbers(const jq::shape& s, jq::dtype t = jq::f32) {
  const array n = jq::astype(jq::arange(s.elements(), jq::i64), jq::f64);
  return jq::reshape(jq::astype(jq::floor(jq::sin(n * 12.9898) * 512.0) / 64.0, t), s);
}

using ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;
ranges whole(std::int64_t units) { return {{0, units}}; }
ranges one_by_one_backwards(std::int64_t units) {
  ranges r;
  for (std::int64_t u = units; u-- > 0;) r.push_back({u, u + 1});
  return r;
}
ranges uneven(std::int64_t units) {
  ranges r;
  for (std::int64_t u = 0, n = 1; u < units; u += n, n = n % 7 + 2) r.insert(r.begin() + std::ptrdiff_t(r.size() / 2), {u, std::min(units, u + n)});
  return r;
}

/// The only kernel of a function, on memory of its own.
class lone_kernel {
 public:
  template <class F, class... A>
  explicit lone_kernel(F f, const A&... x) : program_(jq::simplify(jq::make_jaxpr(f)(x...))) {
    const auto l = jq::lowering::lower(*program_, &jq::cpu::can_emit);
    REQUIRE(l.kernels.size() == 1);
    jq::cpu::code_generator& g = *jq::cpu::code_generator::get();
    text_ = jq::cpu::emit_kernel(l.kernels[0], g.target(), jq::cpu::kernel_name(0));
    module_ = g.compile(jq::cpu::emit_module({text_}, g.target()));
    for (const jq::lowering::output& o : l.kernels[0].outputs) outputs_.push_back(o.to.value.index());
    const array given[] = {x...};
    for (jq::atom a : text_.places) {
      memory_.emplace_back(std::size_t(program_->avals[a.index()].bytes()));
      for (std::size_t i = 0; i < sizeof...(A); ++i)
        if (program_->invars[i] == a.index()) std::memcpy(memory_.back().data(), given[i].as_buffer()->data, memory_.back().size());
    }
    memory_.emplace_back(std::size_t(plan().partial_bytes()));
  }
  const jq::cpu::range_plan& plan() const { return text_.ranges; }
  /// The bytes of all outputs.
  template <class Division>
  std::vector<std::vector<char>> run(Division divide) {
    std::vector<void*> pointers;
    for (std::vector<char>& m : memory_) pointers.push_back(m.data());
    std::vector<std::vector<char>> r;
    for (std::size_t i = 0; i < memory_.size(); ++i)
      if (is_output(i)) std::fill(memory_[i].begin(), memory_[i].end(), char(0x55));
    for (std::size_t phase = 0; phase < plan().units().size(); ++phase)
      for (auto [begin, end] : divide(plan().units()[phase]))
        reinterpret_cast<decltype(jq::cpu::kernel_phase::entry)>(module_->function(0, phase))(pointers.data(), begin, end, nullptr);
    for (std::size_t i = 0; i < memory_.size(); ++i)
      if (is_output(i)) r.push_back(memory_[i]);
    return r;
  }

 private:
  bool is_output(std::size_t i) const {
    return i < text_.places.size() && std::find(outputs_.begin(), outputs_.end(), text_.places[i].index()) != outputs_.end();
  }
  jq::closed_jaxpr program_;
  jq::cpu::kernel_text text_;
  jq::ref<jq::cpu::native_module> module_ = nullptr;
  std::vector<jq::variable> outputs_;
  std::vector<std::vector<char>> memory_;
};

/// Checks a function in ranges, and whether its kernel is cut into `at_least` units in so many phases.
template <class F, class... A>
void check(std::size_t phases, std::int64_t at_least, F f, const A&... x) {
  lone_kernel k(f, x...);
  CHECK(k.plan().units().size() == phases);
  CHECK(k.plan().units()[0] >= at_least);
  const auto want = k.run(&whole);
  CHECK(k.run(&one_by_one_backwards) == want);
  CHECK(k.run(&uneven) == want);
  const jq::testing::leaves got = jq::tree::flatten(jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call)(x...));
  const jq::testing::leaves slow = jq::tree::flatten(jq::jit(f, jq::backend("interpreter"))(x...));
  const jq::testing::report r = jq::testing::all_close(got, slow, 1e-5, 1e-4);
  CHECK_MESSAGE(r.ok, r.text);
}

array chain(const array& x, const array& y) { return jq::maximum(x * 2.0 + y, jq::exp(y * 0.125) - x); }
array squares(const array& x) { return jq::sum(x * x); }
array flat_softmax(const array& x) {
  const array e = jq::exp(x - jq::max(x));
  return e / jq::sum(e);
}
array row_softmax(const array& x) {
  const array e = jq::exp(x - jq::expand_dims(jq::max(x, {1}), 1));
  return e / jq::expand_dims(jq::sum(e, {1}), 1);
}

}  // namespace

TEST_CASE("range plan: vectors of columns side by side") {
  using jq::cpu::vectors_of_columns;
  CHECK(vectors_of_columns(256, 512, 4, 32, 60) == 8);      // pieces of 256 bytes, whatever it takes
  CHECK(vectors_of_columns(256, 512, 8, 64, 60) == 4);
  CHECK(vectors_of_columns(64, 65536, 4, 32, 60) == 16);    // whole rows beyond the caches
  CHECK(vectors_of_columns(64, 65536, 8, 64, 60) == 8);
  CHECK(vectors_of_columns(64, 100, 4, 32, 60) == 8);       // but not within them
  CHECK(vectors_of_columns(1000, 65536, 4, 32, 60) == 8);   // nor of rows that are longer
  CHECK(vectors_of_columns(10000, 100, 4, 32, 5) == 16);    // little work, and enough blocks of columns for threads
}
TEST_CASE("range plan: what is small is one piece") {
  for (std::int64_t n : {1, 8, 1000}) {
    const lone_kernel k(&chain, numbers({n}), numbers({n}));
    CHECK(k.plan().units() == std::vector<std::int64_t>{1});
    CHECK(k.plan().loop() == -1);
  }
}

TEST_CASE("range plan: chains along the vectors, with every rest, and along outer loops") {
  for (std::int64_t n : {200000, 200001, 200015, 200016, 200031, 200063}) check(1, 1000, &chain, numbers({n}), numbers({n}));
  check(1, 300, [](const array& x) { return x * jq::transpose(x) + 1.0; }, numbers({401, 401}));
  check(1, 32, [](const array& x, const array& y) { return x + y; }, numbers({3, 50, 2, 3001}), numbers({50, 1, 3001}));
  check(1, 64, [](const array& x) { return lax::rev(x, {0, 1}) * 3.0; }, numbers({2, 200003}));
}

TEST_CASE("range plan: rows with stages") {
  check(1, 300, &row_softmax, numbers({301, 1003}));
  check(1, 16, [](const array& x) { return jq::sum(x, {0}); }, numbers({400, 1003}));
}

TEST_CASE("range plan: reductions of everything, in blocks whose partial results are combined") {
  for (std::int64_t n : {400000, 400001, 400063, 400064, 400447}) {
    check(2, 8, &squares, numbers({n}));
    check(2, 8, [](const array& x) { return jq::max(x); }, numbers({n}));
  }
  check(5, 16, &flat_softmax, numbers({600011}));
  check(5, 16, [](const array& x) { return jq::var(x); }, numbers({600011}));
  for (jq::dtype t : {jq::f64, jq::f16, jq::bf16, jq::i32, jq::u8, jq::i64}) check(2, 8, [](const array& x) { return jq::max(x); }, numbers({2400003}, t));
  check(2, 8, [](const array& x) { return jq::sum(x); }, numbers({800003}, jq::i32));
  check(2, 4, [](const array& x) { return jq::all(x > -100.0); }, numbers({1600003}));
  check(2, 4, [](const array& x) { return jq::any(x > 100.0); }, numbers({1600003}));
}

TEST_CASE("range plan: reductions with few rows, along vectors, across them and in several loops") {
  check(2, 8, [](const array& x) { return jq::sum(x * x, {1}); }, numbers({3, 200017}));
  check(2, 8, [](const array& x) { return jq::sum(x * x, {0}); }, numbers({200017, 3}));
  check(2, 8, [](const array& x) { return jq::sum(x, {0}); }, numbers({50017, 21}));
  check(2, 8, [](const array& x) { return jq::sum(x * 0.5, {0, 2}); }, numbers({401, 2, 503}));
  check(2, 8, [](const array& x) { return jq::sum(x * jq::transpose(x)); }, numbers({701, 701}));
  check(3, 8, [](const array& x) { return x - jq::expand_dims(jq::mean(x, {1}), 1) + jq::expand_dims(jq::max(jq::abs(x), {1}), 1); }, numbers({2, 300017}));
}

TEST_CASE("range plan: results for each element and one for all from one kernel") {
  check(4, 16, [](const array& x) { return std::pair(jq::sum(x), x - jq::sum(x)); }, numbers({500009}));
  check(4, 16, [](const array& x, const array& v) { return std::pair(jq::sum(x, {1}) + v, x * jq::expand_dims(v, 1) - jq::expand_dims(jq::sum(x, {1}), 1)); },
        numbers({3, 200017}), numbers({3}) + 1.0);
}

TEST_CASE("range plan: columns that are normalised, in blocks of rows") {  // sums, their means, squares, square roots, quotients
  const auto normalised = [](const array& x) {
    const array d = x - jq::mean(x, {0});
    return d / jq::sqrt(jq::mean(d * d, {0}) + 1e-5);
  };
  for (std::int64_t columns : {64, 77, 130}) check(6, 8, normalised, numbers({4100, columns}));
  check(6, 8, normalised, numbers({4100, 33}, jq::f64));
}
TEST_CASE("range plan: passes that sums of earlier ones stand in for, in blocks, where these are finite and where they are not") {
  const auto gradient = [](const array& x, const array& w) {
    return jq::grad([&](const array& a) {
      const array d = a - jq::mean(a, {0}, jq::keepdims);
      return jq::sum(w * (d / jq::sqrt(jq::mean(d * d, {0}, jq::keepdims) + 1e-5)));
    })(x);
  };
  for (std::int64_t columns : {64, 77}) {
    const array x = numbers({4100, columns}), w = numbers({4100, columns}) * 0.25f;
    check(10, 8, gradient, x, w);
    const array far = jq::where(jq::arange(columns) % 9 == 4, 1e20f, 1.0f);
    check(10, 8, gradient, x, w * far * far);
  }
}
TEST_CASE("range plan: columns divided by numbers of any size are rounded as quotients are") {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN(), tiny = std::numeric_limits<float>::denorm_min();
  std::vector<float> by{3, 0, -0.0f, inf, -inf, nan, tiny, 1e38f, 1e-38f, 7, -0.3f, 1e31f, 1e-31f}, x;
  const std::vector<float> special{0, -0.0f, inf, -inf, nan, tiny, 3e38f, -1e-38f};
  const std::size_t rows = 200;
  // Divisors of which some are unusual; usual ones; and usual ones that are so small that quotients overflow.
  for (const int kind : {0, 1, 2}) {
    const std::size_t columns = 96 + 3;
    std::vector<float> most(columns);
    x.clear();
    for (std::size_t c = 0; c < columns; ++c) most[c] = kind == 0 ? by[c % by.size()] : (1.5f + float(c) / 7) * (kind == 1 ? 1.0f : 1e-20f);
    for (std::size_t i = 0; i < rows * columns; ++i) x.push_back(i % 11 == 0 ? special[i / 11 % special.size()] : float(std::sin(double(i))) * (kind == 2 && i % 3 == 0 ? 1e30f : 100.0f));
    // The sum of a column of zeros is known before the column begins, as far as a kernel knows.
    const auto f = [](const array& a, const array& zeros, const array& m) { return a / (jq::sum(zeros, {0}) + m); };
    const auto run = jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call);
    const array zeros = jq::zeros({std::int64_t(rows), std::int64_t(columns)});
    const array got = run(jq::asarray(x, {std::int64_t(rows), std::int64_t(columns)}), zeros, jq::asarray(most));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const float want = x[i] / (0.0f + most[i % columns]), is = got.data<float>()[i];
      // What an operand below the normal numbers leaves underflows, and cannot correct a quotient that is one.
      const bool is_neighbour = kind == 2 && std::abs(x[i]) < 1e-37f && std::abs(is - want) <= 1.2e-7f * std::abs(want);
      CHECK_MESSAGE((std::isnan(want) ? std::isnan(is) : is == want || is_neighbour), x[i], " / ", most[i % columns], " is ", want, ", not ", is);
    }
  }
}
