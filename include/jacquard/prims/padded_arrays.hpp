#pragma once
// What masking does with padded arrays: sizes as run-time values, filling and guarding padding, moving windows, and reading an
// array in the order of its logical elements. The services of core/masking.hpp but for those that need an interpreter. Not a
// primitive itself.

#include "jacquard/core/list.hpp"
#include "jacquard/prims/bitwise.hpp"
#include "jacquard/prims/div.hpp"
#include "jacquard/prims/dynamic_slice.hpp"
#include "jacquard/prims/mask_cotangent.hpp"
#include "jacquard/prims/prefix_mask.hpp"
#include "jacquard/prims/rem.hpp"

namespace jacquard {

namespace detail {
/// A size as an operand, i64[]. Not by lax::convert_element_type, which would convert the literal at once.
template <class Array = array>
constexpr Array size_as_operand(std::int64_t size, const location& where) {
  return bind<convert_element_type_p>({i64, false}, where, Array(size));
}
}  // namespace detail

/// A named size: its run-time value, i64[], and the padded one, which it does not exceed.
template <class Array = array>
struct named_size {
  name_text name;
  std::int64_t padded = 0;
  Array value;
  bool is_known = false;  ///< the value is concrete
  std::int64_t known = 0;
};

/// Services on padded arrays. What they compute for one size or shape is computed once.
template <class Array>
class padded_arrays : public mask_scope {
 public:
  constexpr explicit padded_arrays(std::vector<named_size<Array>> names, list<dimension> loops = {})
      : names_(std::move(names)), loops_(std::move(loops)) {}

  // What is left to the interpreter is said again: in constant evaluation nvcc 13 finds functions one class up, and no further.
  constexpr dimension decode(std::int64_t first, std::int64_t second) override = 0;
  constexpr void fail(const error_record& e) override = 0;
  constexpr std::vector<masked> evaluate(const jaxpr& body, const jaxpr& twin, view<const array> name_values, view<const array> arguments,
                                         view<const dimension_list> dims, const dimension& trips) override = 0;
  constexpr function_ref context() const override = 0;

  constexpr array size(const dimension& d) override {
    if (d.is_constant()) return array(d.constant());
    for (const auto& [known, value] : sizes_)
      if (known == d) return value;
    Array sum;
    for (const dimension::term& t : d.terms()) {
      Array product;
      if (t.factors.empty() || t.coefficient != 1) product = array(t.coefficient);
      for (const dimension::factor& f : t.factors)
        for (int i = 0; i < f.power; ++i) {  // not `?:`, whose temporaries g++ 12 destroys twice in constant evaluation
          if (product.is_none()) product = value_of(f.base);
          else product = lax::mul(product, value_of(f.base));
        }
      if (sum.is_none()) sum = product;
      else sum = lax::add(sum, product);
    }
    sizes_.emplace_back(d, sum);
    return sum;
  }
  constexpr array shape_of(const dimension_list& dims) override {
    std::vector<array> parts;
    for (const dimension& d : dims) parts.push_back(lax::broadcast_in_dim(size(d), shape{1}, {}));
    if (parts.empty()) return lax::zeros(aval(i64, shape{0}));
    return lax::concatenate(parts, 0);
  }
  constexpr dimension_bounds range(const dimension& d) const override {
    return bounds(d, [&](const name_text& n) {
      for (const auto& known : names_)
        if (known.name == n) return dimension_bounds{0, known.padded};
      return dimension_bounds{};
    });
  }

