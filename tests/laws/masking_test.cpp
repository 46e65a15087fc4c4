// Laws of mask: a masked primitive computes on padded operands what it computes on operands of the logical sizes, whatever
// the padding holds, and so do its derivatives. Every primitive whose operands have sizes must be covered.
#include "row.hpp"

#include <jacquard/control/control.hpp>
#include <jacquard/prims/linear_algebra.hpp>
#include <jacquard/testing/masking.hpp>

#include <set>

using namespace laws;
using jq::testing::check_mask;
using jq::testing::report;
using jq::testing::size_list;

namespace {

constexpr dtype_set some = only(jq::bool_, jq::i32, jq::u32, jq::f64, jq::c128);

/// Operands that are equal in size get one name: "c" for 2, "d" for 3, ...
std::string spec_of(const shape& dims, int named) {
  std::string r = "(";
  for (int d = 0; d < dims.rank(); ++d)
    r += (dims[d] < 2 || d >= named ? std::to_string(dims[d]) : std::string(1, char('a' + dims[d]))) + ",";
  return r + ")";
}
/// How many dimensions of operand k may have symbolic sizes: not the one that holds the index vectors of a scatter, nor those that the
/// row keeps.
int named_dims(const instance& i, std::size_t k) {
  const int fixed = i.of->op->name.starts_with("scatter") && k == 1 ? 1 : i.of->facts.fixed_dims;
  return std::max(i.at->operands[k].dims.rank() - fixed, 0);
}
/// The same sample with larger operands.
sample padded(const instance& i, std::int64_t more) {
  sample r = *i.at;
  for (std::size_t k = 0; k < r.operands.size(); ++k)
    for (int d = 0; d < named_dims(i, k); ++d)
      if (std::int64_t& n = r.operands[k].dims[d]; n >= 2) n += more + n % 2;
  return r;
}
size_list sizes_of(const instance& i, std::int64_t less) {
  size_list r;
  for (std::size_t k = 0; k < i.at->operands.size(); ++k)
    for (int d = 0; d < named_dims(i, k); ++d)
      if (const std::int64_t n = i.at->operands[k].dims[d]; n >= 2) r.emplace_back(std::string(1, char('a' + n)), n - less);
  return r;
}

/// Primitives seen under mask with symbolic operands or results.
std::set<std::string_view> covered;

/// Parameters that hold sizes do not fit other ones; programs below and in masked_control_test.cpp cover them.
const std::set<std::string_view> hold_sizes{"broadcast_in_dim", "reshape", "slice", "pad", "iota", "dynamic_slice", "gather", "call",
                                            "checkpoint", "cond", "custom_jvp_call", "scan", "while"};
bool has_size(const instance& i) { return !sizes_of(i, 0).empty(); }

}  // namespace

TEST_CASE("mask computes the logical part, for every primitive whose parameters hold no sizes") {
  for_each_instance(some, [](const instance& i) {
    report r;
    if (hold_sizes.contains(i.of->op->name) || i.at->holds_sizes || is_collective(*i.of) || !has_size(i) || !i.of->op->mask) return r;
    std::vector<std::string> specs;
    for (std::size_t k = 0; k < i.at->operands.size(); ++k) specs.push_back(spec_of(i.at->operands[k].dims, named_dims(i, k)));
    covered.insert(i.of->op->name);
    for (std::int64_t less : {0, 1}) {
      const sample larger = padded(i, 1 + less);
      const instance at{i.of, &larger, i.type, i.number};
      r.add(less == 0 ? "sizes" : "smaller sizes",
            check_mask(function_of(at), specs, operands_of(at), sizes_of(i, less), i.of->op->jvp != nullptr && i.of->facts.smooth));
    }
    return r;
  });
}

namespace {

/// A program on leaves, the specification of each, its padded shape, and the logical sizes.
struct program {
  std::string name;
  std::function<array(const leaves&)> f;
  std::vector<std::string> specs;
  std::vector<shape> padded;
  size_list sizes;
  std::vector<std::vector<double>> integers{};  ///< values of the last leaves, if those are i32
};

report check(const program& p) {
  leaves x;
  const std::size_t first = p.padded.size() - p.integers.size();
  for (std::size_t k = 0; k < p.padded.size(); ++k) {
    if (k < first) x.push_back(jq::testing::distinct(jq::aval(jq::f64, p.padded[k]), 17 + k));
    else x.push_back(jq::testing::detail::fill(jq::aval(jq::i32, p.padded[k]), [&](std::int64_t i) {
      return jq::complex128(p.integers[k - first][std::size_t(i)], 0);
    }));
  }
  const leaf_function f = [&](const leaves& v) { return leaves{p.f(v)}; };
  const std::vector<std::string> specs = p.specs;
  const jq::closed_jaxpr traced = jq::make_jaxpr(f)(x);
  for (const jq::equation& e : traced->equations) covered.insert(e.op->name);
  return check_mask(f, specs, x, p.sizes);
}
void check_all(const std::vector<program>& programs) {
  for (const program& p : programs) {
    report r;
    try {
      r = check(p);
    } catch (const std::exception& e) {
      r.fail("threw: ", std::string_view(e.what()));
    }
    INFO(p.name << "\n" << r.text);
    CHECK(r.ok);
  }
}
std::int64_t dim(const array& x, int d) { return x.shape()[d]; }

}  // namespace

