#pragma once
// The functions of oneDNN, version 2, that compute convolutions, and how they are told of operands: hand-written types, no header of it.
// Deliberately without a computation.

#include "jacquard/backends/cpu/onednn_library.hpp"
#include "jacquard/core/array.hpp"
#include "jacquard/prims/convolution_library.hpp"
#include "jacquard/prims/matrix_product.hpp"

namespace jacquard::cpu::detail {

/// Numbers of oneDNN 2: kinds, queries and names of arguments.
namespace onednn_number {
enum : int { processor = 1, any_layout = 1, direct_convolution = 1, f32 = 3, implementation = 8, forward_training = 64, forward_inference = 96, own_scratchpad = 1 };
enum : int {
  source_layout = 129, source_gradient_layout = 130, weights_layout = 131, weights_gradient_layout = 132, result_layout = 133, result_gradient_layout = 134,
  scratchpad_layout = 136
};
enum : int { source = 1, result = 17, weights = 33, scratchpad = 80, source_gradient = 129, result_gradient = 145, weights_gradient = 161 };
}  // namespace onednn_number

/// The C functions that are called; pointers without a type are theirs.
struct onednn_functions {
  struct argument {
    int name;
    void* memory;
  };
  int (*make_engine)(void**, int, std::size_t) = nullptr;
  int (*make_stream)(void**, void*, unsigned) = nullptr;
  int (*make_attributes)(void**) = nullptr;
  int (*set_scratchpad)(void*, int) = nullptr;
  int (*layout_of_strides)(void*, int, const std::int64_t*, int, const std::int64_t*) = nullptr;
  int (*layout_of_tag)(void*, int, const std::int64_t*, int, int) = nullptr;
  int (*same_layout)(const void*, const void*) = nullptr;
  std::size_t (*layout_bytes)(const void*) = nullptr;
  int (*describe_convolution)(void*, int, int, const void*, const void*, const void*, const void*, const std::int64_t*, const std::int64_t*,
                              const std::int64_t*, const std::int64_t*) = nullptr;
  int (*describe_source_gradient)(void*, int, const void*, const void*, const void*, const std::int64_t*, const std::int64_t*, const std::int64_t*,
                                  const std::int64_t*) = nullptr;
  int (*describe_weights_gradient)(void*, int, const void*, const void*, const void*, const void*, const std::int64_t*, const std::int64_t*,
                                   const std::int64_t*, const std::int64_t*) = nullptr;
  int (*choose)(void**, const void*, const void*, void*, const void*) = nullptr;
  int (*choose_reorder)(void**, const void*, void*, const void*, void*, const void*) = nullptr;
  const void* (*layout_in)(const void*, int, int) = nullptr;
  int (*ask)(const void*, int, int, void*) = nullptr;
  int (*forget_choice)(void*) = nullptr;
  int (*make)(void**, const void*) = nullptr;
  int (*execute)(const void*, void*, int, const argument*) = nullptr;
  int (*make_memory)(void**, const void*, void*, void*) = nullptr;
  int (*forget_memory)(void*) = nullptr;
  void *engine = nullptr, *stream = nullptr, *attributes = nullptr;

  /// Finds them. False: one is missing, or the library is of another version, whose functions are others.
  bool find_in(const onednn_library& l) {
    if (!l.handle || l.version->major != 2) return false;
    bool all = true;
    const auto one = [&](auto& f, const char* name) {
      l.find(f, name);
      all = all && f;
    };
    one(make_engine, "dnnl_engine_create");
    one(make_stream, "dnnl_stream_create");
    one(make_attributes, "dnnl_primitive_attr_create");
    one(set_scratchpad, "dnnl_primitive_attr_set_scratchpad_mode");
    one(layout_of_strides, "dnnl_memory_desc_init_by_strides");
    one(layout_of_tag, "dnnl_memory_desc_init_by_tag");
    one(same_layout, "dnnl_memory_desc_equal");
    one(layout_bytes, "dnnl_memory_desc_get_size");
    one(describe_convolution, "dnnl_dilated_convolution_forward_desc_init");
    one(describe_source_gradient, "dnnl_dilated_convolution_backward_data_desc_init");
    one(describe_weights_gradient, "dnnl_dilated_convolution_backward_weights_desc_init");
    one(choose, "dnnl_primitive_desc_create");
    one(choose_reorder, "dnnl_reorder_primitive_desc_create");
    one(layout_in, "dnnl_primitive_desc_query_md");
    one(ask, "dnnl_primitive_desc_query");
    one(forget_choice, "dnnl_primitive_desc_destroy");
    one(make, "dnnl_primitive_create");
    one(execute, "dnnl_primitive_execute");
    one(make_memory, "dnnl_memory_create");
    one(forget_memory, "dnnl_memory_destroy");
    return all && make_engine(&engine, onednn_number::processor, 0) == 0 && make_stream(&stream, engine, 1) == 0 && make_attributes(&attributes) == 0 &&
           set_scratchpad(attributes, onednn_number::own_scratchpad) == 0;
  }
  /// Whether what it chose is more than the plain loops that compute whatever has no others.
  bool is_fast(const void* choice) const {
    const char* name = nullptr;
    ask(choice, onednn_number::implementation, 0, &name);
    return name && std::strncmp(name, "ref", 3) != 0;
  }
  /// Layouts and sizes are known to fit: what can fail is to get memory.
  void run(const void* primitive, const argument* arguments, int count) const {
    if (execute(primitive, stream, count, arguments) != 0) throw std::bad_alloc();
  }
  void copy(const void* reorder, void* from, void* to) const {
    const argument arguments[] = {{onednn_number::source, from}, {onednn_number::result, to}};
    run(reorder, arguments, 2);
  }
};
/// Null where there are none.
inline const onednn_functions* onednn_calls() {
  static onednn_functions f;
  static const bool found = f.find_in(onednn());
  return found ? &f : nullptr;
}

/// How an operand lies in memory: dnnl_memory_desc_t, which has 696 bytes in version 2.6.
struct onednn_layout {
  static constexpr std::size_t size = 696;
  alignas(16) unsigned char bytes[1024] = {};

