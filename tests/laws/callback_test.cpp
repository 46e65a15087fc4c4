// Laws of callbacks, whose functions are the user's and which therefore have no rows: a program with them is the program
// without them, compiled, mapped by every vmap_method, differentiated by the rules that come with them, and masked.
#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>
#include <jacquard/testing/batching.hpp>
#include <jacquard/testing/compilation.hpp>
#include <jacquard/testing/gradients.hpp>
#include <jacquard/testing/masking.hpp>
#include <jacquard/testing/sample.hpp>

#include <cmath>

namespace {

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;
using jq::vmap_method;
using jq::testing::leaf_function;
using jq::testing::leaves;
using jq::testing::report;

/// x^2 y + x, on arrays of equal rank whose sizes are equal or 1.
array polynomial(const array& x, const array& y) { return x * x * y + x; }
/// The same in a loop of ours, on dense elements of which the shorter list is repeated.
void polynomial_kernel(const jq::device_call& c) {
  const auto x = c.input<double>(0), y = c.input<double>(1);
  const auto z = c.output<double>(0);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double a = x[i % x.size()], b = y[i % y.size()];
    z[i] = a * a * b + a;
  }
}
/// Its derivatives as rules of a device_callback.
const jq::jvp_rule forward([](const std::tuple<array, array>& p, const std::tuple<array, array>& t) {
  const auto& [x, y] = p;
  return (2.0 * x * y + 1.0) * std::get<0>(t) + x * x * std::get<1>(t);
});
const jq::vjp_rule backward([](const std::tuple<array, array>& p, const array&, const array& ct) {
  const auto& [x, y] = p;
  return std::tuple{(2.0 * x * y + 1.0) * ct, x * x * ct};
});

/// A function of two leaves that goes through a callback, and where it can be used.
struct law_case {
  std::string name;
  leaf_function f;
  bool batches = true;   ///< vmap calls it, whichever way
  bool forwards = false, backwards = false;  ///< it has a derivative
  bool watches = false;  ///< it only looks at values
};

const std::pair<std::string, vmap_method> methods[] = {{"sequential", vmap_method::sequential},
                                                       {"sequential_unrolled", vmap_method::sequential_unrolled},
                                                       {"expand_dims", vmap_method::expand_dims},
                                                       {"broadcast_all", vmap_method::broadcast_all},
                                                       {"legacy_vectorized", vmap_method::legacy_vectorized}};

template <class... O>
leaf_function by_device(O... options) {
  return [=](const leaves& x) { return leaves{jq::device_callback(polynomial_kernel, x[0], x[0], x[1], options...)}; };
}
/// pure_callback with the derivative that jq::custom_jvp gives it. The rule calls the whole again, for derivatives of it.
array with_jvp(vmap_method how, const array& x, const array& y) {
  const auto value = [how](const array& a, const array& b) { return jq::pure_callback(polynomial, a, a, b, how); };
  return jq::custom_jvp(value, [how](const std::tuple<array, array>& p, const std::tuple<array, array>& t) {
    const auto& [a, b] = p;
    return std::pair{with_jvp(how, a, b), (2.0 * a * b + 1.0) * std::get<0>(t) + a * a * std::get<1>(t)};
  })(x, y);
}
array with_vjp(vmap_method how, const array& x, const array& y) {
  return jq::custom_vjp([how](const array& a, const array& b) { return jq::pure_callback(polynomial, a, a, b, how); },
                        [how](const array& a, const array& b) { return std::pair{with_vjp(how, a, b), std::pair{a, b}}; },
                        [](const std::pair<array, array>& r, const array& ct) {
                          return std::tuple{(2.0 * r.first * r.second + 1.0) * ct, r.first * r.first * ct};
                        })(x, y);
}
leaf_function by_custom_jvp(vmap_method how) {
  return [how](const leaves& x) { return leaves{with_jvp(how, x[0], x[1])}; };
}
leaf_function by_custom_vjp(vmap_method how) {
  return [how](const leaves& x) { return leaves{with_vjp(how, x[0], x[1])}; };
}
template <class... O>
leaf_function by_io(O... options) {
  return [=](const leaves& x) { return leaves{jq::io_callback(polynomial, x[0], x[0], x[1], options...)}; };
}
leaf_function by_debug(bool in_order) {
  return [=](const leaves& x) {
    jq::debug::callback([](const array&, const array&) {}, x[0], x[1], jq::in_order(in_order));
    return leaves{polynomial(x[0], x[1])};
  };
}

