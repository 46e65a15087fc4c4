#pragma once
// Mapped axes of trees: one axis per leaf from in_axes/out_axes options (values, or tree prefixes), and the checks of vmap.

#include "jacquard/transforms/differentiate.hpp"

namespace jacquard {

namespace detail {

/// Appends one axis per leaf of `t`, given a prefix: an int (or none) covers the whole subtree.
template <class Prefix, class T>
constexpr void axes_from_prefix(const Prefix& prefix, const T& t, std::vector<int>& out) {
  if constexpr (std::is_convertible_v<Prefix, int>) out.insert(out.end(), leaf_count(t), int(prefix));
  else if constexpr (is_tuple<Prefix> && is_tuple<T>) {
    static_assert(std::tuple_size_v<Prefix> == std::tuple_size_v<T>,
                  "jq::vmap in_axes specification must be a tree prefix of the corresponding value: tuples differ in length");
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (axes_from_prefix(std::get<I>(prefix), std::get<I>(t), out), ...);
    }(std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr ((is_vector<Prefix> || is_std_array<Prefix>) && (is_vector<T> || is_std_array<T>)) {
    for (std::size_t i = 0; i < t.size(); ++i)
      if (i < prefix.size()) axes_from_prefix(prefix[i], t[i], out);
      else out.push_back(mismatch);
  } else if constexpr (is_map<Prefix> && is_map<T>) {
    for (const auto& [key, part] : t) {
      const auto it = prefix.find(key);
      if (it == prefix.end()) out.push_back(mismatch);
      else axes_from_prefix(it->second, part, out);
    }
  } else if constexpr (plain_aggregate<T> && is_tuple<Prefix>) {
    axes_from_prefix(prefix, parts(t), out);
  } else if constexpr (plain_aggregate<T> && plain_aggregate<Prefix>) {
    const auto a = parts(prefix);
    const auto b = parts(t);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (axes_from_prefix(std::get<I>(a), std::get<I>(b), out), ...);
    }(std::make_index_sequence<std::tuple_size_v<decltype(b)>>{});
  } else {
    static_assert(sizeof(T) == 0, "jq::vmap in_axes specification must be a tree prefix of the corresponding value: int, "
                                  "jq::none, or a container like the argument");
  }
}

template <class... A>
constexpr std::vector<std::size_t> leaf_counts(const A&... args) {
  return {leaf_count(args)...};
}

template <class O>
inline constexpr bool is_in_axes_tree = false;
template <class... T>
inline constexpr bool is_in_axes_tree<in_axes_tree_t<T...>> = true;
template <class O>
inline constexpr bool is_out_axes_tree = false;
template <class T>
inline constexpr bool is_out_axes_tree<out_axes_tree_t<T>> = true;
template <class O>
inline constexpr bool is_axis_name = false;
template <fixed_string S>
inline constexpr bool is_axis_name<axis_name_t<S>> = true;

/// One axis per leaf of the arguments.
template <class... O, class... A>
constexpr std::vector<int> input_axes(const std::tuple<O...>& options, const A&... args) {
  std::vector<int> axes;
  if constexpr ((is_in_axes_tree<O> || ...)) {
    const auto use = [&](const auto& option) {
      using Option = std::remove_cvref_t<decltype(option)>;
      if constexpr (is_in_axes_tree<Option>) {
        static_assert(std::tuple_size_v<decltype(option.axes)> == sizeof...(A),
                      "jq::in_axes_tree needs one prefix per argument");
        axes_from_prefix(option.axes, std::tuple<const A&...>(args...), axes);
      }
    };
    std::apply([&](const auto&... o) { (use(o), ...); }, options);
  } else {
    using found = typename find_option<wants_ints<in_axes_t>, O...>::type;
    if constexpr (std::is_same_v<found, no_option>) {
      (axes_from_prefix(0, args, axes), ...);
    } else {
      static_assert(found::values.size() == 1 || found::values.size() == sizeof...(A),
                    "jq::in_axes needs one axis for all arguments or one per argument");
      std::size_t i = 0;
      (axes_from_prefix(found::values[found::values.size() == 1 ? 0 : i++], args, axes), ...);
    }
  }
  return axes;
}

/// One axis per leaf of the result.
template <class... O, class R>
constexpr std::vector<int> output_axes(const std::tuple<O...>& options, const R& result) {
  std::vector<int> axes;
  if constexpr ((is_out_axes_tree<O> || ...)) {
    const auto use = [&](const auto& option) {
      if constexpr (is_out_axes_tree<std::remove_cvref_t<decltype(option)>>) axes_from_prefix(option.axes, result, axes);
    };
    std::apply([&](const auto&... o) { (use(o), ...); }, options);
  } else {
    using found = typename find_option<wants_ints<out_axes_t>, O...>::type;
    if constexpr (std::is_same_v<found, no_option>) axes_from_prefix(0, result, axes);
    else if constexpr (found::values.size() == 1) axes_from_prefix(found::values[0], result, axes);
    else {
      static_assert(is_tuple<R> || is_std_array<R>, "jq::out_axes with several axes needs a function that returns a tuple");
      axes_from_prefix(found::values_tuple(), result, axes);
    }
  }
  return axes;
}

template <class... O>
constexpr name_text mapped_name() {
  name_text r;
  [[maybe_unused]] const auto use = [&]<class Option>(std::type_identity<Option>) {
    if constexpr (is_axis_name<Option>) r = Option::name;
  };
  (use(std::type_identity<O>{}), ...);
  return r;
}
template <class... O>
constexpr std::int64_t requested_size(const std::tuple<O...>& options) {
  std::int64_t size = -1;
  const auto use = [&](const auto& option) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(option)>, axis_size>) size = option.value;
  };
  std::apply([&](const auto&... o) { (use(o), ...); }, options);
  return size;
}

