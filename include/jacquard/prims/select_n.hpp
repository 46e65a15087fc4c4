#pragma once
// select_n: takes each element from one of several arrays. Deliberately without promotion of the cases' dtypes; `where`
// in numpy/ promotes and broadcasts.

#include <cstring>

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/core/value_traits.hpp"
#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
JACQUARD_ONCE constexpr array select_n(const lazy<Array>& which, view<const lazy<Array>> cases, location where = location::current());
}  // namespace lax

/// Element i of case which[i]; case 0 where a boolean `which` is false. An index out of range takes the nearest case.
/// Shapes  which and cases equal, or rank 0, which is broadcast.
/// Errors  type_error: no case, cases of different dtypes, `which` neither bool nor integer, a bool one and over two cases;
///         shape_error: different shapes.
/// Rules   linear in the cases together; transpose = the cotangent where the case was taken, else zero.
/// Cost    reads `which` and all cases once.
struct select_n_p {
  static constexpr std::string_view name = "select_n";
  static constexpr std::uint32_t linear = ~1u;
  static constexpr bool jointly_linear = true;
  static constexpr bool is_elementwise = true;
  static constexpr bool moves_data = true;
  static constexpr std::uint32_t index_operands = 1;

  static constexpr aval abstract_eval(inference& c) {
    if (c.in.size() < 2)
      return c.fail(error_kind::type, " must have at least one case; pass at least one array after `which`");
    const aval& which = c.in[0];
    const view<const aval> cases = c.in.subspan(1);
    if (!contains(bits, which.type))
      return c.fail(error_kind::type, " `which` must be boolean or integer type, got ", long_name(which.type),
                    "; compare or convert it first");
    if (is_boolean(which.type) && cases.size() > 2)
      return c.fail(error_kind::type, " with boolean `which` cannot have > 2 cases, got ", cases.size(),
                    "; pass an integer `which`");
    const aval out = cases_type(c, cases);
    if (which.rank() == 0) return out;
    if (out.rank() != 0 && !(which.dims == out.dims))
      return c.fail(error_kind::shape, " `which` must be scalar or have the same shape as cases, got `which` shape ",
                    which.dims, " but case shape ", out.dims, "; broadcast it first");
    return out.with(which.dims);
  }
  static constexpr array transpose(int k, const auto& ct, const auto& c) {
    std::vector<array> cases(c.x.size() - 1, array(literal(0.0, ct.dtype(), ct.weak_type())));
    cases[std::size_t(k - 1)] = ct;
    return lax::select_n(c.x[0], cases);
  }
  static constexpr batched batch(auto& c) {
    std::vector<array> operands;
    detail::align_batch(c, operands);
    return {lax::select_n(operands[0], view<const array>(operands).subspan(1)), 0};
  }
  static constexpr masked mask(auto& c) {
    std::vector<array> operands;
    const dimension_list dims = detail::align_masked(c, operands);
    return {lax::select_n(operands[0], view<const array>(operands).subspan(1)), dims};
  }
  /// One element with a boolean `which`; what the compile-time lane runs, on numbers and on vector lanes.
  template <class Which, class T>
  static constexpr T pick(const Which& which, const T& off, const T& on) {
    return value_traits<T>::select(which, on, off);
  }
  static constexpr bool records_complex = true;
  static constexpr void record(record_call& c) {
    if (c.in.size() != 3 || c.to.steps[std::size_t(c.in[0])].type != bool_) return;
    c.result = c.to.apply(scalar_op::select, c.in[0], c.in[2], c.in[1]);
    if (c.any_complex()) c.imaginary = c.to.apply(scalar_op::select, c.in[0], c.in_imaginary[2], c.in_imaginary[1]);
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a) {
    const std::int64_t n = a.out_types[0].elements();
    const std::int64_t last = std::int64_t(a.in.size()) - 2;
    const bool one_index = a.in_types[0].rank() == 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t index = a.index[0][one_index ? 0 : i];
      const std::size_t k = std::size_t(1 + (index < 0 ? 0 : index > last ? last : index));
      a.out[0][i] = a.in[k][a.in_types[k].rank() == 0 ? 0 : i];
    }
  }

  /// Elements are moved by size. Which case they come from is found for some at a time, so that the loops over the types of `which` and those over
  /// the sizes of elements are compiled apart.
  static void run(const auto& c) {
    detail::visit_size(size_of(c.out[0].type->type), [&]<class T>(std::type_identity<T>) {
      const bool one_index = c.in[0].type->rank() == 0;
      const std::int64_t n = c.out[0].type->elements(), last = std::int64_t(c.in.size()) - 2;
      T* out = static_cast<T*>(c.out[0].data);
      const auto at = [&](std::size_t k) { return static_cast<const T*>(c.in[k].data); };
      const auto step_of = [&](std::size_t k) { return std::int64_t(c.in[k].type->rank() == 0 ? 0 : 1); };
      if (is_boolean(c.in[0].type->type) && last == 1 && !one_index)
        return run_blocks(static_cast<const bool*>(c.in[0].data), at(1), step_of(1), at(2), step_of(2), out, n);
      std::int64_t cases[128];
      for (std::int64_t first = 0; first < n; first += std::int64_t(std::size(cases))) {
        const std::int64_t count = std::min(n - first, std::int64_t(std::size(cases)));
        find_cases(c.in[0], first, count, last, cases);
        for (std::int64_t i = 0; i < count; ++i) {
          const std::size_t k = std::size_t(1 + cases[i]);
          out[first + i] = at(k)[(first + i) * step_of(k)];
        }
      }
    });
  }

 private:
  /// Which of the cases 0...last `count` elements from `first` on take.
  static void find_cases(const auto& which, std::int64_t first, std::int64_t count, std::int64_t last, std::int64_t* cases) {
    visit_dtype(which.type->type, [&]<class Which>(std::type_identity<Which>) {
      if constexpr (std::is_integral_v<Which>) {
        const Which* const w = static_cast<const Which*>(which.data);
        const bool one = which.type->rank() == 0;
        for (std::int64_t i = 0; i < count; ++i) {
          const Which x = w[one ? 0 : first + i];
          cases[i] = x < Which(1) ? 0 : std::uint64_t(x) > std::uint64_t(last) ? last : std::int64_t(x);
        }
      }
    });
  }
  /// Of two cases, eight elements at a time: masks are true and false for long stretches. `out` may be one of the cases, which is
  /// left alone where it is taken.
  template <class T>
  static void run_blocks(const bool* which, const T* off, std::int64_t step_off, const T* on, std::int64_t step_on, T* out, std::int64_t n) {
    constexpr std::int64_t block = 8;
    T one_off[block], one_on[block], r[block];
    for (std::int64_t j = 0; j < block && n > 0; ++j) one_off[j] = *off, one_on[j] = *on;
    const auto from = [](const T* x, const T* one, std::int64_t s, std::int64_t i) { return s == 0 ? one : x + i; };
    std::int64_t i = 0;
    for (; i + block <= n; i += block) {
      std::uint64_t all;
      std::memcpy(&all, which + i, sizeof all);
      const T *a = from(off, one_off, step_off, i), *b = from(on, one_on, step_on, i);
      if (all == 0 || all == 0x0101010101010101) {
        const T* const taken = all == 0 ? a : b;
        if (taken == out + i) continue;
        std::memcpy(r, taken, sizeof r);
      } else
        for (std::int64_t j = 0; j < block; ++j) r[j] = which[i + j] ? b[j] : a[j];
      std::memcpy(out + i, r, sizeof r);
    }
    for (; i < n; ++i) out[i] = which[i] ? on[i * step_on] : off[i * step_off];
  }
  static constexpr aval cases_type(inference& c, view<const aval> cases) {
    aval out = cases[0];
    for (const aval& a : cases) {
      text got;
      if (a.type != out.type) {
        detail::put_dtypes(got, cases);
        return c.fail(error_kind::type, " requires cases to have the same dtypes, got ", got,
                      "; convert one of them with x.astype(...) or use jq::where, which promotes");
      }
      if (a.rank() != 0 && out.rank() != 0 && !(a.dims == out.dims)) {
        detail::put_shapes(got, cases);
        return c.fail(error_kind::shape, " cases must have the same shapes, got [", got,
                      "]; broadcast them first or use jq::where");
      }
      if (a.rank() != 0) out.dims = a.dims;
      out.weak = out.weak && a.weak;
    }
    return out;
  }
};

