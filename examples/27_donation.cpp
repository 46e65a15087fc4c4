// Chapter 27: donation
//
// An update loop, state = step(state, ...), holds two states for a moment: the old one, which nobody will look at
// again, and the new one. jit cannot know that, but the caller does. A donated argument gives its memory to a result
// of the same type; the loop then runs in the memory of one state. The cpu backend fuses the step into loops, so that
// nothing else takes memory in between.

#include <iostream>
#include <string>
#include <vector>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

namespace {

/// What an optimizer with momentum carries along. A struct of arrays is one argument, and is donated as a whole.
struct state {
  jq::array w, velocity;
};
jq::array loss(const jq::array& w, const jq::array& target) { return jq::sum(jq::square(w - target)); }
state step(const state& s, const jq::array& target) {
  const jq::array v = 0.5 * s.velocity - 0.125 * jq::grad(loss)(s.w, target);
  return {s.w + v, v};
}

/// The most memory that arrays take during ten steps, in states.
template <class Step>
double peak_of_loop(const Step& update, std::int64_t n) {
  const jq::array target = jq::ones({n});
  const std::int64_t before = jq::host_memory().live;
  state s{jq::full({n}, 3.0), jq::zeros({n}, jq::f64)};
  jq::reset_peak_memory();
  for (int i = 0; i < 10; ++i) s = update(s, target);
  return double(jq::host_memory().peak - before) / double(2 * n * 8);
}
std::string message(const std::exception& e) {
  const std::string all = e.what();
  return all.substr(0, all.find(" ["));
}

}  // namespace

int main() {
  const auto plain = jq::jit(step, jq::backend("cpu"));
  const auto donating = jq::jit(step, jq::donate_argnums<0>, jq::backend("cpu"));
  std::cout << "peak of a loop, in states: " << peak_of_loop(plain, 100000) << " without donation, "
            << peak_of_loop(donating, 100000) << " with it\n";

  // Which argument became which result, and what could not be used: the report asks before anything runs.
  const state s{jq::full({4}, 3.0), jq::zeros({4}, jq::f64)};
  const jq::array target = jq::ones({4});
  std::cout << jq::donation_report(donating, s, target).as_text() << '\n';

  // The call takes the buffers, wherever else they are held: all arrays of that memory are deleted.
  const jq::array other_name = s.w, copy = s.w + 0.0;
  const state next = donating(s, target);
  std::cout << "next " << next.w << ", the copy " << copy << ", deleted: " << std::boolalpha << other_name.is_deleted() << '\n';
  try {
    std::cout << other_name << '\n';
  } catch (const jq::deleted_error& e) {
    std::cout << "deleted_error: " << message(e) << '\n';
  }

  // The same array twice in one call, once to be given away: that cannot be meant, and nothing is run.
  try {
    donating(state{next.w, next.w}, target);
  } catch (const jq::error& e) {
    std::cout << "error: " << message(e) << '\n';
  }

  // A donated argument without a result of its dtype and shape is not harmed; jit says so on stderr, once, when it
  // compiles. Here the sum is smaller than what was given.
  const auto total = [](const jq::array& x) { return jq::sum(x); };
  std::cout << jq::donation_report(jq::jit(total, jq::donate_argnums<0>, jq::backend("cpu")), jq::ones({4})).as_text() << '\n';

  // Numbers and arrays of other libraries cannot be taken: they stay what they are, and the call copies.
  const auto twice = jq::jit([](const jq::array& x) { return 2.0 * x; }, jq::donate_argnums<0>, jq::backend("cpu"));
  const std::vector<double> mine{1, 2};
  const jq::array doubled = twice(mine);
  std::cout << "mine " << mine[0] << ' ' << mine[1] << ", doubled " << doubled << '\n';

  // Inside another function a jitted step becomes a part of that program, and the outer call decides what is
  // donated. This is how a whole training loop becomes one program that holds one state.
  const auto train = jq::jit([&](const state& start, const jq::array& want) {
    return jq::lax::fori_loop(0, 20, [&](const jq::array&, const state& now) { return donating(now, want); }, start);
  }, jq::donate_argnums<0>, jq::backend("cpu"));
  std::cout << "trained " << train(next, target).w << '\n';
}

// output:
// peak of a loop, in states: 2 without donation, 1 with it
// argument  type    bytes  output  saved
// 0[0]      f64[4]     32       0     32  in place
// 0[1]      f64[4]     32       1     32  in place
// 1         f32[4]     16       -      0  not donated
// saved: 64 bytes
//
// next [2.5 2.5 2.5 2.5], the copy [3. 3. 3. 3.], deleted: true
// deleted_error: Array has been deleted with shape=float64[4]. It was donated to a compiled call; to go on using it, keep a copy made before that call, or do not donate it
// error: Attempt to donate the same buffer twice in Execute() (flattened argument 1, first use: 0). Toy example for this bug: `f(donate(a), donate(a))`.
// argument  type    bytes  output  saved
// 0         f32[4]     16       -      0  no output of this dtype and shape
// saved: 0 bytes
//
// mine 1 2, doubled [2. 4.]
// trained [0.99866073 0.99866073 0.99866073 0.99866073]
