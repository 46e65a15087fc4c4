// docs/primitives.md: which rules each primitive has, read from its table, and the dtypes with which its samples are taken. A rule that is
// not there has a reason, from a property of the primitive or from the short list here. With JACQUARD_UPDATE_TABLES set, the file is
// written instead. Deliberately no measure of how good a rule is: that is for the laws.
#include "row.hpp"

#include <jacquard/control/control.hpp>
#include <jacquard/prims/linear_algebra.hpp>

#include "../tables/table_file.hpp"

#include <filesystem>

using namespace laws;

namespace {

/// Why a primitive has no derivative, or no batching rule, where its table does not say.
struct reason {
  std::string_view primitive, rule, text;
};
const reason reasons[] = {
    {"igamma_grad_a", "jvp", "a derivative already; the next one has no closed form"},
    {"regularized_incomplete_beta_grad_a", "jvp", "a derivative already; the next one has no closed form"},
    {"regularized_incomplete_beta_grad_b", "jvp", "a derivative already; the next one has no closed form"},
    {"random_gamma_grad", "jvp", "a derivative already; the next one has no closed form"},
    {"pdot", "mask", "psum of dot_general has one"},
    {"pmax", "jvp", "not defined where members tie, as in JAX"},
    {"pmin", "jvp", "not defined where members tie, as in JAX"},
    {"hessenberg", "jvp", "the reflections depend on a choice for each row; derive through what does not depend on it"},
    {"schur", "jvp", "not unique where eigenvalues are equal; derive through `eigh` or `eig`"},
    {"device_callback_tangent", "jvp", "stands for a derivative that the host computes once"},
    {"device_callback_tangent", "batch", "is made after batching"},
    {"custom_vjp_call", "jvp", "its rule is that of reverse mode; forward mode is an error that says so"},
    {"custom_lin", "jvp", "stands for the tangents of a custom_vjp_call until they are transposed"},
    {"custom_lin", "kernel", "is transposed, not run"},
};

struct facts {
  const jq::primitive* op;
  bool has_jvp_rule, is_constant, at_compile_time;
};

template <class P>
constexpr bool has_jvp_rule() {
  return jq::detail::full_jvp<P> || jq::detail::unary_jvp<P> || jq::detail::operand_jvp<P>;
}
/// Whether the compile-time lane has something to run: the scalar function, a kernel on plain elements, a program, or what shows values.
template <class P>
constexpr bool runs_at_compile_time() {
  using params = jq::params_of<P>;
  return jq::detail::tap_primitive<P> || jq::detail::takes_each_type<P> || jq::detail::has_place<P> || requires { P::is_elementwise; } ||
         requires { P::moves_data; } || requires { P::domain; } || requires(const jq::kernel_args<double>& a, const params& p) { P::kernel(a, p); } ||
         requires(const jq::kernel_args<double>& a) { P::kernel(a); } || (jq::table_of<P>().effects & jq::collective_effect) != 0;
}
template <class P>
facts facts_of() {
  return {&jq::table_of<P>(), has_jvp_rule<P>(), requires { P::no_derivative; }, runs_at_compile_time<P>()};
}
template <class... P>
std::vector<facts> facts_of_all(jq::type_list<P...>) {
  return {facts_of<P>()...};
}

const row* find(const facts& f) {
  for (const row& r : all_rows())
    if (r.op == f.op) return &r;
  return nullptr;
}
std::string reason_of(const facts& f, std::string_view rule) {
  for (const reason& r : reasons)
    if (r.primitive == f.op->name && r.rule == rule) return "none: " + std::string(r.text);
  return "";
}
std::string because(const facts& f, std::string_view rule) {
  if (const row* r = find(f); r && r->samples[0].operands.empty()) return "no operands";
  if (const std::string said = reason_of(f, rule); !said.empty()) return said;
  CAPTURE(std::string(f.op->name));
  CAPTURE(std::string(rule));
  FAIL_CHECK("a rule is missing without a reason");
  return "";
}
std::string derivative(const facts& f) {
  if (const std::string said = reason_of(f, "jvp"); !said.empty()) {
    CHECK_MESSAGE(!f.has_jvp_rule, std::string(f.op->name), " has a derivative, and a reason why not");
    return said;
  }
  if (f.op->joint_jvp) return "with its result";
  if (f.is_constant) return "zero";
  if (f.has_jvp_rule) return "rule";
  return f.op->jvp ? "itself" : because(f, "jvp");
}
std::string transposition(const facts& f) {
  if (f.op->transpose) return "rule";
  return f.op->linear == 0 ? "not linear" : because(f, "transpose");
}
std::string kernel(const facts& f) {
  if (const std::string said = reason_of(f, "kernel"); !said.empty()) return said;
  if (f.op->kernel) return f.op->elementwise ? "scalar function" : "kernel";
  if (f.op->effects & jq::collective_effect) return "by its axis";
  return f.op->place ? "runs programs" : f.op->evaluate ? "calls the host" : because(f, "kernel");
}
std::string on_cpu(const facts& f) {
  if (f.op->view_of) return "reads in place";
  if (f.op->reduce) return "fused reduction";
  if (f.op->record || f.op->parts || f.op->lookup || f.op->put) return "fused";
  if (f.op->contract) return "fused if small";
  return f.op->kernel ? "kernel" : f.op->place ? "compiled" : kernel(f);
}
/// A set of dtypes in few words.
std::string words(dtype_set s) {
  if (s == every) return "all";
  const std::pair<dtype_set, std::string_view> groups[] = {{of(jq::integers), "integers"}, {of(jq::floats), "floats"}, {of(jq::complexes), "complex"}};
  std::string r;
  for (const auto& [group, name] : groups)
    if ((s & group) == group) r += (r.empty() ? "" : ", ") + std::string(name), s &= ~group;
  for (int i = 0; i < jq::dtype_count; ++i)
    if (has(s, dtype(i))) r += (r.empty() ? "" : ", ") + std::string(jq::name(dtype(i)));
  return r;
}
/// Of the samples of the row that are taken with operands of that dtype: the dtypes of their results; 0 where none is.
dtype_set results(const row& r, dtype t) {
  dtype_set all = 0;
  for (std::size_t n = 0; n < r.samples.size(); ++n) try {
      const instance at{&r, &r.samples[n], t, n};
      const jq::closed_jaxpr p = jq::make_jaxpr(function_of(at))(operands_of(at));
      for (jq::atom a : p->outvars) all |= only(p->type_of(a).type);
    } catch (const jq::error&) {  // the next sample may take it
    }
  return all;
}
std::string dtypes(const facts& f) {
  const row* r = find(f);
  if (f.op->place || !r) return f.op->place ? "of its programs" : "of its function";
  dtype_set in = 0, out = 0;
  for (int t = 0; t < jq::dtype_count; ++t)
    if (const dtype_set given = results(*r, dtype(t))) in |= only(dtype(t)), out |= given;
  return words(in) + ((out & ~in) != 0 ? "; gives " + words(out) : "");
}

std::string line(const facts& f) {
  std::string r = "| " + std::string(f.op->name) + " | " + dtypes(f) + " | ";
  r += derivative(f) + " | " + transposition(f) + " | ";
  r += (f.op->batch ? "rule" : because(f, "batch")) + " | " + (f.op->mask ? "rule" : because(f, "mask")) + " | ";
  return r + kernel(f) + " | " + on_cpu(f) + " | " + (f.at_compile_time ? "yes" : "no") + " |\n";
}
std::string section(const std::string& title, const std::vector<facts>& rows) {
  std::string r = "\n## " + title + "\n\n| primitive | dtypes | jvp | transpose | batch | mask | interpreter | cpu backend | compile time |\n|---|---|---|---|---|---|---|---|---|\n";
  for (const facts& f : rows) r += line(f);
  return r;
}

}  // namespace

