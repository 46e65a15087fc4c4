#pragma once
// The shape of the code of a kernel: which loop vectors run along, how wide they are and how many of them are computed together, what is put element
// by element, and which outputs are small structures that lie side by side. Deliberately writes no text.

#include "jacquard/backends/cpu/llvm_turns.hpp"
#include "jacquard/backends/cpu/root_plan.hpp"
#include "jacquard/backends/cpu/sum_pieces.hpp"

namespace jacquard::cpu::detail {

class shape_writer : protected turn_writer {
 protected:
  shape_writer(loop_kernel k, const vector_target& t) : turn_writer(std::move(k), t), dear_(k_.body) {}

  void choose_vector_loop() {
    int bytes = 1, steps_of[9] = {};
    vector_.loop = rows_or(vector_loop_of(k_, true));
    const std::vector<char> usual = usual_steps(k_);  // what choices seldom take may be in doubles
    for (std::size_t n = 0; n < k_.body.steps.size(); ++n) {
      const scalar_step& s = k_.body.steps[n];
      if (s.op == scalar_op::index || s.op == scalar_op::constant || !varies(n) || !usual[n]) continue;
      const int own = is_inexact(s.type) ? std::max(4, int(size_of(s.type))) : int(size_of(s.type));
      bytes = std::max(bytes, own), ++steps_of[own];
    }
    const bool is_narrow = bytes == 8 && steps_of[4] > 64 && steps_of[4] > 2 * steps_of[8];  // registers are full of those, two hold wide ones
    const std::int64_t n = vector_.loop < 0 ? 1 : k_.loops[std::size_t(vector_.loop)].extent;
    width_ = t_.bytes / (is_narrow ? 4 : bytes);
    const std::int64_t block = k_.block != 0 && vector_.loop == row_loop_of(k_) ? k_.block : 0;  // of whole vectors
    while (width_ > 1 && (width_ / 2 >= n || block % width_ != 0)) width_ /= 2;
    const bool in_turn = puts_cheap_elements(), many = in_turn || !k_.stages.empty() || (dear_.count > 0 && !goes_in_turn(dear_.count));
    vector_.width = width_ = in_turn ? 1 : width_;
    vector_.most = many ? 4 : is_narrow ? 1 : 2;  // one after the other they need not be many
    // Roots and quotients wait for each other: with two vectors the processor gets to the shuffles of the next ones before these are done.
    if (const int members = members_loop(); members >= 0 && reads_structures(std::size_t(members))) vector_.most = t_.bytes == 64 && dear_.count != 0 ? 4 : 2;
    else if (sums_columns()) vector_.most = vectors_of_columns(n, rows_of_columns(), width_, t_.bytes, k_.body.steps.size());
    while (vector_.most > 1 && (vector_.wide() > n || block % vector_.wide() != 0 || bytes_across() > room_of_turned_rows)) vector_.most /= 2;
  }
  /// The loop over rows where these are so short that they leave vectors partly empty, and many: vectors of rows have full lanes, and sums along a
  /// row take no lanes together. Rows that are transposed in registers may be some vectors long, most where functions are dear. That pays for
  /// gathered elements where a row has at most some; for longer rows if nothing is put back there but whole structures, which only vectors of
  /// 64 bytes do fast. Else `along`.
  int rows_or(int along) const {
    constexpr std::int64_t fewest_rows = 64, fewest_side_by_side = 4, longest_of_dear = 40;
    if (along < 0 || !k_.loops[std::size_t(along)].inner || k_.block != 0) return along;
    int rows = along;
    for (std::size_t i = 0; i < k_.loops.size(); ++i) {
      if (k_.loops[i].inner && int(i) != along) return along;
      if (!k_.loops[i].inner && k_.loops[i].extent >= fewest_rows && (rows == along || k_.loops[i].extent > k_.loops[std::size_t(rows)].extent)) rows = int(i);
    }
    for (std::size_t i = 0; i < k_.loops.size(); ++i)  // other rows lie apart where they are written: each of their vectors would go to as many lines
      if (!k_.loops[i].inner && k_.loops[i].extent >= fewest_side_by_side && writes_side_by_side(i)) rows = int(i);
    const auto count = [&](const auto& all, auto&& holds) { return std::size_t(std::count_if(all.begin(), all.end(), holds)); };
    std::size_t dear = 0, put = count(k_.outputs, [&](const output& o) { return o.to.strides[std::size_t(along)] != 0; });
    for (std::size_t n = 0; n < k_.body.steps.size(); ++n) dear += (depends_[n] >> along & 1u) != 0 && is_dear(k_.body.steps[n].op);
    const std::size_t gathered = put + count(k_.inputs, [&](const access& a) { return a.strides[std::size_t(along)] != 0; });
    const std::int64_t n = k_.loops[std::size_t(along)].extent;
    if (const std::int64_t bytes = bytes_of_turned_rows(std::size_t(along), std::size_t(rows)); bytes > 0 && t_.bytes >= 32 && !k_.stages.empty() && !k_.is_ordered()) {
      const std::int64_t whole = t_.bytes / bytes, quarters = (put != 0 || lowering::count_passes(lowering::stage_passes(k_)) > 1 ? 2 : 1) * (t_.bytes < 64 ? 8 : 5);
      if (n <= (dear != 0 ? longest_of_dear : whole * quarters / 4)) return rows;
    }
    const bool are_structures = n <= 4 && put == count(k_.outputs, [&](const output& o) { return o.to.strides[std::size_t(along)] == 1 && o.to.strides[std::size_t(rows)] == n; });
    const std::int64_t few = put && !are_structures ? 3 : 5, longest = gathered > 3 * dear ? few : put || t_.bytes < 64 ? 14 : 40;
    return n <= longest && (put == 0 || t_.bytes >= 64 || are_structures) ? rows : along;
  }
  /// Whether everything that is written steps through a loop one by one.
  bool writes_side_by_side(std::size_t loop) const {
    return !k_.outputs.empty() && std::all_of(k_.outputs.begin(), k_.outputs.end(), [&](const output& o) { return o.place < 0 && o.to.strides[loop] == 1; });
  }
  /// How wide the widest numbers are that vectors of rows would lie across, if all that differs along a row does, or lies side by side for them; else 0.
  std::int64_t bytes_of_turned_rows(std::size_t along, std::size_t rows) const {
    std::int64_t widest = 0;
    const auto fits = [&](const access& a) {
      if (a.strides[along] == 0 || a.strides[rows] == 0 || a.strides[rows] == 1) return true;
      widest = std::max(widest, std::max(std::int64_t(4), std::int64_t(size_of(a.type))));
      return a.strides[along] == 1 && !a.wanders && a.strides[rows] > 4;
    };
    return std::all_of(k_.inputs.begin(), k_.inputs.end(), fits) && std::all_of(k_.outputs.begin(), k_.outputs.end(), [&](const output& o) { return o.place < 0 && fits(o.to); }) ? widest : 0;
  }
  static constexpr std::int64_t room_of_turned_rows = 24 << 10;  ///< half of a usual first-level cache
  /// Whether an access goes along the rows that vectors lie across.
  bool lies_across(const access& a, std::size_t along) const {
    return a.strides[along] == 1 && !a.wanders && stride_of(a) != 0 && stride_of(a) != 1 && !is_shuffled(stride_of(a));
  }
  std::int64_t bytes_across(const access& a) const {
    const int along = members_loop();
    return along >= 0 && lies_across(a, std::size_t(along)) ? k_.loops[std::size_t(along)].extent * vector_.wide() * std::int64_t(size_of(a.type)) : 0;
  }
  /// What the rows of all accesses take that go so.
  std::int64_t bytes_across() const {
    std::int64_t r = 0;
    for (const access& a : k_.inputs) r += bytes_across(a);
    for (const output& o : k_.outputs) r += bytes_across(o.to);
    return r;
  }
  /// Whether sums are of cheap columns side by side.
  bool sums_columns() const {
    if (k_.stages.empty() || dear_.count != 0 || vector_.loop < 0 || k_.loops[std::size_t(vector_.loop)].inner) return false;
    return rows_together(outer_loops()) == 1;
  }
  std::int64_t rows_of_columns() const {
    std::int64_t n = 1;
    for (const loop& l : k_.loops)
      if (l.inner) n *= l.extent;
    return n;
  }
  /// How many rows' sums are computed together, or vectors of them.
  int sums_together(const std::vector<std::size_t>& rows) const {
    return dear_.count == 0 && !range_.splits_stages() && !k_.is_ordered() ? rows_together(rows) : 1;
  }
  /// How loops over sums are cut; see numbers_in_piece. Not where iterations of the loop around them are computed together: LLVM does so with a
  /// single loop.
  cut_loop cut_of_sums() const {
    cut_loop r;
    if (sums_together(outer_loops()) > 1) return r;
    std::int64_t numbers = 1, along = 0;
    for (std::size_t i = 0; i < k_.loops.size(); ++i) {
      if (!k_.loops[i].inner) continue;
      const std::int64_t n = range_.splits_stages() && int(i) == range_.loop() ? range_.length() : k_.loops[i].extent;
      const std::int64_t steps = std::max<std::int64_t>(int(i) == vector_.loop ? n / vector_.wide() : n, 1);
      numbers *= steps;
      if (steps > along) along = steps, r.loop = int(i);
    }
    const std::int64_t piece = numbers_in_piece(numbers);
    if (numbers <= 2 * piece) return {};
    r.length = std::max<std::int64_t>(piece / (numbers / along), 1) * (r.loop == vector_.loop ? vector_.wide() : 1);
    return r;
  }
  /// Whether elements are put one after the other that take little to compute: that goes faster without vectors to take them out of.
  bool puts_cheap_elements() const {
    return k_.is_ordered() && puts_each(k_.outputs[0]) && dear_.count == 0 && k_.body.steps.size() <= 32;
  }
  /// Whether each element along the vector loop is put at a place of its own, not a vector of them side by side.
  bool puts_each(const output& o) const {
    const auto depends = depends_[std::size_t(o.place)] | (o.inside < 0 ? 0 : depends_[std::size_t(o.inside)]);
    return vector_.loop < 0 || (depends >> vector_.loop & 1u) != 0 || stride_of(o.to) != 1;
  }

