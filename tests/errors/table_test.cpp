// Wrong calls, each with the exception it must throw and words its message must hold: the operation, what was got, what
// was wanted, and the remedy. Errors of operations on arrays also name this file.

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include <functional>
#include <string>
#include <vector>

namespace jq = jacquard;

namespace {

struct row {
  std::string name;
  std::function<void()> call;
  std::vector<std::string> words;
  bool has_line = true;  ///< the message ends with this file and a line
};

/// Runs every row: the exception must be an E and its text must hold every word.
template <class E>
void check(const std::vector<row>& rows) {
  for (const row& r : rows) {
    CAPTURE(r.name);
    bool thrown = false;
    try {
      r.call();
    } catch (const E& e) {
      thrown = true;
      const std::string what = e.what();
      CAPTURE(what);
      for (const std::string& w : r.words) {
        CAPTURE(w);
        CHECK(what.find(w) != std::string::npos);
      }
      if (r.has_line) CHECK(what.find("table_test.cpp:") != std::string::npos);
    } catch (const std::exception& e) {
      FAIL_CHECK("another exception: ", e.what());
      thrown = true;
    }
    CHECK(thrown);
  }
}

const jq::array v2 = jq::asarray({1.f, 2.f}), v3 = jq::asarray({1.f, 2.f, 3.f}), i3 = jq::asarray({1, 2, 3});
const jq::array m23 = jq::asarray({{1.f, 2.f, 3.f}, {4.f, 5.f, 6.f}});
const jq::array flags = jq::asarray({true, false});
const auto identity = [](const jq::array& x) { return x; };

}  // namespace

TEST_CASE("shapes that do not fit are shape errors that name both shapes and a remedy") {
  check<jq::shape_error>({
      {"add", [] { v2 + v3; }, {"add", "(2,)", "(3,)", "equal or 1", "reshape"}},
      {"sub", [] { v2 - v3; }, {"sub", "(2,)", "(3,)", "equal or 1"}},
      {"mul", [] { v3 * v2; }, {"mul", "(3,)", "(2,)", "equal or 1"}},
      {"div", [] { m23 / v2; }, {"div", "(2, 3)", "(2,)", "equal or 1"}},
      {"compare", [] { (void)(v2 < v3); }, {"lt", "(2,)", "(3,)"}},
      {"maximum", [] { jq::maximum(v2, v3); }, {"max", "(2,)", "(3,)"}},
      {"where", [] { jq::where(flags, v3, v3); }, {"where", "(2,)", "(3,)"}},
      {"convolve of a matrix", [] { jq::convolve(m23, v2); }, {"convolve", "(2, 3)", "(2,)", "one dimension"}},
      {"correlate with nothing", [] { jq::correlate(v3, jq::zeros({0})); }, {"correlate", "(3,)", "(0,)", "at least one element"}},
      {"matmul", [] { jq::matmul(m23, v2); }, {"matmul", "(2, 3)", "(2,)"}},
      {"tensordot", [] { jq::tensordot(m23, v2, 1); }, {"tensordot", "(2, 3)", "(2,)"}},
      {"convolution", [] { jq::lax::conv(jq::ones({1, 3, 8}), jq::ones({4, 2, 3}), {1}, "VALID"); },
       {"conv_general_dilated", "features of lhs (3)", "those of rhs (2)", "(1, 3, 8)", "(4, 2, 3)", "dimension numbers"}},
      {"strides of a convolution", [] { jq::lax::conv(jq::ones({1, 3, 8}), jq::ones({4, 3, 3}), {1, 1}, "VALID"); },
       {"conv_general_dilated", "window_strides (1, 1)", "wanted 1 numbers"}},
      {"reshape", [] { jq::reshape(m23, {4, 2}); }, {"reshape", "(2, 3)", "6", "(4, 2)"}},
      {"reshape with -1", [] { jq::reshape(m23, {-1, 4}); }, {"reshape", "(2, 3)"}},
      {"broadcast_to", [] { jq::broadcast_to(v3, {2, 2}); }, {"broadcast_to", "(3,)", "(2, 2)"}},
      {"concatenate", [] { jq::concatenate({m23, v3}); }, {"concatenate", "(3,)"}},
      {"stack", [] { jq::stack({v2, v3}); }, {"stack", "same shape", "(2,)", "(3,)"}},
      {"zeros with a negative dimension", [] { jq::zeros({2, -1}); }, {"zeros", "(2, -1)", "non-negative"}},
      {"asarray of nested lists", [] { jq::asarray({{1.0, 2.0}, {3.0}}); }, {"asarray", "2", "1", "equal lengths"}},
      {"asarray with a shape", [] { jq::asarray(std::vector<float>{1, 2, 3}, {2, 2}); }, {"asarray", "3 values", "(2, 2)", "4"}},
      {"lax reduce_sum axis", [] { jq::lax::reduce_sum(v3, {1}); }, {"reduce_sum", "(1,)", "(3,)", "[0, 1)"}},
      {"lax reshape", [] { jq::lax::reshape(v3, {2}); }, {"reshape", "(2,)", "(3,)", "3"}},
      {"lax transpose", [] { jq::lax::transpose(m23, {0, 0}); }, {"transpose", "(0, 0)", "permutation", "(2, 3)"}},
      {"lax broadcast_in_dim", [] { jq::lax::broadcast_in_dim(v3, {4}, {0}); }, {"broadcast_in_dim", "(3,)", "(4,)", "equal to it or 1"}},
      {"lax slice", [] { jq::lax::slice(v3, {0}, {5}); }, {"slice", "(5,)", "(3,)"}},
      {"lax concatenate", [] { const jq::array xs[] = {m23, v3}; jq::lax::concatenate(xs, 0); }, {"concatenate"}},
      {"einsum sizes", [] { jq::einsum("ij,j->i", m23, v2); }, {"einsum", "ij,j->i"}},
      {"jvp of shapes", [] { jq::jvp(identity, jq::primals(v3), jq::tangents(v2)); },
       {"jvp", "different primal and tangent shapes", "(3,)", "(2,)"}},
      {"cotangent shape", [] { auto [y, back] = jq::vjp(identity, v3); back(v2); },
       {"cotangent input to vjp pullback", "(2,)", "(3,)"}, false},
  });
}

