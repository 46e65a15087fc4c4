#pragma once
// Loops on memory that a compiled backend has laid out: pointers go around, no value is handled and nothing is copied but where a carry
// starts or ends elsewhere than its trips want it. Deliberately knows of a body only that it runs, and which of its results are the same
// value; what runs it is the backend's business.

#include <cstring>

#include "jacquard/core/jaxpr.hpp"

namespace jacquard::detail {

/// Memory for the carried values of a loop besides that of its results. The carries are the first results of the body.
class carry_memory {
 public:
  explicit carry_memory(const jaxpr& body) : body_(body) {}
  /// What carry i takes of the scratch, unless it is updated in place.
  std::int64_t room(std::size_t i) const { return whole_lines(size(i)); }
  void copy(std::size_t i, const void* from, void* to) const {
    if (from != to && size(i) != 0) std::memcpy(to, from, std::size_t(size(i)));
  }

 private:
  std::int64_t size(std::size_t i) const { return body_.type_of(body_.outvars[i]).bytes(); }
  const jaxpr& body_;
};

using pointer_list = small_vector<void*, 16>;

/// Where trips write the carries: those that the body (number `body`, whose operands they are from `first` on) updates in place stay in the
/// results, into which their start is copied; the others alternate between the results and scratch.
class carry_places {
 public:
  carry_places(const placed_call& c, const jaxpr& program, std::size_t body, std::size_t first, std::size_t carries, char* scratch, void* const* start)
      : results_(c.out.begin()), memory_(program), spare_(carries) {
    for (std::size_t i = 0; i < carries; ++i) {
      now_.push_back(start[i]);
      if (!c.overwrites(c.context, body, i, first + i)) {
        spare_[i] = scratch, scratch += memory_.room(i);
        continue;
      }
      memory_.copy(i, start[i], results_[i]);
      now_[i] = spare_[i] = results_[i];
    }
  }
  /// The places that the next trip reads, and those it writes; `to_results` of those that alternate.
  void* const* now() const { return now_.data(); }
  void* next(std::size_t i, bool to_results) const { return to_results ? results_[i] : spare_[i]; }
  bool is_in_place(std::size_t i) const { return spare_[i] == results_[i]; }
  /// Carry i starts its way there.
  void start_at(std::size_t i, void* place) {
    memory_.copy(i, now_[i], place);
    now_[i] = place;
  }
  void advance(std::size_t i, void* written) { now_[i] = written; }
  /// Brings all carries into the results.
  void finish() const {
    for (std::size_t i = 0; i < now_.size(); ++i)
      if (now_[i] != results_[i]) memory_.copy(i, now_[i], results_[i]);
  }

