// Laws of composition: grad, jvp, jacfwd, jacrev, hessian, vmap and jit in any order give the same, on functions as users
// write them.
#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>
#include <jacquard/testing/testing.hpp>

namespace {

namespace jq = jacquard;
using jq::array;
using jq::shape;
using jq::testing::all_close;
using jq::testing::identical;
using jq::testing::leaf_function;
using jq::testing::leaves;
using jq::testing::report;
using scalar_function = std::function<array(const leaves&)>;

/// A scalar-valued function of f64 arrays of given shapes, with elements between low and high.
struct subject {
  const char* name;
  scalar_function f;
  std::vector<shape> shapes;
  double low = -1, high = 1;

  leaves arguments(std::uint64_t seed = 1, std::int64_t batch = 0) const {
    leaves r;
    for (const shape& s : shapes) {
      const shape dims = batch == 0 ? s : shape(s.with(0, batch));
      r.push_back(jq::testing::sample({jq::f64, dims}, seed + 31 * r.size(), low, high));
    }
    return r;
  }
};

array mlp(const leaves& p) {
  const array hidden = jq::tanh(jq::matmul(p[0], p[1]) + p[2]);
  const array logits = jq::matmul(hidden, p[3]);
  return -jq::sum(jq::log_softmax(logits) * jq::one_hot(jq::asarray({0, 2, 1}), 3, jq::f64));
}
array horner(const leaves& x) {  // a C++ loop that unrolls
  array r = 0.5;
  for (int k = 1; k <= 5; ++k) r = r * x[0] + double(k);
  return r;
}
array newton_root(const leaves& x) {  // sqrt by iteration
  array r = x[0];
  for (int k = 0; k < 6; ++k) r = 0.5 * (r + x[0] / r);
  return r;
}
array rosenbrock(const leaves& v) {
  const array x = v[0](jq::slice(0, 3)), y = v[0](jq::slice(1, 4));
  return jq::sum(100.0 * jq::square(y - x * x) + jq::square(1.0 - x));
}
array with_grad_inside(const leaves& x) {
  return x[0] * jq::grad([&](const array& y) { return jq::sin(x[0] * y) * y; })(x[0]);
}
array with_jvp_inside(const leaves& x) {
  const auto f = [&](const array& y) { return jq::exp(y * x[0]); };
  return jq::sum(jq::jvp(f, jq::primals(x[0]), jq::tangents(jq::cos(x[0]))).second);
}
array with_vjp_inside(const leaves& x) {
  const auto [y, back] = jq::vjp([&](const array& a, const array& b) { return jq::sin(a) * b; }, x[0], x[1]);
  const auto [da, db] = back(y);
  return jq::sum(da * db);
}
array with_vmap_inside(const leaves& x) {
  const auto row = [&](const array& r) { return jq::dot(r, x[1]) * jq::exp(-jq::sum(r * r)); };
  return jq::prod(1.0 + jq::vmap(row)(x[0]));
}
/// The backend that promises the bits of eager evaluation.
const jq::backend same_bits("interpreter");
array with_jit_inside(const leaves& x) {
  return jq::jit([&](const array& a) { return jq::sum(jq::sin(a) * x[1]); }, same_bits)(x[0] * 2.0);
}
array with_hessian_inside(const leaves& x) {
  return jq::sum(jq::diagonal(jq::hessian([](const array& a) { return jq::prod(jq::sin(a)); })(x[0])));
}
array with_everything_inside(const leaves& x) {
  const auto f = [&](const array& a) { return jq::jit([&](const array& b) { return jq::sum(b * b * x[1]); }, same_bits)(jq::sin(a)); };
  return jq::sum(jq::vmap(jq::grad(f))(x[0]));
}
array complex_inside(const leaves& x) {
  const array z = jq::lax::complex(x[0], x[1]);
  return jq::sum(jq::real(jq::exp(z) * jq::conj(z)) + jq::imag(jq::sin(z)) * jq::abs(z));
}

const std::vector<subject> subjects{
    {"polynomial", [](const leaves& x) { return x[0] * x[0] * x[0] - 2.0 * x[0]; }, {{}}},
    {"two scalars", [](const leaves& x) { return jq::sin(x[0]) * jq::exp(x[1]) + x[0] / (2.0 + x[1]); }, {{}, {}}},
    {"sum of squares", [](const leaves& x) { return jq::sum(x[0] * x[0]); }, {{3}}},
    {"logsumexp", [](const leaves& x) { return jq::logsumexp(x[0]); }, {{4}}},
    {"softmax, weighted", [](const leaves& x) { return jq::sum(jq::softmax(x[0]) * x[1]); }, {{3}, {3}}},
    {"norm", [](const leaves& x) { return jq::sqrt(jq::sum(x[0] * x[0])); }, {{3}}, 0.2, 1},
    {"cosine similarity",
     [](const leaves& x) { return jq::dot(x[0], x[1]) / jq::sqrt(jq::dot(x[0], x[0]) * jq::dot(x[1], x[1])); },
     {{3}, {3}}, 0.2, 1},
    {"perceptron", mlp, {{3, 2}, {2, 4}, {4}, {4, 3}}},
    {"horner", horner, {{}}},
    {"newton", newton_root, {{}}, 0.5, 3},
    {"rosenbrock", rosenbrock, {{4}}},
    {"product", [](const leaves& x) { return jq::prod(x[0]); }, {{4}}},
    {"variance", [](const leaves& x) { return jq::var(x[0]); }, {{5}}},
    {"mean over an axis", [](const leaves& x) { return jq::sum(jq::square(jq::mean(x[0], 0))); }, {{2, 3}}},
    {"largest", [](const leaves& x) { return jq::max(x[0] * x[0]) * x[1]; }, {{5}, {}}},
    {"sorted", [](const leaves& x) { return jq::sum(jq::sort(x[0]) * jq::asarray({1.0, 2.0, 4.0, 8.0})); }, {{4}}},
    {"running sum", [](const leaves& x) { return jq::sum(jq::square(jq::cumsum(x[0]))); }, {{4}}},
    {"bilinear form", [](const leaves& x) { return jq::dot(x[0], jq::matmul(x[1], x[0])); }, {{3}, {3, 3}}},
    {"einsum", [](const leaves& x) { return jq::sum(jq::sin(jq::einsum("ij,jk->ki", x[0], x[1]))); }, {{2, 3}, {3, 2}}},
    {"outer product", [](const leaves& x) { return jq::sum(jq::tanh(jq::outer(x[0], x[1]))); }, {{2}, {3}}},
    {"broadcast", [](const leaves& x) { return jq::sum(jq::exp(x[0] * jq::expand_dims(x[1], 1))); }, {{3}, {2}}},
    {"where", [](const leaves& x) { return jq::sum(jq::where(x[0] > 0.0, x[0] * x[0], -x[0])); }, {{5}}},
    {"clip", [](const leaves& x) { return jq::sum(jq::clip(x[0], -0.5, 0.5) * x[0]); }, {{5}}},
    {"indexing", [](const leaves& x) { return jq::sum(x[0](jq::asarray({2, 0, 2})) * x[0](jq::slice(0, 3))); }, {{4}}},
    {"update", [](const leaves& x) { return jq::sum(jq::sin(x[0].at(1).add(x[1]) * x[0])); }, {{3}, {}}},
    {"stack and reverse", [](const leaves& x) { return jq::sum(jq::stack({x[0], x[0] * x[0]}) * x[1]); }, {{3}, {2, 3}}},
    {"transposed", [](const leaves& x) { return jq::sum(jq::matmul(jq::transpose(x[0]), x[0]) * x[1]); }, {{2, 3}, {3, 3}}},
    {"power", [](const leaves& x) { return jq::sum(jq::pow(x[0], x[1]) + jq::pow(x[0], 3)); }, {{3}, {3}}, 0.4, 2},
    {"error functions", [](const leaves& x) { return jq::sum(jq::erf(x[0]) * jq::erf_inv(x[0])); }, {{3}}, -0.7, 0.7},
    {"angles", [](const leaves& x) { return jq::sum(jq::atan2(x[0], x[1])); }, {{3}, {3}}, 0.3, 1},
    {"complex inside", complex_inside, {{2}, {2}}, 0.3, 1},
    {"grad inside", with_grad_inside, {{}}},
    {"jvp inside", with_jvp_inside, {{2}}},
    {"vjp inside", with_vjp_inside, {{2}, {2}}},
    {"vmap inside", with_vmap_inside, {{3, 2}, {2}}},
    {"jit inside", with_jit_inside, {{2}, {2}}},
    {"hessian inside", with_hessian_inside, {{2}}},
    {"everything inside", with_everything_inside, {{2}, {}}},
};

constexpr double tight = 1e-10;

void for_each_subject(const std::function<report(const subject&)>& law) {
  for (const subject& s : subjects) {
    report r;
    try {
      r = law(s);
    } catch (const std::exception& e) {
      r.fail("threw: ", std::string_view(e.what()));
    }
    INFO(std::string(s.name) << "\n" << r.text);
    CHECK(r.ok);
  }
}
/// Functions of one type, so that every transform of them is compiled once.
leaf_function gradient_of(const scalar_function& f) { return jq::grad(f); }
leaf_function as_leaves(const scalar_function& f) {
  return [=](const leaves& x) { return leaves{f(x)}; };
}
leaf_function jitted(const leaf_function& f) {
  return [g = jq::jit(f, jq::backend("interpreter"))](const leaves& x) { return g(x); };
}
std::vector<int> every_first(const subject& s) { return std::vector<int>(s.shapes.size(), 0); }
report close(const leaves& got, const leaves& want) { return all_close(got, want, tight, tight); }

}  // namespace

