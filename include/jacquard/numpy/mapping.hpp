#pragma once
// Functions of the user's applied along axes, over axes one after the other, and to parts of broadcast operands. All of them are vmap with axes
// put in order, so that the function is traced once.

#include "jacquard/numpy/manipulation.hpp"
#include "jacquard/transforms/vmap.hpp"

namespace jacquard {

namespace detail {

/// The names of the core dimensions of each argument of a signature such as "(m,n),(n)->(m)": all before the arrow. False if it is none.
template <class Names = std::vector<std::vector<std::string_view>>>
constexpr bool read_signature(std::string_view s, Names& out) {
  std::size_t at = 0;
  const auto skip = [&] { while (at < s.size() && s[at] == ' ') ++at; };
  const auto takes = [&](char c) {
    skip();
    if (at >= s.size() || s[at] != c) return false;
    ++at;
    return true;
  };
  while (true) {
    if (!takes('(')) return false;
    out.emplace_back();
    while (!takes(')')) {
      if (!out.back().empty() && !takes(',')) return false;
      skip();
      const std::size_t first = at;
      while (at < s.size() && s[at] != ',' && s[at] != ')' && s[at] != ' ' && s[at] != '(') ++at;
      if (at == first || at >= s.size()) return false;
      out.back().push_back(s.substr(first, at - first));
    }
    if (!takes(',')) break;
  }
  return takes('-') && takes('>') && takes('(');
}

/// Operands of a vectorised function: what their leading dimensions broadcast to, and each as [count, core...].
template <class Operand>
struct vectorised_operands {
  shape dims;
  std::vector<array> rows;
  array bad;

  constexpr vectorised_operands(std::string_view signature, view<const Operand> x) { lay_out(signature, x); }

 private:
  constexpr void lay_out(std::string_view signature, view<const Operand> x) {
    std::vector<std::vector<std::string_view>> names;
    const bool good = signature.empty() || read_signature(signature, names);
    if (signature.empty()) names.resize(x.size());
    if (!good || names.size() != x.size()) return fail(x, "the signature \"", signature, "\" for ", x.size(),
                                                       " arguments; wanted one like (m,n),(n)->(m)");
    for (std::size_t k = 0; k < x.size(); ++k) {
      const shape given = x[k].value.shape();
      const int core = int(names[k].size());
      if (given.rank() < core) return fail(x, "an argument of shape ", given, " with ", core, " core dimensions in \"", signature,
                                           "\"; wanted at least as many");
      for (int d = 0; d < core; ++d)
        if (!agrees(names[k][std::size_t(d)], given[given.rank() - core + d]))
          return fail(x, "different sizes of the dimension ", names[k][std::size_t(d)], " of \"", signature, "\"; wanted one size for each name");
      if (shape joined; broadcast_shapes(dims, leading(given, core), joined)) dims = joined;
      else return fail(x, "leading dimensions ", leading(given, core), " and ", dims, " that do not broadcast; wanted equal ones, or 1");
    }
    for (std::size_t k = 0; k < x.size(); ++k) rows.push_back(as_rows(x[k], int(names[k].size())));
  }

  static constexpr shape leading(const shape& given, int core) {
    shape r;
    for (int d = 0; d + core < given.rank(); ++d) r.push_back(given[d]);
    return r;
  }
  constexpr bool agrees(std::string_view name, std::int64_t size) {
    for (const auto& [known, wanted] : sizes_)
      if (known == name) return wanted == size;
    sizes_.emplace_back(name, size);
    return true;
  }
  constexpr array as_rows(const Operand& x, int core) const {
    const shape given = x.value.shape();
    shape whole = dims, flat{dims.elements()};
    for (int d = given.rank() - core; d < given.rank(); ++d) whole.push_back(given[d]), flat.push_back(given[d]);
    return lax::reshape(broadcast_operand(x.value, whole, false, x.where), flat, x.where);
  }
  template <class... Parts>
  constexpr void fail(view<const Operand> x, const Parts&... parts) {
    std::vector<array> about;
    for (const Operand& o : x) about.push_back(o.value);
    bad = operand_error(view<const array>(about), make_error(error_kind::shape, "vectorize: got ", parts...), x.size() > 0 ? x[0].where : location{});
  }
  std::vector<std::pair<std::string_view, std::int64_t>> sizes_;
};

template <class F>
struct vectorised_function {
  [[no_unique_address]] F f;
  std::string_view signature;

