#pragma once
// Arrays that become part of a program, number by number. Bodies of loops, branches and calls are closed: what a traced function captures becomes
// an operand of theirs. A rule of a user's that runs while another rule transforms such a body may capture an array, too, or make one, and has
// no operands to add. Deliberately for few numbers: each is a literal of the program.

#include "jacquard/core/eval.hpp"
#include "jacquard/prims/broadcast.hpp"
#include "jacquard/prims/concatenate.hpp"
#include "jacquard/prims/reshape.hpp"

namespace jacquard::detail {

/// An equation without operands of a trace, which is emitted where it is used.
template <class P>
constexpr array deferred(view<const array> in, const typename P::params& params, const aval& out) {
  const param_pack p = encode(params);
  inference made{P::name, view<const aval>(), p};
  made.outputs.push_back(out);
  return make_constant(table_of<P>(), in, p, made, location{})[0];
}

/// The same numbers as part of whatever program uses them. Errors: value_error for more than 64, and for values of a trace.
template <class Array = array>
array embedded(const lazy<Array>& x) {
  constexpr std::int64_t most = 64;
  const aval t = x.aval();
  if (x.kind() == array_kind::literal || x.kind() == array_kind::constant) return x;
  if (x.kind() == array_kind::tracer || t.elements() > most)
    raise(error_kind::value, "a rule that runs within the body of a loop, a branch or a call captured ",
          x.kind() == array_kind::tracer ? "a traced value" : "an array", " of shape ", t.dims, ", which that body does not get; pass it as an argument of the "
          "function that has the rule", x.kind() == array_kind::tracer ? "" : ", or make it of numbers within the rule");
  const array v = x.materialised();
  const void* const data = v.as_buffer()->data;
  std::vector<array> numbers;
  for (std::int64_t i = 0; i < t.elements(); ++i)
    numbers.push_back(visit_dtype(t.type, [&]<class T>(std::type_identity<T>) { return array(literal(static_cast<const T*>(data)[i], t.weak)); }));
  if (t.rank() == 0) return numbers[0];
  const auto row_of = [&](const array& number, std::int64_t n) {
    const shape dims{n};
    return deferred<broadcast_in_dim_p>(view<const array>(&number, 1), {dims, {}}, t.with(dims));
  };
  if (numbers.empty()) {
    const array zero(literal(0.0, t.type, t.weak));
    return deferred<broadcast_in_dim_p>(view<const array>(&zero, 1), {t.dims, {}}, t);
  }
  for (array& n : numbers) n = row_of(n, 1);
  const shape flat{t.elements()};
  const array row = deferred<concatenate_p>(view<const array>(numbers), {0}, t.with(flat));
  if (flat == t.dims) return row;
  return deferred<reshape_p>(view<const array>(&row, 1), {t.dims}, t);
}

}  // namespace jacquard::detail
