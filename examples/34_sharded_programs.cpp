// Chapter 34: sharded programs
//
// pmap gives each device a member of an axis, and the function says where members talk. sharded_jit takes a function that knows
// of one device only, and a line that says into how many pieces arrays are cut: each device computes its pieces, and where they
// need each other's is found in the program. The values are those of jit, but for the order of sums.

#include <algorithm>
#include <iostream>
#include <string>
#include <tuple>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
using jq::array;
using jq::partition_spec;

namespace {

array layer(const array& x, const array& w, const array& b) { return jq::tanh(jq::matmul(x, w) + b); }

struct network {
  array w1, b1, w2, b2;
};
array loss(const network& n, const array& x, const array& y) {
  return jq::mean(jq::square(jq::matmul(layer(x, n.w1, n.b1), n.w2) + n.b2 - y));
}
network step(const network& n, const array& x, const array& y) {
  return jq::tree::map([](const array& p, const array& g) { return p - 0.1 * g; }, n, jq::grad(loss)(n, x, y));
}

double difference(const array& a, const array& b) { return jq::max(jq::abs(a - b)).item<double>(); }
double difference(const network& a, const network& b) {
  return std::max({difference(a.w1, b.w1), difference(a.b1, b.b1), difference(a.w2, b.w2), difference(a.b2, b.b2)});
}
std::string message(const std::exception& e) {
  const std::string all = e.what();
  return all.substr(0, all.find(" ["));
}

}  // namespace

int main() {
  std::cout << std::boolalpha;
  jq::set_host_device_count(4);
  const auto random = [](int seed, const jq::shape& dims) { return jq::random::normal(jq::random::key(seed), dims, jq::f64); };
  const array x = random(0, {32, 8}), y = random(1, {32, 4});
  const network start{random(2, {8, 16}) * 0.3, jq::zeros({16}, jq::f64), random(3, {16, 4}) * 0.3, jq::zeros({4}, jq::f64)};

  // partition_spec(4, 1): four pieces of the rows, one of the columns. Device k has piece k of the batch; none says that each of
  // them has the whole array. The result comes back as one array.
  const auto by_rows = jq::sharded_jit(layer, jq::in_parts(partition_spec(4, 1), jq::none, jq::none));
  const array h = by_rows(x, start.w1, start.b1);
  std::cout << "layer       " << h.shape() << ", as on one device: " << (difference(h, layer(x, start.w1, start.b1)) < 1e-12) << '\n';

  // A training step. Rows of the batch go to four devices, parameters to all. The gradients are sums over the batch: each device
  // sums its rows, and the sums are added up between devices. In chapter 33 the step itself said so.
  const auto whole = jq::jit(step);
  const auto batch_cut = jq::sharded_jit(step, jq::in_parts(jq::none, partition_spec(4, 1), partition_spec(4, 1)));
  // The same step with the weights in pieces: the first layer's by columns, the second one's by rows, which are summed. A
  // specification is a tree prefix of its argument, here a tuple for the members of the struct. So each device works on a quarter
  // of the weights; out_parts says that their new values are made that way, too.
  const auto layers = std::tuple(partition_spec(1, 4), partition_spec(4), partition_spec(4, 1), jq::none);
  const auto weights_cut = jq::sharded_jit(step, jq::in_parts(layers, jq::none, jq::none), jq::out_parts(layers));
  network one = start, two = start, three = start;
  for (int i = 0; i < 10; ++i) one = whole(one, x, y), two = batch_cut(two, x, y), three = weights_cut(three, x, y);
  std::cout << "loss        " << loss(start, x, y) << " before, " << loss(one, x, y) << " after ten steps\n"
            << "batch cut   as on one device: " << (difference(one, two) < 1e-12) << '\n'
            << "weights cut as on one device: " << (difference(one, three) < 1e-12) << ", programs made: " << weights_cut.cache_size() << '\n';

  // The program that each device runs then, of a forward pass: products of pieces, and one sum between devices at the end.
  const auto columns_then_rows = jq::sharded_jit([](const array& v, const array& w1, const array& w2) { return jq::matmul(jq::tanh(jq::matmul(v, w1)), w2); },
                                                 jq::in_parts(jq::none, partition_spec(1, 4), partition_spec(4, 1)));
  std::cout << columns_then_rows.lower(x, start.w1, start.w2).as_text() << '\n';

  // Inside a function with_sharding_constraint says how a value is cut, and what follows is cut accordingly; arguments need no
  // specification then. Here devices have rows of the batch and of the hidden values, but columns of the result: they exchange
  // pieces. Compiled by jit the function is what it is without.
  const auto forward = [](const network& n, const array& v) {
    const array hidden = layer(jq::with_sharding_constraint(v, partition_spec(4, 1)), n.w1, n.b1);
    return jq::with_sharding_constraint(jq::matmul(hidden, n.w2) + n.b2, partition_spec(1, 4));
  };
  std::cout << "constrained as on one device: " << (difference(jq::sharded_jit(forward)(one, x), jq::jit(forward)(one, x)) < 1e-12) << '\n';

  // What speaks to the host does so once, with whole values. An operation that is not cut, as a sort is not, runs whole on each
  // device.
  const auto ranks = [](const array& v) {
    const array all = jq::id_tap([](const array& m) { std::cout << "tap         " << m.shape() << '\n'; }, v);
    return jq::sort(all, 0) * 2.0;
  };
  const array sorted = jq::sharded_jit(ranks, jq::in_parts(partition_spec(4, 1)))(x);
  std::cout << "sorted      as on one device: " << (difference(sorted, jq::sort(x, 0) * 2.0) < 1e-12) << '\n';

  // Inside other transforms sharded_jit is jit.
  const auto energy = [&](const auto& f) { return [&](const array& w) { return jq::sum(jq::square(f(x, w, start.b1))); }; };
  std::cout << "gradient    as on one device: " << (difference(jq::grad(energy(by_rows))(start.w1), jq::grad(energy(layer))(start.w1)) < 1e-12) << "\n\n";

  // Pieces are equal: their number divides the dimension.
  try {
    by_rows(random(4, {30, 8}), start.w1, start.b1);
  } catch (const jq::shape_error& e) {
    std::cout << "shape_error: " << message(e) << '\n';
  }
}

// output:
// layer       (32, 16), as on one device: true
// loss        1.7037983 before, 1.12933447 after ten steps
// batch cut   as on one device: true
// weights cut as on one device: true, programs made: 1
// { lambda ; a:f64[32,8] b:f64[8,4] c:f64[4,4]. let
//     d:f64[32,4] = dot_general[
//       lhs_batch=()
//       lhs_contracting=(1,)
//       rhs_batch=()
//       rhs_contracting=(0,)
//     ] a b
//     e:f64[32,4] = tanh d
//     f:f64[32,4] = dot_general[
//       lhs_batch=()
//       lhs_contracting=(1,)
//       rhs_batch=()
//       rhs_contracting=(0,)
//     ] e c
//     g:f64[32,4] = combine[axis_name=partition by=1 pieces=(4,) strides=(1,)] f
//   in (g,) }
// constrained as on one device: true
// tap         (32, 8)
// sorted      as on one device: true
// gradient    as on one device: true
//
// shape_error: sharded_jit: got partitions (4, 1) for an array of shape (30, 8); wanted one number of pieces for each dimension, which divides it
