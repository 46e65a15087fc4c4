#pragma once
// LLVM IR of programs whose values are few elements, as text: each value is one vector, which stays in registers from the step that makes
// it to those that read it, and whatever index map a kernel reads or writes it by is a shuffle of constants. Bodies of loops are
// written this way, in place, by backends/cpu/llvm_control. Deliberately no memory and no loops.

#include <functional>

#include "jacquard/backends/cpu/llvm_instructions.hpp"
#include "jacquard/exec/lowering/clusters.hpp"

namespace jacquard::cpu {

using namespace jacquard::lowering;

/// A lowered program, and how to find those of the bodies that its equations hold.
struct lowered_source {
  const jaxpr& program;
  const lowered_program& lowered;
  std::function<lowered_source(const jaxpr_ref& body)> body;
};

namespace detail {

/// How much is written as straight code: elements of a value, iterations of a kernel, and vector registers that steps fill, all together.
inline constexpr std::int64_t most_elements = 64, most_iterations = 128, most_registers = 2000;

/// Lanes of the vector that holds so many elements: a power of two. Those beyond hold what others hold.
constexpr int lanes_for(std::int64_t elements) {
  int n = 1;
  while (n < elements) n *= 2;
  return n;
}
/// A value as it lies in memory and in registers: complex numbers are two real ones, side by side.
inline aval in_lanes(const aval& t) {
  if (!is_complex(t.type)) return t;
  return {real_dtype(t.type), {2 * t.elements()}};
}
/// Whether a value may be held in registers.
inline bool is_few(const aval& t) { return t.elements() >= 1 && in_lanes(t).elements() <= most_elements; }

/// The iterations of a kernel, or of some of its loops, which a mask says, as lanes: loops that are reduced over are outermost.
class iteration_space {
 public:
  explicit iteration_space(const loop_kernel& k) : k_(k) {
    for (const bool inner : {true, false})
      for (std::size_t i = 0; i < k.loops.size(); ++i) {
        if (k.loops[i].inner != inner) continue;
        order_.push_back(i);
        (inner ? inner_ : outer_) |= 1u << i;
      }
  }
  std::uint32_t inner() const { return inner_; }
  std::int64_t count(std::uint32_t mask) const {
    std::int64_t n = 1;
    for (std::size_t i : order_)
      if (mask >> i & 1u) n *= k_.loops[i].extent;
    return n;
  }
  /// By loop: the index that a lane stands for; zero for loops that are not in the mask.
  small_vector<std::int64_t, 8> indices(std::uint32_t mask, std::int64_t lane) const {
    small_vector<std::int64_t, 8> r(k_.loops.size(), 0);
    for (std::size_t n = order_.size(); n-- > 0;) {
      const std::size_t i = order_[n];
      if (!(mask >> i & 1u)) continue;
      r[i] = lane % k_.loops[i].extent;
      lane /= k_.loops[i].extent;
    }
    return r;
  }
  std::int64_t lane(std::uint32_t mask, const small_vector<std::int64_t, 8>& index) const {
    std::int64_t n = 0;
    for (std::size_t i : order_)
      if (mask >> i & 1u) n = n * k_.loops[i].extent + index[i];
    return n;
  }
  static std::int64_t element(const access& a, const small_vector<std::int64_t, 8>& index) {
    std::int64_t n = a.offset;
    for (std::size_t i = 0; i < a.strides.size(); ++i) n += a.strides[i] * index[i];
    return n;
  }
  static std::uint32_t walked(const access& a) {
    std::uint32_t m = 0;
    for (std::size_t i = 0; i < a.strides.size(); ++i)
      if (a.strides[i] != 0) m |= 1u << i;
    return m;
  }

