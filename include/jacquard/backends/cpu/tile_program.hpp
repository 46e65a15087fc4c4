#pragma once
// The tile interpreter: runs the code of a tile plan over a kernel's loops, in a frame of its own, on any range of the kernel's units.
// It needs no compiler, and is what programs run on before they earn one, and where there is none. Deliberately decides nothing: see
// backends/cpu/tile_plan.

#include "jacquard/backends/cpu/range_plan.hpp"
#include "jacquard/backends/cpu/sum_pieces.hpp"
#include "jacquard/backends/cpu/tile_plan.hpp"
#include "jacquard/core/array.hpp"
#include "jacquard/core/ref.hpp"

namespace jacquard::cpu {

class tile_program : public counted, tile_plan {
 public:
  explicit tile_program(const loop_kernel& k, bool strict, const detail::tile_set& set = detail::best_tile_set()) : tile_plan(k, strict, set) {
    for (const access& a : k_.inputs) places_.push_back(place_of(a));
    for (const output& o : k_.outputs) places_.push_back(place_of(o.to));
    for (std::size_t i : outer_loops_) units_ *= k_.loops[i].extent;
    for (std::size_t i : inner_loops_) inner_times_ *= k_.loops[i].extent;
    const std::int64_t blocks = (tile_elements_ + block_ - 1) / block_;
    (tile_is_inner_ ? inner_blocks_ : blocks_) = blocks;
    units_ *= blocks_;
    for (std::size_t i = 0; i < slots_.size(); ++i)
      if (slots_[i].lies == tile_slot::row) rows_in_blocks_.push_back(i);
    nanoseconds_ = range_plan(k_, depends_, {}, true).nanoseconds();
    pointer_bytes_ = std::int64_t((slots_.size() * sizeof(char*) + 63) / 64 * 64);
  }

  /// The variables whose memory it gets, in the order of its pointers.
  const std::vector<atom>& values() const { return values_; }
  /// What may run apart: tiles along an outer loop. One for a kernel that is not worth cutting.
  std::int64_t units() const { return nanoseconds_ < worth_cutting ? 1 : units_; }
  double nanoseconds() const { return nanoseconds_; }

  /// The entry of a kernel; `self` is a tile_program.
  static void run(void** pointers, std::int64_t begin, std::int64_t end, const void* self) {
    const auto& p = *static_cast<const tile_program*>(self);
    if (p.units() == 1) begin = 0, end = p.units_;
    p.run_units(pointers, begin, end);
  }

 private:
  static constexpr double worth_cutting = 20000;
  static constexpr std::int64_t few_bytes = 8192;

  /// Where the first element of an access lies in a tile, given the indices of the loops around tiles.
  struct place {
    std::size_t pointer;
    std::int64_t offset;  ///< in bytes
    std::size_t loops;
    struct {
      std::size_t loop;
      std::int64_t bytes;
    } steps[32];
  };
  struct running {
    void* const* memory;
    char** at;                      ///< by slot
    char* own;
    std::int64_t index[32] = {};    ///< by loop outside the tile
    std::int64_t first = 0, n = 0;  ///< elements of this tile
    std::int32_t begins = 1;  ///< of a reduction: 1 the first one, 2 the first of some more; see JACQUARD_TILE_FOLD
    bool ends = true;         ///< it is the last one of a reduction
    bool is_short() const { return n < tile_granule; }
  };

