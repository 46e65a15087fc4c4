#pragma once
// LLVM IR of the rows of a kernel with stages whose vectors run along rows beside each other, as text: as many rows as vectors have lanes are loaded
// along the rows and transposed in registers once, into memory where each column is a vector. Gathering would load each element for itself, and once
// more in each pass. Deliberately not for structures of a few members, which stay in registers, and not for the rest of rows that fill no vector.

#include "jacquard/backends/cpu/llvm_shape.hpp"

namespace jacquard::cpu::detail {

class short_row_writer : protected shape_writer {
 protected:
  using shape_writer::shape_writer;

  /// Transposes what this vector of rows, or these, read across the direction of the vectors.
  void turn_rows() {
    turned_.clear();
    const int along = members_loop();
    if (along < 0 || !mask_.empty() || k_.stages.empty() || k_.is_ordered() || k_.block != 0 || width_ < 4) return;
    first_copy_ = copy_;
    copies_ = lanes_;
    std::int64_t room = most_bytes;
    for (std::size_t n = 0; n < k_.body.steps.size(); ++n) {
      const scalar_step& s = k_.body.steps[n];
      if (s.op != scalar_op::load || is_stage_result(s) || !lies_across(k_.inputs[std::size_t(s.in[0])], std::size_t(along))) continue;
      const access& a = k_.inputs[std::size_t(s.in[0])];
      const std::int64_t bytes = k_.loops[std::size_t(along)].extent * copies_ * width_ * std::int64_t(size_of(a.type));
      if (bytes > room) continue;
      room -= bytes;
      turned_.push_back({std::int32_t(n), turned(a, std::size_t(along))});
    }
  }
  /// What a step loads, from there if it is there.
  registers loaded(std::int32_t step) {
    const access& a = k_.inputs[std::size_t(k_.body.steps[std::size_t(step)].in[0])];
    for (const turned_load& t : turned_) {
      if (t.step != step) continue;
      registers r;
      for (int u = 0; u < lanes_; ++u) {
        element_offset o{(copy_ - first_copy_ + u) * std::int64_t(width_), {}};
        advance(o, index_[std::size_t(members_loop())], copies_ * std::int64_t(width_));
        r.push_back(widened(a.type, set("load " + memory_of(a.type) + ", ptr " + address(t.room, stored(a.type), o) + ", align " + std::to_string(size_of(a.type)))));
      }
      return r;
    }
    return load(a);
  }

 private:
  static constexpr std::int64_t most_bytes = 24 << 10;  ///< half of a usual first-level cache
  struct turned_load {
    std::int32_t step;
    std::string room;
  };
  bool lies_across(const access& a, std::size_t along) const {
    return a.strides[along] == 1 && !a.wanders && stride_of(a) != 0 && stride_of(a) != 1 && !is_shuffled(stride_of(a));
  }
  /// Memory that holds, by element of the rows, the vectors of what an access reads. The last block of columns overlaps the one before, or lies within
  /// the row and is masked.
  std::string turned(const access& a, std::size_t along) {
    const std::string type = memory_of(a.type), room = "%rows" + std::to_string(registers_++), saved = index_[along];
    const std::int64_t n = k_.loops[along].extent, w = width_;
    allocas_ += "  " + room + " = alloca [" + std::to_string(n * copies_) + " x " + type + "], align 64\n";
    for (int u = 0; u < copies_; ++u)
      for (std::int64_t column = 0; column < n; column += w) {
        const std::int64_t first = std::max(std::int64_t(0), std::min(column, n - w));
        index_[along] = std::to_string(first);
        std::vector<std::string> rows;
        for (std::int64_t k = 0; k < w; ++k) rows.push_back(part_of_row(a, u * w + k, std::min(n, w)));
        transpose(type, rows);
        for (std::int64_t k = 0; k < w && first + k < n; ++k) line("  store " + type + " " + rows[std::size_t(k)] + ", ptr " + address(room, type, {(first + k) * copies_ + u, {}}));
      }
    index_[along] = saved;
    return room;
  }
  /// So many elements of the row in that lane.
  std::string part_of_row(const access& a, std::int64_t lane, std::int64_t count) {
    const std::string type = memory_of(a.type), at = address(a, lane), align = std::to_string(size_of(a.type));
    if (count == width_) return set("load " + type + ", ptr " + at + ", align " + align);
    const std::string some = "<" + repeat([&](int i) { return std::string("i1 ") + (i < count ? "1" : "0"); }) + ">";
    return call(type, "llvm.masked.load.v" + std::to_string(width_) + suffix(a.type) + ".p0",
                {"ptr " + at, "i32 immarg " + align, mask_type() + " " + some, type + " zeroinitializer"}, {"ptr", "i32 immarg", mask_type(), type});
  }

  std::vector<turned_load> turned_;
  int first_copy_ = 0, copies_ = 1;
};

}  // namespace jacquard::cpu::detail
