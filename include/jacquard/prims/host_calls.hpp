#pragma once
// How a program calls a host function: once, or once per example of a mapped call, in the order of examples, and with the logical
// parts of arrays that are padded. Deliberately not a primitive: prims/callback.hpp has those, with the rules of transforms.

#include "jacquard/core/bind.hpp"
#include "jacquard/core/eval.hpp"
#include "jacquard/core/strided.hpp"
#include "jacquard/prims/batching.hpp"
#include "jacquard/prims/member_exchange.hpp"

namespace jacquard {

/// How vmap calls a host function. sequential: once per example, with unbatched arrays. expand_dims: once; mapped arguments
/// have the batch dimension first, others a dimension of size 1. broadcast_all: once; others are repeated. legacy_vectorized:
/// once; others are as they are. not_given: vmap is an error.
enum class vmap_method : std::uint8_t { not_given, sequential, sequential_unrolled, expand_dims, broadcast_all, legacy_vectorized };

/// One call of a host function.
struct callback_call {
  view<const array> in;
  view<const aval> types;  ///< of the results
  view<array> out;         ///< empty at first
  device_id device;
};
/// The type behind a callback's function_ref.
using callback_thunk = void (*)(function_state*, callback_call&);

struct callback_params;
/// What taps/ makes for a callback besides the function: rules given with the call. Null where there is none.
struct callback_state : function_state {
  void (*jvp)(callback_state&, jvp_call&, const callback_params&) = nullptr;
  void (*batch)(callback_state&, batch_call&, const callback_params&) = nullptr;
  void (*transpose)(callback_state&, transpose_call&, const callback_params&) = nullptr;
};

struct callback_params {
  function_ref callback;
  std::vector<aval> results;  ///< of one call
  vmap_method method = vmap_method::not_given;
  /// For each vmap that calls once per example, innermost first: the size, then per operand a loop_use. The batch dimensions of
  /// operands and results come first, the outermost vmap's foremost.
  std::vector<std::int64_t> loops;
  /// The last operands are sizes, which the function does not get. Of each: the operand whose logical shape it is, i64[rank], or
  /// -1 for a number of examples, i64[].
  std::vector<std::int64_t> sizes{};
  static constexpr std::string_view fields = "callback results method loops sizes";
};
/// What an operand is to a vmap: the same for all examples, mapped, or the number of examples.
enum class loop_use : std::int64_t { fixed, mapped, count };

namespace detail {

/// Makes taps that were delivered before arrive first, so that all host functions of a device run in program order.
using settle_function = void (*)(device_id);
inline constinit settle_function settle_taps = nullptr;

template <class Params>
struct loop_view {
  const Params& p;
  std::size_t operands;
  constexpr std::size_t depth() const { return p.loops.size() / (operands + 1); }
  /// Level 0 is the outermost.
  constexpr std::int64_t size(std::size_t level) const { return p.loops[(depth() - 1 - level) * (operands + 1)]; }
  constexpr loop_use use(std::size_t level, std::size_t k) const {
    return loop_use(p.loops[(depth() - 1 - level) * (operands + 1) + 1 + k]);
  }
  constexpr bool mapped(std::size_t level, std::size_t k) const { return use(level, k) == loop_use::mapped; }
};

/// Example `i` of `x`, which is a view of its memory.
inline array example_of(const array& x, std::int64_t i) {
  const aval part = element_type_of(x.aval());
  return array(borrow_buffer(part, static_cast<std::byte*>(x.as_buffer()->data) + i * part.bytes()));
}

/// The leading elements of `x` along each dimension, as many as `sizes` says.
template <class Array = array>
array leading_part(const lazy<Array>& x, const lazy<Array>& sizes) {
  shape dims;
  for (std::int64_t d = 0; d < sizes.size(); ++d) dims.push_back(static_cast<const std::int64_t*>(sizes.as_buffer()->data)[d]);
  if (dims == x.shape()) return x;
  const aval type = x.aval().with(dims);
  array part(make_buffer(type));
  visit_dtype(type.type, [&]<class T>(std::type_identity<T>) {
    strided_copy(dims, x.shape().strides(), 0, static_cast<const T*>(x.as_buffer()->data), static_cast<T*>(part.as_buffer()->data));
  });
  return part;
}

template <class Params>
void call_host(const Params& p, view<const array> in, view<array> out, device_id device) {
  std::vector<array> logical;
  if (!p.sizes.empty()) {
    const std::size_t shown = in.size() - p.sizes.size();
    logical.assign(in.begin(), in.begin() + std::ptrdiff_t(shown));
    for (std::size_t i = 0; i < p.sizes.size(); ++i)
      if (p.sizes[i] >= 0) logical[std::size_t(p.sizes[i])] = leading_part(in[std::size_t(p.sizes[i])], in[shown + i]);
    in = logical;
  }
  callback_call c{in, p.results, out, device};
  const host_turn turn;
  reinterpret_cast<callback_thunk>(p.callback.get())(p.callback.state(), c);
}

/// Calls a host function once per example; `out` has the memory for the results.
template <class Params>
void call_per_example(const Params& p, std::size_t level, view<const array> in, view<const array> out, device_id device) {
  const loop_view<Params> loops{p, in.size()};
  if (level == loops.depth()) {
    std::vector<array> made(out.size());
    call_host(p, in, made, device);
    for (std::size_t k = 0; k < out.size(); ++k)
      if (const std::int64_t n = p.results[k].bytes(); n != 0)
        std::memcpy(out[k].as_buffer()->data, made[k].as_buffer()->data, std::size_t(n));
    return;
  }
  std::int64_t examples = loops.size(level);
  for (std::size_t k = 0; k < in.size(); ++k)
    if (loops.use(level, k) == loop_use::count) examples = in[k].item<std::int64_t>();
  for (std::int64_t i = 0; i < examples; ++i) {
    std::vector<array> one, part;
    for (std::size_t k = 0; k < in.size(); ++k) one.push_back(loops.mapped(level, k) ? example_of(in[k], i) : in[k]);
    for (const array& x : out) part.push_back(example_of(x, i));
    call_per_example(p, level + 1, one, part, device);
    for (std::size_t k = 0; k < one.size(); ++k)
      if (buffer* b = one[k].as_buffer(); b && loops.mapped(level, k) && b->borrowed && b->is_shared()) keep_borrowed(*b);  // it was stored
  }
}

template <class Params>
void run_callback(evaluate_call& c, const Params& p) {
  const loop_view<Params> loops{p, c.in.size()};
  if (loops.depth() == 0) return call_host(p, c.in, c.out, c.device);
  for (std::size_t k = 0; k < c.out.size(); ++k) {
    shape dims;
    for (std::size_t l = 0; l < loops.depth(); ++l) dims.push_back(loops.size(l));
    for (std::int64_t d : p.results[k].dims) dims.push_back(d);
    c.out[k] = array(make_buffer(p.results[k].with(dims)));
  }
  call_per_example(p, 0, c.in, view<const array>(c.out.data(), c.out.size()), c.device);
}

}  // namespace detail
}  // namespace jacquard
