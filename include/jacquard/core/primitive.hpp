#pragma once
// Primitives: the table of rules that an equation points to, and how it is generated from a primitive's struct. A
// primitive is written once, in one header; each rule it lacks is a null entry here. Deliberately names no primitive.
//
// What a struct P may provide (all static constexpr; `params` last where P declares `struct params`):
//   name                                        required
//   aval abstract_eval(inference&[, p])         required; several outputs: c.outputs.push_back and return void
//   T apply(T...[, p])                          elementwise scalar function, any value type    -> core/kernel.hpp
//   exact_types                                 apply depends on the width of its type: it is given no wider one
//   To recast<To>(From)                         elementwise, where the result is made of the operand's bits
//   kernel(...)                                 everything else that computes                  -> core/kernel.hpp
//   plan(types, type[, p]), by_plan(..., plan)  the kernel in two parts, of which the first knows types alone: a constant at compile time
//   linear                                      bit k: linear in operand k; with `joint` together, else in each alone
//   array jvp(t, x, y[, p])                     unary; array jvp(int k, t, span x, y[, p]) per operand; void jvp(jvp_call&)
//   array transpose(int k, ct, transpose_call&[, p])
//   batched batch(batch_call&[, p])
//   masked mask(mask_call&[, p])                                                       -> core/masking.hpp
//   record(record_call&[, p])                   what it does to one element, where `apply` does not say; to complex ones if `records_complex`
//   indices(view_call&[, p])                    the result is the operand under other indices; makes its kernel
//   parts(parts_call&[, p])                     the result consists of operands side by side; beside its kernel
//   look_up(lookup_call&[, p])                  the result has elements of operand 0 at indices that are computed; beside its kernel
//   put(lookup_call&[, p]), puts, puts_by       the result is operand 0 with elements of operand `puts` put, in order, at such indices
//   reduction reduce_by(dtype, p)               the result combines elements of the operand
//   contraction contract(p)                     the result sums products of elements of both operands
//   cost(cost_call&[, p])                       operations and bytes, where they are not one per element  -> core/cost.hpp
//   of_few(few_call&[, p])                      its results by other primitives, for few elements; beside its kernel
//   evaluate(evaluate_call&[, p])               for what holds jaxprs or functions, in place of a kernel
//   place(placed_call&[, p])                    the same on laid out memory, for what holds jaxprs only
//   control_form control(p)                     what `place` does with these             -> core/control_form.hpp
//   allocates                                   the kernel takes memory for itself while it runs
//   absorb(operand, permutation, params)        reads an operand through a permutation of its dimensions: see absorb_call
//   params swapped(p)                           of a contraction: the same of the second operand and the first
//   params resized(p, shape)                    of one whose parameters hold sizes: the same for a result of that shape, of which each member has one
//   overwrites                                  the kernel may find its result over this operand
//   effects, is_elementwise, commutative, ...   properties that passes may ask for
//   only_arithmetic                             it only adds, subtracts, multiplies, divides, negates elements and takes extremes, by math::
//   is_reduction, is_square_root                it combines the elements along `axes` in any order; the square of its result is the operand

#include <string_view>
#include <vector>

#include "jacquard/core/analysis.hpp"
#include "jacquard/core/array.hpp"
#include "jacquard/core/axis_binding.hpp"
#include "jacquard/core/control_form.hpp"
#include "jacquard/core/element_calls.hpp"
#include "jacquard/core/error.hpp"
#include "jacquard/core/params.hpp"
#include "jacquard/core/view.hpp"

namespace jacquard {

/// What running an equation does besides computing its outputs.
enum effect : std::uint8_t { no_effect = 0, tap_effect = 1, ordered_effect = 2, unordered_effect = 4, collective_effect = 8 };
using effect_set = std::uint8_t;

/// The outputs of an equation.
using array_list = small_vector<array, 2>;

/// The operand types of an inference. One that is not there reads as a dummy and is remembered, so that rules need not count.
class operand_types : public view<const aval> {
 public:
  constexpr operand_types(view<const aval> types) : view<const aval>(types) {}
  constexpr const aval& operator[](std::size_t i) {
    if (i < size()) return view<const aval>::operator[](i);
    missing_ = true;
    return absent;
  }
  constexpr view<const aval> subspan(std::size_t first) {
    if (first <= size()) return view<const aval>::subspan(first);
    missing_ = true;
    return {};
  }
  constexpr bool missing() const { return missing_; }

