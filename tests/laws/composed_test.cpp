// Functions that other libraries have as primitives and that are made of primitives here: of which, and the laws of each, so that
// docs/primitives.md can say of them what it says of primitives. Their rules are those of their parts; a law that does not hold has a
// reason in the list. Deliberately not every function of lax: those that only rename or reshape are in docs/functions.md.
#include "row.hpp"
#include "static_leaves.hpp"

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/control/control.hpp>
#include <jacquard/control/reduce.hpp>
#include <jacquard/fixed.hpp>
#include <jacquard/numpy/factors.hpp>
#include <jacquard/numpy/lax.hpp>
#include <jacquard/testing/batching.hpp>
#include <jacquard/testing/compilation.hpp>
#include <jacquard/testing/gradients.hpp>
#include <jacquard/testing/masking.hpp>

#include <set>

using namespace laws;
using jq::tensor;
using jq::testing::all_close;
using jq::testing::report;
using jq::testing::size_list;

namespace {

/// What mask is checked with: the specification of each operand, and sizes below the padded ones. Without sizes the reason why not.
struct masking {
  std::vector<std::string> specs;
  size_list sizes;
  std::string reason{};
};
masking not_masked(const std::string& reason) { return {{}, {}, reason}; }

/// One function, and the operands on which its laws are checked.
struct composed {
  std::string name;
  leaf_function f;
  leaves x;
  leaves at_compile_time;  ///< what the lane of tensors gives for these operands
  masking padded;
  std::string not_differentiable{};
};

/// f, without state and of as many arrays as there are tensors.
template <class F, class... T>
composed of(const std::string& name, F f, const masking& m, const std::string& not_differentiable, const T&... x) {
  composed r{name, {}, {jq::asarray(x)...}, {}, m, not_differentiable};
  r.f = [f](const leaves& v) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      leaves out;
      laws::put(f(v[I]...), out);
      return out;
    }(std::index_sequence_for<T...>{});
  };
  laws::put(jq::jit(f)(x...), r.at_compile_time);
  return r;
}

// --- the functions -------------------------------------------------------------------------------------------------------------

/// a + b + a b: associative, and 0 is neutral.
constexpr auto joined = [](const array& a, const array& b) { return a + b + a * b; };
constexpr auto zero_like = [](const array& x) { return array(jq::literal(0, x.dtype(), false)); };

constexpr auto folded = [](auto x) { return lax::reduce(joined, array(x), zero_like(x), {1}); };
constexpr auto folded_windows = [](auto x) { return lax::reduce_window(joined, array(x), zero_like(x), {1, 2}, {1, 1}, {{0, 0}, {1, 0}}); };
constexpr auto exclusive_or = [](auto x) { return lax::reduce_xor(x, {1}); };
constexpr auto order = [](auto x) { return jq::argsort(x, 1); };
constexpr auto high_half = [](auto x, auto y) { return lax::mulhi(x, y); };
constexpr auto prefixes_of = [](auto x) { return lax::associative_scan(joined, array(x), false, 1); };
constexpr auto each = [](auto x) { return lax::map([](const array& v) { return jq::sin(v) * v; }, array(x)); };
constexpr auto counted = [](auto x) { return lax::fori_loop(0, 3, [](const array&, const array& v) { return v * v + 0.5; }, array(x)); };
constexpr auto chosen_branch = [](auto x) {
  return lax::switch_(array(1), std::tuple{[](const array& v) { return -v; }, [](const array& v) { return jq::sin(v); }}, array(x));
};
constexpr auto subtracted = [](auto x, auto y) { return lax::scatter_sub(x, lax::reshape(lax::iota(jq::i64, 3), {3, 1}), y, {{1}, {0}, {0}}); };
constexpr auto reflections = [](auto a, auto taus) { return lax::householder_product(a, taus); };
constexpr auto reflected = [](auto a, auto taus, auto c) { return lax::ormqr(a, taus, c); };
constexpr auto updated = [](auto r, auto w) { return lax::cholesky_update(jq::triu(r), w); };
constexpr auto squared = [](auto a, auto c) { return lax::symmetric_product(a, c, 2.0, 0.5); };
constexpr auto three_diagonals = [](auto m) {
  const auto t = lax::tridiagonal(m);
  return std::tuple{array(t.d), array(t.e)};
};
constexpr auto transposed_convolution = [](auto x, auto w) { return lax::conv_transpose(x, w, {2}, "VALID", {.dimension_numbers = {"NCH", "OIH", "NCH"}}); };
constexpr auto patches = [](auto x) { return lax::conv_general_dilated_patches(x, {2}, {1}, "VALID"); };
constexpr auto local = [](auto x, auto w) { return lax::conv_general_dilated_local(x, w, {1}, "VALID", {2}); };
constexpr auto ragged = [](auto x, auto w) { return lax::ragged_dot(x, w, lax::iota(jq::i32, 2) + 1); };
constexpr auto stream = [](auto state) { return lax::rng_bit_generator(state, {3}, jq::u32); };
constexpr auto across = [](auto x) {
  return jq::vmap([](const array& v) { return std::tuple{lax::pmean(v, "i"), lax::pshuffle(v, "i", {1, 0}), lax::pswapaxes(v, "i", 0)}; }, jq::axis_name<"i">)(array(x));
};
constexpr auto halved = [](const auto& g, const array& start) { return start - g(start) / 2.0; };
constexpr auto root = [](auto a) {
  return lax::custom_root([&](const array& v) { return v * 2.0 - a; }, array(a), halved, [](const auto& g, const array& y) { return y / g(lax::zeros(y.aval()) + 1.0); });
};

