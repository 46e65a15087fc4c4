#pragma once
// The interpreter kernel of a primitive, made from what its struct provides: `apply` becomes tile loops, `kernel` a
// function per element type, `run` is taken as it is. Deliberately thin: every line here is compiled once per primitive.

#include "jacquard/core/kernel_frame.hpp"
#include "jacquard/core/strided.hpp"

namespace jacquard::detail {

template <class P>
inline constexpr bool has_params = !std::is_empty_v<params_of<P>>;

/// The scalar function on elements i of the operands.
template <class P, class T>
constexpr auto apply_at(const void* const* in, std::int64_t i, const params_of<P>& p) {
  const auto x = [&](int k) -> const T& { return static_cast<const T*>(in[k])[i]; };
  if constexpr (has_params<P>) {
    if constexpr (P::arity == 1) return P::apply(x(0), p);
    else if constexpr (P::arity == 2) return P::apply(x(0), x(1), p);
    else return P::apply(x(0), x(1), x(2), p);
  } else {
    (void)p;
    if constexpr (P::arity == 1) return P::apply(x(0));
    else if constexpr (P::arity == 2) return P::apply(x(0), x(1));
    else return P::apply(x(0), x(1), x(2));
  }
}
/// What a result is stored as: complex numbers compute in c128, whatever `apply` returns.
template <class R>
using tile_result = std::conditional_t<is_complex_v<R>, complex128, R>;
template <class P, class T>
void tile_loop_of(const void* const* in, void* out, std::int64_t n, const param_view& view) {
  using R = tile_result<decltype(apply_at<P, T>(in, 0, {}))>;
  R* r = static_cast<R*>(out);
  if constexpr (requires { P::tile(static_cast<const T*>(in[0]), r, n); }) P::tile(static_cast<const T*>(in[0]), r, n);
  else if constexpr (requires { P::tile(static_cast<const T*>(in[0]), static_cast<const T*>(in[1]), r, n); })
    P::tile(static_cast<const T*>(in[0]), static_cast<const T*>(in[1]), r, n);
  else if constexpr (has_params<P>) {
    const auto p = decode<params_of<P>>(view);
    for (std::int64_t i = 0; i < n; ++i) r[i] = apply_at<P, T>(in, i, p);
  } else {
    for (std::int64_t i = 0; i < n; ++i) r[i] = apply_at<P, T>(in, i, {});
  }
}
template <class P, class T>
constexpr tile_entry make_tile() {
  return {&tile_loop_of<P, T>, compute_of_type<decltype(apply_at<P, T>(nullptr, 0, {}))>()};
}
template <class P>
struct tiles_of {
  static constexpr std::array<tile_entry, compute_count> make() {
    std::array<tile_entry, compute_count> t{};
    if constexpr ((P::domain & booleans) != 0) t[0] = make_tile<P, bool>();
    if constexpr ((P::domain & signed_integers) != 0) t[1] = make_tile<P, std::int64_t>();
    if constexpr ((P::domain & unsigned_integers) != 0) t[2] = make_tile<P, std::uint64_t>();
    if constexpr ((P::domain & floats) != 0) t[3] = make_tile<P, float>(), t[4] = make_tile<P, double>();
    if constexpr ((P::domain & complexes) != 0) t[5] = make_tile<P, complex128>();
    return t;
  }
  static constexpr std::array<tile_entry, compute_count> value = make();
};

template <class P>
constexpr bool takes_exact_types() {
  if constexpr (requires { P::exact_types; }) return P::exact_types;
  else return false;
}
/// Calls f with the type in which P computes elements of a dtype, if P accepts it: one that holds them, or the exact one.
template <class P, class F>
constexpr void visit_domain(dtype t, F&& f) {
  const auto call = [&]<class T>(std::type_identity<T> type) {
    if constexpr ((P::domain & type_set_of(dtype_of<T>())) != 0) f(type);
  };
  if constexpr (takes_exact_types<P>()) visit_dtype(t, call);
  else visit_compute(compute_of(t), call);
}
/// The loop of a primitive that takes exact types.
template <class P>
void run_exact(const kernel_call& c) {
  visit_domain<P>(c.in[0].type->type, [&]<class T>(std::type_identity<T>) {
    const auto p = decode<params_of<P>>(c.params);
    T* out = static_cast<T*>(c.out[0].data);
    const void* in[P::arity];
    for (std::int64_t i = 0; i < c.out[0].type->elements(); ++i) {
      for (std::size_t k = 0; k < std::size_t(P::arity); ++k)
        in[k] = static_cast<const T*>(c.in[k].data) + (c.in[k].type->rank() != 0 ? i : 0);
      out[i] = apply_at<P, T>(in, 0, p);
    }
  });
}

template <class P>
constexpr std::uint32_t index_operands() {
  if constexpr (requires { P::index_operands; }) return P::index_operands;
  else return 0;
}
template <class P>
constexpr std::uint32_t index_results() {
  if constexpr (requires { P::index_results; }) return P::index_results;
  else return 0;
}
template <class P>
concept has_view_rule = requires(view_call& c, const params_of<P>& p) { P::indices(c, p); };
template <class P>
constexpr void view_entry(view_call& c) {
  P::indices(c, decode<params_of<P>>(c.params));
}
template <class P>
concept has_parts_rule = requires(parts_call& c, const params_of<P>& p) { P::parts(c, p); };
template <class P>
constexpr void parts_entry(parts_call& c) {
  P::parts(c, decode<params_of<P>>(c.params));
}
template <class P>
concept has_lookup_rule = requires(lookup_call& c, const params_of<P>& p) { P::look_up(c, p); };
template <class P>
constexpr void lookup_entry(lookup_call& c) {
  P::look_up(c, decode<params_of<P>>(c.params));
}
template <class P>
concept has_put_rule = requires(lookup_call& c, const params_of<P>& p) { P::put(c, p); } || requires(lookup_call& c) { P::put(c); };
template <class P>
constexpr void put_entry(lookup_call& c) {
  if constexpr (requires { P::put(c); }) P::put(c);
  else P::put(c, decode<params_of<P>>(c.params));
}
template <class P>
concept has_absorb_rule = requires(params_of<P>& p, const int_list& l) { P::absorb(0, l, p); };
template <class P>
constexpr bool absorb_entry(absorb_call& c) {
  auto p = decode<params_of<P>>(c.params);
  if (!P::absorb(c.operand, c.permutation, p)) return false;
  c.changed = encode(p);
  return true;
}
/// How such a primitive walks through its dense operand: by dimension of the result.
struct view_strides {
  int_list strides;
  std::int64_t offset = 0;
};
constexpr view_strides strides_of(const view_call& c) {
  const int_list dense = c.in.dims.strides();
  view_strides r{c.same_order ? c.out.dims.strides() : int_list::filled(c.out.rank(), 0)};
  for (std::size_t d = 0; d < c.from.size(); ++d) {
    r.offset += dense[int(d)] * c.from[d].start;
    if (c.from[d].loop >= 0) r.strides[c.from[d].loop] += dense[int(d)] * c.from[d].step;
  }
  return r;
}
template <class P>
constexpr view_strides strides_of_view(const aval& in, const aval& out, const param_view& given) {
  view_call c{in, out, given};
  view_entry<P>(c);
  return strides_of(c);
}
/// Copies the elements of a view, by their size: one function for all primitives.
template <class Call>
void run_view(const Call& c, const view_strides& v) {
  visit_size(size_of(c.out[0].type->type), [&]<class T>(std::type_identity<T>) {
    strided_copy(c.out[0].type->dims, v.strides, v.offset, static_cast<const T*>(c.in[0].data), static_cast<T*>(c.out[0].data));
  });
}
/// Runs the kernel of P, with its parameters if it has any; the kernel of a view follows from its indices.
template <class P, class T, class... Params>
constexpr void run_kernel(const kernel_args<T>& a, const Params&... p) {
  if constexpr (has_view_rule<P>) {
    view_call c{a.in_types[0], a.out_types[0], {}};
    P::indices(c, p...);
    const view_strides v = strides_of(c);
    strided_copy(a.out_types[0].dims, v.strides, v.offset, a.in[0], a.out[0]);
  } else P::kernel(a, p...);
}
template <class P, class T>
constexpr void call_kernel(const kernel_args<T>& a, const param_view& given) {
  if constexpr (has_params<P>) run_kernel<P>(a, decode<params_of<P>>(given));
  else run_kernel<P>(a);
}
/// A kernel for elements of type T on the untyped pointers of a frame.
template <class P, class T>
void frame_kernel_of(const kernel_frame& f, const param_view& view) {
  const auto in = reinterpret_cast<const T* const*>(f.in);
  const auto out = reinterpret_cast<T* const*>(f.out);
  const std::size_t n = f.operands, m = f.results;
  call_kernel<P>(kernel_args<T>{{in, n}, {f.index, n}, {out, m}, {f.index_out, m}, {f.in_types, n}, {f.out_types, m}}, view);
}
template <class P>
struct frame_kernels_of {
  static constexpr std::array<frame_kernel, compute_count> make() {
    std::array<frame_kernel, compute_count> t{};
    if constexpr (requires { P::moves_data; }) {
      t = {&frame_kernel_of<P, std::uint8_t>, &frame_kernel_of<P, std::uint16_t>, &frame_kernel_of<P, std::uint32_t>,
           &frame_kernel_of<P, std::uint64_t>, &frame_kernel_of<P, sixteen_bytes>};
    } else {
      if constexpr ((P::domain & booleans) != 0) t[0] = &frame_kernel_of<P, bool>;
      if constexpr ((P::domain & signed_integers) != 0) t[1] = &frame_kernel_of<P, std::int64_t>;
      if constexpr ((P::domain & unsigned_integers) != 0) t[2] = &frame_kernel_of<P, std::uint64_t>;
      if constexpr ((P::domain & floats) != 0) t[3] = &frame_kernel_of<P, float>, t[4] = &frame_kernel_of<P, double>;
      if constexpr ((P::domain & complexes) != 0) t[5] = &frame_kernel_of<P, complex128>;
    }
    return t;
  }
  static constexpr std::array<frame_kernel, compute_count> value = make();
};

template <class P>
concept has_run = requires(const kernel_call& c, const params_of<P>& p) { P::run(c, p); } ||
                  requires(const kernel_call& c) { P::run(c); };

template <class P>
void kernel_entry(const kernel_call& c) {
  if constexpr (has_run<P>) {
    if constexpr (has_params<P>) P::run(c, decode<params_of<P>>(c.params));
    else P::run(c);
  } else if constexpr (has_view_rule<P>) run_view(c, strides_of_view<P>(*c.in[0].type, *c.out[0].type, c.params));
  else if constexpr (requires { P::moves_data; }) run_movement(c, index_operands<P>(), frame_kernels_of<P>::value.data());
  else if constexpr (takes_exact_types<P>()) run_exact<P>(c);
  else if constexpr (requires { P::is_elementwise; }) run_elementwise(c, tiles_of<P>::value.data());
  else run_computing(c, index_operands<P>(), index_results<P>(), frame_kernels_of<P>::value.data());
}

template <class P>
constexpr bool has_kernel() {
  return has_run<P> || requires { P::is_elementwise; } || requires { P::moves_data; } || requires { P::domain; };
}

}  // namespace jacquard::detail