  void run_units(void* const* memory, std::int64_t begin, std::int64_t end) const {
    if (pointer_bytes_ + frame_bytes_ > few_bytes) {
      const jacquard::detail::scratch_block many(pointer_bytes_ + frame_bytes_);
      return run_units(memory, begin, end, static_cast<char*>(many.data));
    }
    alignas(64) char few[few_bytes];
    run_units(memory, begin, end, few);
  }
  void run_units(void* const* memory, std::int64_t begin, std::int64_t end, char* frame) const {
    running r{memory, reinterpret_cast<char**>(frame), frame + pointer_bytes_};
    char* const constants = const_cast<char*>(reinterpret_cast<const char*>(constants_.data()));
    for (std::size_t i = 0; i < slots_.size(); ++i) r.at[i] = (slots_[i].lies == tile_slot::constant ? constants : r.own) + slots_[i].offset;
    execute(sections_[0], r);
    for (std::int64_t unit = begin; unit < end; ++unit) {
      std::int64_t rest = unit / blocks_;
      for (std::size_t i = outer_loops_.size(); i-- > 0;) {
        const std::int64_t extent = k_.loops[outer_loops_[i]].extent;
        r.index[outer_loops_[i]] = rest % extent;
        rest /= extent;
      }
      if (tile_is_inner_) run_sections(r);
      else enter(unit % blocks_, r), run_sections(r);
    }
  }
  void run_sections(running& r) const {
    for (std::size_t s = 1; s < sections_.size(); ++s) {
      if (sections_[s].is_fold) continue;
      if (sections_[s].is_inner) run_inner(sections_[s], r);
      else execute(sections_[s], r);
    }
  }
  void enter(std::int64_t block, running& r) const {
    r.first = block * block_;
    r.n = std::min(block_, tile_elements_ - r.first);
  }
  void run_inner(const tile_section& s, running& r) const {
    for (std::size_t i : inner_loops_) r.index[i] = 0;
    const std::int64_t times = inner_times_, blocks = inner_blocks_, piece = numbers_in_piece(times);
    for (std::int64_t time = 0; time < times; ++time) {
      for (std::int64_t block = 0; block < blocks; ++block) {
        if (tile_is_inner_) {
          enter(block, r), enter_rows(r);
          const std::int64_t number = time * blocks + block;
          r.begins = number == 0 ? 1 : number % 64 == 0 ? 2 : 0, r.ends = number + 1 == times * blocks;
        }
        execute(s, r);
      }
      if (const tile_section* next = &s + 1; next != sections_.data() + sections_.size() && next->is_fold && (((time + 1) & (piece - 1)) == 0 || time + 1 == times)) execute(*next, r);
      for (std::size_t i = inner_loops_.size(); i-- > 0;) {
        if (++r.index[inner_loops_[i]] < k_.loops[inner_loops_[i]].extent) break;
        r.index[inner_loops_[i]] = 0;
      }
    }
  }
  void enter_rows(running& r) const {
    for (std::size_t i : rows_in_blocks_) r.at[i] = r.own + slots_[i].offset + r.first * slots_[i].size;
  }

  void execute(const tile_section& s, running& r) const {
    for (std::size_t k = 0; k < s.code.size(); ++k) {
      const tile_instruction& i = s.code[k];
      switch (i.what) {
        case tile_action::compute: compute(i, r); break;
        case tile_action::look: look(i, first_address(i, r), r); break;
        case tile_action::lookup: transfer<way::looked_up>(k_.inputs[std::size_t(i.of)], input_address(i.of, r), r.at[i.out], r, r.at[i.in[0]]); break;
        case tile_action::aim: aim(i, r); break;
        case tile_action::gather: transfer<way::in>(k_.inputs[std::size_t(i.of)], first_address(i, r), r.at[i.out], r); break;
        case tile_action::fill: spread(first_address(i, r), r.at[i.out], slots_[std::size_t(i.out)].size, tile_granule); break;
        case tile_action::store: store(i, r); break;
        case tile_action::unless:
          if (!std::memchr(r.at[i.in[0]], 0, std::size_t(slots_[std::size_t(i.in[0])].varies ? r.n : tile_granule))) k += std::size_t(i.of);
          break;
        case tile_action::index: count(i, r); break;
        case tile_action::clear: {
          const tile_slot& out = slots_[std::size_t(i.out)];
          spread(r.at[i.in[0]], r.at[i.out], out.size, (out.count + tile_granule - 1) / tile_granule * tile_granule);
          break;
        }
        case tile_action::combine:
          if (tile_is_inner_) combine(i, r);
          else compute(i, r);
          break;
      }
    }
  }