 private:
  const loop_kernel& k_;
  std::vector<std::size_t> order_;
  std::uint32_t inner_ = 0, outer_ = 0;
};

/// So many places an element that is looked up may have that each of them is taken; more are loaded one by one.
inline constexpr std::int64_t most_places = 8;
/// How many it may have in a value of so many elements.
inline std::int64_t possible_places(const access& a, std::int64_t elements, const iteration_space& space) {
  std::int64_t most = 0;
  const std::uint32_t walked = iteration_space::walked(a);
  for (std::int64_t lane = 0; lane < space.count(walked); ++lane) most = std::max(most, iteration_space::element(a, space.indices(walked, lane)));
  return (elements - 1 - most) / a.step + 1;
}

class register_writer : protected instruction_writer {
 public:
  /// Whether a kernel can be written; adds the registers that its steps fill, of so many bytes each.
  static bool fits(const loop_kernel& k, const jaxpr& p, std::int64_t& registers) {
    if (k.loops.size() > 8) return false;
    const iteration_space space(k);
    if (space.count(~0u) > most_iterations) return false;
    for (const access& a : k.inputs)
      if (!is_few(p.avals[a.value.index()])) return false;
    for (const output& o : k.outputs)
      if (!is_few(p.avals[o.to.value.index()])) return false;
    const std::vector<std::uint32_t> depends = loop_dependence(k);
    for (std::size_t n = 0; n < depends.size(); ++n)
      registers += 1 + space.count(depends[n]) * std::int64_t(size_of(k.body.steps[n].type)) / 64 * (is_dear(k.body.steps[n].op) ? 20 : 1) +
                   (k.body.steps[n].op == scalar_op::lookup ? space.count(depends[n]) : 0);
    return registers <= most_registers;
  }

 protected:
  /// `chooses_places`: elements are looked up further on than accesses begin, not before, so that few places are known.
  explicit register_writer(const vector_target& t, bool chooses_places = false) : instruction_writer(t), chooses_places_(chooses_places) {}

  using environment = std::vector<std::string>;  ///< by variable: the vector of its elements, as they are computed

  /// The type of the vector of a value.
  std::string vector_type(const aval& of) {
    const aval t = in_lanes(of);
    width_ = lanes_for(t.elements());
    return vector_of(t.type);
  }
  std::string constant_of(const literal& l) {
    width_ = 1;
    if (!is_complex(l.type)) return constant(l, l.type);
    const literal parts[] = {l.real_part(), l.imaginary_part()};
    const auto part = [&](int i) {
      const std::string one = constant(parts[i], parts[i].type);  // <1 x type> <type number>
      return one.substr(1, one.size() - 2);
    };
    return in_angles(concat({part(0), ", ", part(1)}));
  }
  /// The value at an address, and back. `pointer` is an operand of type ptr.
  std::string loaded(const aval& of, const std::string& pointer) {
    const aval t = in_lanes(of);
    const std::int64_t n = t.elements();
    const std::string type = text_of_vector(n, stored(t.type));
    const std::string x = set({"load ", type, ", ptr ", pointer, ", align ", std::to_string(size_of(t.type))});
    const std::string wide = shuffled(stored(t.type), x, n, within(n, lanes_for(n), [](std::int64_t i) { return i; }));
    width_ = lanes_for(n);
    return widened(t.type, wide);
  }
  void store(const aval& of, const std::string& x, const std::string& pointer) {
    const aval t = in_lanes(of);
    const std::int64_t n = t.elements();
    width_ = lanes_for(n);
    std::vector<std::int64_t> first;
    for (std::int64_t i = 0; i < n; ++i) first.push_back(i);
    const std::string y = shuffled(stored(t.type), narrowed(t.type, x), width_, first);
    line({"  store <", std::to_string(n), " x ", stored(t.type), "> ", y, ", ptr ", pointer, ", align ", std::to_string(size_of(t.type))});
  }
  /// The only element of a value.
  std::string only_element(const aval& t, const std::string& x) {
    return set({"extractelement ", vector_type(t), " ", x, ", i32 0"});
  }

