// Chapter 32: compiled functions on memory of your own
//
// A call of a jitted function takes arrays and returns arrays. A simulation that exists already has its state in
// vectors and structs, and calls small functions a million times. bind() says once where the arguments of a compiled
// function lie and where its results belong; a call then checks nothing and makes nothing: some nanoseconds beyond
// the work.

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

namespace {

struct pendulum {
  double angle, speed;
};

/// The energy of a chain of masses and springs, each pulled back to its place.
jq::array energy(const jq::array& x) {
  const jq::array stretch = jq::diff(x);
  return 0.5 * jq::sum(stretch * stretch) + 0.25 * jq::sum(x * x * x * x);
}

}  // namespace

int main() {
  // The state is a struct. Angle and speed are donated, so that a step may write over them.
  const auto swing = [](const jq::array& angle, const jq::array& speed, const jq::array& dt) {
    const jq::array next = speed - dt * jq::sin(angle);
    return std::pair{angle + dt * next, next};
  };
  pendulum p{0.1, 0};
  const double dt = 1e-4, pi = 3.14159265358979323846;
  auto advance = jq::jit(swing, jq::backend("cpu"), jq::donate_argnums<0, 1>, jq::compile_at::first_call)
                     .lower(jq::asarray(p.angle), jq::asarray(p.speed), jq::asarray(dt)).compile()
                     .bind({p.angle, p.speed, dt}, {p.angle, p.speed});
  double time = 0;
  for (int turns = 0; turns < 2; time += dt) {
    const double before = p.speed;
    advance();
    turns += before * p.speed < 0;
  }
  std::printf("period of a swing: %.3f, by series: %.3f\n", time, 2 * pi * (1 + 0.1 * 0.1 / 16));

  // A code of your own goes on around it: here velocity Verlet over vectors, with forces from a gradient.
  const std::size_t n = 100;
  std::vector<double> x(n), v(n), gradient(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = std::sin(0.2 * double(i));
  double now = 0;
  auto forces = jq::jit(jq::value_and_grad(energy), jq::backend("cpu"), jq::compile_at::first_call)
                    .lower(jq::asarray(x)).compile().bind({x}, {now, gradient});
  const auto total = [&] {
    double kinetic = 0;
    for (double s : v) kinetic += 0.5 * s * s;
    return now + kinetic;
  };
  forces();
  const double first = total();
  const double h = 0.01;
  for (int step = 0; step < 20000; ++step) {
    for (std::size_t i = 0; i < n; ++i) v[i] -= 0.5 * h * gradient[i], x[i] += h * v[i];
    forces();
    for (std::size_t i = 0; i < n; ++i) v[i] -= 0.5 * h * gradient[i];
  }
  std::printf("energy of a chain: %.3f at first, %.3f of it after 20000 steps\n", first, total() / first);
}

// output:
// period of a swing: 6.287, by series: 6.287
// energy of a chain: 10.032 at first, 1.000 of it after 20000 steps
