#pragma once
// A compiled function on memory that its caller keeps, for loops that run it very often: what a call checks and looks up is done once, and
// neither arrays nor buffers are made. Deliberately synchronous, and not for several threads at once.

#include <initializer_list>
#include <span>
#include <type_traits>
#include <vector>

#include "jacquard/backends/backend.hpp"
#include "jacquard/core/array.hpp"
#include "jacquard/core/value_checks.hpp"
#include "jacquard/exec/donation.hpp"

namespace jacquard {

namespace detail {
template <class R>
using span_of = decltype(std::span(std::declval<R&>()));
/// Ranges in one piece that outlive the expression they stand in: named ones, and views such as std::span.
template <class R>
concept lasting_elements = requires { typename span_of<R>; } && scalar<typename span_of<R>::value_type> &&
                           (std::is_lvalue_reference_v<R> || std::ranges::enable_borrowed_range<std::remove_cvref_t<R>>);
}  // namespace detail

/// Elements of the caller that a bound call reads: a range in one piece (std::vector, std::array, std::span, jq::tensor), dense and in row-major
/// order, or one number, which must outlive the call; or a jq::array, which the call holds.
struct readable_memory {
  template <detail::lasting_elements R>
  readable_memory(R&& r) : type(dtype_of<typename detail::span_of<R>::value_type>()), elements(std::int64_t(std::span(r).size())), data(std::span(r).data()) {}
  template <class S>
    requires scalar<std::remove_const_t<S>>
  readable_memory(S& x) : type(dtype_of<std::remove_const_t<S>>()), elements(1), data(&x) {}
  readable_memory(const array& x) : held(x), is_array(true) {}

  dtype type{};
  std::int64_t elements = 0;
  const void* data = nullptr;
  array held;             ///< none for memory of the caller
  bool is_array = false;  ///< whether it is an array that is held, were it an empty one
};

/// Elements of the caller that a bound call writes.
struct writable_memory {
  template <detail::lasting_elements R>
    requires(!std::is_const_v<typename detail::span_of<R>::element_type>)
  writable_memory(R&& r) : type(dtype_of<typename detail::span_of<R>::value_type>()), elements(std::int64_t(std::span(r).size())), data(std::span(r).data()) {}
  template <scalar S>
    requires(!std::is_const_v<S>)
  writable_memory(S& x) : type(dtype_of<S>()), elements(1), data(&x) {}

  dtype type;
  std::int64_t elements;
  void* data;
};

namespace detail {

/// Any executable on memory of the caller: by way of arrays.
class program_on_arrays final : public bound_program {
 public:
  program_on_arrays(ref<executable> program, std::vector<aval> in, std::vector<aval> out, std::vector<void*> arguments, std::vector<void*> results, std::vector<char> donated, location where)
      : program_(std::move(program)), in_(std::move(in)), out_(std::move(out)), arguments_(std::move(arguments)), results_(std::move(results)),
        donated_(std::move(donated)), where_(where) {}
  void run(bool) override {
    std::vector<array> in, out(out_.size());
    for (std::size_t i = 0; i < in_.size(); ++i) {
      in.push_back(array(borrow_buffer(in_[i], arguments_[i])));
      if (donated_[i]) in[i] = owned(in[i]);  // the memory stays the caller's
    }
    struct keep {
      std::vector<array>& arrays;
      ~keep() {
        for (array& x : arrays)
          if (x.as_buffer()->is_shared()) keep_borrowed(*x.as_buffer());  // somebody keeps what a tap has shown
      }
    };
    const keep kept{in};
    program_->run_into(in, view<array>(out.data(), out.size()), where_);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::int64_t bytes = out_[i].bytes();
      if (const buffer* b = out[i].as_buffer()) {
        b->check_alive();
        if (bytes != 0 && b->data != results_[i]) std::memmove(results_[i], b->data, std::size_t(bytes));
      } else out[i].as_literal().store_to(results_[i]);
    }
  }

 private:
  ref<executable> program_;
  std::vector<aval> in_, out_;
  std::vector<void*> arguments_, results_;
  std::vector<char> donated_;
  location where_;
};

inline void check_memory(std::string_view what, std::size_t i, dtype type, std::int64_t elements, const aval& wanted) {
  if (type != wanted.type || elements != wanted.elements())
    raise(error_kind::type, "bind: got ", elements, elements == 1 ? " element" : " elements", " of ", name(type), " for ", what, " ", i, ", wanted ", wanted, "; bind memory of that "
          "dtype and size, or compile the function for arguments like these");
}
inline bool overlap(const void* a, std::int64_t a_bytes, const void* b, std::int64_t b_bytes) {
  const auto x = reinterpret_cast<std::uintptr_t>(a), y = reinterpret_cast<std::uintptr_t>(b);
  return a_bytes != 0 && b_bytes != 0 && x < y + std::uintptr_t(b_bytes) && y < x + std::uintptr_t(a_bytes);
}

}  // namespace detail