  // --- operations ---
  /// A tile shorter than a granule works on copies, which have room for one.
  void look(const tile_instruction& i, char* first, running& r) const {
    const tile_slot& out = slots_[std::size_t(i.out)];
    char* const here = first + r.first * out.size;
    if (!r.is_short()) r.at[i.out] = here;
    else std::memcpy(r.at[i.out] = r.own + out.offset, here, std::size_t(r.n * out.size));
  }
  void aim(const tile_instruction& i, running& r) const {
    const tile_slot& out = slots_[std::size_t(i.out)];
    r.at[i.out] = r.is_short() ? r.own + out.offset : output_address(i.of, r) + r.first * out.size;
  }
  void compute(const tile_instruction& i, const running& r) const {
    i.op.run({r.at[i.out], {r.at[i.in[0]], r.at[i.in[1]], r.at[i.in[2]]}, {i.step[0], i.step[1], i.step[2]}, i.varies ? std::max(r.n, tile_granule) : tile_granule, i.op.extra});
  }
  /// Where the tile runs along rows: see JACQUARD_TILE_FOLD.
  void combine(const tile_instruction& i, const running& r) const {
    i.op.run({r.at[i.out], {r.at[i.in[0]], r.at[i.in[1]], r.at[i.in[2]]}, {r.begins, slots_[std::size_t(i.in[1])].varies, r.ends}, r.n, nullptr});
  }
  void count(const tile_instruction& i, const running& r) const {
    auto out = reinterpret_cast<std::int64_t*>(r.at[i.out]);
    if (!slots_[std::size_t(i.out)].varies) {
      for (std::int64_t k = 0; k < tile_granule; ++k) out[k] = r.index[i.of];
      return;
    }
    std::int64_t inner = 1;
    for (std::size_t t : tile_loops_) {
      if (int(t) == i.of) break;
      inner *= k_.loops[t].extent;
    }
    const std::int64_t extent = k_.loops[std::size_t(i.of)].extent;
    std::int64_t at = r.first / inner % extent, within = r.first % inner;
    for (std::int64_t k = 0; k < r.n; ++k) {
      out[k] = at;
      if (++within == inner) {
        within = 0;
        if (++at == extent) at = 0;
      }
    }
  }
  void store(const tile_instruction& i, const running& r) const {
    const access& a = k_.outputs[std::size_t(i.of)].to;
    const std::size_t size = slots_[std::size_t(i.in[0])].size;
    char* const to = output_address(i.of, r);
    const char* const x = r.at[i.in[0]];
    switch (walk_of(a)) {
      case walk::stays: std::memcpy(to, x, size); break;
      case walk::dense:
        if (to + r.first * std::int64_t(size) != x) std::memcpy(to + r.first * std::int64_t(size), x, std::size_t(r.n) * size);
        break;
      case walk::apart: transfer<way::out>(a, to, const_cast<char*>(x), r); break;
    }
  }

  // --- elements ---
  char* address(const place& p, const running& r) const {
    std::int64_t offset = p.offset;
    for (std::size_t i = 0; i < p.loops; ++i) offset += p.steps[i].bytes * r.index[p.steps[i].loop];
    return static_cast<char*>(r.memory[p.pointer]) + offset;
  }
  char* input_address(std::int32_t number, const running& r) const { return address(places_[std::size_t(number)], r); }
  char* output_address(std::int32_t number, const running& r) const { return address(places_[k_.inputs.size() + std::size_t(number)], r); }

  /// Where an input lies for an instruction that may read all of it some elements further on.
  char* first_address(const tile_instruction& i, const running& r) const {
    char* const first = input_address(i.of, r);
    if (i.in[0] < 0) return first;
    std::int64_t further;
    std::memcpy(&further, r.at[i.in[0]], sizeof further);
    return first + further * std::int64_t(size_of(k_.inputs[std::size_t(i.of)].type));
  }