TEST_CASE("gradients agree with differences, to the second order") {
  for_each_subject([](const subject& s) { return jq::testing::check_grads(s.f, std::tuple{s.arguments()}); });
}
TEST_CASE("programs of all passes are well typed and compute the same") {
  for_each_subject([](const subject& s) { return jq::testing::check_passes(s.f, std::tuple{s.arguments()}); });
}
TEST_CASE("jit computes the same bits, of the function and of its gradient") {
  for_each_subject([](const subject& s) {
    report r;
    const leaves x = s.arguments();
    const leaf_function g = gradient_of(s.f);
    r.add("f", jq::testing::check_jit(s.f, std::tuple{x}));
    r.add("jit of grad", identical(jitted(g)(x), g(x)));
    const scalar_function j = jq::jit(s.f, jq::backend("interpreter"));
    r.add("grad of jit", close(gradient_of(j)(x), g(x)));
    return r.add("jit of grad of jit", close(jitted(gradient_of(j))(x), g(x)));
  });
}
TEST_CASE("vmap is a loop, of the function, its gradient, and both jitted") {
  for_each_subject([](const subject& s) {
    report r;
    const leaves x = s.arguments(1, 3);
    const leaf_function f = as_leaves(s.f), g = gradient_of(s.f);
    const std::vector<int> axes = every_first(s);
    const auto against_loop = [&](const char* what, const leaf_function& mapped, const leaf_function& one) {
      const leaves y = mapped(x);
      for (std::int64_t i = 0; i < 3; ++i) {
        const leaves want = one(jq::testing::example(x, axes, i));
        for (std::size_t k = 0; k < y.size(); ++k) r.add(what, close({jq::testing::example(y[k], 0, i)}, {want[k]}));
      }
    };
    using jq::testing::mapped;
    against_loop("vmap", mapped(f, axes), f);
    against_loop("vmap of jit", mapped(jitted(f), axes), f);
    against_loop("jit of vmap", jitted(mapped(f, axes)), f);
    against_loop("vmap of grad", mapped(g, axes), g);
    against_loop("vmap of jit of grad", mapped(jitted(g), axes), g);
    const scalar_function total = [&](const leaves& z) { return jq::sum(mapped(f, axes)(z)[0]); };
    return r.add("grad of vmap", close(gradient_of(total)(x), mapped(g, axes)(x)));
  });
}
TEST_CASE("vmap of vmap with one argument shared") {
  for_each_subject([](const subject& s) {
    report r;
    const std::vector<int> axes = every_first(s);
    std::vector<int> first(axes.size(), jq::none);
    first[0] = 0;
    leaves x = s.arguments(5, 2);
    x[0] = jq::testing::sample({jq::f64, shape(x[0].shape().with(0, 3))}, 9, s.low, s.high);
    const leaf_function inner = jq::testing::mapped(as_leaves(s.f), axes);
    return r.add("inner", jq::testing::detail::check_batch(inner, first, x, tight, tight));
  });
}
TEST_CASE("the gradient is the row of the Jacobian, forward or reverse") {
  for_each_subject([](const subject& s) {
    report r;
    const leaves x = s.arguments(), g = gradient_of(s.f)(x);
    r.add("jacrev", close(jq::jacrev(s.f)(x), g));
    return r.add("jacfwd", close(jq::jacfwd(s.f)(x), g));
  });
}
TEST_CASE("the four Hessians are one, symmetric, and give jvp of grad") {
  for_each_subject([](const subject& s) {
    report r;
    const leaves x = s.arguments(), t = jq::testing::directions(x, 2);
    const auto h = jq::hessian(s.f)(x);
    r.add("jacfwd of jacrev", all_close(jq::jacfwd(jq::jacrev(s.f))(x), h, tight, tight));
    r.add("jacrev of jacfwd", all_close(jq::jacrev(jq::jacfwd(s.f))(x), h, tight, tight));
    r.add("jacrev of jacrev", all_close(jq::jacrev(jq::jacrev(s.f))(x), h, tight, tight));
    r.add("jacfwd of jacfwd", all_close(jq::jacfwd(jq::jacfwd(s.f))(x), h, tight, tight));
    r.add("jit", all_close(jq::jit(jq::hessian(s.f), same_bits)(x), h, tight, tight));  // on the backend that inner ones name
    leaves along;  // H t, block by block
    for (std::size_t i = 0; i < x.size(); ++i) {
      array sum = jq::zeros_like(x[i]);
      for (std::size_t j = 0; j < x.size(); ++j) {
        sum += jq::tensordot(h[i][j], t[j], x[j].ndim());
        const array block = jq::reshape(h[i][j], {x[i].size(), x[j].size()});
        const array mirrored = jq::reshape(h[j][i], {x[j].size(), x[i].size()});
        r.add("symmetry", all_close(block, jq::transpose(mirrored), tight, tight));
      }
      along.push_back(sum);
    }
    return r.add("jvp of grad", close(jq::testing::tangents_of(gradient_of(s.f), x, t), along));
  });
}
TEST_CASE("third derivatives do not depend on the order of modes") {
  for_each_subject([](const subject& s) {
    report r;
    const leaves x = s.arguments(), t = jq::testing::directions(x, 3), u = jq::testing::directions(x, 4);
    const leaf_function f = as_leaves(s.f), g = gradient_of(s.f);
    const auto along = [](const leaf_function& of, const leaves& dir) -> leaf_function {
      return [=](const leaves& z) { return jq::testing::tangents_of(of, z, dir); };
    };
    const leaves want = along(along(g, t), u)(x);
    const scalar_function twice = [&](const leaves& z) { return along(along(f, t), u)(z)[0]; };
    const scalar_function once = [&](const leaves& z) { return along(f, u)(z)[0]; };
    r.add("grad of jvp of jvp", close(gradient_of(twice)(x), want));
    return r.add("jvp of grad of jvp", close(along(gradient_of(once), t)(x), want));
  });
}