namespace detail {
constexpr bool is_wider(const array& a, const array& b) {
  const auto width = [](dtype t) { return int(category_of(t)) * 64 + int(size_of(t)); };
  return width(a.dtype()) > width(b.dtype());
}
/// One of two cases: a literal takes the dtype of the other one unless that is a narrower literal.
constexpr array match_wider(const array& a, const array& other) {
  if (other.kind() == array_kind::literal && is_wider(a, other)) return a;
  return match_literal_to(a, other);
}
}  // namespace detail

namespace lax {

/// See select_n_p. Literals among the cases take the dtype of the first case that is none, or of the widest one.
template <class Array>
JACQUARD_ONCE constexpr array select_n(const lazy<Array>& which, view<const lazy<Array>> cases, location where) {
  const array* strong = nullptr;
  for (const array& a : cases)
    if (!strong && a.kind() != array_kind::literal) strong = &a;
  std::vector<array> operands{which};
  for (std::size_t i = 0; i < cases.size() && (!strong || strong->kind() == array_kind::literal); ++i)
    if (!strong || detail::is_wider(cases[i], *strong)) strong = &cases[i];
  for (const array& a : cases) operands.push_back(detail::match_literal_to(a, *strong));
  return bind_list<select_n_p>({}, where, operands)[0];
}
/// Of two cases.
template <class Array = array>
constexpr array select_n(const lazy<Array>& which, const lazy<Array>& case0, const lazy<Array>& case1,
                         location where = location::current()) {
  const array cases[] = {detail::match_wider(case0, case1), detail::match_wider(case1, case0)};
  return select_n(which, view<const array>(cases), where);
}
/// Of three cases.
template <class Array = array>
constexpr array select_n(const lazy<Array>& which, const lazy<Array>& case0, const lazy<Array>& case1, const lazy<Array>& case2,
                         location where = location::current()) {
  const array cases[] = {case0, case1, case2};
  return select_n(which, view<const array>(cases), where);
}
/// `on_true` where `pred` holds, else `on_false`.
template <class Array = array>
constexpr array select(const lazy<Array>& pred, const lazy<Array>& on_true, const lazy<Array>& on_false,
                       location where = location::current()) {
  return select_n(pred, on_false, on_true, where);
}

}  // namespace lax

}  // namespace jacquard