std::vector<law_case> all_cases() {
  std::vector<law_case> r;
  for (const auto& [name, how] : methods) {
    const vmap_method m = how;
    r.push_back({"pure_callback, " + name, [m](const leaves& x) { return leaves{jq::pure_callback(polynomial, x[0], x[0], x[1], m)}; }});
    r.push_back({"device_callback, " + name, by_device(m)});
    r.push_back({"device_callback, jvp rule, " + name, by_device(m, forward), true, true, true});
    r.push_back({"device_callback, vjp rule, " + name, by_device(m, backward), true, false, true});
    r.push_back({"device_callback, both rules, " + name, by_device(m, forward, backward), true, true, true});
    r.push_back({"custom_jvp of pure_callback, " + name, by_custom_jvp(m), true, true, true});
    r.push_back({"custom_vjp of pure_callback, " + name, by_custom_vjp(m), true, false, true});
  }
  const jq::vmap_rule rows([](const array& x, const array& y) { return jq::device_callback(polynomial_kernel, x, x, y, vmap_method::broadcast_all); });
  r.push_back({"device_callback, vmap rule", by_device(rows)});
  r.push_back({"io_callback", by_io()});
  r.push_back({"ordered io_callback", by_io(jq::in_order()), false});
  r.push_back({"call", [](const leaves& x) {
                 const auto one = [](const std::pair<array, array>& p) { return polynomial(p.first, p.second); };
                 return leaves{jq::call(one, std::pair{x[0], x[1]}, x[0])};
               }, false});
  r.push_back({"debug::callback", by_debug(false), true, true, true, true});
  r.push_back({"ordered debug::callback", by_debug(true), true, true, true, true});
  return r;
}
const std::vector<law_case> cases = all_cases();

array drawn(const jq::shape& dims, std::uint64_t seed) { return jq::testing::sample(jq::aval(jq::f64, dims), seed, -1, 1); }
leaves operands(const jq::shape& dims) { return {drawn(dims, 3), drawn(dims, 4)}; }
const jq::shape shapes[] = {{}, {3}, {2, 3}, {0, 2}};
constexpr double unit = 0x1p-48;

/// Runs a check of each case, which may throw, and fails the test with its name.
template <class F>
void for_each_case(F check) {
  for (const law_case& c : cases) {
    report r;
    try {
      r = check(c);
    } catch (const std::exception& e) {
      r.fail("threw: ", std::string_view(e.what()));
    }
    INFO(c.name << "\n" << r.text);
    CHECK(r.ok);
  }
}
leaves polynomial_of(const leaves& x) { return {polynomial(x[0], x[1])}; }
report close(const leaves& got, const leaves& want) { return jq::testing::all_close(got, want, unit, unit); }

}  // namespace

