#pragma once
// Terminal plots of numbers over time, in Braille dots: two columns and four rows a character. Deliberately one series a
// plot: several in one colour cannot be told apart.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace jq_taps {

struct point {
  double x, y;
};

/// A grid of dots.
class dot_canvas {
 public:
  dot_canvas(int columns, int rows) : columns_(columns), rows_(rows), cells_(std::size_t(columns * rows), 0) {}
  int width() const { return 2 * columns_; }
  int height() const { return 4 * rows_; }
  /// Sets a dot; row 0 is the lowest.
  void dot(int x, int y) {
    static constexpr unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    if (x < 0 || y < 0 || x >= width() || y >= height()) return;
    const int down = height() - 1 - y;
    cells_[std::size_t(down / 4 * columns_ + x / 2)] |= bits[down % 4][x % 2];
  }
  void line(int x0, int y0, int x1, int y1) {
    const int steps = std::max({std::abs(x1 - x0), std::abs(y1 - y0), 1});
    for (int i = 0; i <= steps; ++i) dot(x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps);
  }
  /// One row of characters, as UTF-8.
  std::string row(int r) const {
    std::string s;
    for (int c = 0; c < columns_; ++c) {
      const unsigned code = 0x2800u + cells_[std::size_t(r * columns_ + c)];
      s += char(0xE0 | code >> 12);
      s += char(0x80 | (code >> 6 & 0x3F));
      s += char(0x80 | (code & 0x3F));
    }
    return s;
  }

 private:
  int columns_, rows_;
  std::vector<unsigned char> cells_;
};

inline std::string short_number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", v);
  return text;
}

/// The points joined by lines, with the ranges of both axes. Points that are not finite leave gaps.
inline std::string plot(const std::vector<point>& points, const std::string& title, const std::string& x_name, int columns = 72, int rows = 12) {
  double low = INFINITY, high = -INFINITY, first = INFINITY, last = -INFINITY;
  for (const point& p : points) {
    first = std::min(first, p.x), last = std::max(last, p.x);
    if (std::isfinite(p.y)) low = std::min(low, p.y), high = std::max(high, p.y);
  }
  if (!(low <= high)) return title + ": no finite values\n";
  const double y_range = high > low ? high - low : 1, x_range = last > first ? last - first : 1;
  dot_canvas canvas(columns, rows);
  bool joined = false;
  int before_x = 0, before_y = 0;
  for (const point& p : points) {
    if (!std::isfinite(p.y)) {
      joined = false;
      continue;
    }
    const int x = int(std::lround((p.x - first) / x_range * (canvas.width() - 1)));
    const int y = high > low ? int(std::lround((p.y - low) / y_range * (canvas.height() - 1))) : canvas.height() / 2;
    if (joined) canvas.line(before_x, before_y, x, y);
    else canvas.dot(x, y);
    joined = true;
    before_x = x, before_y = y;
  }
  std::string out = title + "\n";
  for (int r = 0; r < rows; ++r) {
    const double at = high > low ? high - y_range * (r + 0.5) / rows : high;
    const std::string label = r == 0 ? short_number(high) : r == rows - 1 ? short_number(low) : r == rows / 2 ? short_number(at) : "";
    out += std::string(label.size() < 10 ? 10 - label.size() : 0, ' ') + label + (label.empty() ? " \u2502" : " \u2524") + canvas.row(r) + "\n";
  }
  out += std::string(11, ' ') + "\u2514";
  for (int c = 0; c < columns; ++c) out += "\u2500";
  const std::string left = short_number(first), right = short_number(last);
  const int gap = columns - int(left.size() + right.size() + x_name.size());
  out += "\n" + std::string(12, ' ') + left + std::string(std::size_t(std::max(1, gap / 2)), ' ') + x_name +
         std::string(std::size_t(std::max(1, gap - gap / 2)), ' ') + right + "\n";
  return out;
}

}  // namespace jq_taps
