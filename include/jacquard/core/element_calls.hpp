#pragma once
// Arguments of the rules that say where single elements of a result come from, and what is done to them: by these compiled backends put
// equations into common loops. Deliberately plain data: the rules are those of primitives, and exec/lowering asks for them.

#include "jacquard/core/aval.hpp"
#include "jacquard/core/params.hpp"
#include "jacquard/core/recorded_scalar.hpp"

namespace jacquard {

/// Where an index of a value comes from: start + step * the index of loop `loop`; of none where `loop` is -1.
struct index_source {
  int loop = -1;
  std::int64_t start = 0, step = 0;
  constexpr bool operator==(const index_source&) const = default;
};
/// One source for each dimension of a value.
using index_map = small_vector<index_source, 4>;

/// Arguments of a record rule: appends to `to` what one element of the output is, given the steps of the operands' elements. Several outputs
/// have one type, and are made by the same steps. Complex numbers are their two parts, each a step of the real dtype.
struct record_call {
  scalar_program& to;
  view<const std::int32_t> in;
  const aval& out;
  const index_map& at;  ///< where the indices of the element come from
  param_view params;
  std::int32_t result = -1;  ///< stays so where the element cannot be written as a scalar program
  std::uint32_t output = 0;  ///< of several, which one
  view<const std::int32_t> in_imaginary{};  ///< by operand: the imaginary part, of which `in` has the real one; -1 for real operands
  std::int32_t imaginary = -1;              ///< likewise, of a complex result

  constexpr bool any_complex() const {
    for (std::int32_t i : in_imaginary)
      if (i >= 0) return true;
    return false;
  }
};

/// Arguments of a view rule: fills, for each dimension of the operand, which index of the output it is read at.
struct view_call {
  const aval& in;
  const aval& out;
  param_view params;
  index_map from{};
  /// The operand has the elements of the output in the same order, but not by such a map (general reshapes).
  bool same_order = false;
};

/// A box of the result of an equation: the elements with begin[d] <= index d < end[d]. There the result is an operand, read `shift` further
/// on: result[i] = operand[i + shift].
struct result_part {
  std::uint32_t operand = 0;
  int_list begin, end, shift;
};
/// Arguments of a parts rule, for results made of operands side by side: fills in the parts, none of which overlap, and the scalar operand
/// that all other elements equal, if there are such. Without parts the result is not of this kind.
struct parts_call {
  view<const aval> in;
  const aval& out;
  param_view params;
  small_vector<result_part, 4> parts{};
  std::int32_t elsewhere = -1;
};

/// Arguments of a lookup rule, for results each of whose elements is one of operand 0 at indices that are computed: fills in where these
/// come from. And of a put rule, for results that are operand 0 into which each element of another operand is put at such indices: `out` is then
/// the type of that one, and where an entry had to be clamped, but should not be, nothing is put.
struct lookup_call {
  /// An element of an operand, at `from` by dimensions of the result, clamped to 0...most and added to the index of dimension `dim`.
  struct entry {
    std::uint32_t operand = 1;
    index_map from{};
    int dim = 0;
    std::int64_t most = 0;
    std::int64_t wraps = 0;  ///< added to a negative one before that
  };
  view<const aval> in;
  const aval& out;
  param_view params;
  index_map from{};  ///< by dimension of operand 0: its index, but for what entries add
  small_vector<entry, 2> entries{};
  bool clips = true;  ///< else the result is `outside` where an entry had to be clamped
  literal outside{};
};

/// A primitive may read an operand through a permutation of its dimensions, given other parameters: dimension d of operand k is dimension
/// permutation[d] of another array, which shall be the operand instead. The rule returns whether there are such parameters, and leaves them here.
struct absorb_call {
  int operand;
  const int_list& permutation;
  param_view params;
  param_pack changed{};
};

/// Which dimensions of two operands a contraction sums over in pairs, and which it walks through together: the result has the latter, then the
/// other ones of the first operand, then those of the second.
struct contraction {
  int_list lhs_contracting, rhs_contracting, lhs_batch, rhs_batch;
};

/// How a reduction combines: over which axes, by which operation, starting where.
struct reduction {
  int_list axes;
  scalar_op combine = scalar_op::add;
  literal initial{};
};

}  // namespace jacquard