  /// Computes the outputs of a kernel.
  void write_kernel(const loop_kernel& k, const jaxpr& p, environment& env) {
    const iteration_space space(k);
    std::vector<lane_value> values(k.body.steps.size());
    const std::vector<char> used = used_steps(k);
    for (std::size_t n = 0; n < values.size(); ++n)
      if (used[n]) values[n] = step(k, p, space, n, values, env);
    for (std::size_t i = 0; i < k.outputs.size(); ++i) {
      const output& o = k.outputs[i];
      const bool is_first = k.part == 0 && std::none_of(k.outputs.begin(), k.outputs.begin() + std::ptrdiff_t(i), [&](const output& before) { return before.to.value == o.to.value; });
      const aval t = in_lanes(p.avals[o.to.value.index()]);
      const lane_value& x = values[std::size_t(o.step)];
      const std::uint32_t walked = iteration_space::walked(o.to);
      std::vector<std::int64_t> from(std::size_t(lanes_for(t.elements())), any_lane);
      for (std::int64_t lane = 0; lane < space.count(walked); ++lane) {
        const auto index = space.indices(walked, lane);
        from[std::size_t(iteration_space::element(o.to, index))] = space.lane(x.mask, index);
      }
      const std::string made = rounded(t.type, with_lanes(k, space, std::size_t(o.step), x, from));
      std::string& value = env[o.to.value.index()];
      value = is_first ? made : over(t, value, made, from);
    }
  }

  static constexpr std::int64_t any_lane = -1;  ///< of those beyond the elements

  /// Lane numbers for the first n lanes; the others hold copies of some of these.
  template <class F>
  static std::vector<std::int64_t> within(std::int64_t n, std::int64_t lanes, F&& from) {
    std::vector<std::int64_t> r;
    for (std::int64_t i = 0; i < lanes; ++i) r.push_back(i < n ? from(i) : any_lane);
    return r;
  }
  /// A value with those elements replaced that a kernel for a box of it made.
  std::string over(const aval& t, const std::string& before, const std::string& made, const std::vector<std::int64_t>& from) {
    const std::string type = vector_type(t);
    std::string lanes;
    for (std::size_t i = 0; i < from.size(); ++i)
      lanes += concat({i ? ", i32 " : "i32 ", std::to_string(from[i] == any_lane ? i : from.size() + i)});
    return set({"shufflevector ", type, " ", before, ", ", type, " ", made, ", <", std::to_string(from.size()), " x i32> <", lanes, ">"});
  }
  /// The lanes `from` of a vector of `width` lanes.
  std::string shuffled(const std::string& element, const std::string& x, std::int64_t width, const std::vector<std::int64_t>& from) {
    bool same = std::int64_t(from.size()) == width;
    for (std::size_t i = 0; i < from.size(); ++i) same = same && (from[i] == any_lane || from[i] == std::int64_t(i));
    if (same) return x;
    const std::string type = text_of_vector(width, element);
    if (const std::string words = repeated(element, type, x, width, from); !words.empty()) return words;
    std::int64_t some = 0;
    for (std::int64_t i : from)
      if (i != any_lane) some = i;
    std::string lanes;
    for (std::int64_t i : from) lanes += concat({lanes.empty() ? "i32 " : ", i32 ", std::to_string(i == any_lane ? some : i)});
    return set({"shufflevector ", type, " ", x, ", ", type, " poison, <", std::to_string(from.size()), " x i32> <", lanes, ">"});
  }
  /// The whole of a short vector again and again, as one word of up to 64 bits that LLVM cannot look into: it moves such shuffles before what
  /// makes their operand, where LLVM 16 cannot select some, which ends the process. Empty: it is something else.
  std::string repeated(const std::string& element, const std::string& type, const std::string& x, std::int64_t width, const std::vector<std::int64_t>& from) {
    const std::int64_t size = element == "i8" ? 8 : element == "i16" || element == "half" ? 16 : element == "i32" || element == "float" ? 32 : 0;
    const std::int64_t bits = size * width, times = std::int64_t(from.size()) / width;
    if (width == 1 || times < 2 || (bits != 16 && bits != 32 && bits != 64)) return {};
    for (std::size_t i = 0; i < from.size(); ++i)
      if (from[i] != any_lane && from[i] != std::int64_t(i) % width) return {};
    const std::string word = concat({"i", std::to_string(bits)}), words = text_of_vector(times, word);
    const std::string hidden = set({"call ", word, " asm \"\", \"=r,0\"(", word, " ", set({"bitcast ", type, " ", x, " to ", word}), ")"});
    const std::string one = set({"insertelement ", words, " poison, ", word, " ", hidden, ", i32 0"});
    const std::string all = set({"shufflevector ", words, " ", one, ", ", words, " poison, <", std::to_string(times), " x i32> zeroinitializer"});
    return set({"bitcast ", words, " ", all, " to <", std::to_string(from.size()), " x ", element, ">"});
  }

