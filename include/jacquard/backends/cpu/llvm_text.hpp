#pragma once
// LLVM IR of a loop kernel, as text: explicit vectors along one loop, several of them interleaved, a masked rest. Sizes and strides
// are constants of the code. Deliberately no loop vectoriser and no inline polynomials: both were measured to cost more than they
// give; exp and its kin call the C library's vector functions.

#include "jacquard/backends/cpu/llvm_instructions.hpp"
#include "jacquard/backends/cpu/row_plan.hpp"
#include "jacquard/exec/lowering/lowering.hpp"

namespace jacquard::cpu {

using namespace jacquard::lowering;

/// A kernel as text. `places` are the variables whose memory it gets, in the order of its pointers.
struct kernel_text {
  std::string functions;
  std::set<std::string> declarations;
  std::vector<atom> places;
};

namespace detail {

class kernel_writer : instruction_writer {
 public:
  kernel_writer(loop_kernel k, const vector_target& t, std::string name)
      : instruction_writer(t), k_(std::move(k)), name_(std::move(name)) {}

  kernel_text write() {
    merge_loops(k_);
    depends_ = loop_dependence(k_);
    choose_vector_loop();
    plan_rows();
    for (const access& a : k_.inputs) place_of(a.value);
    for (const output& o : k_.outputs) place_of(o.to.value);
    index_.assign(k_.loops.size(), "");
    values_.assign(k_.body.steps.size(), {});
    line("entry:");
    block_ = "entry";
    std::vector<std::size_t> outer;
    for (std::size_t i = 0; i < k_.loops.size(); ++i)
      if (!k_.loops[i].inner && int(i) != vector_loop_) outer.push_back(i);
    nest(outer, 0, [&] {
      if (vector_loop_ >= 0 && !k_.loops[std::size_t(vector_loop_)].inner) vector_blocks([&] { rows(); });
      else rows();
    });
    line("  ret void");
    return {assemble(), declarations_, places_};
  }

 private:
  using registers = std::vector<std::string>;  // one per interleaved vector

  // --- shape of the code ---
  void choose_vector_loop() {
    int best = 0;
    for (std::size_t i = 0; i < k_.loops.size(); ++i) {
      int score = k_.loops[i].extent >= 8 ? 2 : k_.loops[i].extent >= 4 ? 1 : 0;
      const auto count = [&](const access& a, int weight) {
        if (a.strides[i] == 1) score += 4 * weight;
        else if (a.strides[i] != 0) score -= 3 * weight;
      };
      for (const access& a : k_.inputs) count(a, 1);
      for (const output& o : k_.outputs) count(o.to, 2);
      if (score >= best) best = score, vector_loop_ = int(i);
    }
    int bytes = 1;
    bool dear = false, has_stage = !k_.stages.empty();
    for (std::size_t n = 0; n < k_.body.steps.size(); ++n) {
      const scalar_step& s = k_.body.steps[n];
      if (s.op != scalar_op::index && s.op != scalar_op::constant && varies(n)) bytes = std::max(bytes, is_inexact(s.type) ? std::max(4, int(size_of(s.type))) : int(size_of(s.type)));
      dear = dear || is_dear(s.op);
    }
    const std::int64_t n = vector_loop_ < 0 ? 1 : k_.loops[std::size_t(vector_loop_)].extent;
    width_ = t_.bytes / bytes;
    while (width_ > 1 && width_ / 2 >= n) width_ /= 2;
    most_ = dear || has_stage ? 4 : 2;
    while (most_ > 1 && std::int64_t(most_) * width_ > n) most_ /= 2;
  }