const masking rows_masked{{"(n, 3)"}, {{"n", 1}}};

constexpr tensor<double, 2, 3> x{0.3, 0.85, -0.4, 0.6, -0.2, 0.7}, y{0.5, 0.2, 0.9, -0.6, 0.1, 0.4};
constexpr tensor<double, 2, 2> square{1.5, 0.2, 0.1, 2.0};
constexpr tensor<int, 2, 3> whole{7, -100, 12345, 1, 99, -3}, others{1 << 30, 77, -5, 2, -(1 << 29), 4};

std::vector<composed> all_composed() {
  return {
      of("argsort", order, rows_masked, "", x),
      of("associative_scan", prefixes_of, rows_masked, "", x),
      of("cholesky_update", updated, not_masked("its rotations go over rows, one equation each"), "", square, tensor<double, 2>{0.3, -0.5}),
      of("conv_general_dilated_local", local, {{"(n, 1, 3)", "(2, 2, 2)"}, {{"n", 1}}}, "", tensor<double, 2, 1, 3>{0.3, 0.85, -0.4, 0.6, -0.2, 0.7},
         tensor<double, 2, 2, 2>{0.5, 0.2, 0.9, -0.6, 0.1, 0.4, 0.3, -0.7}),
      of("conv_general_dilated_patches", patches, {{"(n, 1, 3)"}, {{"n", 1}}}, "", tensor<double, 2, 1, 3>{0.3, 0.85, -0.4, 0.6, -0.2, 0.7}),
      of("conv_transpose", transposed_convolution, {{"(n, 1, 3)", "(1, 1, 2)"}, {{"n", 1}}}, "", tensor<double, 2, 1, 3>{0.3, 0.85, -0.4, 0.6, -0.2, 0.7},
         tensor<double, 1, 1, 2>{0.5, 0.2}),
      of("custom_root", root, {{"(n, 3)"}, {{"n", 1}}}, "", x),
      of("fori_loop", counted, rows_masked, "", x),
      of("householder_product", reflections, not_masked("sizes of matrices are fixed"), "", tensor<double, 3, 2>{1, 0.5, 0.3, 1, -0.2, 0.4}, tensor<double, 2>{1.2, 0.7}),
      of("map", each, rows_masked, "", x),
      of("mulhi", high_half, {{"(n, 3)", "(n, 3)"}, {{"n", 1}}}, "", whole, others),
      of("ormqr", reflected, {{"(3, 2)", "2", "(3, k)"}, {{"k", 1}}}, "", tensor<double, 3, 2>{1, 0.5, 0.3, 1, -0.2, 0.4}, tensor<double, 2>{1.2, 0.7},
         tensor<double, 3, 2>{0.3, 0.85, -0.4, 0.6, -0.2, 0.7}),
      of("pmean, pshuffle, pswapaxes", across, not_masked("the mapped axis has a fixed size"), "", square),
      of("ragged_dot", ragged, {{"(3, k)", "(2, k, 1)"}, {{"k", 1}}}, "", tensor<double, 3, 2>{0.3, 0.85, -0.4, 0.6, -0.2, 0.7},
         tensor<double, 2, 2, 1>{0.5, 0.2, 0.9, -0.6}),
      of("reduce, any function", folded, rows_masked, "", x),
      of("reduce_window, any function", folded_windows, rows_masked, "", x),
      of("reduce_xor", exclusive_or, rows_masked, "", whole),
      of("rng_bit_generator", stream, not_masked("a state has a fixed size"), "", tensor<std::uint32_t, 4>{1, 2, 3, 4}),
      of("scatter_sub", subtracted, {{"(3, m)", "(3, m)"}, {{"m", 1}}}, "", tensor<double, 3, 2>{0.3, 0.85, -0.4, 0.6, -0.2, 0.7}, tensor<double, 3, 2>{0.5, 0.2, 0.9, -0.6, 0.1, 0.4}),
      of("switch", chosen_branch, rows_masked, "", x),
      of("symmetric_product", squared, {{"(2, k)", "(2, 2)"}, {{"k", 2}}}, "", x, square),
      of("tridiagonal", three_diagonals, not_masked("sizes of matrices are fixed"), "of hessenberg", tensor<double, 3, 3>{4, 1, 0.5, 1, 3, 0.2, 0.5, 0.2, 2}),
  };
}
const std::vector<composed>& functions() {
  static const std::vector<composed> all = all_composed();
  return all;
}

