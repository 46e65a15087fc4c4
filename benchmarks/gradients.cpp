// Question: what do reverse-mode gradients cost through jit, compared with those written by hand?
// Tasks: T1, chained Rosenbrock, and T2, log-sum-exp from its primitives, at 1e3, 1e5 and 1e7 elements, one thread and two; T3, loss and 577
// derivatives of a network 16-32-1 on a batch of 16. f32 and f64. The same in the compile-time lane: fixed_lane and fixed_functions.
// Unit: nanoseconds per call, ratios to the baseline. Bars: 1.5, 1.1 and 2 of the loops, which are vectorised and call libmvec.

#include "contest.hpp"
#include "gradient_tasks.hpp"

namespace {

using namespace contest;

using gradient_tasks::rosenbrock, gradient_tasks::log_sum_exp, gradient_tasks::network_loss;

template <class T>
void gradients() {
  for (const std::int64_t n : {1000, 100000, 10000000}) {
    if (n > 100000 && interleaved::quick()) continue;
    const std::string where = std::string(", ") + number_name<T> + ", " + size_name(n);
    const array x = uniform<T>(1, {n}), wider = 3.0 * x;
    const std::size_t count = std::size_t(n);
    task<T>("T1 Rosenbrock" + where, {1.5, 4}, jq::grad(rosenbrock), &peers::library<T>::rosenbrock,
            [&](auto function, T* out) { function(read<T>(x), out, count); }, x);
    task<T>("T2 log-sum-exp" + where, 1.1, jq::grad(log_sum_exp), &peers::library<T>::log_sum_exp,
            [&](auto function, T* out) { function(read<T>(wider), out, count); }, wider);
  }
}

template <class T>
void small_network() {
  const array p = uniform<T>(2, {577}, -0.3, 0.3), x = uniform<T>(3, {16, 16}), y = uniform<T>(4, {16});
  const auto part = [&](int from, int to) { return p(jq::slice(from, to)); };
  const auto loss_and_gradient = [](array w1, array b1, array w2, array b2, array in, array want) {
    const auto [loss, g] = jq::value_and_grad(network_loss, jq::argnums<0, 1, 2, 3>)(w1, b1, w2, b2, in, want);
    return std::tuple_cat(std::tuple{loss}, g);
  };
  task<T>(std::string("T3 network, loss and gradient, ") + number_name<T>, 2.0, loss_and_gradient, &peers::library<T>::small_network,
          [&](auto function, T* out) { function(read<T>(p), read<T>(x), read<T>(y), out); }, jq::reshape(part(0, 512), {32, 16}),
          part(512, 544), part(544, 576), p[576], x, y);
}

}  // namespace

int main(int argc, char** argv) {
  begin(argc, argv);
  gradients<float>();
  small_network<float>();
  gradients<double>();
  small_network<double>();
}
