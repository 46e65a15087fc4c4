// Question: what does including the library cost a translation unit that does nothing else with it?
// Baseline: the same for <xtensor/xarray.hpp>, compiled in turn. Unit: seconds of processor time, and the ratio to the
// baseline. Bar: <jacquard/jacquard.hpp> at most 1.5 times the baseline.

#include <benchmark/benchmark.h>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

/// Processor time of child processes so far.
double child_seconds() {
  rusage u{};
  getrusage(RUSAGE_CHILDREN, &u);
  return double(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * double(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/// Time to parse a file that holds only this include; negative if the compiler failed.
double parse(const std::string& header) {
  char path[] = "/tmp/parse_cost_XXXXXX.cpp";
  const int file = mkstemps(path, 4);
  if (file < 0) return -1;
  const std::string line = header.empty() ? "\n" : "#include <" + header + ">\n";
  const bool written = write(file, line.data(), line.size()) == ssize_t(line.size());
  close(file);
  const std::string command = std::string(JACQUARD_COMPILER) + " -std=c++20 -fsyntax-only -I" + JACQUARD_SOURCE_DIR + "/include " + path;
  const double before = child_seconds();
  const int status = written ? std::system(command.c_str()) : 1;
  unlink(path);
  return status == 0 ? child_seconds() - before : -1;
}

void header(benchmark::State& state, const std::string& name) {
  std::vector<double> ratios;
  double own = 0, base = 0;
  for (auto _ : state) {
    base = parse("xtensor/xarray.hpp");
    own = parse(name);
    if (own < 0 || base < 0) {
      state.SkipWithError("the compiler failed on the header, or xtensor is not installed");
      break;
    }
    state.SetIterationTime(own);
    ratios.push_back(own / base);
  }
  if (ratios.empty()) return;
  std::sort(ratios.begin(), ratios.end());
  state.counters["ratio_to_xarray"] = ratios[ratios.size() / 2];
}

}  // namespace

BENCHMARK_CAPTURE(header, nothing, std::string())->UseManualTime()->Iterations(5)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(header, core, std::string("jacquard/core/eval.hpp"))->UseManualTime()->Iterations(5)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(header, umbrella, std::string("jacquard/jacquard.hpp"))->UseManualTime()->Iterations(5)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