/// A compiled function and the memory it works on; see jq::compiled::bind. A call reads what lies there now and writes the results. Not by
/// several threads at once; bind once for each of them.
class bound_call {
 public:
  bound_call(const ref<executable>& program, const std::vector<aval>& in, const std::vector<aval>& out, const std::vector<char>& donated,
             view<const readable_memory> arguments, view<const writable_memory> results, device_id device, const location& where)
      : device_(device), where_(where) {
    if (arguments.size() != in.size() || results.size() != out.size())
      raise(error_kind::type, "bind: got memory of ", arguments.size(), " arguments and ", results.size(), " results, wanted that of ", in.size(), " and ", out.size(),
            "; name one for each array that the function takes and returns, in the order of their trees' leaves");
    std::vector<void*> from, to;
    for (std::size_t i = 0; i < in.size(); ++i) from.push_back(const_cast<void*>(address_of(arguments[i], i, in[i])));
    for (std::size_t i = 0; i < out.size(); ++i) {
      detail::check_memory("result", i, results[i].type, results[i].elements, out[i]);
      to.push_back(results[i].data);
    }
    check_overlaps(in, out, donated, from, to);
    program_ = program->bind(from, to);
    on_arrays_ = make_ref<detail::program_on_arrays>(program, in, out, std::move(from), std::move(to), donated, where);
    if (!program_) program_ = on_arrays_;
  }
  bound_call(bound_call&&) = default;
  bound_call& operator=(bound_call&&) = default;  // no copies: two of them would share what a call works with
  /// Errors: those of the function's operations.
  void operator()() {
    if (detail::unusual_now() != 0) [[unlikely]] return run_unusual();
    program_->run(false);
  }

 private:
  const void* address_of(const readable_memory& m, std::size_t i, const aval& wanted) {
    if (m.is_array && m.held.is_none()) raise(error_kind::type, "bind: got an empty jq::array as argument leaf ", i, "; assign it a value first");
    if (!m.is_array) {
      detail::check_memory("argument leaf", i, m.type, m.elements, wanted);
      return m.data;
    }
    if (m.held.is_tracer())
      raise(error_kind::type, "bind: got a traced array for argument leaf ", i, "; bind concrete memory, or call the jitted function inside the trace");
    if (!same_type(m.held.aval(), wanted))
      raise(error_kind::type, "bind: got ", m.held.aval(), " for argument leaf ", i, ", wanted ", wanted, "; compile the function for arguments like these");
    buffer* b = m.held.as_buffer();
    if (b) b->check_alive(), held_.push_back(array(share_buffer(*b, b->type)));  // which keeps the memory from being donated
    else {
      held_.push_back(array(make_buffer(wanted)));
      concrete(m.held).as_literal().store_to(held_.back().as_buffer()->data);
    }
    return held_.back().as_buffer()->data;
  }
  void check_overlaps(const std::vector<aval>& in, const std::vector<aval>& out, const std::vector<char>& donated, const std::vector<void*>& from, const std::vector<void*>& to) const {
    for (std::size_t i = 0; i < to.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j)
        if (detail::overlap(to[i], out[i].bytes(), to[j], out[j].bytes()))
          raise(error_kind::value, "bind: results ", j, " and ", i, " overlap in memory; give each its own");
      for (std::size_t j = 0; j < from.size(); ++j) {
        if (!detail::overlap(to[i], out[i].bytes(), from[j], in[j].bytes())) continue;
        if (donated[j] && to[i] == from[j] && out[i].bytes() == in[j].bytes()) continue;
        raise(error_kind::value, "bind: result ", i, " overlaps argument leaf ", j, " in memory; give the result memory of its own or, to write over the argument, donate it and "
              "give the result the same memory");
      }
    }
  }
  [[gnu::noinline, gnu::cold]] void run_unusual() {
    const detail::event_scope scope(event_kind::dispatch, "bound call", device_, where_);
    if (detail::checked_values.any()) on_arrays_->run(true);  // who looks for the first NaN wants arrays
    else program_->run(true);
  }

  ref<bound_program> program_;
  ref<bound_program> on_arrays_;
  std::vector<array> held_;
  device_id device_;
  location where_;
};

}  // namespace jacquard
