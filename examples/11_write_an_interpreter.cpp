// Chapter 11: write an interpreter
//
// A transform is an interpreter: it walks over the equations of a jaxpr and gives each primitive a meaning.
// For evaluation the meaning is a value, for jvp a value and a tangent, for vmap a value and a batch
// dimension. Here the meaning is an interval that is certain to contain the value (up to rounding), and then,
// shorter, a number of operations.

#include <functional>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

// Lower and upper bounds, element by element. A struct of arrays is a tree, so that jit and grad take it too.
struct interval {
  jq::array low, high;
};

// A rule maps intervals of the operands to the interval of the result, given the equation's parameters.
using rule = std::function<interval(const std::vector<interval>&, const jq::param_view&)>;

interval product(const interval& a, const interval& b) {
  const jq::array p = a.low * b.low, q = a.low * b.high, r = a.high * b.low, s = a.high * b.high;
  return {jq::minimum(jq::minimum(p, q), jq::minimum(r, s)),
          jq::maximum(jq::maximum(p, q), jq::maximum(r, s))};
}

// Whether a point k pi + phase, k even, lies in x: there the cosine of x - phase is 1.
jq::array contains_peak(const interval& x, double phase) {
  constexpr double turn = 6.283185307179586;
  return jq::floor((x.high - phase) / turn) >= jq::ceil((x.low - phase) / turn);
}
interval shifted_cosine(const interval& x, double phase) {
  const jq::array a = jq::cos(x.low - phase), b = jq::cos(x.high - phase);
  return {jq::where(contains_peak(x, phase + 3.141592653589793), -1.0, jq::minimum(a, b)),
          jq::where(contains_peak(x, phase), 1.0, jq::maximum(a, b))};
}

// The rules, by the name of the primitive.
// clang-format off
const std::map<std::string_view, rule> rules{
    {"add", [](auto& x, auto&) { return interval{x[0].low + x[1].low, x[0].high + x[1].high}; }},
    {"sub", [](auto& x, auto&) { return interval{x[0].low - x[1].high, x[0].high - x[1].low}; }},
    {"neg", [](auto& x, auto&) { return interval{-x[0].high, -x[0].low}; }},
    {"mul", [](auto& x, auto&) { return product(x[0], x[1]); }},
    {"exp", [](auto& x, auto&) { return interval{jq::exp(x[0].low), jq::exp(x[0].high)}; }},
    {"sin", [](auto& x, auto&) { return shifted_cosine(x[0], 1.5707963267948966); }},
    {"cos", [](auto& x, auto&) { return shifted_cosine(x[0], 0.0); }},
};
// clang-format on

// The interpreter. env holds the meaning of each variable; read() also understands literals.
std::vector<interval> bound(const jq::jaxpr& p, const std::vector<jq::array>& constants,
                            const std::vector<interval>& in) {
  std::vector<interval> env(p.avals.size());
  for (std::size_t i = 0; i < constants.size(); ++i) env[p.constvars[i]] = {constants[i], constants[i]};
  for (std::size_t i = 0; i < in.size(); ++i) env[p.invars[i]] = in[i];
  const auto read = [&](jq::atom a) {
    if (!a.is_literal()) return env[a.index()];
    const jq::array value(p.literals[a.index()]);
    return interval{value, value};
  };
  for (const jq::equation& e : p.equations) {
    std::vector<interval> x;
    for (jq::atom a : p.inputs(e)) x.push_back(read(a));
    const auto found = rules.find(e.op->name);
    if (found == rules.end()) throw std::runtime_error("no interval rule for " + std::string(e.op->name));
    env[p.outputs(e)[0]] = found->second(x, p.params(e));
  }
  std::vector<interval> out;
  for (jq::atom a : p.outvars) out.push_back(read(a));
  return out;
}

// As a transform: from a function of one array to a function of an interval.
template <class F>
auto bounds_of(F f) {
  return [f](const interval& x) {
    const jq::closed_jaxpr p = jq::make_jaxpr(f)(x.low);
    return bound(*p, p.constants, {x})[0];
  };
}

// A second interpreter, which knows no primitive by name. What it needs is a property that primitives
// declare: whether they compute each element of the result by one operation on elements of the operands.
std::int64_t count_operations(const jq::jaxpr& p) {
  std::int64_t n = 0;
  for (const jq::equation& e : p.equations) {
    if (e.op->elementwise) n += p.avals[p.outputs(e)[0]].elements();
    const jq::param_view params = p.params(e);  // some equations hold a jaxpr, such as a jit within a jit
    for (std::size_t i = 0; i < params.sub_count; ++i) n += count_operations(*params.subs[i]);
  }
  return n;
}

int main() {
  const auto f = [](const jq::array& x) { return x * jq::sin(x) + jq::exp(-x); };
  const interval x{jq::asarray({0.0, 1.0, 2.0}), jq::asarray({1.0, 2.0, 3.0})};
  const interval y = bounds_of(f)(x);
  std::cout << "f on [0,1] [1,2] [2,3] lies between\n" << y.low << " and\n" << y.high << "\n\n";

  // The result of grad is a program too, and so it has bounds: f' is negative all over [2.5, 3], where f thus
  // falls.
  const interval slope = bounds_of(jq::grad(f))({2.5, 3.0});
  std::cout << "f' on [2.5,3] lies between " << slope.low << " and " << slope.high << "\n\n";

  // The interpreter computes with arrays, so it can itself be traced: compiled, mapped over many intervals.
  const interval compiled = jq::jit(bounds_of(jq::grad(f)))(interval{2.5, 3.0});
  const auto both = jq::vmap(bounds_of(jq::grad(f)));
  const interval wide = both(interval{jq::asarray({0.0, 2.5}), jq::asarray({0.1, 2.6})});
  std::cout << "compiled: " << compiled.low << " and " << compiled.high << '\n';
  std::cout << "mapped:   " << wide.low << " and " << wide.high << "\n\n";

  const jq::array v = jq::zeros({1000});
  const auto slopes = jq::vmap(jq::grad(f));
  std::cout << "operations in f on a thousand numbers: " << count_operations(*jq::make_jaxpr(f)(v)) << '\n';
  std::cout << "in its derivative on as many:          " << count_operations(*jq::make_jaxpr(slopes)(v))
            << '\n';
}

// output:
// f on [0,1] [1,2] [2,3] lies between
// [0.36787944 0.97680627 0.33202708] and
// [1.84147098 2.36787944 2.86322756]
//
// f' on [2.5,3] lies between -2.91094248 and -1.45417396
//
// compiled: -2.91094248 and -1.45417396
// mapped:   [-1.         -1.79449439] and [-0.705004   -1.47866047]
//
// operations in f on a thousand numbers: 5000
// in its derivative on as many:          13000
