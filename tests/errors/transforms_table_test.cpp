// Wrong calls of transforms, compiled functions, taps, collectives and lax operations: each message names the operation, what
// was got, what was wanted and the remedy; those of operations on arrays also this file.
#include "../show.hpp"

#include <functional>
#include <map>

using jq::array;

namespace {

struct row {
  std::string name;
  std::function<void()> call;
  std::string operation, got, wanted, remedy;
  bool has_line = true;
};

template <class E>
void check(const std::vector<row>& rows) {
  for (const row& r : rows) {
    CAPTURE(r.name);
    std::string what;
    bool right_type = false;
    try {
      r.call();
    } catch (const E& e) {
      right_type = true;
      what = e.what();
    } catch (const std::exception& e) {
      what = e.what();
    }
    CAPTURE(what);
    CHECK(right_type);
    for (const std::string& part : {r.operation, r.got, r.wanted, r.remedy}) {
      CAPTURE(part);
      CHECK(what.find(part) != std::string::npos);
    }
    if (r.has_line) CHECK(what.find("transforms_table_test.cpp:") != std::string::npos);
  }
}

const array v2 = jq::asarray({1.f, 2.f}), v3 = jq::asarray({1.f, 2.f, 3.f}), i3 = jq::asarray({1, 2, 3});
const array m23 = jq::asarray({{1.f, 2.f, 3.f}, {4.f, 5.f, 6.f}});
const auto same = [](const array& x) { return x; };
const auto add = [](const array& x, const array& y) { return x + y; };
const auto pair_sum = [](const std::vector<array>& v) { return v[0] + v[1]; };
template <class F>
auto mapped(F f) {
  return jq::vmap(f, jq::axis_name<"i">);
}
struct one_way_p : jq::elementwise<one_way_p, jq::floats, 1> {
  static constexpr std::string_view name = "one_way";
  template <class T>
  static constexpr T apply(T x) {
    return x;
  }
};
array one_way(const array& x, jq::location where = jq::location::current()) { return jq::bind<one_way_p>({}, where, x); }

}  // namespace

