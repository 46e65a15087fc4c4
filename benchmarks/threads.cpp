// Question: what does a second thread give, compared with loops shared between two threads by OpenMP, and what does it cost where the
// second processor is busy with something else?
// Tasks: a chain of multiplications, additions and a maximum; exp, tanh, log, sin and erf; a sum of squares; softmax of rows; a five-point
// stencil; products of matrices, against OpenBLAS with one and two threads of its own, where the build has it. f32. Everything is
// measured twice: as the machine is, and with a process that keeps one processor busy.
// Unit: microseconds by the clock, median of interleaved rounds; then, as medians of ratios within a round: two threads of ours to one,
// two of the loop's to one, and ours to the loop's with two. What others do on the machine is in these figures.

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/code_generator.hpp>
#include <jacquard/jacquard.hpp>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interleaved.hpp"
#include "openblas_hint.hpp"

#ifdef JACQUARD_WITH_OPENBLAS
#include <cblas.h>
#endif

namespace jq = jacquard;
using jq::array;

using extent = std::int64_t;
void shared_chain(const float* x, const float* y, const float* z, float* out, extent n, int threads);
void shared_functions(const float* x, float* out, extent n, int threads);
void shared_squares(const float* x, float* out, extent n, int threads);
void shared_softmax(const float* x, float* out, extent rows, extent columns, int threads);
void shared_stencil(const float* u, float* out, extent n, int threads);

namespace {

const float* read(const array& x) { return x.data<float>().data(); }

/// A process that keeps one processor busy until the scope ends.
class busy_process {
 public:
  busy_process() : child_(fork()) {
    if (child_ == 0)
      for (unsigned n = 0;; ++n) interleaved::observe(&n);
  }
  ~busy_process() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }

 private:
  pid_t child_;
};

/// Mean time of a call by the clock, in nanoseconds.
template <class F>
double clock_time(F&& f, int repetitions) {
  timespec a{}, b{};
  clock_gettime(CLOCK_MONOTONIC, &a);
  for (int i = 0; i < repetitions; ++i) f();
  clock_gettime(CLOCK_MONOTONIC, &b);
  return (1e9 * double(b.tv_sec - a.tv_sec) + double(b.tv_nsec - a.tv_nsec)) / repetitions;
}

/// The same, after a rest and as many calls that do not count: OpenMP's threads spin for some milliseconds after their work, the scheduler
/// favours whoever has just slept, and threads that wake up need some milliseconds to find a processor each.
template <class F>
double settled_time(F&& f, int repetitions) {
  usleep(20000);
  clock_time(f, repetitions);
  return clock_time(f, repetitions);
}

double median(std::vector<double> x) { return interleaved::quartiles(std::move(x)).middle; }

/// Measures f(x...) and `hand`, which fills a result of the same shape with so many threads.
template <class F, class Hand, class... A>
void measure(const char* name, const char* machine, F& compiled, Hand hand, float* out, const A&... x) {
  std::vector<double> ours[2], theirs[2], own, other, both;
  const auto one = [&] { hand(out, 1), interleaved::observe(out); };
  int repetitions = 1;
  while (repetitions < (1 << 20) && clock_time(one, repetitions) * repetitions < 3e6) repetitions *= 2;
  for (int round = 0; round < (interleaved::quick() ? 3 : 15); ++round) {
    for (int n : {1, 2}) {
      jq::cpu::set_threads(n);
      const auto run = [&] {  // dropped, so that the next one goes where it was, as the loop's do
        const array result = compiled(x...);
        interleaved::observe(read(result));
      };
      ours[n - 1].push_back(settled_time(run, repetitions));
      theirs[n - 1].push_back(settled_time([&] { hand(out, n), interleaved::observe(out); }, repetitions));
    }
    own.push_back(ours[1].back() / ours[0].back());
    other.push_back(theirs[1].back() / theirs[0].back());
    both.push_back(ours[1].back() / theirs[1].back());
  }
  using interleaved::quartiles;
  interleaved::record({std::string(name) + ", two threads, " + machine, "OpenMP", quartiles(both), 1.1, {}, median(ours[1]), median(theirs[1])});
  interleaved::record({std::string(name) + ", two threads to one, " + machine, "one thread", quartiles(own)});
  std::printf("%-38s %-5s ours %9.1f -> %9.1f us (%.2f)  by hand %9.1f -> %9.1f us (%.2f)  ours to the loop's, two threads %.2f\n", name, machine,
              median(ours[0]) / 1e3, median(ours[1]) / 1e3, median(own), median(theirs[0]) / 1e3, median(theirs[1]) / 1e3, median(other), median(both));
}

