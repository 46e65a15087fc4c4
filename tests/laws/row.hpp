#pragma once
// The rows of the law tests: one per primitive, with the operands and parameters on which every law is checked. A row is
// data; it lies in the file of its family and enters the list of all rows by being defined. coverage_test.cpp fails with
// the name of a primitive that has none. The laws are the other files here; each holds for every row.

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>
#include <jacquard/testing/report.hpp>
#include <jacquard/testing/sample.hpp>

#include <functional>
#include <optional>

namespace laws {

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;
using jq::dtype;
using jq::int_list;
using jq::shape;

/// A set of dtypes: bit i stands for dtype(i).
using dtype_set = std::uint32_t;
constexpr dtype_set only() { return 0; }
template <class... T>
constexpr dtype_set only(dtype first, T... rest) {
  return (1u << int(first)) | only(rest...);
}
constexpr dtype_set of(jq::type_set s) {
  dtype_set r = 0;
  for (int i = 0; i < jq::dtype_count; ++i)
    if (jq::contains(s, dtype(i))) r |= 1u << i;
  return r;
}
constexpr bool has(dtype_set s, dtype t) { return (s >> int(t)) & 1u; }
inline constexpr dtype_set every = of(jq::any_type);

/// One operand: its shape and where its elements come from.
struct operand {
  enum source { uniform, distinct, choice, dominant } from = uniform;
  shape dims;
  double low = -2, high = 2;           ///< uniform and dominant
  std::vector<double> values;          ///< choice: each element is one of these
  std::optional<dtype> type;           ///< fixed; else the dtype a law is checked for
  bool mapped = true;                  ///< collectives: differs between members

  operand fixed(dtype t) const {
    operand r = *this;
    r.type = t;
    return r;
  }
  operand replicated() const {
    operand r = *this;
    r.mapped = false;
    return r;
  }
  operand shaped(const shape& s) const {
    operand r = *this;
    r.dims = s;
    return r;
  }
};
/// Numbers between low and high; whole numbers where the dtype is.
inline operand between(double low, double high, const shape& dims = {}) { return {operand::uniform, dims, low, high, {}, {}}; }
/// Numbers without ties and away from whole ones.
inline operand apart(const shape& dims = {}) { return {operand::distinct, dims, -2, 2, {}, {}}; }
/// Matrices whose diagonals outweigh the rest: numbers between -1/2 and 1/2, and on the diagonals 2, 3, 4, ... beside.
inline operand dominant(const shape& dims) { return {operand::dominant, dims, -0.5, 0.5, {}, {}}; }
/// Picked at random from a list.
inline operand among(std::vector<double> values, const shape& dims = {}) {
  return {operand::choice, dims, -2, 2, std::move(values), {}};
}

/// Operands and parameters of one equation.
struct sample {
  std::vector<operand> operands;
  jq::param_pack params{};
  dtype_set types = every;  ///< dtypes for which it is used, beside those of the row
  /// Instead of params, where they depend on the dtype that a law is checked for.
  std::function<jq::param_pack(dtype)> params_for{};
  bool holds_sizes = false;  ///< its parameters fit operands of these sizes only
  std::vector<double> held{};  ///< the first operands, the same scalars in every law: those in which there is no derivative
};

/// What the laws need to know of a primitive beyond its table.
struct traits {
  bool jointly_linear = false;
  bool smooth = true;        ///< its derivative, if it has one, is the limit of differences (not so for stop_gradient)
  bool holomorphic = true;   ///< where it accepts complex numbers
  bool affine = false;       ///< linear but for a constant, where its table says linear
  bool rounds = false;       ///< on integers, where its table says linear
  bool widens = true;        ///< a wider dtype computes the same
  bool one_dtype = true;     ///< operands without a dtype of their own must agree
  int fixed_dims = 0;        ///< how many of the last dimensions of operands must have constant sizes under mask
  bool weak = true;          ///< operands may be weakly typed (a call is made for one weakness)
  bool refuses = true;       ///< dtypes that it does not accept, by a type_error of its own
};

struct row {
  const jq::primitive* op;
  dtype_set types;  ///< accepted by operands without a dtype of their own, or as the row's parameter
  std::vector<sample> samples;
  traits facts{};
};

/// Members of the axis "i", under which collectives run.
inline constexpr std::int64_t members = 3;
inline bool is_differentiable(const row& r) { return r.op->jvp != nullptr || r.op->joint_jvp != nullptr; }
inline bool is_collective(const row& r) { return (r.op->effects & jq::collective_effect) != 0; }

/// The list of all rows.
inline std::vector<row>& all_rows() {
  static std::vector<row> rows;
  return rows;
}
/// Rows that belong together. Defining a family adds them to the list.
struct family {
  std::size_t first = all_rows().size(), count;
  family(std::initializer_list<row> rows) : count(rows.size()) { all_rows().insert(all_rows().end(), rows); }
};

/// The row of primitive P.
template <class P>
row of_primitive(dtype_set types, std::vector<sample> samples, traits facts = {}) {
  facts.jointly_linear = jq::detail::is_jointly_linear<P>();
  return {&jq::table_of<P>(), types, std::move(samples), facts};
}
template <class P>
row of_primitive(jq::type_set types, std::vector<sample> samples, traits facts = {}) {
  return of_primitive<P>(of(types), std::move(samples), facts);
}
/// A sample of primitive P with parameters.
template <class P>
sample with(const jq::params_of<P>& p, std::vector<operand> operands, dtype_set types = every) {
  return {std::move(operands), jq::encode(p), types, {}};
}
/// The same with parameters made for a dtype.
template <class P, class F>
sample with_params_for(F params_for, std::vector<operand> operands) {
  return {std::move(operands), {}, every, [=](dtype t) { return jq::encode<jq::params_of<P>>(params_for(t)); }};
}
/// A function of one operand, elementwise.
template <class P>
row unary(jq::type_set types, const operand& x, traits facts = {}) {
  return of_primitive<P>(types, {{{x.shaped({2, 3})}}, {{x.shaped({})}}, {{x.shaped({0, 2})}}, {{x.shaped({1})}}}, facts);
}
/// A function of one operand after others, held at numbers.
template <class P>
row unary_after(std::vector<double> held, jq::type_set types, const operand& x, traits facts = {}) {
  facts.weak = false;  // the numbers are strongly typed
  row r = unary<P>(types, x, facts);
  for (sample& s : r.samples) s.held = held;
  return r;
}
/// A function of two operands, elementwise; rank-0 operands are broadcast.
template <class P>
row binary(dtype_set types, const operand& a, const operand& b, traits facts = {}) {
  return of_primitive<P>(types,
                         {{{a.shaped({2, 3}), b.shaped({2, 3})}},
                          {{a.shaped({}), b.shaped({})}},
                          {{a.shaped({}), b.shaped({3})}},
                          {{a.shaped({3, 2}), b.shaped({})}},
                          {{a.shaped({0}), b.shaped({0})}}},
                         facts);
}
template <class P>
row binary(jq::type_set types, const operand& a, const operand& b, traits facts = {}) {
  return binary<P>(of(types), a, b, facts);
}

// --- from rows to functions and arrays -----------------------------------------------------------------------------------

using leaves = std::vector<array>;
using leaf_function = std::function<leaves(const leaves&)>;

/// One point at which laws are checked.
struct instance {
  const row* of;
  const sample* at;
  dtype type;
  std::size_t number;  ///< of the sample

