#pragma once
// Kernels that go through the rows of the same arrays, one after another: a matrix times a vector, what is made of the products, and the sum
// of the rows times that, as in the gradient of a regression. Where one of them sums over the rows they run together, block of rows after
// block of rows, so that an array that lies in no cache is read once. Deliberately decides only that this may be done and pays; how blocks
// are run, and their sums combined, is a backend's business.

#include <algorithm>
#include <optional>

#include "jacquard/core/merge_sort.hpp"
#include "jacquard/exec/lowering/clusters.hpp"

namespace jacquard::lowering::detail {

/// Arrays that several kernels of a block read should have so many bytes, twice those of a usual first-level cache, and blocks so many.
inline constexpr std::int64_t least_shared_bytes = 64 << 10, usual_block_bytes = 32 << 10, largest_block_bytes = 512 << 10;
/// Rows of a block are a multiple of `block_rows`; there are at least `least_blocks`, and, while blocks are small, at most `many_blocks`.
inline constexpr std::int64_t block_rows = 32, least_blocks = 8, many_blocks = 1024;

// --- products of matrices and vectors ---

/// The product of a matrix and a vector, from either side.
struct vector_product {
  atom matrix, vector;
  int summed;  ///< the dimension of the matrix that is summed over
};
inline std::optional<vector_product> vector_product_of(const jaxpr& p, const equation& e) {
  if (!e.op->contract || e.effects != 0 || e.out.count != 1) return {};
  const contraction c = e.op->contract(p.params(e));
  const atom lhs = p.inputs(e)[0], rhs = p.inputs(e)[1];
  if (c.lhs_batch.size() != 0 || c.lhs_contracting.size() != 1 || lhs.is_literal() || rhs.is_literal()) return {};
  if (p.type_of(lhs).rank() == 2 && p.type_of(rhs).rank() == 1) return vector_product{lhs, rhs, int(c.lhs_contracting[0])};
  if (p.type_of(lhs).rank() == 1 && p.type_of(rhs).rank() == 2) return vector_product{rhs, lhs, int(c.rhs_contracting[0])};
  return {};
}

/// Gives the role of contractions to products of a matrix and vectors that read it twice, of which the second waits for the first row by row:
/// X v, and the sum over rows of X times numbers made of the elements of X v one by one. So for all products of that matrix. What the first gives
/// is put into memory, where the elements that are made of it are vectors of several rows. Complexity: quadratic in the number of products of one
/// matrix, each of them linear in what lies between.
inline void pair_vector_products(program_facts& f, supported_op supported) {
  static constexpr std::int64_t shortest_row = 16, longest_row = 8192, least_bytes = 16 << 10;
  static constexpr std::size_t most_visited = 256;
  const jaxpr& p = f.p;
  if (f.rounds == rounding::strict) return;
  struct product {
    std::size_t equation;
    vector_product is;
  };
  std::vector<product> over_columns, over_rows;
  for (std::size_t n = 0; n < p.equations.size(); ++n) {
    if (f.roles[n] != role::opaque) continue;
    const std::optional<vector_product> is = vector_product_of(p, p.equations[n]);
    if (!is) continue;
    const aval& m = p.type_of(is->matrix);
    const bool is_worth = m.bytes() >= least_bytes && m.dims[0] >= least_blocks * block_rows && m.dims[1] >= shortest_row && m.dims[1] <= longest_row;
    if (!is_worth || !is_floating(m.type) || !supported(scalar_op::multiply, m.type) || !supported(scalar_op::add, m.type)) continue;
    (is->summed == 1 ? over_columns : over_rows).push_back({n, *is});
  }
  // Whether `v` is made of `of` by elementwise equations.
  const auto is_made_of = [&](variable v, variable of) {
    std::vector<variable> seen{v};
    for (std::size_t i = 0; i < seen.size() && i < most_visited; ++i) {
      if (seen[i] == of) return true;
      if (f.maker[seen[i]] < 0 || f.roles[std::size_t(f.maker[seen[i]])] != role::map) continue;
      for (atom a : p.inputs(*f.made_by(seen[i])))
        if (!a.is_literal() && p.type_of(a).dims == p.avals[v].dims && std::find(seen.begin(), seen.end(), a.index()) == seen.end()) seen.push_back(a.index());
    }
    return false;
  };
  std::vector<atom> paired;
  for (const product& last : over_rows)
    for (const product& first : over_columns) {
      const variable of = p.outputs(p.equations[first.equation])[0];
      if (first.is.matrix == last.is.matrix && is_made_of(last.is.vector.index(), of)) paired.push_back(last.is.matrix);
    }
  for (const std::vector<product>* all : {&over_columns, &over_rows})
    for (const product& n : *all) {
      if (std::find(paired.begin(), paired.end(), n.is.matrix) == paired.end()) continue;
      f.roles[n.equation] = role::contraction;
      if (n.is.summed == 1) f.in_memory[p.outputs(p.equations[n.equation])[0]] = f.apart[p.outputs(p.equations[n.equation])[0]] = true;
    }
}

// --- kernels ---

inline bool walks(const access& a, std::size_t loop) { return loop < a.strides.size() && a.strides[loop] != 0; }

/// Whether a kernel may run on blocks of the iterations of a loop: what it sums over them it needs only in the end, and what it writes for each
/// of them waits for no such sum.
inline bool runs_in_blocks_of(const loop_kernel& k, std::size_t loop) {
  if (k.parts != 1 || k.block != 0 || k.is_ordered()) return false;
  if (!k.loops[loop].inner) return std::all_of(k.outputs.begin(), k.outputs.end(), [&](const output& o) { return walks(o.to, loop); });
  if (count_passes(stage_passes(k)) != 1) return false;
  std::vector<char> waits;
  for (const scalar_step& s : k.body.steps) {
    bool any = is_stage_result(s);
    if (s.op != scalar_op::load && s.op != scalar_op::index)
      for (int i = 0; i < operand_count(s.op); ++i) any = any || waits[std::size_t(s.in[i])];
    waits.push_back(any);
  }
  for (const output& o : k.outputs) {
    bool some = false, misses = false;
    for (std::size_t i = 0; i < k.loops.size(); ++i)
      if (k.loops[i].inner) (walks(o.to, i) ? some : misses) = true;
    if (some && (misses || waits[std::size_t(o.step)])) return false;
  }
  return true;
}

/// Kernels that run together, as they are found.
class row_chain {
 public:
  row_chain(const loop_kernel& first, std::size_t loop) : rows_(first.loops[loop].extent) { take(first, loop); }
  /// Adds a kernel that goes through the same rows, if it reads of what the others write the row that they have just written, and shares
  /// something with them.
  bool add(const loop_kernel& k) {
    static constexpr std::size_t most = 8;
    for (std::size_t i = 0; i < k.loops.size() && members_.size() < most; ++i)
      if (k.loops[i].extent == rows_ && runs_in_blocks_of(k, i) && fits(k, i)) {
        take(k, i);
        return true;
      }
    return false;
  }
  /// The kernel that they make; nothing if that is not worth it.
  std::optional<loop_kernel> joined() const {
    std::int64_t row_bytes = 0, shared_bytes = 0;
    for (const shared_array& a : arrays_) {
      row_bytes += a.row_bytes;
      if (a.members > 1) shared_bytes += a.row_bytes * rows_;
    }
    if (members_.size() < 2 || !any_sums_ || shared_bytes < least_shared_bytes || row_bytes * block_rows > largest_block_bytes) return {};
    std::int64_t block = std::max(usual_block_bytes / row_bytes / block_rows, std::int64_t(1)) * block_rows;
    while (rows_ > block * many_blocks && 2 * block * row_bytes <= largest_block_bytes) block *= 2;
    if (rows_ < least_blocks * block_rows) return {};
    while (rows_ < least_blocks * block && block > block_rows) block -= block_rows;
    loop_kernel r = members_[0];
    r.next.assign(members_.begin() + 1, members_.end());
    r.block = block;
    for (loop_kernel& m : r.next) m.block = block;
    return r;
  }

