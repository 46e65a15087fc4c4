#pragma once
// Runs of a program all of whose steps are kernels: where each value lies is decided once, so that a call fills a table of pointers
// and goes through the kernels, without handles for what lies between them. Intermediate values share one block of memory, in which
// those that are not alive at the same time overlap. Deliberately without donated arguments and without other equations.

#include <algorithm>

#include "jacquard/core/array.hpp"
#include "jacquard/exec/lowering/clusters.hpp"

namespace jacquard::cpu {

using lowering::lowered_program;
using lowering::lowered_step;

/// A compiled kernel and the values it gets, in the order of its pointers.
struct native_kernel {
  void (*run)(void**) = nullptr;
  text name;                         ///< what it computes, for those who observe it
  std::vector<variable> places;
  std::vector<variable> outputs;
  std::vector<std::int64_t> donors;  ///< by output: the variable whose memory it may take, or -1
};

class pointer_plan {
 public:
  /// The plan of a program with these kernels, by number in `l`. It fits only if each step is a kernel or another view of a value.
  pointer_plan(const jaxpr& p, const lowered_program& l, const std::vector<native_kernel>& kernels) : place_(p.avals.size(), nowhere) {
    for (const lowered_step& s : l.steps)
      if (s.kernel < 0 && (!s.alias || p.inputs(p.equations[s.equation])[0].is_literal())) return;
    find_roots(p, l);
    for (variable v : p.constvars) place_[v] = count_++;
    for (variable v : p.invars) place_[v] = count_++;
    given_ = count_;
    place_results(p);
    place_intermediates(p, l, kernels);
    for (const lowered_step& s : l.steps) {
      if (s.kernel < 0) continue;
      const native_kernel& k = kernels[std::size_t(s.kernel)];
      calls_.push_back({k.run, k.name, {}});
      for (variable v : k.places) calls_.back().places.push_back(place_[root_[v]]);
      most_places_ = std::max(most_places_, k.places.size());
    }
    fits_ = true;
  }
  bool fits() const { return fits_; }
  /// The block that intermediate values share.
  std::int64_t arena_bytes() const { return arena_bytes_; }
  /// Where a value lies in that block; "" if it lies elsewhere.
  text place_of(variable v) const {
    const std::uint32_t place = place_[root_[v]], first_slot = given_ + std::uint32_t(made_.size());
    if (place == nowhere || place < first_slot) return {};
    return cat("arena + ", offsets_[place - first_slot]);
  }

  /// Runs on concrete arrays. `Observed`: each kernel is an event. Errors: deleted_error for an array that was donated elsewhere.
  template <bool Observed = false>
  void run(view<const array> constants, view<const array> arguments, view<array> results, [[maybe_unused]] device_id device = {}) const {
    pointers space;
    void** const table = space.take(count_ + most_places_);
    std::size_t at = 0, literals = 0;
    for (const array& x : constants) literals += x.as_buffer() ? 0 : 1;
    for (const array& x : arguments) literals += x.as_buffer() ? 0 : 1;
    small_vector<scalar_memory, 4> scalars(literals);
    const auto give = [&](const array& x) {
      if (const buffer* b = x.as_buffer()) {
        b->check_alive();
        table[at++] = b->data;
        return;
      }
      x.as_literal().store_to(scalars[--literals].bytes);
      table[at++] = scalars[literals].bytes;
    };
    for (const array& x : constants) give(x);
    for (const array& x : arguments) give(x);
    for (const made_result& r : made_) {
      results[r.number] = array(make_buffer(r.type));
      table[at++] = results[r.number].as_buffer()->data;
    }
    array arena;
    if (arena_bytes_ != 0) {
      arena = array(make_buffer({u8, {arena_bytes_}}));
      for (std::int64_t offset : offsets_) table[at++] = static_cast<char*>(arena.as_buffer()->data) + offset;
    }
    void** const own = table + count_;
    for (const call& c : calls_) {
      for (std::size_t i = 0; i < c.places.size(); ++i) own[i] = table[c.places[i]];
      if constexpr (Observed) {
        const jacquard::detail::event_scope scope(event_kind::kernel, c.name, device);
        c.run(own);
      } else c.run(own);
    }
    for (const passed_result& r : passed_) pass(r, constants, arguments, results);
  }

 private:
  static constexpr std::uint32_t nowhere = ~0u;
  struct call {
    void (*run)(void**);
    text name;
    std::vector<std::uint32_t> places;  ///< in the table
  };
  struct made_result {
    std::size_t number;
    aval type;
  };
  /// A result that is a constant, an argument or another result, perhaps of another shape, or a literal.
  struct passed_result {
    std::size_t number;
    std::uint32_t place;  ///< nowhere: the literal
    aval type;
    literal value;
  };
  struct alignas(16) scalar_memory {
    unsigned char bytes[16];
  };
  /// Room for pointers, on the stack where there are few.
  class pointers {
   public:
    void** take(std::size_t count) {
      if (count <= std::size(few_)) return few_;
      many_.resize(count);
      return many_.data();
    }

