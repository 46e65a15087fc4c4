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
TEST_CASE("lowering: numbers that are compared with the largest of them are computed once") {
  CHECK(lowered([](array x) {
          const array y = x * x + x;
          return jq::where(y == jq::max(y, 1, jq::keepdims), jq::sin(x * x), y);
        }, matrix) ==
        "kernel 0: loops 4 8\n"
        "  %0:f32 = v0[0 + 8*i0 + i1]\n"
        "  %1:f32 = mul %0 %0\n"
        "  %2:f32 = add %1 %0\n"
        "  v2[0 + 8*i0 + i1] = %2\n"
        "kernel 1: loops 4 *8\n"
        "  %0:f32 = v2[0 + 8*i0 + i1]\n"
        "  %1:f32 = reduce max %0\n"
        "  %2:bool = eq %0 %1\n"
        "  %3:f32 = v0[0 + 8*i0 + i1]\n"
        "  %4:f32 = mul %3 %3\n"
        "  %5:f32 = sin %4\n"
        "  %6:f32 = select %2 %5 %0\n"
        "  v8[0 + 8*i0 + i1] = %6\n");
}
TEST_CASE("lowering: what is only chosen from memory is compared with the largest of it where that is found") {
  CHECK(lowered([](array x, array row) {
          const array y = jq::where(row < 2, x, -1.0);
          return jq::where(y == jq::max(y, 1, jq::keepdims), 1.0, y);
        }, matrix, jq::ones({8})) ==
        "kernel 0: loops 4 *8\n"
        "  %0:f32 = v1[0 + i1]\n"
        "  %1:f32 = 2.0:f32[]\n"
        "  %2:bool = lt %0 %1\n"
        "  %3:f32 = -1.0:f32[]\n"
        "  %4:f32 = v0[0 + 8*i0 + i1]\n"
        "  %5:f32 = select %2 %4 %3\n"
        "  %6:f32 = reduce max %5\n"
        "  %7:bool = eq %5 %6\n"
        "  %8:f32 = 1.0:f32[]\n"
        "  %9:f32 = select %7 %8 %5\n"
        "  v9[0 + 8*i0 + i1] = %9\n");
  const std::string turned = lowered([](array x) {
    const array y = jq::where(x < 2, jq::transpose(x), -1.0);
    return jq::where(y == jq::max(y, 1, jq::keepdims), 1.0, y);
  }, jq::ones({4, 4}));
  CHECK(turned.find("kernel 1") != std::string::npos);
}
TEST_CASE("lowering: nor are results compared in the kernel that computes them, nor what is chosen from such") {
  const auto is_largest = [](const array& y) { return jq::where(y == jq::max(y, 1, jq::keepdims), 1.0, 0.0); };
  const std::string result = lowered([&](array x) {
    const array y = x * x + x;
    return std::tuple{y, is_largest(y)};
  }, matrix);
  CHECK(result.find("kernel 1") != std::string::npos);
  const std::string chosen = lowered([&](array x) {
    const array y = x * x + x;
    return std::tuple{y, is_largest(jq::where(x > 1, y, -1.0))};
  }, matrix);
  CHECK(chosen.find("kernel 1") != std::string::npos);
}
TEST_CASE("lowering: contractions that are small enough are stages of what reads them, and their operands lie in memory") {
  const auto listing = [](std::int64_t largest_side, auto f, const auto&... x) {
    const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(x...));
    return std::string(jq::lowering::to_text(*p, jq::lowering::lower(*p, &everything, jq::lowering::rounding::fast, {largest_side})).view());
  };
  const auto layer = [](array w, array x, array b) { return jq::tanh(jq::matmul(w, x) + b); };
  const array w = jq::ones({3, 4}), x = jq::ones({4}), b = jq::ones({3});
  CHECK(listing(4, layer, w, x, b) ==
        "kernel 0: loops 3 *4\n"
        "  %0:f32 = v0[0 + 4*i0 + i1]\n"
        "  %1:f32 = v1[0 + i1]\n"
        "  %2:f32 = mul %0 %1\n"
        "  %3:f32 = reduce add %2\n"
        "  %4:f32 = v2[0 + i0]\n"
        "  %5:f32 = add %3 %4\n"
        "  %6:f32 = tanh %5\n"
        "  v5[0 + i0] = %6\n");
  CHECK(listing(2, layer, w, x, b) == listing(4, layer, w, x, b));  // a matrix of no more than 4 * 2 * 2 elements and a vector
  CHECK(listing(1, layer, w, x, b).starts_with("v3 = dot_general v0 v1\nkernel 0: loops 3\n"));
  const auto added = [](array m, array y, array z) { return m + jq::lax::dot_general(z, y, {}); };  // nothing is summed
  CHECK(listing(1, added, w, x, b).starts_with("kernel 0: loops 3 4\n"));
  CHECK(listing(0, added, w, x, b).find("dot_general") != std::string::npos);
  const auto two = [](array m, array y) { return jq::matmul(m, jq::exp(y)); };
  CHECK(listing(4, two, w, x).starts_with("kernel 0: loops 4\n"));
  CHECK(listing(4, two, w, x).find("kernel 1: loops 3 *4\n") != std::string::npos);
}
TEST_CASE("lowering: contractions twice as large are kernels where rows of the second operand fill vectors") {
  const auto is_kernel = [](const array& x, const array& y) {
    const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr([](array a, array b) { return jq::lax::dot(a, b); })(x, y));
    return jq::lowering::lower(*p, &everything, jq::lowering::rounding::fast, {4}).kernels.size() == 1;
  };
  CHECK(is_kernel(jq::ones({8, 7}), jq::ones({7, 8})));
  CHECK(is_kernel(jq::ones({3, 7}), jq::ones({7, 2})));
  CHECK_FALSE(is_kernel(jq::ones({8, 7}), jq::ones({7, 6})));  // no whole vectors
  CHECK_FALSE(is_kernel(jq::ones({9, 7}), jq::ones({7, 8})));
  CHECK_FALSE(is_kernel(jq::ones({8, 9}), jq::ones({9, 8})));
}
TEST_CASE("lowering: elements are looked up, and put, at places that kernels compute") {
  const array row = jq::ones({9}), places = jq::zeros({3, 1}, jq::i64);
  CHECK(lowered([](array x, array i) { return lax::gather(x, i, {{}, {0}, {0}}, {1}, jq::index_mode::clip) * 2; }, row, places) ==
        "kernel 0: loops 3\n"
        "  %0:i64 = v1[0 + i0]\n"
        "  %1:i64 = 0:i64[]\n"
        "  %2:i64 = max %0 %1\n"
        "  %3:i64 = 8:i64[]\n"
        "  %4:i64 = min %2 %3\n"
        "  %5:f32 = lookup %4 in v0[0]\n"
        "  %6:f32 = 2.0:f32[]\n"
        "  %7:f32 = mul %5 %6\n"
        "  v3[0 + i0] = %7\n");
  const auto add = [](array x, array i, array u) { return lax::scatter_add(x, i, u, {{}, {0}, {0}}, jq::index_mode::clip); };
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(add)(row, places, jq::ones({3})));
  CHECK(std::string(jq::lowering::to_text(*p, jq::lowering::lower(*p, &everything, jq::lowering::rounding::fast, {0, 4, true})).view()) ==
        "kernel 0: loops 3\n"
        "  %0:i64 = v1[0 + i0]\n"
        "  %1:i64 = 0:i64[]\n"
        "  %2:i64 = max %0 %1\n"
        "  %3:i64 = 8:i64[]\n"
        "  %4:i64 = min %2 %3\n"
        "  %5:f32 = v2[0 + i0]\n"
        "  v3[0] and %4 further = add %5, in a copy of v0\n");
}
TEST_CASE("lowering: two results of an elementwise equation are made by the same steps of one kernel") {
  const auto both = [](array k, array x) {
    const jq::array_list y = lax::threefry2x32(k[0], k[1], x, x + 1u);
    return std::pair{y[0], y[1]};
  };
  const array key = jq::zeros({2}, jq::u32), counts = jq::zeros({40}, jq::u32);
  const auto times = [](const std::string& text, const std::string& part) {
    int n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
  };
  const std::string text = lowered(both, key, counts);
  CHECK(times(text, "kernel") == 1);
  CHECK(times(text, "threefry") == 0);
  CHECK(times(text, "shift_left") == 20);
  CHECK(times(lowered([&](array k, array x) { return both(k, x).second; }, key, counts), "shift_left") == 20);
  CHECK(times(lowered([&](array k, array x) { return both(k, x).first + 2u * both(k, x).second; }, key, counts), "shift_left") == 20);
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
  const std::string many = lowered(stacked, jq::ones({200, 100}));  // enough for kernels of their own, which would read x twice
  CHECK(many.find("  %3:f32 = reduce add %2\n") != std::string::npos);
  CHECK(many.find("loops 200 *100\n") != std::string::npos);
  CHECK(many.rfind(" *100") == many.find(" *100"));
  CHECK(lowered(stacked, jq::ones({200, 8})).find("part 2 of 2, loops 1 200 *8\n") != std::string::npos);  // rows too short for a way through memory
  const std::string other = lowered([](array x, array y) { return jq::stack({jq::sum(x, 1), jq::sum(y, 1)}); }, jq::ones({200, 100}), jq::ones({200, 100}));
  CHECK(other.find("part 2 of 2, loops 1 200 *100\n") != std::string::npos);  // nothing in common
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
TEST_CASE("lowering: the sum of a multiple of what is summed already takes no pass, unless rounding is strict") {
  const auto f = [](array x) {
    const array e = jq::exp(x - 3.0), c = jq::expand_dims(1.0 / jq::sum(e, 1), 1);
    return jq::expand_dims(jq::sum(-(c * e), 1), 1) * e;
  };
  CHECK(lowered(f, matrix) ==
        "kernel 0: loops 4 *8\n"
        "  %0:f32 = 1.0:f32[]\n"
        "  %1:f32 = v0[0 + 8*i0 + i1]\n"
        "  %2:f32 = 3.0:f32[]\n"
        "  %3:f32 = sub %1 %2\n"
        "  %4:f32 = exp %3\n"
        "  %5:f32 = reduce add %4\n"
        "  %6:f32 = div %0 %5\n"
        "  %7:f32 = mul %6 %5\n"
        "  %8:f32 = neg %7\n"
        "  %9:f32 = mul %8 %4\n"
        "  v12[0 + 8*i0 + i1] = %9\n");
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(matrix));
  CHECK(jq::lowering::lower(*p, &everything, jq::lowering::rounding::strict).kernels[0].stages.empty());
  // Where the first sum might overflow, and where the factor differs along the row, there is a stage for each.
  const auto unbounded = [](array x) { return jq::expand_dims(jq::sum(x, 1), 1) + jq::expand_dims(jq::sum(x * 1e-10, 1), 1) * x; };
  const jq::closed_jaxpr u = jq::simplify(jq::make_jaxpr(unbounded)(matrix));
  CHECK(jq::lowering::lower(*u, &everything).kernels[0].stages.size() == 2);
  const auto weighted = [](array x) { return jq::expand_dims(jq::sum(x, 1), 1) + jq::expand_dims(jq::sum(x * jq::arange(8).astype(jq::f32), 1), 1) * x; };
  const jq::closed_jaxpr q = jq::simplify(jq::make_jaxpr(weighted)(matrix));
  CHECK(jq::lowering::lower(*q, &everything).kernels[0].stages.size() == 2);
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
TEST_CASE("lowering: results made of operands side by side are computed in boxes, without temporaries") {
  const array row = jq::ones({1000});
  const auto parts = [](array x) {  // what the derivative of neighbours' products adds up
    const array u = x(jq::slice(1, jq::none)), v = x(jq::slice(0, -1));
    return lax::pad(v * v, 0, {1}, {0}) + lax::pad(u * 3, 0, {0}, {1});
  };
  CHECK(lowered(parts, row) ==
        "kernel 0: part 1 of 3, loops 1\n"
        "  %0:f32 = 0.0:f32[]\n"
        "  %1:f32 = v0[1 + i0]\n"
        "  %2:f32 = 3.0:f32[]\n"
        "  %3:f32 = mul %1 %2\n"
        "  %4:f32 = add %0 %3\n"
        "  v7[0 + i0] = %4\n"
        "kernel 1: part 2 of 3, loops 998\n"
        "  %0:f32 = v0[0 + i0]\n"
        "  %1:f32 = mul %0 %0\n"
        "  %2:f32 = v0[2 + i0]\n"
        "  %3:f32 = 3.0:f32[]\n"
        "  %4:f32 = mul %2 %3\n"
        "  %5:f32 = add %1 %4\n"
        "  v7[1 + i0] = %5\n"
        "kernel 2: part 3 of 3, loops 1\n"
        "  %0:f32 = v0[998 + i0]\n"
        "  %1:f32 = mul %0 %0\n"
        "  v7[999 + i0] = %1\n");  // a square is never -0
  const std::string joined = lowered([](array x) { return jq::concatenate({jq::sin(x), x * 2}); }, row);
  CHECK(joined.find("kernel 0: part 1 of 2, loops 1000\n  %0:f32 = v0[0 + i0]\n  %1:f32 = sin %0\n") == 0);
  CHECK(joined.find("kernel 1: part 2 of 2, loops 1000\n") != std::string::npos);
  CHECK(joined.find("concatenate") == std::string::npos);
}
TEST_CASE("lowering: the middle of two dimensions and the frame around it are five boxes") {
  const std::string t = lowered([](array x) { return lax::pad(x * x, 1, {1, 2}, {3, 4}); }, jq::ones({40, 50}));
  CHECK(t.find("part 5 of 5") != std::string::npos);
  CHECK(t.find("loops 40 50\n") != std::string::npos);
  CHECK(t.find("loops 1 56\n") < t.find("loops 40 2\n"));
  CHECK(t.find("loops 3 56\n") > t.find("loops 40 4\n"));
}
TEST_CASE("lowering: boxes have to be worth it") {
  const auto runs_alone = [](const std::string& t) { return t.find("= pad") != std::string::npos || t.find("= concatenate") != std::string::npos; };
  const array row = jq::ones({1000}), few = jq::ones({60});
  const auto shifted = [](array x) { return lax::pad(x * x, 0, {1}, {1}); };
  CHECK(!runs_alone(lowered(shifted, row)));
  CHECK(runs_alone(lowered(shifted, few)));                                                         // as much work as the calls of three boxes
  CHECK(runs_alone(lowered([](array x) { return lax::pad(x, 0, {1}, {1}); }, row)));                // nothing but a copy
  CHECK(runs_alone(lowered([](array x) { return lax::pad(x * x, 0, {1}, {1}, {1}); }, row)));       // gaps between elements
  CHECK(runs_alone(lowered([](array x) {
    std::vector<array> pieces;
    for (int i = 0; i < 40; ++i) pieces.push_back(x * i);
    return jq::concatenate(pieces);
  }, row)));
}
TEST_CASE("lowering: rows of stages are not cut") {
  const std::string t = lowered([](array x) { return jq::sum(lax::pad(x * x, 0, {1}, {1})); }, jq::ones({1000}));
  CHECK(t.find("part 3 of 3") < t.find("loops *1002"));  // the padded values are in memory
  const std::string rows = lowered([](array x) { return lax::pad(jq::softmax(x, 1), 0, {1, 0}, {1, 0}); }, jq::ones({20, 50}));
  CHECK(rows.find("part 2 of 3, loops 20 *50\n") != std::string::npos);  // but whole ones go where they belong
}
TEST_CASE("lowering: what is dear and needed at several places is computed once") {
  const array row = jq::ones({1000});
  const auto count = [](const std::string& t, const char* what) {
    int n = 0;
    for (std::size_t at = 0; (at = t.find(what, at)) != std::string::npos; ++at) ++n;
    return n;
  };
  const auto neighbours = [](auto f) { return [f](array x) { return f(x)(jq::slice(1, jq::none)) - f(x)(jq::slice(0, -1)); }; };
  CHECK(count(lowered(neighbours([](array x) { return jq::exp(x); }), row), "= exp") == 1);
  CHECK(count(lowered(neighbours([](array x) { return x * x; }), row), "= mul") == 2);  // less than going to memory
  const std::string t = lowered([](array x) { return lax::pad(jq::exp(x), 1, {1}, {1}) + lax::pad(x, 0, {2}, {0}); }, row);
  CHECK(count(t, "= exp") == 2);  // in two boxes, but once for each element
  CHECK(count(t, "part") == 4);
}
TEST_CASE("lowering: what is read in two ways and runs alone has no kernel besides") {
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr([](array x, array y, array scale) {
    const array edged = lax::pad(y, 0, {65}, {-29}), z = (jq::expand_dims(edged / scale, 1) * x + jq::expand_dims(edged * scale, 1)) * x;
    return z - jq::sum(z, 1, jq::keepdims);
  })(jq::ones({256, 6}), jq::ones({220}), jq::ones({256})));
  const jq::lowering::lowered_program l = jq::lowering::lower(*p, &everything);
  CHECK(jq::lowering::to_text(*p, l).view().find("= pad") != std::string_view::npos);
  std::vector<int> times(p->avals.size(), 0);
  for (const jq::lowering::lowered_step& s : l.steps)
    if (s.kernel < 0)
      for (jq::variable v : p->outputs(p->equations[s.equation])) ++times[v];
  for (const jq::lowering::loop_kernel& k : l.kernels)
    for (const jq::lowering::output& o : k.outputs) ++times[o.to.value.index()];
  for (int n : times) CHECK(n <= 1);
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
TEST_CASE("lowering: vectors go along rows that are summed, and across columns") {
  const auto goes_along_sums = [](auto f, bool along_rows) {
    const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(jq::ones({400, 300})));
    const jq::lowering::loop_kernel k = jq::lowering::lower(*p, &everything).kernels.at(0);
    return k.loops.at(std::size_t(jq::lowering::vector_loop_of(k, along_rows))).inner;
  };
  const auto rows = [](array x) { return jq::sum(x * x, 1); };
  const auto columns = [](array x) { return jq::sum(x * x, 0); };
  CHECK(goes_along_sums(rows, true));
  CHECK_FALSE(goes_along_sums(rows, false));
  CHECK_FALSE(goes_along_sums(columns, true));
  SUBCASE("and across the columns of a small product, where both are as good") {
    const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr([](array x, array y) { return jq::matmul(x, y); })(jq::ones({4, 4}), jq::ones({4, 4})));
    const jq::lowering::lowered_program l = jq::lowering::lower(*p, &everything, jq::lowering::rounding::fast, {.side = 16});
    const jq::lowering::loop_kernel& k = l.kernels.at(0);
    CHECK(k.loops.size() == 3);
    CHECK(jq::lowering::vector_loop_of(k, true) == 1);
  }
}
TEST_CASE("lowering: chains of any length are lowered, in kernels of bounded size") {
  const auto chain = [](const array& x) {
    array y = x;
    for (int i = 0; i < 20000; ++i) y = jq::sin(y) + 0.5;
    return y;
  };
  const auto largest = [](const jq::closed_jaxpr& p) {
    std::size_t steps = 0;
    for (const jq::lowering::loop_kernel& k : jq::lowering::lower(*p, &everything).kernels) steps = std::max(steps, k.body.steps.size());
    return steps;
  };
  CHECK(largest(jq::simplify(jq::make_jaxpr(chain)(jq::asarray(1.f)))) < 1000);
  const auto short_chain = [](const array& x) {
    array y = x;
    for (int i = 0; i < 1000; ++i) y = jq::sin(y) + 0.5;
    return y;
  };
  CHECK(largest(jq::simplify(jq::make_jaxpr(jq::grad(short_chain))(jq::asarray(1.f)))) < 1000);
}
