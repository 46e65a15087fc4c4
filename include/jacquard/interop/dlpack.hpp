#pragma once
// DLPack: exchange of arrays with other libraries without a copy. Both directions share memory by reference count; an
// import that is not dense and row-major is copied. Deliberately host memory only.

#include <dlpack/dlpack.h>

#include "jacquard/core/eval.hpp"
#include "jacquard/core/strided.hpp"

namespace jacquard {

namespace detail {

// Codes of later versions of the standard, by value, so that any version of the header will do.
inline constexpr int dl_bool = 6, dl_rocm_host = 11;

/// What a DLManagedTensor of ours points to: it holds the array and the memory of the dimensions.
template <class Managed>
struct dl_export {
  array value;
  shape dims;
  int_list strides;
  Managed tensor{};

  static void release(Managed* self) {
    const auto e = static_cast<dl_export*>(self->manager_ctx);
    __atomic_fetch_sub(&e->value.as_buffer()->outside, 1, __ATOMIC_RELEASE);
    delete e;
  }
};

inline DLDataType dl_type(dtype t) {
  const auto bits = std::uint8_t(8 * size_of(t));
  switch (category_of(t)) {
    case category::boolean: return {std::uint8_t(dl_bool), 8, 1};
    case category::integer: return {std::uint8_t(is_signed_integer(t) ? kDLInt : kDLUInt), bits, 1};
    case category::floating: return {std::uint8_t(t == bf16 ? kDLBfloat : kDLFloat), bits, 1};
    default: return {std::uint8_t(kDLComplex), bits, 1};
  }
}

/// The dtype of a DLPack type. Errors: type_error if there is none.
inline dtype dtype_of_dl(const DLDataType& t) {
  if (t.lanes == 1) {
    if (t.code == kDLUInt && t.bits == 1) return bool_;  // how booleans were passed before they had a code
    for (int i = 0; i < dtype_count; ++i) {
      const DLDataType own = dl_type(dtype(i));
      if (own.code == t.code && own.bits == t.bits) return dtype(i);
    }
  }
  raise(error_kind::type, "from_dlpack: got a tensor of type code ", int(t.code), " with ", int(t.bits), " bits and ",
        int(t.lanes), " lanes, wanted a boolean, integer, float, bfloat or complex type of one lane that has a jq::dtype; "
        "convert it before the exchange");
}

inline void check_dl_device(const DLDevice& d) {
  const int type = int(d.device_type);
  if (type == kDLCPU || type == kDLCUDAHost || type == dl_rocm_host) return;
  raise(error_kind::value, "from_dlpack: got a tensor on device (type ", type, ", number ", d.device_id,
        "), wanted host memory; copy it to the host first");
}

/// The dimensions of a tensor. Errors: value_error for ranks above max_rank and sizes that cannot be.
inline shape dl_shape(const DLTensor& t) {
  if (t.ndim < 0 || t.ndim > max_rank || (t.ndim > 0 && !t.shape))
    raise(error_kind::value, "from_dlpack: got a tensor of rank ", t.ndim, t.ndim > 0 && !t.shape ? " without a shape" : "",
          ", wanted rank 0 to ", max_rank);
  const shape dims(std::span<const std::int64_t>(t.shape, std::size_t(t.ndim)));
  for (std::int64_t d : dims)
    if (d < 0) raise(error_kind::value, "from_dlpack: got a tensor of shape ", dims, ", wanted dimensions of at least 0");
  if (dims.elements() == INT64_MAX)
    raise(error_kind::value, "from_dlpack: got a tensor of shape ", dims, ", which is too large");
  if (dims.elements() != 0 && !t.data)
    raise(error_kind::value, "from_dlpack: got a tensor of shape ", dims, " without data");
  return dims;
}

inline bool is_row_major(const shape& dims, const std::int64_t* strides) {
  if (!strides) return true;
  const int_list dense = dims.strides();
  for (int i = 0; i < dims.rank(); ++i)
    if (dims[i] != 1 && strides[i] != dense[i]) return false;
  return true;
}

/// Whether all elements are ones that C++ can read as `t`: other bytes than 0 and 1 are no bool.
inline bool has_valid_elements(dtype t, const void* data, std::int64_t n) {
  if (t != bool_) return true;
  for (std::int64_t i = 0; i < n; ++i)
    if (static_cast<const std::uint8_t*>(data)[i] > 1) return false;
  return true;
}

template <class T>
void copy_strided(const shape& dims, const int_list& strides, const void* in, void* out) {
  const auto from = static_cast<const unsigned char*>(in);
  auto to = static_cast<unsigned char*>(out);
  for_each_pair(dims, dims.strides(), 0, strides, 0, [&](std::int64_t o, std::int64_t i) {
    std::memcpy(to + o * std::int64_t(sizeof(T)), from + i * std::int64_t(sizeof(T)), sizeof(T));
  });
}

/// A dense copy of a tensor of any strides and alignment.
inline array copy_dl(const DLTensor& t, const void* data, const aval& type) {
  int_list strides = type.dims.strides();
  if (t.strides) strides = int_list(std::span<const std::int64_t>(t.strides, std::size_t(t.ndim)));
  array r(make_buffer(type));
  void* out = r.as_buffer()->data;
  visit_dtype(type.type, [&]<class T>(std::type_identity<T>) { copy_strided<T>(type.dims, strides, data, out); });
  if (type.type == bool_)
    for (std::int64_t i = 0; i < type.elements(); ++i) {
      auto& byte = static_cast<std::uint8_t*>(out)[i];
      byte = byte != 0;
    }
  return r;
}

template <class Managed>
array import_dl(Managed* tensor) {
  if (!tensor) raise(error_kind::value, "from_dlpack: got a null pointer, wanted a tensor");
  const DLTensor& t = tensor->dl_tensor;
  check_dl_device(t.device);
  const aval type(dtype_of_dl(t.dtype), dl_shape(t));
  const auto data = static_cast<unsigned char*>(t.data) + (t.data ? t.byte_offset : 0);
  std::size_t alignment = 1;
  visit_dtype(type.type, [&]<class T>(std::type_identity<T>) { alignment = alignof(T); });
  if (type.elements() == 0 || !is_row_major(type.dims, t.strides) || reinterpret_cast<std::uintptr_t>(data) % alignment != 0 ||
      !has_valid_elements(type.type, data, type.elements())) {
    array r = copy_dl(t, data, type);
    if (tensor->deleter) tensor->deleter(tensor);
    return r;
  }
  buffer* b = new buffer(type);
  b->data = data;
  b->outside = 1;
  b->owner = tensor;
  b->release = [](buffer& gone) {
    const auto owner = static_cast<Managed*>(gone.owner);
    if (owner->deleter) owner->deleter(owner);
  };
  return array(b);
}

template <class Managed>
Managed* export_dl(const array& x) {
  array value = x.materialised();
  const dtype type = value.dtype();
  const void* data = nullptr;
  visit_dtype(type, [&]<class T>(std::type_identity<T>) { data = value.data<T>().data(); });
  if (const buffer* b = value.as_buffer(); b->borrowed || b->is_watched()) {  // who gets it may write to it
    value = array(copy_buffer(*b));
    data = value.as_buffer()->data;
  }
  const shape dims = value.shape();
  auto e = new dl_export<Managed>{std::move(value), dims, dims.strides()};
  __atomic_fetch_add(&e->value.as_buffer()->outside, 1, __ATOMIC_RELAXED);
  DLTensor& t = e->tensor.dl_tensor;
  t.data = const_cast<void*>(data);
  t.device = {kDLCPU, 0};
  t.ndim = dims.rank();
  t.dtype = dl_type(type);
  t.shape = e->dims.begin();
  t.strides = e->strides.begin();
  e->tensor.manager_ctx = e;
  e->tensor.deleter = &dl_export<Managed>::release;
  return &e->tensor;
}

}  // namespace detail

/// `x` as a DLPack tensor on the host, which shares its memory: do not write to it. The receiver calls the deleter once,
/// on any thread; until then the array cannot be donated. A tracer that has a value exports that value; a view of foreign
/// memory is copied.
/// Errors: concretization_error for a tracer without a value, deleted_error.
inline DLManagedTensor* to_dlpack(const array& x) { return detail::export_dl<DLManagedTensor>(x); }

/// An array that takes over `tensor`: it shares the memory if that is dense, row-major and aligned, and calls the deleter
/// when the last handle goes; otherwise it copies, and calls the deleter at once. The memory must not be written to
/// afterwards.
/// Errors: type_error for types without a jq::dtype, value_error for other devices than the host, ranks above 8, and broken
/// tensors. On an error the tensor remains the caller's.
inline array from_dlpack(DLManagedTensor* tensor) { return detail::import_dl(tensor); }

/// A DLPack tensor over the live buffer of an array, without a copy and without ownership: what taps and device_callback hand
/// to functions that speak DLPack. Valid while the array lives. Do not write to it, unless it is an output of device_callback.
class dlpack_view {
 public:
  /// Errors: concretization_error for a tracer without a value, deleted_error.
  explicit dlpack_view(const array& x) : value_(x.materialised()), dims_(value_.shape()), strides_(dims_.strides()) {
    visit_dtype(value_.dtype(), [&]<class T>(std::type_identity<T>) { tensor_.data = const_cast<T*>(value_.data<T>().data()); });
    tensor_.device = {kDLCPU, 0};
    tensor_.ndim = dims_.rank();
    tensor_.dtype = detail::dl_type(value_.dtype());
    tensor_.shape = dims_.begin();
    tensor_.strides = strides_.begin();
  }
  dlpack_view(const dlpack_view&) = delete;
  dlpack_view& operator=(const dlpack_view&) = delete;
  DLTensor* get() { return &tensor_; }
  operator DLTensor*() { return &tensor_; }

 private:
  array value_;
  shape dims_;
  int_list strides_;
  DLTensor tensor_{};
};

#ifdef DLPACK_MAJOR_VERSION
/// The same for tensors that carry a version and flags.
inline DLManagedTensorVersioned* to_dlpack_versioned(const array& x) {
  DLManagedTensorVersioned* t = detail::export_dl<DLManagedTensorVersioned>(x);
  t->version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  t->flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  return t;
}
/// See above. Errors: also value_error for another major version.
inline array from_dlpack(DLManagedTensorVersioned* tensor) {
  if (tensor && tensor->version.major != DLPACK_MAJOR_VERSION)
    raise(error_kind::value, "from_dlpack: got a tensor of DLPack version ", tensor->version.major, ", wanted version ",
          DLPACK_MAJOR_VERSION);
  return detail::import_dl(tensor);
}
#endif

}  // namespace jacquard
