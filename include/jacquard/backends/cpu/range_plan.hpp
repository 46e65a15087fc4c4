#pragma once
// How a kernel is cut into ranges that may run apart, on any number of threads: along a loop of rows, or, where there are few of them,
// along a reduction, whose blocks leave partial results that are combined in one fixed order. What is decided depends on the kernel
// alone, so results have the same bits however many threads there are. Deliberately no text and no threads.

#include <algorithm>

#include "jacquard/backends/cpu/row_plan.hpp"
#include "jacquard/exec/lowering/clusters.hpp"

namespace jacquard::cpu {

/// The vectors of a kernel: which loop they run along (-1: none), their lanes, and how many of them are interleaved.
struct vector_shape {
  int loop = -1;
  int width = 1;
  int most = 1;
  std::int64_t wide() const { return std::int64_t(width) * most; }
};

class range_plan {
 public:
  /// So many units are enough for threads to share.
  static constexpr std::int64_t enough = 16;

  range_plan() = default;
  range_plan(const lowering::loop_kernel& k, const std::vector<std::uint32_t>& depends, const vector_shape& v, bool keeps_rows)
      : nanoseconds_(estimate(k, depends)), units_{1} {
    if (k.block != 0) follow_rows(k, v);
    if (k.block != 0 || nanoseconds_ < smallest || k.is_ordered()) return;
    choose(k, v, false);
    const bool may_split = !k.stages.empty() && !keeps_rows && nanoseconds_ >= smallest_split;
    if (!may_split || units_[0] >= enough) return;
    const range_plan rows = *this;
    choose(k, v, true);
    if (units_[0] < 2 * rows.units_[0]) *this = rows;
    else place_partials(k, v);
  }

  /// The plan of kernels that run together: one phase for their blocks of rows, and one for what follows the last block, if some have sums.
  range_plan(const std::vector<range_plan>& members, std::int64_t blocks) : units_{blocks} {
    for (const range_plan& m : members) {
      nanoseconds_ += m.nanoseconds_;
      partial_bytes_ += m.partial_bytes_;
      if (m.splits_ && m.units_.back() == 1 && units_.size() == 1) units_.push_back(1);
    }
  }

  /// Ranges are of this loop; -1: the kernel is one piece.
  int loop() const { return loop_; }
  /// Iterations of it in a unit.
  std::int64_t length() const { return length_; }
  /// Whether it is reduced over: there is a phase for the blocks of each pass of stages, then one or two that write outputs.
  bool splits_stages() const { return splits_; }
  /// Whether the results of blocks are combined by phases of their own, each after that of the pass that makes them: else every block that needs
  /// them would combine all of them. Combined results lie behind the partial ones, as those of one more unit.
  bool combines() const { return passes_ != 0; }
  bool combines(std::size_t phase) const { return phase < 2 * passes_ && phase % 2 == 1; }
  /// The pass that a phase runs blocks of or combines; beyond passes, what it writes.
  std::size_t pass_of(std::size_t phase) const { return phase < 2 * passes_ ? phase / 2 : phase - passes_; }
  /// The units of each phase; phases run one after another, ranges of units of one phase in any order or at once.
  const std::vector<std::int64_t>& units() const { return units_; }
  /// What the kernel takes on one thread, roughly.
  double nanoseconds() const { return nanoseconds_; }

  /// Partial results lie by stage, then by unit, then by row, whose last loop is that of the vectors, filled up to whole ones.
  std::int64_t partial_bytes() const { return partial_bytes_; }
  std::int64_t partials_of(std::size_t stage) const { return bases_[stage]; }
  std::int64_t rows() const { return rows_; }
  std::int64_t row_stride(std::size_t loop) const { return row_strides_[loop]; }

 private:
  static constexpr double smallest = 10000;      ///< ns: less is not worth sharing with a thread that is awake
  static constexpr double smallest_split = 20000;
  static constexpr double smallest_block = 2000; ///< ns of a unit of a reduction
  static constexpr std::int64_t most_blocks = 64;
  static constexpr std::int64_t shortest_block = 128;  ///< elements of a column

  /// Bytes at the speed of a second-level cache, operations at that of wide vectors: within a factor of two of what was measured there.
  static double estimate(const lowering::loop_kernel& k, const std::vector<std::uint32_t>& depends) {
    double sum = 0;
    const auto times = [&](std::uint32_t loops) {
      double n = 1;
      for (std::size_t i = 0; i < k.loops.size(); ++i)
        if (loops >> i & 1u) n *= double(k.loops[i].extent);
      return n;
    };
    for (std::size_t n = 0; n < k.body.steps.size(); ++n) {
      const scalar_step& s = k.body.steps[n];
      if (s.op == scalar_op::constant || s.op == scalar_op::index || lowering::is_stage_result(s)) continue;
      const double bytes = double(size_of(s.type));
      sum += times(depends[n]) * bytes * (s.op == scalar_op::load ? 0.01 : 0.004 * cost_of(s.op));
    }
    for (const lowering::stage& s : k.stages) sum += times(depends[std::size_t(s.step)]) * double(size_of(k.body.steps[std::size_t(s.step)].type)) * 0.004;
    for (const lowering::output& o : k.outputs) sum += times(depends[std::size_t(o.step)]) * double(size_of(o.to.type)) * 0.01;
    return sum;
  }