TEST_CASE("errors: differentiation") {
  check<jq::type_error>({
      {"jvp trees", [] { jq::jvp(same, jq::primals(v3), jq::tangents(v3, v3)); }, "arguments to jvp", "PyTreeDef((*, *))",
       "must have the same tree structure", "Pass one tangent for each primal"},
      {"jvp dtypes", [] { jq::jvp(same, jq::primals(v3), jq::tangents(i3)); }, "arguments to jvp", "int32", "dtypes must be equal", "astype"},
      {"grad of integers", [] { jq::grad(same)(jq::asarray(3)); }, "grad requires", "but got int32", "real- or complex-valued inputs",
       "jq::allow_int", false},
      {"grad of booleans", [] { jq::grad(same)(jq::asarray(true)); }, "grad requires", "but got bool", "real- or complex-valued inputs",
       "use vjp", false},
      {"grad of a vector", [] { jq::grad([](const array& x) { return x * 2.f; })(v3); }, "Gradient", "Output had shape: (3,)",
       "scalar-output functions", "jq::jacrev"},
      {"jacfwd of integers", [] { jq::jacfwd(same)(i3); }, "jacfwd requires", "but got int32", "real-valued inputs", "use jq::jvp", false},
      {"jacfwd of complex numbers", [] { jq::jacfwd(same)(jq::asarray(jq::complex128{3, 4})); }, "jacfwd requires", "but got complex128", "real-valued inputs",
       "jq::holomorphic", false},
      {"jacrev of integers", [] { jq::jacrev(same)(i3); }, "jacrev requires", "but got int32", "real- or complex-valued inputs", "jq::jacrev(f, jq::allow_int)", false},
      {"jacrev of complex numbers", [] { jq::jacrev(same)(jq::asarray(jq::complex128{3, 4})); }, "jacrev requires", "but got complex128", "real-valued outputs",
       "jq::jacrev(f, jq::holomorphic)", false},
      {"linear_transpose of integers", [] { jq::linear_transpose(same, i3); }, "linear_transpose", "got i32[3]",
       "only supports floating point and complex", "close over integer arguments", false},
      {"cotangent tree of linear_transpose", [] { jq::linear_transpose(same, v3)(std::pair{v3, v3}); }, "linear_transpose",
       "but got PyTreeDef((*, *))", "expected PyTreeDef(*)", "pass a tree like the function's result", false},
      {"cotangent of linear_transpose", [] { jq::linear_transpose(same, v3)(v2); }, "linear_transpose", "but got f32[2]",
       "expected f32[3]", "reshape the cotangent", false},
      {"cotangent tree", [] { jq::vjp(same, v3).second(std::pair{v3, v3}); }, "cotangent input", "PyTreeDef((*, *))",
       "does not match the structure of the primal output PyTreeDef(*)", "pass a tree like the function's result", false},
      {"cotangent dtype", [] { jq::vjp(same, v3).second(i3); }, "vjp pullback function", "(int32)", "expected tangent type (float32)",
       "astype", false},
  });
  check<jq::shape_error>({
      {"jvp shapes", [] { jq::jvp(same, jq::primals(v3), jq::tangents(v2)); }, "jvp called", "tangent shape as (2,)",
       "got primal shape (3,)", "pass a tangent with the shape of its primal"},
      {"cotangent shape", [] { jq::vjp(same, v3).second(v2); }, "vjp pullback function", "(2,)", "same as the shape of corresponding primal",
       "pass a cotangent like the function's result", false},
  });
  check<jq::value_error>({
      {"linearized function", [] { jq::linearize(same, v3).second(v2); }, "linearized function called", "got f32[2]", "wanted f32[3]",
       "reshape the tangent", false},
  });
  check<jq::not_implemented>({
      {"no jvp", [] { jq::grad([](const array& x) { return one_way(x); })(array(1.0)); }, "Differentiation rule", "'one_way'",
       "give the primitive a jvp", "jq::custom_jvp"},
      {"no jvp of a collective", [] { mapped(jq::grad([](const array& x) { return lax::pmin(x, "i"); }))(v3); }, "Differentiation rule",
       "'pmin'", "give the primitive a jvp", "jq::custom_jvp"},
      {"transpose of a function that is not linear", [] { jq::linear_transpose([](const array& x) { return lax::sin(x); }, v3)(v3); },
       "Transpose rule", "'sin'", "give the primitive a transpose", "jq::custom_vjp"},
  });
}
TEST_CASE("errors: vmap") {
  check<jq::value_error>({
      {"sizes", [] { jq::vmap(add)(v2, v3); }, "vmap", "arg 1 has shape (3,)", "inconsistent sizes", "to be mapped of size 3", false},
      {"sizes within a tree", [] { jq::vmap(pair_sum)(std::vector{v2, v3}); }, "vmap", "([2, 3],)", "inconsistent sizes",
       "the tree of axis sizes", false},
      {"rank", [] { jq::vmap(same)(array(1.0)); }, "vmap", "only 0 (its shape is ())", "rank should be at least 1", "jq::none", false},
      {"prefix", [] { jq::vmap(pair_sum, jq::in_axes_tree(std::vector{0}))(std::vector{v2, v2}); }, "vmap in_axes", "got specification ([0],)",
       "tree prefix", "one entry per part", false},
      {"out prefix", [] { jq::vmap([](const array& x) { return std::vector{x, x}; }, jq::out_axes_tree(std::vector{0}))(v2); },
       "vmap out_axes", "got specification [0] for value tree PyTreeDef([*, *]).", "tree prefix", "one entry per part", false},
      {"nothing mapped", [] { jq::vmap(same, jq::in_axes<jq::none>)(v3); }, "vmap", "non-None value", "at least one", "jq::axis_size(n)", false},
      {"no arrays", [] { jq::vmap([](const std::vector<array>&) { return 1; })(std::vector<array>{}); }, "vmap", "got empty *args=([],)",
       "at least one argument containing an array", "jq::axis_size(n)", false},
      {"negative size", [] { jq::vmap([] { return 1; }, jq::axis_size(-2))(); }, "vmap", "axis_size -2", "wanted a size", "not negative", false},
      {"another size", [] { jq::vmap(same, jq::axis_size(5))(v3); }, "vmap", "axis_size 5", "mapped axes of size 3", "drop jq::axis_size", false},
      {"out axis", [] { jq::vmap(same, jq::out_axes<4>)(v3); }, "vmap out_axes", "axis 4", "out of bounds", "wanted an axis in [-1, 1)", false},
      {"mapped output without axis", [] { jq::vmap(same, jq::out_axes<jq::none>)(v3); }, "vmap", "mapped output", "out_axes is None",
       "give the output an axis", false},
      {"unbound axis", [] { mapped([](const array& x) { return lax::psum(x, "j"); })(v3); }, "psum", "unbound axis name: j", "[i]",
       "jq::axis_name<\"j\">"},
      {"axis_index outside", [] { lax::axis_index("j"); }, "axis_index", "unbound axis name: j", "available to collective operations: []",
       "jq::axis_name<\"j\">"},
      {"ppermute", [] { mapped([](const array& x) { return lax::ppermute(x, "i", {{0, 5}}); })(v3); }, "ppermute", "got [(0, 5)]",
       "wanted pairs of members in [0, 3)", "each at most once"},
  });
  check<jq::shape_error>({
      {"all_to_all", [] { mapped([](const array& x) { return lax::all_to_all(x, "i", 0, 0); })(jq::zeros({3, 2})); }, "all_to_all",
       "they are 3 and 2", "size of the mapped axis", "tiled = true"},
      {"inside vmap", [] { jq::vmap([](const array& x) { return x + v2; })(jq::zeros({5, 3})); }, "add", "(3,), (2,)", "equal or 1", "reshape"},
  });
  check<jq::concretization_error>({
      {"condition", [] { jq::vmap([](const array& x) { return bool(x > 0.f) ? x : -x; })(v3); }, "concrete value is expected",
       "argument 0 (f32[])", "no value while tracing", "jq::where"},
      {"elements", [] { jq::vmap([](const array& x) { return jq::asarray(x.data<float>(), {3}); })(m23); }, "concrete value is expected",
       "argument 0 (f32[3])", "traced by vmap", "make the argument static", false},
  });
}
TEST_CASE("errors: compiled functions, devices, donation") {
  check<jq::type_error>({
      {"another dtype", [] { jq::jit(same).lower(v3).compile()(i3); }, "Computation compiled", "called with:\n  int32[3]",
       "input types:\n  float32[3]", "call the jitted function", false},
      {"another tree", [] { jq::jit(same).lower(v3).compile()(std::pair{v3, v3}); }, "function compiled", "called with PyTreeDef(((*, *),))",
       "PyTreeDef((*,))", "call the jitted function", false},
      {"transformed", [] { jq::grad([](const array& x) { return jq::jit(total).lower(v3).compile()(x); })(v3); }, "Cannot apply",
       "lowered and compiled", "particular signature", "transform the function and compile the result", false},
  });
  check<jq::value_error>({
      {"backend", [] { jq::jit(same, jq::backend("abacus"))(v3); }, "backend", "unknown name 'abacus'", "known are: cpu", "register_backend", false},
      {"device", [] { jq::jit(same, jq::device("cpu", 9))(v3); }, "jit", "got the device cpu:9", "wanted one of the 1 that exist",
       "jq::set_host_device_count", false},
      {"device count", [] { jq::set_host_device_count(-1); }, "set_host_device_count", "got -1", "wanted", "at least 1", false},
      {"static and donated", [] { jq::jit(same, jq::static_argnums<0>, jq::donate_argnums<0>).lower(3); }, "`donate_argnums` [0]",
       "`static_argnums` [0]", "cannot intersect.", "drop it from the donated ones", false},
      {"donated twice", [] { jq::jit(add, jq::donate_argnums<0>)(v3, v3); }, "Attempt to donate", "flattened argument 1", "first use: 0",
       "Toy example for this bug: `f(donate(a), a)`", false},
      {"backend without factory", [] { jq::register_backend("x", nullptr); }, "register_backend", "got no factory for 'x'", "pass a function",
       "makes the backend", false},
  });
  check<jq::deleted_error>({
      {"donated before", [] {
         const array x = jq::asarray({1.f, 2.f});
         const auto f = jq::jit([](const array& v) { return v + 1.f; }, jq::donate_argnums<0>);
         f(x);
         f(x);
       }, "donated to a compiled call", "Array has been deleted", "shape=float32[2].", "keep a copy"},
  });
  check<jq::concretization_error>({
      {"condition under jit", [] { jq::jit([](const array& x, const array& y) { return bool(y > 0.0) ? x : y; })(array(1.0), array(2.0)); },
       "concrete value is expected", "argument 1 (f64[])", "traced by jit", "jq::lax::cond"},
  });
  check<jq::unexpected_tracer_error>({
      {"leaked out of grad", [] {
         array kept;
         jq::grad([&](const array& x) { return kept = x * x; })(array(2.0));
         lax::sin(kept);
       }, "Encountered an unexpected tracer", "grad", "ended", "return it from the", false},
      {"leaked out of jit", [] {
         array kept;
         jq::jit([&](const array& x) { return kept = x * 2.f; })(v3);
         kept.data<float>();
       }, "Encountered an unexpected tracer", "traced by jit", "after its trace had ended", "return it from the traced function", false},
  });
}
TEST_CASE("errors: taps and trees") {
  check<jq::tap_error>({
      {"tap that throws", [] {
         jq::id_tap([](const array&) { throw std::runtime_error("broken pipe"); }, v3);
         jq::barrier_wait();
       }, "callback processing", "broken pipe", "1 tap(s) threw", "the first one was", false},
  });
  check<jq::type_error>({
      {"tree::map", [] { jq::tree::map([](const array& a, const array&) { return a; }, std::vector{v3}, std::vector{v3, v3}); }, "tree::map",
       "PyTreeDef([*, *])", "PyTreeDef([*])", "the structure of the first", false},
      {"tree::unflatten", [] { jq::tree::unflatten(std::pair{v3, v3}, std::vector{v3}); }, "tree::unflatten", "got 1 leaves", "wanted 2",
       "for PyTreeDef((*, *))", false},
      {"result as another type", [] { const std::vector<double> x = jq::jit(same)(v3); (void)x; }, "conversion of an array to std::vector",
       "got f32[3]", "wanted dtype float64", "astype", false},
      {"empty array into jit", [] { jq::jit(add)(array(), v3); }, "function", "got an empty jq::array",
       "argument leaf 0", "assign it a value first", false},
      {"empty array into a compiled function", [] {
         const auto f = jq::jit(same);
         f(jq::asarray(1.f));
         f(array());
       }, "jit", "got an empty jq::array", "argument leaf 0", "assign it a value first", false},
      {"empty array into grad", [] { jq::grad(add)(array(), 1.0); }, "function", "got an empty jq::array", "argument leaf 0",
       "assign it a value first", false},
  });
}
TEST_CASE("errors: lax operations") {
  check<jq::shape_error>({
      {"dot_general", [] { lax::dot(m23, m23); }, "dot_general", "(1,) of shape (2, 3) and (0,) of shape (2, 3)", "equal sizes", "transpose"},
      {"pad", [] { lax::pad(v3, 0.f, {1, 1}, {1}); }, "pad", "(1, 1)", "(3,)", "one of each per dimension"},
      {"dynamic_slice", [] { lax::dynamic_slice(v3, {array(0)}, {5}); }, "dynamic_slice", "(5,)", "(3,)", "wanted"},
      {"concatenate", [] { lax::concatenate({v3, m23}, 0); }, "concatenate", "(3,), (2, 3)", "equal in every other dimension", "along dimension 0"},
      {"select_n", [] { lax::select(jq::asarray({true, false}), v3, v3); }, "select_n", "(2,)", "(3,)", "broadcast"},
      {"rev", [] { lax::rev(v3, {1}); }, "rev", "(1,)", "(3,)", "[0, 1)"},
      {"squeeze", [] { lax::squeeze(m23, {0}); }, "squeeze", "(0,) of shape (2, 3)", "size not equal to one", "use reshape"},
      {"iota", [] { lax::iota(jq::i32, {2, 2}, 5); }, "iota", "5", "(2, 2)", "[0, 2)"},
      {"sort", [] { lax::sort(v3, 2); }, "sort", "2", "(3,)", "[0, 1)"},
  });
  check<jq::type_error>({
      {"dtypes", [] { lax::mul(v3, i3); }, "mul", "got float32, int32", "same dtypes", "astype"},
      {"sqrt of integers", [] { lax::sqrt(i3); }, "sqrt", "got int32", "wanted one of: floating point", "astype"},
      {"threefry", [] { jq::random::bits(v2); }, "random::bits", "f32[2]", "u32", "random::key"},
  });
}
