#pragma once
// LLVM IR of the loops of a kernel, as text: nests of constant extents, the vector loop with its interleaved, whole and masked parts,
// the one loop of which a call runs a range, and how elements get from memory into vectors and back. Deliberately knows no values: what
// loops hold is the caller's.

#include <functional>

#include "jacquard/backends/cpu/llvm_strides.hpp"
#include "jacquard/backends/cpu/range_plan.hpp"
#include "jacquard/core/callable_ref.hpp"

namespace jacquard::cpu {

using namespace jacquard::lowering;

namespace detail {

using jacquard::detail::callable_ref;
/// Writes what is within a loop or a branch.
using loop_body = callable_ref<void()>;

/// What the loops of a module refer to that have LLVM do so: LLVM numbers these notes.
inline std::string loop_notes(const std::string& module) {
  const auto note = [](int number) {
    const std::string n = std::to_string(number), count = std::to_string(number + 3);
    return concat({"!", n, " = distinct !{!", n, ", !", count, "}\n!", count, " = !{!\"llvm.loop.unroll_and_jam.count\", i32 ", n, "}\n"});
  };
  return module.find("!llvm.loop") == std::string::npos ? "" : note(2) + note(4);
}

class loop_writer : protected stride_writer {
 protected:
  using registers = std::vector<std::string>;  // one per interleaved vector

  loop_writer(loop_kernel k, const vector_target& t) : stride_writer(t), k_(std::move(k)) {}

  /// Starts a function.
  void begin_function() {
    code_.clear();
    allocas_.clear();
    registers_ = labels_ = 0;
    index_.assign(k_.loops.size(), "");
    values_.assign(k_.body.steps.size(), {});
    from_.clear(), to_.clear(), is_last_.clear();
    line({"entry:"});
    block_ = "entry";
  }

  /// An inner function of what was written, whose pointers do not alias but for those that may.
  std::string loops_function(const std::string& name) const {
    std::string parameters;
    for (std::size_t i = 0; i < places_.size() + (range_.partial_bytes() != 0); ++i)
      parameters += concat({i < places_.size() && may_share_memory(i) ? "ptr %p" : "ptr noalias %p", std::to_string(i), ", "});
    std::string body = code_;
    body.insert(body.find('\n') + 1, allocas_);
    return concat({"define internal void @", name, "(", parameters, "i64 %begin, i64 %end) #0 {\n", body, "}\n"});
  }
  /// The function that is called, which takes an array of pointers and a range of units. Where it may store past the caches, it does if
  /// these outputs begin at whole vectors. `before`: what it does first.
  std::string entry(const std::string& name, const std::vector<std::size_t>& past, const std::string& before) {
    std::string arguments, code;
    for (std::size_t i = 0; i < places_.size() + (range_.partial_bytes() != 0); ++i) {
      const std::string n = std::to_string(i);
      arguments += concat({"ptr %p", n, ", "});
      code += concat({"  %q", n, " = getelementptr ptr, ptr %places, i64 ", n, "\n  %p", n, " = load ptr, ptr %q", n, "\n"});
    }
    code += before;
    const auto call = [&](const char* which) { return concat({"  tail call void @", name, which, "(", arguments, "i64 %begin, i64 %end)\n  ret void\n"}); };
    if (!past.empty()) code += concat({fits_streams(past), "streams:\n", call(".streams"), "loops:\n"});
    return concat({"define void @", name, "(ptr %places, i64 %begin, i64 %end, ptr %self) #2 {\n", code, call(".loops"), "}\n"});
  }