template <class F, class Hand, class... A>
void task(const char* name, extent n, F f, Hand hand, const A&... x) {
  auto compiled = jq::jit(f, jq::backend("cpu"));
  const array ours = compiled(x...);
  std::vector<float> memory(std::size_t(ours.size()), 0);
  float* const out = memory.data();
  hand(out, 2);
  const array theirs = jq::asarray(memory, ours.shape());
  const double difference = double(jq::max(jq::abs(ours - theirs) / (1.0 + jq::abs(theirs))).template item<float>());
  if (!(difference < 1e-3)) {
    std::printf("%s wrong: relative error %g\n", name, difference);
    std::exit(1);
  }
  char line[64];
  std::snprintf(line, sizeof line, "%s, n = %lld", name, static_cast<long long>(n));
  measure(line, "quiet", compiled, hand, out, x...);
  const busy_process other;
  measure(line, "busy", compiled, hand, out, x...);
}

}  // namespace

int main(int, char** argv) {
  openblas_hint::start(argv);
  if (!jq::cpu::code_generator::get()) {
    std::puts("no libLLVM here: kernels run on the tile interpreter, there is nothing to measure");
    return 0;
  }
  jq::cpu::set_compile_at(jq::compile_time::first_call);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::printf("processors: %d\n", jq::cpu::threads());
  for (const extent n : {10000, 100000, 1000000, 10000000}) {
    if (interleaved::quick() && n != 1000000) continue;
    const array x = jq::random::normal(jq::random::key(0), {n}), y = x * 0.5 + 1.0, z = x - 0.3;
    task("multiply, add, maximum", n, [](array a, array b, array c) { return jq::maximum(a * b + c, b) * a + c * 0.5; },
         [&](float* out, int threads) { shared_chain(read(x), read(y), read(z), out, n, threads); }, x, y, z);
    task("sum of squares", n, [](array a) { return jq::sum(a * a); }, [&](float* out, int threads) { shared_squares(read(x), out, n, threads); }, x);
    if (n <= 1000000)
      task("exp, tanh, log, sin, erf", n, [](array a) {
        const array e = jq::exp(a), t = jq::tanh(a);
        return jq::erf(jq::sin(jq::log(e + t * t))) * a;
      }, [&](float* out, int threads) { shared_functions(read(x), out, n, threads); }, x);
  }
  const array m = jq::random::normal(jq::random::key(1), {1024, 1024});
  task("softmax of rows", 1024, [](array a) { return jq::softmax(a, 1); }, [&](float* out, int threads) { shared_softmax(read(m), out, 1024, 1024, threads); }, m);
  task("five-point stencil", 1024, [](array u) {
    using jq::slice;
    const auto part = [&](jq::slice rows, jq::slice columns) { return u(rows, columns); };
    const array c = part(slice(1, -1), slice(1, -1));
    return c + 0.1 * (part(slice(0, -2), slice(1, -1)) + part(slice(2, jq::none), slice(1, -1)) + part(slice(1, -1), slice(0, -2)) +
                      part(slice(1, -1), slice(2, jq::none)) - 4 * c);
  }, [&](float* out, int threads) { shared_stencil(read(m), out, 1024, threads); }, m);
#ifdef JACQUARD_WITH_OPENBLAS
  openblas_set_num_threads(1);
  for (const extent n : {64, 128, 256, 512, 1024}) {
    if (interleaved::quick() && n != 512) continue;
    const array a = jq::random::normal(jq::random::key(2), {n, n}), b = jq::random::normal(jq::random::key(3), {n, n});
    // Its threads are set back at once: the library that jq uses may be the same.
    task("product of matrices", n, [](array x, array y) { return jq::matmul(x, y); }, [&](float* out, int threads) {
      openblas_set_num_threads(threads);
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, int(n), int(n), int(n), 1, read(a), int(n), read(b), int(n), 0, out, int(n));
      openblas_set_num_threads(1);
    }, a, b);
  }
#endif
}
