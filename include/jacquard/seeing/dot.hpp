#pragma once
// Programs in the language of Graphviz: `dot -Tsvg` and many other tools draw them. Kernels and programs within equations are
// clusters. Deliberately no positions and hardly any style, which are the drawing tool's.

#include <string>

#include "jacquard/seeing/diagram.hpp"

namespace jacquard {

namespace detail {

class dot_writer {
 public:
  text write(const diagram& d) {
    out_ << "digraph jaxpr {\n  node [shape=box, fontname=\"monospace\", fontsize=11];\n  compound=true;\n";
    put(d, "n", 1);
    return out_ << "}\n";
  }

 private:
  /// A string of the language, lines kept to the left.
  void put_string(const text& s) {
    out_ << '"';
    for (char c : s.view()) {
      if (c == '"' || c == '\\') out_ << '\\' << c;
      else if (c == '\n') out_ << "\\l";
      else out_ << (std::uint8_t(c) < 0x20 || c == 0x7F ? '?' : c);
    }
    out_ << '"';
  }
  text& indent(std::size_t depth) { return out_.append(2 * depth, ' '); }
  static std::string_view style(box_kind k) {
    if (k == box_kind::argument) return ", style=\"rounded\"";
    if (k == box_kind::constant) return ", style=\"rounded,dashed\"";
    return k == box_kind::result ? ", style=\"bold\"" : "";
  }
  static text label(const diagram_box& b) {
    text t = b.title;
    if (!b.params.empty()) t << '\n' << b.params;
    for (std::size_t i = 0; i < b.lines.size(); ++i) {
      t << (t.empty() ? "" : "\n") << b.lines[i];
      if (!b.places[i].empty()) t << "  in " << b.places[i];
    }
    return b.lines.size() + !b.title.empty() + !b.params.empty() > 1 ? t << '\n' : t;
  }
  void put(const diagram& d, const text& prefix, std::size_t depth) {
    for (std::size_t i = 0; i < d.boxes.size(); ++i) put_box(d.boxes[i], cat(prefix, i), depth);
    for (std::size_t i = 0; i < d.boxes.size(); ++i)
      for (std::uint32_t from : d.boxes[i].reads) {
        indent(depth) << tail(d, from, prefix) << " -> " << head(d, i, prefix);
        const char* comma = " [";
        if (d.boxes[from].kind == box_kind::kernel) out_ << std::exchange(comma, ", ") << "ltail=cluster_" << prefix << from;
        if (d.boxes[i].kind == box_kind::kernel) out_ << std::exchange(comma, ", ") << "lhead=cluster_" << prefix << i;
        out_ << (comma[0] == ',' ? "];\n" : ";\n");
      }
  }
  /// Edges end at boxes: those of a kernel at its last or first one.
  static text tail(const diagram& d, std::size_t i, const text& prefix) {
    if (d.boxes[i].kind != box_kind::kernel) return cat(prefix, i);
    return cat(prefix, i, '_', d.boxes[i].inner[0].content.boxes.size() - 1);
  }
  static text head(const diagram& d, std::size_t i, const text& prefix) {
    return d.boxes[i].kind == box_kind::kernel ? cat(prefix, i, "_0") : cat(prefix, i);
  }
  void put_box(const diagram_box& b, const text& name, std::size_t depth) {
    if (b.kind == box_kind::kernel) {
      open(cat("cluster_", name), b.title, depth);
      put(b.inner[0].content, cat(name, '_'), depth + 1);
      indent(depth) << "}\n";
      return;
    }
    indent(depth) << name << " [label=";
    put_string(label(b));
    out_ << style(b.kind) << "];\n";
    for (std::size_t k = 0; k < b.inner.size(); ++k) {
      const text inner = cat(name, "_", k, "_");
      open(cat("cluster_", name, '_', k), cat(b.inner[k].label, " of ", first_word(b.title)), depth);
      put(b.inner[k].content, inner, depth + 1);
      indent(depth) << "}\n";
      if (!b.inner[k].content.boxes.empty())
        indent(depth) << name << " -> " << head(b.inner[k].content, 0, inner) << " [style=dotted, lhead=cluster_" << name << '_' << k << "];\n";
    }
  }
  void open(const text& name, const text& label, std::size_t depth) {
    indent(depth) << "subgraph " << name << " {\n";
    indent(depth + 1) << "label=";
    put_string(label);
    out_ << ";\n";
  }
  static std::string_view first_word(const text& t) {
    return t.view().substr(0, t.view().find(' '));
  }
  text out_;
};

}  // namespace detail

/// A program as a graph for Graphviz: x is a closed_jaxpr, a jaxpr, what jit(f).lower(...).compile() returns (then with kernels and
/// the places of values in memory), or its layout().
template <detail::drawable T>
std::string to_dot(const T& x) {
  return std::string(detail::dot_writer().write(detail::diagram_of(x)).view());
}

}  // namespace jacquard
