#pragma once
// Writing what taps saw to .npy files (numpy's format, version 1.0) and CSV.

#include <cstdio>
#include <stdexcept>
#include <string>

#include <jacquard/taps/outfeed/reader.hpp>

namespace jq_taps {

namespace jq = jacquard;

/// numpy's name of a dtype. bfloat16 has none: its bytes go out as uint16.
inline std::string numpy_type(jq::dtype t) {
  const auto bytes = std::to_string(jq::size_of(t));
  if (t == jq::bool_) return "|b1";
  if (t == jq::bf16) return "<u2";
  const char kind = jq::is_complex(t) ? 'c' : jq::is_floating(t) ? 'f' : jq::is_signed_integer(t) ? 'i' : 'u';
  return (jq::size_of(t) == 1 ? "|" : "<") + std::string(1, kind) + bytes;
}

/// Writes elements of type `t` as an array of shape (count, dims...).
inline void write_npy(const std::string& path, jq::dtype t, std::size_t count, const jq::shape& dims, const std::string& bytes) {
  std::string shape = "(" + std::to_string(count) + ",";
  for (std::int64_t d : dims) shape += " " + std::to_string(d) + ",";
  std::string head = "{'descr': '" + numpy_type(t) + "', 'fortran_order': False, 'shape': " + shape + "), }";
  head.append(63 - (10 + head.size()) % 64, ' ');
  head += '\n';
  std::string all("\x93NUMPY\x01\x00", 8);
  all += char(head.size() & 0xff);
  all += char(head.size() >> 8);
  all += head + bytes;
  std::FILE* f = std::fopen(path.c_str(), "wb");
  if (!f) throw std::runtime_error("cannot write '" + path + "'");
  const bool good = std::fwrite(all.data(), 1, all.size(), f) == all.size();
  if (std::fclose(f) != 0 || !good) throw std::runtime_error("cannot write '" + path + "'");
}

/// A field of CSV, quoted where it must be.
inline std::string csv_field(const std::string& s) {
  if (s.find_first_of(",\"\n") == s.npos) return s;
  std::string r = "\"";
  for (char c : s) r += c == '"' ? "\"\"" : std::string(1, c);
  return r + '"';
}

}  // namespace jq_taps