TEST_CASE("wrong dtypes and trees are type errors that name what was got and what was wanted") {
  check<jq::type_error>({
      {"sin of lax on integers", [] { jq::lax::sin(i3); }, {"sin", "int32", "floating point", "astype"}},
      {"neg of bool", [] { -flags; }, {"neg", "bool", "wanted one of"}},
      {"and of floats", [] { v3 & v3; }, {"and", "float32", "bool", "integers"}},
      {"not of floats", [] { ~v3; }, {"not", "float32"}},
      {"lax dtypes differ", [] { jq::lax::add(v3, i3); }, {"add", "same dtypes", "float32", "int32", "astype"}},
      {"comparison of complex", [] { (void)(jq::asarray({jq::complex64(1, 2)}) < 1); }, {"lt", "complex64"}},
      {"empty array", [] { jq::array() + 1; }, {"add", "empty jq::array", "assign"}},
      {"data of another type", [] { v3.data<double>(); }, {"data", "float32", "float64", "astype"}, false},
      {"conversion to a vector", [] { std::vector<double> x = v3; (void)x; }, {"std::vector", "f32[3]", "float64", "astype"}, false},
      {"conversion of rank", [] { std::vector<float> x = m23; (void)x; }, {"std::vector", "f32[2,3]", "rank 1"}, false},
      {"convolution of two dtypes", [] { jq::lax::conv(jq::ones({1, 3, 8}), jq::ones({4, 3, 3}, jq::f64), {1}, "VALID"); },
       {"conv_general_dilated", "same dtypes", "float32", "float64", "astype"}},
      {"convolution of bool", [] { jq::lax::conv(jq::ones({1, 3, 8}, jq::bool_), jq::ones({4, 3, 3}, jq::bool_), {1}, "VALID"); },
       {"conv_general_dilated", "bool", "wanted one of", "astype"}},
      {"random key", [] { jq::random::uniform(v2); }, {"random::uniform", "key", "f32[2]"}},
      {"seed", [] { jq::random::key(1.5); }, {"PRNG key seed must be an integer", "float64"}},
      {"seed of rank 1", [] { jq::random::key(i3); }, {"PRNG key seed must be a scalar", "(3,)"}},
      {"one_hot of floats", [] { jq::one_hot(v3, 4); }, {"one_hot", "float32", "integer"}},
      {"grad of integers", [] { jq::grad(identity)(jq::asarray(3)); }, {"grad", "int32", "allow_int"}, false},
      {"grad of a vector", [] { jq::grad([](const jq::array& x) { return x * 2; })(v3); },
       {"Gradient only defined for scalar-output functions", "(3,)", "jq::sum", "jq::jacrev"}},
      {"grad of several outputs", [] { jq::grad([](const jq::array& x) { return std::pair(jq::sum(x), jq::sum(x)); })(v3); },
       {"Gradient only defined for scalar-output functions", "Output was (f32[], f32[])", "has_aux"}},
      {"grad of a complex output", [] { jq::grad([](const jq::array& x) { return x * jq::complex128(0, 1); })(jq::asarray(1.0)); },
       {"real-valued outputs", "complex128", "holomorphic"}},
      {"grad of an integer output", [] { jq::grad([](const jq::array& x) { return x.astype(jq::i32); })(jq::asarray(1.0)); },
       {"real-valued outputs", "int32"}},
      {"jvp of dtypes", [] { jq::jvp(identity, jq::primals(v3), jq::tangents(jq::asarray({1.0, 2.0, 3.0}))); },
       {"jvp", "do not match", "float32", "float64", "astype"}},
      {"jvp of trees", [] { jq::jvp([](const std::vector<jq::array>& x) { return x[0]; }, jq::primals(std::vector{v3, v3}), jq::tangents(std::vector{v3})); },
       {"jvp", "same tree structure", "[*, *]", "[*]"}},
      {"cotangent tree", [] { auto [y, back] = jq::vjp(identity, v3); back(std::tuple(v3, v3)); },
       {"Tree structure of cotangent input", "(*, *)", "does not match"}, false},
      {"cotangent dtype", [] { auto [y, back] = jq::vjp(identity, v3); back(jq::asarray({1.0, 2.0, 3.0})); },
       {"Type of cotangent input to vjp pullback", "float64", "float32"}, false},
      {"linear_transpose of integers", [] { jq::linear_transpose(identity, i3); }, {"linear_transpose only supports", "i32[3]"}, false},
      {"tree::map of different trees", [] { jq::tree::map([](jq::array a, jq::array) { return a; }, std::vector{v3}, std::vector{v3, v3}); },
       {"tree::map", "[*]", "[*, *]"}, false},
      {"compiled for another dtype", [] { jq::jit(identity).lower(v3).compile()(i3); },
       {"Computation compiled for input types", "float32[3]", "called with", "int32[3]"}, false},
      {"compiled for another tree", [] { jq::jit(identity).lower(v3).compile()(std::vector{v3}); },
       {"function compiled for", "called with"}, false},
  });
}

