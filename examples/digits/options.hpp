#pragma once
// The command line of the digits program.

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace digits {

struct options {
  std::string data;
  int epochs = 40;
  int batch = 32;
  int hidden = 256;
  int seed = 1;
  double rate = 0.003;
  bool per_example = false;
  bool print_jaxpr = false;
};

/// A wrong command line; the message says which word.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline constexpr const char* usage =
    "usage: digits [options]\n"
    "Trains a two-layer network on the UCI handwritten digits.\n"
    "  --data FILE      the data, as CSV (default: the copy that comes with the examples)\n"
    "  --epochs N       passes over the training data, 1 to 1000 (default 40)\n"
    "  --batch N        examples per step, 1 to 1000 (default 32)\n"
    "  --hidden N       width of the hidden layer, 1 to 4096 (default 256)\n"
    "  --rate X         learning rate, above 0 and at most 1 (default 0.003)\n"
    "  --seed N         seed of all randomness (default 1)\n"
    "  --per-example    gradients per example by vmap(grad), clipped, then averaged\n"
    "  --jaxpr          print the program of the training step and stop\n"
    "  --help           this text\n";

inline int parse_int(const std::string& name, const std::string& word, int low, int high) {
  char* end = nullptr;
  const long v = std::strtol(word.c_str(), &end, 10);
  if (word.empty() || *end != '\0' || v < low || v > high)
    throw usage_error(name + ": got '" + word + "', wanted a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  return int(v);
}

inline options parse(int argc, char** argv, const char* default_data) {
  options o;
  o.data = default_data;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] {
      if (i + 1 >= argc) throw usage_error(word + ": a value must follow");
      return std::string(argv[++i]);
    };
    if (word == "--data") o.data = value();
    else if (word == "--epochs") o.epochs = parse_int(word, value(), 1, 1000);
    else if (word == "--batch") o.batch = parse_int(word, value(), 1, 1000);
    else if (word == "--hidden") o.hidden = parse_int(word, value(), 1, 4096);
    else if (word == "--seed") o.seed = parse_int(word, value(), 0, 1 << 30);
    else if (word == "--rate") {
      const std::string v = value();
      char* end = nullptr;
      o.rate = std::strtod(v.c_str(), &end);
      if (v.empty() || *end != '\0' || !(o.rate > 0 && o.rate <= 1))
        throw usage_error("--rate: got '" + v + "', wanted a number above 0 and at most 1");
    } else if (word == "--per-example") o.per_example = true;
    else if (word == "--jaxpr") o.print_jaxpr = true;
    else if (word == "--help" || word == "-h") {
      std::fputs(usage, stdout);
      std::exit(0);
    } else throw usage_error("unknown option '" + word + "'");
  }
  return o;
}

}  // namespace digits