  void take(const void* layout) { std::memcpy(bytes, layout, size); }
  /// For oneDNN to say. False: it has none.
  bool leave_open(const onednn_functions& f, int rank, const std::int64_t* sizes) {
    return f.layout_of_tag(bytes, rank, sizes, onednn_number::f32, onednn_number::any_layout) == 0;
  }
};
/// dnnl_convolution_desc_t has 5976.
struct onednn_description {
  alignas(16) unsigned char bytes[16384] = {};
};

/// Memory of the program as oneDNN knows it.
class onednn_memory {
 public:
  onednn_memory(const onednn_functions& f, const onednn_layout& l, const void* data) : f_(f) {
    if (f.make_memory(&memory_, l.bytes, f.engine, const_cast<void*>(data)) != 0) throw std::bad_alloc();
  }
  onednn_memory(const onednn_memory&) = delete;
  ~onednn_memory() { f_.forget_memory(memory_); }
  void* get() const { return memory_; }

 private:
  const onednn_functions& f_;
  void* memory_ = nullptr;
};
/// Memory of at least so many bytes, of `a`.
inline char* onednn_bytes(array& a, std::int64_t bytes) {
  if (a.is_none() || a.size() < bytes) a = array(make_buffer({u8, {bytes}}));
  return static_cast<char*>(a.as_buffer()->data);
}
/// Memory that a call of a primitive needs for itself.
struct onednn_scratchpad {
  onednn_layout layout;
  std::int64_t bytes = 0;

  void take(const onednn_functions& f, const void* choice) {
    layout.take(f.layout_in(choice, onednn_number::scratchpad_layout, 0));
    bytes = std::int64_t(f.layout_bytes(layout.bytes));
  }
  void* in(array& own) const { return bytes != 0 ? onednn_bytes(own, bytes) : nullptr; }
};

/// The layouts of one operand, the program's and oneDNN's, and what copies from one to the other; null where they are the same.
struct onednn_operand {
  onednn_layout given, wanted;
  void* reorder = nullptr;
  std::int64_t bytes = 0;  ///< of the wanted layout

  /// False: it is empty, or too large.
  bool lies(const onednn_functions& f, int rank, const std::int64_t* sizes, const std::int64_t* strides) {
    std::int64_t elements = 1;
    for (int d = 0; d < rank; ++d) elements = jacquard::detail::counted_product(elements, sizes[d]);
    return elements > 0 && elements < 0x7fffffff && f.layout_of_strides(given.bytes, rank, sizes, onednn_number::f32, strides) == 0;
  }
  /// False: oneDNN cannot copy it.
  bool connect(const onednn_functions& f, const void* layout, bool to_program) {
    wanted.take(layout);
    bytes = std::int64_t(f.layout_bytes(wanted.bytes));
    if (f.same_layout(given.bytes, wanted.bytes)) return true;
    void* choice = nullptr;
    const onednn_layout &from = to_program ? wanted : given, &to = to_program ? given : wanted;
    if (f.choose_reorder(&choice, from.bytes, f.engine, to.bytes, f.engine, nullptr) != 0) return false;
    const bool made = f.make(&reorder, choice) == 0;
    f.forget_choice(choice);
    return made;
  }
  /// The operand as oneDNN wants it, in memory of `own` if that is not how it lies.
  const float* arranged(const onednn_functions& f, const float* data, array& own) const {
    if (!reorder) return data;
    char* const to = onednn_bytes(own, bytes);
    f.copy(reorder, onednn_memory(f, given, data).get(), onednn_memory(f, wanted, to).get());
    return reinterpret_cast<const float*>(to);
  }
};

}  // namespace jacquard::cpu::detail