 private:
  void* const* results_;
  carry_memory memory_;
  pointer_list spare_, now_;
};

/// Which stacked result of a scan's body is carry i as well: as a trip finds it, or as it leaves it. Such a carry goes around in the stack.
struct carried_stack {
  enum which { none, before, after } is = none;
  std::size_t result = 0;
};
inline carried_stack stack_of_carry(const jaxpr& body, std::size_t i, std::size_t consts, std::size_t carries) {
  carried_stack r;
  const atom left = body.outvars[i];
  for (std::size_t j = carries; j < body.outvars.size() && r.is != carried_stack::before; ++j) {
    const atom a = body.outvars[j];
    if (a.is_literal()) continue;
    if (a.index() == body.invars[consts + i]) r = {carried_stack::before, j};
    else if (a == left && r.is == carried_stack::none) r = {carried_stack::after, j};
  }
  return r;
}

/// A scan. Elements of stacked operands and results are read and written where they lie; a carry that is stacked is made where its element of
/// the stack lies, and read from there. What stays where it is takes nothing from trip to trip.
void place_scan(placed_call& c, const auto& p) {
  const jaxpr& b = *p.body;
  const std::size_t consts = p.consts(), carries = p.carries(), first = p.stacked();
  carry_places places(c, b, 0, consts, carries, c.scratch, c.in.begin() + consts);
  if (p.length == 0) return places.finish();
  pointer_list in(c.in.begin(), c.in.end()), out(c.out.begin(), c.out.end());
  small_vector<moving_place, 8> stacked;
  const auto follow = [&](bool is_result, std::size_t i, const aval& type) {
    const std::int64_t bytes = type.bytes(), step = p.reverse ? -bytes : bytes;
    void*& at = is_result ? out[i] : in[i];
    if (p.reverse) at = static_cast<char*>(at) + (p.length - 1) * bytes;
    stacked.push_back({is_result, std::uint32_t(i), step, step});
  };
  for (std::size_t i = first; i < in.size(); ++i) follow(false, i, b.avals[b.invars[i]]);
  for (std::size_t i = carries; i < out.size(); ++i) follow(true, i, b.type_of(b.outvars[i]));
  struct moving_carry {
    std::size_t i = 0;
    carried_stack stack{};
    std::int64_t bytes = 0;
  };
  const auto element = [&](const moving_carry& m, std::int64_t n) {
    return static_cast<char*>(c.out[m.stack.result]) + (p.reverse ? p.length - 1 - n : n) * m.bytes;
  };
  small_vector<moving_carry, 4> moving;
  for (std::size_t i = 0; i < carries; ++i) {
    in[consts + i] = places.now()[i];
    if (places.is_in_place(i)) continue;
    moving.push_back({i, stack_of_carry(b, i, consts, carries), b.type_of(b.outvars[i]).bytes()});
    if (moving.back().stack.is == carried_stack::before) places.start_at(i, element(moving.back(), 0));
  }
  const auto aim = [&](std::int64_t n) {
    const bool to_results = (p.length - 1 - n) % 2 == 0;  // the last trip writes there
    for (const moving_carry& m : moving) {
      in[consts + m.i] = places.now()[m.i];
      if (m.stack.is == carried_stack::after) out[m.i] = element(m, n);
      else if (m.stack.is == carried_stack::before && n + 1 < p.length) out[m.i] = element(m, n + 1);
      else out[m.i] = places.next(m.i, to_results);
    }
  };
  const auto run = [&](std::int64_t n, std::int64_t trips) {
    aim(n);
    small_vector<moving_place, 16> all(stacked.begin(), stacked.end());
    for (const moving_carry& m : moving) {  // the next trip reads what this one writes
      const std::int64_t apart = static_cast<char*>(out[m.i]) - static_cast<char*>(in[consts + m.i]), back = m.stack.is == carried_stack::none ? -apart : apart;
      all.push_back({false, std::uint32_t(consts + m.i), apart, back});
      all.push_back({true, std::uint32_t(m.i), back, apart});
    }
    c.repeat(c.context, 0, trips, in.data(), out.data(), all);
    for (const moving_carry& m : moving) places.advance(m.i, in[consts + m.i]);
  };
  // The first trip reads where carries start, the last one writes where they end; between these all pointers go on alike.
  run(0, 1);
  if (p.length > 2) run(1, p.length - 2);
  if (p.length > 1) run(p.length - 1, 1);
  places.finish();
}

/// A while loop: sub-jaxpr 0 is its condition, 1 its body. The first line of scratch is the condition's result.
void place_while(placed_call& c, const auto& p) {
  const std::size_t of_condition = p.of_condition(), of_body = p.of_body(), carries = p.carries();
  carry_places places(c, *p.body, 1, of_body, carries, c.scratch + buffer_alignment, c.in.begin() + p.first_carry());
  pointer_list condition(c.in.begin(), c.in.begin() + of_condition), body(c.in.begin() + of_condition, c.in.begin() + p.first_carry()), out(carries);
  small_vector<std::size_t, 8> moving;
  for (std::size_t i = 0; i < carries; ++i) {
    condition.push_back(places.now()[i]);
    body.push_back(places.now()[i]);
    out[i] = places.now()[i];
    if (!places.is_in_place(i)) moving.push_back(i);
  }
  void* const goes_on = c.scratch;
  for (bool to_results = true;; to_results = !to_results) {
    for (std::size_t i : moving) {
      condition[of_condition + i] = body[of_body + i] = places.now()[i];
      out[i] = places.next(i, to_results);
    }
    c.run(c.context, 0, condition.data(), &goes_on);
    if (!*static_cast<const bool*>(goes_on)) return places.finish();
    c.run(c.context, 1, body.data(), out.data());
    for (std::size_t i : moving) places.advance(i, out[i]);
  }
}

}  // namespace jacquard::detail
