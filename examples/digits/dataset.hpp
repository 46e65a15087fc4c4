#pragma once
// The handwritten digits: reads the CSV file (64 grey values 0..16 and a label per line), checks every field, and splits
// it into a training and a test part.

#include <jacquard/jacquard.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace digits {

namespace jq = jacquard;

/// Images as f32 rows in [0, 1] and labels as i32.
struct samples {
  jq::array images, labels;
};

/// A file that cannot be used; the message says where and why.
struct data_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline constexpr int pixels = 64;
inline constexpr int classes = 10;

/// One line of the file: 64 numbers from 0 to 16 and a label from 0 to 9.
inline void read_line(const std::string& line, const std::string& where, std::vector<float>& images, std::vector<int>& labels) {
  std::size_t at = 0;
  for (int column = 0; column <= pixels; ++column) {
    const int limit = column < pixels ? 16 : classes - 1;
    int value = -1;
    std::size_t digits = 0;
    while (at < line.size() && line[at] >= '0' && line[at] <= '9' && digits < 3) {
      value = (value < 0 ? 0 : value) * 10 + (line[at++] - '0');
      ++digits;
    }
    const bool last = column == pixels;
    const bool separated = last ? at == line.size() : at < line.size() && line[at] == ',';
    if (value < 0 || value > limit || !separated)
      throw data_error(where + ": column " + std::to_string(column + 1) + ": wanted a number from 0 to " + std::to_string(limit) +
                       (last ? " at the end of the line" : " followed by a comma"));
    ++at;
    if (last) labels.push_back(value);
    else images.push_back(float(value) / 16.0f);
  }
}

/// The whole file.
inline samples read(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw data_error(path + ": " + std::strerror(errno));
  std::vector<float> images;
  std::vector<int> labels;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.empty()) read_line(line, path + ":" + std::to_string(number), images, labels);
  }
  if (in.bad()) throw data_error(path + ": " + std::strerror(errno));
  if (labels.size() < 50) throw data_error(path + ": got " + std::to_string(labels.size()) + " images, wanted at least 50");
  return {jq::asarray(images, {std::int64_t(labels.size()), pixels}), jq::asarray(labels)};
}

/// Rows `rows` of both arrays.
inline samples pick(const samples& all, const jq::array& rows) {
  return {jq::take(all.images, rows, 0), jq::take(all.labels, rows, 0)};
}

/// Shuffles the samples and holds out every fifth one.
struct split {
  samples train, test;
};
inline split hold_out_fifth(const samples& all, const jq::array& key) {
  const std::int64_t n = all.labels.size(), held = n / 5;
  const jq::array order = jq::random::permutation(key, n);
  return {pick(all, order(jq::slice(held, n))), pick(all, order(jq::slice(0, held)))};
}

}  // namespace digits
