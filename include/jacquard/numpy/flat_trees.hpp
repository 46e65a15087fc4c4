#pragma once
// ravel_pytree: the leaves of a tree behind one another in one vector, and the way back. For methods that know vectors alone.
// Deliberately copies: a leaf is no view of the vector.

#include "jacquard/numpy/creation.hpp"
#include "jacquard/numpy/manipulation.hpp"
#include "jacquard/transforms/function.hpp"

namespace jacquard {

namespace detail {

/// All leaves behind one another, in their common dtype; f32 where there are none.
template <class T>
constexpr array flat_leaves(const T& t, const location& where) {
  std::vector<array> parts = tree::flatten(t);
  if (parts.empty()) return zeros({0}, f32, where);
  for (array& x : parts) x = ravel(x);
  return concatenate(view<const array>(parts), 0, where);
}
/// A tree of the structure of `like` whose leaves have the given types, of the elements of v.
template <class T>
constexpr rebind_t<T> leaves_of_flat(const array& v, const T& like, view<const aval> types) {
  std::vector<array> leaves;
  std::int64_t at = 0;
  for (const aval& a : types) {
    leaves.push_back(reshape(lax::slice(v, {at}, {at + a.elements()}), a.dims).astype(a.type));
    at += a.elements();
  }
  return rebuild<rebind_t<T>>(like, leaves);
}

/// The way back of ravel_pytree.
template <class T>
struct unraveling {
  T like;  ///< without values
  std::vector<aval> types;
  aval flat;

  constexpr T operator()(const array& x, const location& where = location::current()) const {
    const aval got = x.aval();
    error_record e;
    if (!(got.dims == flat.dims))
      e = make_error(error_kind::shape, "unravel function given array of shape ", got.dims, ", but expected shape ", flat.dims,
                     "; pass a vector like the one that ravel_pytree returned");
    else if (got.type != flat.type)
      e = make_error(error_kind::type, "unravel function given array of dtype ", long_name(got.type), ", but expected dtype ",
                     long_name(flat.type), "; convert it with astype");
    e.where = where;
    if (e) throw_error(e);
    return leaves_of_flat(x, like, types);
  }
};

}  // namespace detail

/// The leaves of a tree as one vector of their common dtype (f32 where there are none), and a function that makes a tree like it of such
/// a vector. Errors of that function  shape_error, type_error: a vector of another length or dtype.
template <class T>
constexpr auto ravel_pytree(const T& t, location where = location::current()) {
  const array flat = detail::flat_leaves(t, where);
  std::vector<aval> types;
  for (const array& x : tree::flatten(t)) types.push_back(x.aval());
  return std::pair{flat, detail::unraveling<rebind_t<T>>{detail::prototype(t), std::move(types), flat.aval()}};
}

}  // namespace jacquard