 private:
  bool chooses_places_;

  /// A step's value for each iteration of the loops that it depends on.
  struct lane_value {
    std::string name;
    std::uint32_t mask = 0;
  };

  static std::vector<char> used_steps(const loop_kernel& k) {
    std::vector<char> used(k.body.steps.size(), false);
    for (const output& o : k.outputs) used[std::size_t(o.step)] = true;
    for (std::size_t n = used.size(); n-- > 0;) {
      if (!used[n]) continue;
      const scalar_step& s = k.body.steps[n];
      if (is_stage_result(s)) used[std::size_t(k.stages[stage_number(s)].step)] = true;
      for (int i = 0; i < operand_count(s.op); ++i) used[std::size_t(s.in[i])] = true;
    }
    return used;
  }
  /// These lanes of the value of a step; constants have them all.
  std::string with_lanes(const loop_kernel& k, const iteration_space& space, std::size_t step, const lane_value& x, const std::vector<std::int64_t>& from) {
    const scalar_step& s = k.body.steps[step];
    width_ = int(from.size());
    if (s.op == scalar_op::constant) return constant(s.value, s.type);
    return shuffled(computed(s.type), x.name, lanes_for(space.count(x.mask)), from);
  }
  /// The value of a step for the iterations of more loops.
  std::string spread(const loop_kernel& k, const iteration_space& space, std::size_t step, const lane_value& x, std::uint32_t mask) {
    const std::int64_t n = space.count(mask);
    return with_lanes(k, space, step, x, within(n, lanes_for(n), [&](std::int64_t i) { return space.lane(x.mask, space.indices(mask, i)); }));
  }
  /// Numbers of 16 bits are computed in 32, and are rounded where they would lie in memory.
  std::string rounded(dtype t, const std::string& x) { return is_inexact(t) && size_of(t) == 2 ? widened(t, narrowed(t, x)) : x; }