  constexpr array operator()(const operand& a) const { return call({a}); }
  constexpr array operator()(const operand& a, const operand& b) const { return call({a, b}); }
  constexpr array operator()(const operand& a, const operand& b, const operand& c) const { return call({a, b, c}); }
  constexpr array operator()(const operand& a, const operand& b, const operand& c, const operand& d) const { return call({a, b, c, d}); }

 private:
  template <std::size_t N>
  constexpr array call(const operand (&x)[N]) const {
    const vectorised_operands<operand> v(signature, view<const operand>(x, N));
    if (!v.bad.is_none()) return v.bad;
    const array y = [&]<std::size_t... K>(std::index_sequence<K...>) { return vmap(f)(v.rows[K]...); }(std::make_index_sequence<N>{});
    shape dims = v.dims;
    for (int d = 1; d < y.ndim(); ++d) dims.push_back(y.shape()[d]);
    return lax::reshape(y, dims, x[0].where);
  }
};

}  // namespace detail

/// f of vectors, applied to all vectors of x along an axis, whose place the dimensions of its result take.
/// Errors: value_error for an axis out of range; those of f.
template <class F, class Operand = operand>
constexpr array apply_along_axis(F f, int axis, const lazy<Operand>& x) {
  int d = 0;
  const array bad = detail::resolve_one_axis("apply_along_axis", x, axis, x.value.ndim(), d);
  if (!bad.is_none()) return bad;
  const shape dims = x.value.shape();
  const std::int64_t n = dims[d];
  const shape others(dims.without(d));
  const array rows = lax::reshape(moveaxis(x, d, -1), shape{others.elements(), n}, x.where);
  const array y = vmap([&](const array& v) { return operand(f(v), x.where).value; })(rows);
  shape whole = others;
  axis_list from, to;
  for (int i = 1; i < y.ndim(); ++i) {
    whole.push_back(y.shape()[i]);
    from.push_back(others.rank() + i - 1);
    to.push_back(d + i - 1);
  }
  return moveaxis(operand(lax::reshape(y, whole, x.where), x.where), from, to);
}
/// f(x, axis) for one axis after the other, of the result so far; an axis that f drops is put back with size 1.
/// Errors: value_error for an axis out of range, or a result of another number of dimensions.
template <class F, class Operand = operand>
constexpr array apply_over_axes(F f, const lazy<Operand>& x, const axis_list& axes) {
  operand y = x;
  const int rank = x.value.ndim();
  int_list resolved;
  const array bad = detail::resolve_axes("apply_over_axes", x, axes, rank, resolved);
  if (!bad.is_none()) return bad;
  for (std::int64_t axis : resolved) {
    const array next = f(y.value, int(axis));
    if (next.ndim() == rank) y = operand(next, x.where);
    else if (next.ndim() == rank - 1) y = operand(expand_dims(operand(next, x.where), axis), x.where);
    else
      return detail::bad_operand(x, error_kind::value, "apply_over_axes: the function gave ", next.ndim(), " dimensions for ", rank,
                                 "; wanted as many, or one less");
  }
  return y.value;
}
/// f of scalars as a function of up to four arrays that broadcast. With a signature such as "(m,n),(n)->(m)" f takes arrays of these dimensions, and
/// the dimensions before them broadcast. Errors: shape_error, when called, for a signature that does not fit the arguments, or shapes that do not
/// broadcast.
template <class F>
constexpr auto vectorize(F f, std::string_view signature = "") {
  return detail::vectorised_function<F>{std::move(f), signature};
}

}  // namespace jacquard
