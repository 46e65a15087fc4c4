#pragma once
// id_tap: the identity on its operands that shows the first of them to a host function when it runs. The rules record
// which transforms a tap went through; delivery and printing live in taps/.

#include "jacquard/core/bind.hpp"
#include "jacquard/prims/broadcast.hpp"

namespace jacquard {

/// One transform a tap went through, innermost first.
enum class tap_transform : std::uint8_t { jvp, transpose, batch, mask };

class tap_sink;  // taps/sink.hpp

/// What reaches the host with each tap besides the values.
struct tap_record {
  /// As in id_tap_p::params, but mask is followed by the number of its codes, and for each tapped operand the number of
  /// examples, the rank, and the logical shape of each example.
  view<const std::int64_t> transforms;   ///< valid during the call
  device_id device;
  tap_sink* sink = nullptr;              ///< who else gets the values, if anybody
  bool has_shapes = false;               ///< the transforms hold logical shapes, which differ from run to run
};

/// The type behind a tap's function_ref: shows concrete values to the user's function.
using tap_thunk = void (*)(function_state*, view<const array> values, const tap_record& record);

namespace detail {
/// How taps reach the host; set by taps/, which chooses between the deliveries of backends/backend.hpp.
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
///        cotangents go through a tap marked transpose; batch: one tap for the whole batch, with its batch dimensions;
///        mask: the padded values, with their logical shapes.
struct id_tap_p {
  static constexpr std::string_view name = "id_tap";
  struct params {
    function_ref callback;
    std::int64_t tapped = 0;
    /// tap_transform codes; batch is followed by one dimension per tapped operand (not_mapped = unbatched), mask by the
    /// position of the first of the operands that hold the logical shapes, one i64[rank] per tapped operand.
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

  /// The parameters where they are stored, field by field as above: running a tap copies none of them.
  struct stored_params {
    const function_ref* callback = nullptr;
    std::int64_t tapped = 0;
    view<const std::int64_t> transforms, keywords;
  };

  static void evaluate(auto& c) {
    for (std::size_t i = 0; i < c.in.size(); ++i) c.out[i] = c.in[i];
    const auto p = decode<stored_params>(c.params);
    function_ref made;
    if (!p.keywords.empty()) made = callback_made_by(p);  // also installs the delivery where nothing has yet
    const function_ref& callback = p.keywords.empty() ? *p.callback : made;
    if (!detail::deliver_tap) return;
    tap_record record{p.transforms, c.device};
    std::vector<std::int64_t> codes;
    if (has_mask(p)) {
      codes = codes_with_shapes(p, c.in);
      record.transforms = codes;
      record.has_shapes = true;
    }
    detail::deliver_tap(callback, c.in.first(std::size_t(p.tapped)), record);
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
    carry_shapes(q, c.x, tapped);
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
    carry_shapes(q, c.x, operands);
    const array_list out = bind_list<own<id_tap_p, decltype(c)>>(q, location{}, operands);
    for (std::size_t k = 0; k < from.size(); ++k)
      if (c.x[from[k]].is_none()) c.ct_in[from[k]] = out[k];
  }

  static constexpr void batch(auto& c, const params& p) {
    params q = p;
    q.transforms.push_back(std::int64_t(tap_transform::batch));
    for (std::int64_t i = 0; i < p.tapped; ++i) q.transforms.push_back(c.dims[std::size_t(i)]);
    std::vector<array> operands(c.x.begin(), c.x.end());
    std::vector<int> dims(c.dims.begin(), c.dims.end());
    for_each_shapes(q.transforms, p.tapped, [&](std::size_t at) {
      for (std::size_t i = std::size_t(q.transforms[at]), end = i + std::size_t(p.tapped); i < end; ++i) {
        operands[i] = detail::batch_to_front(operands[i], dims[i]);
        if (dims[i] != not_mapped) dims[i] = 0;
      }
      return std::size_t(0);
    });
    const array_list out = bind_list<own<id_tap_p, decltype(c)>>(q, location{}, operands);
    for (std::size_t i = 0; i < out.size(); ++i) c.outputs.push_back({out[i], dims[i]});
  }

