#pragma once
// Programs as a page: a drawing, which values lie in which memory one after the other, and the program's text. One file that needs
// nothing else, no scripts and no fonts.

#include <string>

#include "jacquard/seeing/svg.hpp"

namespace jacquard {

namespace detail {

/// Lists the values of a diagram by their places, in order; programs within it too.
class place_table {
 public:
  void read(const diagram& d) {
    for (const diagram_box& b : d.boxes) {
      for (std::size_t i = 0; i < b.lines.size(); ++i)
        if (!b.places[i].empty()) add(cat(d.scope, b.places[i]), b.lines[i]);
      for (const inner_diagram& inner : b.inner) read(inner.content);
    }
  }
  bool empty() const { return rows_.empty(); }
  void put(text& out, place_colours& colours) const {
    out << "<table>\n<tr><th></th><th>memory</th><th>values, one after the other</th></tr>\n";
    for (const row& r : rows_) {
      out << "<tr><td><span class=\"swatch\" style=\"background:hsl(" << colours.hue(r.name) << ",65%,60%)\"></span></td><td>";
      put_xml(out, r.name);
      out << "</td><td>";
      for (std::size_t i = 0; i < r.values.size(); ++i) put_xml(out << (i ? " &rarr; " : ""), r.values[i]);
      out << "</td></tr>\n";
    }
    out << "</table>\n";
  }

 private:
  struct row {
    text name;
    list<text> values;
  };
  void add(const text& name, const text& value) {
    for (row& r : rows_)
      if (r.name == name) return r.values.push_back(value);
    rows_.push_back({name, {value}});
  }
  list<row> rows_;
};

inline bool has_kernels(const diagram& d) {
  for (const diagram_box& b : d.boxes) {
    if (b.kind == box_kind::kernel) return true;
    for (const inner_diagram& i : b.inner)
      if (has_kernels(i.content)) return true;
  }
  return false;
}
inline text html_page(const diagram& d, const text& program, std::string_view title) {
  text out(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>");
  put_xml(out, title);
  out << "</title>\n<style>\n"
         "body { font-family: 'DejaVu Sans', Helvetica, Arial, sans-serif; margin: 24px; color: #223; background: #fff; }\n"
         "h1 { font-size: 20px; } h2 { font-size: 15px; margin: 28px 0 8px; }\n"
         "pre, td, th { font-family: 'DejaVu Sans Mono', Menlo, Consolas, monospace; font-size: 12px; }\n"
         "pre { background: #f7f7fa; padding: 12px; overflow-x: auto; }\n"
         ".drawing { overflow-x: auto; }\n"
         "table { border-collapse: collapse; } td, th { text-align: left; padding: 3px 10px 3px 0; vertical-align: top; }\n"
         ".swatch { display: inline-block; width: 10px; height: 10px; border-radius: 2px; }\n"
         ".legend span { padding: 2px 8px; border-radius: 6px; border: 1px solid #999; font-size: 12px; margin-right: 6px; }\n"
         "</style>\n</head>\n<body>\n<h1>";
  put_xml(out, title);
  out << "</h1>\n<p class=\"legend\"><span style=\"background:#e8f1fb\">argument</span><span style=\"background:#fff\">equation</span>";
  if (has_kernels(d)) out << "<span style=\"background:#fdf3e1\">kernel: equations that run as one loop</span>";
  out << "<span style=\"background:#e6f6e8\">result</span></p>\n<div class=\"drawing\">\n";
  place_colours colours;
  out << svg_writer().write(d, colours) << "</div>\n";
  place_table places;
  places.read(d);
  if (!places.empty()) {
    out << "<h2>Memory</h2>\n";
    places.put(out, colours);
  }
  out << "<h2>Program</h2>\n<pre>";
  put_xml(out, program);
  return out << "</pre>\n</body>\n</html>\n";
}

inline text program_text(const jaxpr& p) { return to_text(p); }
inline text program_text(const closed_jaxpr& p) { return to_text(p); }
inline text program_text(const program_layout& l) { return to_text(*l.program); }
template <class Stage>
text program_text(const Stage& s) {
  if constexpr (requires { s.jaxpr(); }) return program_text(s.jaxpr());
  else return program_text(s.layout());
}

}  // namespace detail

/// A program as a page of HTML that stands alone: a drawing with shapes, kernels and places in memory, and the text. x is a
/// closed_jaxpr, a jaxpr, what jit(f).lower(...).compile() returns, or its layout(). Bodies of compiled programs are drawn as they
/// were compiled.
template <detail::drawable T>
std::string to_html(const T& x, std::string_view title = "jaxpr") {
  return std::string(detail::html_page(detail::diagram_of(x), detail::program_text(x), title).view());
}

}  // namespace jacquard