  static void spread(const char* from, char* to, int size, std::int64_t count) {
    const auto fill = [&]<class T>(T x) {
      std::memcpy(&x, from, sizeof x);
      for (std::int64_t i = 0; i < count; ++i) std::memcpy(to + i * std::int64_t(sizeof x), &x, sizeof x);
    };
    if (size == 1) fill(std::uint8_t());
    else if (size == 2) fill(std::uint16_t());
    else if (size == 4) fill(std::uint32_t());
    else fill(std::uint64_t());
  }
  enum class way : char { in, out, looked_up };
  /// Moves elements that lie apart into a tile, or back. `memory` is where the first one of all tiles lies; `places` says how many elements
  /// further on they are looked up.
  template <way Way>
  void transfer(const access& a, char* memory, char* tile, const running& r, const char* places = nullptr) const {
    const int size = int(size_of(a.type));
    if (size == 1) move<Way, std::uint8_t>(a, memory, tile, r, places);
    else if (size == 2) move<Way, std::uint16_t>(a, memory, tile, r, places);
    else if (size == 4) move<Way, std::uint32_t>(a, memory, tile, r, places);
    else move<Way, std::uint64_t>(a, memory, tile, r, places);
  }
  template <way Way, class T>
  void move(const access& a, char* memory, char* tile, const running& r, const char* places) const {
    constexpr bool is_out = Way == way::out;
    std::int64_t index[32], rest = r.first, offset = 0;
    for (std::size_t t = 0; t < tile_loops_.size(); ++t) {
      index[t] = rest % k_.loops[tile_loops_[t]].extent;
      rest /= k_.loops[tile_loops_[t]].extent;
      offset += index[t] * a.strides[tile_loops_[t]];
    }
    const std::size_t innermost = tile_loops_[0];
    const std::int64_t extent = k_.loops[innermost].extent, stride = a.strides[innermost];
    for (std::int64_t done = 0; done < r.n;) {
      const std::int64_t count = std::min(extent - index[0], r.n - done);
      T* x = reinterpret_cast<T*>(memory) + offset;
      T* y = reinterpret_cast<T*>(tile) + done;
      if constexpr (Way == way::looked_up) {
        const std::int64_t* further = reinterpret_cast<const std::int64_t*>(places) + done;
        for (std::int64_t i = 0; i < count; ++i) y[i] = x[i * stride + further[i]];
      } else if (stride == 1) std::memcpy(is_out ? x : y, is_out ? y : x, std::size_t(count) * sizeof(T));
      else
        for (std::int64_t i = 0; i < count; ++i) {
          if constexpr (is_out) x[i * stride] = y[i];
          else y[i] = x[i * stride];
        }
      done += count;
      index[0] += count;
      offset += count * stride;
      for (std::size_t t = 0; t + 1 < tile_loops_.size() && index[t] == k_.loops[tile_loops_[t]].extent; ++t) {
        offset += a.strides[tile_loops_[t + 1]] - index[t] * a.strides[tile_loops_[t]];
        index[t] = 0;
        ++index[t + 1];
      }
    }
  }

  place place_of(const access& a) {
    const std::int64_t size = std::int64_t(size_of(a.type));
    place p{0, a.offset * size, 0, {}};
    while (p.pointer < values_.size() && !(values_[p.pointer] == a.value)) ++p.pointer;
    if (p.pointer == values_.size()) values_.push_back(a.value);
    for (std::size_t i = 0; i < a.strides.size(); ++i)
      if (a.strides[i] != 0 && !covers(i)) p.steps[p.loops++] = {i, a.strides[i] * size};
    return p;
  }

  std::vector<atom> values_;
  std::vector<place> places_;  ///< by input, then by output
  std::vector<std::size_t> rows_in_blocks_;  ///< slots that hold a row of several tiles
  std::int64_t units_ = 1, blocks_ = 1;
  std::int64_t inner_times_ = 1, inner_blocks_ = 1;  ///< iterations of the inner loops that the tile does not cover; tiles in each
  std::int64_t pointer_bytes_ = 0;
  double nanoseconds_ = 0;
};

}  // namespace jacquard::cpu