  constexpr array filled(const array& x, const dimension_list& dims, const int_list& axes, const array& fill) override {
    const int_list ragged = symbolic(dims, axes);
    if (ragged.empty()) return x;
    array from = x;
    for (const filling& f : fillings_) {
      if (!f.result.same_as(x) || !(f.dims == dims) || !includes(ragged, f.axes)) continue;
      if (f.fill.same_as(fill) && f.axes == ragged) return x;
      from = f.operand;  // what was filled in once need not be, where it is filled in again
    }
    const array y = lax::select(inside(x.shape(), dims, ragged), from, fill);
    fillings_.push_back({from, y, fill, dims, ragged});
    return y;
  }
  constexpr array guarded(const array& x, const dimension_list& dims, const int_list& axes) override {
    const int_list ragged = symbolic(dims, axes);
    if (ragged.empty() || !x.is_tracer() || !is_inexact(x.dtype())) return x;
    return lax::mask_cotangent(x, inside(x.shape(), dims, ragged));
  }
  constexpr array spread(const array& x, const dimension_list& dims) override {
    if (!detail::has_symbolic(dims) || !x.is_tracer() || !is_inexact(x.dtype())) return x;
    return guarded(lax::broadcast_in_dim(x, padded(dims), {}), dims, int_list::iota(int(dims.size())));
  }

  constexpr array window(const array& x, int d, std::int64_t start, std::int64_t count) override {
    const std::int64_t n = x.shape()[d], low = std::min(start, n), high = std::min(start + count, n);
    array y = x;
    if (low != 0 || high != n) {
      int_list from = int_list::filled(x.ndim(), 0), to = x.shape();
      from[d] = low;
      to[d] = high;
      y = lax::slice(x, from, to);
    }
    return extended(y, d, count);
  }
  constexpr array window(const array& x, int d, const array& start, std::int64_t last, std::int64_t count) override {
    return lax::dynamic_slice_in_dim(extended(x, d, last + count), start, count, d);
  }
  constexpr array placed(const array& x, const array& update, int d, const array& start) override {
    return lax::dynamic_update_slice_in_dim(x, update, start, d);
  }
  constexpr array reindexed(const array& x, const dimension_list& from, const dimension_list& to) override {
    std::size_t rows_from = from.size(), rows_to = to.size();  // equal constant dimensions at the end move as blocks
    std::int64_t block = 1;
    while (rows_from > 0 && rows_to > 0 && from[rows_from - 1].is_constant() && from[rows_from - 1] == to[rows_to - 1]) {
      --rows_to;
      block *= from[--rows_from].constant();
    }
    const shape target = padded(to);
    if (x.size() == 0 || target.elements() == 0) return lax::zeros(x.aval().with(target));
    const dimension_list outer(to.begin(), to.begin() + std::ptrdiff_t(rows_to));
    const array places = source_rows(dimension_list(from.begin(), from.begin() + std::ptrdiff_t(rows_from)), outer);
    const array rows = lax::reshape(x, shape{x.size() / block, block});
    const array taken = lax::gather(rows, places, {{places.ndim() - 1}, {0}, {0}}, {1, block}, index_mode::clip);
    return guarded(lax::reshape(taken, target), to, int_list::iota(int(to.size())));
  }

  constexpr void require_at_least(const dimension& a, const dimension& b) override {
    const verdict known_for_all = at_least(a, b, [&](const name_text& n) { return range(dimension::named(n.view())); });
    if (known_for_all == verdict::yes) return;
    bool decided = true;
    const std::int64_t value = (a - b).evaluate([&](const name_text& n) {
      for (const auto& known : names_)
        if (known.name == n && known.is_known) return known.known;
      decided = false;
      return std::int64_t(0);
    });
    if (known_for_all == verdict::no || (decided && value < 0)) {
      const std::int64_t least = b == dimension(0) ? a.evaluate([](const name_text&) { return std::int64_t(0); }) : 0;  // n >= 2 rather than n + -2 >= 0
      fail(make_error(error_kind::value, "mask: the function needs ", a - dimension(least), " >= ", b - dimension(least), ", which does not hold for ",
                      known_for_all == verdict::no ? "any" : "these", " sizes; pass others"));
    }
  }
  constexpr std::vector<array> name_values() const override {
    std::vector<array> r;
    for (const auto& n : names_) r.push_back(n.value);
    return r;
  }
  constexpr array loops_run() override {
    Array all;
    for (const dimension& trips : loops_) {
      const Array one = lax::gt(size(trips), array(std::int64_t(0)));
      if (all.is_none()) all = one;
      else all = lax::and_(all, one);
    }
    return all;
  }

