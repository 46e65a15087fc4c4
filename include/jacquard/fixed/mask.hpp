#pragma once
// mask in the compile-time lane: a masked function of static arguments is compiled for their padded sizes; the logical ones are
// numbers, of the run or of the compiler. Deliberately without rules: what is traced is the masked function of arrays.

#include "jacquard/fixed/lane.hpp"
#include "jacquard/transforms/mask.hpp"

namespace jacquard::detail {

/// The names of sizes with the padded ones, as arguments of types A... give them. What does not fit is left out; tracing says why.
template <class In, class... A>
constexpr list<bound_name> static_names() {
  list<shape_spec> specs = In::specs();
  list<bound_name> names;
  const std::vector<aval> types = static_avals<A...>();
  if (spread_specs(specs, std::tuple<A...>{})) return names;
  for (std::size_t i = 0; i < specs.size(); ++i)
    if (bind_names(specs[i], types[i].dims, i, names)) break;
  return names;
}
template <class In, class... A>
inline constexpr std::size_t static_name_count = static_names<In, A...>().size();
template <std::size_t K, class In, class... A>
inline constexpr bound_name static_name = static_names<In, A...>()[K];

/// Size number K. Errors: those of mask; value_error for one that is traced.
template <std::size_t K, class In, class... A>
constexpr std::int64_t static_size(const dims& sizes) {
  constexpr bound_name n = static_name<K, In, A...>;
  const array value = sizes.find(n.name);
  error_record e = size_problem(n, value);
  if (!e && value.is_tracer())
    e = make_error(error_kind::value, "mask: the size ", n.name.view(), " is traced, but the arguments are static; pass them as arrays, "
                   "jq::asarray(x)");
  if (e) throw_error(e);
  return value.item<std::int64_t>();
}

/// The masked function F as the lane calls it: of the arguments, and of the sizes in the order of their names.
template <class F, class In, class... A>
struct sized_mask {
  template <class... X, class... N>
  constexpr auto operator()(const std::tuple<X...>& arguments, const std::tuple<N...>& sizes) const {
    dims named;
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      (named.emplace(static_name<K, In, A...>.name.view(), std::get<K>(sizes)), ...);
    }(std::index_sequence_for<N...>{});
    return F{}(arguments, named);
  }
};

/// A call of the masked function F, whose specifications of arguments are In, in this lane.
template <class In, class F, class... A>
constexpr auto mask_in_static_lane(lane<A...>, const F&, const std::tuple<A...>& arguments, const dims& sizes) {
  if constexpr (!check_static_callable<F>()) return nothing_useful{};
  else {
    const auto numbers = [&]<std::size_t... K>(std::index_sequence<K...>) {
      return std::tuple{static_size<K, In, A...>(sizes)...};
    }(std::make_index_sequence<static_name_count<In, A...>>{});
    return run_static<sized_mask<F, In, A...>, own_result>(arguments, numbers);
  }
}

}  // namespace jacquard::detail