// --- their laws ----------------------------------------------------------------------------------------------------------------

bool is_inexact(const composed& c) { return jq::is_inexact(c.x[0].dtype()) && jq::is_inexact(c.f(c.x)[0].dtype()); }
void check(const composed& c, const char* law, const std::function<report()>& f) {
  report r;
  try {
    r = f();
  } catch (const std::exception& e) {
    r.fail("threw: ", std::string_view(e.what()));
  }
  INFO(c.name << ", " << law << "\n" << r.text);
  CHECK(r.ok);
}
/// Whether derivatives are refused with the primitive's own error.
bool refuses_derivatives(const composed& c) {
  try {
    jq::testing::tangents_of(c.f, c.x, jq::testing::directions(c.x, 1));
  } catch (const jq::not_implemented&) {
    return true;
  }
  return false;
}

void names_in(const jq::jaxpr& p, std::set<std::string>& names) {
  for (const jq::equation& e : p.equations) names.insert(std::string(e.op->name));
  for (const jq::jaxpr_ref& s : p.subs) names_in(*s, names);
}
std::string parts_of(const composed& c) {
  std::set<std::string> names;
  names_in(*jq::make_jaxpr(c.f)(c.x).program, names);
  std::string r;
  for (const std::string& n : names) r += (r.empty() ? "" : ", ") + n;
  return r;
}

}  // namespace

TEST_CASE("composed: derivatives of both modes agree with differences") {
  for (const composed& c : functions()) {
    if (!c.not_differentiable.empty()) CHECK(refuses_derivatives(c));
    else if (is_inexact(c)) check(c, "derivatives", [&] { return jq::testing::check_grads(c.f, std::tuple{c.x}); });
  }
}
TEST_CASE("composed: vmap is a loop") {
  for (const composed& c : functions()) {
    leaves stacked;
    for (const array& a : c.x) {
      const array once = lax::reshape(a, shape(a.shape().with(0, 1)));
      stacked.push_back(lax::concatenate({once, lax::rev(once, jq::int_list::iota(once.ndim()))}, 0));
    }
    check(c, "vmap", [&] { return jq::testing::detail::check_batch(c.f, std::vector<int>(c.x.size(), 0), stacked, 1e-12, 1e-12); });
    std::vector<int> first(c.x.size(), jq::none);
    first[0] = 0;
    leaves one = c.x;
    one[0] = stacked[0];
    check(c, "vmap of one operand", [&] { return jq::testing::detail::check_batch(c.f, first, one, 1e-12, 1e-12); });
  }
}
TEST_CASE("composed: both backends, both lanes, in one value") {
  for (const composed& c : functions()) {
    check(c, "interpreter", [&] { return jq::testing::check_jit(c.f, std::tuple{c.x}); });
    check(c, "cpu", [&] { return jq::testing::check_jit(c.f, std::tuple{c.x}, "cpu", 1e-13, 1e-13); });
    check(c, "compile time", [&] { return all_close(c.at_compile_time, c.f(c.x), 1e-13, 1e-13); });
  }
}
TEST_CASE("composed: mask computes the logical part") {
  for (const composed& c : functions()) {
    CHECK((c.padded.sizes.empty() == !c.padded.reason.empty()));
    if (!c.padded.sizes.empty()) check(c, "mask", [&] { return jq::testing::check_mask(c.f, c.padded.specs, c.x, c.padded.sizes, is_inexact(c)); });
  }
}

std::string laws::composed_section() {
  std::string r =
      "\n## Composed of primitives\n\n"
      "Functions that other libraries have as primitives. Their rules are those of their parts; the laws of `tests/laws/composed_test.cpp` hold for\n"
      "each: derivatives of both modes against differences, `vmap` against a loop, backends and lanes against each other. Those that take a\n"
      "function are shown with one made of add and mul.\n\n"
      "| function | made of | derivatives | batch | mask | interpreter | cpu backend | compile time |\n|---|---|---|---|---|---|---|---|\n";
  for (const composed& c : functions()) {
    r += "| `" + c.name + "` | " + parts_of(c) + " | ";
    r += !c.not_differentiable.empty() ? "none: " + c.not_differentiable : is_inexact(c) ? "both modes" : "zero";
    r += " | yes | " + (c.padded.reason.empty() ? "yes" : "not checked: " + c.padded.reason) + " | yes | yes | yes |\n";
  }
  return r;
}
