#pragma once
// What is kept of a compiled function outside the process: a line that names the format, a digest, then how it was compiled, the
// structures of arguments and results, the program and the machine code. Writing and reading the bytes and the file; what they mean is
// compiled by exec/executable_file. Deliberately one format, which other versions of the library refuse.

#include <cerrno>
#include <cstring>

#include "jacquard/backends/backend.hpp"
#include "jacquard/backends/whole_file.hpp"
#include "jacquard/exec/program_encoder.hpp"

namespace jacquard::detail {

/// Where and how a jitted function is compiled.
struct target {
  std::string platform = "cpu";
  int ordinal = 0;
  bool strict = false;
  bool fast_math = false;
  bool flushes_denormals = false;
  compile_time when = compile_time::by_default;

  bool operator==(const target&) const = default;
  device_id number() const { return {find_backend(platform).second, std::uint16_t(ordinal)}; }
};

/// A compiled function as it is kept: `arguments` and `result` are structures as text, `words` that of the result as words.
struct kept_executable {
  target where;
  std::vector<char> donated;  ///< by leaf of the arguments
  std::string arguments, result;
  std::vector<std::uint64_t> words;
  machine_code code;
  closed_jaxpr program;
};

inline constexpr std::string_view executable_magic = "jacquard executable ", executable_version = "1\n";

/// `where`: the user's line. Errors: value_error for programs that call the host.
inline std::string bytes_of(const kept_executable& x, const location& where) {
  byte_writer w;
  for (std::string_view s : {std::string_view(x.code.machine), std::string_view(x.where.platform)}) w.string(s);
  w.number(std::uint64_t(x.where.ordinal));
  w.number(x.where.strict ? 1 : x.where.fast_math ? 2 : 0);
  w.number(x.where.flushes_denormals);
  w.number(std::uint64_t(x.where.when));
  w.string({x.donated.data(), x.donated.size()});
  for (const std::string& s : {x.arguments, x.result}) w.string(s);
  w.number(x.words.size());
  for (std::uint64_t word : x.words) w.number(word);
  program_encoder(w, where).put(x.program);
  w.number(x.code.modules.size());
  for (const machine_code::module& m : x.code.modules) w.string(m.name), w.string(m.code);
  std::string all(executable_magic);
  all += executable_version;
  all += digest(w.bytes);
  return all += w.bytes;
}

/// Writes a file. Errors: value_error with the system's reason.
inline void write_executable(std::string_view path, std::string_view bytes) {
  errno = 0;
  if (replace_whole_file(std::string(path), bytes)) return;
  raise(error_kind::value, "save: cannot write '", path, "': ", errno ? std::string_view(std::strerror(errno)) : "the file system gave no reason",
        "; choose a file in a directory that exists and may be written to");
}

}  // namespace jacquard::detail