/// The argument a leaf belongs to.
constexpr std::size_t argument_of(std::size_t leaf_index, const std::vector<std::size_t>& counts) {
  std::size_t arg = 0;
  while (leaf_index >= counts[arg]) leaf_index -= counts[arg++];
  return arg;
}

/// vmap's message for axes of different sizes.
constexpr error_record inconsistent_sizes(std::span<const array> leaves, const std::vector<int>& dims,
                                          const std::vector<std::size_t>& counts) {
  text m("vmap got inconsistent sizes for array axes to be mapped:");
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (dims[i] == not_mapped) continue;
    const shape s = leaves[i].shape();
    m << "\narg " << argument_of(i, counts) << " has shape " << s << " and axis " << dims[i] << " is to be mapped";
    bool seen = false;
    for (std::int64_t v : sizes) seen = seen || v == s[dims[i]];
    if (!seen) sizes.push_back(s[dims[i]]);
  }
  m << "\nso";
  for (std::int64_t size : sizes) {
    text names;
    int count = 0;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (dims[i] == not_mapped || leaves[i].shape()[dims[i]] != size) continue;
      names << (count++ ? ", " : "") << argument_of(i, counts);
    }
    m << (count == 1 ? "\narg " : "\nargs ") << names << (count == 1 ? " has an axis" : " have axes")
      << " to be mapped of size " << size;
  }
  return {error_kind::value, m, {}};
}

/// Resolves axes against the ranks of the leaves and finds the size of the mapped axis.
constexpr error_record resolve_mapped(std::span<const array> leaves, const std::vector<int>& axes, std::int64_t requested,
                                      const std::vector<std::size_t>& counts, std::vector<int>& dims, std::int64_t& size) {
  if (axes.size() != leaves.size())
    return make_error(error_kind::value, "vmap in_axes specification must be a tree prefix of the corresponding value: got ",
                      axes.size(), " axes for ", leaves.size(), " arrays");
  bool consistent = true;
  size = -1;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    dims.push_back(not_mapped);
    if (axes[i] == none) continue;
    if (axes[i] == mismatch)
      return make_error(error_kind::value, "vmap in_axes specification must be a tree prefix of the corresponding value: it lacks "
                        "an entry for leaf ", i);
    const shape s = leaves[i].shape();
    dims.back() = resolve_axis(axes[i], s.rank());
    if (dims.back() < 0)
      return make_error(error_kind::value, "vmap was requested to map its argument along axis ", axes[i],
                        ", which implies that its rank should be at least ", axes[i] < 0 ? -axes[i] : axes[i] + 1,
                        ", but is only ", s.rank(), " (its shape is ", s, ")");
    const std::int64_t n = s[dims.back()];
    if (size < 0) size = n;
    consistent = consistent && n == size;
  }
  if (!consistent) return inconsistent_sizes(leaves, dims, counts);
  if (size < 0 && requested < 0)
    return make_error(error_kind::value, "vmap must have at least one non-None value in in_axes; give one argument an axis or "
                      "pass jq::axis_size(n)");
  if (size >= 0 && requested >= 0 && size != requested)
    return make_error(error_kind::value, "vmap got axis_size ", requested, " but its arguments have mapped axes of size ", size);
  if (size < 0) size = requested;
  return {};
}

}  // namespace detail
}  // namespace jacquard
