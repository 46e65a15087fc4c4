#pragma once
// LLVM IR of a loop kernel, as text: explicit vectors along one loop, several of them interleaved, a masked rest. Sizes and strides
// are constants of the code. Deliberately no loop vectoriser and no inline polynomials: both were measured to cost more than they
// give; exp and its kin call the C library's vector functions.

#include "jacquard/backends/cpu/llvm_loops.hpp"
#include "jacquard/backends/cpu/row_plan.hpp"
#include "jacquard/exec/lowering/lowering.hpp"

namespace jacquard::cpu {

/// A kernel as text: a function for each phase, `void (void** pointers, i64 begin, i64 end, void* self)` of units, which
/// has no use for the last one. `places` are the variables
/// whose memory it gets, in the order of its pointers; memory for partial results follows where it has some.
struct kernel_text {
  std::string functions;
  std::set<std::string> declarations;
  std::vector<atom> places;
  range_plan ranges;
};

namespace detail {

class kernel_writer : loop_writer {
 public:
  kernel_writer(loop_kernel k, const vector_target& t, std::string name) : loop_writer(std::move(k), t), name_(std::move(name)) {}

  kernel_text write() {
    merge_loops(k_);
    depends_ = loop_dependence(k_);
    choose_vector_loop();
    plan_rows();
    range_ = range_plan(k_, depends_, vector_, !plan_.kept().empty());
    for (const access& a : k_.inputs) place_of(a.value);
    for (const output& o : k_.outputs) place_of(o.to.value);
    kernel_text r;
    for (std::size_t phase = 0; phase < range_.units().size(); ++phase) r.functions += write_phase(phase);
    r.declarations = declarations_;
    r.places = places_;
    r.ranges = range_;
    return r;
  }

 private:
  // --- shape of the code ---
  void choose_vector_loop() {
    vector_.loop = vector_loop_of(k_);
    int bytes = 1;
    bool dear = false, has_stage = !k_.stages.empty();
    for (std::size_t n = 0; n < k_.body.steps.size(); ++n) {
      const scalar_step& s = k_.body.steps[n];
      if (s.op != scalar_op::index && s.op != scalar_op::constant && varies(n)) bytes = std::max(bytes, is_inexact(s.type) ? std::max(4, int(size_of(s.type))) : int(size_of(s.type)));
      dear = dear || is_dear(s.op);
    }
    const std::int64_t n = vector_.loop < 0 ? 1 : k_.loops[std::size_t(vector_.loop)].extent;
    width_ = t_.bytes / bytes;
    while (width_ > 1 && width_ / 2 >= n) width_ /= 2;
    vector_.width = width_;
    vector_.most = dear || has_stage ? 4 : 2;
    while (vector_.most > 1 && vector_.wide() > n) vector_.most /= 2;
  }

  /// Whether a step differs along the vector loop, or is what is written there. The others are computed once, however wide they are.
  bool varies(std::size_t step) const {
    bool r = vector_.loop < 0 || (depends_[step] >> vector_.loop & 1u) != 0;
    for (const output& o : k_.outputs) r = r || o.step == std::int32_t(step);
    return r;
  }

