// Question: how long does the first call of a jitted function take, compared with compiling the same function with the C++ compiler?
// Tasks: T9, the polynomial of T6; chains of 5, 30 and 200 operations, x * x0 and sin(x) in turn; on 1000 f32. A first call traces, simplifies
// and runs; it does so on tiles, with machine code made before it, or with machine code that an earlier program left in files.
// Every round is another function, since modules that are alike are compiled once; kept machine code is used by a process of its own, as the first
// thing that it does, and then by another function. Baseline: the compiler at -O3 on the same chain as a loop in C, in alternation. Unit: milliseconds
// by the clock; bars: 120 ms cold, 1 ms on tiles and, for the polynomial and the shortest chain, with kept machine code. The library libLLVM has been
// loaded before where code is made; with kept code it never is.

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/code_generator.hpp>
#include <jacquard/jacquard.hpp>

#include <filesystem>

#include "interleaved.hpp"

namespace jq = jacquard;
using jq::array;

namespace {

constexpr int polynomial = 0;  ///< in place of a length

struct chain {
  int length, number;  ///< chains of different numbers are different programs
  array operator()(const array& x0) const {
    array x = x0 * (1 + 0.001 * number);
    if (length == polynomial) {
      const array t = (x * x + 0.5f) * x - 0.25f * x + 1.f;
      return jq::maximum(t, 0.f) * x;
    }
    for (int i = 0; i < length; ++i) x = i % 2 ? jq::sin(x) : x * x0;
    return x;
  }
};

/// A folder of our own, which goes when the program ends.
class folder {
 public:
  folder() {
    std::string name = (std::filesystem::temp_directory_path() / "compile_latency_XXXXXX").string();
    if (!mkdtemp(name.data())) {
      std::puts("cannot make a temporary folder");
      std::exit(1);
    }
    path = name;
  }
  ~folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::filesystem::path path;
};

double milliseconds(const auto& f) { return 1e-6 * interleaved::nanoseconds(f, 1, interleaved::timer::clock); }

double first_call(const chain& f, jq::compile_at when) {
  // Of smaller numbers 200 products and sines make denormal ones, which some processors take a hundred times as long for: compiling is asked about.
  const array x = jq::random::uniform(jq::random::key(0), {1000}, jq::f32, 1, 1.5);
  return milliseconds([&] { interleaved::observe(jq::jit(f, jq::backend("cpu"), when)(x).data<float>().data()); });
}
/// The same in a new process, which finds machine code in files where one before it left them: of its first function, and of another one. Negative where that fails.
std::pair<double, double> first_calls_elsewhere(int length) {
  static const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::FILE* const other = popen((program + " " + std::to_string(length)).c_str(), "r");
  std::pair<double, double> r(-1, -1);
  if (!other || std::fscanf(other, "%lf %lf", &r.first, &r.second) != 2) r = {-1, -1};
  if (other) pclose(other);
  return r;
}

void write_source(const std::filesystem::path& file, int length) {
  std::FILE* const out = std::fopen(file.c_str(), "w");
  std::fputs("#include <math.h>\nvoid chain(const float* __restrict in, float* __restrict out, int n) {\n  for (int i = 0; i < n; ++i) {\n"
             "    const float x0 = in[i];\n    float x = x0;\n", out);
  if (length == polynomial) std::fputs("    const float t = (x * x + 0.5f) * x - 0.25f * x + 1;\n    x = (t > 0 ? t : 0) * x;\n", out);
  for (int i = 0; i < length; ++i) std::fputs(i % 2 ? "    x = sinf(x);\n" : "    x = x * x0;\n", out);
  std::fputs("    out[i] = x;\n  }\n}\n", out);
  std::fclose(out);
}

void measure(int length, const folder& files) {
  const std::filesystem::path source = files.path / "chain.cpp";
  write_source(source, length);
  setenv("JACQUARD_CACHE_DIR", files.path.c_str(), 1);  // for the other processes: this one has read it by now
  const std::string file = source.string(), flags = " -O3 -march=native -ffast-math -c ";
  const std::string command = JACQUARD_COMPILER + flags + file + " -o " + file + ".o";
  const bool compiles = jq::cpu::code_generator::get() != nullptr;
  std::vector<double> tiles, cold, cached, cached_later, to_compiler;
  if (compiles) first_calls_elsewhere(length);  // leaves the files
  for (int round = 0; round < (interleaved::quick() ? 5 : 15); ++round) {
    tiles.push_back(first_call({length, round}, jq::compile_at::never));
    if (!compiles) continue;
    cold.push_back(first_call({length, round}, jq::compile_at::first_call));
    if (const auto [first, later] = first_calls_elsewhere(length); first >= 0) cached.push_back(first), cached_later.push_back(later);
    const double compiler = milliseconds([&] {
      if (std::system(command.c_str()) != 0) std::exit(1);
    });
    to_compiler.push_back(cold.back() / compiler);
  }
  const std::string name = length == polynomial ? "T9 polynomial, first call" : "first call, " + std::to_string(length) + " operations";
  const auto line = [&](const char* how, const std::vector<double>& times, double bar) {
    if (!times.empty()) interleaved::report({name + how, "-", interleaved::quartiles(times), bar, "ms"});
  };
  line(", tiles", tiles, 1);
  line(", machine code", cold, 120);
  line(", kept machine code, new process", cached, length <= 5 ? 1 : interleaved::no_bar);
  line(", kept machine code", cached_later, length <= 5 ? 1 : interleaved::no_bar);
  if (!to_compiler.empty()) interleaved::report({name + ", machine code", "g++ -O3", interleaved::quartiles(to_compiler), 1.0, ""});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) {
    const double first = first_call({std::atoi(argv[1]), 0}, jq::compile_at::first_call), later = first_call({std::atoi(argv[1]), 1}, jq::compile_at::first_call);
    return std::printf("%f %f\n", first, later), 0;
  }
  jq::cpu::code_generator::get();
  jq::cpu::set_cache_directory("");
  const folder files;
  for (int length : {polynomial, 5, 30, 200}) measure(length, files);
}