  /// Whether a step differs along the vector loop, or is what is written there. The others are computed once, however wide they are.
  bool varies(std::size_t step) const {
    bool r = vector_loop_ < 0 || (depends_[step] >> vector_loop_ & 1u) != 0;
    for (const output& o : k_.outputs) r = r || o.step == std::int32_t(step);
    return r;
  }
  /// Loops of constant extents around `body`, from the outermost in.
  template <class Body>
  void nest(const std::vector<std::size_t>& loops, std::size_t at, Body&& body) {
    if (at == loops.size()) return body();
    count(loops[at], 0, k_.loops[loops[at]].extent, 1, [&] { nest(loops, at + 1, body); });
  }
  template <class Body>
  void count(std::size_t loop, std::int64_t from, std::int64_t to, std::int64_t step, Body&& body) {
    const std::string n = std::to_string(labels_++), saved = index_[loop];
    if (to - from <= step) {
      index_[loop] = std::to_string(from);
      const std::vector<registers> known = values_;
      body();
      values_ = known;
      index_[loop] = saved;
      return;
    }
    std::string limit = std::to_string(to);
    if (!stop_.empty() && int(loop) == vector_loop_) {
      const std::string sooner = set("icmp slt i64 " + stop_ + ", " + limit);
      limit = set("select i1 " + sooner + ", i64 " + stop_ + ", i64 " + limit);
    }
    const std::string before = block_, i = "%i" + n, next = "%n" + n;
    line("  br label %head" + n);
    line("head" + n + ":");
    const std::size_t phi = code_.size();
    block_ = "head" + n;
    index_[loop] = i;
    const std::vector<registers> known = values_;
    body();
    values_ = known;
    line("  " + next + " = add nuw nsw i64 " + i + ", " + std::to_string(step));
    line("  %c" + n + " = icmp slt i64 " + next + ", " + limit);
    line("  br i1 %c" + n + ", label %head" + n + ", label %done" + n);
    code_.insert(phi, "  " + i + " = phi i64 [ " + std::to_string(from) + ", %" + before + " ], [ " + next + ", %" + block_ + " ]\n");
    line("done" + n + ":");
    block_ = "done" + n;
    index_[loop] = saved;
  }
  /// The vector loop: interleaved whole vectors, then whole ones, then a masked rest.
  template <class Body>
  void vector_blocks(Body&& body) {
    const std::size_t loop = std::size_t(vector_loop_);
    const std::int64_t n = k_.loops[loop].extent, w = width_, wide = w * most_;
    const std::int64_t first = n / wide * wide, second = n / w * w;
    const auto part = [&](std::int64_t from, std::int64_t to, int interleave, bool masked) {
      if (from >= to) return;
      lanes_ = interleave;
      const std::string saved = mask_;
      count(loop, from, to, w * interleave, [&] {
        if (masked) mask_ = lanes_below(to - from);
        body();
      });
      mask_ = saved;
    };
    part(0, first, most_, false);
    part(first, second, 1, false);
    part(second, n, 1, true);
    lanes_ = 1;
  }

  /// A mask of the first n lanes.
  std::string lanes_below(std::int64_t n) const {
    return "<" + repeat([&](int i) { return std::string("i1 ") + (i < n ? "1" : "0"); }) + ">";
  }

