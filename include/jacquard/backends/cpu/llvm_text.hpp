#pragma once
// LLVM IR of a loop kernel, as text: explicit vectors along one loop, several of them interleaved, a masked rest. Sizes and strides
// are constants of the code. Deliberately no loop vectoriser and no inline polynomials: both were measured to cost more than they
// give; exp and its kin call the C library's vector functions.

#include "jacquard/backends/cpu/llvm_instructions.hpp"
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
    find_saved();
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
    for (const scalar_step& s : k_.body.steps) {
      if (s.op != scalar_op::index && s.op != scalar_op::constant) bytes = std::max(bytes, is_inexact(s.type) ? std::max(4, int(size_of(s.type))) : int(size_of(s.type)));
      dear = dear || !function_name(s.op).empty() || s.op == scalar_op::logistic;
    }
    const std::int64_t n = vector_loop_ < 0 ? 1 : k_.loops[std::size_t(vector_loop_)].extent;
    width_ = t_.bytes / bytes;
    while (width_ > 1 && width_ / 2 >= n) width_ /= 2;
    most_ = dear || has_stage ? 4 : 2;
    while (most_ > 1 && std::int64_t(most_) * width_ > n) most_ /= 2;
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
    line("  %c" + n + " = icmp ult i64 " + next + ", " + std::to_string(to));
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
    for (saved_step& s : saved_) s.written = false;
    for (scope_ = 0; scope_ < k_.stages.size(); ++scope_) {
      run_stage(scope_);
      for (saved_step& s : saved_) s.written = s.written || s.first == scope_;
    }
    std::vector<const output*> each;
    for (const output& o : k_.outputs) {
      if (reads_inner(o, inner)) each.push_back(&o);
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
  bool reads_inner(const output& o, std::uint32_t inner) const {
    for (std::size_t i = 0; i < o.to.strides.size(); ++i)
      if ((inner >> i & 1u) && o.to.strides[i] != 0) return true;
    return false;
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
    over_inner([&] {
      const registers x = value(s.step);
      for (int u = 0; u < lanes_; ++u) {
        const std::string old = set("load " + type + ", ptr " + cells[std::size_t(u)]);
        std::string now = combine(s.combine, t, old, pick(x, u));
        if (!mask_.empty() && vector_is_inner()) now = select(mask_, t, now, old);
        line("  store " + type + " " + now + ", ptr " + cells[std::size_t(u)]);
      }
    });
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

  // --- steps that are dear and needed by more than one stage are kept for the row ---
  struct saved_step {
    std::int32_t step;
    std::size_t first;      ///< the stage that computes it
    std::string memory;
    bool written = false;
  };
  /// A row may take so many bytes: half of a usual first-level cache.
  static constexpr std::int64_t row_bytes = 24 << 10;

  /// Elements of one saved row, with room for whole vectors at its end.
  std::int64_t row_elements() const {
    std::int64_t n = 1;
    for (std::size_t i = 0; i < k_.loops.size(); ++i) {
      if (!k_.loops[i].inner) continue;
      const std::int64_t e = k_.loops[i].extent, wide = std::int64_t(width_) * most_;
      n *= int(i) == vector_loop_ ? (e + wide - 1) / wide * wide : e;
    }
    return vector_is_inner() ? n : n * width_ * most_;
  }
  void find_saved() {
    const std::uint32_t inner = inner_loops();
    if (k_.stages.empty() || inner == 0) return;
    const std::size_t scopes = k_.stages.size() + 1;
    for (std::int32_t n = std::int32_t(k_.body.steps.size()); n-- > 0;) {
      const scalar_step& s = k_.body.steps[std::size_t(n)];
      if ((depends_[std::size_t(n)] & inner) == 0 || (function_name(s.op).empty() && s.op != scalar_op::logistic) || is_boolean(s.type)) continue;
      std::size_t first = scopes, uses = 0;
      for (std::size_t scope = 0; scope < scopes; ++scope) {
        bool needed = false;
        if (scope < k_.stages.size()) needed = reaches(k_.stages[scope].step, n, scope);
        else
          for (const output& o : k_.outputs) needed = needed || (reads_inner(o, inner) && reaches(o.step, n, scope));
        if (!needed) continue;
        if (uses++ == 0) first = scope;
      }
      const std::int64_t bytes = row_elements() * (s.type == f64 ? 8 : 4);
      if (uses < 2 || row_bytes_ + bytes > row_bytes) continue;
      row_bytes_ += bytes;
      const std::string memory = "%row" + std::to_string(n);
      allocas_ += "  " + memory + " = alloca [" + std::to_string(row_elements()) + " x " + computed(s.type) + "], align 64\n";
      saved_.push_back({n, first, memory});
    }
  }
  /// Whether `scope` computes step `to` on the way to `from`, given what is saved.
  bool reaches(std::int32_t from, std::int32_t to, std::size_t scope) const {
    if (from == to) return true;
    if (from < to) return false;
    for (const saved_step& s : saved_)
      if (s.step == from && s.first != scope) return false;
    const scalar_step& s = k_.body.steps[std::size_t(from)];
    for (int i = 0; i < operand_count(s.op); ++i)
      if (reaches(s.in[i], to, scope)) return true;
    return false;
  }
  saved_step* saved(std::int32_t step) {
    for (saved_step& s : saved_)
      if (s.step == step) return &s;
    return nullptr;
  }
  /// Where vector u of a saved step lies for this iteration.
  std::string row_address(const saved_step& s, int u) {
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
    return address(s.memory, computed(k_.body.steps[std::size_t(s.step)].type), o);
  }

  // --- values ---
  static const std::string& pick(const registers& r, int u) { return r[r.size() == 1 ? 0 : std::size_t(u)]; }
  const registers& value(std::int32_t step) {
    registers& known = values_[std::size_t(step)];
    if (!known.empty()) return known;
    const scalar_step& s = k_.body.steps[std::size_t(step)];
    registers made;
    saved_step* const row = saved(step);
    if (row && row->written) {
      const std::string v = vector_of(s.type);
      for (int u = 0; u < lanes_; ++u) made.push_back(set("load " + v + ", ptr " + row_address(*row, u) + ", align 4"));
      return values_[std::size_t(step)] = made;
    }
    if (s.op == scalar_op::constant) made = {constant(s.value, s.type)};
    else if (s.op == scalar_op::load) made = load(k_.inputs[std::size_t(s.in[0])]);
    else if (s.op == scalar_op::index) made = index(std::size_t(s.in[0]));
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
  registers index(std::size_t loop) {
    const std::string type = vector_of(i64);
    const std::string base = splat("i64", index_[loop]);
    if (int(loop) != vector_loop_) return {base};
    registers r;
    for (int u = 0; u < lanes_; ++u)
      r.push_back(set("add " + type + " " + base + ", <" + repeat([&](int i) { return "i64 " + std::to_string(u * width_ + i); }) + ">"));
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
  std::vector<saved_step> saved_;
  std::size_t scope_ = 0;           ///< number of the stage, or of stages where outputs are written
  std::int64_t row_bytes_ = 0;
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