  /// Whether a step differs along the vector loop, or is what is written there. The others are computed once, however wide they are.
  bool varies(std::size_t step) const {
    bool r = vector_.loop < 0 || differs_by_lane(std::int32_t(step));
    for (const output& o : k_.outputs) r = r || o.step == std::int32_t(step);
    return r;
  }

  /// Whether a step has a result for each lane, and not one for all of them.
  bool differs_by_lane(std::int32_t step) const { return vector_.loop >= 0 && (depends_[std::size_t(step)] >> vector_.loop & 1u) != 0; }

  /// Whether vectors go through the body in turn: a call spills what others hold, and the processor overlaps calls by itself, but not chains of
  /// them. In turn, two or three functions that do not wait for each other took 0.8 of the time, chains of two or three 1.1 to 1.5.
  bool goes_in_turn(std::size_t calls) const { return calls == 1 || (calls > 1 && calls <= 3 && dear_.chain == 1); }
  /// The one inner loop, where vectors run along rows beside it; -1: there is none, or there are several.
  int members_loop() const {
    if (vector_.loop < 0 || vector_is_inner()) return -1;
    int loop = -1;
    for (std::size_t i = 0; i < k_.loops.size(); ++i)
      if (k_.loops[i].inner) {
        if (loop >= 0) return -1;
        loop = int(i);
      }
    return loop;
  }
  /// Whether what an access goes through along that loop are the members of structures, one after the other along the vector loop.
  bool is_structure(const access& a, std::size_t loop) const { return a.strides[loop] == 1 && stride_of(a) == k_.loops[loop].extent; }