 private:
  static constexpr aval absent{};
  bool missing_ = false;  // not mutable, which g++ 12 cannot read in constant evaluation
};

/// Arguments of abstract evaluation: input types in, output types or the first error out.
struct inference {
  std::string_view operation;
  operand_types in;
  param_view params;
  const axis_binding* axes = nullptr;
  small_vector<aval, 1> outputs;
  error_record problem;
  /// Of constants in constant evaluation, which learn their trace and its axes only when one uses them: every axis is taken to be
  /// there, with one member; core/trace checks that when it places the constant.
  bool axes_follow = false;

  /// Not left to the compiler, which would clear the whole before it sets the parts.
  constexpr inference(std::string_view name, const operand_types& types, const param_view& p, const axis_binding* mapped = nullptr)
      : operation(name), in(types), params(p), axes(mapped) {}

  /// Records an error; the returned aval is a dummy that lets the rule return at once. Parts by value: see make_error.
  template <class... Parts>
  constexpr aval fail(error_kind kind, Parts... parts) {
    if (problem) return {};
    problem.kind = kind;
    problem.message << operation;
    (detail::put_part(problem.message, parts), ...);
    return {};
  }
  /// Size of a mapped axis, or -1 with an error recorded.
  constexpr std::int64_t axis_size(const name_text& name) {
    for (const axis_binding* a = axes; a; a = a->outer)
      if (a->is_named(name)) return a->size;
    if (axes_follow) return 1;
    text known;
    for (const axis_binding* a = axes; a; a = a->outer) known << (known.empty() ? "" : ", ") << a->name.view();
    fail(error_kind::value, ": unbound axis name: ", name.view(),
         ". The following axis names (e.g. defined by pmap) are available to collective operations: [", known,
         "]; name the axis with jq::axis_name<\"", name.view(), "\"> in the enclosing vmap or pmap");
    return -1;
  }
};

/// Arguments of a jvp rule. A tangent that is none is a symbolic zero; the rule leaves ty[i] none for zero.
struct jvp_call {
  view<const array> x, t, y;
  view<array> ty;
  param_view params;
};

/// Arguments of a transpose rule. x[k] is none where the equation is linear in operand k; the rule fills ct_in there.
struct transpose_call {
  view<const array> x;
  view<const aval> in;
  view<const array> ct;  ///< cotangents of the outputs; none = zero
  view<array> ct_in;
  param_view params;
  view<array> sums{};  ///< by operand, or empty: what its cotangent will be added to; it started at zero, as sums over the trips of a loop do

  /// Operands and cotangents, which tell where an error belongs: cotangents alone may all be known numbers.
  constexpr array_list all() const {
    array_list r;
    for (std::size_t i = 0; i < x.size() + ct.size(); ++i) r.push_back(i < x.size() ? x[i] : ct[i - x.size()]);
    return r;
  }
  /// Operand k's, for a rule that gives their sum instead of a cotangent, since that is less work: most of it stays as it is. Or none.
  constexpr array take_sum(std::size_t k) const {
    array s = sum(k);
    if (k < sums.size()) sums[k] = array();
    return s;
  }
  constexpr array sum(std::size_t k) const {
    if (k < sums.size()) return sums[k];
    return {};
  }
};

inline constexpr int not_mapped = -1;

/// A value and the position of its batch dimension.
struct batched {
  array value;
  int dim = not_mapped;
};

/// Arguments of a batching rule.
struct batch_call {
  view<const array> x;
  view<const int> dims;
  std::int64_t size;
  name_text axis;  ///< name of the axis being mapped, if any
  param_view params;
  small_vector<batched, 2> outputs;
};

/// Arguments of rules that compute outputs and tangents together, for primitives that hold jaxprs: nothing in the body
/// runs twice. For `linearize`, tangents are tracers of a separate linear trace.
struct joint_call {
  view<const array> x, t;
  view<array> y, ty;
  param_view params;
};

/// Arguments of a rule that leaves out of an equation what nobody reads. On the way in, `results` says which results are read; on the way
/// out also which others stay, and which operands. Where any goes, `trimmed` holds the parameters of what remains.
struct trim_call {
  std::vector<char> results, operands;
  param_view params;
  param_pack trimmed{};
  effect_set droppable = 0;  ///< effects that go with results that nobody reads
};

/// Arguments of a rule that gives the results of an equation as those of others, of which compiled code keeps few elements in registers where it
/// would call a kernel of its own. It leaves `results` empty where there are too many, or where they would be other ones. Last bits may differ.
struct few_call {
  view<const array> x;
  param_view params;
  array_list results{};
  bool is_of_examples = false;  ///< set by the rule: the same for each of many examples, of few elements each
};

/// One operand or result of a kernel: dense row-major elements.
struct tensor_ref {
  void* data = nullptr;
  const aval* type = nullptr;
};

/// Arguments of an interpreter kernel.
struct kernel_call {
  view<const tensor_ref> in;
  view<const tensor_ref> out;
  param_view params;
};

/// Arguments of an evaluate rule: how equations run that hold functions or jaxprs instead of a kernel. `run` evaluates a
/// sub-jaxpr on concrete arrays with whatever executes this equation; it prepares each body once, and may overwrite
/// arguments that nobody else holds.
struct evaluate_call {
  view<const array> in;
  view<array> out;
  param_view params;
  std::vector<array> (*run)(void* context, const jaxpr_ref& body, std::vector<array> arguments) = nullptr;
  void* context = nullptr;
  device_id device{};  ///< the device on which the equation runs
};

/// Arguments of a cost rule, which mends `cost`: at first one operation per element of the outputs, all operands read and all outputs
/// written once.
struct cost_call {
  view<const aval> in, out;
  param_view params;
  program_cost cost;
  program_cost (*of_body)(const void* context, const jaxpr_ref& body, std::size_t number) = nullptr;
  const void* context = nullptr;

