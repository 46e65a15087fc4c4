// Chapter 17: checkpoint
//
// The way back needs values of the way forward. jq::checkpoint computes them again instead of keeping them: memory for time.
// A policy says what is kept all the same.

#include <iostream>
#include <string>

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
namespace lax = jacquard::lax;
namespace policies = jacquard::checkpoint_policies;
using jq::array;

/// How often the operation appears in the linear program that is left of f after its way forward.
template <class F>
std::size_t left_to_do(F f, const array& x, const std::string& operation) {
  const auto tangent = jq::linearize(f, x).second;
  const std::string program = jq::to_string(jq::make_jaxpr([&](const array& t) { return tangent(t); })(x));
  std::size_t count = 0;
  for (std::size_t at = program.find("= " + operation); at != std::string::npos; at = program.find("= " + operation, at + 1)) ++count;
  return count;
}

int main() {
  // Without a checkpoint the two cosines are computed forwards and kept. With one nothing is kept but x: the inner sine and
  // both cosines are computed again. The outer sine is not needed for that.
  const auto f = [](const array& x) { return jq::sin(jq::sin(x)); };
  const array x = jq::asarray(3.0);
  std::cout << "plain         sin " << left_to_do(f, x, "sin ") << "  cos " << left_to_do(f, x, "cos ") << '\n';
  std::cout << "checkpoint    sin " << left_to_do(jq::checkpoint(f), x, "sin ") << "  cos "
            << left_to_do(jq::checkpoint(f), x, "cos ") << '\n';
  std::cout << "same slopes   " << jq::grad(f)(x) << ' ' << jq::grad(jq::checkpoint(f))(x) << "\n\n";

  // Policies: matrix products are dear and worth keeping, sines are cheap. Names pick single values.
  const auto layers = [](array h) {
    for (int i = 0; i < 3; ++i) h = jq::sin(jq::checkpoint_name(jq::matmul(h, h), i == 1 ? "middle" : "other"));
    return h;
  };
  const array h = jq::ones({2, 2}, jq::f64);
  const auto report = [&](const char* name, auto g) {
    std::cout << name << "products " << left_to_do(g, h, "dot_general") << "  sines " << left_to_do(g, h, "sin ") << '\n';
  };
  report("plain         ", layers);
  report("checkpoint    ", jq::checkpoint(layers));
  report("keep products ", jq::checkpoint(layers, policies::checkpoint_dots));
  report("keep middle   ", jq::checkpoint(layers, policies::save_only_these_names("middle")));
  std::cout << '\n';

  // A loop of n steps keeps something of each. Cut into pieces, each a checkpoint, it keeps the starts of the pieces and,
  // while it goes back through one, the steps of that one: of 400 steps 20 + 20.
  const auto step = [](const array& s, const array& v) { return std::pair{jq::tanh(s * 0.9 + v), std::tuple<>{}}; };
  const auto loop = [=](const array& s, const array& v) { return lax::scan(step, s, v).first; };
  const auto in_pieces = [=](const array& s, const array& v) {
    const auto piece = jq::checkpoint(loop);
    const auto one = [&](const array& c, const array& part) { return std::pair{piece(c, part), std::tuple<>{}}; };
    return lax::scan(one, s, v).first;
  };
  const auto kilobytes = [&](auto g, const array& inputs) {
    const auto slope = jq::jit(jq::grad([=](const array& s, const array& v) { return jq::sum(g(s, v)); }));
    const array start = jq::zeros({1000}, jq::f64);
    const std::int64_t before = jq::host_memory().live;
    jq::reset_peak_memory();
    slope(start, inputs);
    return (jq::host_memory().peak - before) / 1000;
  };
  std::cout << "the loop takes more than 3 MB: " << (kilobytes(loop, jq::full({400, 1000}, 0.01)) > 3000 ? "yes" : "no") << '\n';
  std::cout << "in pieces less than 1 MB:      " << (kilobytes(in_pieces, jq::full({20, 20, 1000}, 0.01)) < 1000 ? "yes" : "no") << "\n\n";

  // stop_gradient is the opposite: a value that derivatives take for a constant.
  const auto half = [](const array& v) { return v * jq::stop_gradient(v); };
  std::cout << "slope of v v with one v held: " << jq::grad(half)(jq::asarray(3.0)) << '\n';
}

// output:
// plain         sin 0  cos 0
// checkpoint    sin 1  cos 2
// same slopes   -0.98015107 -0.98015107
//
// plain         products 6  sines 0
// checkpoint    products 9  sines 2
// keep products products 6  sines 2
// keep middle   products 8  sines 2
//
// the loop takes more than 3 MB: yes
// in pieces less than 1 MB:      yes
//
// slope of v v with one v held: 3.