 protected:
  std::vector<named_size<Array>> names_;
  list<dimension> loops_;  ///< the trips of the loops around that may be empty, each once

 private:
  struct filling {
    Array operand, result, fill;
    dimension_list dims;
    int_list axes;
  };
  struct interior {
    shape dims;
    dimension_list sizes;  ///< of the axes
    int_list axes;
    Array value;
  };

  static constexpr int_list symbolic(const dimension_list& dims, const int_list& axes) {
    int_list r;
    for (int d = 0; d < int(dims.size()); ++d)
      if (axes.contains(d) && !dims[std::size_t(d)].is_constant()) r.push_back(d);
    return r;
  }
  static constexpr bool includes(const int_list& all, const int_list& some) {
    for (std::int64_t v : some)
      if (!all.contains(v)) return false;
    return true;
  }
  constexpr array value_of(const dimension::atom& a) {
    if (a.is_name()) {
      for (const auto& known : names_)
        if (known.name == a.name) return known.value;
      return array(std::int64_t(0));
    }
    const array x = size(a.argument[0]), zero(std::int64_t(0));
    const array positive = lax::select(lax::lt(x, zero), zero, x);
    if (a.divisor == 0) return positive;
    return lax::div(positive, array(a.divisor));
  }
  static constexpr array extended(const array& x, int d, std::int64_t count) {
    const std::int64_t n = x.shape()[d];
    if (count <= n) return x;
    const int_list nothing = int_list::filled(x.ndim(), 0);
    int_list high = nothing;
    high[d] = count - n;
    return lax::pad(x, detail::zero_of(x.aval()), nothing, high, nothing);
  }

  /// bool[dims]: whether an index is below the logical size along all `axes`.
  constexpr array inside(const shape& dims, const dimension_list& logical, const int_list& axes) {
    dimension_list own;
    for (std::int64_t d : axes) own.push_back(logical[std::size_t(d)]);
    for (const interior& i : interiors_)
      if (i.dims == dims && i.axes == axes && i.sizes == own) return i.value;
    Array all;
    for (std::int64_t d : axes) {
      const std::int64_t n = dims[int(d)];
      Array one;
      if (dims.rank() == 1) one = lax::prefix_mask(size(logical[std::size_t(d)]), n);
      else one = lax::broadcast_in_dim(inside(shape{n}, dimension_list(1, logical[std::size_t(d)]), {0}), dims, {d});
      if (all.is_none()) all = one;
      else all = lax::and_(all, one);
    }
    interiors_.push_back({dims, own, axes, all});
    return all;
  }

  /// For each padded index of `to`, i64[..., 1]: the padded row-major position in `from` of the same logical element.
  constexpr array source_rows(const dimension_list& from, const dimension_list& to) {
    const shape out = padded(to), in = padded(from);
    array linear = lax::broadcast_in_dim(array(std::int64_t(0)), out, {});
    dimension stride(1);
    for (int d = out.rank() - 1; d >= 0; --d) {
      const array along = lax::mul(lax::iota(i64, out[d]), size(stride));
      linear = lax::add(linear, lax::broadcast_in_dim(along, out, {d}));
      stride = stride * to[std::size_t(d)];
    }
    array row = lax::broadcast_in_dim(array(std::int64_t(0)), out, {});
    const int_list dense = in.strides();
    for (int d = in.rank() - 1; d >= 0; --d) {
      array index = linear;
      if (d != 0) {
        index = lax::rem(linear, size(from[std::size_t(d)]));
        linear = lax::div(linear, size(from[std::size_t(d)]));
      }
      row = lax::add(row, lax::mul(index, array(dense[d])));
    }
    return lax::reshape(row, shape(out.with(out.rank(), 1)));
  }

  list<std::pair<dimension, Array>> sizes_;
  std::vector<filling> fillings_;
  std::vector<interior> interiors_;
};

}  // namespace jacquard
