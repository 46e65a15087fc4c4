// mask: specifications and results, composition with the other transforms and with itself, the compile-time lane, errors.
// The rules are checked by tests/laws/masking_test.cpp, the interpreter by mask_jaxpr_test.cpp.
#include "../show.hpp"

#include <jacquard/fixed.hpp>

#include <limits>
#include <ostream>

using jq::array;

namespace {

constexpr auto softmax = [](const array& v) { return jq::softmax(v); };
constexpr auto sum = [](const array& v) { return jq::sum(v); };
const float not_a_number = std::numeric_limits<float>::quiet_NaN();
const array x = jq::asarray({1.f, 2.f, 3.f, not_a_number, not_a_number});

// The compile-time lane: sizes are run-time values of the compiled code.
constexpr auto masked_square = [](const array& v, const array& n) {
  return jq::mask([](const array& w) { return jq::sum(w * w); }, jq::in_shapes<"n">, jq::out_shape<"">)(jq::args(v), jq::dims{{"n", n}});
};
static_assert(jq::grad(masked_square)(jq::tensor<double, 4>{1, 2, 3, 4}, 3) == jq::tensor<double, 4>{2, 4, 6, 0});
static_assert(jq::value_and_grad(masked_square)(jq::tensor<double, 4>{1, 2, 3, 4}, 2).first == 5);

// Golden: one mask for all that is masked, and no arithmetic on sizes.
static_assert(jq::to_text(jq::make_jaxpr([](const array& v, const array& n) {
  return jq::mask([](const array& w) { return lax::reduce_max(w, {0}); }, jq::in_shapes<"n">, jq::out_shape<"">)(jq::args(v), jq::dims{{"n", n}});
})(jq::zeros({4}), jq::zeros({}, jq::i64))) ==
              "{ lambda ; a:f32[4] b:i64[]. let\n"
              "    c:bool[4] = prefix_mask[size=4] b\n"
              "    _:f32[4] = select_n c 0.0:f32[] a\n"
              "    d:f32[4] = select_n c -inf:f32[] a\n"
              "    e:f32[] = reduce_max[axes=(0,)] d\n"
              "  in (e,) }");

}  // namespace

