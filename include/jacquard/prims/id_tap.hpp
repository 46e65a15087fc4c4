#pragma once
// id_tap: the identity on its operands that shows the first of them to a host function when it runs. The rules record
// which transforms a tap went through; delivery and printing live in taps/.

#include "jacquard/core/bind.hpp"
#include "jacquard/prims/broadcast.hpp"

namespace jacquard {

/// One transform a tap went through, innermost first.
enum class tap_transform : std::uint8_t { jvp, transpose, batch, mask };

/// What reaches the host with each tap besides the values.
struct tap_record {
  std::vector<std::int64_t> transforms;  ///< as in id_tap_p::params
  device_id device;
};

/// The type behind a tap's function_ref: shows concrete values to the user's function.
using tap_thunk = void (*)(function_state*, view<const array> values, const tap_record& record);

namespace detail {
/// How taps reach the host; set by taps/. Direct delivery calls the thunk at once.
using tap_delivery_function = void (*)(const function_ref&, view<const array>, const tap_record&);
inline constinit tap_delivery_function deliver_tap = nullptr;

/// What the thunk of a tap without state is asked for when an interpreter meets the tap: a callback like those of taps with state.
struct tap_request {
  view<const std::int64_t> keywords;
  function_ref made;
};
inline constinit thread_local tap_request* requested_tap = nullptr;
}  // namespace detail

/// Identity on all operands; the leading `tapped` ones are shown to `callback`, the rest only order the tap.
/// Rules  jvp: the primal tap stays, tangents go through a second tap marked jvp, ordered after the first; transpose:
///        cotangents go through a tap marked transpose; batch: one tap for the whole batch, with its batch dimensions.
struct id_tap_p {
  static constexpr std::string_view name = "id_tap";
  struct params {
    function_ref callback;
    std::int64_t tapped = 0;
    /// tap_transform codes; batch is followed by one dimension per tapped operand (not_mapped = unbatched).
    std::vector<std::int64_t> transforms;
    /// Of a tap in static code, whose callback has no state: its keywords, and first how many; see taps/static_tap.
    std::vector<std::int64_t> keywords{};
    static constexpr std::string_view fields = "callback tapped transforms keywords";
  };
  static constexpr effect_set effects = tap_effect;
  static constexpr bool identity = true;
  static constexpr bool not_foldable = true;
  static constexpr bool shows_operands = true;  ///< to `callback`, the first `tapped` of them

  static constexpr void abstract_eval(inference& c, const params& p) {
    if (p.tapped > std::int64_t(c.in.size())) {
      c.fail(error_kind::value, ": got ", p.tapped, " tapped operands of ", c.in.size());
      return;
    }
    for (const aval& a : c.in) c.outputs.push_back(a);
  }

  static void evaluate(evaluate_call& c, const params& p) {
    for (std::size_t i = 0; i < c.in.size(); ++i) c.out[i] = c.in[i];
    if (detail::deliver_tap) detail::deliver_tap(callback_of(p), c.in.first(std::size_t(p.tapped)), {p.transforms, c.device});
  }

  static constexpr void jvp(auto& c, const params& p) {
    std::vector<array> tapped, untapped;
    std::vector<std::size_t> from;
    const std::size_t n = std::size_t(p.tapped);
    for (std::size_t i = 0; i < c.x.size(); ++i) {
      array t = c.t[i];
      if (t.is_none() && i >= n) continue;  // a result that does not vary
      if (t.is_none()) t = zeros_any(tangent_type(c.x[i].aval()));
      (i < n ? tapped : untapped).push_back(t);
      from.push_back(i);
    }
    params q = p;
    q.tapped = std::int64_t(tapped.size());
    q.transforms.push_back(std::int64_t(tap_transform::jvp));
    tapped.insert(tapped.end(), untapped.begin(), untapped.end());
    if (!c.y.empty()) tapped.push_back(c.y[0]);  // orders this tap after the primal one
    const array_list out = bind_list<own<id_tap_p, decltype(c)>>(q, location{}, tapped);
    for (std::size_t i = 0; i < from.size(); ++i) c.ty[from[i]] = out[i];
  }

  static constexpr void transpose(auto& c, const params& p) {
    // All tapped operands have their place in the tapped tree, also those that are constant in the linear program.
    std::vector<array> operands;
    std::vector<std::size_t> from;
    const std::size_t n = std::size_t(p.tapped);
    for (std::size_t i = 0; i < c.x.size(); ++i) {
      if (i >= n && (!c.x[i].is_none() || c.ct[i].is_none())) continue;
      operands.push_back(c.ct[i]);
      if (c.ct[i].is_none()) operands.back() = zeros_any(tangent_type(c.in[i]));
      from.push_back(i);
    }
    params q = p;
    q.transforms.push_back(std::int64_t(tap_transform::transpose));
    const array_list out = bind_list<own<id_tap_p, decltype(c)>>(q, location{}, operands);
    for (std::size_t k = 0; k < from.size(); ++k)
      if (c.x[from[k]].is_none()) c.ct_in[from[k]] = out[k];
  }

  static constexpr void batch(auto& c, const params& p) {
    params q = p;
    q.transforms.push_back(std::int64_t(tap_transform::batch));
    for (std::int64_t i = 0; i < p.tapped; ++i) q.transforms.push_back(c.dims[std::size_t(i)]);
    const array_list out = bind_list<own<id_tap_p, decltype(c)>>(q, location{}, c.x);
    for (std::size_t i = 0; i < out.size(); ++i) c.outputs.push_back({out[i], c.dims[i]});
  }

 private:
  static function_ref callback_of(const params& p) {
    if (p.keywords.empty()) return p.callback;
    detail::tap_request request{p.keywords, {}};
    detail::tap_request* const outer = std::exchange(detail::requested_tap, &request);
    p.callback.get()();
    detail::requested_tap = outer;
    return request.made;
  }
  /// Integers and booleans have tangents of dtype bool that are zero (JAX's float0).
  static constexpr aval tangent_type(const aval& a) { return is_inexact(a.type) ? a : aval(bool_, a.dims); }
};

}  // namespace jacquard