  // --- phases ---
  /// The function of a phase: all of a kernel whose stages are not split, else the blocks of one stage, what is written for each iteration of
  /// the inner loops, or, after that, the other outputs: these may take the memory of something that is read there.
  std::string write_phase(std::size_t phase) {
    begin_function();
    const bool in_ranges = range_.loop() >= 0 && range_.units()[phase] > 1;
    for (const kept_step& s : plan_.kept())
      allocas_ += "  " + row_of(s) + " = alloca [" + std::to_string(row_elements()) + " x " + computed(k_.body.steps[std::size_t(s.step)].type) + "], align 64\n";
    if (range_.splits_stages() && phase < k_.stages.size())
      repeat_while_below("%begin", "%end", 1, [&](const std::string& unit) {
        enter_range(unit, set("add nuw nsw i64 " + unit + ", 1"));
        over_rows([&] { write_partials(scope_ = phase, unit); });
      });
    else {
      if (in_ranges) enter_range("%begin", "%end");
      over_rows([&] {
        if (range_.splits_stages()) scope_ = k_.stages.size();
        else
          for (scope_ = 0; scope_ < k_.stages.size(); ++scope_) run_stage(scope_);
        if (!range_.splits_stages() || !in_ranges) write_rows();
        if (!range_.splits_stages() || in_ranges) write_elements();
      });
    }
    line("  ret void");
    return assemble(phase_name(name_, phase));
  }
  template <class Body>
  void over_rows(Body&& body) {
    std::vector<std::size_t> outer;
    for (std::size_t i = 0; i < k_.loops.size(); ++i)
      if (!k_.loops[i].inner && int(i) != vector_.loop) outer.push_back(i);
    nest(outer, 0, [&] {
      if (vector_.loop >= 0 && !vector_is_inner()) vector_blocks(body);
      else body();
    });
  }
  /// What is written once for a row, or vector of rows.
  void write_rows() {
    for (const output& o : k_.outputs)
      if (!plan_.reads_inner(o)) store(o);
  }
  /// What is written for each iteration of the inner loops.
  void write_elements() {
    std::vector<const output*> each;
    for (const output& o : k_.outputs)
      if (plan_.reads_inner(o)) each.push_back(&o);
    if (each.empty()) return;
    for (const output* o : each) prepare(o->step, inner_loops());
    over_inner([&] {
      for (const output* o : each) store(*o);
    });
  }
  /// Where the partial results of this row, or of vector u of rows, lie for a unit.
  std::string partial_address(std::size_t number, const std::string& unit, int u) {
    const std::string base = set("getelementptr i8, ptr %p" + std::to_string(places_.size()) + ", i64 " + std::to_string(range_.partials_of(number)));
    element_offset o{std::int64_t(u) * width_, {}};
    advance(o, unit, range_.rows());
    for (std::size_t i = 0; i < k_.loops.size(); ++i)
      if (!k_.loops[i].inner) advance(o, index_[i], range_.row_stride(i));
    return address(base, stored(type_of_stage(number)), o);
  }
  void write_partials(std::size_t number, const std::string& unit) {
    const dtype t = type_of_stage(number);
    const registers r = stage_over_inner(number);
    for (std::size_t u = 0; u < r.size(); ++u) {
      const std::string x = narrowed(t, r[u]), at = partial_address(number, unit, int(u));
      if (vector_is_inner()) line("  store " + std::string(stored(t)) + " " + set("extractelement " + memory_of(t) + " " + x + ", i32 0") + ", ptr " + at);
      else line("  store " + memory_of(t) + " " + x + ", ptr " + at + ", align " + std::to_string(size_of(t)));
    }
  }
  /// The result of a stage whose blocks have run: their results combined from the first to the last.
  registers combined_partials(std::size_t number) {
    const dtype t = type_of_stage(number);
    const std::string type = vector_of(t), align = ", align " + std::to_string(size_of(t));
    const int sums = vector_is_inner() ? 1 : lanes_;
    const auto cells = cells_of(number, sums);
    repeat_while_below("0", std::to_string(range_.units()[0]), 1, [&](const std::string& unit) {
      for (int u = 0; u < sums; ++u) {
        const std::string at = partial_address(number, unit, u), old = set("load " + type + ", ptr " + cells[std::size_t(u)]);
        const std::string x = vector_is_inner() ? splat(stored(t), set("load " + std::string(stored(t)) + ", ptr " + at + align)) : set("load " + memory_of(t) + ", ptr " + at + align);
        line("  store " + type + " " + combine(k_.stages[number].combine, t, old, widened(t, x)) + ", ptr " + cells[std::size_t(u)]);
      }
    });
    registers r;
    for (const std::string& c : cells) r.push_back(set("load " + type + ", ptr " + c));
    return r;
  }

  std::uint32_t inner_loops() const {
    std::uint32_t m = 0;
    for (std::size_t i = 0; i < k_.loops.size(); ++i)
      if (k_.loops[i].inner) m |= 1u << i;
    return m;
  }
  bool vector_is_inner() const { return vector_.loop >= 0 && k_.loops[std::size_t(vector_.loop)].inner; }
  template <class Body>
  void over_inner(Body&& body) {
    std::vector<std::size_t> loops;
    for (std::size_t i = 0; i < k_.loops.size(); ++i)
      if (k_.loops[i].inner && int(i) != vector_.loop) loops.push_back(i);
    nest(loops, 0, [&] {
      if (vector_is_inner()) vector_blocks(body);
      else body();
    });
  }
  dtype type_of_stage(std::size_t number) const { return k_.body.steps[std::size_t(k_.stages[number].step)].type; }
  /// Memory for so many vectors, each of the initial value of a stage.
  std::vector<std::string> cells_of(std::size_t number, int count) {
    const dtype t = type_of_stage(number);
    std::vector<std::string> cells;
    for (int u = 0; u < count; ++u) {
      cells.push_back("%a" + std::to_string(registers_++));
      allocas_ += "  " + cells.back() + " = alloca " + vector_of(t) + "\n";
      line("  store " + vector_of(t) + " " + constant(k_.stages[number].initial, t) + ", ptr " + cells.back());
    }
    return cells;
  }
  void run_stage(std::size_t number) {
    const registers r = stage_over_inner(number);
    for (std::size_t n = 0; n < k_.body.steps.size(); ++n)
      if (is_stage_result(k_.body.steps[n]) && stage_number(k_.body.steps[n]) == number) values_[n] = r;
  }
  /// A stage over the inner loops, or the range of them.
  registers stage_over_inner(std::size_t number) {
    const stage& s = k_.stages[number];
    const dtype t = type_of_stage(number);
    const std::string type = vector_of(t);
    const std::vector<std::string> cells = cells_of(number, vector_is_inner() ? vector_.most : lanes_);
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
    return r;
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
      const std::int64_t e = k_.loops[i].extent, wide = std::int64_t(width_) * vector_.most;
      n *= int(i) == vector_.loop ? (e + wide - 1) / wide * wide : e;
    }
    return vector_is_inner() ? n : n * width_ * vector_.most;
  }
  /// Rows that stop early are taken in smaller steps: fewer elements beyond their ends.
  void plan_rows() {
    plan_ = row_plan(k_, depends_, vector_.loop, row_elements(), &is_dear);
    bool stops = false;
    for (std::size_t s = 0; s < k_.stages.size(); ++s) stops = stops || plan_.stop_of(s) >= 0;
    if (stops && vector_.most > 2) {
      vector_.most = 2;
      plan_ = row_plan(k_, depends_, vector_.loop, row_elements(), &is_dear);
    }
  }
  static std::string row_of(const kept_step& s) { return "%row" + std::to_string(s.step); }
  /// Where vector u of a kept step lies for this iteration.
  std::string row_address(const kept_step& s, int u) {
    element_offset o{std::int64_t(u) * width_, {}};
    std::int64_t stride = vector_is_inner() ? 1 : std::int64_t(width_) * vector_.most;
    const auto walk = [&](std::size_t i, std::int64_t extent) {
      advance(o, index_[i], stride);
      stride *= extent;
    };
    if (vector_is_inner()) {
      const std::int64_t e = k_.loops[std::size_t(vector_.loop)].extent, wide = std::int64_t(width_) * vector_.most;
      walk(std::size_t(vector_.loop), (e + wide - 1) / wide * wide);
    }
    for (std::size_t i = k_.loops.size(); i-- > 0;)
      if (k_.loops[i].inner && int(i) != vector_.loop) walk(i, k_.loops[i].extent);
    return address(row_of(s), computed(k_.body.steps[std::size_t(s.step)].type), o);
  }

