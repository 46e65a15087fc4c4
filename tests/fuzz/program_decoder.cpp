// libFuzzer target: the decoder of executables on any payload. It must neither crash nor hang; what it accepts must pass the type checker
// and be encoded to a payload that says the same again.
//
//   cmake --preset clang -DJACQUARD_FUZZ=ON && ninja -C build/clang fuzz_program_decoder
//   build/clang/tests/fuzz/fuzz_program_decoder -max_len=4096 -runs=10000000 tests/fuzz/programs
#include <jacquard/core/check.hpp>
#include <jacquard/exec/executable_file.hpp>
#include <jacquard/jacquard.hpp>

#include <cstdlib>

namespace jq = jacquard;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view payload(reinterpret_cast<const char*>(data), size);
  jq::detail::kept_executable x;
  try {
    x = jq::detail::decode_executable(payload, "fuzz", &jq::detail::known_primitive);
  } catch (const jq::error&) {
    return 0;
  }
  if (jq::check_jaxpr(x.program)) std::abort();
  std::string bytes;
  try {
    bytes = jq::detail::bytes_of(x, {});
  } catch (const jq::error&) {  // an equation that calls the host, without its function
    return 0;
  }
  const jq::detail::kept_executable again = jq::detail::decode_executable(jq::detail::checked_payload(bytes, "again"), "again", &jq::detail::known_primitive);
  if (jq::to_string(again.program) != jq::to_string(x.program) || jq::detail::bytes_of(again, {}) != bytes) std::abort();
  return 0;
}