TEST_CASE("mask: padding may hold anything and comes out as zeros") {
  CHECK(show(jq::mask(sum, jq::in_shapes<"n">, jq::out_shape<"">)(jq::args(x), jq::dims{{"n", 3}})) == "f32[] 6");
  CHECK(show(jq::mask(softmax, jq::in_shapes<"n">, jq::out_shape<"n">)(jq::args(x), jq::dims{{"n", 3}})) ==
        "f32[5] 0.090031 0.24473 0.66524 0 0");
  CHECK(show(jq::mask(sum, jq::in_shapes<"n">, jq::out_shape<"">)(jq::args(x), jq::dims{{"n", 0}})) == "f32[] 0");
}
TEST_CASE("mask: sizes of any integer dtype") {
  const auto f = jq::mask(sum, jq::in_shapes<"n">, jq::out_shape<"">);
  for (const jq::dtype t : {jq::i8, jq::u8, jq::i16, jq::i32, jq::u64})
    CHECK(show(f(jq::args(x), jq::dims{{"n", jq::asarray(2).astype(t)}})) == "f32[] 3");
  CHECK(show(f(jq::args(jq::ones({300})), jq::dims{{"n", jq::asarray(std::uint8_t(200))}})) == "f32[] 200");
}
TEST_CASE("mask: several arguments, several sizes") {
  const auto product = [](const array& v, const array& m) { return jq::matmul(v, m); };
  const auto f = jq::mask(product, jq::in_shapes<"n", "(n, m)">, jq::out_shape<"m">);
  const array m = jq::asarray({{1.f, 2.f, not_a_number}, {3.f, 4.f, not_a_number}, {not_a_number, not_a_number, not_a_number}});
  CHECK(show(f(jq::args(jq::asarray({10.f, 1.f, not_a_number}), m), jq::dims{{"n", 2}, {"m", 2}})) == "f32[3] 13 24 0");
}
TEST_CASE("mask: without out_shape the logical shapes come along") {
  const auto twice = [](const array& v) { return std::tuple{jq::concatenate({v, v}), jq::sum(v)}; };
  const auto [out, shapes] = jq::mask(twice, jq::in_shapes<"n">)(jq::args(x), jq::dims{{"n", 2}});
  CHECK(show(out) == "f32[10] 1 2 1 2 0 0 0 0 0 0, f32[] 3");
  CHECK(show(shapes) == "i64[1] 4, i64[0]");
}
TEST_CASE("mask: trees, with a specification for each argument or each leaf") {
  const auto f = [](const std::pair<array, array>& p, const array& y) { return std::pair{jq::sum(p.first * p.second), y * 2.0}; };
  const std::pair pair{x, x};
  const jq::dims two{{"n", 2}};
  CHECK(show(jq::mask(f, jq::in_shapes<"n", "">, jq::out_shape<"", "">)(jq::args(pair, jq::asarray(1.f)), two)) == "f32[] 5, f32[] 2");
  CHECK(show(jq::mask(f, jq::in_shapes<"n", "n", "_">, jq::out_shape<"", "_">)(jq::args(pair, jq::ones({2})), two)) == "f32[] 5, f32[2] 2 2");
}
TEST_CASE("mask: ragged batches are vmap of mask") {
  const array rows = jq::asarray({{1.f, 2.f, 3.f}, {4.f, 5.f, not_a_number}, {6.f, not_a_number, not_a_number}});
  const auto f = jq::vmap(jq::mask(sum, jq::in_shapes<"n">, jq::out_shape<"">));
  CHECK(show(f(jq::args(rows), jq::dims{{"n", jq::asarray({3, 2, 1})}})) == "f32[3] 6 9 6");
  const auto normalised = jq::vmap(jq::mask(softmax, jq::in_shapes<"n">, jq::out_shape<"n">));
  CHECK(show(normalised(jq::args(rows), jq::dims{{"n", jq::asarray({3, 2, 1})}})) ==
        "f32[3,3] 0.090031 0.24473 0.66524 0.26894 0.73106 0 1 0 0");
}
TEST_CASE("mask: gradients are those of the logical part, zero in the padding") {
  const auto loss = [](const array& v, const array& n) {
    const auto f = [](const array& w) { return jq::sum(jq::log(w) * w); };
    return jq::mask(f, jq::in_shapes<"n">, jq::out_shape<"">)(jq::args(v), jq::dims{{"n", n}});
  };
  CHECK(show(jq::grad(loss)(x, jq::asarray(2))) == "f32[5] 1 1.6931 0 0 0");
  const array rows = jq::asarray({{1.f, 2.f}, {4.f, not_a_number}});
  CHECK(show(jq::vmap(jq::grad(loss))(rows, jq::asarray({2, 1}))) == "f32[2,2] 1 1.6931 2.3863 0");
  const auto scaled = [](const array& s, const array& v, const array& n) {  // the cotangent of s sums over rows, some of them NaN
    const auto f = [](const array& t, const array& w) { return jq::sum(jq::log(w) * t); };
    return jq::mask(f, jq::in_shapes<"", "n">, jq::out_shape<"">)(jq::args(s, v), jq::dims{{"n", n}});
  };
  CHECK(show(jq::grad(scaled)(jq::asarray(1.f), x, jq::asarray(2))) == "f32[] 0.69315");
}
TEST_CASE("mask: sizes are run-time values of compiled programs") {
  int traces = 0;
  const auto counted = [&](const array& v) {
    ++traces;
    return jq::sum(v);
  };
  const auto f = jq::jit([&](const array& v, const array& n) {
    return jq::mask(counted, jq::in_shapes<"n">, jq::out_shape<"">)(jq::args(v), jq::dims{{"n", n}});
  });
  CHECK(show(f(x, jq::asarray(3))) == "f32[] 6");
  CHECK(show(f(x, jq::asarray(1))) == "f32[] 1");
  CHECK(show(f(x, jq::asarray(2))) == "f32[] 3");
  CHECK(traces == 2);  // one call, traced on two sets of sizes
  CHECK(f.cache_size() == 1);
}
TEST_CASE("mask: jit of mask takes the sizes as a tree; jit within mask is a call of the masked body") {
  const auto f = jq::jit(jq::mask(softmax, jq::in_shapes<"n">, jq::out_shape<"n">));
  CHECK(show(f(jq::args(x), jq::dims{{"n", 1}})) == "f32[5] 1 0 0 0 0");
  CHECK(show(f(jq::args(x), jq::dims{{"n", 2}})) == "f32[5] 0.26894 0.73106 0 0 0");
  CHECK(f.cache_size() == 1);
  const auto inside = jq::mask(jq::jit(softmax), jq::in_shapes<"n">, jq::out_shape<"n">);
  CHECK(show(inside(jq::args(x), jq::dims{{"n", 2}})) == "f32[5] 0.26894 0.73106 0 0 0");
  CHECK(testing::count(jq::to_string(jq::make_jaxpr(inside)(jq::args(x), jq::dims{{"n", 2}})), "call[") == 1);
}
TEST_CASE("mask: programs without gradients keep no guards of cotangents") {
  const auto f = jq::mask(softmax, jq::in_shapes<"n">, jq::out_shape<"n">);
  const jq::closed_jaxpr p = jq::make_jaxpr(f)(jq::args(x), jq::dims{{"n", 2}});
  CHECK(testing::count(jq::to_string(p), "mask_cotangent") > 0);
  CHECK(testing::count(jq::to_string(jq::simplify(p)), "mask_cotangent") == 0);
}
TEST_CASE("mask: nested, over other names") {
  const auto rows = [](const array& m, const array& k) {  // each row summed up to k
    const auto one = [&](const array& v) {
      return jq::mask(sum, jq::in_shapes<"k">, jq::out_shape<"">)(jq::args(v), jq::dims{{"k", k}});
    };
    return jq::vmap(one)(m);
  };
  const auto f = jq::mask(rows, jq::in_shapes<"(n, _)", "">, jq::out_shape<"n">);
  const array m = jq::asarray({{1.f, 2.f, not_a_number}, {3.f, 4.f, not_a_number}, {not_a_number, not_a_number, not_a_number}});
  CHECK(show(f(jq::args(m, array(2)), jq::dims{{"n", 2}})) == "f32[3] 3 7 0");
  const auto inner = [](const array& v, const array& k) {  // part of a part: k of n
    return jq::mask([](const array& w) { return jq::cumsum(w); }, jq::in_shapes<"k">, jq::out_shape<"k">)(jq::args(v), jq::dims{{"k", k}});
  };
  CHECK(show(jq::mask(inner, jq::in_shapes<"n", "">, jq::out_shape<"n">)(jq::args(x, array(2)), jq::dims{{"n", 3}})) == "f32[5] 1 3 0 0 0");
}
TEST_CASE("mask: collectives within a mapped axis") {
  const auto f = [](const array& v) {
    return jq::mask([](const array& w) { return jq::sum(w) + jq::sum(lax::psum(w, "i")) + jq::sum(lax::all_gather(w, "i")); }, jq::in_shapes<"n">,
                    jq::out_shape<"">)(jq::args(v), jq::dims{{"n", 2}});
  };
  CHECK(show(jq::vmap(f, jq::axis_name<"i">)(jq::asarray({{1.f, 2.f, not_a_number}, {3.f, 4.f, not_a_number}}))) == "f32[2] 23 27");
}
TEST_CASE("shapecheck: propagates shapes alone, returns the function") {
  const auto f = jq::shapecheck([](const array& a, const array& b) { return jq::matmul(a, b); }, jq::in_shapes<"(m, n)", "n">, jq::out_shape<"m">);
  CHECK(show(f(jq::ones({2, 3}), jq::ones({3}))) == "f32[2] 3 3");
  jq::shapecheck([](const array& v) { return v(jq::slice(1, jq::none)); }, jq::in_shapes<"n">, jq::out_shape<"n - 1">);
  jq::shapecheck([](const array& v, const array& w) { return jq::concatenate({v, w, v}); }, jq::in_shapes<"n", "m">, jq::out_shape<"2n + m">);
  jq::shapecheck([](const array& v) { return v; }, jq::in_shapes<"n - 100">, jq::out_shape<"n - 100">);
  CHECK_THROWS_WITH_AS(jq::shapecheck([](const array& v) { return v; }, jq::in_shapes<"n">, jq::out_shape<"n-1">),
                       doctest::Contains("Output shapes should be (n + -1,) but are (n,)."), jq::shape_error);
  const auto two = [](const array& v, const array& w) { return std::pair{v, w}; };
  CHECK_THROWS_WITH_AS(jq::shapecheck(two, jq::in_shapes<"n", "n">, jq::out_shape<"7*n", "n">),
                       doctest::Contains("Output shapes should be [(7 n,), (n,)] but are ((n,), (n,))."), jq::shape_error);
}