  /// Ranges of the rows that a kernel shares with others: single ones, or vectors of them, or, where it sums over them, the blocks.
  void follow_rows(const lowering::loop_kernel& k, const vector_shape& v) {
    loop_ = lowering::row_loop_of(k);
    const lowering::loop& rows = k.loops[std::size_t(loop_)];
    splits_ = rows.inner;
    length_ = splits_ ? k.block : loop_ == v.loop ? v.wide() : 1;
    units_ = {(rows.extent + length_ - 1) / length_};
    if (splits_) place_partials(k, v);
  }
  /// The outermost loop of the kind that has many units, or the one that has most.
  void choose(const lowering::loop_kernel& k, const vector_shape& v, bool inner) {
    loop_ = -1;
    units_ = {1};
    splits_ = inner;
    std::vector<int> order;
    for (std::size_t i = 0; i < k.loops.size(); ++i)
      if (int(i) != v.loop) order.push_back(int(i));
    if (v.loop >= 0) order.push_back(v.loop);
    for (int i : order) {
      if (k.loops[std::size_t(i)].inner != inner || units_[0] >= 2 * enough) continue;
      const std::int64_t step = i == v.loop ? v.wide() : 1, steps = k.loops[std::size_t(i)].extent / step;
      const std::int64_t rest = i == v.loop && k.loops[std::size_t(i)].extent % step != 0;
      // A block of a reduction takes the elements beyond whole vectors in; a row is a unit by itself. Where vectors are of columns, what these
      // need before their first element is computed in each block.
      const bool in_columns = inner && v.loop >= 0 && !k.loops[std::size_t(v.loop)].inner;
      const std::int64_t most = std::min(most_blocks, in_columns ? std::max<std::int64_t>(steps / shortest_block, 1) : steps);
      const std::int64_t blocks = inner ? std::min(most, std::int64_t(nanoseconds_ / smallest_block)) : steps + rest;
      if (blocks <= units_[0] || steps == 0) continue;
      const std::int64_t each = inner ? (steps + blocks - 1) / blocks : 1;
      loop_ = i;
      length_ = each * step;
      units_ = {inner ? (steps + each - 1) / each : blocks};
    }
  }
  void place_partials(const lowering::loop_kernel& k, const vector_shape& v) {
    row_strides_.assign(k.loops.size(), 0);
    const auto add = [&](std::size_t i, std::int64_t extent) {
      row_strides_[i] = rows_;
      rows_ *= extent;
    };
    if (v.loop >= 0 && !k.loops[std::size_t(v.loop)].inner) add(std::size_t(v.loop), (k.loops[std::size_t(v.loop)].extent + v.wide() - 1) / v.wide() * v.wide());
    for (std::size_t i = k.loops.size(); i-- > 0;)
      if (!k.loops[i].inner && int(i) != v.loop) add(i, k.loops[i].extent);
    const std::int64_t blocks = units_[0];
    const std::size_t passes = lowering::count_passes(lowering::stage_passes(k)), each = elementwise_outputs(k);
    if (k.block == 0 && (passes > 1 || each != 0)) passes_ = passes;
    for (const lowering::stage& s : k.stages) {
      bases_.push_back(partial_bytes_);
      partial_bytes_ += ((blocks + combines()) * rows_ * std::int64_t(size_of(k.body.steps[std::size_t(s.step)].type)) + 63) / 64 * 64;
    }
    units_.clear();
    for (std::size_t pass = 0; pass < passes; ++pass) {
      units_.push_back(blocks);
      if (combines()) units_.push_back(1);
    }
    if (each != 0) units_.push_back(blocks);
    if (each != k.outputs.size()) units_.push_back(1);
  }
  /// How many outputs have an element for each iteration of the inner loops.
  static std::size_t elementwise_outputs(const lowering::loop_kernel& k) {
    std::size_t count = 0;
    for (const lowering::output& o : k.outputs) {
      bool each = false;
      for (std::size_t i = 0; i < k.loops.size(); ++i) each = each || (k.loops[i].inner && o.to.strides[i] != 0);
      count += each;
    }
    return count;
  }

  double nanoseconds_ = 0;
  int loop_ = -1;
  std::int64_t length_ = 1;
  bool splits_ = false;
  std::size_t passes_ = 0;  ///< whose results have phases to combine them
  std::vector<std::int64_t> units_;
  std::int64_t partial_bytes_ = 0, rows_ = 1;
  std::vector<std::int64_t> bases_, row_strides_;
};

/// How many vectors of columns, of so many bytes, whose sums over `rows` are cheap are taken side by side: the more, the longer the pieces of memory
/// that are read one after the other. Pieces of four lines of a cache at least; and beyond the caches whole rows, where there can be: 512 bytes
/// of each took half the time of 256 and 256. Else there are to be as many blocks of columns as threads may share, where there can be.
inline int vectors_of_columns(std::int64_t columns, std::int64_t rows, int width, int bytes, std::size_t steps) {
  static constexpr int most = 16, shortest_piece = 256;
  static constexpr std::size_t most_steps = 400;
  static constexpr std::int64_t large = 4 << 20;  ///< bytes
  int r = 4;
  const auto blocks = [&](std::int64_t vectors) { return (columns + vectors * width - 1) / (vectors * width); };
  const auto shares_less = [&] { return blocks(r) >= range_plan::enough && blocks(2 * r) < range_plan::enough; };
  const bool reads_whole_rows = blocks(most) == 1 && columns * bytes / width * rows >= large;
  while (r < most && ((2 * std::size_t(r) * steps <= most_steps && !shares_less()) || r * bytes < shortest_piece || (reads_whole_rows && blocks(r) > 1))) r *= 2;
  return r;
}

}  // namespace jacquard::cpu