  /// Goes to `streams` where these outputs begin at whole vectors and none of them has the memory of an input, whose lines are in a cache when
  /// they are written; else to `loops`.
  std::string fits_streams(const std::vector<std::size_t>& past) {
    std::string code, bits = "0", apart = "true";
    for (std::size_t i = 0; i < past.size(); ++i) {
      const std::string n = std::to_string(i);
      const std::size_t to = place_of(k_.outputs[past[i]].to.value);
      code += concat({"  %address", n, " = ptrtoint ptr %p", std::to_string(to), " to i64\n  %bits", n, " = or i64 ", bits, ", %address", n, "\n"});
      bits = concat({"%bits", n});
      for (std::size_t from = 0; from < places_.size(); ++from) {
        if (from == to || !may_share_memory(from) || !may_share_memory(to)) continue;
        const std::string pair = concat({n, ".", std::to_string(from)});
        code += concat({"  %other", pair, " = icmp ne ptr %p", std::to_string(to), ", %p", std::to_string(from), "\n"});
        code += concat({"  %apart", pair, " = and i1 ", apart, ", %other", pair, "\n"});
        apart = concat({"%apart", pair});
      }
    }
    code += concat({"  %low = and i64 ", bits, ", ", std::to_string(t_.bytes - 1), "\n  %aligned = icmp eq i64 %low, 0\n"});
    return code + concat({"  %fits = and i1 %aligned, ", apart, "\n  br i1 %fits, label %streams, label %loops\n"});
  }

  // --- control flow; what is known within it is forgotten after it ---
  /// Calls body(register) within a loop that runs at least once.
  void repeat_while_below(const std::string& from, const std::string& limit, std::int64_t step, callable_ref<void(const std::string&)> body) {
    const int together = std::exchange(together_, 1);
    const std::string n = std::to_string(labels_++), before = block_, i = concat({"%i", n}), next = concat({"%n", n});
    line({"  br label %head", n});
    line({"head", n, ":"});
    const std::size_t phi = code_.size();
    block_ = concat({"head", n});
    const std::vector<registers> known = values_;
    body(i);
    values_ = known;
    line({"  ", next, " = add nuw nsw i64 ", i, ", ", std::to_string(step)});
    line({"  %c", n, " = icmp slt i64 ", next, ", ", limit});
    line({"  br i1 %c", n, ", label %head", n, ", label %done", n, together > 1 ? concat({", !llvm.loop !", std::to_string(together)}) : ""});
    code_.insert(phi, concat({"  ", i, " = phi i64 [ ", from, ", %", before, " ], [ ", next, ", %", block_, " ]\n"}));
    line({"done", n, ":"});
    block_ = concat({"done", n});
  }
  void when(const std::string& condition, loop_body body) {
    const std::string n = std::to_string(labels_++);
    line({"  br i1 ", condition, ", label %then", n, ", label %past", n});
    line({"then", n, ":"});
    block_ = concat({"then", n});
    const std::vector<registers> known = values_;
    body();
    values_ = known;
    line({"  br label %past", n});
    line({"past", n, ":"});
    block_ = concat({"past", n});
  }