  /// Stages, then what is written, for one row (or vector of rows).
  void rows() {
    const std::uint32_t inner = inner_loops();
    for (scope_ = 0; scope_ < k_.stages.size(); ++scope_) run_stage(scope_);
    std::vector<const output*> each;
    for (const output& o : k_.outputs) {
      if (plan_.reads_inner(o)) each.push_back(&o);
      else store(o);
    }
    if (each.empty()) return;
    for (const output* o : each) prepare(o->step, inner);
    over_inner([&] {
      for (const output* o : each) store(*o);
    });
  }
  std::uint32_t inner_loops() const {
    std::uint32_t m = 0;
    for (std::size_t i = 0; i < k_.loops.size(); ++i)
      if (k_.loops[i].inner) m |= 1u << i;
    return m;
  }
  bool vector_is_inner() const { return vector_loop_ >= 0 && k_.loops[std::size_t(vector_loop_)].inner; }
  template <class Body>
  void over_inner(Body&& body) {
    std::vector<std::size_t> loops;
    for (std::size_t i = 0; i < k_.loops.size(); ++i)
      if (k_.loops[i].inner && int(i) != vector_loop_) loops.push_back(i);
    nest(loops, 0, [&] {
      if (vector_is_inner()) vector_blocks(body);
      else body();
    });
  }
  void run_stage(std::size_t number) {
    const stage& s = k_.stages[number];
    const dtype t = k_.body.steps[std::size_t(s.step)].type;
    const std::string type = vector_of(t);
    const int sums = vector_is_inner() ? most_ : lanes_;
    std::vector<std::string> cells;
    for (int u = 0; u < sums; ++u) {
      cells.push_back("%a" + std::to_string(registers_++));
      allocas_ += "  " + cells.back() + " = alloca " + type + "\n";
      line("  store " + type + " " + constant(s.initial, t) + ", ptr " + cells.back());
    }
    prepare(s.step, inner_loops());
    if (const std::int32_t stop = plan_.stop_of(number); stop >= 0) stop_ = first_lane(stop);
    over_inner([&] {
      const registers x = value(s.step);
      for (int u = 0; u < lanes_; ++u) {
        const std::string old = set("load " + type + ", ptr " + cells[std::size_t(u)]);
        std::string now = combine(s.combine, t, old, pick(x, u));
        if (!mask_.empty() && vector_is_inner()) now = select(mask_, t, now, old);
        line("  store " + type + " " + now + ", ptr " + cells[std::size_t(u)]);
      }
    });
    stop_.clear();
    registers r;
    for (const std::string& c : cells) r.push_back(set("load " + type + ", ptr " + c));
    if (vector_is_inner()) {
      while (r.size() > 1) {
        registers half;
        for (std::size_t i = 0; i + 1 < r.size(); i += 2) half.push_back(combine(s.combine, t, r[i], r[i + 1]));
        r = half;
      }
      r = {across(s.combine, t, r[0])};
    }
    for (std::size_t n = 0; n < k_.body.steps.size(); ++n)
      if (is_stage_result(k_.body.steps[n]) && stage_number(k_.body.steps[n]) == number) values_[n] = r;
  }
  /// A whole number that is the same in all lanes, as i64.
  std::string first_lane(std::int32_t step) {
    const dtype t = k_.body.steps[std::size_t(step)].type;
    const std::string one = set("extractelement " + vector_of(t) + " " + value(step)[0] + ", i32 0");
    return t == i64 ? one : set("sext " + std::string(computed(t)) + " " + one + " to i64");
  }
  /// Combines the lanes of a vector; every lane of the result holds it.
  std::string across(scalar_op op, dtype t, std::string x) {
    const std::string type = vector_of(t);
    for (int distance = width_ / 2; distance >= 1; distance /= 2) {
      const std::string turned = set("shufflevector " + type + " " + x + ", " + type + " poison, <" + std::to_string(width_) + " x i32> <" +
                                     repeat([&](int i) { return "i32 " + std::to_string((i + distance) % width_); }) + ">");
      x = combine(op, t, x, turned);
    }
    return x;
  }
  /// Emits what `step` needs and what does not depend on the inner loops, before these begin.
  void prepare(std::int32_t step, std::uint32_t inner) {
    const scalar_step& s = k_.body.steps[std::size_t(step)];
    if (!values_[std::size_t(step)].empty() || s.op == scalar_op::constant) return;
    if ((depends_[std::size_t(step)] & inner) == 0) {
      value(step);
      return;
    }
    for (int i = 0; i < operand_count(s.op); ++i) prepare(s.in[i], inner);
  }

