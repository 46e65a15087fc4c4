#pragma once
// load_executable: a compiled function that was serialised, in this process or another one. Apart from exec/stages, since it knows
// every primitive by name and so takes its time to compile. Deliberately compiles again what the kept machine code does not fit.

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/core/tree_words.hpp"
#include "jacquard/exec/program_decoder.hpp"
#include "jacquard/exec/reader.hpp"
#include "jacquard/exec/stages.hpp"

namespace jacquard {

/// What loading an executable may use.
struct load_options {
  /// Finds primitives that the library does not know; null: there are none.
  primitive_lookup primitives = nullptr;
  /// Whether machine code in the bytes may be run. It runs with the rights of this process: switch it off for bytes of unknown origin.
  bool machine_code = true;
};

namespace detail {

template <class... Parts>
[[noreturn]] void refuse_executable(std::string_view origin, const Parts&... parts) {
  raise(error_kind::value, "load_executable: ", origin, ": ", parts...);
}

/// The payload of serialised bytes. Errors: value_error for other files, other versions, and damage.
inline std::string_view checked_payload(std::string_view bytes, std::string_view origin) {
  constexpr std::size_t digits = 32;
  if (bytes.substr(0, executable_magic.size()) != executable_magic)
    refuse_executable(origin, "this is no executable of Jacquard; pass what compiled.serialize() or save() made");
  std::string_view rest = bytes.substr(executable_magic.size());
  if (rest.substr(0, executable_version.size()) != executable_version) {
    if (rest.find('\n') == rest.npos) refuse_executable(origin, "the bytes are damaged or cut off; make them again");
    const std::string_view version = rest.substr(0, std::min(rest.find('\n'), std::size_t(16)));
    refuse_executable(origin, "got version '", version, "' of the format, wanted ", executable_version.substr(0, executable_version.size() - 1),
                      "; make the file again with this version of the library");
  }
  rest.remove_prefix(executable_version.size());
  const std::string_view payload = rest.size() < digits ? std::string_view() : rest.substr(digits);
  if (rest.size() < digits || rest.substr(0, digits) != digest(payload))
    refuse_executable(origin, "the bytes are damaged or cut off; make them again");
  return payload;
}

/// What a payload says. Errors: value_error where it makes no sense.
JACQUARD_ONCE kept_executable decode_executable(std::string_view payload, std::string_view origin, primitive_lookup lookup) {
  byte_reader in(payload);
  kept_executable x;
  x.code.machine = in.string();
  x.where.platform = in.string();
  x.where.ordinal = int(in.number_below(1 << 16));
  const std::uint64_t rounds = in.number_below(3);
  x.where.strict = rounds == 1, x.where.fast_math = rounds == 2;
  x.where.flushes_denormals = in.number_below(2) != 0;
  x.where.when = compile_time(in.number_below(std::uint64_t(compile_time::never) + 1));
  for (char c : in.string()) x.donated.push_back(c != 0);
  x.arguments = in.string();
  x.result = in.string();
  for (std::size_t n = in.count(); n > 0 && !in.failed(); --n) x.words.push_back(in.number());
  program_decoder programs(in, lookup);
  x.program = programs.read();
  for (std::size_t n = in.count(); n > 0 && !in.failed(); --n) {
    const std::string_view name = in.string(), code = in.string();
    x.code.modules.push_back({std::string(name), std::string(code)});
  }
  if (programs.problem()) refuse_executable(origin, programs.problem().message.view(), "; make the file again with this version of the library");
  if (in.failed() || in.left() != 0) refuse_executable(origin, "the bytes do not describe an executable; make them again");
  if (x.donated.size() != x.program->invars.size())
    refuse_executable(origin, "got ", x.donated.size(), " marks of donation, wanted ", x.program->invars.size());
  return x;
}

/// A primitive of the library, or of the user.
struct primitive_names {
  static inline thread_local primitive_lookup of_user = nullptr;
  static const primitive* find(std::string_view name) {
    if (of_user)
      if (const primitive* p = of_user(name)) return p;
    return known_primitive(name);
  }
};

template <class Result>
compiled<Result> executable_of(std::string_view bytes, std::string_view origin, const load_options& options) {
  const std::string_view payload = checked_payload(bytes, origin);
  const primitive_lookup outer = std::exchange(primitive_names::of_user, options.primitives);
  struct restore {
    primitive_lookup outer;
    ~restore() { primitive_names::of_user = outer; }
  } guard{outer};
  kept_executable x = decode_executable(payload, origin, &primitive_names::find);
  structure_reader words(x.words, x.result.size());
  Result result = tree_of_words<Result>(words);
  const text got = tree::structure(result);
  if (!(got == std::string_view(x.result)) || leaf_count(result) != x.program->outvars.size())
    raise(error_kind::type, "load_executable: ", origin, ": the function returns ", std::string_view(x.result), ", wanted ", got,
          "; name the type of its result, as in jq::load_executable<std::vector<jq::array>>(...)");
  if (!options.machine_code) x.code = {};
  ref<executable> e = compile_program(x.program, x.where, x.donated, false, &x.code);
  return {std::move(e), x.program, x.where, x.donated, text(x.arguments), std::move(result)};
}

}  // namespace detail

/// A compiled function from the bytes that compiled.serialize() made. It is called with arguments like those it was compiled for and
/// returns a Result: the type of tree that the function returned, of jq::arrays. On a machine other than that which made them, or without
/// its compiler, the program is compiled as jit would. Errors: value_error for bytes that are damaged, of another version of the library, for
/// a backend or a device that is not there; type_error where the function returns another tree.
template <class Result = array>
compiled<Result> load_executable(view<const std::byte> bytes, const load_options& options = {}) {
  return detail::executable_of<Result>({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "the bytes given", options);
}
/// The same from the file that compiled.save(path) wrote. Errors: also value_error where it cannot be read.
template <class Result = array>
compiled<Result> load_executable(std::string_view path, const load_options& options = {}) {
  constexpr auto most = std::int64_t(1) << 46;
  std::string bytes;
  errno = 0;
  if (!detail::read_whole_file(std::string(path).c_str(), bytes, most))
    raise(error_kind::value, "load_executable: cannot read '", path, "': ", errno ? std::string_view(std::strerror(errno)) : "it is no regular file",
          "; pass the path that compiled.save() was given");
  return detail::executable_of<Result>(bytes, std::string("'") + std::string(path) + "'", options);
}

}  // namespace jacquard
