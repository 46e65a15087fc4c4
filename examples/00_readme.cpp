// The program of the README. tests/house checks that the two are the same.
#include <jacquard/jacquard.hpp>
#include <iostream>
namespace jq = jacquard;

struct line { jq::array slope, offset; };               // any plain struct is a tree of arrays

int main() {
  const jq::array x = jq::linspace(0, 1, 5);
  const jq::array y = 3.0 * x + 1.0;
  const auto loss = [&](const line& l) {                 // an ordinary function
    return jq::mean(jq::square(l.slope * x + l.offset - y));
  };
  const auto step = jq::jit([&](const line& l) {
    const line g = jq::grad(loss)(l);                    // gradients have the type of the argument
    return line{l.slope - 0.5 * g.slope, l.offset - 0.5 * g.offset};
  });
  line l{jq::asarray(0.0), jq::asarray(0.0)};
  for (int i = 0; i < 200; ++i) l = step(l);
  std::cout << l.slope << ' ' << l.offset << '\n';
  const auto f = [](const jq::array& v) { return jq::sum(jq::sin(v) * v); };
  std::cout << jq::vmap(jq::grad(f))(jq::asarray({{0.0, 1.0}, {2.0, 3.0}})) << '\n';
  std::cout << jq::make_jaxpr(jq::grad(f))(x) << '\n';
}

// output:
// 3. 1.
// [[ 0.          1.38177329]
//  [ 0.07700375 -2.82885748]]
// { lambda ; a:f64[5]. let
//     b:f64[5] = sin a
//     c:f64[5] = cos a
//     d:f64[5] = mul b a
//     _:f64[] = reduce_sum[axes=(0,)] d
//     e:f64[5] = broadcast_in_dim[broadcast_dimensions=() shape=(5,)] 1.0:f64[]
//     f:f64[5] = mul b e
//     g:f64[5] = mul e a
//     h:f64[5] = mul g c
//     i:f64[5] = add f h
//   in (i,) }
