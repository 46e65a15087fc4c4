// Chapter 7: trees
//
// Functions take and return more than single arrays: the parameters of a model, the state of a simulation.
// Jacquard accepts any nesting of structs, tuples, pairs, vectors, arrays, optionals and maps whose leaves
// are arrays, and gives results back in the same form. Nothing has to be registered.

#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

// A plain struct is a tree; its members are its children.
struct layer {
  jq::array w, b;
};
struct model {
  std::vector<layer> layers;
  std::map<std::string, jq::array> scales;
};

jq::array predict(const model& m, jq::array x) {
  for (const layer& l : m.layers) x = jq::tanh(jq::matmul(l.w, x) + l.b);
  return m.scales.at("out") * jq::sum(x);
}

int main() {
  const model m{{{jq::eye(2), jq::zeros({2})}, {jq::ones({2, 2}), jq::ones({2})}},
                {{"out", jq::asarray(2.f)}}};
  const jq::array x = jq::asarray({0.5f, -0.25f});

  // The gradient with respect to a model is a model.
  const model g = jq::grad(predict)(m, x);
  std::cout << "d/db of the first layer  " << g.layers[0].b << '\n';
  std::cout << "d/dscale                 " << g.scales.at("out") << "\n\n";

  // tree::map applies a function to corresponding leaves of trees of the same structure: a step of gradient
  // ascent.
  const auto uphill = [](const jq::array& p, const jq::array& dp) { return p + 0.1f * dp; };
  const model better = jq::tree::map(uphill, m, g);
  std::cout << "before " << predict(m, x) << ", after " << predict(better, x) << "\n\n";

  // flatten lists the leaves in a fixed order: members as declared, map keys sorted. structure describes the
  // rest, and unflatten puts leaves into it.
  const std::vector<jq::array> leaves = jq::tree::flatten(m);
  std::cout << leaves.size() << " leaves in " << jq::tree::structure(m) << "\n\n";
  const model same = jq::tree::unflatten(m, leaves);
  std::cout << "the second layer's b is still " << same.layers[1].b << "\n\n";

  // Several results are a tuple or a struct, and structured bindings take them apart.
  const auto moments = [](const jq::array& v) { return std::tuple{jq::mean(v), jq::var(v)}; };
  const auto [mean, variance] = jq::jit(moments)(x);
  std::cout << "mean " << mean << ", variance " << variance << '\n';

  // vmap maps every leaf of an argument along axis 0. in_axes_tree gives each child its own axis, jq::none
  // for those that are shared; the specification may stop early, as the 0 here stands for a whole layer.
  const auto apply = [](const layer& l, const jq::array& v) { return jq::sum(jq::matmul(l.w, v) + l.b); };
  const layer many{jq::ones({3, 2, 2}), jq::arange(3).astype(jq::f32)};
  std::cout << "three layers             " << jq::vmap(apply, jq::in_axes_tree(0, jq::none))(many, x) << '\n';
  const layer shared{jq::ones({2, 2}), jq::arange(3).astype(jq::f32)};
  const auto axes = jq::in_axes_tree(std::tuple{jq::none, 0}, jq::none);
  std::cout << "one matrix, three shifts " << jq::vmap(apply, axes)(shared, x) << "\n\n";

  // An optional that is empty has no leaves. Lengths, keys and presence are structure: jit compiles once for
  // each.
  using maybe = std::optional<jq::array>;
  const auto shifted = jq::jit([](const jq::array& v, const maybe& by) { return by ? v + *by : v; });
  std::cout << shifted(x, maybe{}) << ' ' << shifted(x, maybe{jq::asarray(1.f)}) << '\n';
  std::cout << shifted.cache_size() << " programs\n\n";

  // Leaves may be C++ numbers and containers of numbers. A std::vector<double> is one array of rank 1, a
  // std::vector<std::vector<double>> a list of arrays; gradients come back in the same types.
  const auto energy = [](const std::vector<jq::array>& v, const jq::array& s) {
    jq::array total = 0.0;
    for (const jq::array& a : v) total = total + s * jq::sum(a * a);
    return total;
  };
  const std::vector<std::vector<double>> rows{{1, 2}, {3}};
  const auto [by_rows, by_scale] = jq::grad(energy, jq::argnums<0, 1>)(rows, 0.5);
  const std::vector<double>& first = by_rows[0];
  const double scale = by_scale;
  std::cout << "gradients " << first[0] << ' ' << first[1] << ' ' << by_rows[1][0] << " and " << scale
            << '\n';

  // Trees whose structures differ do not fit.
  try {
    jq::tree::map(uphill, std::vector{x, x}, std::vector{x});
  } catch (const jq::type_error& e) {
    const std::string message = e.what();
    std::cout << "type_error: " << message.substr(0, message.find(";")) << '\n';
  }
}

// output:
// d/db of the first layer  [0.93232185 1.1143733 ]
// d/dscale                 1.6776516
//
// before 3.3553033, after 3.9436882
//
// 5 leaves in PyTreeDef(([(*, *), (*, *)], {'out': *}))
//
// the second layer's b is still [1. 1.]
//
// mean 0.125, variance 0.140625
// three layers             [0.5 2.5 4.5]
// one matrix, three shifts [0.5 2.5 4.5]
//
// [ 0.5  -0.25] [1.5  0.75]
// 2 programs
//
// gradients 1 2 3 and 14
// type_error: tree::map: got trees of different structure, PyTreeDef([*, *]) and PyTreeDef([*])