TEST_CASE("arguments outside their allowed values are value errors") {
  check<jq::value_error>({
      {"axis of sum", [] { jq::sum(v3, 1); }, {"sum", "axis 1", "dimension 1"}},
      {"axis of mean", [] { jq::mean(m23, -3); }, {"mean", "axis -3", "dimension 2"}},
      {"repeated axes", [] { jq::sum(m23, {0, 0}); }, {"sum", "(0, 0)"}},
      {"transpose axes", [] { jq::transpose(m23, {0, 1, 2}); }, {"transpose", "axis 2", "dimension 2", "wanted"}},
      {"expand_dims", [] { jq::expand_dims(v3, 5); }, {"expand_dims", "5"}},
      {"argmax axis", [] { jq::argmax(v3, 2); }, {"argmax", "axis 2"}},
      {"arange step", [] { jq::arange(0, 1, 0.0); }, {"arange", "step 0", "wanted"}},
      {"repeat count", [] { jq::repeat(v3, -1); }, {"repeat", "-1", ">= 0"}},
      {"padding of a convolution", [] { jq::lax::conv(jq::ones({1, 3, 8}), jq::ones({4, 3, 3}), {1}, "FULL"); },
       {"conv_general_dilated", "\"FULL\"", "\"SAME\"", "pair of numbers"}},
      {"letters of a convolution", [] {
         jq::lax::conv_general_dilated(jq::ones({1, 8, 3}), jq::ones({3, 3, 4}), {1}, "SAME", {.dimension_numbers = {"NHC", "WIO", "NHC"}});
       }, {"conv_general_dilated", "letters of lhs", "N and C", "W is missing"}},
      {"mode of convolve", [] { jq::convolve(v3, v2, "all"); }, {"convolve", "\"all\"", "full", "same", "valid"}},
      {"item of a vector", [] { v3.item<float>(); }, {"item", "(3,)", "one element", "index"}, false},
      {"index out of range", [] { v3[3]; }, {"index 3", "size 3", "wanted one in [-3, 3)"}},
      {"second index out of range", [] { m23(1, -4); }, {"index -4", "axis 1", "size 3", "wanted one in [-3, 3)"}},
      {"update out of range", [] { v3.at(5).set(0); }, {"at.set", "index 5", "size 3", "wanted one in [-3, 3)"}},
      {"empty concatenate", [] { jq::concatenate(std::span<const jq::array>()); }, {"concatenate", "at least one array", "none"}},
      {"choice", [] { jq::random::choice(jq::random::key(0), 3, {5}, false); }, {"random::choice", "5 draws", "3 entries"}},
      {"unknown backend", [] { jq::jit(identity, jq::backend("abacus"))(v3); }, {"backend", "abacus", "known are", "register_backend"}, false},
      {"unknown platform", [] { jq::devices("abacus"); }, {"abacus", "known are"}, false},
      {"device count", [] { jq::set_host_device_count(0); }, {"set_host_device_count", "0", "at least 1"}, false},
      {"static and donated", [] { jq::rebase_donate_argnums({0, 1}, {1}); }, {"`static_argnums` [1]", "`donate_argnums` [0, 1]", "cannot intersect"}, false},
      {"vmap sizes", [] { jq::vmap([](jq::array a, jq::array b) { return a + b; })(v2, v3); },
       {"vmap got inconsistent sizes", "arg 0 has shape (2,)", "arg 1 has shape (3,)", "of size 2", "of size 3"}, false},
      {"vmap of a scalar", [] { jq::vmap(identity)(jq::asarray(1.0)); }, {"vmap", "axis 0", "rank should be at least 1", "only 0", "()"}, false},
      {"vmap negative axis", [] { jq::vmap(identity, jq::in_axes<-2>)(v3); }, {"vmap", "axis -2", "at least 2", "only 1"}, false},
      {"vmap of nothing", [] { jq::vmap(identity, jq::in_axes<jq::none>)(v3); }, {"vmap must have at least one non-None value in in_axes", "axis_size"}, false},
      {"vmap axis_size", [] { jq::vmap(identity, jq::axis_size(5))(v3); }, {"vmap", "axis_size 5", "size 3"}, false},
      {"vmap out_axes none", [] { jq::vmap(identity, jq::out_axes<jq::none>)(v3); }, {"vmap has mapped output", "out_axes is None"}, false},
      {"vmap out_axes range", [] { jq::vmap(identity, jq::out_axes<-4>)(v3); }, {"axis -4 is out of bounds"}, false},
      {"vmap named output", [] { jq::vmap(identity, jq::out_axes<jq::none>, jq::axis_name<"foo">)(v3); },
       {"vmap has mapped output", "axis_name=foo", "out_axes is None"}, false},
      {"unbound axis", [] { jq::lax::psum(v3, "i"); }, {"unbound axis name: i", "available to collective operations", "axis_name"}},
  });
}