   private:
    void* few_[48];
    std::vector<void*> many_;
  };

  void pass(const passed_result& r, view<const array> constants, view<const array> arguments, view<array> results) const {
    if (r.place == nowhere) {
      results[r.number] = array(r.value);
      return;
    }
    const array& x = r.place >= given_             ? results[made_[r.place - given_].number]
                     : r.place < constants.size() ? constants[r.place]
                                                  : arguments[r.place - constants.size()];
    if (x.as_buffer() && !same_type(x.as_buffer()->type, r.type)) results[r.number] = array(share_buffer(*x.as_buffer(), r.type));
    else results[r.number] = x;
  }

  /// What a view shows the memory of.
  void find_roots(const jaxpr& p, const lowered_program& l) {
    for (variable v = 0; v < p.avals.size(); ++v) root_.push_back(v);
    for (const lowered_step& s : l.steps) {
      if (s.kernel >= 0) continue;
      const equation& e = p.equations[s.equation];
      root_[p.outputs(e)[0]] = root_[p.inputs(e)[0].index()];
    }
  }
  void place_results(const jaxpr& p) {
    for (std::size_t i = 0; i < p.outvars.size(); ++i) {
      const atom a = p.outvars[i];
      if (a.is_literal()) {
        passed_.push_back({i, nowhere, {}, p.literals[a.index()]});
        continue;
      }
      std::uint32_t& place = place_[root_[a.index()]];
      if (place != nowhere) {
        passed_.push_back({i, place, p.avals[a.index()], {}});
        continue;
      }
      place = count_++;
      made_.push_back({i, p.avals[a.index()]});
    }
  }

  struct slot {
    std::int64_t bytes = 0, offset = 0;
    std::size_t first = 0, last = 0;  ///< steps that use it
  };
  /// From the last step to the first, so that a value whose memory another one takes over gets that one's place.
  void place_intermediates(const jaxpr& p, const lowered_program& l, const std::vector<native_kernel>& kernels) {
    const std::uint32_t first_slot = count_;
    std::vector<std::size_t> last_use(p.avals.size(), 0), views(p.avals.size(), 0);
    for (variable r : root_) ++views[r];
    for (std::size_t n = 0; n < l.steps.size(); ++n)
      if (l.steps[n].kernel >= 0)
        for (variable v : kernels[std::size_t(l.steps[n].kernel)].places) last_use[root_[v]] = n;
    std::vector<slot> slots;
    for (std::size_t n = l.steps.size(); n-- > 0;) {
      if (l.steps[n].kernel < 0) continue;
      const native_kernel& k = kernels[std::size_t(l.steps[n].kernel)];
      for (std::size_t i = 0; i < k.outputs.size(); ++i) {
        const variable v = root_[k.outputs[i]];
        if (place_[v] == nowhere) {
          place_[v] = count_++;
          slots.push_back({p.avals[v].bytes(), 0, n, last_use[v]});
        }
        if (place_[v] >= first_slot) slots[place_[v] - first_slot].first = n;
        if (k.donors[i] < 0) continue;
        const variable donor = root_[std::size_t(k.donors[i])];
        // Where other variables show the memory, the donor's reader need not be the last one.
        if (place_[donor] == nowhere && views[donor] == 1) place_[donor] = place_[v];
      }
    }
    for (std::size_t i = 0; i < slots.size(); ++i) {
      settle(slots, i);
      offsets_.push_back(slots[i].offset);
      arena_bytes_ = std::max(arena_bytes_, slots[i].offset + rounded(slots[i].bytes));
    }
  }
  static std::int64_t rounded(std::int64_t bytes) {
    constexpr auto alignment = std::int64_t(jacquard::detail::buffer_alignment);
    return (bytes + alignment - 1) / alignment * alignment;
  }
  /// Puts slot i at the lowest offset where none of those before it lies that is alive at the same time.
  static void settle(std::vector<slot>& slots, std::size_t i) {
    slot& s = slots[i];
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t j = 0; j < i; ++j) {
        const slot& t = slots[j];
        const bool together = t.first <= s.last && s.first <= t.last;
        if (!together || t.offset >= s.offset + rounded(s.bytes) || s.offset >= t.offset + rounded(t.bytes)) continue;
        s.offset = t.offset + rounded(t.bytes);
        moved = true;
      }
    }
  }

  bool fits_ = false;
  std::vector<variable> root_;         ///< by variable
  std::vector<std::uint32_t> place_;   ///< by root: in the table, after constants, arguments and results the slots
  std::uint32_t count_ = 0, given_ = 0;
  std::vector<made_result> made_;
  std::vector<passed_result> passed_;
  std::vector<std::int64_t> offsets_;  ///< of slots
  std::int64_t arena_bytes_ = 0;
  std::vector<call> calls_;
  std::size_t most_places_ = 0;
};

}  // namespace jacquard::cpu
