// Chapter 26: the cache of jit, its stages, and when machine code is made
//
// Chapter 5 showed that jit traces once for each signature. Here: what exactly a signature is, where the compiled
// programs are kept, how to take the stages apart, and what a backend does before a program is worth compiling.

#include <iostream>
#include <map>
#include <string>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

namespace {

int traces = 0;
/// A function that counts how often it is traced.
jq::array counted(const jq::array& x, const jq::array& y) {
  ++traces;
  return jq::sum(x * y);
}
std::string message(const jq::error& e) {  // without the place in the source
  const std::string all = e.what();
  return all.substr(0, all.find(" ["));
}

}  // namespace

int main() {
  // A signature is the structure of the arguments, and of each leaf the dtype, the shape and whether the type is
  // weak: a C++ number adapts to what it meets, an array of one number does not.
  const auto f = jq::jit(counted);
  const jq::array x = jq::asarray({1.f, 2.f, 3.f});
  f(x, x), f(x + 1.f, x), f(x, 2.f * x);
  std::cout << "-- signatures\nsame types: " << traces << " trace\n";
  f(x, 2.0);
  std::cout << "a number: " << traces << " traces\n";
  f(x, 7.0);
  std::cout << "another number: " << traces << " traces\n";
  f(x, jq::asarray(2.0));
  std::cout << "an array of one number: " << traces << " traces, " << f.cache_size() << " programs\n";
  const auto total = jq::jit([](const std::map<std::string, jq::array>& m) {
    jq::array sum = 0.f;
    for (const auto& [name, value] : m) sum = sum + value;
    return sum;
  });
  total(std::map<std::string, jq::array>{{"a", x}, {"b", x}}), total(std::map<std::string, jq::array>{{"a", x}, {"c", x}});
  std::cout << "keys of a map belong to the structure: " << total.cache_size() << " programs\n";

  // Who keeps them? A function without captures is known by its type or address; its jits of equal options share one
  // cache: to write jit where it is called costs nothing. One with captures could mean something else each time, so its
  // programs live as long as that jit and its copies.
  const auto norm = [](const jq::array& v) { return ++traces, jq::sqrt(jq::sum(v * v)); };
  traces = 0;
  for (int i = 0; i < 5; ++i) jq::jit(norm)(x);
  for (int i = 0; i < 5; ++i) jq::jit(norm, jq::precision::strict)(x);
  std::cout << "-- caches\nno captures, five jits and five with an option: " << traces << " traces\n";
  traces = 0;
  for (int i = 0; i < 5; ++i) jq::jit([&x](const jq::array& v) { return ++traces, jq::sum(x * v); })(x);
  std::cout << "with captures, five jits: " << traces << " traces\n";
  const auto kept = jq::jit([&x](const jq::array& v) { return ++traces, jq::sum(x * v); });
  traces = 0;
  for (int i = 0; i < 5; ++i) {
    const auto copy = kept;
    copy(x);
  }
  std::cout << "with captures, five copies: " << traces << " trace\n";

  // The stages. lower() traces and simplifies and runs nothing: a program's memory and cost are known before it has
  // touched any data. compile() gives a function of this one signature, without a look-up.
  const auto step = [](const jq::array& w, const jq::array& v) { return w - 0.1f * jq::grad([&](const jq::array& u) {
    return jq::sum(jq::square(u * v - 1.f));
  })(w); };
  const auto lowered = jq::jit(step, jq::backend("interpreter")).lower(x, x);
  std::cout << "-- stages\n" << lowered.as_text() << '\n';
  const auto compiled = lowered.compile();
  std::cout << "operations: " << compiled.cost_analysis().flops << ", bytes of results: " << compiled.memory_analysis().outputs << '\n'
            << compiled(x, x) << '\n' << compiled.as_text("buffers");
  try {
    compiled(x, 2.0);
  } catch (const jq::type_error& e) {
    std::cout << "type_error: " << message(e) << '\n';
  }
  try {
    compiled.as_text("assembly");
  } catch (const jq::value_error& e) {
    std::cout << "value_error: " << message(e) << '\n';
  }

  // The cpu backend has tiers of its own. A program starts on tiles, loops over some hundred elements that are there
  // already, so that its first call takes a fraction of a millisecond; once it has run for 10 ms, machine code is
  // made in the background. compile_at says otherwise, for one jit, jq::cpu::set_compile_at for all. Last digits
  // may differ between tiers; with precision::strict every tier gives the interpreter's bits.
  const auto curve = [](const jq::array& v) { return jq::tanh(v) * jq::exp(-v) + jq::sin(v); };
  const jq::array many = jq::linspace(-3, 3, 1000);
  const auto same = [&](jq::compile_at when) {
    const jq::array want = jq::jit(curve, jq::backend("interpreter"))(many);
    return bool(jq::all(jq::jit(curve, jq::backend("cpu"), jq::precision::strict, when)(many) == want));
  };
  std::cout << std::boolalpha << "-- tiers\nsame bits, on tiles: " << same(jq::compile_at::never)
            << ", in machine code: " << same(jq::compile_at::first_call) << '\n';

  // Where start-up time counts: jq::cpu::set_cache_directory(path), or JACQUARD_CACHE_DIR in the environment, keeps
  // machine code in files, and the next run of the program takes it from there instead of compiling.
}

// output:
// -- signatures
// same types: 1 trace
// a number: 2 traces
// another number: 2 traces
// an array of one number: 3 traces, 3 programs
// keys of a map belong to the structure: 2 programs
// -- caches
// no captures, five jits and five with an option: 2 traces
// with captures, five jits: 5 traces
// with captures, five copies: 1 trace
// -- stages
// { lambda ; a:f32[3] b:f32[3]. let
//     c:f32[3] = mul a b
//     d:f32[3] = sub c 1.0:f32[]
//     e:f32[3] = mul 2.0:f32[] d
//     f:f32[3] = mul e b
//     g:f32[3] = mul 0.1:f32[] f
//     h:f32[3] = sub a g
//   in (h,) }
// operations: 18, bytes of results: 12
// [ 1.          0.79999995 -1.8000002 ]
// v0:f32[3] in argument 0
// v1:f32[3] in argument 1
// v2:f32[3] in result 0
// v3:f32[3] in result 0
// v4:f32[3] in result 0
// v5:f32[3] in result 0
// v6:f32[3] in result 0
// v7:f32[3] in result 0
// type_error: Computation compiled for input types:
//   float32[3]
// called with:
//   float64[]
// in argument leaf 1; compile it for these types too, or call the jitted function
// value_error: as_text: got the stage 'assembly', wanted one of: jaxpr buffers; leave it out for all that the backend shows by itself
// -- tiers
// same bits, on tiles: true, in machine code: true
