// Lowering: what becomes one kernel, and how its loops read memory. Oracle: the loops a person would write.
#include <jacquard/exec/lowering/lowering.hpp>

#include "../../show.hpp"

using jq::array;

namespace {

bool everything(jq::scalar_op, jq::dtype) { return true; }
bool no_exponential(jq::scalar_op op, jq::dtype) { return op != jq::scalar_op::exp; }

template <class F, class... A>
std::string lowered(F f, const A&... x) {
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(x...));
  return std::string(jq::lowering::to_text(*p, jq::lowering::lower(*p, &everything)).view());
}
const array matrix = jq::ones({4, 8});

}  // namespace

TEST_CASE("lowering: a chain of elementwise equations is one kernel, equal steps are shared") {
  CHECK(lowered([](array x) { return jq::exp(x) * x + jq::exp(x); }, matrix) ==
        "kernel 0: loops 4 8\n"
        "  %0:f32 = v0[0 + 8*i0 + i1]\n"
        "  %1:f32 = exp %0\n"
        "  %2:f32 = mul %1 %0\n"
        "  %3:f32 = add %2 %1\n"
        "  v3[0 + 8*i0 + i1] = %3\n");
}
TEST_CASE("lowering: slices, transposes, reversals and broadcasts are read in place") {
  CHECK(lowered([](array x) { return jq::transpose(x)(jq::slice(1, 7, 2)) + lax::rev(x(jq::slice(0, 4), 0), {0}); }, matrix) ==
        "kernel 0: loops 3 4\n"
        "  %0:f32 = v0[1 + 2*i0 + 8*i1]\n"
        "  %1:f32 = v0[24 + -8*i1]\n"
        "  %2:f32 = add %0 %1\n"
        "  v7[0 + 4*i0 + i1] = %2\n");
  CHECK(lowered([](array x) { return x + jq::arange(8).astype(jq::f32); }, matrix) ==
        "kernel 0: loops 4 8\n"
        "  %0:f32 = v0[0 + 8*i0 + i1]\n"
        "  %1:i64 = i1\n"
        "  %2:f32 = convert %1\n"
        "  %3:f32 = add %0 %2\n"
        "  v4[0 + 8*i0 + i1] = %3\n");
}
TEST_CASE("lowering: softmax is one kernel with two stages over each row") {
  CHECK(lowered([](array x) { return jq::softmax(x, 1); }, matrix) ==
        "kernel 0: loops 4 *8\n"
        "  %0:f32 = v0[0 + 8*i0 + i1]\n"
        "  %1:f32 = reduce max %0\n"
        "  %2:f32 = sub %0 %1\n"
        "  %3:f32 = exp %2\n"
        "  %4:f32 = reduce add %3\n"
        "  %5:f32 = div %3 %4\n"
        "  v7[0 + 8*i0 + i1] = %5\n");
}
TEST_CASE("lowering: reductions over the same loops share a kernel") {
  CHECK(lowered([](array x) { return std::pair{jq::sum(x, 0), jq::sum(x * x, 0)}; }, matrix) ==
        "kernel 0: loops 8 *4\n"
        "  %0:f32 = v0[0 + i0 + 8*i1]\n"
        "  %1:f32 = reduce add %0\n"
        "  %2:f32 = mul %0 %0\n"
        "  %3:f32 = reduce add %2\n"
        "  v1[0 + i0] = %1\n"
        "  v3[0 + i0] = %3\n");
}
TEST_CASE("lowering: sums of rows that are stacked share a kernel, and those that do not wait for each other a pass") {
  const auto stacked = [](array x) { return jq::stack({jq::sum(x, 1), jq::sum(x * x, 1)}); };
  CHECK(lowered(stacked, matrix) ==
        "kernel 0: loops 1 4 *8\n"
        "  %0:f32 = v0[0 + 8*i1 + i2]\n"
        "  %1:f32 = reduce add %0\n"
        "  %2:f32 = mul %0 %0\n"
        "  %3:f32 = reduce add %2\n"
        "  v4[0 + 4*i0 + i1] = %1\n"
        "  v5[0 + i1] = %3\n"
        "v6 = concatenate v4 v5\n");
  const auto passes_of = [](auto f) {
    const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(matrix));
    const auto l = jq::lowering::lower(*p, &everything);
    REQUIRE(l.kernels.size() == 1);
    return jq::lowering::stage_passes(l.kernels[0]);
  };
  CHECK(passes_of(stacked) == std::vector<std::size_t>{0, 0});
  CHECK(passes_of([](array x) { return jq::softmax(x, 1); }) == std::vector<std::size_t>{0, 1});
  CHECK(passes_of([](array x) { return std::tuple{jq::softmax(x, 1), jq::sum(x, 1)}; }) == std::vector<std::size_t>{0, 1, 0});
}
TEST_CASE("lowering: a row without a loop of its own takes in what has its shape, and nothing else") {
  const array row = jq::ones({1, 8});
  CHECK(lowered([](array x, array y) { return std::tuple{jq::sum(x, 1)(0), jq::exp(y), jq::sum(x * x, 1) * 2.f}; }, row, jq::ones({3})) ==
        "kernel 0: loops *8\n"
        "  %0:f32 = v0[0 + i0]\n"
        "  %1:f32 = reduce add %0\n"
        "  %2:f32 = mul %0 %0\n"
        "  %3:f32 = reduce add %2\n"
        "  %4:f32 = 2.0:f32[]\n"
        "  %5:f32 = mul %3 %4\n"
        "  v3[0] = %1\n"
        "  v7[0] = %5\n"
        "kernel 1: loops 3\n"
        "  %0:f32 = v1[0 + i0]\n"
        "  %1:f32 = exp %0\n"
        "  v4[0 + i0] = %1\n");
}
TEST_CASE("lowering: a sum over rows and one over columns need two kernels") {
  const std::string t = lowered([](array x) { return std::pair{jq::sum(jq::exp(x), 0), jq::sum(jq::exp(x), 1)}; }, matrix);
  CHECK(t.find("kernel 0") != std::string::npos);
  CHECK(t.find("kernel 1") != std::string::npos);
  CHECK(t.find("= exp") == t.rfind("= exp"));  // dear, and needed twice: computed once, into memory
}
TEST_CASE("lowering: what a kernel cannot do runs by itself, in order") {
  const std::string t = lowered([](array x) { return jq::sin(jq::matmul(x + 1, jq::transpose(x))); }, matrix);
  CHECK(t.find("dot_general") > t.find("kernel 0"));
  CHECK(t.find("= sin") != std::string::npos);
  CHECK(t.find("= sin") > t.find("dot_general"));
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr([](array x) { return jq::exp(x) * 2; })(matrix));
  const std::string by_itself(jq::lowering::to_text(*p, jq::lowering::lower(*p, &no_exponential)).view());
  CHECK(by_itself.find("v1 = exp v0") != std::string::npos);
  CHECK(lowered([](array x) { return jq::reshape(x + 1, {32}); }, matrix).find("reshape v1 (same memory)") != std::string::npos);
}
TEST_CASE("lowering: taps keep their order") {
  const auto tap = [](array x, int i) { return jq::id_tap([](array) {}, x, jq::kw("i", i)); };
  const std::string t = lowered([&](array x) {
    const array a = tap(jq::sum(x) + x * 2, 0);  // later than the next one by its operands, but not by the program
    const array b = tap(x, 1);
    return a + b;
  }, matrix);
  const std::size_t first = t.find("id_tap"), last = t.rfind("id_tap");
  CHECK(t.find("kernel 0") < first);
  CHECK(first < last);
  CHECK(t.find("id_tap v0") == last);
}
TEST_CASE("lowering: loops that all accesses walk through as one are joined") {
  jq::lowering::loop_kernel k;
  k.loops = {{4, false}, {1, false}, {8, false}};
  const auto dense = [](std::int64_t a) {
    jq::lowering::access r;
    r.strides = {a, 8, 1};
    return r;
  };
  k.inputs = {dense(8)};
  k.outputs = {{dense(8), 0}};
  jq::lowering::loop_kernel padded = k;
  padded.inputs = {dense(16)};
  jq::lowering::merge_loops(k);
  REQUIRE(k.loops.size() == 1);
  CHECK(k.loops[0].extent == 32);
  jq::lowering::merge_loops(padded);
  CHECK(padded.loops.size() == 2);
}