  lane_value step(const loop_kernel& k, const jaxpr& p, const iteration_space& space, std::size_t n, const std::vector<lane_value>& values, const environment& env) {
    const scalar_step& s = k.body.steps[n];
    if (s.op == scalar_op::constant) return {constant_of(s.value), 0};
    if (is_stage_result(s)) return reduced(k, space, k.stages[stage_number(s)], values);
    if (s.op == scalar_op::load) {
      const access& a = k.inputs[std::size_t(s.in[0])];
      const std::uint32_t mask = iteration_space::walked(a);
      const std::int64_t count = space.count(mask);
      const auto from = within(count, lanes_for(count), [&](std::int64_t i) { return iteration_space::element(a, space.indices(mask, i)); });
      return {shuffled(computed(a.type), env[a.value.index()], lanes_for(in_lanes(p.avals[a.value.index()]).elements()), from), mask};
    }
    if (s.op == scalar_op::index) {
      const std::uint32_t mask = 1u << s.in[0];
      width_ = lanes_for(space.count(mask));
      return {in_angles(repeat([&](int i) { return concat({"i64 ", std::to_string(i < space.count(mask) ? i : 0)}); })), mask};
    }
    if (s.op == scalar_op::lookup) return looked_up(k, p, space, s, values, env);
    lane_value r;
    for (int i = 0; i < operand_count(s.op); ++i) r.mask |= values[std::size_t(s.in[i])].mask;
    std::string x[3];
    for (int i = 0; i < operand_count(s.op); ++i) x[i] = spread(k, space, std::size_t(s.in[i]), values[std::size_t(s.in[i])], r.mask);
    width_ = lanes_for(space.count(r.mask));
    r.name = operation(s, k.body.steps[std::size_t(s.in[0])].type, x);
    return r;
  }
  /// Elements of a value at places that are computed, one after the other, of which LLVM makes a permutation where it can. 14 to 16 at least end the
  /// process where that needs registers of two sizes: there, and for all but numbers as wide as their places, each place goes through an empty instruction,
  /// so that it does not see all of them at once. They end it, too, where a place is asked of a vector of one bool: one element is at 0.
  lane_value looked_up(const loop_kernel& k, const jaxpr& p, const iteration_space& space, const scalar_step& s, const std::vector<lane_value>& values, const environment& env) {
    const access& a = k.inputs[std::size_t(s.in[1])];
    const lane_value& place = values[std::size_t(s.in[0])];
    const std::uint32_t mask = place.mask | iteration_space::walked(a);
    const std::string places = spread(k, space, std::size_t(s.in[0]), place, mask), places_type = vector_of(i64);
    width_ = lanes_for(space.count(mask));
    const std::int64_t elements = in_lanes(p.avals[a.value.index()]).elements();
    const int lanes_there = lanes_for(elements);
    if (const std::int64_t n = possible_places(a, elements, space); chooses_places_ && n <= (space.count(mask) > 1 ? most_places : 2)) return {chosen(space, a, mask, places, n, lanes_there, env), mask};
    const std::string type = vector_of(a.type), of = concat({"extractelement <", std::to_string(lanes_there), " x ", computed(a.type), "> ", env[a.value.index()]});
    const bool is_of_one_size = size_of(a.type) == 8 && !is_complex(a.type) && lanes_there == width_;
    std::string made = "zeroinitializer";
    const auto place_of = [&](std::int64_t i) -> std::string {
      if (lanes_there == 1) return "0";
      const std::string further = set({"extractelement ", places_type, " ", places, ", i32 ", std::to_string(i)});
      const std::string at = set({"add i64 ", further, ", ", std::to_string(iteration_space::element(a, space.indices(mask, i)))});
      return is_of_one_size ? at : set({"call i64 asm \"\", \"=r,0\"(i64 ", at, ")"});
    };
    for (std::int64_t i = 0; i < space.count(mask); ++i)
      made = set({"insertelement ", type, " ", made, ", ", computed(a.type), " ", set({of, ", i64 ", place_of(i)}), ", i32 ", std::to_string(i)});
    return {made, mask};
  }
  /// Of an element at one of so few places each is taken, and the right one chosen.
  std::string chosen(const iteration_space& space, const access& a, std::uint32_t mask, const std::string& places, std::int64_t count, int lanes_there, const environment& env) {
    const std::int64_t lanes = lanes_for(space.count(mask));
    std::string made;
    for (std::int64_t n = 0; n < count; ++n) {
      const std::string one = shuffled(computed(a.type), env[a.value.index()], lanes_there, within(space.count(mask), lanes, [&](std::int64_t i) { return iteration_space::element(a, space.indices(mask, i)) + n * a.step; }));
      width_ = int(lanes);
      if (n == 0) made = one;
      else made = set({"select <", std::to_string(lanes), " x i1> ", set({"icmp eq ", vector_of(i64), " ", places, ", ", constant(literal(n, i64, false), i64)}), ", ", vector_of(a.type), " ", one, ", ", vector_of(a.type), " ", made});
    }
    return made;
  }
  /// A stage: halves of what is reduced over are combined until one iteration is left.
  lane_value reduced(const loop_kernel& k, const iteration_space& space, const stage& s, const std::vector<lane_value>& values) {
    const lane_value& x = values[std::size_t(s.step)];
    const dtype t = k.body.steps[std::size_t(s.step)].type;
    const std::uint32_t all = x.mask | space.inner(), rows = x.mask & ~space.inner();
    const std::int64_t row = space.count(rows);
    std::int64_t left = space.count(space.inner());
    std::string now = spread(k, space, std::size_t(s.step), x, all);
    std::vector<std::string> odd;
    const auto part = [&](std::int64_t from, std::int64_t n) {
      return shuffled(computed(t), now, lanes_for(left * row), within(n, lanes_for(n), [&](std::int64_t i) { return from + i; }));
    };
    while (left > 1) {
      const std::int64_t half = left / 2;
      if (left % 2 == 1) odd.push_back(part(2 * half * row, row));
      const std::string low = part(0, half * row), high = part(half * row, half * row);
      width_ = lanes_for(half * row);
      now = combine(s.combine, t, low, high);
      left = half;
    }
    width_ = lanes_for(row);
    for (const std::string& x_odd : odd) now = combine(s.combine, t, now, x_odd);
    return {combine(s.combine, t, constant(s.initial, t), now), rows};
  }
};

}  // namespace detail
}  // namespace jacquard::cpu
