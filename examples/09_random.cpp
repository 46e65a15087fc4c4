// Chapter 9: random numbers
//
// A random generator with hidden state does not survive transforms: how often is it called under grad, in
// which order under vmap? Here random numbers are a function of a key. The same key gives the same numbers,
// on every machine and under every transform; for other numbers, take another key.

#include <iostream>

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

int main() {
  // A seed makes a key, which is an array of two integers.
  const jq::array key = jq::random::key(42);
  std::cout << "key " << key << ", " << key.aval() << '\n';
  std::cout << "uniform       " << jq::random::uniform(key, {4}) << '\n';
  std::cout << "and once more " << jq::random::uniform(key, {4}) << "\n\n";

  // split makes new keys out of one, as rows of an array; the old one should then be left alone. fold_in
  // makes a key from a key and a number, such as the number of a training step.
  const jq::array keys = jq::random::split(key, 3);
  std::cout << "three keys    " << jq::random::normal(keys[0]) << ' ' << jq::random::normal(keys[1]) << ' '
            << jq::random::normal(keys[2]) << '\n';
  for (int step = 0; step < 2; ++step)
    std::cout << "five dice     " << jq::random::randint(jq::random::fold_in(key, step), {5}, 1, 7) << '\n';
  std::cout << '\n';

  // Distributions take the key, the shape, and what they need: a dtype, bounds, probabilities.
  std::cout << "f64 in [5, 6) " << jq::random::uniform(key, {3}, jq::f64, 5.0, 6.0) << '\n';
  std::cout << "bernoulli     " << jq::random::bernoulli(key, 0.5, {6}) << '\n';
  std::cout << "permutation   " << jq::random::permutation(key, 8) << '\n';
  const jq::array logits = jq::log(jq::asarray({0.1, 0.2, 0.7}));
  std::cout << "categorical   " << jq::random::categorical(key, logits, -1, {10}) << "\n\n";

  // Keys are arrays, so vmap maps over them: one experiment for each key, all at once.
  const auto experiment = [](const jq::array& k) {
    const jq::array xy = jq::random::uniform(k, {1000, 2}, jq::f64);
    return 4 * jq::mean(jq::sum(xy * xy, 1) < 1.0);  // the share of points within a quarter of a circle
  };
  const jq::array estimates = jq::jit(jq::vmap(experiment))(jq::random::split(key, 100));
  std::cout << "pi            " << jq::mean(estimates) << " +- " << jq::std(estimates) / 10 << "\n\n";

  // A sample can be differentiated with respect to the parameters of its distribution. The mean of (m + s
  // n)^2 over standard normal n is m^2 + s^2, whose gradient at m = 1, s = 2 is (2, 4).
  const auto moment = [&](const jq::array& m, const jq::array& s) {
    const jq::array n = jq::random::normal(key, {100000}, jq::f64);
    return jq::mean(jq::square(m + s * n));
  };
  const auto [dm, ds] = jq::grad(moment, jq::argnums<0, 1>)(jq::array(1.0), jq::array(2.0));
  std::cout << "gradient      " << dm << ' ' << ds << "\n\n";

  // What is not a key is refused; a whole array of keys wants to be indexed or mapped over.
  try {
    jq::random::uniform(keys, {2});
  } catch (const jq::type_error& e) {
    const std::string message = e.what();
    std::cout << "type_error: " << message.substr(0, message.find(" [")) << '\n';
  }
}

// output:
// key [ 0 42], u32[2]
// uniform       [0.48870957 0.6797972  0.6162715  0.5610161 ]
// and once more [0.48870957 0.6797972  0.6162715  0.5610161 ]
//
// three keys    0.07592554 0.605764 0.43230647
// five dice     [5 5 2 5 5]
// five dice     [4 3 6 5 4]
//
// f64 in [5, 6) [5.42672757 5.01501007 5.57414442]
// bernoulli     [ True False False False  True False]
// permutation   [7 4 2 5 3 6 0 1]
// categorical   [2 2 2 2 2 2 1 2 1 2]
//
// pi            3.13664 +- 0.00458021
//
// gradient      2.01033387 3.97280886
//
// type_error: random::uniform: got a key of type u32[3,2]; wanted u32[2], made by jq::random::key(seed) and split (index the result of split)
