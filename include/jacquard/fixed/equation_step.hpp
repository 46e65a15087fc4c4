#pragma once
// One equation of a frozen program as straight C++: an elementwise primitive applied to each element, any other one by its
// kernel on arrays of constant shape. Narrow types compute in wider ones exactly as the interpreter's do. Deliberately names
// no primitive: the type behind the equation says what it offers.

#include "jacquard/fixed/control_step.hpp"
#include "jacquard/fixed/filling_step.hpp"
#include "jacquard/fixed/lanes.hpp"
#include "jacquard/fixed/tap_step.hpp"

namespace jacquard {
namespace detail {

/// A kernel whose operands each have a type of their own.
template <class P>
concept takes_each_type = requires(const double* in, double* out, const params_of<P>& p) {
  P::kernel_of_each(std::tuple<const double*>(in), std::tuple<double*>(out), shape{}, p);
};

template <const auto& Code, class Values, std::size_t I>
struct equation_step : equation_shape<Code, I> {
  using shape = equation_shape<Code, I>;
  using P = typename shape::P;
  using shape::in_types, shape::out_types, shape::inputs, shape::outputs;
  using shape::input, shape::output, shape::input_type, shape::output_type, shape::params;
  using stores = value_stores<Code, Values>;
  template <dtype T>
  using value = typename Values::template of<T>;

  JACQUARD_INLINE static constexpr void run(stores& s) {
    if constexpr (shape::e.subs.count > 0) run_bodies(s, std::make_index_sequence<inputs>{}, std::make_index_sequence<outputs>{});
    else if constexpr (tap_primitive<P>) tap_step<Code, Values, I>::run(s);
    else if constexpr (layout_of<Code>.filled_in[I]) filling_step<Code, Values, I>::run(s);
    else if constexpr (runs_by_lane()) run_by_lane(s, std::make_index_sequence<inputs>{}, std::make_index_sequence<outputs>{});
    else if constexpr (has_kernel()) run_kernel(s, std::make_index_sequence<inputs>{});
    else if constexpr (takes_each_type<P>) run_kernel_of_each(s, std::make_index_sequence<inputs>{});
    else
      static_assert(sizeof(P) == 0, "jacquard: this primitive has neither `apply` nor a `kernel` template, which is what the compile-time "
                                    "lane runs; pass a jq::array to compute it on a backend");
  }

  template <std::size_t K>
  using input_value = value<input_type(K).type>;
  using result = value<output_type(0).type>;

  template <class X>
  using work_type_of = typename std::conditional_t<takes_exact_types<P>(), std::type_identity<X>, compute_type<X>>::type;
  /// The elementwise function on one element of each operand.
  template <std::size_t... K, class... X>
  JACQUARD_INLINE static constexpr result element(std::index_sequence<K...>, const X&... x) {
    if constexpr (requires { P::arity; }) {
      if constexpr (has_params<P>) return as_value<result>(P::apply(as_value<work_type_of<X>>(x)..., params()));
      else return as_value<result>(P::apply(as_value<work_type_of<X>>(x)...));
    } else if constexpr (converts<P>) return as_value<result>(x...);
    else if constexpr (requires { P::template recast<result>(x...); }) return P::template recast<result>(x...);
    else if constexpr (picks()) return P::pick(x...);
    else return element_by_kernel(std::index_sequence<K...>{}, x...);
  }
 private:
  static constexpr std::uint32_t index_mask = index_operands<P>();
  /// Whether the primitive chooses between two values of one type by a boolean.
  static constexpr bool picks() {
    if constexpr (inputs != 3) return false;
    else return is_boolean(input_type(0).type) && requires(input_value<0> w, input_value<1> x) { P::pick(w, x, x); };
  }
  /// The same where the primitive has a kernel only: one element is an array of rank 0.
  template <std::size_t... K, class... X>
  JACQUARD_INLINE static constexpr result element_by_kernel(std::index_sequence<K...>, const X&... x) {
    const std::tuple<std::conditional_t<bit(index_mask, K), std::int64_t, result>...> data{
        as_value<std::conditional_t<bit(index_mask, K), std::int64_t, result>>(x)...};
    result out{};
    constexpr aval types[] = {aval(input_type(K).type, {})...}, out_type(output_type(0).type, {});
    const result* in[] = {pointer_if<!bit(index_mask, K), result>(std::get<K>(data))...};
    const std::int64_t* index[] = {pointer_if<bit(index_mask, K), std::int64_t>(std::get<K>(data))...};
    result* results[] = {&out};
    std::int64_t* no_index[] = {nullptr};
    call_kernel(kernel_args<result>{in, index, results, no_index, types, view<const aval>(&out_type, 1)});
    return out;
  }
  template <bool Wanted, class T, class X>
  JACQUARD_INLINE static constexpr const T* pointer_if(const X& x) {
    if constexpr (Wanted) return &x;
    else return nullptr;
  }
#ifndef __CUDACC__  // device code has no addresses of the host's constants
  /// What the kernel finds out from types and parameters.
  static constexpr auto planned = [] {
    if constexpr (requires { P::plan(in_types, out_types[0], params()); }) return P::plan(in_types, out_types[0], params());
    else return 0;
  }();
#endif
  static constexpr bool has_kernel() { return requires { P::moves_data; } || requires { P::domain; } || has_kernel_of_one_type(); }
  template <class T>
  JACQUARD_INLINE static constexpr void call_kernel(const kernel_args<T>& a) {
    if constexpr (has_view_rule<P>) {
      constexpr view_strides v = strides_of_view<P>(in_types[0], out_types[0], shape::parameter_view());
      strided_copy(output_type(0).dims, v.strides, v.offset, a.in[0], a.out[0]);
#ifndef __CUDACC__
    } else if constexpr (requires { P::plan(in_types, out_types[0], params()); }) {
      P::by_plan(a, params(), planned);
#endif
    } else if constexpr (has_params<P>) P::kernel(a, params());
    else P::kernel(a);
  }

