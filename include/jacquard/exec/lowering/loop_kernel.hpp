#pragma once
// The loop form of a program: kernels, each a nest of loops around one scalar program, shared by all compiled backends. Loops
// that some stage reduces over run innermost, once for all stages that do not wait for each other, so that softmax or a variance is one kernel that keeps its row in
// cache; kernels that go through the same rows run block of rows after block of rows. Deliberately without memory: a kernel names variables of the program, and the backend gives them places.

#include <algorithm>
#include <vector>

#include "jacquard/core/print.hpp"

namespace jacquard::lowering {

/// How a kernel reads or writes the memory of a variable, which is dense and row-major: element offset + sum of stride * loop index. Complex
/// numbers are read and written part by part, as elements of the real dtype that lie two apart: the imaginary parts behind the real ones.
struct access {
  atom value{};
  dtype type = f32;
  std::int64_t offset = 0;
  small_vector<std::int64_t, 4> strides;  ///< by loop, in elements
  bool wanders = false;                   ///< it is of `lookup` steps, which read further on: anywhere in the variable
  bool is_part = false;                   ///< of complex numbers
  std::int64_t step = 1;                  ///< of `lookup` steps: so many elements further for each that they count
  constexpr bool operator==(const access& a) const {
    if (!(value == a.value) || offset != a.offset || wanders != a.wanders || step != a.step || strides.size() != a.strides.size()) return false;
    for (std::size_t i = 0; i < strides.size(); ++i)
      if (strides[i] != a.strides[i]) return false;
    return true;
  }
};

/// Whether two accesses of a kernel go through memory in the same steps.
constexpr bool same_strides(const access& a, const access& b) {
  for (std::size_t i = 0; i < a.strides.size() || i < b.strides.size(); ++i)
    if ((i < a.strides.size() ? a.strides[i] : 0) != (i < b.strides.size() ? b.strides[i] : 0)) return false;
  return true;
}

/// One loop of the nest.
struct loop {
  std::int64_t extent = 1;
  bool inner = false;  ///< run once per pass: some stage reduces over it
  bool rows = false;   ///< over the rows that its kernel shares with others, see loop_kernel::block
};

/// A reduction of a step over the inner loops; its result is a step of its own (`scalar_op::load` of access -1 - number).
struct stage {
  std::int32_t step = 0;
  scalar_op combine = scalar_op::add;
  literal initial{};
};

/// What a kernel writes: a step, to the memory of a variable. Or what it puts there, at places that are computed, into a copy of another one.
struct output {
  access to;
  std::int32_t step = 0;
  std::int32_t place = -1;              ///< a step (i64): it is put as many elements further on; -1: it is written
  std::int32_t inside = -1;             ///< a step (bool): whether it is put anywhere; -1: it is
  std::int32_t base = -1;               ///< the access to the variable that is copied
  std::int64_t elements = 0;            ///< of that one
  scalar_op combine = scalar_op::load;  ///< how it meets what is there; load: it takes its place
  bool is_imaginary = false;            ///< of the numbers whose real parts are the output before; both parts are computed before one is written
  bool is_handed_on = false;            ///< only kernels that run along with this one read it, in registers: it has no memory
};

/// Loops around a scalar program. Stages run in passes over all inner loops, see stage_passes; outputs that depend on inner loops follow in one
/// more run over these, the others are written once.
struct loop_kernel {
  std::vector<loop> loops;
  std::vector<access> inputs;   ///< what `load` and `lookup` steps refer to
  scalar_program body;
  std::vector<stage> stages;
  std::vector<output> outputs;
  /// Whether its iterations are to run one after the other, those of the last loop fastest: they put elements where others did.
  bool is_ordered() const { return !outputs.empty() && outputs[0].place >= 0; }
  int part = 0, parts = 1;  ///< kernels, one after another, write one value, each a box of it, or several: which one it is, of how many boxes
  std::int64_t block = 0;         ///< so many rows are run at a time, by this kernel and those in `next`, one after another; 0: all of them
  std::vector<loop_kernel> next;  ///< those that go through the same rows and find in a cache what the ones before left there, or:
  bool in_registers = false;      ///< `next` are run once, after this one; values are so few that they are handed on in registers
};

/// Calls f for a kernel and for those that run along with it, in their order.
template <class F>
void for_each_joined(const loop_kernel& k, F&& f) {
  f(k);
  for (const loop_kernel& m : k.next) f(m);
}
/// The loop over the rows that a kernel shares with others; -1: it has none.
inline int row_loop_of(const loop_kernel& k) {
  for (std::size_t i = 0; i < k.loops.size(); ++i)
    if (k.loops[i].rows) return int(i);
  return -1;
}

/// The step that stands for the result of a stage.
constexpr std::int32_t stage_access(std::size_t number) { return -1 - std::int32_t(number); }
constexpr bool is_stage_result(const scalar_step& s) { return s.op == scalar_op::load && s.in[0] < 0; }
constexpr std::size_t stage_number(const scalar_step& s) { return std::size_t(-1 - s.in[0]); }

/// The access that a step reads through; null for steps that read none.
inline const access* input_of(const loop_kernel& k, const scalar_step& s) {
  if (s.op == scalar_op::lookup) return &k.inputs[std::size_t(s.in[1])];
  return s.op == scalar_op::load && !is_stage_result(s) ? &k.inputs[std::size_t(s.in[0])] : nullptr;
}

/// By step: bit i is set where the step depends on the index of loop i. At most 32 loops.
inline std::vector<std::uint32_t> loop_dependence(const loop_kernel& k) {
  std::uint32_t inner = 0;
  for (std::size_t i = 0; i < k.loops.size(); ++i)
    if (k.loops[i].inner) inner |= 1u << i;
  std::vector<std::uint32_t> depends;
  for (const scalar_step& s : k.body.steps) {
    std::uint32_t d = 0;
    if (is_stage_result(s)) d = depends[std::size_t(k.stages[stage_number(s)].step)] & ~inner;
    else if (s.op == scalar_op::index) d = 1u << s.in[0];
    else
      for (int i = 0; i < operand_count(s.op); ++i) d |= depends[std::size_t(s.in[i])];
    if (const access* a = input_of(k, s))
      for (std::size_t i = 0; i < a->strides.size(); ++i)
        if (a->strides[i] != 0) d |= 1u << i;
    depends.push_back(d);
  }
  return depends;
}

/// Whether an access, of what an output puts elements into, reads only the element that the same iteration puts, and no other iteration puts:
/// x(i) of x.at(i).set(f(x(i))). Then these may be put where they were read.
inline bool reads_what_it_replaces(const loop_kernel& k, const access& a, const output& o) {
  if (loop_dependence(k)[std::size_t(o.place)] != 0 || a.offset != o.to.offset || !same_strides(a, o.to)) return false;
  for (std::size_t i = 0; i < k.loops.size(); ++i)
    if (k.loops[i].extent > 1 && (i >= o.to.strides.size() || o.to.strides[i] == 0)) return false;
  for (const scalar_step& s : k.body.steps)
    if (input_of(k, s) == &a && (s.op != scalar_op::lookup || s.in[0] != o.place)) return false;
  return true;
}

/// By stage: the pass over the inner loops that runs it. Those that do not need each other's results share one; passes count from 0.
inline std::vector<std::size_t> stage_passes(const loop_kernel& k) {
  std::vector<std::size_t> passes, after;  // after, by step: the first pass in which it is known
  for (const scalar_step& s : k.body.steps) {
    std::size_t first = is_stage_result(s) ? passes[stage_number(s)] + 1 : 0;
    for (int i = 0; i < operand_count(s.op); ++i) first = std::max(first, after[std::size_t(s.in[i])]);
    after.push_back(first);
    for (std::size_t n = passes.size(); n < k.stages.size() && std::size_t(k.stages[n].step) < after.size(); ++n) passes.push_back(after[std::size_t(k.stages[n].step)]);
  }
  return passes;
}
/// How many passes there are.
inline std::size_t count_passes(const std::vector<std::size_t>& passes) {
  std::size_t n = 0;
  for (std::size_t p : passes) n = std::max(n, p + 1);
  return n;
}

/// Drops loops that run once and joins loops that all accesses walk through as one; not the one over rows that are shared.
inline void merge_loops(loop_kernel& k) {
  std::vector<char> indexed(k.loops.size(), false);
  for (const scalar_step& s : k.body.steps)
    if (s.op == scalar_op::index) indexed[std::size_t(s.in[0])] = true;
  const auto all = [&](auto&& f) {
    for (access& a : k.inputs) f(a);
    for (output& o : k.outputs) f(o.to);
  };
  all([&](access& a) { a.strides.resize(k.loops.size()); });
  const auto remove = [&](std::size_t i) {
    k.loops.erase(k.loops.begin() + std::ptrdiff_t(i));
    indexed.erase(indexed.begin() + std::ptrdiff_t(i));
    all([&](access& a) {
      for (std::size_t j = i; j + 1 < a.strides.size(); ++j) a.strides[j] = a.strides[j + 1];
      a.strides.resize(a.strides.size() - 1);
    });
    for (scalar_step& s : k.body.steps)
      if (s.op == scalar_op::index && s.in[0] > std::int32_t(i)) --s.in[0];
  };
  for (std::size_t i = k.loops.size(); i-- > 0;)
    if (k.loops[i].extent == 1 && !indexed[i]) remove(i);
  for (std::size_t i = k.loops.size(); i-- > 0;)
    for (std::size_t j = 0; j < k.loops.size(); ++j) {  // loop i becomes the outer part of loop j
      if (i == j || (k.is_ordered() && i + 1 != j) || indexed[i] || indexed[j] || k.loops[i].inner != k.loops[j].inner || k.loops[i].rows || k.loops[j].rows) continue;
      bool fits = true;
      all([&](access& a) { fits = fits && a.strides[i] == a.strides[j] * k.loops[j].extent; });
      if (!fits) continue;
      k.loops[j].extent *= k.loops[i].extent;
      remove(i);
      break;
    }
}

/// The loop along which many elements are computed at once: long, and most accesses step through it one by one, or at least in short steps. `along_rows`: what is written once
/// for all iterations of inner loops is written too seldom to count; for who takes long to begin a row it does. Where two are alike it is not an inner
/// one, whose lanes would have to be combined at the end. -1 without loops.
inline int vector_loop_of(const loop_kernel& k, bool along_rows = false) {
  if (k.is_ordered()) return int(k.loops.size()) - 1;
  const auto is_written_once = [&](const output& o) {
    bool once = false;
    for (std::size_t i = 0; i < k.loops.size(); ++i) once = once || (k.loops[i].inner && o.to.strides[i] == 0);
    return once;
  };
  int best = 0, r = -1;
  for (std::size_t i = 0; i < k.loops.size(); ++i) {
    int score = k.loops[i].extent >= 8 ? 2 : k.loops[i].extent >= 4 ? 1 : 0;
    const auto count = [&](const access& a, int weight) {
      const std::int64_t one = a.is_part ? 2 : 1;
      if (a.strides[i] == one) score += 4 * weight;
      else if (std::abs(a.strides[i]) > 4 * one) score -= 3 * weight;
    };
    for (const access& a : k.inputs) count(a, 1);
    for (const output& o : k.outputs) count(o.to, along_rows && is_written_once(o) ? 0 : 2);
    const bool is_as_good = score == best && (r < 0 || !k.loops[i].inner || k.loops[std::size_t(r)].inner);
    if (score > best || is_as_good) best = score, r = int(i);
  }
  return r;
}

/// The bytes of memory that a kernel, with those that run along with it, goes through: each value that it reads once, and of it what the loops
/// go through; and what it writes.
inline double bytes_touched(const jaxpr& p, const loop_kernel& k) {
  struct read_value {
    variable v;
    double bytes;  ///< the most of a member
  };
  std::vector<read_value> reads;
  double sum = 0;
  std::vector<variable> handed_on;
  for_each_joined(k, [&](const loop_kernel& m) {
    const auto touched = [&](const access& a) {
      double n = double(a.wanders ? std::size_t(p.avals[a.value.index()].bytes()) : size_of(a.type));
      for (std::size_t i = 0; i < a.strides.size(); ++i)
        if (a.strides[i] != 0) n *= double(m.loops[i].extent);
      return n;
    };
    std::vector<read_value> own;
    const auto add = [](std::vector<read_value>& all, read_value x, bool together) {
      for (read_value& known : all)
        if (known.v == x.v) {
          known.bytes = together ? known.bytes + x.bytes : std::max(known.bytes, x.bytes);
          return;
        }
      all.push_back(x);
    };
    for (const access& a : m.inputs)
      if (std::find(handed_on.begin(), handed_on.end(), a.value.index()) == handed_on.end()) add(own, {a.value.index(), touched(a)}, true);
    for (const read_value& r : own) add(reads, r, false);
    for (const output& o : m.outputs) {
      if (o.is_handed_on) handed_on.push_back(o.to.value.index());
      else sum += touched(o.to);
    }
  });
  for (const read_value& r : reads) sum += std::min(r.bytes, double(p.avals[r.v].bytes()));
  return sum;
}

/// Listing of a kernel for people; `label` writes the name of a variable.
template <class Label>
void put_kernel(text& out, const loop_kernel& k, Label&& label) {
  if (k.parts > 1 && k.outputs.size() > 1) out << k.outputs.size() << " of " << k.parts << " parts, ";
  else if (k.parts > 1) out << "part " << k.part + 1 << " of " << k.parts << ", ";
  if (!k.next.empty()) {
    if (k.in_registers) out << "in registers:\n";
    else out << "in blocks of " << k.block << " rows:\n";
    loop_kernel alone = k;
    alone.next.clear();
    put_kernel(out, alone, label);
    for (const loop_kernel& m : k.next) put_kernel(out, m, label);
    return;
  }
  out << "loops";
  for (const loop& l : k.loops) out << (l.inner ? " *" : " ") << l.extent << (l.rows ? " rows" : "");
  out << '\n';
  const auto put_access = [&](const access& a) {
    label(out, a.value);
    out << '[' << a.offset;
    for (std::size_t i = 0; i < a.strides.size(); ++i)
      if (a.strides[i] != 0) {
        out << " + ";
        if (a.strides[i] != 1) out << a.strides[i] << '*';
        out << 'i' << i;
      }
    out << ']';
  };
  for (std::size_t n = 0; n < k.body.steps.size(); ++n) {
    const scalar_step& s = k.body.steps[n];
    out << "  %" << n << ':' << name(s.type) << " = ";
    if (is_stage_result(s)) {
      const stage& t = k.stages[stage_number(s)];
      out << "reduce " << name(t.combine) << " %" << t.step;
    } else if (s.op == scalar_op::load) put_access(k.inputs[std::size_t(s.in[0])]);
    else if (s.op == scalar_op::index) out << 'i' << s.in[0];
    else if (s.op == scalar_op::constant) jacquard::detail::put_literal(out, s.value);
    else {
      out << (s.is_likely ? "usually " : "") << name(s.op);
      for (int i = 0; i < operand_count(s.op); ++i) out << " %" << s.in[i];
      if (s.op == scalar_op::lookup) out << " in ", put_access(k.inputs[std::size_t(s.in[1])]);
    }
    out << '\n';
  }
  for (const output& o : k.outputs) {
    out << "  ";
    put_access(o.to);
    if (o.place >= 0) out << " and %" << o.place << " further";
    if (o.inside >= 0) out << " if %" << o.inside;
    out << " = " << (o.combine == scalar_op::load ? "" : name(o.combine)) << (o.combine == scalar_op::load ? "%" : " %") << o.step;
    if (o.base >= 0) label(out << ", in a copy of ", k.inputs[std::size_t(o.base)].value);
    out << '\n';
  }
}

}  // namespace jacquard::lowering
