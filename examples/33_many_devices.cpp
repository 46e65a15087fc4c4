// Chapter 33: many devices
//
// vmap computes all members of an axis on one device. pmap gives each member a device of its own: the function is traced
// and compiled once for a member, the members run at the same time, and collectives carry values between them. Host
// devices share the processors of the machine: members gain where one of them by itself keeps a single processor busy.

#include <iostream>
#include <string>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;

namespace {

struct line {
  array slope, offset;
};
array loss(const line& l, const array& x, const array& y) { return jq::mean(jq::square(l.slope * x + l.offset - y)); }
line moved(const line& l, const line& g) { return {l.slope - 0.5 * g.slope, l.offset - 0.5 * g.offset}; }

/// One step of the heat equation, for the inner points of u.
array warmed(const array& u) {
  const int n = int(u.shape()[0]);
  const array here = u(jq::slice(1, n - 1));
  return here + 0.25 * (u(jq::slice(0, n - 2)) - 2.0 * here + u(jq::slice(2, n)));
}
/// u with a point more on either side.
array between(const array& left, const array& u, const array& right) { return jq::concatenate({left, u, right}); }
std::string message(const std::exception& e) {
  const std::string all = e.what();
  return all.substr(0, all.find(" ["));
}

}  // namespace

int main() {
  jq::set_host_device_count(4);

  // Each member has one element here, and psum gives all of them the sum.
  const auto share = jq::pmap([](const array& x) { return x / lax::psum(x, "i"); }, jq::axis_name<"i">);
  std::cout << "shares   " << share(jq::asarray({1.0, 2.0, 3.0, 2.0})) << '\n';

  // A training step: each member has the parameters (none) and its own part of the batch (0). Gradients are averaged over
  // the members, leaf by leaf, so that all of them make the same step; out_axes none takes it from the first one.
  const auto step = jq::pmap([](const line& l, const array& x, const array& y) {
    return moved(l, lax::pmean(jq::grad(loss)(l, x, y), "batch"));
  }, jq::axis_name<"batch">, jq::in_axes<jq::none, 0, 0>, jq::out_axes<jq::none>);
  const auto whole_step = jq::jit([](const line& l, const array& x, const array& y) { return moved(l, jq::grad(loss)(l, x, y)); });
  const array x = jq::linspace(-1, 1, 32), y = 3.0 * x + 1.0;
  const array xs = jq::reshape(x, {4, 8}), ys = jq::reshape(y, {4, 8});
  line by_members{jq::asarray(0.0), jq::asarray(0.0)}, whole = by_members;
  for (int i = 0; i < 5; ++i) by_members = step(by_members, xs, ys), whole = whole_step(whole, x, y);
  std::cout << "members  " << by_members.slope << ' ' << by_members.offset << '\n'
            << "whole    " << whole.slope << ' ' << whole.offset << '\n';

  // The heat equation on a ring of 16 points, cut into four. In each step a member sends its first point to the member on
  // its left and its last one to the member on its right, and gets theirs: the halo of its own points.
  const auto heat = jq::pmap([](const array& u) {
    return lax::fori_loop(0, 20, [](const array&, const array& v) {
      const array left = lax::ppermute(v(jq::slice(3, 4)), "ring", {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
      const array right = lax::ppermute(v(jq::slice(0, 1)), "ring", {{1, 0}, {2, 1}, {3, 2}, {0, 3}});
      return warmed(between(left, v, right));
    }, u);
  }, jq::axis_name<"ring">);
  const auto whole_heat = jq::jit([](const array& u) {
    return lax::fori_loop(0, 20, [](const array&, const array& v) { return warmed(between(v(jq::slice(15, 16)), v, v(jq::slice(0, 1)))); }, u);
  });
  const array start = jq::where(jq::arange(16) == 5, 16.0, 0.0);
  const array ring = heat(jq::reshape(start, {4, 4}));
  std::cout << "ring =\n" << ring << "\nas undivided: " << jq::all(jq::reshape(ring, {16}) == whole_heat(start)) << '\n';

  // A member knows its place. all_gather gives everyone what each has.
  const auto places = jq::pmap([](const array& v) { return lax::all_gather(v * lax::axis_index("i"), "i"); }, jq::axis_name<"i">);
  std::cout << "gathered =\n" << places(jq::asarray({1, 10, 100, 1000})) << '\n';

  // Inside other transforms pmap is vmap: the same values, on one device. So it has derivatives.
  const auto squares = [&](const array& v) { return jq::sum(jq::square(share(v))); };
  std::cout << "gradient " << jq::grad(squares)(jq::asarray({1.0, 2.0, 3.0, 2.0})) << "\n\n";

  // There must be a device for every member.
  try {
    share(jq::ones({5}));
  } catch (const jq::value_error& e) {
    std::cout << "value_error: " << message(e) << '\n';
  }
}

// output:
// shares   [0.125 0.25  0.375 0.25 ]
// members  2.66467745 1.
// whole    2.66467745 1.
// ring =
// [[0.58933487 0.91573757 1.29149735 1.64995583]
//  [1.9104202  2.00593366 1.9104202  1.64995583]
//  [1.29149735 0.91573757 0.58933487 0.35004036]
//  [0.20874758 0.16259884 0.20874758 0.35004036]]
// as undivided: True
// gathered =
// [[   0   10  200 3000]
//  [   0   10  200 3000]
//  [   0   10  200 3000]
//  [   0   10  200 3000]]
// gradient [-0.0390625 -0.0078125  0.0234375 -0.0078125]
//
// value_error: pmap: compiling computation that requires 5 logical devices, but only 4 XLA devices are available (num_replicas=5, num_partitions=1); call jq::set_host_device_count(5) before, or use jq::vmap
