#pragma once
// What stands between an equation and the kernel that its primitive writes for one element type: pointers sorted into data and indices, and
// copies in the types in which the kernel computes, where the operands or results have others. Deliberately two ways to the same kernel:
// one without any copies or memory, for the few elements of an equation in a loop, and one for everything.

#include "jacquard/core/block_cache.hpp"
#include "jacquard/core/call_types.hpp"
#include "jacquard/core/kernel.hpp"

namespace jacquard::detail {

/// Whether bit k of a mask is set; bit 31 stands for all operands from the 32nd on.
constexpr bool bit(std::uint32_t mask, std::size_t k) { return (mask >> (k < 31 ? k : 31)) & 1u; }

/// Operands and results of a kernel that is not elementwise, as untyped pointers. Data in one list, indices in the other, null in the list
/// where they are not. Counts stand apart from the lists: views, just written word by word, would be copied whole, and such a load waits until
/// both words have left the store buffer, which is as long as a small kernel takes.
struct kernel_frame {
  const void* const* in;
  void* const* out;
  const std::int64_t* const* index;
  std::int64_t* const* index_out;
  const aval *in_types, *out_types;
  std::size_t operands, results;
};

/// The pointers of a call whose data has the types that the kernel computes in, and whose indices are 64-bit integers, or few: nothing is
/// copied but these, and nothing is cleared. Of a few operands and results whose types lie in a row.
class direct_frame {
 public:
  /// Returns whether it is such a call; the others take a frame_of_call.
  bool fits(const auto& c, std::uint32_t index_operands, std::uint32_t index_results, const dtype* work) {
    const std::size_t operands = c.in.size(), results = c.out.size();
    found_count_ = 0, narrow_ = nullptr;
    if (operands > std::size_t(most) || results > std::size_t(most)) return false;
    for (std::size_t k = 0; k < operands; ++k) {
      const tensor_ref& x = c.in[k];
      if (x.type != c.in[0].type + k) return false;
      in_[k] = nullptr, index_[k] = nullptr;
      if (!bit(index_operands, k)) {
        if (work && x.type->type != *work) return false;
        in_[k] = x.data;
      } else if (x.type->type == i64) {
        index_[k] = static_cast<const std::int64_t*>(x.data);
      } else {
        if (x.type->type != i32 || x.type->rank() != 0) return false;
        numbers_[k] = *static_cast<const std::int32_t*>(x.data);
        index_[k] = &numbers_[k];
      }
    }
    for (std::size_t k = 0; k < results; ++k) {
      const tensor_ref& y = c.out[k];
      if (y.type != c.out[0].type + k) return false;
      out_[k] = nullptr, index_out_[k] = nullptr;
      if (!bit(index_results, k)) {
        if (work && y.type->type != *work) return false;
        out_[k] = y.data;
      } else if (y.type->type == i64) {
        index_out_[k] = static_cast<std::int64_t*>(y.data);
      } else {
        if (y.type->type != i32 || found_count_ != 0 || y.type->elements() > most) return false;
        narrow_ = static_cast<std::int32_t*>(y.data), found_count_ = y.type->elements();
        index_out_[k] = found_;
      }
    }
    return true;
  }
  /// Once the kernel has run: gives indices the type that they have outside.
  void finish() const {
    for (std::int64_t i = 0; i < found_count_; ++i) narrow_[i] = std::int32_t(found_[i]);
  }
  kernel_frame pointers(const auto& c) const {
    const std::size_t n = c.in.size(), m = c.out.size();
    return {in_, out_, index_, index_out_, n == 0 ? nullptr : c.in[0].type, m == 0 ? nullptr : c.out[0].type, n, m};
  }