TEST_CASE("mask: arguments that do not fit") {
  const auto f = jq::mask(sum, jq::in_shapes<"n">, jq::out_shape<"">);
  const auto message = [](auto g) { return testing::message_of([&] { g(); }); };
  CHECK(message([&] { f(jq::args(jq::ones({2, 2})), jq::dims{{"n", 1}}); }).find("does not fit the specification (n,): wanted 1 dimensions") !=
        std::string::npos);
  const auto of_list = jq::mask([](const std::vector<array>& v) { return jq::sum(v[0]); }, jq::in_shapes<"n", "n">, jq::out_shape<"">);
  CHECK(message([&] { of_list(jq::args(std::vector{x, x, x}), jq::dims{{"n", 1}}); })
            .starts_with("Tree mismatch: Input PyTreeDef(([*, *, *],)) and shape spec [(n,), (n,)]. "));
  CHECK(message([&] { f(jq::args(x), jq::dims{}); }).starts_with("mask: got no size for n; pass it in jq::dims{{\"n\", size}}"));
  CHECK(message([&] { f(jq::args(x), jq::dims{{"n", 6}}); }).starts_with("mask: the size n is 6, wanted one between 0 and its padded size 5 ["));
  CHECK(message([&] { f(jq::args(x), jq::dims{{"n", -1}}); }).starts_with("mask: the size n is -1, wanted one between 0 and its padded size 5 ["));
  CHECK(message([&] { f(jq::args(x), jq::dims{{"n", 1.5}}); }).starts_with("mask: the size n is f64[], wanted a scalar integer"));
  CHECK(message([&] { f(jq::args(x), jq::dims{{"n", jq::asarray({1, 2})}}); }).find("wanted a scalar integer; vmap maps over many sizes [") != std::string::npos);
}
TEST_CASE("mask: sizes that the function cannot have") {
  const auto first_two = jq::mask([](const array& v) { return lax::slice(v, {0}, {2}, {1}); }, jq::in_shapes<"n">, jq::out_shape<"2">);
  CHECK(show(first_two(jq::args(x), jq::dims{{"n", 2}})) == "f32[2] 1 2");
  CHECK_THROWS_WITH_AS(first_two(jq::args(x), jq::dims{{"n", 1}}), doctest::Contains("mask: the function needs n >= 2, which does not hold for these sizes"),
                       jq::value_error);
  const auto fails = [&](auto f, const char* text) {
    CHECK_THROWS_WITH_AS(jq::mask(f, jq::in_shapes<"n">)(jq::args(x), jq::dims{{"n", 1}}), doctest::Contains(text), jq::value_error);
  };
  fails([](const array& v) { return v(jq::slice(-2, jq::none)); }, "needs n >= 2");
  fails([](const array& v) { return v(-2); }, "needs n >= 2");
  fails([](const array& v) { return v.at(jq::slice(-2, jq::none)).set(7.f); }, "needs n >= 2");
  fails([](const array& v) { return lax::dynamic_slice(v, {array(0)}, {2}); }, "needs n >= 2");
  fails([](const array& v) { return lax::dynamic_update_slice(v, jq::asarray({7.f, 8.f}), {array(0)}); }, "needs n >= 2");
  fails([](const array& v) { return lax::pad(v, 0.f, {-2}, {0}, {0}); }, "needs n >= 2");
  fails([](const array& v) { return jq::roll(v, 2); }, "needs n >= 2");
}
TEST_CASE("mask: linspace of one value is where it begins") {
  const auto f = jq::mask([](const array& v) { return v + jq::linspace(3.0, 5.0, v.shape()[0]); }, jq::in_shapes<"n">, jq::out_shape<"n">);
  CHECK(show(f(jq::args(x), jq::dims{{"n", 1}})(jq::slice(0, 1))) == "f64[1] 4");
  CHECK(show(f(jq::args(x), jq::dims{{"n", 3}})(jq::slice(0, 3))) == "f64[3] 4 6 8");
}
