#pragma once
// What a kernel reads: where the elements of a value lie whose indices come from loops, or from steps of the kernel, and the steps that load
// them. Deliberately without a choice of what to read and what to compute: exec/lowering/clusters decides.

#include "jacquard/exec/lowering/loop_kernel.hpp"
#include "jacquard/exec/lowering/roles.hpp"

namespace jacquard::lowering::detail {

/// The steps that compute one element: of a complex number those of its parts.
struct element_steps {
  std::int32_t real = -1, imaginary = -1;
};

/// A kernel under construction, as far as it reads memory.
class kernel_reader {
 protected:
  explicit kernel_reader(const program_facts& f) : f_(&f) { k_.body = empty_body(f.rounds); }

  /// The steps of an element of dtype t, of which f(0) gives the only or the real part, f(1) the imaginary part.
  template <class F>
  static element_steps each_part(dtype t, F&& f) {
    element_steps r{f(0)};
    if (is_complex(t)) r.imaginary = f(1);
    return r;
  }
  element_steps constant(const literal& l) {
    return each_part(l.type, [&](int part) { return k_.body.constant(part ? l.imaginary_part() : l.real_part()); });
  }
  /// Where an element lies whose indices come from `at`, but for what steps give of them; of complex numbers, one part of it.
  access place(atom a, const aval& t, const index_map& at, int part = 0) const {
    access r{a, real_dtype(t.type), part, small_vector<std::int64_t, 4>(k_.loops.size(), 0)};
    r.is_part = is_complex(t.type);
    const int_list dense = t.dims.strides();
    for (std::size_t d = 0; d < at.size(); ++d) {
      const std::int64_t stride = dense[int(d)] * (r.is_part ? 2 : 1);
      r.offset += stride * at[d].start;
      if (at[d].loop >= 0 && !is_computed_index(at[d])) r.strides[std::size_t(at[d].loop)] += stride * at[d].step;
    }
    return r;
  }
  /// The element of a value in memory whose indices come from `at`; `further`: a step (i64) that says how many elements further on, -1: none.
  element_steps load(atom a, const index_map& at, std::int32_t further = -1) {
    const aval& t = f_->p.type_of(a);
    const int_list dense = t.dims.strides();
    for (std::size_t d = 0; d < at.size(); ++d)
      if (is_computed_index(at[d])) further = sum(further, times(k_.body.index(at[d].loop), dense[int(d)] * at[d].step));
    if (further >= 0 && is_complex(t.type)) further = times(further, 2);
    return each_part(t.type, [&](int part) {
      access from = place(a, t, at, part);
      from.wanders = further >= 0;
      return from.wanders ? k_.body.lookup(input(from), further, from.type) : k_.body.load(input(from), from.type);
    });
  }
  /// x times a number of elements, both i64; x itself for one.
  std::int32_t times(std::int32_t x, std::int64_t n) { return n == 1 ? x : k_.body.apply(scalar_op::multiply, x, k_.body.constant(literal(n))); }
  /// a + b, where a may be -1: nothing yet.
  std::int32_t sum(std::int32_t a, std::int32_t b) { return a < 0 ? b : k_.body.apply(scalar_op::add, a, b); }

  const program_facts* f_;
  loop_kernel k_;

 private:
  /// The number of an access.
  std::int32_t input(access x) {
    for (std::size_t i = 0; i < k_.inputs.size(); ++i) {
      x.strides.resize(k_.loops.size());
      access& known = k_.inputs[i];
      if (known.strides.size() < k_.loops.size()) known.strides.resize(k_.loops.size());
      if (known == x) return std::int32_t(i);
    }
    k_.inputs.push_back(x);
    return std::int32_t(k_.inputs.size() - 1);
  }
};

}  // namespace jacquard::lowering::detail
