// Chapter 12: jaxprs at compile time
//
// Tracing, every rule and every transform are constexpr. So the compiler itself can trace a function,
// differentiate it, and look at the program: a static_assert can say what a derivative has to look like,
// which shapes fit, or which operations a program may use. If this file compiles, all of that holds; running
// it only shows the programs.

#include <iostream>
#include <string_view>

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

// At compile time a function must not capture anything. Arguments stand for their types: zeros({3}) makes no
// numbers here, and a C++ number is a scalar.
constexpr auto energy = [](const jq::array& x) { return jq::sum(x * x); };

// The text of the traced program, compared in the compiler.
static_assert(jq::to_text(jq::make_jaxpr(energy)(jq::zeros({3}))) ==
              "{ lambda ; a:f32[3]. let\n"
              "    b:f32[3] = mul a a\n"
              "    c:f32[] = reduce_sum[axes=(0,)] b\n"
              "  in (c,) }");

// The derivative of x^3. As the rules give it, it has equations that nobody would write, such as products
// with 1. simplify removes those and merges equal ones; what is left is x^2 + x^2 + x^2.
constexpr auto cube = [](const jq::array& x) { return x * x * x; };
constexpr auto simple = [](auto f) { return jq::simplify(jq::make_jaxpr(f)(2.0)); };
static_assert(jq::to_text(simple(jq::grad(cube))) ==
              "{ lambda ; a:f64[]. let\n"
              "    b:f64[] = mul a a\n"
              "    c:f64[] = add b b\n"
              "    d:f64[] = add c b\n"
              "  in (d,) }");

// A jaxpr can be inspected like any other value. How many equations of a primitive does a program have?
constexpr int count(const jq::jaxpr& p, std::string_view name) {
  int n = 0;
  for (const jq::equation& e : p.equations) n += e.op->name == name;
  return n;
}
constexpr auto wave = [](const jq::array& x) { return jq::sin(2.0 * x); };
static_assert(count(*jq::make_jaxpr(wave)(1.0), "sin") == 1);
static_assert(count(*jq::make_jaxpr(jq::grad(wave))(1.0), "cos") == 1);

// Shapes are checked here as they are at run time: this layer takes vectors of 3 numbers to 2, one by one or
// mapped over a batch of 100.
constexpr auto layer = [](const jq::array& w, const jq::array& x) { return jq::tanh(jq::matmul(w, x)); };
constexpr auto batched = jq::vmap(layer, jq::in_axes<jq::none, 0>);
static_assert(jq::make_jaxpr(batched)(jq::zeros({2, 3}), jq::zeros({100, 3})).out_avals()[0] ==
              jq::aval(jq::f32, {100, 2}));

// There are no exceptions in the compiler. The program remembers the first problem instead, with the message
// that would have been thrown.
constexpr auto mismatch = [](const jq::array& x) { return x + jq::zeros({4}); };
static_assert(jq::make_jaxpr(mismatch)(jq::zeros({3})).problem.kind == jq::error_kind::shape);
static_assert(jq::make_jaxpr(mismatch)(jq::zeros({3})).problem.message ==
              "add got incompatible shapes for broadcasting: (3,), (4,). "
              "Dimensions must be equal or 1; reshape one of the operands");

// All transforms compose here too. The Hessian of the energy has one block of shape (3, 3).
static_assert(jq::make_jaxpr(jq::hessian(energy))(jq::zeros({3})).out_avals()[0].dims == jq::shape{3, 3});

// Functions of plain numbers are constexpr as well, to full precision.
static_assert(jq::sin(0.5) == 0.479425538604203);
static_assert(jq::exp(1.f) == 2.7182817f);

int main() {
  std::cout << "gradient of the energy:\n" << jq::make_jaxpr(jq::grad(energy))(jq::zeros({3})) << "\n\n";
  std::cout << "second derivative of x^3, simplified:\n" << simple(jq::grad(jq::grad(cube))) << '\n';
}

// output:
// gradient of the energy:
// { lambda ; a:f32[3]. let
//     b:f32[3] = mul a a
//     _:f32[] = reduce_sum[axes=(0,)] b
//     c:f32[3] = broadcast_in_dim[broadcast_dimensions=() shape=(3,)] 1.0:f32[]
//     d:f32[3] = mul a c
//     e:f32[3] = mul c a
//     f:f32[3] = add d e
//   in (f,) }
//
// second derivative of x^3, simplified:
// { lambda ; a:f64[]. let
//     b:f64[] = add a a
//     c:f64[] = add b b
//     d:f64[] = add c a
//     e:f64[] = add d a
//   in (e,) }
