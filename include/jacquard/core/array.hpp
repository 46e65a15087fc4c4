#pragma once
// The array handle. A literal type of four kinds: a concrete buffer, a tracer (trace and variable), a symbolic constant
// that is not materialised, or a scalar literal; "none" stands for a symbolic zero inside rules. Deliberately without
// arithmetic: operators and functions come from numpy/, conversions of foreign types from core/leaf.

#include <span>
#include <utility>

#include "jacquard/core/buffer.hpp"
#include "jacquard/core/literal.hpp"

namespace jacquard {

class trace;
struct constant_node;

enum class array_kind : std::uint16_t { none, literal, constant, tracer, buffer };  // from `constant` on, handles are counted; as wide as it takes for a whole word

/// What a handle other than a value points to: a trace or a symbolic constant. Counts its handles.
class array_node {
 public:
  int references = 1;
  // The whole object, one of the two. In constant evaluation g++ 12 can delete it through this pointer only, not through
  // one to its base, which also rules out a virtual destructor.
  trace* as_trace = nullptr;
  constant_node* as_constant = nullptr;

  constexpr array_node(trace* whole, void (*destroy)(array_node&)) : as_trace(whole), destroy_(destroy) {}
  constexpr array_node(constant_node* whole, void (*destroy)(array_node&)) : as_constant(whole), destroy_(destroy) {}
  array_node(const array_node&) = delete;
  array_node& operator=(const array_node&) = delete;
  /// The type of the variable or output of that number.
  constexpr virtual jacquard::aval type_of(std::uint32_t number) = 0;
  constexpr void retain() { ++references; }
  constexpr void release() {
    if (--references == 0) destroy_(*this);
  }

 protected:
  constexpr ~array_node() = default;

 private:
  void (*destroy_)(array_node&);
};

/// Teaches the library a foreign array type; see core/leaf.hpp.
template <class T>
struct leaf_traits;

template <class T>
concept foreign_array = requires { typename leaf_traits<T>::element; };

/// T itself, where a template does not deduce it. A function that takes lazy<Array> instead of array is a template with one
/// instance: what its body needs is compiled when the function is first used, not where it is included.
template <class T>
using lazy = std::type_identity_t<T>;

namespace detail {
struct index_entry;  // one index of an access; numpy/indexing.hpp

/// Copies an object of three words, one by one: a processor hands on a word that was just written, but who reads two of them at once waits until
/// they, and all that was written before them, have reached the cache. The compiler is kept from joining them.
inline void copy_three_words(void* to, const void* from) {
  std::uint64_t a, b, c;
  __builtin_memcpy(&a, from, 8);
  __builtin_memcpy(&b, static_cast<const char*>(from) + 8, 8);
  __builtin_memcpy(&c, static_cast<const char*>(from) + 16, 8);
  asm("" : "+r"(a), "+r"(b), "+r"(c));
  __builtin_memcpy(to, &a, 8);
  __builtin_memcpy(static_cast<char*>(to) + 8, &b, 8);
  __builtin_memcpy(static_cast<char*>(to) + 16, &c, 8);
}
}  // namespace detail

/// An n-dimensional array of one dtype: a value, or a variable of the program being traced. Copying copies the handle.
class array {
 public:
  /// No array: the symbolic zero of rules. Using it in an operation is an error.
  constexpr array() : low_(0) {}
  /// A weakly typed scalar.
  template <scalar S>
  constexpr array(S value) : array(literal(value, true)) {}
  constexpr explicit array(const literal& l)
      : kind_(array_kind::literal), type_(l.type), weak_(l.weak), low_(l.low), high_(l.type == jacquard::dtype::c128 ? l.high : l.element_bits()) {}
  /// A tracer; shares the trace.
  constexpr array(trace* t, std::uint32_t var);
  /// Output `index` of a symbolic constant; shares the node.
  constexpr array(constant_node* n, std::uint32_t index);
  /// Takes over one reference to `b`.
  explicit array(buffer* b) : kind_(array_kind::buffer), buffer_(b) {}
  constexpr array(const array& o) : low_(0) {
    assign(o);
    if (kind_ > array_kind::literal) retain();
  }
  constexpr array(array&& o) noexcept : low_(0) {
    assign(o);
    o.kind_ = array_kind::none;
  }
  constexpr array& operator=(const array& o) {
    if (this != &o) {
      array copy(o);
      *this = std::move(copy);
    }
    return *this;
  }
  constexpr array& operator=(array&& o) noexcept {
    if (this != &o) {
      if (kind_ > array_kind::literal) release();
      assign(o);
      o.kind_ = array_kind::none;
    }
    return *this;
  }
  constexpr ~array() {
    if (kind_ > array_kind::literal) release();
  }
  /// What `*this = array(b)` does, without a temporary on the way. The word of the kind is written as a whole, as copies read it.
  void reset(buffer* b) {
    if (kind_ > array_kind::literal) release();
    static constexpr struct {
      array_kind kind = array_kind::buffer;
      jacquard::dtype type = jacquard::dtype::f32;
      bool weak = false;
      std::uint32_t variable = 0;
    } first;
    static_assert(sizeof first == 8 && offsetof(array, buffer_) == 8);
    std::uint64_t word;
    __builtin_memcpy(&word, &first, sizeof word);
    asm("" : "+r"(word));
    __builtin_memcpy(static_cast<void*>(this), &word, sizeof word);
    buffer_ = b;
  }