  /// Whether a condition holds in all lanes that are in use.
  std::string in_all_lanes(std::string condition) {
    if (!mask_.empty()) condition = select(mask_, bool_, condition, all("i1", "1"));
    return call("i1", concat({"llvm.vector.reduce.and.v", std::to_string(width_), "i1"}), {concat({mask_type(), " ", condition})}, {mask_type()});
  }
  /// Combines the lanes of a vector; every lane of the result holds it. Halves are exchanged first: what is left to exchange lies within parts of a
  /// register, where that takes one cycle.
  std::string across(scalar_op op, dtype t, std::string x) {
    const std::string type = vector_of(t);
    for (int distance = width_ / 2; distance >= 1; distance /= 2) {
      const std::string turned = set({"shufflevector ", type, " ", x, ", ", type, " poison, <", std::to_string(width_), " x i32> <", repeat([&](int i) { return concat({"i32 ", std::to_string(i ^ distance)}); }), ">"});
      x = combine(op, t, x, turned);
    }
    return x;
  }
  // --- loops of the kernel ---
  /// Loops around `body`, from the outermost in; the innermost one may be written out, iteration by iteration, or have LLVM compute so many of
  /// its iterations together.
  void nest(const std::vector<std::size_t>& loops, std::size_t at, loop_body body, bool written_out = false, int together = 1) {
    if (at == loops.size()) return body();
    const auto rest = [&] { nest(loops, at + 1, body, written_out, together); };
    const bool in_range = int(loops[at]) == range_.loop() && !from_.empty();
    if (at + 1 == loops.size() && (in_range || k_.loops[loops[at]].extent > 1)) together_ = together;
    if (written_out && at + 1 == loops.size() && !in_range)
      for (std::int64_t i = 0; i < k_.loops[loops[at]].extent; ++i) count(loops[at], i, i + 1, 1, rest);
    else if (in_range) in_pieces(loops[at], from_, to_, 1, rest);
    else if (int(loops[at]) == cut_.loop) in_pieces(loops[at], "0", std::to_string(k_.loops[loops[at]].extent), 1, rest);
    else count(loops[at], 0, k_.loops[loops[at]].extent, 1, rest);
  }
  /// Loops that neither stages nor vectors go along.
  std::vector<std::size_t> outer_loops() const {
    std::vector<std::size_t> r;
    for (std::size_t i = 0; i < k_.loops.size(); ++i)
      if (!k_.loops[i].inner && int(i) != vector_.loop) r.push_back(i);
    return r;
  }
  /// How many rows of a sum of products are computed together, each vector of the second factor loaded once for them: so many that eight vectors
  /// are added to in turn, which is as many as processors have under way. 1 for what is no such sum.
  int rows_together(const std::vector<std::size_t>& rows) const {
    if (k_.stages.size() != 1 || rows.empty() || vector_.loop < 0 || k_.loops[std::size_t(vector_.loop)].inner) return 1;
    for (const access& a : k_.inputs)
      if (stride_of(a) == 1 && a.strides[rows.back()] == 0) return vector_.most <= 2 ? 4 : 2;
    return 1;
  }
  void count(std::size_t loop, std::int64_t from, std::int64_t to, std::int64_t step, loop_body body) {
    if (to - from > step) return count(loop, std::to_string(from), std::to_string(to), step, body);
    const std::string saved = std::exchange(index_[loop], std::to_string(from));
    const std::vector<registers> known = values_;
    body();
    values_ = known;
    index_[loop] = saved;
  }
  void count(std::size_t loop, const std::string& from, std::string to, std::int64_t step, loop_body body) {
    if (!stop_.empty() && int(loop) == vector_.loop) to = smaller(stop_, to);
    repeat_while_below(from, to, step, [&](const std::string& i) {
      const std::string saved = std::exchange(index_[loop], i);
      body();
      index_[loop] = saved;
    });
  }
  /// The same, and where the loop is cut, what follows each piece of it.
  void in_pieces(std::size_t loop, const std::string& from, std::string to, std::int64_t step, loop_body body) {
    if (int(loop) != cut_.loop) return count(loop, from, std::move(to), step, body);
    if (!stop_.empty() && int(loop) == vector_.loop) to = smaller(stop_, to);
    repeat_while_below(from, to, cut_.length, [&](const std::string& first) {
      count(loop, first, smaller(set({"add nuw nsw i64 ", first, ", ", std::to_string(cut_.length)}), to), step, body);
      cut_.after_piece();
    });
  }
  std::string smaller(const std::string& a, const std::string& b) {
    return set({"select i1 ", set({"icmp slt i64 ", a, ", ", b}), ", i64 ", a, ", i64 ", b});
  }
  /// The vector loop: interleaved whole vectors, then whole ones, then a masked rest, or a whole one that ends where the loop does and computes
  /// some elements once more. The last two belong to the last unit of a range.
  void vector_blocks(loop_body body) {
    const std::size_t loop = std::size_t(vector_.loop);
    const std::int64_t n = k_.loops[loop].extent, w = width_, wide = vector_.wide();
    const std::int64_t first = n / wide * wide, second = n / w * w;
    const auto part = [&](std::int64_t from, std::int64_t to, int interleave, bool masked) {
      if (from >= to) return;
      lanes_ = interleave;
      const std::string saved = mask_;
      count(loop, from, to, w * interleave, [&] {
        if (masked) mask_ = lanes_below(rest_ = to - from);
        each_copy(body);
      });
      mask_ = saved;
    };
    const auto rest = [&] {
      part(first, second, 1, false);
      if (ends_with_whole_vector_ && second != n && n > w) part(n - w, n, 1, false);
      else part(second, n, 1, true);
    };
    if (vector_.loop == range_.loop() && !from_.empty()) {
      lanes_ = vector_.most;
      const auto whole = [&] { in_pieces(loop, from_, to_, wide, [&] { each_copy(body); }); };
      if (first == n) whole();
      else when(set({"icmp slt i64 ", from_, ", ", to_}), whole), when(is_last_, rest);
    } else {
      lanes_ = vector_.most;
      if (int(loop) == cut_.loop) in_pieces(loop, "0", std::to_string(first), wide, [&] { each_copy(body); });
      else part(0, first, vector_.most, false);
      rest();
    }
    lanes_ = 1;
  }
  /// The body for all interleaved vectors at once, or for some after the other.
  void each_copy(loop_body body) {
    if (!in_turn_ || lanes_ <= turns_of_) return body();
    const int copies = std::exchange(lanes_, turns_of_);
    std::string& index = index_[std::size_t(vector_.loop)];
    const std::string first = index;
    const std::vector<registers> known = values_;
    for (copy_ = 0; copy_ < copies; copy_ += turns_of_) {
      index = further_on(first, copy_ * width_);
      body();
      values_ = known;
    }
    index = first;
    copy_ = 0;
    lanes_ = copies;
  }
  /// Within loops that vectors do not run along: the body for one of many vectors after the other, so that what is computed for one is done with
  /// before the next. What is known of all of them is known of each.
  void each_column(loop_body body) {
    if (lanes_ <= 4) return body();
    const int copies = std::exchange(lanes_, 1);
    const std::string first = index_[std::size_t(vector_.loop)];
    const std::vector<registers> known = values_;
    for (copy_ = 0; copy_ < copies; ++copy_) {
      values_ = known;
      for (registers& r : values_)
        if (r.size() > 1) r = {r[std::size_t(copy_)]};
      index_[std::size_t(vector_.loop)] = further_on(first, copy_ * width_);
      body();
    }
    values_ = known;
    index_[std::size_t(vector_.loop)] = first;
    copy_ = 0;
    lanes_ = copies;
  }
  /// An index some iterations further on.
  std::string further_on(const std::string& index, std::int64_t by) {
    if (by == 0) return index;
    return index[0] == '%' ? set({"add nuw nsw i64 ", index, ", ", std::to_string(by)}) : std::to_string(std::stoll(index) + by);
  }
  /// A mask of the first n lanes.
  std::string lanes_below(std::int64_t n) const {
    return in_angles(repeat([&](int i) { return concat({"i1 ", i < n ? "1" : "0"}); }));
  }
  /// Loops from here on run these units only.
  void enter_range(const std::string& begin, const std::string& end) {
    const bool along_vectors = range_.loop() == vector_.loop;
    const std::int64_t n = k_.loops[std::size_t(range_.loop())].extent, whole = along_vectors ? n / vector_.wide() * vector_.wide() : n;
    const auto scaled = [&](const std::string& unit) { return range_.length() == 1 ? unit : set({"mul nuw nsw i64 ", unit, ", ", std::to_string(range_.length())}); };
    from_ = scaled(begin);
    to_ = scaled(end);
    if (range_.units()[0] * range_.length() > whole) to_ = smaller(to_, std::to_string(whole));
    if (whole != n) is_last_ = set({"icmp eq i64 ", end, ", ", std::to_string(range_.units()[0])});
  }

