#pragma once
// id_print: a tap that prints its argument, with keywords and transforms on a line before it. Containers print like Python
// ones, on one line up to 80 columns.

#include "jacquard/core/member_name.hpp"
#include "jacquard/core/merge_sort.hpp"
#include "jacquard/core/value_text.hpp"
#include "jacquard/taps/id_tap.hpp"

namespace jacquard {

namespace detail {

/// A tree as text: arrays by array2string, tuples ( a b ), vectors [ a b ], maps and aggregates { a=.. b=.. }.
class tree_printer {
 public:
  explicit tree_printer(std::int64_t threshold) { options_.threshold = threshold; }

  template <class T>
  std::string print(const T& tree, std::size_t indent = 0) const {
    if constexpr (leaf<T>) return leaf_text(to_array(tree), indent);
    else if constexpr (is_tuple<T>) {
      std::vector<std::string> parts;
      std::apply([&](const auto&... p) { (parts.push_back(print(p, indent + 2)), ...); }, tree);
      return join('(', parts, ')', indent);
    } else if constexpr (is_std_array<T> || is_vector<T>) {
      std::vector<std::string> parts;
      for (const auto& p : tree) parts.push_back(print(p, indent + 2));
      return join('[', parts, ']', indent);
    } else if constexpr (is_optional<T>) {
      return tree ? print(*tree, indent) : std::string("None");
    } else if constexpr (is_map<T>) {
      std::vector<std::string> parts;
      for (const auto& [key, p] : tree) parts.push_back(key + "=" + print(p, indent + 3 + key.size()));
      return join('{', parts, '}', indent);
    } else {
      std::vector<std::string> parts;
      std::size_t i = 0;
      std::apply([&](const auto&... p) {
        const auto one = [&](const auto& part) {
          const std::string name(member_name<T>(i++));
          parts.push_back(name + "=" + print(part, indent + 3 + name.size()));
        };
        (one(p), ...);
      }, detail::parts(tree));
      return join('{', parts, '}', indent);
    }
  }

 private:
  template <class Array = array>  // with one instance, as join: programs that print nothing do not compile them
  std::string leaf_text(const lazy<Array>& x, std::size_t indent) const {
    const text t = to_text(x, options_);
    std::string out;
    for (char c : t.view()) {
      out += c;
      if (c == '\n') out.append(indent, ' ');
    }
    return out;
  }
  template <class Part = std::string>
  static Part join(char open, const std::vector<lazy<Part>>& parts, char close, std::size_t indent) {
    Part flat(1, open);
    bool one_line = true;
    for (const Part& p : parts) {
      flat += ' ' + p;
      one_line = one_line && p.find('\n') == Part::npos;
    }
    if (parts.empty()) flat += ' ';
    flat += std::string(" ") + close;
    if (one_line && flat.size() + indent <= 80) return flat;
    Part out(1, open);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i) out += '\n' + std::string(indent + 1, ' ');
      out += ' ' + parts[i];
    }
    return out + ' ' + close;
  }
  print_options options_;
};

/// "what: x" pairs sorted by key, with the transforms among them.
template <class Context>
std::string keyword_line(const Context& c) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const keyword& k : c.kwargs) {
    text value;
    k.value.visit([&]<class V>(const V& v) {
      if constexpr (std::is_same_v<V, std::string>) value << std::string_view(v);
      else if constexpr (std::is_same_v<V, double>) put_float(value, v);
      else if constexpr (std::is_same_v<V, bool>) value << (v ? "True" : "False");
      else value << v;
    });
    entries.emplace_back(k.name, std::string(value.view()));
  }
  if (!c.transforms.empty()) {
    std::string list = "[";
    for (std::size_t i = 0; i < c.transforms.size(); ++i) {
      const transform_record& t = c.transforms[i];
      list += i ? ", " : "";
      if (t.name == "mask") {
        text shapes;
        for (const shape& s : t.logical_shapes) shapes << (shapes.empty() ? "" : ", ") << s;
        list += "('mask', {'logical_shapes': [" + std::string(shapes.view()) + "]})";
        continue;
      }
      if (t.name != "batch") {
        list += "'" + t.name + "'";
        continue;
      }
      list += "('batch', {'batch_dims': (";
      for (std::size_t k = 0; k < t.batch_dims.size(); ++k)
        list += (k ? ", " : "") + (t.batch_dims[k] == not_mapped ? std::string("None") : std::to_string(t.batch_dims[k]));
      list += t.batch_dims.size() == 1 ? ",)})" : ")})";
    }
    entries.emplace_back("transforms", list + "]");
  }
  detail::stable_sort(entries);
  std::string line;
  for (const auto& [name, value] : entries) line += (line.empty() ? "" : " ") + name + ": " + value;
  return line;
}

/// Text to a stream, or to stdout.
inline void write_print(const std::string& out, void* stream = nullptr, void (*write)(void*, std::string_view) = nullptr) {
  if (stream) return write(stream, out);
  std::fwrite(out.data(), 1, out.size(), stdout);
  std::fflush(stdout);
}
template <class T>
std::string print_text(const T& value, const tap_context& c, std::int64_t threshold) {
  std::string out = keyword_line(c);
  if (!out.empty()) out += '\n';
  return out + tree_printer(threshold).print(value) + '\n';
}
/// id_print in static code: all it needs comes with the context.
struct static_print {
  template <class T>
  void operator()(const T& value, const tap_context& c) const {
    tap_context shown = c;
    std::int64_t limit = 1024;
    shown.kwargs.clear();
    for (const keyword& k : c.kwargs)
      if (k.name.empty()) limit = k.value.get<std::int64_t>();
      else shown.kwargs.push_back(k);
    write_print(print_text(value, shown, limit));
  }
};
template <class O>
constexpr bool check_id_print_option() {
  static_assert(for_id_print<O>, "jq::id_print: this option is not one of jq::kw(name, value), jq::result(value), jq::threshold(n), "
                                 "jq::output_stream(os)");
  return for_id_print<O>;
}
template <class T, class... O>
auto stateful_id_print(const T& arg, const location& where, const O&... options) {
  tap_options o;
  (o.take(options), ...);
  const auto print = [threshold = o.threshold, stream = o.stream, write = o.write](const rebind_t<T>& value, const tap_context& c) {
    write_print(print_text(value, c, threshold), stream, write);
  };
  return bind_tap({make_tap(print, std::move(o.kwargs), empty_like(arg)), 0, {}, {}}, arg, where, options...);
}
template <class T, class... O>
constexpr auto id_print_at(const location& where, const T& arg, const O&... options) {
  if constexpr (!(check_id_print_option<O>() && ...)) return rebind_t<T>();
  else if (std::is_constant_evaluated()) return static_id_tap<static_print>(arg, where, options...);
  else return stateful_id_print(arg, where, options...);
}

}  // namespace detail

/// Prints `arg` from inside any transformed or compiled function and returns it (or jq::result(r)).
/// Options: jq::kw(name, value), jq::output_stream(os), jq::threshold(n). Transforms show up as for id_tap.
/// A function with static arguments prints to stdout only.
template <class T>
constexpr auto id_print(const T& arg, location where = location::current()) {
  return detail::id_print_at(where, arg);
}
template <class T, class Option, class... O>
constexpr auto id_print(const T& arg, const Option& option, const O&... options) {
  return detail::id_print_at(detail::where_of(option, options...), arg, option, options...);
}

}  // namespace jacquard