  constexpr array_kind kind() const { return kind_; }
  constexpr bool is_none() const { return kind_ == array_kind::none; }
  constexpr bool is_tracer() const { return kind_ == array_kind::tracer; }
  constexpr bool is_concrete() const { return kind_ == array_kind::buffer || kind_ == array_kind::literal; }

  /// dtype, weakness and shape.
  constexpr jacquard::aval aval() const {
    switch (kind_) {
      case array_kind::literal: return {type_, {}, weak_};
      case array_kind::buffer: return buffer_->type;
      case array_kind::none: return {};
      default: return node_->type_of(variable_);
    }
  }
  constexpr jacquard::shape shape() const { return aval().dims; }
  constexpr jacquard::dtype dtype() const { return aval().type; }
  constexpr int ndim() const { return aval().rank(); }
  constexpr std::int64_t size() const { return aval().elements(); }
  constexpr bool weak_type() const { return aval().weak; }

  /// The only element, converted to T; evaluates a tracer that has a value.
  /// Errors: value_error if size() != 1, type_error for a real T if the element has an imaginary part, concretization_error if the value is not known while tracing.
  template <scalar T>
  constexpr T item(location where = location::current()) const;
  template <scalar T>
  constexpr explicit operator T() const {
    return item<T>(location{});
  }
  /// An array converts to a registered foreign type of its dtype and rank.
  template <foreign_array T>
  operator T() const {
    return leaf_traits<T>::from_array(*this);
  }
  /// The elements in host memory, row-major; that of a single number made of a C++ number lies in the array itself.
  /// Errors: type_error if T is not the C++ type of dtype().
  template <scalar T>
  std::span<const T> data(location where = location::current()) const;
  /// This array with a buffer: a number, or a tracer that has a value, gets one. Errors: as of item().
  array materialised() const;
  /// Waits until the value is computed; returns this array.
  const array& block_until_ready() const;
  bool is_deleted() const { return kind_ == array_kind::buffer && buffer_->is_deleted(); }
  /// Functional updates: x.at(i).set(v), .add(v), ...; defined in numpy/updates.hpp.
  template <class Index = detail::index_entry>
  constexpr auto at(const lazy<Index>& i = Index::absent, const lazy<Index>& j = Index::absent,
                    const lazy<Index>& k = Index::absent, const lazy<Index>& l = Index::absent,
                    const lazy<Index>& m = Index::absent, const lazy<Index>& n = Index::absent,
                    const lazy<Index>& o = Index::absent, const lazy<Index>& p = Index::absent,
                    const lazy<Index>& q = Index::absent) const;
  /// A part of the array by numpy's basic and advanced indexing; defined in numpy/indexing.hpp.
  template <class Index = detail::index_entry>
  constexpr array operator()(const lazy<Index>& i = Index::absent, const lazy<Index>& j = Index::absent,
                             const lazy<Index>& k = Index::absent, const lazy<Index>& l = Index::absent,
                             const lazy<Index>& m = Index::absent, const lazy<Index>& n = Index::absent,
                             const lazy<Index>& o = Index::absent, const lazy<Index>& p = Index::absent,
                             const lazy<Index>& q = Index::absent) const;
  /// Row `i`, or whatever part a single index names; defined in numpy/indexing.hpp.
  template <class Index = detail::index_entry>
  constexpr array operator[](const lazy<Index>& i) const;
  /// Conversion to another dtype; defined in numpy/creation.hpp.
  template <class Array = array>
  constexpr array astype(jacquard::dtype t, location where = location::current()) const;