  /// The cost of a program that the equation holds.
  constexpr program_cost body(std::size_t number) const { return of_body(context, params.subs[number], number); }
};

namespace detail {
template <class P, class Call>
struct own_type {
  using type = P;
};
}  // namespace detail
/// A primitive as its own rules name it, with the type of their argument: clang would make the primitive's table at once for its bare
/// name, before the rules that follow are there.
template <class P, class Call>
using own = typename detail::own_type<P, Call>::type;

struct mask_call;
class param_visitor;

/// The rules of one primitive. An equation points to one of these; the address identifies the primitive.
struct primitive {
  std::string_view name;
  effect_set effects = 0;
  bool elementwise = false;        ///< output i depends on operand elements i only; rank-0 operands are broadcast
  bool commutative = false;
  bool foldable = true;            ///< may be merged with an equal equation, or evaluated ahead of time on constants
  bool inlinable = false;          ///< stands for its only sub-jaxpr applied to all operands
  bool has_unit = false;           ///< op(x, unit) == x, and op(unit, x) == x if commutative
  double unit = 0;
  bool watches = false;            ///< its effect is to show values: it may also happen where a branch is not taken
  bool on_one_device = false;      ///< its effects are in the order of one device's program
  bool unbounded = false;          ///< whether it ends depends on its operands
  int overwrites = -1;             ///< operand over which the result may be written: the kernel then changes what differs
  bool allocates = false;          ///< the kernel takes memory for itself while it runs
  bool identity = false;           ///< outputs equal the leading operands (taps, stop_gradient)
  std::uint32_t linear = 0;        ///< bit k: linear in operand k
  bool jointly_linear = false;     ///< in these operands together, not in each alone
  void (*abstract_eval)(inference&) = nullptr;
  void (*jvp)(jvp_call&) = nullptr;
  void (*joint_jvp)(joint_call&) = nullptr;  ///< instead of evaluating and calling jvp
  void (*linearize)(joint_call&) = nullptr;
  void (*transpose)(transpose_call&) = nullptr;
  void (*batch)(batch_call&) = nullptr;
  void (*mask)(mask_call&) = nullptr;
  void (*trim)(trim_call&) = nullptr;
  void (*of_few)(few_call&) = nullptr;
  void (*kernel)(const kernel_call&) = nullptr;
  void (*record)(record_call&) = nullptr;
  void (*view_of)(view_call&) = nullptr;
  void (*parts)(parts_call&) = nullptr;
  void (*lookup)(lookup_call&) = nullptr;
  void (*put)(lookup_call&) = nullptr;
  std::uint32_t puts = 2;                    ///< operand whose elements are put
  scalar_op puts_by = scalar_op::load;       ///< how an element that is put meets the one that is there; load: it takes its place
  bool (*absorb)(absorb_call&) = nullptr;
  reduction (*reduce)(dtype, const param_view&) = nullptr;
  contraction (*contract)(const param_view&) = nullptr;
  param_pack (*swapped)(const param_view&) = nullptr;
  param_pack (*resized)(const param_view&, const shape&) = nullptr;
  void (*evaluate)(evaluate_call&) = nullptr;
  void (*cost)(cost_call&) = nullptr;        ///< see core/cost.hpp for what null means
  void (*place)(placed_call&) = nullptr;
  control_form (*control)(const param_view&) = nullptr;  ///< what `place` does; there is one wherever there is the other
  void (*visit_params)(param_pack&, param_visitor&) = nullptr;  ///< null if there are none
};

}  // namespace jacquard
