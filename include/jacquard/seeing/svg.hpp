#pragma once
// Diagrams as SVG: boxes with text, coloured by kind and by the memory their values lie in, programs within boxes, edges. Widths of
// text are those of a monospaced font, a little generously, so that none is cut off. Deliberately without scripts.

#include "jacquard/seeing/diagram.hpp"
#include "jacquard/seeing/layered_layout.hpp"

namespace jacquard::detail {

/// `s` as text of XML.
inline void put_xml(text& out, std::string_view s) {
  for (char c : s) {
    if (c == '&') out << "&amp;";
    else if (c == '<') out << "&lt;";
    else if (c == '>') out << "&gt;";
    else if (c == '"') out << "&quot;";
    else out << (std::uint8_t(c) < 0x20 && c != '\n' ? '?' : c);
  }
}
/// Two decimals; pixels need no more.
inline void put_pixels(text& out, double v) {
  const std::int64_t hundredths = std::int64_t(v * 100 + (v < 0 ? -0.5 : 0.5));
  const std::int64_t size = hundredths < 0 ? -hundredths : hundredths;
  out << (hundredths < 0 ? "-" : "") << size / 100;
  if (size % 100 != 0) out << '.' << char('0' + size / 10 % 10) << char('0' + size % 10);
}
/// A colour for each place in memory: neighbours in the list far apart on the wheel.
class place_colours {
 public:
  int hue(const text& place) {
    std::size_t i = 0;
    while (i < known_.size() && !(known_[i] == place)) ++i;
    if (i == known_.size()) known_.push_back(place);
    return int(i * 137 % 360);
  }

 private:
  list<text> known_;
};

class svg_writer {
 public:
  /// A drawing with its size; `colours` are shared with what stands beside it.
  text write(const diagram& d, place_colours& colours) {
    colours_ = &colours;
    const placed_diagram p = place(d);
    out_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"";
    put_pixels(out_, p.layout.width + 2 * margin);
    out_ << "\" height=\"";
    put_pixels(out_, p.layout.height + 2 * margin);
    out_ << "\" font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"12\">\n"
            "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7.5\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">"
            "<path d=\"M0,0.5 L8,4 L0,7.5 z\" fill=\"#667\"/></marker></defs>\n";
    put(d, p, margin, margin);
    return out_ << "</svg>\n";
  }

 private:
  static constexpr double letter = 7.5, line = 17, padding = 9, margin = 16, swatch = 14;
  static constexpr std::size_t widest = 44;  ///< letters of a line

  struct placed_inner;
  /// A diagram with positions, and those of the diagrams in its boxes.
  struct placed_diagram {
    layered_layout layout{{}};
    list<placed_inner> inner;  ///< of all boxes, in order
  };
  struct placed_inner {
    placed_diagram content;
    double x = 0, y = 0, width = 0, height = 0;  ///< within the box, with its label
  };

  /// A text in lines that are not too wide.
  static list<text> lines_of(const text& t) {
    list<text> lines;
    std::string_view rest = t.view();
    while (rest.size() > widest) {
      std::size_t cut = rest.rfind(' ', widest);
      if (cut == std::string_view::npos || cut < widest / 2) cut = widest;
      lines.push_back(text(rest.substr(0, cut)));
      rest.remove_prefix(cut + (rest[cut] == ' '));
      if (lines.size() == 6) {  // nobody reads more of it in a drawing
        lines.back() << " ...";
        return lines;
      }
    }
    if (!rest.empty()) lines.push_back(text(rest));
    return lines;
  }
  /// "c:f32[3]", and what is said of its place.
  static text value_line(const diagram& d, const diagram_box& b, std::size_t i) {
    if (!b.places[i].empty()) return cat(b.lines[i], "  ", b.places[i]);
    if (d.shows_places && b.kind == box_kind::equation) return cat(b.lines[i], "  not in memory");
    return b.lines[i];
  }

  placed_diagram place(const diagram& d) {
    placed_diagram p;
    list<placed_box> boxes;
    for (const diagram_box& b : d.boxes) {
      placed_box r;
      r.reads = b.reads;
      r.last = b.kind == box_kind::result;
      const list<text> title = lines_of(b.title), params = lines_of(b.params);
      for (const text& t : title) r.width = std::max(r.width, double(t.size()) * letter);
      for (const text& t : params) r.width = std::max(r.width, double(t.size()) * letter);
      for (std::size_t i = 0; i < b.lines.size(); ++i)
        r.width = std::max(r.width, double(value_line(d, b, i).size()) * letter + (b.places[i].empty() ? 0 : swatch));
      r.height = double(title.size() + params.size() + b.lines.size()) * line + 2 * padding - 4;
      place_inner(b, p, r);
      r.width += 2 * padding;
      boxes.push_back(std::move(r));
    }
    p.layout = layered_layout(std::move(boxes));
    return p;
  }
  /// Programs side by side below the text; each has its label above it.
  void place_inner(const diagram_box& b, placed_diagram& p, placed_box& r) {
    double x = 0, tallest = 0;
    for (const inner_diagram& i : b.inner) {
      placed_inner q;
      q.content = place(i.content);
      const double label = i.label.empty() ? 0 : line;
      q.width = std::max(q.content.layout.width + 2 * padding, double(i.label.size()) * letter + 2 * padding);
      q.height = q.content.layout.height + 2 * padding + label;
      q.x = padding + x;
      q.y = r.height;
      x += q.width + 12;
      tallest = std::max(tallest, q.height);
      p.inner.push_back(std::move(q));
    }
    if (b.inner.empty()) return;
    r.width = std::max(r.width, x - 12);
    r.height += tallest + padding;
  }