TEST_CASE("values that do not exist while tracing are concretization errors that name the argument") {
  check<jq::concretization_error>({
      {"if under jit", [] { jq::jit([](const jq::array& x) { return x > 0 ? x : -x; })(jq::asarray(1.0)); },
       {"concrete value is expected", "argument 0", "f64[]", "jit", "cond", "where"}},
      {"if under vmap", [] { jq::vmap([](const jq::array& x) { return bool(x > 0) ? x : -x; })(v3); },
       {"argument 0", "vmap", "jq::where"}},
      {"item under make_jaxpr", [] { jq::make_jaxpr([](const jq::array&, const jq::array& y) { return jq::array((y * 2).item<double>()); })(v3, jq::asarray(2.0)); },
       {"argument 1", "make_jaxpr"}},
  });
}

TEST_CASE("deleted arrays and stray tracers have errors of their own") {
  check<jq::deleted_error>({
      {"donated", [] {
         const jq::array x = jq::asarray({1.f, 2.f}) + 0;
         jq::jit([](const jq::array& a) { return a * 2; }, jq::donate_argnums<0>)(x);
         x + 1;
       }, {"Array has been deleted with shape=float32[2]", "donated", "copy"}, false},
  });
  check<jq::unexpected_tracer_error>({
      {"leaked tracer", [] {
         jq::array leaked;
         jq::make_jaxpr([&](const jq::array& x) { return leaked = x * 2; })(v3);
         leaked + 1;
       }, {"unexpected tracer", "make_jaxpr", "return it"}, false},
  });
}
TEST_CASE("errors: an empty array names the function that got it, not what that is made of") {
  const jq::array none;
  const auto row_of = [](const char* name, std::function<void()> call) { return row{name, call, {name, "got an empty jq::array; assign it a value first"}}; };
  check<jq::type_error>({
      row_of("sum", [&] { jq::sum(none); }),
      row_of("max", [&] { jq::max(none); }),
      row_of("min", [&] { jq::min(none, 0); }),
      row_of("prod", [&] { jq::prod(none); }),
      row_of("mean", [&] { jq::mean(none); }),
      row_of("var", [&] { jq::var(none); }),
      row_of("std", [&] { jq::std(none, 0); }),
      row_of("any", [&] { jq::any(none); }),
      row_of("all", [&] { jq::all(none, 0); }),
      row_of("argmax", [&] { jq::argmax(none); }),
      row_of("argmin", [&] { jq::argmin(none, 0); }),
      row_of("median", [&] { jq::median(none); }),
      row_of("cumsum", [&] { jq::cumsum(none); }),
      row_of("cumprod", [&] { jq::cumprod(none, 0); }),
      row_of("sort", [&] { jq::sort(none); }),
      row_of("argsort", [&] { jq::argsort(none); }),
      row_of("logsumexp", [&] { jq::logsumexp(none); }),
      row_of("softmax", [&] { jq::softmax(none); }),
      row_of("where", [&] { jq::where(v3 > 0, none, v3); }),
      row_of("where", [&] { jq::where(none, v3, v3); }),
      row_of("transpose", [&] { jq::transpose(none); }),
      row_of("squeeze", [&] { jq::squeeze(none); }),
      row_of("flip", [&] { jq::flip(none); }),
      row_of("ravel", [&] { jq::ravel(none); }),
      row_of("concatenate", [&] { jq::concatenate({v3, none}); }),
      row_of("stack", [&] { jq::stack({none, v3}); }),
      row_of("split", [&] { jq::split(none, 2); }),
      row_of("square", [&] { jq::square(none); }),
      row_of("matmul", [&] { jq::matmul(m23, none); }),
      row_of("inv", [&] { jq::linalg::inv(none); }),
      row_of("fft", [&] { jq::fft::fft(none); }),
      row_of("searchsorted", [&] { jq::searchsorted(none, v3); }),
  });
}
