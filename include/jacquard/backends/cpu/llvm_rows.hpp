#pragma once
// LLVM IR of what a kernel keeps of its rows in memory of its own, as text: steps that are dear and needed again, and rows that its vectors lie across.
// Of these as many as vectors have lanes are loaded along the rows and transposed in registers once, so that each column is a vector: gathering would load
// each element for itself, and once more in each pass. Results go the other way. Deliberately not for structures of a few members, which stay in
// registers, and not for the rest of rows that fill no vector.

#include "jacquard/backends/cpu/llvm_shape.hpp"

namespace jacquard::cpu::detail {

class row_writer : protected shape_writer {
 protected:
  row_writer(loop_kernel k, const vector_target& t, const std::vector<char>& claimed) : shape_writer(std::move(k), t), claimed_(claimed) {}

  // --- what is kept of a row ---
  /// Elements of one such row, with room for whole vectors at its end.
  std::int64_t row_elements() const {
    if (k_.block != 0 && k_.loops[std::size_t(row_loop_of(k_))].inner) return std::int64_t(1) << 40;  // cut into blocks: too many
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
    plan_ = row_plan(k_, depends_, vector_.loop, row_elements(), &is_dear, &claimed_);
    bool stops = false;
    for (std::size_t s = 0; s < k_.stages.size(); ++s) stops = stops || plan_.stop_of(s).condition >= 0;
    if (stops && vector_.most > 2) {
      vector_.most = 2;
      plan_ = row_plan(k_, depends_, vector_.loop, row_elements(), &is_dear, &claimed_);
    }
  }
  static std::string row_of(const kept_step& s) { return concat({"%row", std::to_string(s.step)}); }
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

  // --- rows across vectors ---
  /// Transposes what this vector of rows, or these, read across the direction of the vectors, and makes room for what they write so.
  void turn_rows() {
    turned_.clear();
    turned_outputs_.clear();
    const int along = members_loop();
    if (along < 0 || !mask_.empty() || k_.stages.empty() || k_.is_ordered() || k_.block != 0 || width_ < 4) return;
    first_copy_ = copy_;
    copies_ = lanes_;
    std::int64_t room = room_of_turned_rows;
    const auto has_room = [&](const access& a) { return lies_across(a, std::size_t(along)) && bytes_across(a) <= room && (room -= bytes_across(a), true); };
    for (std::size_t n = 0; n < k_.body.steps.size(); ++n)
      if (const scalar_step& s = k_.body.steps[n]; s.op == scalar_op::load && !is_stage_result(s))
        if (const access& a = k_.inputs[std::size_t(s.in[0])]; has_room(a)) turned_.push_back({n, turned(a, std::size_t(along))});
    if (range_.splits_stages()) return;
    for (std::size_t n = 0; n < k_.outputs.size(); ++n)
      if (const output& o = k_.outputs[n]; o.place < 0 && has_room(o.to)) turned_outputs_.push_back({n, room_for(o.to, std::size_t(along))});
  }
  /// What a step loads, from there if it is there.
  registers loaded(std::int32_t step) {
    const access& a = k_.inputs[std::size_t(k_.body.steps[std::size_t(step)].in[0])];
    const std::string room = room_of(turned_, std::size_t(step));
    if (room.empty()) return load(a);
    registers r;
    for (int u = 0; u < lanes_; ++u)
      r.push_back(widened(a.type, set({"load ", memory_of(a.type), ", ptr ", column_address(room, a.type, u), ", align ", std::to_string(size_of(a.type))})));
    return r;
  }
  /// False: that output is not written there.
  bool put_in_turned(std::size_t number, const registers& x) {
    const std::string room = room_of(turned_outputs_, number);
    const dtype t = k_.outputs[number].to.type;
    for (int u = 0; !room.empty() && u < lanes_; ++u)
      line({"  store ", memory_of(t), " ", narrowed(t, pick(x, u)), ", ptr ", column_address(room, t, u), ", align ", std::to_string(size_of(t))});
    return !room.empty();
  }
  /// Writes outputs from there to where they lie.
  void write_turned() {
    for (const turned_row& o : turned_outputs_) {
      const access& a = k_.outputs[o.number].to;
      each_block(std::size_t(members_loop()), [&](int u, std::int64_t first, std::int64_t count) {
        turn(a.type, count, width_, place_in(o.room, a.type, u, first), copies_ * std::int64_t(width_), address(a, u * std::int64_t(width_)), stride_of(a));
      });
    }
    turned_outputs_.clear();
  }

  const std::vector<char>& claimed_;
  row_plan plan_;

