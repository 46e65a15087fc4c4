// Question: what does including the library cost a translation unit that does nothing else with it?
// Baseline: the same for <xtensor/xarray.hpp>, compiled in turn. Unit: seconds of processor time, and the ratio to the
// baseline. Bars: <jacquard/jacquard.hpp> at most 1.5 times the baseline, also where the program links jacquard::compiled;
// <jacquard/fixed.hpp> half of it.

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "interleaved.hpp"

namespace {

/// Processor time of child processes so far.
double child_seconds() {
  rusage u{};
  getrusage(RUSAGE_CHILDREN, &u);
  return double(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * double(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/// Time to parse a file that holds only this include; negative if the compiler failed.
double parse(const std::string& header, const std::string& flags = {}) {
  char path[] = "/tmp/parse_cost_XXXXXX.cpp";
  const int file = mkstemps(path, 4);
  if (file < 0) return -1;
  const std::string line = header.empty() ? "\n" : "#include <" + header + ">\n";
  const bool written = write(file, line.data(), line.size()) == ssize_t(line.size());
  close(file);
  const std::string command = std::string(JACQUARD_COMPILER) + " -std=c++20 -fsyntax-only " + flags + " -I" + JACQUARD_SOURCE_DIR + "/include " + path;
  const double before = child_seconds();
  const int status = written ? std::system(command.c_str()) : 1;
  unlink(path);
  return status == 0 ? child_seconds() - before : -1;
}

void header(const char* name, const std::string& file, double bar = interleaved::no_bar, const std::string& flags = {}) {
  std::vector<double> ratios;
  for (int round = 0; round < (interleaved::quick() ? 3 : 7); ++round) {
    const double base = parse("xtensor/xarray.hpp"), own = parse(file, flags);
    if (own < 0 || base < 0) {
      std::printf("the compiler failed on %s, or xtensor is not installed\n", name);
      return;
    }
    ratios.push_back(own / base);
  }
  interleaved::report({std::string("parse of ") + name, "xtensor", interleaved::quartiles(ratios), bar});
}

}  // namespace

int main() {
  header("nothing", "");
  header("core/eval.hpp", "jacquard/core/eval.hpp");
  header("fixed.hpp", "jacquard/fixed.hpp", 0.5);
  header("jacquard.hpp", "jacquard/jacquard.hpp", 1.5);
  header("jacquard.hpp, compiled", "jacquard/jacquard.hpp", 1.5, "-DJACQUARD_COMPILED");
}