  // --- what is kept of a row ---
  /// Elements of one such row, with room for whole vectors at its end.
  std::int64_t row_elements() const {
    std::int64_t n = 1;
    for (std::size_t i = 0; i < k_.loops.size(); ++i) {
      if (!k_.loops[i].inner) continue;
      const std::int64_t e = k_.loops[i].extent, wide = std::int64_t(width_) * most_;
      n *= int(i) == vector_loop_ ? (e + wide - 1) / wide * wide : e;
    }
    return vector_is_inner() ? n : n * width_ * most_;
  }
  static bool is_dear(scalar_op op) { return !function_name(op).empty() || op == scalar_op::logistic; }
  /// Rows that stop early are taken in smaller steps: fewer elements beyond their ends.
  void plan_rows() {
    plan_ = row_plan(k_, depends_, vector_loop_, row_elements(), &is_dear);
    bool stops = false;
    for (std::size_t s = 0; s < k_.stages.size(); ++s) stops = stops || plan_.stop_of(s) >= 0;
    if (stops && most_ > 2) {
      most_ = 2;
      plan_ = row_plan(k_, depends_, vector_loop_, row_elements(), &is_dear);
    }
    for (const kept_step& s : plan_.kept())
      allocas_ += "  " + row_of(s) + " = alloca [" + std::to_string(row_elements()) + " x " + computed(k_.body.steps[std::size_t(s.step)].type) + "], align 64\n";
  }
  static std::string row_of(const kept_step& s) { return "%row" + std::to_string(s.step); }
  /// Where vector u of a kept step lies for this iteration.
  std::string row_address(const kept_step& s, int u) {
    element_offset o{std::int64_t(u) * width_, {}};
    std::int64_t stride = vector_is_inner() ? 1 : std::int64_t(width_) * most_;
    const auto walk = [&](std::size_t i, std::int64_t extent) {
      advance(o, i, stride);
      stride *= extent;
    };
    if (vector_is_inner()) {
      const std::int64_t e = k_.loops[std::size_t(vector_loop_)].extent, wide = std::int64_t(width_) * most_;
      walk(std::size_t(vector_loop_), (e + wide - 1) / wide * wide);
    }
    for (std::size_t i = k_.loops.size(); i-- > 0;)
      if (k_.loops[i].inner && int(i) != vector_loop_) walk(i, k_.loops[i].extent);
    return address(row_of(s), computed(k_.body.steps[std::size_t(s.step)].type), o);
  }