  // What interpreters need.
  constexpr literal as_literal() const {
    literal l;
    l.type = type_;
    l.weak = weak_;
    l.low = low_;
    if (type_ == jacquard::dtype::c128) l.high = high_;
    else if (type_ == jacquard::dtype::c64) l.high = literal::imaginary_of(high_);
    return l;
  }
  constexpr trace* as_tracer() const { return kind_ == array_kind::tracer ? node_->as_trace : nullptr; }
  constexpr constant_node* as_constant() const { return kind_ == array_kind::constant ? node_->as_constant : nullptr; }
  buffer* as_buffer() const { return kind_ == array_kind::buffer ? buffer_ : nullptr; }
  constexpr std::uint32_t variable() const { return variable_; }
  /// Whether both handles denote the same thing (not whether they hold equal values).
  constexpr bool same_as(const array& o) const {
    if (kind_ != o.kind_) return false;
    switch (kind_) {
      case array_kind::literal: return as_literal() == o.as_literal();
      case array_kind::buffer: return buffer_ == o.buffer_;
      case array_kind::none: return true;
      default: return node_ == o.node_ && variable_ == o.variable_;
    }
  }

 private:
  constexpr void assign(const array& o) {
    if (!__builtin_is_constant_evaluated()) {  // whatever it is
      static_assert(sizeof(array) == 24);
      detail::copy_three_words(this, &o);
      return;
    }
    kind_ = o.kind_;
    type_ = o.type_;
    weak_ = o.weak_;
    variable_ = o.variable_;
    switch (kind_) {
      case array_kind::literal: low_ = o.low_, high_ = o.high_; break;
      case array_kind::constant:
      case array_kind::tracer: node_ = o.node_; break;
      case array_kind::buffer: buffer_ = o.buffer_; break;
      default: break;
    }
  }
  /// Of kinds from `constant` on; who calls asks, as a call that does nothing costs constant evaluation most of what arrays cost it.
  /// There tracers do not outlive their trace, and counting them would only feed a bug of g++ 12, which destroys the elements of a
  /// copied std::array twice.
  constexpr void retain() {
    if (kind_ == array_kind::buffer) buffer_->retain();
    else if (kind_ == array_kind::constant || !__builtin_is_constant_evaluated()) node_->retain();
  }
  constexpr void release() {
    if (kind_ == array_kind::buffer) buffer_->drop();
    else if (kind_ == array_kind::constant || !__builtin_is_constant_evaluated()) node_->release();
  }
  array_kind kind_ = array_kind::none;
  jacquard::dtype type_ = jacquard::dtype::f32;
  bool weak_ = false;
  std::uint32_t variable_ = 0;
  union {
    std::uint64_t low_;
    array_node* node_;
    buffer* buffer_;
  };
  std::uint64_t high_ = 0;  ///< of a literal: the element as it lies in memory, or the second half of a c128, whose first is low_
};

}  // namespace jacquard