  /// A kernel for whatever type all operands and results have.
  static constexpr bool has_kernel_of_one_type() {
    bool r = inputs != 0;
    for (const aval& a : in_types) r = r && a.type == in_types[0].type;
    for (const aval& a : out_types) r = r && a.type == in_types[0].type;
    return r && (requires(const kernel_args<double>& a, const params_of<P>& p) { P::kernel(a, p); } ||
                 requires(const kernel_args<double>& a) { P::kernel(a); });
  }
  template <std::size_t... K>
  JACQUARD_INLINE static constexpr void run_kernel_of_each(stores& s, std::index_sequence<K...> k) {
    run_kernel_of_each(s, k, std::make_index_sequence<outputs>{});
  }
  template <std::size_t... K, std::size_t... O>
  JACQUARD_INLINE static constexpr void run_kernel_of_each(stores& s, std::index_sequence<K...>, std::index_sequence<O...>) {
    std::tuple operands{kernel_operand<value<input_type(K).type>, input(K)>(s)...};
    std::tuple results{kernel_result<value<output_type(O).type>, O>(s)...};
    call_kernel_of_each(operands, results, std::index_sequence<K...>{}, std::index_sequence<O...>{});
    (store_result<O>(s, std::get<O>(results)), ...);
  }
  template <class In, class Out, std::size_t... K, std::size_t... O>
  JACQUARD_INLINE static constexpr void call_kernel_of_each(In& operands, Out& results, std::index_sequence<K...>, std::index_sequence<O...>) {
    P::kernel_of_each(std::tuple<const value<input_type(K).type>*...>(data_of(std::get<K>(operands))...),
                      std::tuple<value<output_type(O).type>*...>(data_of(std::get<O>(results))...), in_types[0].dims, params());
  }

  // On vector lanes: kernels that compare, count or index do so with the numbers of one lane after the other.