  // --- addresses ---
  /// An offset in elements: a number, and a register that grows by the indices of loops.
  struct element_offset {
    std::int64_t fixed = 0;
    std::string running;
  };
  void advance(element_offset& o, const std::string& i, std::int64_t stride) {
    if (i[0] != '%') {
      o.fixed += std::stoll(i) * stride;
      return;
    }
    const std::string part = stride == 1 ? i : set({"mul nsw i64 ", i, ", ", std::to_string(stride)});
    o.running = o.running.empty() ? part : set({"add nsw i64 ", o.running, ", ", part});
  }
  std::string address(std::string pointer, const std::string& type, const element_offset& o) {
    if (!o.running.empty()) pointer = set({"getelementptr ", type, ", ptr ", pointer, ", i64 ", o.running});
    if (o.fixed != 0) pointer = set({"getelementptr ", type, ", ptr ", pointer, ", i64 ", std::to_string(o.fixed)});
    return pointer;
  }

  // --- memory ---
  static const std::string& pick(const registers& r, int u) { return r[r.size() == 1 ? 0 : std::size_t(u)]; }
  /// Whether an output may be given the memory of an input, or the other way round, because they are walked through alike.
  bool may_share_memory(std::size_t place) const {
    for (const output& o : k_.outputs)
      for (const access& a : k_.inputs)
        if ((places_[place] == a.value || places_[place] == o.to.value) && a.type == o.to.type && a.offset == o.to.offset && same_strides(a, o.to)) return true;
    return false;
  }
  bool shares_memory() const {
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (may_share_memory(i)) return true;
    return false;
  }
  std::size_t place_of(atom a) {
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (places_[i] == a) return i;
    places_.push_back(a);
    return places_.size() - 1;
  }
  /// The address of an access, `lane` elements further along the vector loop, and as many elements further on as a register says.
  std::string address(const access& a, std::int64_t lane, const std::string& further = {}) {
    element_offset o{a.offset + lane * stride_of(a), further};
    for (std::size_t i = 0; i < a.strides.size(); ++i)
      if (a.strides[i] != 0) advance(o, index_[i], a.strides[i]);
    return address(concat({"%p", std::to_string(place_of(a.value))}), stored(a.type), o);
  }
  std::int64_t stride_of(const access& a) const { return vector_.loop < 0 ? 0 : a.strides[std::size_t(vector_.loop)]; }
  registers load(const access& a, const std::string& further = {}) {
    const std::int64_t stride = stride_of(a);
    const std::string type = stored(a.type), memory = memory_of(a.type);
    const std::string align = std::to_string(size_of(a.type));
    if (stride == 0) return {widened(a.type, splat(type, set({"load ", type, ", ptr ", address(a, 0, further), ", align ", align})))};
    const auto [before, after] = mask_.empty() && is_shuffled(stride) ? members_around(a) : std::pair<std::int64_t, std::int64_t>();
    registers r;
    for (int u = 0; u < lanes_; ++u) {
      const std::string at = address(a, std::int64_t(u) * width_, further);
      if (mask_.empty() && is_shuffled(stride)) r.push_back(load_apart(a.type, at, stride, before, after));
      else if (stride == 1 && mask_.empty()) r.push_back(set({"load ", memory, ", ptr ", at, ", align ", align}));
      else if (stride == 1) r.push_back(load_first(rest_, a.type, at, mask_));
      else r.push_back(gathered(a.type, strided(at, type, stride)));
    }
    for (std::string& x : r) x = widened(a.type, x);
    return r;
  }
  /// How many members of the same structures lie before and after what an access reads, where this kernel reads all of them.
  std::pair<std::int64_t, std::int64_t> members_around(const access& a) const {
    if (a.wanders) return {0, 0};
    const std::int64_t size = std::abs(stride_of(a)), before = ((a.offset % size) + size) % size;
    for (std::size_t i = 0; i < k_.loops.size(); ++i)  // a loop goes through them, which stands at a number here
      if (k_.loops[i].inner && k_.loops[i].extent == size && a.strides[i] == 1 && stride_of(a) == size && index_[i][0] != '%') {
        const std::int64_t member = std::stoll(index_[i]);
        return {member, size - 1 - member};
      }
    for (std::int64_t member = 0; member < size; ++member)
      if (std::none_of(k_.inputs.begin(), k_.inputs.end(), [&](const access& b) {
            return b.value == a.value && b.type == a.type && !b.wanders && b.offset == a.offset - before + member && same_strides(a, b);
          }))
        return {0, 0};
    return {before, size - 1 - before};
  }
  /// The elements that lie as many further on as lanes of a vector say, each for itself.
  registers load_at(const access& a, const registers& places) {
    registers r;
    for (int u = 0; u < lanes_; ++u) r.push_back(widened(a.type, gathered(a.type, lookup_addresses(a, places, u))));
    return r;
  }
  /// Where they lie, of interleaved vector u.
  std::string lookup_addresses(const access& a, const registers& places, int u) {
    std::string place = pick(places, u);
    if (const std::int64_t stride = stride_of(a); stride != 0)
      place = set({"add ", vector_of(i64), " ", place, ", <", repeat([&](int i) { return concat({"i64 ", std::to_string(i * stride)}); }), ">"});
    return set({"getelementptr ", stored(a.type), ", ptr ", address(a, std::int64_t(u) * width_), ", ", vector_of(i64), " ", place});
  }
  /// The elements at a vector of addresses, as they lie in memory.
  std::string gathered(dtype t, const std::string& addresses) {
    const std::string memory = memory_of(t), w = std::to_string(width_);
    return call(memory, concat({"llvm.masked.gather.v", w, suffix(t), ".v", w, "p0"}),
                {concat({pointers(), " ", addresses}), concat({"i32 immarg ", std::to_string(size_of(t))}), concat({mask_type(), " ", mask()}), concat({memory, " zeroinitializer"})},
                {pointers(), "i32 immarg", mask_type(), memory});
  }
  /// The indices of a loop of the kernel.
  registers index(std::size_t loop, dtype t) {
    const std::string type = vector_of(t), element = computed(t);
    std::string first = index_[loop];
    if (t != i64 && first[0] == '%') first = set({"trunc i64 ", first, " to ", element});
    const std::string base = splat(element, first);
    if (int(loop) != vector_.loop) return {base};
    registers r;
    for (int u = 0; u < lanes_; ++u)
      r.push_back(set({"add ", type, " ", base, ", <", repeat([&](int i) { return concat({element, " ", std::to_string(u * width_ + i)}); }), ">"}));
    return r;
  }
  std::string pointers() const { return concat({lanes(), "ptr>"}); }
  /// The addresses of lanes that lie `stride` elements apart.
  std::string strided(const std::string& at, const std::string& type, std::int64_t stride) {
    return set({"getelementptr ", type, ", ptr ", at, ", ", vector_of(i64), " <", repeat([&](int i) { return concat({"i64 ", std::to_string(i * stride)}); }), ">"});
  }
  /// The lanes that take part.
  std::string mask() const { return mask_.empty() ? all("i1", "1") : mask_; }
  /// `streamed`: past the caches, to addresses that are whole vectors apart.
  void store(const access& a, const registers& x, bool streamed = false, const std::string& further = {}) {
    const std::int64_t stride = stride_of(a);
    const dtype t = a.type;
    const std::string w = std::to_string(width_), type = stored(t), memory = memory_of(t), align = std::to_string(size_of(t));
    if (stride == 0) {  // every lane holds the same element
      const std::string one = set({"extractelement ", memory, " ", narrowed(t, x[0]), ", i32 0"});
      line({"  store ", type, " ", one, ", ptr ", address(a, 0, further), ", align ", align});
      return;
    }
    for (int u = 0; u < lanes_; ++u) {
      const std::string v = narrowed(t, pick(x, u)), at = address(a, std::int64_t(u) * width_, further);
      if (mask_.empty() && is_shuffled(stride)) store_apart(t, v, at, stride);
      else if (streamed && mask_.empty()) line({"  store ", memory, " ", v, ", ptr ", at, ", align ", std::to_string(std::size_t(width_) * size_of(t)), ", !nontemporal !0"});
      else if (stride == 1 && mask_.empty()) line({"  store ", memory, " ", v, ", ptr ", at, ", align ", align});
      else if (stride == 1 && t_.bytes < 64) store_first(rest_, t, v, at);
      else if (stride == 1) masked_store(t, v, at, mask_);
      else
        call("void", concat({"llvm.masked.scatter.v", w, suffix(t), ".v", w, "p0"}),
             {concat({memory, " ", v}), concat({pointers(), " ", strided(at, type, stride)}), concat({"i32 immarg ", align}), concat({mask_type(), " ", mask()})},
             {memory, pointers(), "i32 immarg", mask_type()});
    }
  }

