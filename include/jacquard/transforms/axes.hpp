#pragma once
// Mapped axes of trees: one axis per leaf from in_axes/out_axes options (values, or tree prefixes), and the checks of vmap.

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/transforms/differentiate.hpp"

namespace jacquard {

namespace detail {

/// Marks a value whose specification does not fit; at least once, so that nothing passes unnoticed.
template <class Entry, class T>
constexpr void mark_mismatch(const T& t, std::vector<Entry>& out) {
  for (std::size_t n = std::max<std::size_t>(leaf_count(t), 1); n > 0; --n) out.push_back(Entry(mismatch));
}

/// Appends one axis, or another entry that an int can be, per leaf of `t`, given a prefix: an entry (or none) covers the whole subtree.
template <class Entry, class Prefix, class T>
constexpr void axes_from_prefix(const Prefix& prefix, const T& t, std::vector<Entry>& out) {
  if constexpr (std::is_convertible_v<Prefix, Entry>) {
    for (std::size_t n = leaf_count(t); n > 0; --n) out.push_back(Entry(prefix));
  } else if constexpr (is_tuple<Prefix> && is_tuple<T>) {
    static_assert(std::tuple_size_v<Prefix> == std::tuple_size_v<T>,
                  "jacquard: an axes specification must be a tree prefix of the corresponding value: tuples differ in length");
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (axes_from_prefix(std::get<I>(prefix), std::get<I>(t), out), ...);
    }(std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr ((is_vector<Prefix> || is_std_array<Prefix>) && (is_vector<T> || is_std_array<T>)) {
    if (prefix.size() != t.size()) return mark_mismatch(t, out);
    for (std::size_t i = 0; i < t.size(); ++i) axes_from_prefix(prefix[i], t[i], out);
  } else if constexpr (is_map<Prefix> && is_map<T>) {
    if (prefix.size() != t.size()) return mark_mismatch(t, out);
    for (const auto& [key, part] : t) {
      const auto it = prefix.find(key);
      if (it == prefix.end()) mark_mismatch(part, out);
      else axes_from_prefix(it->second, part, out);
    }
  } else if constexpr (is_optional<T>) {
    if (t) axes_from_prefix(prefix, *t, out);
  } else if constexpr (plain_aggregate<T> && is_tuple<Prefix>) {
    axes_from_prefix(prefix, parts(t), out);
  } else if constexpr (plain_aggregate<T> && plain_aggregate<Prefix>) {
    const auto a = parts(prefix);
    const auto b = parts(t);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (axes_from_prefix(std::get<I>(a), std::get<I>(b), out), ...);
    }(std::make_index_sequence<std::tuple_size_v<decltype(b)>>{});
  } else {
    static_assert(sizeof(T) == 0, "jacquard: an axes specification must be a tree prefix of the corresponding value: int, "
                                  "jq::none, jq::partition_spec where parts are told, or a container like the value");
  }
}

/// An axis specification as text: "(0, [None, 1])".
template <class Prefix>
constexpr void put_axes(text& out, const Prefix& prefix) {
  if constexpr (std::is_convertible_v<Prefix, int>) {
    if (int(prefix) == none) out << "None";
    else out << int(prefix);
  } else if constexpr (requires { prefix.put(out); }) prefix.put(out);
  else if constexpr (is_map<Prefix>) {
    std::string_view separator = "{'";
    for (const auto& [key, part] : prefix) {
      out << separator << std::string_view(key) << "': ";
      put_axes(out, part);
      separator = ", '";
    }
    out << (prefix.empty() ? "{}" : "}");
  } else {
    int n = 0;
    const auto put = [&](const auto& part) {
      out << (n++ ? ", " : "");
      put_axes(out, part);
    };
    constexpr bool is_list = is_vector<Prefix> || is_std_array<Prefix>;
    out << (is_list ? '[' : '(');
    if constexpr (is_list)
      for (const auto& part : prefix) put(part);
    else if constexpr (is_tuple<Prefix>) std::apply([&](const auto&... part) { (put(part), ...); }, prefix);
    else std::apply([&](const auto&... part) { (put(part), ...); }, parts(prefix));
    out << (!is_list && n == 1 ? "," : "") << (is_list ? ']' : ')');
  }
}

/// The error of a specification, "vmap in_axes" or the like, that does not fit its value.
constexpr error_record prefix_error(std::string_view name, const text& specification, const text& structure) {
  return make_error(error_kind::value, name, " specification must be a tree prefix of the corresponding value, got specification ", specification,
                    " for value tree ", structure, ". Give each container one entry per part, or one axis for the whole of it");
}
constexpr bool has_mismatch(const std::vector<int>& axes, std::size_t leaves) {
  for (int a : axes)
    if (a == mismatch) return true;
  return axes.size() != leaves;
}

}  // namespace detail

/// One axis per leaf of a tree, given a prefix of it: an int, or jq::none, stands for all leaves below its place. `name` says in the error what is
/// specified, as "vmap in_axes" does. Errors: value_error for a prefix that does not fit.
template <class T, class Prefix>
constexpr std::vector<int> flatten_axes(std::string_view name, const T& value, const Prefix& axes) {
  std::vector<int> flat;
  detail::axes_from_prefix(axes, value, flat);
  if (detail::has_mismatch(flat, leaf_count(value))) {
    text specification;
    detail::put_axes(specification, axes);
    throw_error(detail::prefix_error(name, specification, jacquard::tree::structure(value)));
  }
  return flat;
}

namespace detail {

template <class O>
inline constexpr bool is_in_axes_tree = false;
template <class... T>
inline constexpr bool is_in_axes_tree<in_axes_tree_t<T...>> = true;
template <class O>
inline constexpr bool is_out_axes_tree = false;
template <class T>
inline constexpr bool is_out_axes_tree<out_axes_tree_t<T>> = true;
/// The axes of the option for whose type, as a std::type_identity, `pick` holds, as text.
template <class... O, class Pick>
constexpr text specification_text(const std::tuple<O...>& options, Pick pick) {
  text out;
  [[maybe_unused]] const auto put = [&](const auto& o) {
    if constexpr (pick(std::type_identity<std::remove_cvref_t<decltype(o)>>{})) put_axes(out, o.axes);
  };
  std::apply([&](const auto&... o) { (put(o), ...); }, options);
  return out;
}
template <class O>
inline constexpr bool is_axis_name = false;
template <fixed_string S>
inline constexpr bool is_axis_name<axis_name_t<S>> = true;

/// One axis per leaf of the arguments.
template <class... O, class... A>
constexpr std::vector<int> input_axes(const std::tuple<O...>& options, const A&... args) {
  std::vector<int> axes;
  if constexpr ((is_in_axes_tree<O> || ...)) {
    [[maybe_unused]] const auto use = [&](const auto& option) {
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
    [[maybe_unused]] const auto use = [&](const auto& option) {
      if constexpr (is_out_axes_tree<std::remove_cvref_t<decltype(option)>>) axes_from_prefix(option.axes, result, axes);
    };
    std::apply([&](const auto&... o) { (use(o), ...); }, options);
  } else {
    using found = typename find_option<wants_ints<out_axes_t>, O...>::type;
    if constexpr (std::is_same_v<found, no_option>) axes_from_prefix(0, result, axes);
    else if constexpr (found::values.size() == 1) axes_from_prefix(found::values[0], result, axes);
    else if constexpr (is_vector<R> || is_std_array<R>) axes_from_prefix(found::values, result, axes);
    else {
      static_assert(is_tuple<R> || plain_aggregate<R>, "jq::out_axes with several axes needs a function that returns a tuple");
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
inline constexpr std::int64_t not_requested = INT64_MIN;
template <class... O>
constexpr std::int64_t requested_size(const std::tuple<O...>& options) {
  std::int64_t size = not_requested;
  [[maybe_unused]] const auto use = [&](const auto& option) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(option)>, axis_size>) size = option.value;
  };
  std::apply([&](const auto&... o) { (use(o), ...); }, options);
  return size;
}

/// "(10, [2, 2])": the structure of the arguments with the size of the mapped axis in place of each leaf.
template <class Array = array>
constexpr text tree_of_sizes(std::string_view structure, view<const lazy<Array>> leaves, const std::vector<int>& dims) {
  structure.remove_prefix(std::string_view("PyTreeDef(").size());
  structure.remove_suffix(1);
  text out;
  std::size_t leaf_at = 0;
  bool quoted = false;  // within a key
  for (char c : structure) {
    quoted = quoted != (c == '\'');
    if (c != '*' || quoted) {
      out << c;
      continue;
    }
    const std::size_t i = leaf_at++;
    if (dims[i] == not_mapped) out << "None";
    else out << leaves[i].shape()[dims[i]];
  }
  return out;
}

/// The message of `transform` for axes of different sizes: by argument, or as a tree where arguments are containers.
template <class Array = array>
JACQUARD_ONCE constexpr error_record inconsistent_sizes(std::string_view transform, view<const lazy<Array>> leaves, const std::vector<int>& dims,
                                                        std::string_view structure, bool flat) {
  text m(transform);
  m << " got inconsistent sizes for array axes to be mapped:";
  if (!flat) {
    m << "\nthe tree of axis sizes is:\n" << tree_of_sizes(structure, leaves, dims);
    return {error_kind::value, m, {}};
  }
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (dims[i] == not_mapped) continue;
    const shape s = leaves[i].shape();
    m << "\narg " << i << " has shape " << s << " and axis " << dims[i] << " is to be mapped";
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
      names << (count++ ? ", " : "") << i;
    }
    m << (count == 1 ? "\narg " : "\nargs ") << names << (count == 1 ? " has an axis" : " have axes")
      << " to be mapped of size " << size;
  }
  return {error_kind::value, m, {}};
}

/// Resolves one axis per leaf against the ranks of the leaves and finds the size of the mapped axis. `structure` is that of
/// the arguments, `flat` whether each of them is a leaf, `transform` who maps.
template <class Array = array>
JACQUARD_ONCE constexpr error_record resolve_mapped(std::string_view transform, view<const lazy<Array>> leaves, const std::vector<int>& axes,
                                                    std::int64_t requested, std::string_view structure, bool flat, std::vector<int>& dims, std::int64_t& size) {
  bool consistent = true;
  size = -1;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    dims.push_back(not_mapped);
    if (axes[i] == none) continue;
    const shape s = leaves[i].shape();
    dims.back() = resolve_axis(axes[i], s.rank());
    if (dims.back() < 0)
      return make_error(error_kind::value, transform, " was requested to map its argument along axis ", axes[i],
                        ", which implies that its rank should be at least ", axes[i] < 0 ? -axes[i] : axes[i] + 1,
                        ", but is only ", s.rank(), " (its shape is ", s, "); for arguments without that axis give jq::none in in_axes");
    const std::int64_t n = s[dims.back()];
    if (size < 0) size = n;
    consistent = consistent && n == size;
  }
  if (!consistent) return inconsistent_sizes(transform, leaves, dims, structure, flat);
  if (requested != not_requested && requested < 0)
    return make_error(error_kind::value, transform, " got axis_size ", requested, ", wanted a size that is not negative");
  if (leaves.empty() && requested == not_requested)
    return make_error(error_kind::value, transform, " wrapped function must be passed at least one argument containing an array, got "
                      "empty *args=", tree_of_sizes(structure, leaves, dims), " and **kwargs={}; pass an array, or jq::axis_size(n)");
  if (size < 0 && requested == not_requested)
    return make_error(error_kind::value, transform, " must have at least one non-None value in in_axes; give one argument an axis or "
                      "pass jq::axis_size(n)");
  if (size >= 0 && requested != not_requested && size != requested)
    return make_error(error_kind::value, transform, " got axis_size ", requested, " but its arguments have mapped axes of size ", size,
                      "; drop jq::axis_size or pass arguments of that size");
  if (size < 0) size = requested;
  return {};
}

}  // namespace detail
}  // namespace jacquard