  static constexpr bool runs_by_lane() {
    if constexpr (math::lane_value<value<output_type(0).type>>)
      return (has_kernel() || takes_each_type<P>) && !requires { P::only_arithmetic; } && !requires { P::is_reduction; } && !only_moves<P>() &&
             inputs != 0;
    else return false;
  }
  /// The numbers of lane l of an array of lanes, as T.
  template <class T, std::size_t N, class X>
  static std::array<T, N> lane_of(const X* x, int l) {
    std::array<T, N> r;
    for (std::size_t i = 0; i < N; ++i) r[i] = as_value<T>(x[i][l]);
    return r;
  }
  template <class T, std::size_t N, class X>
  static void put_lane(const std::array<T, N>& from, int l, X* to) {
    for (std::size_t i = 0; i < N; ++i) to[i].put(l, as_value<typename X::lane_element>(from[i]));
  }
  template <std::size_t... K, std::size_t... O>
  static void run_by_lane(stores& s, std::index_sequence<K...> k, std::index_sequence<O...> o) {
    std::tuple operands{kernel_operand<value<input_type(K).type>, input(K)>(s)...};
    std::tuple results{kernel_result<value<output_type(O).type>, O>(s)...};
    for (int l = 0; l < value<output_type(0).type>::count; ++l)
      equation_step<Code, plain_values, I>::run_numbers(
          [&]<class T, std::size_t J>(std::type_identity<T>, std::index_sequence<J>) {
            return lane_of<T, std::size_t(input_type(J).elements())>(data_of(std::get<J>(operands)), l);
          },
          [&]<std::size_t J>(const auto& x, std::index_sequence<J>) { put_lane(x, l, data_of(std::get<J>(results))); }, k, o);
    (store_result<O>(s, std::get<O>(results)), ...);
  }
  template <const auto&, class, std::size_t>
  friend struct equation_step;
  /// The kernel on arrays of numbers: `get` gives operand K in the type that the kernel wants, `put` takes a result.
  template <class Get, class Put, std::size_t... K, std::size_t... O>
  static void run_numbers(const Get& get, const Put& put, std::index_sequence<K...>, std::index_sequence<O...>) {
    if constexpr (has_kernel()) {
      using T = value<work_type()>;
      std::tuple operands{get(std::type_identity<std::conditional_t<bit(index_mask, K), std::int64_t, T>>{}, std::index_sequence<K>{})...};
      std::tuple<std::array<std::conditional_t<bit(index_results<P>(), O), std::int64_t, T>, std::size_t(output_type(O).elements())>...> results{};
      call_kernel<T>(operands, results, std::index_sequence<K...>{}, std::index_sequence<O...>{});
      (put(std::get<O>(results), std::index_sequence<O>{}), ...);
    } else {
      std::tuple operands{get(std::type_identity<value<input_type(K).type>>{}, std::index_sequence<K>{})...};
      std::tuple<std::array<value<output_type(O).type>, std::size_t(output_type(O).elements())>...> results{};
      call_kernel_of_each(operands, results, std::index_sequence<K...>{}, std::index_sequence<O...>{});
      (put(std::get<O>(results), std::index_sequence<O>{}), ...);
    }
  }

  // Kernels see contiguous arrays of the compute type: large values as they lie, others copied.

