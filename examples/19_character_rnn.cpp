// Chapter 19: a recurrent network of characters
//
// The network reads a line character by character and says what comes next. Lines differ in length; those of a batch are
// filled up to the longest. The function of one line knows nothing of that: the loop over its characters is a scan, jq::mask
// stops it where the line ends, the batch is a vmap, and the gradient goes through all of them.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;

// A nursery rhyme, in the public domain ("The Queen of Hearts", The European Magazine, April 1782).
const std::vector<std::string> lines{"the queen of hearts she made some tarts", "all on a summer's day",
                                     "the knave of hearts he stole the tarts",  "and took them clean away",
                                     "the king of hearts called for the tarts", "and beat the knave full sore",
                                     "the knave of hearts brought back the tarts", "and vowed he'd steal no more"};
// What characters there are; the first one ends a line and fills it up.
const std::string alphabet = ".abcdefghijklmnopqrstuvwxyz '";
const int letters = int(alphabet.size()), hidden = 48;

struct parameters {
  array embed, recur, bias, read, read_bias;
};
/// The lines as numbers [lines, longest + 1], each ended; and their lengths with the end.
std::pair<array, array> batch() {
  std::size_t longest = 0;
  for (const std::string& s : lines) longest = std::max(longest, s.size() + 1);
  std::vector<int> codes, lengths;
  for (const std::string& s : lines) {
    for (std::size_t i = 0; i < longest; ++i) codes.push_back(i < s.size() ? int(alphabet.find(s[i])) : 0);
    lengths.push_back(int(s.size()) + 1);
  }
  return {jq::reshape(jq::asarray(codes), {int(lines.size()), int(longest)}), jq::asarray(lengths)};
}
parameters initialise(const array& key) {
  const array k = jq::random::split(key, 3);
  const auto matrix = [&](int i, int from, int to) { return jq::random::normal(k(i), {from, to}) / std::sqrt(double(from)); };
  return {matrix(0, letters, hidden), matrix(1, hidden, hidden), jq::zeros({hidden}), matrix(2, hidden, letters), jq::zeros({letters})};
}

/// One step: state and character in, state out. The logarithms of the next character's probabilities come from the state.
array next_state(const parameters& p, const array& state, const array& letter) {
  return jq::tanh(p.embed(letter) + jq::dot(state, p.recur) + p.bias);
}
array log_probabilities(const parameters& p, const array& state) { return jq::log_softmax(jq::dot(state, p.read) + p.read_bias); }

/// Minus the log-probability of one line: the first character is read, the others and the end are guessed.
array surprise(const parameters& p, const array& line) {
  const std::int64_t n = line.shape()[0];
  const auto step = [&](const array& state, const std::pair<array, array>& x) {
    const array moved = next_state(p, state, x.first);
    return std::pair{moved, -log_probabilities(p, moved)(x.second)};
  };
  const std::pair elements{line(jq::slice(0, n - 1)), line(jq::slice(1, n))};
  return jq::sum(lax::scan(step, jq::zeros({hidden}), elements).second);
}
/// The mean over all characters of all lines, each of which has one character at least and its end: n + 2 in all.
array loss(const parameters& p, const array& codes, const array& lengths) {
  const auto of_line = [&](const array& line) { return surprise(p, line); };
  const auto filled_up = jq::mask(of_line, jq::in_shapes<"n + 2">, jq::out_shape<"">);
  const array each = jq::vmap([&](const array& line, const array& length) {
    return filled_up(jq::args(line), jq::dims{{"n", length - 2}});
  })(codes, lengths);
  return jq::sum(each) / jq::sum(lengths - 1).astype(jq::f32);
}

/// The network's own line: always the most probable next character, in a loop that is compiled too.
std::string continued(const parameters& p, const std::string& start) {
  array state = jq::zeros({hidden});
  for (std::size_t i = 0; i + 1 < start.size(); ++i) state = next_state(p, state, array(int(alphabet.find(start[i]))));
  const auto write = jq::jit([](const parameters& q, const array& s, const array& letter) {
    const auto step = [&](const std::pair<array, array>& c, const std::tuple<>&) {
      const array moved = next_state(q, c.first, c.second);
      const array guess = jq::argmax(log_probabilities(q, moved)).astype(jq::i32);
      return std::pair{std::pair{moved, guess}, guess};
    };
    return lax::scan(step, std::pair{s, letter}, std::tuple<>{}, {.length = 50}).second;
  });
  std::string text = start;
  const array written = write(p, state, jq::asarray(int(alphabet.find(start.back()))));
  for (int code : written.data<int>()) {
    if (code == 0) break;
    text += alphabet[std::size_t(code)];
  }
  return text;
}

int main() {
  const auto [codes, lengths] = batch();
  parameters p = initialise(jq::random::key(1));

  // What is filled up does not matter: the gradient is the same with other characters there.
  const array beyond = jq::expand_dims(jq::arange(codes.shape()[1], jq::i32), 0) >= jq::expand_dims(lengths, 1);
  const array other = jq::where(beyond, 7, codes);
  const array a = jq::grad(loss)(p, codes, lengths).recur, b = jq::grad(loss)(p, other, lengths).recur;
  std::printf("padding matters: %s\n", bool(jq::all(a == b)) ? "no" : "yes");

  // Adam (Kingma and Ba 2015), all in one compiled step.
  const auto zeros = jq::tree::map([](const array& x) { return x * 0.f; }, p);
  parameters mean = zeros, square = zeros;
  const auto step = jq::jit([=](const parameters& w, const parameters& m, const parameters& v, const array& i) {
    const auto [value, g] = jq::value_and_grad(loss)(w, codes, lengths);
    const auto m2 = jq::tree::map([](const array& x, const array& y) { return 0.9 * x + 0.1 * y; }, m, g);
    const auto v2 = jq::tree::map([](const array& x, const array& y) { return 0.99 * x + 0.01 * y * y; }, v, g);
    const auto w2 = jq::tree::map([&](const array& x, const array& y, const array& z) {
      return x - 0.01 * (y / (1.0 - jq::power(0.9f, i))) / (jq::sqrt(z / (1.0 - jq::power(0.99f, i))) + 1e-8);
    }, w, m2, v2);
    return std::tuple{value, w2, m2, v2};
  });
  double first = 0, last = 0;
  for (int i = 1; i <= 150; ++i) {
    const auto [value, w2, m2, v2] = step(p, mean, square, jq::asarray(float(i)));
    p = w2, mean = m2, square = v2;
    last = double(value);
    if (i == 1) first = last;
  }
  std::printf("bits a character: more than 4 at first: %s, less than 0.5 at last: %s\n", first / std::log(2) > 4 ? "yes" : "no",
              last / std::log(2) < 0.5 ? "yes" : "no");
  for (const char* start : {"the q", "and v", "the ki"}) std::printf("%s\n", continued(p, start).c_str());
}

// output:
// padding matters: no
// bits a character: more than 4 at first: yes, less than 0.5 at last: yes
// the queen of hearts she made some tarts
// and vowed he'd steal no more
// the king of hearts called for the tarts
