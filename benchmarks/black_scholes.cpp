// Question: what do prices of options and their derivatives cost, compared with loops by hand? The prices are written down once; delta,
// theta and vega come from jq::grad, and by hand from their closed forms.
// Tasks: calls after Black and Scholes at 1e3, 1e5 and 1e7 options, f32 and f64, one thread and two.
// Unit: nanoseconds per call, ratios to each baseline. Bar: 0.8 of the loop, which calls libmvec.

#include "contest.hpp"

namespace {

using namespace contest;

array normal_distribution(const array& x) { return 0.5 * (1 + jq::erf(x * 0.70710678118654752440)); }
array price(const array& s, const array& k, const array& t, const array& v) {
  const array deviation = v * jq::sqrt(t), d1 = (jq::log(s / k) + (0.02 + 0.5 * v * v) * t) / deviation;
  return s * normal_distribution(d1) - k * jq::exp(-0.02 * t) * normal_distribution(d1 - deviation);
}

template <class T>
void prices() {
  for (const std::int64_t n : {1000, 100000, 10000000}) {
    if (n > 100000 && interleaved::quick()) continue;
    const array s = uniform<T>(0, {n}, 5, 30), k = uniform<T>(1, {n}, 5, 30), t = uniform<T>(2, {n}, 0.25, 5), v = uniform<T>(3, {n}, 0.1, 0.5);
    const peers::options<T> in{read<T>(s), read<T>(k), read<T>(t), read<T>(v)};
    const std::size_t count = std::size_t(n);
    const std::string where = std::string(", ") + number_name<T> + ", " + size_name(n);
    task<T>("prices" + where, 0.8, price, &peers::library<T>::black_scholes, [&](auto function, T* out) { function(in, out, count); }, s, k, t, v);
    const auto total = [](array a, array b, array c, array d) { return jq::sum(price(a, b, c, d)); };
    task<T>("delta, theta, vega" + where, 0.8, jq::grad(total, jq::argnums<0, 2, 3>), &peers::library<T>::greeks,
            [&](auto function, T* out) { function(in, out, out + count, out + 2 * count, count); }, s, k, t, v);
  }
}

}  // namespace

int main(int argc, char** argv) {
  begin(argc, argv);
  prices<float>();
  prices<double>();
}
