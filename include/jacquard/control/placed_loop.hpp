#pragma once
// Loops on memory that a compiled backend has laid out: pointers go around, no value is handled and nothing is copied but what a
// loop without a trip hands on. Deliberately knows of a body only that it runs; what runs it is the backend's business.

#include <cstring>

#include "jacquard/core/jaxpr.hpp"

namespace jacquard::detail {

/// Memory for the carried values of a loop besides that of its results: trips read one and write the other. The carries are the
/// first results of the body.
class carry_memory {
 public:
  carry_memory(const jaxpr& body, std::size_t carries) : body_(body), carries_(carries) {}
  std::int64_t bytes() const {
    std::int64_t n = 0;
    for (std::size_t i = 0; i < carries_; ++i) n += room(i);
    return n;
  }
  /// Sets to[i] to the place of carry i in `scratch`.
  void place(char* scratch, void** to) const {
    for (std::size_t i = 0; i < carries_; scratch += room(i++)) to[i] = scratch;
  }
  void copy(void* const* from, void* const* to) const {
    for (std::size_t i = 0; i < carries_; ++i) std::memcpy(to[i], from[i], std::size_t(size(i)));
  }

 private:
  std::int64_t size(std::size_t i) const { return body_.type_of(body_.outvars[i]).bytes(); }
  std::int64_t room(std::size_t i) const {
    constexpr auto line = std::int64_t(buffer_alignment);
    return (size(i) + line - 1) / line * line;
  }
  const jaxpr& body_;
  std::size_t carries_;
};

using pointer_list = small_vector<void*, 16>;

/// A scan. Carries alternate between the results and scratch such that the last trip writes the results; elements of stacked
/// operands and results are read and written where they lie.
void place_scan(placed_call& c, const auto& p) {
  const jaxpr& b = *p.body;
  const std::size_t consts = p.consts(), carries = p.carries(), first = p.stacked();
  const carry_memory memory(b, carries);
  if (p.length == 0) return memory.copy(c.in.begin() + consts, c.out.begin());
  pointer_list in(c.in.begin(), c.in.end()), out(c.out.begin(), c.out.end()), spare(carries);
  small_vector<std::int64_t, 16> steps;  // bytes from one element to the next
  for (std::size_t i = first; i < in.size(); ++i) steps.push_back(b.avals[b.invars[i]].bytes());
  for (std::size_t i = carries; i < out.size(); ++i) steps.push_back(b.type_of(b.outvars[i]).bytes());
  memory.place(c.scratch, spare.data());
  for (std::int64_t n = 0; n < p.length; ++n) {
    const std::int64_t at = p.reverse ? p.length - 1 - n : n;
    void* const* const to = (p.length - 1 - n) % 2 == 0 ? c.out.begin() : spare.data();
    const std::int64_t* step = steps.data();
    for (std::size_t i = first; i < in.size(); ++i) in[i] = static_cast<char*>(c.in[i]) + at * *step++;
    for (std::size_t i = 0; i < carries; ++i) out[i] = to[i];
    for (std::size_t i = carries; i < out.size(); ++i) out[i] = static_cast<char*>(c.out[i]) + at * *step++;
    c.run(c.context, 0, in.data(), out.data());
    for (std::size_t i = 0; i < carries; ++i) in[consts + i] = out[i];
  }
}

/// A while loop: sub-jaxpr 0 is its condition, 1 its body. Carries alternate between the results and scratch, whose first line is the
/// condition's result.
void place_while(placed_call& c, const auto& p) {
  const std::size_t of_condition = p.of_condition(), of_body = p.of_body(), carries = p.carries();
  const carry_memory memory(*p.body, carries);
  pointer_list condition(c.in.begin(), c.in.begin() + of_condition), body(c.in.begin() + of_condition, c.in.end()), spare(carries);
  condition.append(c.in.begin() + p.first_carry(), c.in.end());
  void* const goes_on = c.scratch;
  memory.place(c.scratch + buffer_alignment, spare.data());
  for (bool in_results = false;;) {
    c.run(c.context, 0, condition.data(), &goes_on);
    if (!*static_cast<const bool*>(goes_on)) {
      if (!in_results) memory.copy(condition.data() + of_condition, c.out.begin());
      return;
    }
    in_results = !in_results;
    void* const* const to = in_results ? c.out.begin() : spare.data();
    c.run(c.context, 1, body.data(), to);
    for (std::size_t i = 0; i < carries; ++i) condition[of_condition + i] = body[of_body + i] = to[i];
  }
}

}  // namespace jacquard::detail