  // --- values ---
  static const std::string& pick(const registers& r, int u) { return r[r.size() == 1 ? 0 : std::size_t(u)]; }
  const registers& value(std::int32_t step) {
    registers& known = values_[std::size_t(step)];
    if (!known.empty()) return known;
    const scalar_step& s = k_.body.steps[std::size_t(step)];
    registers made;
    const kept_step* const row = plan_.kept(step);
    if (row && row->first < scope_) {
      const std::string v = vector_of(s.type);
      for (int u = 0; u < lanes_; ++u) made.push_back(set("load " + v + ", ptr " + row_address(*row, u) + ", align 4"));
      return values_[std::size_t(step)] = made;
    }
    if (s.op == scalar_op::constant) made = {constant(s.value, s.type)};
    else if (s.op == scalar_op::load) made = load(k_.inputs[std::size_t(s.in[0])]);
    else if (s.op == scalar_op::index) made = index(std::size_t(s.in[0]), i64);
    else if (s.op == scalar_op::convert && s.type == i32 && k_.body.steps[std::size_t(s.in[0])].op == scalar_op::index)
      made = index(std::size_t(k_.body.steps[std::size_t(s.in[0])].in[0]), i32);
    else {
      registers in[3];
      std::size_t copies = 1;
      for (int i = 0; i < operand_count(s.op); ++i) {
        in[i] = value(s.in[i]);
        copies = std::max(copies, in[i].size());
      }
      for (std::size_t u = 0; u < copies; ++u) {
        std::string x[3];
        for (int i = 0; i < operand_count(s.op); ++i) x[i] = pick(in[i], int(u));
        made.push_back(operation(s, k_.body.steps[std::size_t(s.in[0])].type, x));
      }
    }
    if (row && row->first == scope_)
      for (int u = 0; u < lanes_; ++u) line("  store " + vector_of(s.type) + " " + pick(made, u) + ", ptr " + row_address(*row, u) + ", align 4");
    return values_[std::size_t(step)] = made;
  }
  registers index(std::size_t loop, dtype t) {
    const std::string type = vector_of(t), element = computed(t);
    std::string first = index_[loop];
    if (t != i64 && first[0] == '%') first = set("trunc i64 " + first + " to " + element);
    const std::string base = splat(element, first);
    if (int(loop) != vector_loop_) return {base};
    registers r;
    for (int u = 0; u < lanes_; ++u)
      r.push_back(set("add " + type + " " + base + ", <" + repeat([&](int i) { return element + " " + std::to_string(u * width_ + i); }) + ">"));
    return r;
  }
  /// An offset in elements: a number, and a register that grows by the indices of loops.
  struct element_offset {
    std::int64_t fixed = 0;
    std::string running;
  };
  void advance(element_offset& o, std::size_t loop, std::int64_t stride) {
    const std::string& i = index_[loop];
    if (i[0] != '%') {
      o.fixed += std::stoll(i) * stride;
      return;
    }
    const std::string part = stride == 1 ? i : set("mul nsw i64 " + i + ", " + std::to_string(stride));
    o.running = o.running.empty() ? part : set("add nsw i64 " + o.running + ", " + part);
  }
  std::string address(std::string pointer, const std::string& type, const element_offset& o) {
    if (!o.running.empty()) pointer = set("getelementptr " + type + ", ptr " + pointer + ", i64 " + o.running);
    if (o.fixed != 0) pointer = set("getelementptr " + type + ", ptr " + pointer + ", i64 " + std::to_string(o.fixed));
    return pointer;
  }
  /// The address of an access, `lane` elements further along the vector loop.
  std::string address(const access& a, std::int64_t lane) {
    element_offset o{a.offset + lane * stride_of(a), {}};
    for (std::size_t i = 0; i < a.strides.size(); ++i)
      if (a.strides[i] != 0) advance(o, i, a.strides[i]);
    return address("%p" + std::to_string(place_of(a.value)), stored(a.type), o);
  }
  std::int64_t stride_of(const access& a) const { return vector_loop_ < 0 ? 0 : a.strides[std::size_t(vector_loop_)]; }
  registers load(const access& a) {
    const std::int64_t stride = stride_of(a);
    const std::string type = stored(a.type), memory = memory_of(a.type);
    const std::string align = std::to_string(size_of(a.type));
    if (stride == 0) return {widened(a.type, splat(type, set("load " + type + ", ptr " + address(a, 0) + ", align " + align)))};
    registers r;
    for (int u = 0; u < lanes_; ++u) {
      const std::string at = address(a, std::int64_t(u) * width_);
      if (stride == 1 && mask_.empty()) r.push_back(set("load " + memory + ", ptr " + at + ", align " + align));
      else if (stride == 1)
        r.push_back(call(memory, "llvm.masked.load.v" + std::to_string(width_) + suffix(a.type) + ".p0",
                         {"ptr " + at, "i32 immarg " + align, mask_type() + " " + mask_, memory + " zeroinitializer"}, {"ptr", "i32 immarg", mask_type(), memory}));
      else
        r.push_back(call(memory, "llvm.masked.gather.v" + std::to_string(width_) + suffix(a.type) + ".v" + std::to_string(width_) + "p0",
                         {pointers() + " " + strided(at, type, stride), "i32 immarg " + align, mask_type() + " " + mask(), memory + " zeroinitializer"},
                         {pointers(), "i32 immarg", mask_type(), memory}));
    }
    for (std::string& x : r) x = widened(a.type, x);
    return r;
  }
  std::string pointers() const { return lanes() + "ptr>"; }
  /// The addresses of lanes that lie `stride` elements apart.
  std::string strided(const std::string& at, const std::string& type, std::int64_t stride) {
    return set("getelementptr " + type + ", ptr " + at + ", " + vector_of(i64) + " <" +
               repeat([&](int i) { return "i64 " + std::to_string(i * stride); }) + ">");
  }
  /// The lanes that take part.
  std::string mask() const { return mask_.empty() ? all("i1", "1") : mask_; }
  void store(const output& o) {
    const registers x = value(o.step);
    const access& a = o.to;
    const std::int64_t stride = stride_of(a);
    const dtype t = a.type;
    const std::string w = std::to_string(width_), type = stored(t), memory = memory_of(t), align = std::to_string(size_of(t));
    if (stride == 0) {  // every lane holds the same element
      const std::string one = set("extractelement " + memory + " " + narrowed(t, x[0]) + ", i32 0");
      line("  store " + type + " " + one + ", ptr " + address(a, 0) + ", align " + align);
      return;
    }
    for (int u = 0; u < lanes_; ++u) {
      const std::string v = narrowed(t, pick(x, u)), at = address(a, std::int64_t(u) * width_);
      if (stride == 1 && mask_.empty()) line("  store " + memory + " " + v + ", ptr " + at + ", align " + align);
      else if (stride == 1)
        call("void", "llvm.masked.store.v" + w + suffix(t) + ".p0",
             {memory + " " + v, "ptr " + at, "i32 immarg " + align, mask_type() + " " + mask_}, {memory, "ptr", "i32 immarg", mask_type()});
      else
        call("void", "llvm.masked.scatter.v" + w + suffix(t) + ".v" + w + "p0",
             {memory + " " + v, pointers() + " " + strided(at, type, stride), "i32 immarg " + align, mask_type() + " " + mask()},
             {memory, pointers(), "i32 immarg", mask_type()});
    }
  }