 private:
  struct shared_array {
    variable v;
    std::int64_t stride, row_bytes;  ///< from row to row, in elements; of what is touched of a row
    int members;
    bool is_written, is_whole_rows;  ///< by a member; each row by itself
  };
  /// Whether the elements that belong to a row lie between its beginning and that of the next one.
  static bool stays_in_row(const loop_kernel& k, const access& a, std::size_t loop) {
    std::int64_t low = a.offset, high = a.offset;
    for (std::size_t i = 0; i < a.strides.size(); ++i)
      if (i != loop) (a.strides[i] < 0 ? low : high) += a.strides[i] * (k.loops[i].extent - 1);
    return walks(a, loop) && low >= 0 && high < a.strides[loop];
  }
  const shared_array* known(variable v) const {
    for (const shared_array& a : arrays_)
      if (a.v == v) return &a;
    return nullptr;
  }
  bool fits(const loop_kernel& k, std::size_t loop) const {
    bool shares = false;
    for (const access& a : k.inputs) {
      if (std::find(sums_.begin(), sums_.end(), a.value.index()) != sums_.end()) return false;
      const shared_array* const s = known(a.value.index());
      if (!s) continue;
      const bool alike = walks(a, loop) && !a.wanders && a.strides[loop] == s->stride;
      if (s->is_written && !(alike && s->is_whole_rows && stays_in_row(k, a, loop))) return false;
      shares = shares || alike;
    }
    return shares;
  }
  void take(const loop_kernel& k, std::size_t loop) {
    std::vector<variable> counted;
    const auto touch = [&](const access& a, bool writes) {
      const variable v = a.value.index();
      if (!walks(a, loop)) {
        if (writes) sums_.push_back(v);
        return;
      }
      std::int64_t bytes = std::int64_t(size_of(a.type));
      for (std::size_t i = 0; i < a.strides.size(); ++i)
        if (i != loop && a.strides[i] != 0) bytes *= k.loops[i].extent;
      const bool first = std::find(counted.begin(), counted.end(), v) == counted.end();
      counted.push_back(v);
      for (shared_array& s : arrays_)
        if (s.v == v) {
          s.members += first && s.stride == a.strides[loop];
          s.row_bytes = std::max(s.row_bytes, bytes);
          return;
        }
      arrays_.push_back({v, a.strides[loop], bytes, 1, writes, stays_in_row(k, a, loop)});
    };
    for (const access& a : k.inputs) touch(a, false);
    for (const output& o : k.outputs) touch(o.to, true);
    any_sums_ = any_sums_ || k.loops[loop].inner;
    members_.push_back(k);
    members_.back().loops[loop].rows = true;
  }