  std::string name() const {
    return std::string(of->op->name) + "[sample " + std::to_string(number) + ", " + std::string(jq::name(type)) + "]";
  }
};

/// The primitive itself as a function of its operands: of one member, for collectives.
leaf_function primitive_of(const instance& i);
/// The same; collectives are mapped over the axis "i", the first dimension of their operands.
leaf_function function_of(const instance& i);
/// Sample operands of function_of, with an extra dimension of size `count` at axes[k] of operand k unless that is jq::none.
leaves operands_of(const instance& i, const std::vector<int>& axes = {}, std::int64_t count = 0, std::uint64_t seed = 1);
/// The operands converted to another dtype, but for those with a dtype of their own.
leaves converted(const instance& i, const leaves& x, dtype to);
/// The operands that have tangents, by position.
std::vector<std::size_t> inexact_operands(const leaves& x);
/// f as a function of some of its operands, the others fixed at `x`.
leaf_function restricted(const leaf_function& f, const leaves& x, const std::vector<std::size_t>& to);
/// The operands at those positions.
leaves chosen(const leaves& x, const std::vector<std::size_t>& from);

using law = std::function<jq::testing::report(const instance&)>;
/// Runs a law, which may throw, and fails the test with the instance's name where it does not hold.
void check_law(const instance& i, const law& f);
/// Runs a law for every row, sample and dtype of `types` that the row accepts.
void for_each_instance(dtype_set types, const law& f);
/// Every dtype that a row accepts computes what the widest of its category computes, rounded; every other one, and
/// operands of different dtypes, give a type_error that names the operation.
void check_dtypes(const family& rows);
/// The part of docs/primitives.md about functions that other libraries have as primitives (composed_test.cpp).
std::string composed_section();

}  // namespace laws