TEST_CASE("a callback computes its function, eagerly, compiled and in compiled functions of compiled functions") {
  for_each_case([](const law_case& c) {
    report r;
    for (const jq::shape& s : shapes) {
      const leaves x = operands(s);
      r.add("eagerly", close(c.f(x), polynomial_of(x)));
      r.add("jit", jq::testing::detail::check_compiled(c.f, x, "interpreter", 0, 0));
      const leaf_function nested = [inner = jq::jit(c.f)](const leaves& y) { return leaves{jq::jit(inner)(y)[0] * 2.0}; };
      r.add("nested jit", close(jq::jit(nested)(x), {polynomial_of(x)[0] * 2.0}));
    }
    return r;
  });
}
TEST_CASE("vmap of a callback is a stacked loop, whichever operands are mapped, along any axis, for no examples too") {
  for_each_case([](const law_case& c) {
    report r;
    if (!c.batches) return r;
    for (const jq::shape& s : {jq::shape{}, jq::shape{3}, jq::shape{2, 3}})
      for (const std::int64_t n : {2, 1}) {
        const int last = s.rank();
        for (const std::vector<int>& axes : {std::vector<int>{0, 0}, {0, jq::none}, {jq::none, 0}, {last, 0}, {0, last}}) {
          leaves x = operands(s);
          for (std::size_t k = 0; k < 2; ++k)
            if (axes[k] != jq::none) x[k] = drawn(jq::shape(s.with(axes[k], n)), 5 + k);
          // Mapped over one operand only, these methods show the function arrays of different sizes.
          r.add(jq::cat("axes ", axes[0], " ", axes[1], ", shape ", s).view(), jq::testing::detail::check_batch(c.f, axes, x, unit, unit));
          r.add("jit", close(jq::jit(jq::testing::mapped(c.f, axes))(x), jq::testing::mapped(polynomial_of, axes)(x)));
        }
      }
    const leaves none_at_all{drawn({0, 3}, 1), drawn({0, 3}, 2)};
    if (!(jq::testing::mapped(c.f, {0, 0})(none_at_all)[0].shape() == jq::shape{0, 3})) r.fail("no examples");
    return r;
  });
}
TEST_CASE("vmap of vmap of a callback is vmap of vmap of its function") {
  for_each_case([](const law_case& c) {
    report r;
    if (!c.batches) return r;
    const auto twice = [](const leaf_function& f, const std::vector<int>& inner, const std::vector<int>& outer) {
      return jq::testing::mapped(jq::testing::mapped(f, inner), outer);
    };
    const leaves x{drawn({2, 3, 4}, 1), drawn({2, 3, 4}, 2)};
    r.add("both", close(twice(c.f, {0, 0}, {0, 0})(x), twice(polynomial_of, {0, 0}, {0, 0})(x)));
    const leaves other{x[0], drawn({4, 3, 2}, 3)};
    r.add("other axes", close(twice(c.f, {1, 0}, {0, 2})(other), twice(polynomial_of, {1, 0}, {0, 2})(other)));
    r.add("jit", close(jq::jit(twice(c.f, {0, 0}, {0, 0}))(x), twice(polynomial_of, {0, 0}, {0, 0})(x)));
    return r;
  });
}
TEST_CASE("derivatives of a callback with a rule are those of its function") {
  for_each_case([](const law_case& c) {
    report r;
    const leaves x = operands({3});
    const array ct = drawn({3}, 9);
    const leaves t{drawn({3}, 7), drawn({3}, 8)}, slopes{2.0 * x[0] * x[1] + 1.0, x[0] * x[0]};
    if (c.forwards) {
      const array want = slopes[0] * t[0] + slopes[1] * t[1];
      r.add("jvp", close(jq::testing::tangents_of(c.f, x, t), {want}));
      r.add("jvp of jit", close(jq::testing::tangents_of(jq::jit(c.f), x, t), {want}));
      r.add("linearize", close(jq::linearize(c.f, x).second(t), {want}));
    }
    if (c.backwards) {
      const leaves want{slopes[0] * ct, slopes[1] * ct};
      r.add("vjp", close(jq::testing::cotangents_of(c.f, x, {ct}), want));
      r.add("jit of vjp", close(jq::jit([&](const leaves& y) { return jq::testing::cotangents_of(c.f, y, {ct}); })(x), want));
      const auto sum = [&](const leaves& y) { return jq::sum(c.f(y)[0]); };
      r.add("grad of scan", close(jq::grad([&](const leaves& y) {
        return jq::sum(lax::fori_loop(0, 2, [&](const array&, const array& v) { return c.f({v, y[1]})[0]; }, y[0]));
      })(x), jq::grad([&](const leaves& y) { return jq::sum(polynomial(polynomial(y[0], y[1]), y[1])); })(x)));
      const array second = jq::grad([&](const leaves& y) { return jq::sum(jq::grad(sum)(y)[0]); })(x)[0];
      r.add("second derivative", close({second}, {2.0 * x[1]}));
    }
    if (c.forwards && c.backwards) r.add("differences", jq::testing::check_grads(c.f, std::tuple{x}));
    return r;
  });
}
TEST_CASE("vmap of grad and grad of vmap of a callback with a rule") {
  for_each_case([](const law_case& c) {
    report r;
    if (!c.backwards || !c.batches) return r;
    const auto gradient = [](const leaf_function& f) { return [f](const leaves& y) { return jq::grad([f](const leaves& z) { return jq::sum(f(z)[0]); })(y); }; };
    for (const std::vector<int>& axes : {std::vector<int>{0, 0}, {0, jq::none}, {jq::none, 0}}) {
      leaves x = operands({3});
      for (std::size_t k = 0; k < 2; ++k)
        if (axes[k] != jq::none) x[k] = drawn({2, 3}, 11 + k);
      r.add("vmap of grad", close(jq::testing::mapped(gradient(c.f), axes)(x), jq::testing::mapped(gradient(polynomial_of), axes)(x)));
      r.add("grad of vmap", close(gradient(jq::testing::mapped(c.f, axes))(x), gradient(jq::testing::mapped(polynomial_of, axes))(x)));
    }
    return r;
  });
}
TEST_CASE("callbacks without a rule say what to do, under every derivative") {
  for (const law_case& c : cases) {
    INFO(c.name);
    const leaves x = operands({3});
    if (!c.forwards) CHECK_THROWS_AS(jq::testing::tangents_of(c.f, x, x), jq::error);  // of custom_vjp it is a type_error
    if (!c.backwards) CHECK_THROWS_AS(jq::testing::cotangents_of(c.f, x, {x[0]}), jq::not_implemented);
    if (!c.batches) CHECK_THROWS_AS(jq::testing::mapped(c.f, {0, 0})(operands({3, 3})), jq::not_implemented);
  }
}
TEST_CASE("mask: callbacks see values of constant sizes; those of symbolic sizes are shown, or refused by name") {
  for_each_case([](const law_case& c) {
    report r;
    // The sum is what a callback gets; the values behind it are padded.
    const auto sums = [&](const leaf_function& f) {
      return [f](const leaves& x) { return leaves{f({jq::sum(x[0] * x[1]), jq::sum(x[1])})[0] + jq::sum(x[0])}; };
    };
    const leaves x = operands({4});
    if (!(c.forwards && c.backwards)) {
      r.add("values", jq::testing::check_mask(sums(c.f), {"n", "n"}, x, {{"n", 3}}, false));
    } else r.add("values and derivatives", jq::testing::check_mask(sums(c.f), {"n", "n"}, x, {{"n", 3}}));
    if (c.watches) {
      r.add("symbolic sizes", jq::testing::check_mask(c.f, {"n", "n"}, x, {{"n", 3}}));
      return r;
    }
    try {
      jq::mask([&](const array& a, const array& b) { return c.f({a, b})[0]; }, jq::in_shapes<"n", "n">, jq::out_shape<"n">)(
          jq::args(x[0], x[1]), jq::dims{{"n", 3}});
      r.fail("symbolic sizes were accepted");
    } catch (const jq::not_implemented& e) {
      const std::string what = e.what();
      if (what.find("' not implemented: its function can neither get nor return arrays of symbolic sizes") == what.npos &&
          what.find("masking rules are implemented only for id_tap, not for call.") == what.npos)
        r.fail("symbolic sizes: ", std::string_view(what));
    }
    return r;
  });
}
TEST_CASE("effects: once per example and run, whatever is done to the program; none of it while tracing") {
  int calls = 0;
  const auto count = [&](const array& x) {
    ++calls;
    return x;
  };
  const auto io = [&](const array& x) { return jq::io_callback(count, x, x) * x; };
  const auto debug = [&](const array& x) {
    jq::debug::callback([&](const array&) { ++calls; }, x);
    return x * x;
  };
  const auto runs = [&](auto&& program) {
    calls = 0;
    program();
    jq::barrier_wait();
    return calls;
  };
  const array three = drawn({3}, 1), table = drawn({2, 3}, 2);
  const auto each = [&](const auto& f) {
    CHECK(runs([&] { f(three[0]); }) == 1);
    CHECK(runs([&] { jq::jit(f)(three[0]); }) == 1);
    CHECK(runs([&] { jq::vmap(f)(three); }) == 3);
    CHECK(runs([&] { jq::jit(jq::vmap(jq::vmap(f)))(table); }) == 6);
    CHECK(runs([&] { lax::map(f, three); }) == 3);
    CHECK(runs([&] { jq::jit([&](const array& x) { return lax::fori_loop(0, 5, [&](const array&, const array& v) { return f(v); }, x); })(three[0]); }) == 5);
    CHECK(runs([&] { jq::make_jaxpr(jq::vmap(f))(three); }) == 0);
    CHECK(runs([&] { jq::eval_shape(f)(three); }) == 0);
  };
  each(io);
  each(debug);
  // The derivative looks at primals, once.
  CHECK(runs([&] { jq::grad(debug)(three[0]); }) == 1);
  CHECK(runs([&] { jq::jit(jq::grad(jq::grad(debug)))(three[0]); }) == 1);
  CHECK(runs([&] { jq::vmap(jq::grad(debug))(three); }) == 3);
}