  text& attribute(std::string_view name, double v) {
    out_ << ' ' << name << "=\"";
    put_pixels(out_, v);
    return out_ << '"';
  }
  void put_rectangle(double x, double y, double width, double height, double round, std::string_view style) {
    out_ << "<rect";
    attribute("x", x), attribute("y", y), attribute("width", width), attribute("height", height), attribute("rx", round);
    out_ << ' ' << style << "/>\n";
  }
  void put_line(double x, double y, const text& t, std::string_view style) {
    out_ << "<text";
    attribute("x", x), attribute("y", y);
    out_ << ' ' << style << " xml:space=\"preserve\">";
    put_xml(out_, t);
    out_ << "</text>\n";
  }
  static std::string_view box_style(box_kind k) {
    switch (k) {
      case box_kind::argument: return "fill=\"#e8f1fb\" stroke=\"#7a9cc6\"";
      case box_kind::constant: return "fill=\"#f3f3f3\" stroke=\"#999\" stroke-dasharray=\"4 2\"";
      case box_kind::kernel: return "fill=\"#fdf3e1\" stroke=\"#d0a04c\"";
      case box_kind::result: return "fill=\"#e6f6e8\" stroke=\"#6cab74\"";
      default: return "fill=\"#fff\" stroke=\"#667\"";
    }
  }

  void put(const diagram& d, const placed_diagram& p, double x0, double y0) {
    for (const edge_path& e : p.layout.edges) put_edge(e, x0, y0);
    std::size_t next = 0;
    for (std::size_t i = 0; i < d.boxes.size(); ++i) {
      const diagram_box& b = d.boxes[i];
      const placed_box& r = p.layout.boxes[i];
      const double x = x0 + r.x, y = y0 + r.y;
      put_rectangle(x, y, r.width, r.height, b.kind == box_kind::equation ? 3 : 9, box_style(b.kind));
      double at = y + padding + 9;
      for (const text& t : lines_of(b.title)) put_line(x + padding, at, t, b.kind == box_kind::kernel ? "fill=\"#a06a00\"" : "font-weight=\"bold\""), at += line;
      for (const text& t : lines_of(b.params)) put_line(x + padding, at, t, "fill=\"#889\""), at += line;
      for (std::size_t k = 0; k < b.lines.size(); ++k, at += line) put_value(d, b, k, x + padding, at);
      for (std::size_t k = 0; k < b.inner.size(); ++k) put_inner(b, k, p.inner[next++], x, y);
    }
  }
  void put_value(const diagram& d, const diagram_box& b, std::size_t i, double x, double y) {
    if (!b.places[i].empty()) {
      put_rectangle(x, y - 9, 10, 10, 2, cat("fill=\"hsl(", colours_->hue(cat(d.scope, b.places[i])), ",65%,60%)\"").view());
      x += swatch;
    }
    out_ << "<text";
    attribute("x", x), attribute("y", y);
    out_ << " fill=\"#223\" xml:space=\"preserve\">";
    put_xml(out_, b.lines[i]);
    const text whole = value_line(d, b, i);
    if (whole.size() > b.lines[i].size()) {
      out_ << "<tspan fill=\"#889\">";
      put_xml(out_, whole.view().substr(b.lines[i].size()));
      out_ << "</tspan>";
    }
    out_ << "</text>\n";
  }
  void put_inner(const diagram_box& b, std::size_t k, const placed_inner& q, double x, double y) {
    const bool labelled = !b.inner[k].label.empty();
    if (labelled) {
      put_rectangle(x + q.x, y + q.y, q.width, q.height, 6, "fill=\"#fafafe\" stroke=\"#b9b9d0\"");
      put_line(x + q.x + padding, y + q.y + 15, b.inner[k].label, "fill=\"#669\" font-style=\"italic\"");
    }
    put(b.inner[k].content, q.content, x + q.x + padding, y + q.y + padding + (labelled ? line : 0));
  }
  void put_edge(const edge_path& e, double x0, double y0) {
    out_ << "<path fill=\"none\" stroke=\"#667\"" << (e.ends ? " marker-end=\"url(#arrow)\"" : "") << " d=\"M";
    const auto point = [&](double x, double y) {
      put_pixels(out_, x0 + x);
      put_pixels(out_ << ',', y0 + y);
    };
    for (std::size_t i = 0; i < e.points.size(); ++i) {
      const path_point& q = e.points[i];
      if (i > 0 && q.straight) out_ << " L";
      else if (i > 0) {
        const path_point& before = e.points[i - 1];
        const double bend = (q.y - before.y) / 2;
        out_ << " C";
        point(before.x, before.y + bend);
        out_ << ' ';
        point(q.x, q.y - bend);
        out_ << ' ';
      }
      point(q.x, q.y);
    }
    out_ << "\"/>\n";
  }

  text out_;
  place_colours* colours_ = nullptr;
};

}  // namespace jacquard::detail