TEST_CASE("mask of slices, with bounds and strides that depend on sizes") {
  const auto part = [](auto low, auto high, std::int64_t stride) {
    return [=](const leaves& x) { return lax::slice(x[0], {low(x)}, {high(x)}, {stride}); };
  };
  const auto at = [](std::int64_t k) { return [=](const leaves&) { return k; }; };
  const auto n = [](std::int64_t less) { return [=](const leaves& x) { return dim(x[0], 0) - less; }; };
  const auto m = [](const leaves& x) { return dim(x[1], 0); };
  check_all({{"all but the first", part(at(1), n(0), 1), {"n"}, {{6}}, {{"n", 4}}},
             {"all but the last", part(at(0), n(1), 1), {"n"}, {{6}}, {{"n", 4}}},
             {"the first two", part(at(0), at(2), 1), {"n"}, {{6}}, {{"n", 4}}},
             {"the last two", part(n(2), n(0), 1), {"n"}, {{6}}, {{"n", 4}}},
             {"every other one", part(at(0), n(0), 2), {"n"}, {{6}}, {{"n", 5}}},
             {"every third one from the second on", part(at(1), n(0), 3), {"n"}, {{9}}, {{"n", 6}}},
             {"from another size on", part(m, n(0), 1), {"n", "m"}, {{6}, {4}}, {{"n", 5}, {"m", 1}}},
             {"up to another size", part(at(0), m, 1), {"n", "m"}, {{6}, {4}}, {{"n", 5}, {"m", 3}}},
             {"strided, from another size on", part(m, n(1), 2), {"n", "m"}, {{8}, {4}}, {{"n", 7}, {"m", 2}}},
             {"twice", [](const leaves& x) { return lax::slice(lax::slice(x[0], {0}, {dim(x[0], 0)}, {2}), {1}, {(dim(x[0], 0) + 1) / 2}); },
              {"n"}, {{7}}, {{"n", 5}}}});
}
TEST_CASE("mask of reshapes: fragments too") {
  const auto to = [](auto dims) { return [=](const leaves& x) { return lax::reshape(x[0], dims(x)); }; };
  check_all({{"(n, 2) to 2n", to([](const leaves& x) { return shape{2 * dim(x[0], 0)}; }), {"(n, 2)"}, {{4, 2}}, {{"n", 3}}},
             {"2n to (n, 2)", to([](const leaves& x) { return shape{dim(x[0], 0) / 2, 2}; }), {"2*n"}, {{8}}, {{"n", 3}}},
             {"(2, n) to 2n", to([](const leaves& x) { return shape{2 * dim(x[0], 1)}; }), {"(2, n)"}, {{2, 4}}, {{"n", 3}}},
             {"2n to (2, n)", to([](const leaves& x) { return shape{2, dim(x[0], 0) / 2}; }), {"2*n"}, {{8}}, {{"n", 3}}},
             {"(a, b) to ab", to([](const leaves& x) { return shape{dim(x[0], 0) * dim(x[0], 1)}; }), {"(a, b)"}, {{3, 4}}, {{"a", 2}, {"b", 3}}},
             {"(a, b) to (b, a)", to([](const leaves& x) { return shape{dim(x[0], 1), dim(x[0], 0)}; }), {"(a, b)"}, {{3, 5}}, {{"a", 2}, {"b", 3}}},
             {"(a, b, 3) to (ab, 3)", to([](const leaves& x) { return shape{dim(x[0], 0) * dim(x[0], 1), 3}; }), {"(a, b, 3)"}, {{3, 4, 3}},
              {{"a", 2}, {"b", 2}}},
             {"(n) to (1, n, 1)", to([](const leaves& x) { return shape{1, dim(x[0], 0), 1}; }), {"n"}, {{4}}, {{"n", 3}}},
             {"(a, 2, b) to (2a, b)", to([](const leaves& x) { return shape{2 * dim(x[0], 0), dim(x[0], 2)}; }), {"(a, 2, b)"}, {{3, 2, 4}},
              {{"a", 2}, {"b", 3}}},
             {"nothing left", to([](const leaves& x) { return shape{2 * dim(x[0], 1)}; }), {"(2, n)"}, {{2, 4}}, {{"n", 0}}}});
}
TEST_CASE("mask of broadcasts, iotas and paddings to symbolic sizes") {
  const auto padded_by = [](auto low, auto high, std::int64_t interior) {
    return [=](const leaves& x) { return lax::pad(x[0], x[1], {low(x)}, {high(x)}, {interior}); };
  };
  const auto k = [](std::int64_t v) { return [=](const leaves&) { return v; }; };
  const auto to_m = [](const leaves& x) { return dim(x[2], 0) - dim(x[0], 0); };
  const auto m = [](const leaves& x) { return dim(x[2], 0); };
  check_all({{"broadcast along a new size", [](const leaves& x) { return lax::broadcast_in_dim(x[0], {dim(x[1], 0), dim(x[0], 0)}, {1}); },
              {"n", "m"}, {{4}, {5}}, {{"n", 3}, {"m", 2}}},
             {"broadcast of a scalar", [](const leaves& x) { return lax::broadcast_in_dim(x[0], {dim(x[1], 0)}, {}); }, {"", "m"}, {{}, {5}}, {{"m", 2}}},
             {"broadcast of a dimension of size 1", [](const leaves& x) { return lax::broadcast_in_dim(x[0], {dim(x[1], 0), 2}, {0, 1}); },
              {"(1, 2)", "m"}, {{1, 2}, {5}}, {{"m", 2}}},
             {"iota", [](const leaves& x) { return lax::mul(x[0], lax::iota(jq::f64, {dim(x[0], 0), dim(x[0], 1)}, 1)); }, {"(n, m)"}, {{4, 5}},
              {{"n", 3}, {"m", 2}}},
             {"constant padding", padded_by(k(1), k(2), 0), {"n", ""}, {{5}, {}}, {{"n", 3}}},
             {"padding between", padded_by(k(1), k(1), 2), {"n", ""}, {{5}, {}}, {{"n", 3}}},
             {"padding between nothing", padded_by(k(1), k(1), 2), {"n", ""}, {{5}, {}}, {{"n", 0}}},
             {"less than nothing before", padded_by(k(-1), k(2), 0), {"n", ""}, {{5}, {}}, {{"n", 3}}},
             {"less than nothing after", padded_by(k(2), k(-1), 1), {"n", ""}, {{5}, {}}, {{"n", 3}}},
             {"up to another size", padded_by(k(0), to_m, 0), {"n", "", "m"}, {{3}, {}, {6}}, {{"n", 2}, {"m", 5}}},
             {"another size in front", padded_by(m, k(1), 0), {"n", "", "m"}, {{3}, {}, {4}}, {{"n", 2}, {"m", 3}}}});
}
TEST_CASE("mask of windows at computed places") {
  const auto read = [](auto size) { return [=](const leaves& x) { return lax::dynamic_slice(x[0], {x.back()}, {size(x)}); }; };
  const auto two = [](const leaves&) { return std::int64_t(2); };
  const auto n = [](const leaves& x) { return dim(x[0], 0); };
  const auto m = [](const leaves& x) { return dim(x[1], 0); };
  const auto write = [](const leaves& x) { return lax::dynamic_update_slice(x[0], x[1], {x[2]}); };
  std::vector<program> programs;
  for (double at : {-5., -1., 0., 2., 9.})
    for (const program& p : std::vector<program>{{"two", read(two), {"n", ""}, {{6}, {}}, {{"n", 4}}, {{at}}},
                                                 {"all", read(n), {"n", ""}, {{6}, {}}, {{"n", 4}}, {{at}}},
                                                 {"another size", read(m), {"n", "m", ""}, {{6}, {4}, {}}, {{"n", 5}, {"m", 2}}, {{at}}},
                                                 {"write two", write, {"n", "2", ""}, {{6}, {2}, {}}, {{"n", 4}}, {{at}}},
                                                 {"write another size", write, {"n", "m", ""}, {{6}, {4}, {}}, {{"n", 5}, {"m", 2}}, {{at}}}})
      programs.push_back(p);
  check_all(programs);
}
TEST_CASE("mask of gathers: windows of every kind of size, in every mode") {
  const std::vector<double> places{-2, 0, 3, 4, 1, 97};
  std::vector<program> programs;
  for (const jq::index_mode mode : {jq::index_mode::clip, jq::index_mode::fill_or_drop}) {
    const auto rows = [=](const leaves& x) {
      return lax::gather_fill(x[0], x[1], {{1}, {0}, {0}}, {1, dim(x[0], 1)}, 7);
    };
    const auto windows = [=](auto size) {
      return [=](const leaves& x) {
        const std::int64_t s = size(x);
        return jq::bind<jq::gather_p>({{1}, {}, {0}, {}, {}, {s}, mode, false, 7}, {}, x[0], x.back());
      };
    };
    programs.push_back({"rows", rows, {"(n, m)", "(k, 1)"}, {{5, 3}, {6, 1}}, {{"n", 4}, {"m", 2}, {"k", 5}}, {places}});
    programs.push_back({"single elements", windows([](const leaves&) { return std::int64_t(1); }), {"n", "(k, 1)"}, {{6}, {6, 1}},
                        {{"n", 4}, {"k", 5}}, {places}});
    programs.push_back({"everything", windows([](const leaves& x) { return dim(x[0], 0); }), {"n", "(k, 1)"}, {{6}, {6, 1}},
                        {{"n", 4}, {"k", 5}}, {places}});
    programs.push_back({"parts of another size", windows([](const leaves& x) { return dim(x[1], 0); }), {"n", "m", "(k, 1)"}, {{6}, {4}, {6, 1}},
                        {{"n", 5}, {"m", 2}, {"k", 5}}, {places}});
  }
  check_all(programs);
}
TEST_CASE("mask of compositions") {
  const auto first = [](auto f) { return [=](const leaves& x) { return f(x[0]); }; };
  const std::vector<std::string> ragged{"(n, m)"};
  const std::vector<shape> larger{{4, 5}};
  const size_list sizes{{"n", 3}, {"m", 2}};
  check_all({{"mean", first([](const array& x) { return jq::mean(x); }), ragged, larger, sizes},
             {"mean over one axis", first([](const array& x) { return jq::mean(x, 1); }), ragged, larger, sizes},
             {"var", first([](const array& x) { return jq::var(x, 0, jq::ddof(1)); }), ragged, larger, sizes},
             {"softmax", first([](const array& x) { return jq::softmax(x, 1); }), ragged, larger, sizes},
             {"log_softmax", first([](const array& x) { return jq::log_softmax(x, 0); }), ragged, larger, sizes},
             {"logsumexp", first([](const array& x) { return jq::logsumexp(x); }), ragged, larger, sizes},
             {"division by a broadcast of nothing", first([](const array& x) { return jq::log(x * x) / jq::sum(x * x, 0); }), ragged, larger, sizes},
             {"sorted", first([](const array& x) { return jq::sort(x, 0); }), ragged, larger, sizes},
             {"size as a value", first([](const array& x) { return x * jq::dim_as_value(x, 1); }), ragged, larger, sizes},
             {"negative index", first([](const array& x) { return x[-1]; }), ragged, larger, sizes},
             {"a call", first([](const array& x) { return jq::jit([](const array& v) { return jq::mean(v * v, 0); })(x); }), ragged, larger, sizes},
             {"a gradient inside", first([](const array& x) {
                return jq::grad([](const array& v) { return jq::sum(jq::sin(v) * jq::cumsum(v, 1)); })(x);
              }), ragged, larger, sizes},
             {"a map inside", first([](const array& x) { return jq::vmap([](const array& v) { return v / jq::sum(v); })(x); }), ragged, larger, sizes},
             {"random numbers", first([](const array& x) { return x + jq::random::uniform(jq::random::key(3), {dim(x, 0), dim(x, 1)}, jq::f64); }),
              ragged, larger, sizes},
             {"outer products", [](const leaves& x) { return jq::einsum("nm,km->nk", x[0], x[1]); }, {"(n, m)", "(k, m)"}, {{4, 5}, {3, 5}},
              {{"n", 3}, {"m", 2}, {"k", 2}}},
             {"scaled by a parameter", [](const leaves& x) { return jq::sum(jq::log(x[0] * x[0] * x[1]), 0); }, {"n", ""}, {{4}, {}}, {{"n", 2}}}});
}
TEST_CASE("every primitive has been masked") {
  const auto check_covered = []<class... P>(jq::type_list<P...>) {
    for (const jq::primitive* op : {&jq::table_of<P>()...}) {
      INFO("primitive '" << std::string(op->name) << "' has no masking rule, or no law test of it");
      const bool taken = op->mask != nullptr && covered.contains(op->name);
      const bool without_operands = op->name == "axis_index";
      CHECK((taken || without_operands || (op->effects & (jq::collective_effect | jq::tap_effect)) != 0));
    }
  };
  check_covered(jq::all_prims{});
}
