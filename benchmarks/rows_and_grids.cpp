// Question: what do programs cost that reduce rows or look at neighbours, compared with loops by hand and with array libraries?
// Tasks: softmax and layer norm of 4096 rows of 1024; a step of the heat equation by five points on a grid of 4096 x 4096; the forces
// between 2048 bodies, all pairs of them. f32 and f64, one thread and two.
// Unit: nanoseconds per call, ratios to each baseline. Bar: 1.1 of the loops.

#include "contest.hpp"

namespace {

using namespace contest;
using jq::slice;

array layer_norm(const array& a) {
  const array d = a - jq::mean(a, 1, jq::keepdims);
  return d / jq::sqrt(jq::mean(d * d, 1, jq::keepdims) + 1e-5);
}
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
void programs() {
  const std::string where = std::string(", ") + number_name<T>;
  {
    const array m = uniform<T>(1, {4096, 1024}, -3, 3);
    const auto run = [&](auto function, T* out) { function(read<T>(m), out, 4096, 1024); };
    task<T>("softmax 4096 x 1024" + where, 1.1, [](array a) { return jq::softmax(a, 1); }, &peers::library<T>::softmax, run, m);
    task<T>("layer norm 4096 x 1024" + where, 1.1, layer_norm, &peers::library<T>::layer_norm, run, m);
  }
  {
    const array u = uniform<T>(2, {4096, 4096});
    task<T>("heat 4096 x 4096" + where, 1.1, heat, &peers::library<T>::heat, [&](auto function, T* out) { function(read<T>(u), out, 4096); }, u);
  }
  const array at = uniform<T>(3, {3, 2048}), mass = uniform<T>(4, {2048}, 0.5, 1.5);
  task<T>("forces between 2048 bodies" + where, {1.1, 100}, accelerations, &peers::library<T>::n_body,
          [&](auto function, T* out) { function(read<T>(at), read<T>(mass), out, 2048); }, at, mass);
}

}  // namespace

int main(int argc, char** argv) {
  begin(argc, argv);
  programs<float>();
  programs<double>();
}
