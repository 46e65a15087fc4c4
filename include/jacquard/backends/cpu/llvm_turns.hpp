#pragma once
// LLVM IR of what kernels read across the direction of their vectors, as text: a block of as many rows as vectors have lanes is loaded along the
// rows and transposed in registers, where each row of the transposed block is then a vector. Gathering would load each element for itself, from
// another line of the cache. Deliberately only for kernels without stages, whose iterations may run in any order; llvm_rows has the others.

#include "jacquard/backends/cpu/llvm_stages.hpp"

namespace jacquard::cpu::detail {

class turn_writer : protected stage_writer {
 protected:
  using stage_writer::stage_writer;

  /// The loop along which most of what lies across the vectors lies side by side; -1: there is nothing, or the kernel does not run in blocks.
  int turned_loop() const {
    if (!k_.stages.empty() || k_.is_ordered() || k_.block != 0 || vector_.loop < 0 || width_ < 4 || range_.loop() == vector_.loop) return -1;
    if (k_.loops[std::size_t(vector_.loop)].extent < width_) return -1;
    int best = -1;
    std::size_t most = 0;
    for (std::size_t i = 0; i < k_.loops.size(); ++i)
      if (const std::size_t n = turned_loads(i).size(); int(i) != vector_.loop && k_.loops[i].extent >= width_ && n > most) best = int(i), most = n;
    return best;
  }
  /// Calls body() for each vector of the kernel, block by block of vectors and of iterations of this loop.
  void over_blocks(std::size_t turned, loop_body body) {
    std::vector<std::size_t> outer = outer_loops();
    std::erase(outer, turned);
    nest(outer, 0, [&] {
      const std::int64_t n = k_.loops[turned].extent, whole = n / width_ * width_;
      const auto each_row = [&] { vector_blocks(body); };
      if (int(turned) == range_.loop() && !from_.empty()) {
        const std::string in_blocks = set({"and i64 ", set({"sub i64 ", to_, ", ", from_}), ", ", std::to_string(-width_)}), end = set({"add i64 ", from_, ", ", in_blocks});
        when(set({"icmp slt i64 ", from_, ", ", end}), [&] { blocks(turned, from_, end, body); });
        when(set({"icmp slt i64 ", end, ", ", to_}), [&] { count(turned, end, to_, 1, each_row); });
      } else {
        blocks(turned, "0", std::to_string(whole), body);
        if (whole != n) count(turned, whole, n, 1, each_row);
      }
    });
  }
  /// Transposes a block of as many rows as they have lanes. Source: Eklundh, "A fast computer method for matrix transposing", 1972.
  void transpose(const std::string& type, std::vector<std::string>& rows) {
    for (int d = 1; d < width_; d *= 2)
      for (int k = 0; k < width_; ++k) {
        if ((k & d) != 0) continue;
        const std::string upper = rows[std::size_t(k)], lower = rows[std::size_t(k + d)];
        rows[std::size_t(k)] = shuffled(type, upper, lower, [&](int l) { return std::int64_t((l & d) == 0 ? l : width_ + l - d); });
        rows[std::size_t(k + d)] = shuffled(type, upper, lower, [&](int l) { return std::int64_t((l & d) == 0 ? l + d : width_ + l); });
      }
  }

 private:
  static constexpr std::int64_t blocks_ahead = 4;
  static constexpr double large = double(1 << 22);  ///< bytes
  bool is_beyond_caches(const access& a) const {
    double bytes = double(size_of(a.type));
    for (std::size_t i = 0; i < a.strides.size(); ++i)
      if (a.strides[i] != 0) bytes *= double(k_.loops[i].extent);
    return bytes > large;
  }

  /// The steps that load elements which lie side by side along a loop, and far apart along the vectors.
  std::vector<std::size_t> turned_loads(std::size_t loop) const {
    std::vector<std::size_t> r;
    for (std::size_t n = 0; n < k_.body.steps.size(); ++n) {
      const scalar_step& s = k_.body.steps[n];
      if (s.op != scalar_op::load || is_stage_result(s)) continue;
      const access& a = k_.inputs[std::size_t(s.in[0])];
      if (a.strides[loop] == 1 && stride_of(a) != 0 && stride_of(a) != 1 && !is_shuffled(stride_of(a))) r.push_back(n);
    }
    return r;
  }
  void blocks(std::size_t turned, const std::string& from, const std::string& to, loop_body body) {
    const std::size_t loop = std::size_t(vector_.loop);
    const std::int64_t n = k_.loops[loop].extent, whole = n / width_ * width_;
    count(turned, from, to, width_, [&] {
      const std::string first = index_[turned];
      const auto over_rows_of_block = [&](callable_ref<void(const std::string&)> each) {
        repeat_while_below("0", std::to_string(width_), 1, [&](const std::string& row) {
          index_[turned] = set({"add nuw nsw i64 ", first, ", ", row});
          each(row);
        });
        index_[turned] = first;
      };
      lanes_ = 1;
      count(loop, 0, whole, width_, [&] {
        const std::vector<std::size_t> loads = turned_loads(turned);
        std::vector<std::string> rooms;
        for (std::size_t step : loads) rooms.push_back(transposed(k_.inputs[std::size_t(k_.body.steps[step].in[0])]));
        over_rows_of_block([&](const std::string& row) {
          for (std::size_t i = 0; i < loads.size(); ++i) {
            const dtype t = k_.body.steps[loads[i]].type;
            const std::string at = set({"getelementptr ", memory_of(t), ", ptr ", rooms[i], ", i64 ", row});
            values_[loads[i]] = {widened(t, set({"load ", memory_of(t), ", ptr ", at}))};
          }
          body();
        });
      });
      if (whole == n) return;
      const std::string saved = mask_;
      mask_ = lanes_below(rest_ = n - whole);
      count(loop, whole, n, width_, [&] { over_rows_of_block([&](const std::string&) { body(); }); });
      mask_ = saved;
    });
  }
  /// Memory that holds a block of what an access reads, by iteration of the loop that it lies along.
  std::string transposed(const access& a) {
    const std::string type = memory_of(a.type), room = concat({"%block", std::to_string(registers_++)});
    allocas_ += concat({"  ", room, " = alloca [", std::to_string(width_), " x ", type, "], align 64\n"});
    std::vector<std::string> rows;
    for (int k = 0; k < width_ && is_beyond_caches(a); ++k)  // no prefetcher of a processor sees such steps
      call("void", "llvm.prefetch.p0", {concat({"ptr ", address(a, k + blocks_ahead * width_)}), "i32 immarg 0", "i32 immarg 3", "i32 immarg 1"}, {"ptr", "i32 immarg", "i32 immarg", "i32 immarg"});
    for (int k = 0; k < width_; ++k) rows.push_back(set({"load ", type, ", ptr ", address(a, k), ", align ", std::to_string(size_of(a.type))}));
    transpose(type, rows);
    for (int k = 0; k < width_; ++k) line({"  store ", type, " ", rows[std::size_t(k)], ", ptr ", address(room, type, {k, {}})});
    return room;
  }
};

}  // namespace jacquard::cpu::detail