 private:
  static constexpr std::int64_t most = 6;
  const void* in_[most];
  void* out_[most];
  const std::int64_t* index_[most];
  std::int64_t* index_out_[most];
  std::int64_t numbers_[most], found_[most];
  std::int64_t found_count_;
  std::int32_t* narrow_;
};

/// The pointers of any call; owns the converted copies.
template <class Call>
class frame_of_call {
 public:
  /// Data operands become `work` (none: they stay as they are), index operands and results 64-bit integers.
  frame_of_call(const Call& c, std::uint32_t index_operands, std::uint32_t index_results, const dtype* work_type)
      : call_(c), index_results_(index_results), work_(work_type), in_types_(c.in), out_types_(c.out) {
    for (std::size_t k = 0; k < c.in.size(); ++k) {
      const bool is_index = bit(index_operands, k);
      in_.push_back(is_index ? nullptr : operand(k, work_ ? *work_ : in_types_[k].type));
      index_.push_back(is_index ? static_cast<const std::int64_t*>(operand(k, i64)) : nullptr);
    }
    for (std::size_t k = 0; k < c.out.size(); ++k) {
      const bool is_index = bit(index_results, k);
      out_.push_back(is_index ? nullptr : result(k, have(k)));
      index_out_.push_back(is_index ? static_cast<std::int64_t*>(result(k, i64)) : nullptr);
    }
  }
  /// Converts results back to the dtypes of the outputs.
  void finish() {
    for (std::size_t k = 0; k < call_.out.size(); ++k)
      if (have(k) != out_types_[k].type)
        convert_elements(have(k), results_[k], out_types_[k].type, call_.out[k].data, out_types_[k].elements());
  }
  frame_of_call(const frame_of_call&) = delete;
  ~frame_of_call() {
    for (const auto& [data, bytes] : blocks_) give_block(data, bytes);
  }
  kernel_frame pointers() const {
    const view<const aval> in_types = in_types_, out_types = out_types_;
    return {in_.data(), out_.data(), index_.data(), index_out_.data(), in_types.data(), out_types.data(), in_.size(), out_.size()};
  }

 private:
  dtype have(std::size_t k) const { return bit(index_results_, k) ? i64 : work_ ? *work_ : out_types_[k].type; }
  const void* operand(std::size_t k, dtype want) {
    if (in_types_[k].type == want) return call_.in[k].data;
    void* const copy = room(in_types_[k].elements() * std::int64_t(size_of(want)));
    convert_elements(in_types_[k].type, call_.in[k].data, want, copy, in_types_[k].elements());
    return copy;
  }
  void* result(std::size_t k, dtype want) {
    if (out_types_[k].type == want) return call_.out[k].data;
    results_.resize(call_.out.size());
    return results_[k] = room(out_types_[k].elements() * std::int64_t(size_of(want)));
  }
  /// So many bytes, and some more. Numbers, such as the indices at which a loop writes, take none of the thread's blocks.
  void* room(std::int64_t bytes) {
    constexpr std::int64_t more = 16;
    if (bytes + more <= std::int64_t(sizeof few_[0]) && few_used_ < 4) return few_[few_used_++];
    const auto all = std::size_t(whole_lines(bytes + more));
    void* const memory = take_block(all);
    if (!memory) throw std::bad_alloc();
    blocks_.push_back({memory, all});
    return memory;
  }

  const Call& call_;
  std::uint32_t index_results_;
  const dtype* work_;
  const call_types in_types_, out_types_;
  small_vector<const void*, 4> in_;
  small_vector<void*, 2> out_;
  small_vector<const std::int64_t*, 4> index_;
  small_vector<std::int64_t*, 2> index_out_;
  small_vector<void*, 2> results_;
  small_vector<std::pair<void*, std::size_t>, 2> blocks_;
  alignas(16) unsigned char few_[4][32];
  std::size_t few_used_ = 0;
};

/// A kernel of one element type, type-erased.
using frame_kernel = void (*)(const kernel_frame&, const param_view&);

/// Runs a kernel on a call. `work`: the type of data in it; none: as it is.
template <class Call>
void run_on_frame(const Call& c, std::uint32_t index_operands, std::uint32_t index_results, const dtype* work, frame_kernel kernel) {
  if (direct_frame few; few.fits(c, index_operands, index_results, work)) {
    kernel(few.pointers(c), c.params);
    return few.finish();
  }
  frame_of_call<Call> frame(c, index_operands, index_results, work);
  kernel(frame.pointers(), c.params);
  frame.finish();
}

/// Runs the kernel of the compute type of the first data operand.
template <class Call>
void run_computing(const Call& c, std::uint32_t index_operands, std::uint32_t index_results, const frame_kernel* by_compute) {
  std::size_t data = 0;
  while (data < c.in.size() && bit(index_operands, data)) ++data;
  const compute kind = compute_of(data < c.in.size() ? c.in[data].type->type : c.out[0].type->type);
  const dtype work = storage_of(kind);
  run_on_frame(c, index_operands, index_results, &work, by_compute[int(kind)]);
}

/// Runs a kernel that only moves elements, by the size of an element.
template <class Call>
void run_movement(const Call& c, std::uint32_t index_operands, const frame_kernel* by_size) {
  int log2_size = 0;
  while ((1u << log2_size) < size_of(c.out[0].type->type)) ++log2_size;
  run_on_frame(c, index_operands, 0, nullptr, by_size[log2_size]);
}

}  // namespace jacquard::detail
