#pragma once
// Which outputs of a kernel are stored past the caches: those so large that nobody finds them in a cache later, whose memory then need not
// be read into one before it is written, of kernels that wait for memory. Deliberately no text, and nothing about where memory begins: that is
// asked in each run.

#include "jacquard/backends/cpu/range_plan.hpp"

namespace jacquard::cpu {

class stream_plan {
 public:
  /// So many bytes, with as many that are read for them, fill what a processor has of the last cache: normalised rows of 16 MB cost a third less
  /// on Sapphire Rapids, and a pass that reads them afterwards gives back a third of that.
  static constexpr double least_bytes = 16 << 20;
  /// A kernel without stages that computes for longer than so many cheap steps for a cache line that it moves is ahead of memory: others of its
  /// stores are written back meanwhile, while those past the caches make it wait. On Zen 5 polynomials of 1e7 numbers cost a quarter less with
  /// them, exp of f32 a sixth, and gelu and erf(sin x) a fifth more.
  static constexpr double most_cost_of_a_line = 12;

  stream_plan() = default;
  /// `rows` and `ranges` are those of the kernel, `v` the shape of its vectors.
  stream_plan(const lowering::loop_kernel& k, const vector_shape& v, const row_plan& rows, const range_plan& ranges) {
    const bool waits = !k.stages.empty() || cost_of_a_line(k) <= most_cost_of_a_line;
    for (const lowering::output& o : k.outputs) {
      store_kind s;
      if (waits && o.place < 0 && is_large(k, o.to) && is_in_whole_vectors(o.to, v))
        s.writes = true, s.first = ranges.splits_stages() ? rows.passes() : 0;
      outputs_.push_back(s);
    }
    for (const kept_step& kept : rows.kept()) {
      if (kept.output < 0) continue;
      store_kind& s = outputs_[std::size_t(kept.output)];
      // What is kept in an output is read again; where that is in another phase, not from a cache. The output itself is where it was read.
      s = {s.writes && ranges.splits_stages(), false, kept.first};
    }
  }

  /// Whether what a row keeps in output n, or the output itself, is stored so.
  bool keeps(std::size_t n) const { return outputs_[n].keeps; }
  bool writes(std::size_t n) const { return outputs_[n].writes; }
  /// The outputs of which a phase has such stores.
  std::vector<std::size_t> outputs_in(std::size_t phase) const {
    std::vector<std::size_t> r;
    for (std::size_t n = 0; n < outputs_.size(); ++n)
      if ((outputs_[n].keeps && phase == outputs_[n].first) || (outputs_[n].writes && phase >= outputs_[n].first)) r.push_back(n);
    return r;
  }

 private:
  struct store_kind {
    bool keeps = false, writes = false;
    std::size_t first = 0;  ///< the phase that keeps, or from which on there are those that write
  };
  static double bytes_of(const lowering::loop_kernel& k, const lowering::access& a) {
    double bytes = double(size_of(a.type));
    for (std::size_t i = 0; i < k.loops.size(); ++i)
      if (a.strides[i] != 0) bytes *= double(k.loops[i].extent);
    return bytes;
  }
  static bool is_large(const lowering::loop_kernel& k, const lowering::access& a) { return bytes_of(k, a) >= least_bytes; }
  /// In cheap steps of a vector; elementary functions of doubles take half as long again.
  static double cost_of_a_line(const lowering::loop_kernel& k) {
    double cost = 0, moved = 0, iterations = 1;
    for (const scalar_step& s : k.body.steps)
      if (s.op != scalar_op::load && s.op != scalar_op::constant) cost += double(cost_of(s.op)) * double(size_of(s.type)) * (s.type == f64 ? 1.5 : 1);
    for (const lowering::access& a : k.inputs) moved += bytes_of(k, a);
    for (const lowering::output& o : k.outputs) moved += bytes_of(k, o.to);
    for (const auto& l : k.loops) iterations *= double(l.extent);
    return cost * iterations / moved;
  }
  /// Whether the addresses of its vectors are whole vectors apart.
  static bool is_in_whole_vectors(const lowering::access& a, const vector_shape& v) {
    if (v.loop < 0 || v.width == 1 || a.strides[std::size_t(v.loop)] != 1 || a.offset % v.width != 0) return false;
    for (std::size_t i = 0; i < a.strides.size(); ++i)
      if (int(i) != v.loop && a.strides[i] % v.width != 0) return false;
    return true;
  }
  std::vector<store_kind> outputs_;  ///< by output
};

}  // namespace jacquard::cpu
