// Rows: primitives that hold programs or functions of the host.
#include "row.hpp"

#include <jacquard/control/control.hpp>

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

/// A scan of f: `consts` constants, `carries` carries and stacked operands of `length` elements.
template <class F>
sample scanning(F f, std::int64_t consts, std::int64_t carries, std::int64_t length, bool reverse, const std::vector<shape>& shapes) {
  std::vector<operand> operands;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    operands.push_back(between(-1, 1, std::int64_t(i) < consts + carries ? shapes[i] : shape(shapes[i].with(0, length))));
  return with_params_for<scan_p>([=](dtype t) {
    leaves x;
    for (const shape& s : shapes) x.push_back(lax::zeros({t, s}));
    return scan_p::params{make_jaxpr(f)(x).program, length, consts, carries, reverse, 1};
  }, operands);
}
leaves recurrence(const leaves& x) {
  const array next = lax::add(lax::mul(x[0], x[1]), x[2]);
  return {next, lax::mul(x[1], x[1])};
}
leaves swapped_carries(const leaves& x) { return {x[1], lax::mul(x[0], x[2]), x[2]}; }
leaves nothing_carried(const leaves& x) { return {lax::mul(x[0], x[0])}; }

/// A cond between f and g, whose index is drawn.
template <class F, class G>
sample choosing(F f, G g, const std::vector<shape>& shapes) {
  std::vector<operand> operands{among({0, 1}).fixed(i32)};
  for (const shape& s : shapes) operands.push_back(spread(s));
  return with_params_for<cond_p>([=](dtype t) {
    leaves x;
    for (const shape& s : shapes) x.push_back(lax::zeros({t, s}));
    return cond_p::params{{make_jaxpr(f)(x).program, make_jaxpr(g)(x).program}};
  }, operands);
}
leaves first_squared(const leaves& x) { return {lax::mul(x[0], x[0])}; }
leaves product(const leaves& x) { return {lax::mul(x[0], x.back())}; }

/// A while of which one carry counts, so that the trips do not depend on the other operands.
sample counting(std::int32_t trips, const shape& s) {
  return with_params_for<while_p>([=](dtype t) {
    const leaves x{lax::zeros({t, s}), array(literal(0.0, i32, false)), lax::zeros({t, s})};
    const auto condition = [&](const leaves& y) { return leaves{lax::lt(y[0], array(literal(double(trips), i32, false)))}; };
    const auto body = [](const leaves& y) {
      return leaves{lax::add(y[1], array(literal(1.0, i32, false))), lax::add(lax::mul(y[0], y[2]), y[0])};
    };
    return while_p::params{make_jaxpr(condition)(leaves{x[1], x[2]}).program, make_jaxpr(body)(x).program, 0, 1};
  }, {between(-1, 1, s), among({0, 1}).fixed(i32), between(-1, 1, s)});
}

/// A checkpoint of f that keeps nothing, and a function whose rule is its derivative.
template <class F>
sample checkpointing(F f, const std::vector<shape>& shapes) {
  std::vector<operand> operands;
  for (const shape& s : shapes) operands.push_back(spread(s));
  return with_params_for<checkpoint_p>([=](dtype t) {
    leaves x;
    for (const shape& s : shapes) x.push_back(lax::zeros({t, s}));
    return checkpoint_p::params{make_jaxpr(f)(x).program, {}};
  }, operands);
}
sample square_with_rule(const shape& s) {
  return with_params_for<custom_jvp_p>([=](dtype t) {
    const auto rule = [](view<const array> in, function_ref&) {
      return leaves{lax::mul(in[0], in[0]), lax::mul(in[1], lax::add(in[0], in[0]))};
    };
    return custom_jvp_p::params{make_jaxpr(first_squared)(leaves{lax::zeros({t, s})}).program, detail::make_rule(rule), 0};
  }, {spread(s)});
}
sample naming(const shape& s) { return with<checkpoint_name_p>({"x"}, {spread(s)}); }

void look(function_state*, std::span<const array>, const tap_record&) {}
sample tapping(std::int64_t tapped, const std::vector<operand>& operands) {
  return with<id_tap_p>({function_ref(reinterpret_cast<function_ref::thunk>(&look)), tapped, {}}, operands);
}

const family rows{
    of_primitive<call_p>(numbers,
                         {calling(two_results, {{2, 3}, {2, 3}}), calling(two_results, {{}, {}}), calling(two_results, {{0}, {0}}),
                          calling(unused_operand, {{2}, {3}}), calling(constant_result, {{3}}), calling(nested, {{2}, {2}})},
                         {.one_dtype = false, .weak = false, .refuses = false}),
    of_primitive<cond_p>(numbers, {choosing(first_squared, product, {{2, 3}, {2, 3}}), choosing(product, first_squared, {{}, {}}),
                                   choosing(product, product, {{0}, {0}})},
                         {.one_dtype = false, .weak = false, .refuses = false}),
    of_primitive<checkpoint_p>(numbers, {checkpointing(two_results, {{2, 3}, {2, 3}}), checkpointing(product, {{}, {}}), checkpointing(two_results, {{0}, {0}})},
                               {.one_dtype = false, .weak = false, .refuses = false}),
    of_primitive<custom_jvp_p>(inexact, {square_with_rule({2, 3}), square_with_rule({}), square_with_rule({0})},
                               {.one_dtype = false, .weak = false, .refuses = false}),
    of_primitive<checkpoint_name_p>(any_type, {naming({2, 3}), naming({}), naming({0, 2})}),
    // Of integers: it has no reverse mode, which the laws take for granted. tests/control/while_test has its derivatives.
    of_primitive<while_p>(only(i8, i32, i64, u8), {counting(3, {2}), counting(2, {}), counting(0, {2}), counting(2, {0})},
                          {.one_dtype = false, .weak = false, .refuses = false}),
    of_primitive<scan_p>(numbers,
                         {scanning(recurrence, 1, 1, 3, false, {{2}, {2}, {2}}), scanning(recurrence, 1, 1, 3, true, {{}, {}, {}}),
                          scanning(swapped_carries, 0, 2, 3, false, {{2}, {2}, {2}}), scanning(nothing_carried, 0, 0, 2, false, {{3}}),
                          scanning(recurrence, 1, 1, 0, false, {{2}, {2}, {2}})},
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