  // --- values ---
  using loop_writer::address;
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
    else if (is_stage_result(s)) made = combined_partials(stage_number(s));
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
    if (int(loop) != vector_.loop) return {base};
    registers r;
    for (int u = 0; u < lanes_; ++u)
      r.push_back(set("add " + type + " " + base + ", <" + repeat([&](int i) { return element + " " + std::to_string(u * width_ + i); }) + ">"));
    return r;
  }
  /// The address of an access, `lane` elements further along the vector loop.
  std::string address(const access& a, std::int64_t lane) {
    element_offset o{a.offset + lane * stride_of(a), {}};
    for (std::size_t i = 0; i < a.strides.size(); ++i)
      if (a.strides[i] != 0) advance(o, index_[i], a.strides[i]);
    return address("%p" + std::to_string(place_of(a.value)), stored(a.type), o);
  }
  std::int64_t stride_of(const access& a) const { return vector_.loop < 0 ? 0 : a.strides[std::size_t(vector_.loop)]; }
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
  /// Whether an output may be given the memory of an input, or the other way round, because they are walked through alike.
  bool may_share_memory(std::size_t place) const {
    for (const output& o : k_.outputs)
      for (const access& a : k_.inputs)
        if ((places_[place] == a.value || places_[place] == o.to.value) && a.type == o.to.type && a.offset == o.to.offset && same_strides(a, o.to)) return true;
    return false;
  }
  /// An inner function whose pointers do not alias but for those that may, and the one that is called, which takes an array of pointers and a range of units.
  std::string assemble(const std::string& name) const {
    std::string parameters, arguments, loads;
    for (std::size_t i = 0; i < places_.size() + (range_.partial_bytes() != 0); ++i) {
      const std::string n = std::to_string(i);
      parameters += (i < places_.size() && may_share_memory(i) ? "ptr %p" : "ptr noalias %p") + n + ", ";
      arguments += "ptr %p" + n + ", ";
      loads += "  %q" + n + " = getelementptr ptr, ptr %places, i64 " + n + "\n  %p" + n + " = load ptr, ptr %q" + n + "\n";
    }
    std::string body = code_;
    body.insert(body.find('\n') + 1, allocas_);
    std::string r = "define internal void @" + name + ".loops(" + parameters + "i64 %begin, i64 %end) #0 {\n" + body + "}\n";
    r += "define void @" + name + "(ptr %places, i64 %begin, i64 %end, ptr %self) #0 {\n" + loads + "  call void @" + name + ".loops(" + arguments + "i64 %begin, i64 %end)\n  ret void\n}\n";
    return r;
  }

  std::string name_;
  std::vector<std::uint32_t> depends_;
  std::vector<atom> places_;
  row_plan plan_;
  std::size_t scope_ = 0;  ///< number of the stage, or of stages where outputs are written
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
         "attributes #1 = { nobuiltin nounwind readnone willreturn }\n";  // computed by the library also where operands are constants
}

}  // namespace jacquard::cpu
