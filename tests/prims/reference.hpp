#pragma once
// Tables of numbers with an index of any rank: what the tests of primitives that move or contract data compute their
// expected values with, one element at a time.

#include "prim_testing.hpp"

namespace prim_testing {

using position = std::vector<std::int64_t>;

/// Calls f with every index of `dims`, row-major.
template <class F>
void each(const shape& dims, F f) {
  if (dims.elements() == 0) return;
  position i(std::size_t(dims.rank()), 0);
  while (true) {
    f(i);
    int d = dims.rank() - 1;
    while (d >= 0 && ++i[std::size_t(d)] == dims[d]) i[std::size_t(d--)] = 0;
    if (d < 0) return;
  }
}

/// A mutable array of double.
struct table {
  shape dims;
  std::vector<double> v;

  explicit table(const shape& s, double fill = 0) : dims(s), v(std::size_t(s.elements()), fill) {}
  explicit table(const array& x) : dims(x.shape()), v(values<double>(x)) {}
  double& operator()(const position& i) { return v[index(i)]; }
  double operator()(const position& i) const { return v[index(i)]; }
  std::size_t index(const position& i) const {
    std::size_t at = 0;
    for (std::size_t d = 0; d < i.size(); ++d) at = at * std::size_t(dims[int(d)]) + std::size_t(i[d]);
    return at;
  }
  array get(jq::dtype t = jq::f64) const {
    jq::buffer* b = jq::make_buffer(jq::aval(jq::f64, dims));
    if (!v.empty()) std::memcpy(b->data, v.data(), v.size() * sizeof(double));
    return cast(array(b), t);
  }
};

/// Different numbers, in no order: 0, 7, 14, ... modulo a prime, minus 50.
inline array sample(const shape& s, jq::dtype t = jq::f64) {
  table r(s);
  for (std::size_t i = 0; i < r.v.size(); ++i) r.v[i] = double((i * 7) % 101) - 50;
  return r.get(t);
}

/// f gives the same on every dtype as on f64, converted. For functions that move data.
inline void check_moves(const function& f, const arrays& x) {
  for (int i = 0; i < jq::dtype_count; ++i) {
    const jq::dtype t = jq::dtype(i);
    INFO("dtype " << std::string(jq::long_name(t)));
    arrays narrow, wide;
    for (const array& a : x) {
      const bool data = a.dtype() == jq::f64;
      narrow.push_back(data ? cast(lax::abs(a), t) : a);
      wide.push_back(data ? cast(narrow.back(), jq::f64) : a);
    }
    const array y = f(narrow);
    CHECK(y.dtype() == t);
    CHECK_CLOSE(cast(y, jq::f64), f(wide), 0);
  }
}

/// An operand of a kernel in constant evaluation: data, or indices.
struct operand {
  shape dims;
  std::vector<double> data;
  std::vector<std::int64_t> indices{};
};
/// The result, of shape `dims`, of P's kernel on f64 operands: the same code that runs at run time.
template <class P, std::size_t N>
constexpr std::vector<double> constant_kernel_of(const jq::params_of<P>& p, const shape& dims,
                                                 const operand* const (&in)[N]) {
  std::vector<double> result(std::size_t(dims.elements()), 0.0);
  const double* data[N];
  const std::int64_t* indices[N];
  jq::aval types[N];
  for (std::size_t k = 0; k < N; ++k) {
    data[k] = in[k]->data.data();
    indices[k] = in[k]->indices.data();
    types[k] = {jq::f64, in[k]->dims};
  }
  double* const out = result.data();
  std::int64_t* const no_index = nullptr;
  const jq::aval out_type(jq::f64, dims);
  const jq::kernel_args<double> a{data, indices, {&out, 1}, {&no_index, 1}, types, {&out_type, 1}};
  if constexpr (std::is_empty_v<jq::params_of<P>>) jq::detail::run_kernel<P>(a);
  else jq::detail::run_kernel<P>(a, p);
  return result;
}
template <class P>
constexpr std::vector<double> constant_kernel(const jq::params_of<P>& p, const shape& dims,
                                              const operand& a) {
  return constant_kernel_of<P>(p, dims, {&a});
}
template <class P>
constexpr std::vector<double> constant_kernel(const jq::params_of<P>& p, const shape& dims, const operand& a,
                                              const operand& b) {
  return constant_kernel_of<P>(p, dims, {&a, &b});
}
template <class P>
constexpr std::vector<double> constant_kernel(const jq::params_of<P>& p, const shape& dims, const operand& a,
                                              const operand& b, const operand& c) {
  return constant_kernel_of<P>(p, dims, {&a, &b, &c});
}

}  // namespace prim_testing