TEST_CASE("docs/primitives.md says which rules there are") {
  std::string text =
      "# Primitives and their rules\n\n"
      "Written by `scripts/coverage` from the tables of the primitives; dtypes are those with which the samples of the laws (`tests/laws`) are\n"
      "taken, and of their results where those have others. Every primitive has a rule of type inference. In the columns:\n\n"
      "- jvp: `rule` computes the tangent; `itself` applies the primitive to the tangent, since it is linear; `zero`: results do not change, or\n"
      "  are of a dtype without derivatives; `with its result`: programs are differentiated and run once for both.\n"
      "- transpose: only what is linear in an operand has one. Reverse mode is transposed forward mode, so that other primitives need none.\n"
      "- interpreter: `by its axis`: `vmap` turns collectives into reductions and movements of its dimension; members of a `pmap` read each other's values.\n"
      "- cpu backend: `fused` ones become part of a compiled loop, `kernel` ones run the interpreter's kernel, or that of a library.\n"
      "- compile time: whether the lane of plain numbers and tensors has something to run. Functions of the host and factors of\n"
      "  programs under `mask` belong to arrays.\n";
  text += section("Array operations", facts_of_all(jq::all_prims{}));
  text += section("Programs within programs", facts_of_all(jq::control_prims{}));
  std::vector<facts> host = facts_of_all(jq::function_prims{});
  for (const facts& f : facts_of_all(jq::callback_prims{})) host.push_back(f);
  text += section("Taps and callbacks", host);
  text += section("With rules of the user", facts_of_all(jq::custom_rule_prims{}));
  text += composed_section();
  text += "\n## Of partitioned programs\n\n"
          "`retile`, `combine` and `from_first` stand in programs that `sharded_jit` has partitioned, and no transform meets them: pieces of arrays that are cut in\n"
          "another way, parts of a reduction combined between devices, a value of the first device.\n";
  tables::check_file("primitives.md", text);
}
TEST_CASE("docs/primitives.md has every primitive that a header defines") {
  const auto text_of = [](const std::filesystem::path& file) {
    std::ifstream in(file);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
  };
  const std::filesystem::path tests = JACQUARD_TESTS_DIR;
  const std::string table = text_of(tests / ".." / "docs" / "primitives.md"), line = "std::string_view name = \"";
  int found = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(tests / ".." / "include")) {
    const std::string header = file.is_regular_file() ? text_of(file.path()) : "";
    for (std::size_t at = header.find(line); at != std::string::npos; at = header.find(line, at + 1)) {
      const std::size_t first = at + line.size();
      const std::string name = header.substr(first, header.find('"', first) - first);
      INFO(file.path().string() << " defines '" << name << "'");
      const bool is_of_partitions = file.path().string().find("/parallel/") != std::string::npos;  // these have a line of text
      CHECK(table.find(is_of_partitions ? "`" + name + "`" : "\n| " + name + " |") != std::string::npos);
      ++found;
    }
  }
  CHECK(found > 100);
}
