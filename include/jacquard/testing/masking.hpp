#pragma once
// check_mask: a masked function on padded arguments against the function itself on arguments of the logical sizes. The
// padding holds NaN, or the largest integers, so that whatever leaks out of it shows; values, tangents and cotangents.

#include "jacquard/backends/interpreter/eager.hpp"
#include "jacquard/core/list.hpp"
#include "jacquard/testing/batching.hpp"
#include "jacquard/testing/gradients.hpp"
#include "jacquard/transforms/mask.hpp"

namespace jacquard::testing {

/// Logical sizes by name.
using size_list = std::vector<std::pair<std::string, std::int64_t>>;

/// Shape specifications that are known at run time, one per leaf.
struct run_time_specs {
  std::vector<std::string> texts;
  list<shape_spec> specs() const {
    list<shape_spec> r;
    for (const std::string& s : texts) r.push_back(jacquard::detail::read_spec(s));
    return r;
  }
};

namespace detail {

inline dims dims_of(const size_list& sizes) {
  dims r;
  for (const auto& [name, n] : sizes) r.emplace(std::string_view(name), array(n));
  return r;
}
/// The logical shape of a leaf; a `_` takes the padded size.
inline shape logical_shape(const shape_spec& s, const shape& padded, const size_list& sizes) {
  shape r;
  for (int d = 0; d < padded.rank(); ++d)
    r.push_back(s.any[std::size_t(d)] ? padded[d] : s.dims[std::size_t(d)].evaluate([&](const name_text& n) {
      for (const auto& [name, size] : sizes)
        if (n.view() == name) return size;
      return std::int64_t(0);
    }));
  return r;
}
/// The leading elements of `x`.
inline array prefix(const array& x, const shape& dims) { return lax::slice(x, int_list::filled(dims.rank(), 0), dims, int_list::filled(dims.rank(), 1)); }
/// `x` with garbage beyond its logical shape.
inline array soiled(const array& x, const shape& logical) {
  const aval t = x.aval();
  return fill(t, [&](std::int64_t i) {
    const int_list at = index_of(t.dims, i);
    bool inside = true;
    for (int d = 0; d < at.size(); ++d) inside = inside && at[d] < logical[d];
    if (inside) return elements(x)[std::size_t(i)];
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return is_inexact(t.type) ? complex128(nan, is_complex(t.type) ? nan : 0) : complex128(97, 0);
  });
}
/// Whether the logical part of `got` is `want` and the rest zero.
inline report check_padded(const array& got, const array& want, double tolerance) {
  report r;
  if (got.dtype() != want.dtype() || got.ndim() != want.ndim())
    return r.fail("got an array of type ", got.aval(), ", wanted a padded ", want.aval());
  for (int d = 0; d < want.ndim(); ++d)
    if (got.shape()[d] < want.shape()[d]) return r.fail("got an array of type ", got.aval(), ", wanted at least ", want.aval());
  r.add("logical part", all_close(prefix(got, want.shape()), want, tolerance, tolerance));
  const std::vector<complex128> all = elements(got);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int_list at = index_of(got.shape(), std::int64_t(i));
    bool inside = true;
    for (int d = 0; d < at.size(); ++d) inside = inside && at[d] < want.shape()[d];
    if (!inside && !(all[i].re == 0 && all[i].im == 0)) return r.fail("padding: element ", at, " is ", number(all[i].re), ", wanted 0");
  }
  return r;
}

/// f masked, as a function of leaves whose results are followed by their logical shapes.
inline leaf_function masked_function(const leaf_function& f, const run_time_specs& in, const dims& sizes) {
  return [=](const leaves& x) {
    using function = jacquard::detail::mask_function<leaf_function, run_time_specs, jacquard::detail::logical_shapes_returned>;
    const auto r = function{f, in, {}}(std::tuple<leaves>(x), sizes);
    leaves all = r.first;
    all.insert(all.end(), r.second.begin(), r.second.end());
    return all;
  };
}

}  // namespace detail

/// Checks mask of f. `specs` holds the specification of each leaf, `x` padded leaves, of which only the logical parts count.
inline report check_mask(const leaf_function& f, const std::vector<std::string>& specs, const leaves& x, const size_list& sizes,
                         bool derivatives = true) {
  report r;
  const run_time_specs in{specs};
  leaves small, soiled;
  std::vector<shape> logical;
  for (std::size_t k = 0; k < x.size(); ++k) {
    logical.push_back(detail::logical_shape(in.specs()[k], x[k].shape(), sizes));
    small.push_back(detail::prefix(x[k], logical[k]));
    soiled.push_back(detail::soiled(x[k], logical[k]));
  }
  const leaf_function g = detail::masked_function(f, in, detail::dims_of(sizes));
  const leaves want = f(small), got = g(soiled);
  const double unit = 256 * precision(coarsest(x, want));
  if (got.size() != 2 * want.size()) return r.fail("got ", got.size() / 2, " results, wanted ", want.size());
  for (std::size_t o = 0; o < want.size(); ++o) {
    r.add(cat("result ", o).view(), detail::check_padded(got[o], want[o], unit));
    for (int d = 0; d < want[o].ndim(); ++d)
      if (element(got[want.size() + o], d).get<std::int64_t>() != want[o].shape()[d])
        r.fail("logical size ", d, " of result ", o, " is ", element(got[want.size() + o], d).get<std::int64_t>(), ", wanted ",
               want[o].shape()[d]);
  }
  if (!r || !derivatives) return r;
  leaves t = directions(x, 3), t_small, t_soiled, ct, ct_soiled;
  for (std::size_t k = 0; k < x.size(); ++k) {
    t_small.push_back(detail::prefix(t[k], logical[k]));
    t_soiled.push_back(is_inexact(x[k].dtype()) ? detail::soiled(t[k], logical[k]) : t[k]);
  }
  const leaves dy = tangents_of(f, small, t_small), masked_dy = tangents_of(g, soiled, t_soiled);
  for (std::size_t o = 0; o < want.size(); ++o) {
    if (is_inexact(want[o].dtype())) r.add(cat("tangent ", o).view(), detail::check_padded(masked_dy[o], dy[o], unit));
    const array c = direction(got[o], 5 + o);
    ct.push_back(detail::prefix(c, want[o].shape()));
    ct_soiled.push_back(is_inexact(c.dtype()) ? detail::soiled(c, want[o].shape()) : c);
  }
  for (std::size_t o = 0; o < want.size(); ++o) ct_soiled.push_back(direction(got[want.size() + o], 1));
  const leaves back = cotangents_of(f, small, ct), masked_back = cotangents_of(g, soiled, ct_soiled);
  for (std::size_t k = 0; k < x.size(); ++k)
    if (is_inexact(x[k].dtype())) r.add(cat("cotangent ", k).view(), detail::check_padded(masked_back[k], back[k], unit));
  return r;
}

}  // namespace jacquard::testing