  /// Stores the first n lanes of a vector in its memory form, in parts: where masks are no registers, processors take long to store by one.
  void store_first(std::int64_t n, dtype t, const std::string& x, const std::string& at) {
    for (int done = 0, part = width_ / 2; part >= 1; part /= 2) {
      if ((n & part) == 0) continue;
      const std::string piece = text_of_vector(part, stored(t));
      const std::string lanes = set({"shufflevector ", memory_of(t), " ", x, ", ", memory_of(t), " poison, ", indices(done, part, width_)});
      line({"  store ", piece, " ", lanes, ", ptr ", address(at, stored(t), {done, {}}), ", align ", std::to_string(size_of(t))});
      done += part;
    }
  }

  /// How many outputs from `first` on are the members of structures that lie side by side along the vector loop, all of them; 1 if they are none.
  std::size_t members_from(const std::vector<const output*>& outputs, std::size_t first) const {
    const access& a = outputs[first]->to;
    const std::int64_t size = stride_of(a);
    if (size < 2 || !is_shuffled(size) || !mask_.empty() || first + std::size_t(size) > outputs.size()) return 1;
    for (std::int64_t m = 0; m < size; ++m) {
      const output& o = *outputs[first + std::size_t(m)];
      if (o.place >= 0 || !(o.to.value == a.value) || o.to.offset != a.offset + m || !same_strides(o.to, a)) return 1;
    }
    return std::size_t(size);
  }
  /// Stores the members of structures, given by member, the first one where `a` says.
  void store_members_at(const access& a, const std::vector<registers>& members) {
    for (int u = 0; u < lanes_; ++u) {
      std::vector<std::string> all_of;
      for (const registers& m : members) all_of.push_back(narrowed(a.type, pick(m, u)));
      store_members(a.type, all_of, address(a, std::int64_t(u) * width_));
    }
  }