  /// The run-time shapes of the tapped operands come along as operands of their own, which the host is not shown.
  static constexpr void mask(auto& c, const params& p) {
    params q = p;
    q.transforms.push_back(std::int64_t(tap_transform::mask));
    q.transforms.push_back(std::int64_t(c.x.size()));
    std::vector<array> operands(c.x.begin(), c.x.end());
    for (std::size_t i = 0; i < std::size_t(p.tapped); ++i) operands.push_back(c.scope.shape_of(c.dims[i]));
    const array_list out = bind_list<own<id_tap_p, decltype(c)>>(q, location{}, operands);
    for (std::size_t i = 0; i < c.x.size(); ++i) c.outputs.push_back({out[i], c.dims[i]});
  }

 private:
  static function_ref callback_made_by(const stored_params& p) {
    detail::tap_request request{p.keywords, {}};
    struct scope {
      detail::tap_request* outer;
      ~scope() { detail::requested_tap = outer; }
    } const here{std::exchange(detail::requested_tap, &request)};
    p.callback->get()();
    return request.made;
  }
  /// Calls f(position) with the place of the number after each mask code; f says by how much the list grew behind it.
  template <class Codes, class F>
  static constexpr void for_each_shapes(const Codes& codes, std::int64_t tapped, F&& f) {
    for (std::size_t i = 0; i < codes.size(); ++i)
      if (codes[i] == std::int64_t(tap_transform::batch)) i += std::size_t(tapped);
      else if (codes[i] == std::int64_t(tap_transform::mask)) {
        ++i;
        i += f(i);
      }
  }
  static bool has_mask(const stored_params& p) {
    bool found = false;
    for_each_shapes(p.transforms, p.tapped, [&](std::size_t) {
      found = true;
      return std::size_t(0);
    });
    return found;
  }
  /// The transform codes of a tap_record: logical shapes in the place of the operands that hold them.
  template <class Array = array>
  static std::vector<std::int64_t> codes_with_shapes(const stored_params& p, view<const lazy<Array>> in) {
    std::vector<std::int64_t> r(p.transforms.begin(), p.transforms.end());
    for_each_shapes(r, p.tapped, [&](std::size_t at) {
      const std::size_t first = std::size_t(r[at]);
      const std::vector<std::int64_t> codes = shape_codes<Array>(in.subspan(first, std::size_t(p.tapped)));
      r[at] = std::int64_t(codes.size());
      r.insert(r.begin() + std::ptrdiff_t(at) + 1, codes.begin(), codes.end());
      return codes.size();
    });
    return r;
  }
  /// Takes the logical shapes along to the tap of tangents or cotangents.
  static constexpr void carry_shapes(params& q, view<const array> x, std::vector<array>& operands) {
    for_each_shapes(q.transforms, q.tapped, [&](std::size_t at) {
      const std::size_t first = std::size_t(q.transforms[at]);
      q.transforms[at] = std::int64_t(operands.size());
      for (std::size_t i = first; i < first + std::size_t(q.tapped); ++i) operands.push_back(x[i]);
      return std::size_t(0);
    });
  }
  /// Of each operand, i64[examples..., rank]: the number of examples, the rank and all sizes.
  template <class Array = array>
  static std::vector<std::int64_t> shape_codes(view<const lazy<Array>> shapes) {
    std::vector<std::int64_t> r;
    for (const array& s : shapes) {
      const shape dims = s.shape();
      const std::int64_t rank = dims.back();
      r.push_back(shape(dims.without(dims.rank() - 1)).elements());
      r.push_back(rank);
      if (rank == 0) continue;
      const auto sizes = s.data<std::int64_t>();
      r.insert(r.end(), sizes.begin(), sizes.end());
    }
    return r;
  }
  /// Integers and booleans have tangents of dtype bool that are zero (JAX's float0).
  static constexpr aval tangent_type(const aval& a) { return is_inexact(a.type) ? a : aval(bool_, a.dims); }
};

}  // namespace jacquard
