// Rows: primitives that hold programs or functions of the host.
#include "row.hpp"

namespace laws {

namespace {

using namespace jacquard;

operand spread(const shape& dims) { return between(-2, 2, dims); }

/// A call of f, traced for operands of one dtype.
template <class F>
sample calling(F f, const std::vector<shape>& shapes) {
  std::vector<operand> operands;
  for (const shape& s : shapes) operands.push_back(spread(s));
  return with_params_for<call_p>([=](dtype t) {
    leaves x;
    for (const shape& s : shapes) x.push_back(lax::zeros({t, s}));
    return call_p::params{make_jaxpr(f)(x).program, "f"};
  }, operands);
}
array square_plus(const array& x, const array& y) { return lax::add(lax::mul(x, x), y); }
leaves two_results(const leaves& x) { return {square_plus(x[0], x[1]), x[0]}; }
leaves unused_operand(const leaves& x) { return {lax::mul(x[1], x[1])}; }
leaves constant_result(const leaves& x) { return {lax::broadcast_in_dim(array(literal(1, x[0].dtype(), false)), {2}, {}), x[0]}; }
leaves nested(const leaves& x) {
  const auto inner = [&](const array& z) { return lax::mul(z, x[0]); };
  return {jit(inner)(jit(square_plus)(x[0], x[1]))};
}

void look(function_state*, std::span<const array>, const tap_record&) {}
sample tapping(std::int64_t tapped, const std::vector<operand>& operands) {
  return with<id_tap_p>({function_ref(reinterpret_cast<function_ref::thunk>(&look)), tapped, {}}, operands);
}

const family rows{
    of_primitive<call_p>(numbers,
                         {calling(two_results, {{2, 3}, {2, 3}}), calling(two_results, {{}, {}}), calling(two_results, {{0}, {0}}),
                          calling(unused_operand, {{2}, {3}}), calling(constant_result, {{3}}), calling(nested, {{2}, {2}})},
                         {.one_dtype = false, .weak = false, .refuses = false}),
    of_primitive<id_tap_p>(any_type,
                           {tapping(1, {spread({2, 3})}), tapping(1, {spread({})}), tapping(2, {spread({2}), spread({0, 3})}),
                            tapping(1, {spread({2}), spread({3})}), tapping(1, {spread({2}).fixed(i32), spread({3})}),
                            tapping(0, {spread({2})})},
                           {.one_dtype = false}),
};

}  // namespace

TEST_CASE("primitives that hold programs or functions: every dtype") { check_dtypes(rows); }

}  // namespace laws