  /// A loop that is cut into pieces of so many iterations, and what is done after each.
  struct cut_loop {
    int loop = -1;
    std::int64_t length = 0;
    std::function<void()> after_piece;
  };

  loop_kernel k_;
  cut_loop cut_;
  std::vector<atom> places_;             ///< the variables whose memory it gets
  vector_shape vector_;                  ///< of which `width_` is the width
  range_plan range_;
  std::string mask_, block_, allocas_;
  std::string from_, to_, is_last_;      ///< of the loop of which a call runs a range: where it starts, where whole vectors end, whether it has the rest
  std::vector<std::string> index_;       ///< by loop: its register, or the number it stands at
  std::vector<registers> values_;        ///< by step, where it is known
  int lanes_ = 1;                        ///< vectors interleaved here
  std::int64_t rest_ = 0;                ///< lanes that a mask leaves
  int copy_ = 0;                         ///< which of them this is, where
  bool in_turn_ = false;                 ///< they are computed one after the other, or:
  int turns_of_ = 1;                     ///< so many at a time
  bool ends_with_whole_vector_ = false;  ///< in place of a masked one: LLVM computes iterations with masks one by one
  int together_ = 1;                     ///< iterations of the next loop that LLVM shall compute together
  int labels_ = 0;
  std::string stop_;                     ///< the register that says where the vector loop may stop, if it may
};

}  // namespace detail
}  // namespace jacquard::cpu