  // --- the function ---
  std::size_t place_of(atom a) {
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (places_[i] == a) return i;
    places_.push_back(a);
    return places_.size() - 1;
  }
  /// An inner function whose pointers do not alias, and the one that is called, which takes an array of pointers.
  std::string assemble() const {
    std::string parameters, arguments, loads;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const std::string n = std::to_string(i);
      parameters += (i ? ", ptr noalias %p" : "ptr noalias %p") + n;
      arguments += (i ? ", ptr %p" : "ptr %p") + n;
      loads += "  %q" + n + " = getelementptr ptr, ptr %places, i64 " + n + "\n  %p" + n + " = load ptr, ptr %q" + n + "\n";
    }
    std::string body = code_;
    body.insert(body.find('\n') + 1, allocas_);
    std::string r = "define internal void @" + name_ + ".loops(" + parameters + ") #0 {\n" + body + "}\n";
    r += "define void @" + name_ + "(ptr %places) #0 {\n" + loads + "  call void @" + name_ + ".loops(" + arguments + ")\n  ret void\n}\n";
    return r;
  }

  loop_kernel k_;
  std::string name_, mask_, block_, allocas_;
  std::vector<std::uint32_t> depends_;
  std::vector<std::string> index_;       ///< by loop: its register, or the number it stands at
  std::vector<registers> values_;        ///< by step, where it is known
  std::vector<atom> places_;
  int vector_loop_ = -1;
  int most_ = 1;      ///< vectors interleaved in the main part of the vector loop
  int lanes_ = 1;     ///< vectors interleaved here
  int labels_ = 0;
  row_plan plan_;
  std::size_t scope_ = 0;           ///< number of the stage, or of stages where outputs are written
  std::string stop_;                ///< the register that says where the vector loop may stop, if it may
};

}  // namespace detail

/// The code of a kernel.
inline kernel_text emit_kernel(const loop_kernel& k, const vector_target& t, const std::string& name) {
  return detail::kernel_writer(k, t, name).write();
}

/// One module of several kernels.
inline std::string emit_module(const std::vector<kernel_text>& kernels, const vector_target& t) {
  std::string r;
  std::set<std::string> declarations;
  for (const kernel_text& k : kernels) {
    r += k.functions;
    declarations.insert(k.declarations.begin(), k.declarations.end());
  }
  for (const std::string& d : declarations) r += d + "\n";
  const std::string bits = std::to_string(t.bytes * 8);
  return r + "attributes #0 = { nounwind \"target-cpu\"=\"" + t.cpu + "\" \"target-features\"=\"" + t.features +
         "\" \"prefer-vector-width\"=\"" + bits + "\" \"min-legal-vector-width\"=\"" + bits + "\" }\n" +
         "attributes #1 = { nounwind readnone willreturn }\n";
}

}  // namespace jacquard::cpu
