// Executables with machine code: what is loaded runs on the code that was kept, without compiling; on another machine, or where the code
// is of something else, it is compiled again. Bits stay the same.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/native_backend.hpp>
#include <jacquard/exec/executable_file.hpp>
#include <jacquard/testing/comparison.hpp>

#include <filesystem>

#include "../../show.hpp"
#include "../../temporary_directory.hpp"

using jq::array;
namespace fs = std::filesystem;

namespace {

const bool has_compiler = jq::cpu::code_generator::get() != nullptr;
const array x = jq::random::normal(jq::random::key(5), {300});
array rolled(const array& v) {
  return lax::fori_loop(0, 5, [](array, array w) { return jq::sin(w) * 1.25 + 0.1 * jq::mean(w); }, jq::exp(v)) - jq::sum(v * v);
}
jq::detail::kept_executable kept(jq::compile_at when) {
  const std::vector<std::byte> b = jq::jit(rolled, jq::backend("cpu"), when).lower(x).compile().serialize();
  const std::string_view all(reinterpret_cast<const char*>(b.data()), b.size());
  return jq::detail::decode_executable(jq::detail::checked_payload(all, "test"), "test", &jq::detail::known_primitive);
}
jq::ref<jq::executable> loaded(const jq::detail::kept_executable& k) {
  return jq::detail::compile_program(k.program, k.where, k.donated, false, &k.code);
}
jq::cpu::tier tier_of(const jq::ref<jq::executable>& e) { return dynamic_cast<const jq::cpu::native_executable&>(*e).runs_on(); }
array run(const jq::ref<jq::executable>& e) { return e->run(std::vector<array>{x}, {})[0]; }

/// Programs that no other test has, so that the code generator forgets what it made before.
void forget_modules() {
  for (int i = 0; i < 70; ++i) {
    const double salt = 1.0 + i;
    (void)jq::jit([=](const array& v) { return v * salt; }, jq::backend("cpu"), jq::compile_at::first_call)(x);
  }
}

}  // namespace

TEST_CASE("kept code: programs with machine code bring it along, others do not") {
  CHECK(kept(jq::compile_at::never).code.modules.empty());
  CHECK(kept(jq::compile_at::when_hot).code.modules.empty());
  const jq::machine_code code = kept(jq::compile_at::first_call).code;
  CHECK(code.modules.empty() != has_compiler);
  if (!has_compiler) return;
  CHECK(code.machine == jq::cpu::code_generator::get()->machine());
  CHECK(code.modules.size() == 2);  // the program and the body of its loop
  CHECK(code.modules[0].code.substr(1, 3) == "ELF");
}
TEST_CASE("kept code: it runs at once, and nothing is compiled") {
  if (!has_compiler) return;
  const array want = jq::jit(rolled, jq::backend("cpu"), jq::compile_at::first_call).lower(x).compile()(x);  // whose module goes with it
  jq::detail::kept_executable k = kept(jq::compile_at::first_call);
  forget_modules();
  const testing::temporary_directory here;
  const fs::path& directory = here.path;
  jq::cpu::set_cache_directory(directory.string());
  k.where.when = jq::compile_time::when_hot;
  {
    const auto e = loaded(k);
    CHECK(tier_of(e) == jq::cpu::tier::compiled);
    CHECK(fs::is_empty(directory));  // what is compiled is kept there
    const auto r = jq::testing::identical(run(e), want);
    CHECK_MESSAGE(r.ok, r.text);
  }
  forget_modules();
  fs::remove_all(directory);
  k.where.when = jq::compile_time::first_call;
  k.code.modules.pop_back();
  const auto again = jq::testing::identical(run(loaded(k)), want);
  CHECK_MESSAGE(again.ok, again.text);
  CHECK(std::distance(fs::directory_iterator(directory), {}) == 1);
  jq::cpu::set_cache_directory("");
}
TEST_CASE("kept code: of another machine it is not used") {
  if (!has_compiler) return;
  const array want = run(loaded(kept(jq::compile_at::never)));
  jq::detail::kept_executable k = kept(jq::compile_at::first_call);
  k.code.machine += "other";
  for (auto& m : k.code.modules) m.code = "no code";
  k.where.when = jq::compile_time::never;
  const auto e = loaded(k);
  CHECK(tier_of(e) == jq::cpu::tier::tiles);
  const auto r = jq::testing::identical(run(e), want);
  CHECK_MESSAGE(r.ok, r.text);
}
TEST_CASE("kept code: loading may leave it alone; strict programs stay strict") {
  const auto c = jq::jit(rolled, jq::backend("cpu"), jq::compile_at::first_call, jq::precision::strict).lower(x).compile();
  jq::load_options none;
  none.machine_code = false;
  const array want = jq::jit(rolled, jq::backend("interpreter"))(x);
  for (const jq::load_options& o : {jq::load_options{}, none}) {
    const auto r = jq::testing::identical(jq::load_executable(c.serialize(), o)(x), want);
    CHECK_MESSAGE(r.ok, r.text);
  }
}
