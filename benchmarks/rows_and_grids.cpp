// Question: what do programs cost that reduce rows or look at neighbours, compared with loops by hand and with array libraries?
// Tasks: softmax and layer norm of 4096 rows of 1024 and of 1000 of 10, 16 and 33, the latter also of 256 of 100; columns times exp of a number
// each; the normalisation of a batch, column by column, 512 x 256 and 65536 x 64, and its gradient; the cross entropy of 256 rows of 10, 1000 of 33
// and 4096 of 1000 with a label each, and its gradient; a step of the heat equation by five points on a grid of 4096 x 4096; the forces between 2048
// bodies, all pairs of them; and what lies a few apart: 100000 rows of three, each divided by its length, a step of Haar's transform on as many
// pairs, and numbers from the last to the first. f32 and f64, one thread and two.
// Short rows that are divided by a number each, and forces, are also measured with precision::fast_math: the loops by hand, at -ffast-math, multiply by
// inverses, and take roots from estimates. Those of the same text without that flag are "by hand, IEEE".
// Unit: nanoseconds per call, ratios to each baseline. Bar: 1.1 of the loops.

#include "contest.hpp"

namespace {

using namespace contest;
using jq::slice;

array layer_norm(const array& a) {
  const array d = a - jq::mean(a, 1, jq::keepdims);
  return d / jq::sqrt(jq::mean(d * d, 1, jq::keepdims) + 1e-5);
}
array batch_norm(const array& a) {
  const array d = a - jq::mean(a, 0, jq::keepdims);
  return d / jq::sqrt(jq::mean(d * d, 0, jq::keepdims) + 1e-5);
}
array batch_norm_gradient(const array& a, const array& w) {
  return jq::grad([&](const array& x) { return jq::sum(w * batch_norm(x)); })(a);
}
array cross_entropy(const array& x, const array& labels) {
  return -jq::mean(jq::take_along_axis(jq::log_softmax(x, 1), jq::expand_dims(labels, 1), 1));
}
array cross_entropy_gradient(const array& x, const array& labels) { return jq::grad(cross_entropy)(x, labels); }
array heat(const array& u) {
  const auto part = [&](slice rows, slice columns) { return u(rows, columns); };
  const slice inner(1, -1), before(0, -2), after(2, jq::none);
  const array c = part(inner, inner);
  return c + 0.1 * (part(before, inner) + part(after, inner) + part(inner, before) + part(inner, after) - 4 * c);
}
/// Positions (3, n), masses (n): accelerations (3, n).
array accelerations(const array& at, const array& mass) {
  const auto differences = [&](int k) { return jq::expand_dims(at[k], 0) - jq::expand_dims(at[k], 1); };
  const array x = differences(0), y = differences(1), z = differences(2), square = x * x + y * y + z * z + 1e-3;
  const array w = jq::expand_dims(mass, 0) / (square * jq::sqrt(square));
  return jq::stack({jq::sum(w * x, 1), jq::sum(w * y, 1), jq::sum(w * z, 1)});
}

template <class T>
void batches(std::int64_t rows, std::int64_t columns) {
  const array x = uniform<T>(5, {rows, columns}, -3, 3), w = uniform<T>(6, {rows, columns});
  const std::string where = " " + std::to_string(rows) + " x " + std::to_string(columns) + ", " + number_name<T>;
  task<T>("batch norm" + where, {1.1, 10}, batch_norm, &peers::library<T>::batch_norm,
          [&](auto function, T* out) { function(read<T>(x), out, std::size_t(rows), std::size_t(columns)); }, x);
  task<T>("gradient of batch norm" + where, {1.1, 10}, batch_norm_gradient, &peers::library<T>::batch_norm_gradient,
          [&](auto function, T* out) { function(read<T>(x), read<T>(w), out, std::size_t(rows), std::size_t(columns)); }, x, w);
}
template <class T>
void classes(std::int64_t rows, std::int64_t columns) {
  const array x = uniform<T>(7, {rows, columns}, -3, 3), labels = (jq::arange(rows) * 7 % columns).astype(jq::i32);
  const std::string where = " " + std::to_string(rows) + " x " + std::to_string(columns) + ", " + number_name<T>;
  const auto run = [&](auto function, T* out) { function(read<T>(x), read<int>(labels), out, std::size_t(rows), std::size_t(columns)); };
  task<T>("cross entropy" + where, {1.1, 10}, cross_entropy, &peers::library<T>::cross_entropy, run, x, labels);
  task<T>("gradient of cross entropy" + where, {1.1, 10}, cross_entropy_gradient, &peers::library<T>::cross_entropy_gradient, run, x, labels);
}

array unit_points(const array& x) { return x / jq::sqrt(jq::sum(x * x, 1, jq::keepdims)); }
array haar(const array& x) {
  const array a = x(jq::slice(), 0), b = x(jq::slice(), 1);
  return jq::stack({0.5 * (a + b), 0.5 * (a - b)}, 1);
}
template <class T>
void few_apart(std::int64_t n) {
  const std::string where = ", " + size_name(n) + ", " + number_name<T>;
  const array points = uniform<T>(11, {n, 3}), pairs = uniform<T>(12, {n, 2}), x = uniform<T>(13, {n});
  const auto on = [n](const array& a) { return [&a, n](auto function, T* out) { function(read<T>(a), out, std::size_t(n)); }; };
  for (const goal& g : {goal(1.1), goal(1.1).in_fast_math()}) task<T>("unit vectors of points" + where, g, unit_points, &peers::library<T>::unit_points, on(points), points);
  task<T>("Haar's transform of pairs" + where, 1.1, haar, &peers::library<T>::haar, on(pairs), pairs);
  task<T>("numbers backwards" + where, 1.1, [](array a) { return 2.0 * jq::flip(a); }, &peers::library<T>::backwards, on(x), x);
}
template <class T>
void programs() {
  const std::string where = std::string(", ") + number_name<T>;
  {
    const array m = uniform<T>(1, {4096, 1024}, -3, 3);
    const auto run = [&](auto function, T* out) { function(read<T>(m), out, 4096, 1024); };
    task<T>("softmax 4096 x 1024" + where, 1.1, [](array a) { return jq::softmax(a, 1); }, &peers::library<T>::softmax, run, m);
    task<T>("layer norm 4096 x 1024" + where, 1.1, layer_norm, &peers::library<T>::layer_norm, run, m);
  }
  {
    const array m = uniform<T>(8, {256, 100}, -3, 3);
    for (const goal& g : {goal(1.1), goal(1.1).in_fast_math()})
      task<T>("layer norm 256 x 100" + where, g, layer_norm, &peers::library<T>::layer_norm, [&](auto function, T* out) { function(read<T>(m), out, 256, 100); }, m);
    const array x = uniform<T>(9, {1000, 1000}, -3, 3), s = uniform<T>(10, {1000});
    task<T>("columns times exp of a number each, 1000 x 1000" + where, {1.1, 10}, [](array a, array b) { return a * jq::exp(b); },
            &peers::library<T>::scaled_columns, [&](auto function, T* out) { function(read<T>(x), read<T>(s), out, 1000, 1000); }, x, s);
  }
  for (const std::int64_t n : {10, 16, 33}) {
    const array m = uniform<T>(14, {1000, n}, -3, 3);
    const auto run = [&](auto function, T* out) { function(read<T>(m), out, 1000, std::size_t(n)); };
    const std::string size = " 1000 x " + std::to_string(n) + where;
    task<T>("softmax" + size, {1.1, 10}, [](array a) { return jq::softmax(a, 1); }, &peers::library<T>::softmax, run, m);
    task<T>("layer norm" + size, {1.1, 10}, layer_norm, &peers::library<T>::layer_norm, run, m);
  }
  few_apart<T>(100000);
  batches<T>(512, 256);
  batches<T>(65536, 64);
  classes<T>(256, 10);
  classes<T>(1000, 33);
  classes<T>(4096, 1000);
  {
    const array u = uniform<T>(2, {4096, 4096});
    task<T>("heat 4096 x 4096" + where, 1.1, heat, &peers::library<T>::heat, [&](auto function, T* out) { function(read<T>(u), out, 4096); }, u);
  }
  const array at = uniform<T>(3, {3, 2048}), mass = uniform<T>(4, {2048}, 0.5, 1.5);
  for (const goal& g : {goal(1.1, 100), goal(1.1, 100).in_fast_math()})
    task<T>("forces between 2048 bodies" + where, g, accelerations, &peers::library<T>::n_body,
            [&](auto function, T* out) { function(read<T>(at), read<T>(mass), out, 2048); }, at, mass);
}

}  // namespace

int main(int argc, char** argv) {
  begin(argc, argv);
  programs<float>();
  programs<double>();
}