 private:
  /// A step that loads, or an output, by its number, and where it lies: by element of the rows, a vector for each copy.
  struct turned_row {
    std::size_t number;
    std::string room;
  };
  static std::string room_of(const std::vector<turned_row>& rows, std::size_t number) {
    for (const turned_row& r : rows)
      if (r.number == number) return r.room;
    return {};
  }
  std::string room_for(const access& a, std::size_t along) {
    const std::string room = concat({"%rows", std::to_string(registers_++)});
    allocas_ += concat({"  ", room, " = alloca [", std::to_string(k_.loops[along].extent * copies_), " x ", memory_of(a.type), "], align 64\n"});
    return room;
  }
  std::string column_address(const std::string& room, dtype t, int u) {
    element_offset o{(copy_ - first_copy_ + u) * std::int64_t(width_), {}};
    advance(o, index_[std::size_t(members_loop())], copies_ * std::int64_t(width_));
    return address(room, stored(t), o);
  }
  /// Calls f(copy, first column, how many) for blocks of columns. The last one overlaps the one before, or has fewer.
  void each_block(std::size_t along, callable_ref<void(int, std::int64_t, std::int64_t)> f) {
    const std::string saved = index_[along];
    const std::int64_t n = k_.loops[along].extent, w = width_;
    for (int u = 0; u < copies_; ++u)
      for (std::int64_t column = 0; column < n; column += w) {
        const std::int64_t first = std::max(std::int64_t(0), std::min(column, n - w));
        index_[along] = std::to_string(first);
        f(u, first, std::min(n, w));
      }
    index_[along] = saved;
  }
  std::string turned(const access& a, std::size_t along) {
    const std::string room = room_for(a, along);
    each_block(along, [&](int u, std::int64_t first, std::int64_t count) {
      turn(a.type, width_, count, address(a, u * std::int64_t(width_)), stride_of(a), place_in(room, a.type, u, first), copies_ * std::int64_t(width_));
    });
    return room;
  }
  /// Where the vectors of a column begin.
  std::string place_in(const std::string& room, dtype t, int u, std::int64_t column) {
    return address(room, stored(t), {(column * copies_ + u) * std::int64_t(width_), {}});
  }
  /// Transposes `rows` rows of `count` elements, which lie `step` elements apart, into `count` rows of `rows` elements. One function of the module for
  /// all blocks of that size: written out for each, they were most of what the compiler had to read.
  void turn(dtype t, std::int64_t rows, std::int64_t count, const std::string& from, std::int64_t step, const std::string& to, std::int64_t apart) {
    const std::string name = concat({"jq.turned.", stored(t), ".v", std::to_string(width_), ".", std::to_string(rows), "x", std::to_string(count)});
    const std::string outer = std::exchange(code_, {});
    const int count_outside = std::exchange(registers_, 0);
    line({"define internal void @", name, "(ptr %from, i64 %step, ptr %to, i64 %apart) noinline #0 {"});
    const auto row_at = [&](const char* base, const char* distance, std::int64_t k) {
      return set({"getelementptr ", stored(t), ", ptr ", base, ", i64 ", set({"mul nsw i64 ", distance, ", ", std::to_string(k)})});
    };
    std::vector<std::string> block;
    for (std::int64_t k = 0; k < width_; ++k) block.push_back(k < rows ? part_of_row(t, row_at("%from", "%step", k), count) : "poison");
    transpose(memory_of(t), block);
    for (std::int64_t k = 0; k < count; ++k) store_part(t, block[std::size_t(k)], row_at("%to", "%apart", k), rows);
    line({"  ret void\n}"});
    declarations_.insert(std::exchange(code_, outer));
    registers_ = count_outside;
    line({"  call void @", name, "(ptr ", from, ", i64 ", std::to_string(step), ", ptr ", to, ", i64 ", std::to_string(apart), ")"});
  }
  /// So many elements from an address on.
  std::string part_of_row(dtype t, const std::string& at, std::int64_t count) {
    if (count < width_) return load_first(count, t, at, lanes_below(count));
    return set({"load ", memory_of(t), ", ptr ", at, ", align ", std::to_string(size_of(t))});
  }
  void store_part(dtype t, const std::string& x, const std::string& at, std::int64_t count) {
    if (count == width_) line({"  store ", memory_of(t), " ", x, ", ptr ", at, ", align ", std::to_string(size_of(t))});
    else if (t_.bytes < 64) store_first(count, t, x, at);
    else masked_store(t, x, at, lanes_below(count));
  }

  std::vector<turned_row> turned_, turned_outputs_;
  int first_copy_ = 0, copies_ = 1;
};

}  // namespace jacquard::cpu::detail
