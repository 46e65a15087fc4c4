#pragma once
// Products of matrices that are steps of their own: how each one is computed, and by which library, is decided when the program is made, and a
// run takes three pointers. Deliberately one product each: a batch of them is run by the equation's own kernel, which shares it between threads.

#include <vector>

#include "jacquard/backends/cpu/native_kernel.hpp"
#include "jacquard/core/ref.hpp"
#include "jacquard/exec/lowering/lowering.hpp"
#include "jacquard/prims/matrix_product.hpp"

namespace jacquard::cpu {

/// A product of matrices of T, with the library that is in use where it is made.
template <class T>
class prepared_product final : public counted {
 public:
  prepared_product(const contraction& c, const shape& x, const shape& y) : of_(c, x, y), multiply_(of_.rows, of_.columns, of_.sum) {}
  /// The function of a step whose pointers are those of the factors and of the product.
  kernel_phase phase() const { return {&run, 1, this}; }

 private:
  static void run(void** pointers, std::int64_t, std::int64_t, const void* self) {
    static_cast<const prepared_product*>(self)->multiply_(static_cast<const T*>(pointers[0]), static_cast<const T*>(pointers[1]), static_cast<T*>(pointers[2]));
  }

  const jacquard::detail::product_spaces of_;
  const jacquard::detail::product_kernel<T> multiply_;
};

/// Those of a program.
class prepared_products {
 public:
  /// Prepares the products among the steps that no kernel computes. Their functions are put into `functions`, by equation. Without libraries
  /// there is nothing to prepare: products are computed as the interpreter does.
  void prepare(const jaxpr& p, const lowering::lowered_program& l, const jacquard::detail::kernel_libraries* libraries, std::vector<kernel_phase>& functions) {
    if (!libraries) return;
    const jacquard::detail::library_scope scope(libraries);
    for (const lowering::lowered_step& s : l.steps) {
      const equation& e = p.equations[s.equation];
      if (s.kernel >= 0 || s.alias || !e.op->contract || e.effects != 0) continue;
      const contraction c = e.op->contract(p.params(e));
      const aval x = p.type_of(p.inputs(e)[0]), y = p.type_of(p.inputs(e)[1]), &out = p.avals[p.outputs(e)[0]];
      if (!c.lhs_batch.empty() || out.elements() == 0 || x.type != out.type || y.type != out.type) continue;
      if (out.type == f32) add<float>(c, x.dims, y.dims, functions[s.equation]);
      else if (out.type == f64) add<double>(c, x.dims, y.dims, functions[s.equation]);
    }
  }

 private:
  template <class T>
  void add(const contraction& c, const shape& x, const shape& y, kernel_phase& function) {
    const ref<prepared_product<T>> made = make_ref<prepared_product<T>>(c, x, y);
    function = made->phase();
    all_.push_back(made);
  }
  std::vector<ref<counted>> all_;
};

}  // namespace jacquard::cpu