  /// Whether structures are read so, whose members are then best kept in registers until they are used again.
  bool reads_structures(std::size_t loop) const {
    return is_shuffled(k_.loops[loop].extent) && std::any_of(k_.inputs.begin(), k_.inputs.end(), [&](const access& a) { return is_structure(a, loop); });
  }
  /// Whether the order of lanes is nobody's, and all that varies along them are pairs side by side, both members of which are read or written:
  /// complex numbers, say. Only worth asking where shuffles across a register take longer.
  bool takes_pairs_in_any_order() const {
    if (t_.bytes != 32 || vector_.loop < 0 || !k_.stages.empty() || k_.is_ordered()) return false;
    const auto fills = [&](dtype t) { return is_inexact(t) && std::int64_t(size_of(t)) * width_ == t_.bytes && size_of(t) >= 4; };
    const auto is_pair = [&](const access& a) {
      if (a.wanders || stride_of(a) != 2 || !fills(a.type)) return false;
      const auto [before, after] = members_around(a);
      return before + after == 1;
    };
    std::vector<const output*> outputs;
    for (const output& o : k_.outputs) outputs.push_back(&o);
    for (std::size_t i = 0; i < outputs.size(); i += 2)
      if (!fills(outputs[i]->to.type) || members_from(outputs, i) != 2) return false;
    for (std::size_t n = 0; n < k_.body.steps.size(); ++n) {
      const scalar_step& s = k_.body.steps[n];
      if (s.op == scalar_op::constant || !differs_by_lane(std::int32_t(n))) continue;
      if (s.op == scalar_op::index || s.op == scalar_op::lookup || !(is_boolean(s.type) || fills(s.type))) return false;
      if (s.op == scalar_op::load && !is_pair(k_.inputs[std::size_t(s.in[0])])) return false;
    }
    return true;
  }

  const dear_steps dear_;
};

}  // namespace jacquard::cpu::detail
