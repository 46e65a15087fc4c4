#pragma once
// A function of arrays, compiled for the cpu, next to the loop by hand that fills memory with the same numbers: results are compared, and both are timed
// in turns. Deliberately one result, and one thread unless the program says otherwise.

#include <string>
#include <vector>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

#include "interleaved.hpp"

namespace array_task {

/// ours(x...) against by_hand(out), which writes as many elements of R.
template <class R, class Ours, class ByHand, class... X>
void task(const std::string& name, const char* against, double bar, Ours ours, ByHand by_hand, double tolerance, const X&... x) {
  const auto compiled = jacquard::jit(ours, jacquard::backend("cpu"), jacquard::compile_at::first_call);
  const jacquard::array result = compiled(x...);
  std::vector<R> out(std::size_t(result.size()));
  const auto hand = [&] {
    by_hand(out.data());
    interleaved::observe(out.data());
  };
  hand();
  const double error = interleaved::relative_error(out.data(), result.data<R>().data(), out.size());
  interleaved::compare(name.c_str(), 1, error <= tolerance ? 0 : error, hand, [&] { interleaved::observe(compiled(x...).template data<R>().data()); }, bar, against);
}

}  // namespace array_task
