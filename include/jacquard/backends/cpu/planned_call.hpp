#pragma once
// One step of a plan of pointers: a compiled kernel, an equation with a kernel of its own, one for the host, or one that holds programs, and
// where it has its pointers. What its kernel wants to know besides lies with these, so that a run is a call and nothing else. Deliberately
// runs no programs: their plans do.

#include <algorithm>
#include <iterator>
#include <optional>

#include "jacquard/backends/cpu/native_kernel.hpp"
#include "jacquard/core/array.hpp"
#include "jacquard/core/block_cache.hpp"
#include "jacquard/core/merge_sort.hpp"

namespace jacquard::cpu {

class pointer_plan;

namespace detail {
inline void copy_value(const aval& type, const void* from, void* to) {
  if (const std::int64_t bytes = type.bytes(); bytes != 0) std::memcpy(to, from, std::size_t(bytes));
}
inline constexpr std::uint32_t nowhere = ~0u;
/// New memory, which is then the array's.
inline void* new_memory(array& x, const aval& type, std::int64_t bytes) {
  buffer* const b = make_buffer(type, bytes);
  x.reset(b);
  return b->data;
}
struct made_result {
  std::size_t number;
  aval type;
  std::int64_t bytes;
  std::uint32_t at = nowhere;  ///< its pointer in the table of `run_direct`
  std::uint32_t first_donor = 0, last_donor = 0;  ///< the arguments it may lie over, in the plan's list
  void* memory_in(array& x) const { return new_memory(x, type, bytes); }
};
/// That of a constant or an argument.
struct pointer {
  std::uint32_t at, of, is_constant;
};
/// A result that is a constant, an argument or another result, perhaps of another shape, or a literal.
struct passed_result {
  std::size_t number;
  std::uint32_t place;  ///< nowhere: the literal
  aval type;
  literal value;
  void copy_to(void* to, void* const* table) const {
    if (place == nowhere) value.store_to(to);
    else if (table[place] != to) copy_value(type, table[place], to);
  }
};
/// Where a literal lies that has no buffer.
struct alignas(16) scalar_memory {
  unsigned char bytes[16];
};
/// Where the constants and arguments of a run lie: literals among them get some memory here.
class given_memory {
 public:
  explicit given_memory(std::size_t count) : count_(count) {}
  given_memory(const given_memory&) = delete;
  /// Errors: deleted_error for one that was donated elsewhere.
  void* place_of(const array& x) {
    if (const buffer* b = x.as_buffer()) {
      b->check_alive();
      return b->data;
    }
    if (next_ == std::end(few_)) next_ = static_cast<scalar_memory*>(many_.emplace(std::int64_t(count_ * sizeof(scalar_memory))).data);
    x.as_literal().store_to(next_->bytes);
    return next_++->bytes;
  }

 private:
  const std::size_t count_;
  scalar_memory few_[8], *next_ = few_;
  std::optional<jacquard::detail::scratch_block> many_;
};
/// A result that may lie where an argument lies.
struct overwritten {
  std::size_t result, argument;
};
/// Puts together what is said of one result, in the order it was said, and tells that where.
inline void sort_by_result(std::vector<overwritten>& all, std::vector<made_result>& made) {
  jacquard::detail::stable_sort(all, [](const overwritten& a, const overwritten& b) { return a.result < b.result; });
  for (made_result& r : made) {
    const auto begin = std::partition_point(all.begin(), all.end(), [&](const overwritten& o) { return o.result < r.number; });
    const auto end = std::find_if(begin, all.end(), [&](const overwritten& o) { return o.result != r.number; });
    r.first_donor = std::uint32_t(begin - all.begin()), r.last_donor = std::uint32_t(end - all.begin());
  }
}
}  // namespace detail

struct planned_call {
  static constexpr std::uint32_t nowhere = detail::nowhere;
  /// Of an equation that holds programs.
  struct body {
    const pointer_plan* plan;
    std::int64_t tables;  ///< so many bytes behind the table of the program that runs it
    std::uint32_t arena;  ///< its place in that table
    char* tables_in(void** table) const { return reinterpret_cast<char*>(table) + tables; }
  };
  kernel_phase whole{};                 ///< of a kernel that is one piece; of an equation with its bodies, unless their steps are observed
  std::vector<std::uint32_t> places{};  ///< in the table; operands before results
  std::size_t first = 0;                ///< where its own pointers are, in order of its places
  const native_kernel* kernel = nullptr;
  const primitive* op = nullptr;
  bool chooses = false;  ///< its form is a choice
  location where{};
  param_view params{};
  std::size_t operands = 0;
  std::vector<aval> types{};
  std::vector<body> bodies{};
  std::uint32_t scratch = nowhere;

  /// Whether its own pointers are the operands and results of its kernel, each with its type.
  bool has_types() const { return op && !whole.entry && !op->place && !op->evaluate; }
  std::size_t words() const { return places.size() * (has_types() ? 2 : 1); }
  std::size_t word(std::size_t place) const { return first + place * (has_types() ? 2 : 1); }
  /// Fetches its pointers from the table.
  void fill(void** table) const {
    void** own = table + first;
    if (has_types()) {
      const auto refs = reinterpret_cast<tensor_ref*>(own);
      for (std::size_t i = 0; i < places.size(); ++i) refs[i] = {table[places[i]], &types[i]};
    } else {
      for (std::uint32_t p : places) *own++ = table[p];
    }
  }
  void run_equation(void** own) const {
    if (has_types()) return run_kernel(reinterpret_cast<const tensor_ref*>(own));
    small_vector<tensor_ref, 8> t;
    for (std::size_t i = 0; i < places.size(); ++i) t.push_back({own[i], &types[i]});
    run_kernel(t.data());
  }
  /// The host may keep what it is shown: it gets arrays of its own.
  void run_on_host(void** own, const device_id& device) const {
    small_vector<array, 4> in, out(places.size() - operands);
    for (std::size_t i = 0; i < operands; ++i) {
      in.push_back(array(make_buffer(types[i])));
      detail::copy_value(types[i], own[i], in.back().as_buffer()->data);
    }
    evaluate_call e{view<const array>(in.data(), in.size()), view<array>(out.data(), out.size()), params, nullptr, nullptr, device};
    op->evaluate(e);
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (const buffer* b = out[i].as_buffer()) detail::copy_value(types[operands + i], b->data, own[operands + i]);
      else out[i].as_literal().store_to(own[operands + i]);
    }
  }

 private:
  void run_kernel(const tensor_ref* t) const { op->kernel({{t, operands}, {t + operands, places.size() - operands}, params}); }
};

}  // namespace jacquard::cpu