  std::int64_t rows_;
  std::vector<loop_kernel> members_;
  std::vector<shared_array> arrays_;
  std::vector<variable> sums_;  ///< what members write that is known only after the last row
  bool any_sums_ = false;
};

/// Joins kernels of a program that go through the same rows into one, at the place of the first of them. Complexity: for each kernel, linear in
/// the few steps after it.
inline void join_rows(const jaxpr& p, lowered_program& l) {
  static constexpr std::size_t most_ahead = 16;
  const auto reads_any = [](const loop_kernel& k, const std::vector<variable>& made) {
    return std::any_of(k.inputs.begin(), k.inputs.end(), [&](const access& a) { return std::find(made.begin(), made.end(), a.value.index()) != made.end(); });
  };
  std::vector<char> joined_before(l.kernels.size(), false);
  std::vector<lowered_step> steps;
  for (std::size_t i = 0; i < l.steps.size(); ++i) {
    const lowered_step& step = l.steps[i];
    if (step.kernel >= 0 && joined_before[std::size_t(step.kernel)]) continue;
    steps.push_back(step);
    if (step.kernel < 0) continue;
    loop_kernel& first = l.kernels[std::size_t(step.kernel)];
    for (std::size_t loop = 0; loop < first.loops.size(); ++loop) {
      if (first.loops[loop].extent < least_blocks * block_rows || !runs_in_blocks_of(first, loop)) continue;
      row_chain chain(first, loop);
      std::vector<variable> between;  // what steps make that stay where they are
      std::vector<int> members;
      for (std::size_t j = i + 1; j < l.steps.size() && j <= i + most_ahead; ++j) {
        const lowered_step& later = l.steps[j];
        if (later.kernel < 0) {
          for (variable v : p.outputs(p.equations[later.equation])) between.push_back(v);
          continue;
        }
        if (joined_before[std::size_t(later.kernel)]) continue;
        const loop_kernel& k = l.kernels[std::size_t(later.kernel)];
        if (!reads_any(k, between) && chain.add(k)) members.push_back(later.kernel);
        else
          for (const output& o : k.outputs) between.push_back(o.to.value.index());
      }
      std::optional<loop_kernel> all = chain.joined();
      if (!all) continue;
      first = std::move(*all);
      for (int m : members) {
        joined_before[std::size_t(m)] = true;
        std::vector<variable>& own = l.computed[std::size_t(step.kernel)];
        own.insert(own.end(), l.computed[std::size_t(m)].begin(), l.computed[std::size_t(m)].end());
        jacquard::detail::sort_unique(own);
      }
      break;
    }
  }
  // The others close ranks.
  std::vector<int> number;
  std::size_t count = 0;
  for (std::size_t n = 0; n < l.kernels.size(); ++n) {
    number.push_back(int(count));
    if (joined_before[n]) continue;
    if (count != n) l.kernels[count] = std::move(l.kernels[n]), l.computed[count] = std::move(l.computed[n]);
    ++count;
  }
  l.kernels.resize(count);
  l.computed.resize(count);
  for (lowered_step& s : steps)
    if (s.kernel >= 0) s.kernel = number[std::size_t(s.kernel)];
  l.steps = std::move(steps);
}

}  // namespace jacquard::lowering::detail