  static constexpr std::size_t first_data_operand() {
    std::size_t k = 0;
    while (k < inputs && bit(index_mask, k)) ++k;
    return k;
  }
  static constexpr dtype work_type() {
    const dtype t = first_data_operand() < inputs ? input_type(first_data_operand()).type : output_type(0).type;
    if constexpr (requires { P::moves_data; } || math::lane_value<result>) return t;
    else return storage_of(compute_of(t));
  }
  template <class Want, atom A>
  JACQUARD_INLINE static constexpr auto kernel_operand(stores& s) {
    constexpr aval t = Code.type_of(A);
    constexpr std::size_t n = std::size_t(t.elements());
    if constexpr (!is_small<Code>(A) && !is_uniform<Code>(A) && std::is_same_v<Want, value<t.type>>)
      return large_elements<Code, Values, A.index()>(s);
    else {
      std::array<Want, n> copy{};
      if constexpr (is_uniform<Code>(A)) copy.fill(as_value<Want>(uniform_element<Code, Values, A>(s)));
      else if constexpr (is_small<Code>(A))
        [&]<std::size_t... J>(std::index_sequence<J...>) __attribute__((always_inline)) {
          ((copy[J] = as_value<Want>(small_element<Code, Values, A, J>(s))), ...);
        }(std::make_index_sequence<n>{});
      else
        for (std::size_t i = 0; i < n; ++i) copy[i] = as_value<Want>(large_elements<Code, Values, A.index()>(s)[i]);
      return copy;
    }
  }
  template <class Have, std::size_t K>
  JACQUARD_INLINE static constexpr auto kernel_result(stores& s) {
    constexpr aval t = output_type(K);
    constexpr bool small = is_small<Code>(atom::of_variable(output(K)));
    if constexpr (!small && std::is_same_v<Have, value<t.type>>) return large_elements<Code, Values, output(K)>(s);
    else return std::array<Have, std::size_t(t.elements())>{};
  }
  template <class X>
  JACQUARD_INLINE static constexpr auto* data_of(X& x) {
    if constexpr (std::is_pointer_v<X>) return x;
    else return x.data();
  }
  template <std::size_t K, class X>
  JACQUARD_INLINE static constexpr void store_result(stores& s, const X& x) {
    constexpr aval t = output_type(K);
    if constexpr (std::is_pointer_v<X>) return;
    else if constexpr (is_small<Code>(atom::of_variable(output(K))))
      [&]<std::size_t... J>(std::index_sequence<J...>) __attribute__((always_inline)) {
        ((small_element<Code, Values, atom::of_variable(output(K)), J>(s) = as_value<value<t.type>>(x[J])), ...);
      }(std::make_index_sequence<std::size_t(t.elements())>{});
    else
      for (std::size_t i = 0; i < x.size(); ++i) large_elements<Code, Values, output(K)>(s)[i] = as_value<value<t.type>>(x[i]);
  }
  template <std::size_t... K>
  JACQUARD_INLINE static constexpr void run_kernel(stores& s, std::index_sequence<K...> k) {
    run_kernel(s, k, std::make_index_sequence<outputs>{});
  }
  template <std::size_t... K, std::size_t... O>
  JACQUARD_INLINE static constexpr void run_kernel(stores& s, std::index_sequence<K...>, std::index_sequence<O...>) {
    using T = value<work_type()>;
    constexpr std::uint32_t index_out = index_results<P>();
    std::tuple operands{kernel_operand<std::conditional_t<bit(index_mask, K), std::int64_t, T>, input(K)>(s)...};
    std::tuple results{kernel_result<std::conditional_t<bit(index_out, O), std::int64_t, T>, O>(s)...};
    call_kernel<T>(operands, results, std::index_sequence<K...>{}, std::index_sequence<O...>{});
    (store_result<O>(s, std::get<O>(results)), ...);
  }
  /// The kernel on operands and results that are arrays or pointers to elements.
  template <class T, class In, class Out, std::size_t... K, std::size_t... O>
  JACQUARD_INLINE static constexpr void call_kernel(In& operands, Out& results, std::index_sequence<K...>, std::index_sequence<O...>) {
    constexpr std::uint32_t index_out = index_results<P>();
    const std::array<const T*, inputs> in{operand_pointer<!bit(index_mask, K), T>(std::get<K>(operands))...};
    const std::array<const std::int64_t*, inputs> index{
        operand_pointer<bit(index_mask, K), std::int64_t>(std::get<K>(operands))...};
    const std::array<T*, outputs> out{operand_pointer<!bit(index_out, O), T>(std::get<O>(results))...};
    const std::array<std::int64_t*, outputs> out_index{
        operand_pointer<bit(index_out, O), std::int64_t>(std::get<O>(results))...};
#ifdef __CUDA_ARCH__  // device code has no addresses of the host's constants
    constexpr auto in_types = shape::in_types;
    constexpr auto out_types = shape::out_types;
#endif
    call_kernel(kernel_args<T>{in, index, out, out_index, in_types, out_types});
  }
  template <std::size_t... K, std::size_t... O>
  JACQUARD_INLINE static constexpr void run_bodies(stores& s, std::index_sequence<K...>, std::index_sequence<O...>) {
    pack<decltype(kernel_operand<value<input_type(K).type>, input(K)>(s))...> operands{{kernel_operand<value<input_type(K).type>, input(K)>(s)}...};
    pack<decltype(kernel_result<value<output_type(O).type>, O>(s))...> results{{kernel_result<value<output_type(O).type>, O>(s)}...};
    run_control<Code, Values, I>(packed(data_of(get<K>(operands))...), packed(data_of(get<O>(results))...));
    (store_result<O>(s, get<O>(results)), ...);
  }
  template <bool Wanted, class T, class X>
  JACQUARD_INLINE static constexpr decltype(auto) operand_pointer(X& x) {
    if constexpr (Wanted) return data_of(x);
    else return static_cast<T*>(nullptr);
  }
};

}  // namespace detail
}  // namespace jacquard
