// Kernels that run together, block of rows after block of rows: which do, and which must not. Oracle: a person who asks, for each row, whether
// all that is read of it has been written by then.
#include <jacquard/exec/lowering/lowering.hpp>

#include "../../show.hpp"

using jq::array;

namespace {

bool everything(jq::scalar_op, jq::dtype) { return true; }

template <class F, class... A>
jq::lowering::lowered_program in_blocks(F f, jq::lowering::rounding r, const A&... x) {
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(x...));
  return jq::lowering::lower(*p, &everything, r, {}, false, true);
}
/// By step: 0 for an equation by itself, or how many kernels run together.
template <class F, class... A>
std::vector<std::size_t> steps_of(F f, const A&... x) {
  const jq::lowering::lowered_program l = in_blocks(f, jq::lowering::rounding::fast, x...);
  std::vector<std::size_t> r;
  for (const jq::lowering::lowered_step& s : l.steps) r.push_back(s.kernel < 0 ? 0 : 1 + l.kernels[std::size_t(s.kernel)].next.size());
  CHECK(l.computed.size() == l.kernels.size());
  return r;
}
using steps = std::vector<std::size_t>;

const array x = jq::ones({1000, 64}), w = jq::ones({64}), y = jq::ones({1000});
array gradient(const array& a, const array& v, const array& t) { return jq::matmul(jq::tanh(jq::matmul(a, v)) - t, a); }

}  // namespace

TEST_CASE("row blocks: a matrix times a vector and the sum of its rows times what comes of it are one kernel in blocks") {
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(gradient)(x, w, y));
  CHECK(std::string(jq::lowering::to_text(*p, jq::lowering::lower(*p, &everything, jq::lowering::rounding::fast, {}, false, true)).view()) ==
        "kernel 0: in blocks of 96 rows:\n"
        "loops 1000 rows *64\n"
        "  %0:f32 = v0[0 + 64*i0 + i1]\n"
        "  %1:f32 = v1[0 + i1]\n"
        "  %2:f32 = mul %0 %1\n"
        "  %3:f32 = reduce add %2\n"
        "  v3[0 + i0] = %3\n"
        "loops 1000 rows\n"
        "  %0:f32 = v3[0 + i0]\n"
        "  %1:f32 = tanh %0\n"
        "  %2:f32 = v2[0 + i0]\n"
        "  %3:f32 = sub %1 %2\n"
        "  v5[0 + i0] = %3\n"
        "loops 64 *1000 rows\n"
        "  %0:f32 = v5[0 + i1]\n"
        "  %1:f32 = v0[0 + i0 + 64*i1]\n"
        "  %2:f32 = mul %0 %1\n"
        "  %3:f32 = reduce add %2\n"
        "  v6[0 + i0] = %3\n");
  CHECK(std::string(jq::lowering::clusters_text(*p, in_blocks(gradient, jq::lowering::rounding::fast, x, w, y)).view()) ==
        "kernel 0:\n  v3 = dot_general v0 v1\n  v4 = tanh v3\n  v5 = sub v4 v2\n  v6 = dot_general v5 v0\n");
}
TEST_CASE("row blocks: nobody asked, or sums must be those of the primitives") {
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(gradient)(x, w, y));
  for (const jq::lowering::loop_kernel& k : jq::lowering::lower(*p, &everything).kernels) CHECK(k.block == 0);
  for (const jq::lowering::loop_kernel& k : in_blocks(gradient, jq::lowering::rounding::strict, x, w, y).kernels) CHECK(k.block == 0);
}
TEST_CASE("row blocks: the loss along with its gradient, several vectors, what lies between stays where it is") {
  const auto loss = [](const array& a, const array& v, const array& t) {
    const array d = jq::matmul(a, v) - t;
    return std::pair{jq::sum(d * d), jq::matmul(d, a)};
  };
  const steps s = steps_of(loss, x, w, y);
  CHECK(*std::max_element(s.begin(), s.end()) >= 3);
  const auto two = [](const array& a, const array& v, const array& u) {
    return jq::matmul(jq::exp(jq::matmul(a, v)) * jq::sin(jq::matmul(a, u)), a);
  };
  CHECK(steps_of(two, x, w, w).size() == 1);
  const auto between = [](const array& a, const array& v, const array& t) {
    const array r = jq::matmul(a, v) - t;
    return std::pair{jq::sort(r), jq::matmul(r, a)};
  };
  CHECK(steps_of(between, x, w, y) == steps{3, 0});
}
TEST_CASE("row blocks: what waits for other rows, or for all of them, runs after them") {
  const auto shifted = [](const array& a, const array& v) {
    const array z = jq::matmul(a, v);
    return jq::matmul(jq::roll(z, 1, 0), a);
  };
  for (std::size_t n : steps_of(shifted, x, w)) CHECK(n <= 1);
  const auto centered = [](const array& a, const array& v) {
    const array z = jq::matmul(a, v);
    return jq::matmul(z - jq::sum(z), a);
  };
  CHECK(steps_of(centered, x, w) == steps{1, 1, 1});
  const auto back = [](const array& a, const array& r) { return jq::matmul(a, jq::matmul(r, a)); };
  for (std::size_t n : steps_of(back, x, y)) CHECK(n <= 1);
  const auto sorted = [](const array& a, const array& v) { return jq::matmul(jq::sort(jq::matmul(a, v)), a); };
  CHECK(steps_of(sorted, x, w) == steps{0, 0, 0});
}
TEST_CASE("row blocks: few rows, short ones, and little memory are not worth it") {
  const auto joined = [](std::int64_t rows, std::int64_t columns) {
    for (std::size_t n : steps_of(gradient, jq::ones({rows, columns}), jq::ones({columns}), jq::ones({rows})))
      if (n > 1) return true;
    return false;
  };
  CHECK(joined(256, 64));
  CHECK(!joined(255, 64));
  CHECK(!joined(100000, 8));
  CHECK(!joined(300, 16));
  CHECK(!joined(400, 8000));
}
TEST_CASE("row blocks: rows that a kernel writes are summed where they lie in a cache") {
  const auto bias = [](const array& a, const array& b) {
    const array e = jq::exp(a) * jq::expand_dims(b, 1);
    return std::pair{jq::softmax(e, 1), jq::sum(jq::softmax(e, 1) * a, 0)};
  };
  CHECK(steps_of(bias, x, y) == steps{2});
}
TEST_CASE("row blocks: the bytes that kernels touch together count once") {
  const auto l = in_blocks(gradient, jq::lowering::rounding::fast, x, w, y);
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(gradient)(x, w, y));
  REQUIRE(l.kernels.size() == 1);
  CHECK(jq::lowering::bytes_touched(*p, l.kernels[0]) == 4 * (64000 + 64 + 1000 + 1000 + 1000 + 1000 + 1000 + 64));
}
