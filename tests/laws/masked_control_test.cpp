// Laws of mask for primitives that hold programs: a masked loop, branch or function with a rule computes on padded arrays what it
// computes on arrays of the logical sizes, whatever the padding holds, and so do its derivatives; in ragged batches, compiled, and
// under one mask within another. Every primitive that holds a program must be covered.
#include "row.hpp"

#include <jacquard/control/control.hpp>
#include <jacquard/testing/masking.hpp>

#include <set>

using namespace laws;
using jq::testing::check_mask;
using jq::testing::report;
using jq::testing::size_list;

namespace {

using two = std::pair<array, array>;
using function = std::function<leaves(const leaves&)>;

/// A function of f64 leaves, the specification of each, its padded shape, and logical sizes, those of one example after another.
struct program {
  std::string name;
  function f;
  std::vector<std::string> specs;
  std::vector<shape> padded;
  std::vector<size_list> sizes;
  bool backwards = true;  ///< has a reverse mode
  bool forwards = true;   ///< and a forward mode
};

/// Primitives seen under mask.
std::set<std::string_view> covered;
void cover(const jq::jaxpr& p) {
  for (const jq::equation& e : p.equations) {
    covered.insert(e.op->name);
    const jq::param_view params = p.params(e);
    for (std::uint32_t i = 0; i < params.sub_count; ++i) cover(*params.subs[i]);
  }
}

/// Arguments of one example: padded ones, of which the rest is garbage, and ones of the logical sizes.
struct example {
  leaves soiled, logical;
};
example make_example(const program& p, const size_list& sizes, std::uint64_t seed) {
  example r;
  const jq::testing::run_time_specs in{p.specs};
  for (std::size_t k = 0; k < p.padded.size(); ++k) {
    const array x = jq::testing::sample(jq::aval(jq::f64, p.padded[k]), seed + k, 0.4, 1.6);
    const shape s = jq::testing::detail::logical_shape(in.specs()[k], p.padded[k], sizes);
    r.soiled.push_back(jq::testing::detail::soiled(x, s));
    r.logical.push_back(jq::testing::detail::prefix(x, s));
  }
  return r;
}
leaves values_of(const size_list& sizes) {
  leaves r;
  for (const auto& size : sizes) r.push_back(jq::asarray(size.second));
  return r;
}
/// f masked, its sizes being arguments; its results without their shapes.
auto masked(const function& f, const std::vector<std::string>& specs, const size_list& names) {
  return [=](const leaves& x, const leaves& sizes) {
    jq::dims d;
    for (std::size_t i = 0; i < names.size(); ++i) d.emplace(std::string_view(names[i].first), sizes[i]);
    leaves r = jq::testing::detail::masked_function(f, {specs}, d)(x);
    r.resize(r.size() / 2);
    return r;
  };
}
/// The same under one mask for each name: a specification holds `_` for the names of others.
auto masked_one_by_one(const program& p) {
  const size_list names = p.sizes[0];
  return [=](const leaves& x, const leaves& sizes) {
    function f = p.f;
    for (std::size_t i = 0; i < names.size(); ++i) {
      std::vector<std::string> specs = p.specs;
      for (std::string& s : specs)
        for (char& c : s)
          for (const auto& other : names)
            if (c == other.first[0] && other.first != names[i].first) c = '_';
      f = [=, inner = f](const leaves& y) { return masked(inner, specs, {names[i]})(y, {sizes[i]}); };
    }
    return f(x);
  };
}
/// A scalar of all results, in which padding would show, with its gradient.
auto loss_of(const auto& f) {
  return jq::value_and_grad([=](const leaves& x, const auto&... more) {
    array sum = jq::asarray(0.0);
    for (const array& y : f(x, more...)) sum = sum + jq::sum(jq::sin(y));
    return sum;
  });
}
/// Value and gradient of a masked loss against those of the plain one.
void compare(report& r, std::string_view how, const program& p, std::size_t number, const example& at, const std::pair<array, leaves>& got) {
  const auto want = loss_of(p.f)(at.logical);
  r.add(jq::cat(how, ", example ", number, ", value").view(), jq::testing::all_close(got.first, want.first, 1e-12, 1e-12));
  for (std::size_t k = 0; k < at.logical.size(); ++k)
    r.add(jq::cat(how, ", example ", number, ", gradient ", k).view(), jq::testing::detail::check_padded(got.second[k], want.second[k], 1e-11));
}
std::pair<array, leaves> row_of(const std::pair<array, leaves>& all, std::size_t i) {
  leaves g;
  for (const array& x : all.second) g.push_back(x(std::int64_t(i)));
  return {all.first(std::int64_t(i)), g};
}
/// f compiled, for the backend that promises the bits of f: the derivatives are steep.
auto compiled(auto f) { return jq::jit(f, jq::backend("interpreter")); }
/// Gradients of each example alone and compiled, nested, and of all of them as one ragged batch.
report check_gradients(const program& p) {
  report r;
  const auto loss = loss_of(masked(p.f, p.specs, p.sizes[0]));
  std::vector<example> examples;
  leaves x(p.padded.size()), sizes(p.sizes[0].size());
  for (std::size_t i = 0; i < p.sizes.size(); ++i) {
    examples.push_back(make_example(p, p.sizes[i], 31 + 7 * i));
    const leaves n = values_of(p.sizes[i]);
    const auto append = [&](array& to, const array& one) { to = i == 0 ? jq::expand_dims(one, 0) : jq::concatenate({to, jq::expand_dims(one, 0)}); };
    for (std::size_t k = 0; k < x.size(); ++k) append(x[k], examples[i].soiled[k]);
    for (std::size_t k = 0; k < n.size(); ++k) append(sizes[k], n[k]);
    compare(r, "grad", p, i, examples[i], loss(examples[i].soiled, n));
    compare(r, "jit of grad", p, i, examples[i], compiled(loss)(examples[i].soiled, n));
    if (n.size() > 1) compare(r, "grad of masks one by one", p, i, examples[i], loss_of(masked_one_by_one(p))(examples[i].soiled, n));
  }
  const auto batch = jq::vmap(loss)(x, sizes), fast = compiled(jq::vmap(loss))(x, sizes);
  for (std::size_t i = 0; i < examples.size(); ++i) {
    compare(r, "vmap of grad", p, i, examples[i], row_of(batch, i));
    compare(r, "jit of vmap of grad", p, i, examples[i], row_of(fast, i));
  }
  return r;
}
/// Values and forward mode, of each example alone; values as one ragged batch.
report check_values(const program& p) {
  report r;
  leaves x(p.padded.size()), sizes(p.sizes[0].size());
  std::vector<leaves> want;
  for (std::size_t i = 0; i < p.sizes.size(); ++i) {
    const example e = make_example(p, p.sizes[i], 53 + 5 * i);
    const leaves n = values_of(p.sizes[i]);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = i == 0 ? jq::expand_dims(e.soiled[k], 0) : jq::concatenate({x[k], jq::expand_dims(e.soiled[k], 0)});
    for (std::size_t k = 0; k < n.size(); ++k) sizes[k] = i == 0 ? jq::expand_dims(n[k], 0) : jq::concatenate({sizes[k], jq::expand_dims(n[k], 0)});
    want.push_back(p.f(e.logical));
    r.add(jq::cat("example ", i).view(), check_mask(p.f, p.specs, e.soiled, p.sizes[i], p.backwards && p.forwards));
  }
  const auto rows = compiled(jq::vmap(masked(p.f, p.specs, p.sizes[0])))(x, sizes);
  for (std::size_t i = 0; i < want.size(); ++i)
    for (std::size_t o = 0; o < rows.size(); ++o)
      r.add(jq::cat("vmap, example ", i, ", result ", o).view(), jq::testing::detail::check_padded(rows[o](std::int64_t(i)), want[i][o], 1e-12));
  return r;
}
void check_all(const std::vector<program>& programs) {
  for (const program& p : programs) {
    report r;
    try {
      cover(*jq::make_jaxpr(p.f)(make_example(p, p.sizes[0], 1).logical).program);
      r.add("values", check_values(p));
      if (p.backwards) r.add("gradients", check_gradients(p));
    } catch (const std::exception& e) {
      r.fail("threw: ", std::string_view(e.what()));
    }
    INFO(p.name << "\n" << r.text);
    CHECK(r.ok);
  }
}
std::vector<size_list> lengths(std::vector<std::int64_t> of) {
  std::vector<size_list> r;
  for (std::int64_t n : of) r.push_back({{"n", n}});
  return r;
}
std::vector<size_list> lengths(std::vector<std::int64_t> of, std::vector<std::int64_t> and_of) {
  std::vector<size_list> r;
  for (std::size_t i = 0; i < of.size(); ++i) r.push_back({{"n", of[i]}, {"m", and_of[i]}});
  return r;
}
array half() { return jq::asarray(0.5); }

/// A step whose derivative is not finite where an element is zero, as padding is.
two singular_step(const array& w, const array& c, const array& x) {
  const array h = jq::tanh(c * w + jq::log(x * x));
  return {h, h / x};
}
/// Steps of a recurrent network: matrices do not differ between trips, nor between examples.
two network_step(const array& w, const array& c, const array& x) {
  const array h = jq::tanh(jq::dot(c, w) + x);
  return {h, jq::log_softmax(h)};
}

}  // namespace

TEST_CASE("mask of scans over a symbolic length, in both directions: the carry stays past the logical length") {
  for (const bool reverse : {false, true}) {
    CAPTURE(reverse);
    const auto over = [=](auto step) -> function {
      return [=](const leaves& x) {
        const two r = lax::scan([&](const array& c, const array& e) { return step(x[0], c, e); }, x[1], x[2], {.reverse = reverse});
        return leaves{r.first, r.second};
      };
    };
    check_all({{"scalars", over(singular_step), {"", "", "n"}, {{}, {}, {5}}, lengths({3, 5, 1, 0})},
               {"rows of a symbolic size", over(singular_step), {"m", "m", "(n, m)"}, {{4}, {4}, {5, 4}}, lengths({3, 5, 0, 2}, {2, 0, 3, 4})},
               {"a network", over(network_step), {"(3, 3)", "3", "(n, 3)"}, {{3, 3}, {3}, {5, 3}}, lengths({2, 0, 5})},
               {"a network that reads something", over(network_step), {"(3, 3)", "3", "(n + 1, 3)"}, {{3, 3}, {3}, {6, 3}}, lengths({2, 0, 5})},
               {"a length between two sizes", [=](const leaves& x) {
                  const auto step = [&](const array& c, const array& e) { return two{c * e + 1.0, c}; };
                  const two r = lax::scan(step, jq::asarray(1.0), jq::concatenate({x[0], x[1]}), {.reverse = reverse});
                  return leaves{r.first, r.second};
                }, {"n", "m"}, {{3}, {4}}, lengths({2, 0, 3}, {1, 0, 4})}});
  }
}
TEST_CASE("mask of scans over a constant length, with symbolic sizes inside") {
  const auto step = [](const array& c, const array& e) { return two{c / jq::sum(c * c) + jq::log(e * e), jq::cumsum(c)}; };
  check_all({{"rows", [=](const leaves& x) {
                const two r = lax::scan(step, x[0], x[1]);
                return leaves{r.first, r.second};
              }, {"n", "(3, n)"}, {{4}, {3, 4}}, lengths({2, 4, 1})},
             {"fori_loop", [](const leaves& x) {
                return leaves{lax::fori_loop(0, 3, [&](const array& i, const array& c) { return jq::sin(c) + jq::sum(x[1]) * i; }, x[0])};
              }, {"n", "m"}, {{4}, {3}}, lengths({2, 4, 0}, {3, 0, 2})},
             {"fori_loop to a size", [](const leaves& x) {
                return leaves{lax::fori_loop(0, x[0].shape()[0], [&](const array& i, const array& c) { return c * x[1] + i; }, half())};
              }, {"n", ""}, {{4}, {}}, lengths({2, 4, 0})},
             {"map", [](const leaves& x) { return leaves{lax::map([](const array& row) { return row / jq::sum(row); }, x[0])}; }, {"(n, m)"}, {{4, 3}},
              lengths({2, 4, 0}, {3, 1, 2})}});
}
TEST_CASE("mask of while_loop: the condition and the body see the logical part") {
  const auto halved = [](const leaves& x) {
    const auto go_on = [](const two& c) { return jq::sum(c.first) > 0.01; };
    const auto step = [&](const two& c) { return two{c.first / 2.0, c.second + jq::log(x[1] * x[1])}; };
    const two r = lax::while_loop(go_on, step, two{x[0] * x[0], x[1]});
    return leaves{r.first, r.second};
  };
  const auto counted = [](const leaves& x) {
    const auto step = [&](const array& i, const array& c) { return c * jq::sum(x[0]) + i; };
    return leaves{lax::fori_loop(array(0), lax::convert_element_type(jq::dim_as_value(x[0], 0), jq::i32), step, half())};
  };
  check_all({{"while", halved, {"n", "m"}, {{4}, {3}}, lengths({2, 4, 0}, {3, 1, 2}), false},
             {"fori_loop to a value", counted, {"n"}, {{4}}, lengths({2, 4, 0}), false}});
  // Forward mode.
  const example e = make_example({"", {}, {"n", "m"}, {{4}, {3}}, {}}, {{"n", 2}, {"m", 3}}, 5);
  const auto f = [&](const leaves& x) { return masked(halved, {"n", "m"}, {{"n", 2}, {"m", 3}})(x, {jq::asarray(2), jq::asarray(3)}); };
  const auto plain = jq::jvp(halved, jq::primals(e.logical), jq::tangents(e.logical)).second;
  const auto padded = jq::jvp(f, jq::primals(e.soiled), jq::tangents(e.soiled)).second;
  for (std::size_t i = 0; i < plain.size(); ++i) CHECK(jq::testing::detail::check_padded(padded[i], plain[i], 1e-12).ok);
}
TEST_CASE("mask of while_loop within loops that may be empty: it does not run where there is nothing to run on, in ragged batches too") {
  // A step of zero, as padding has it, would never arrive.
  const auto climb = [](const array& from, const array& step) {
    return lax::while_loop([&](const array& y) { return y < from + 1.0; }, [&](const array& y) { return y + step; }, from);
  };
  const auto over = [=](auto f) {
    return [=](const array& c, const array& xs) { return lax::scan([=](const array& y, const array& x) { return two{f(y, x), y}; }, c, xs); };
  };
  const auto twice = [=](const array& from, const array& step) {
    const auto go_on = [&](const array& y) { return y < from + 2.5; };
    return lax::while_loop(go_on, [&](const array& y) { return climb(y, step); }, from);
  };
  const auto known = jq::custom_jvp(climb, [=](const std::tuple<array, array>& x, const std::tuple<array, array>& t) {
    const array steps = (climb(std::get<0>(x), std::get<1>(x)) - std::get<0>(x)) / std::get<1>(x);
    return two{climb(std::get<0>(x), std::get<1>(x)), std::get<0>(t) + lax::stop_gradient(jq::round(steps)) * std::get<1>(t)};
  });
  const auto both = [](const two& r) { return leaves{r.first, r.second}; };
  check_all({{"a loop each trip", [=](const leaves& x) { return both(over(climb)(half(), x[0])); }, {"n"}, {{3}}, lengths({2, 0, 3}), false},
             {"two loops each trip", [=](const leaves& x) { return both(over(twice)(half(), x[0])); }, {"n"}, {{3}}, lengths({0, 2, 3}), false},
             {"loops of two sizes", [=](const leaves& x) {
                const auto row = [=](const array& c, const array& xs) { return two{over(climb)(c, xs).first, c}; };
                return both(lax::scan(row, half(), x[0]));
              }, {"(n, m)"}, {{3, 2}}, lengths({2, 0, 3, 0}, {2, 1, 0, 0}), false},
             {"a rule each trip", [=](const leaves& x) { return both(over(known)(half(), x[0])); }, {"n"}, {{3}}, lengths({2, 0, 3})}});
}
TEST_CASE("mask of cond and switch: branches see the logical part, the choice may depend on it") {
  check_all({{"cond", [](const leaves& x) {
                const two r = lax::cond(jq::sum(x[0]) > 2.2, [](const array& a, const array& b) { return two{a * jq::sum(jq::log(b * b)), a}; },
                                        [](const array& a, const array& b) { return two{jq::cumsum(a) / jq::sum(b), 1.0 / a}; }, x[0], x[1]);
                return leaves{r.first, r.second};
              }, {"n", "m"}, {{4}, {3}}, lengths({2, 4, 1, 3}, {3, 1, 2, 2})},
             {"switch by a size", [](const leaves& x) {
                const std::tuple branches{[](const array& a) { return 1.0 / a; }, [](const array& a) { return jq::softmax(a); },
                                          [](const array& a) { return jq::log(a * a) * jq::sum(a); }};
                return leaves{lax::switch_(jq::dim_as_value(x[0], 0) - 1, branches, x[0])};
              }, {"n"}, {{4}}, lengths({2, 4, 0, 1})},
             {"cond in a scan", [](const leaves& x) {
                const auto step = [](const array& c, const array& e) {
                  const array y = lax::cond(e > 1.0, [](const array& a, const array& b) { return a / b; }, [](const array& a, const array& b) { return a * b; }, c, e);
                  return two{y, jq::log(e * e) + y};
                };
                const two r = lax::scan(step, half(), x[0]);
                return leaves{r.first, r.second};
              }, {"n"}, {{5}}, lengths({2, 5, 0, 3})}});
}
TEST_CASE("mask of checkpoint: the body, computed again where it was") {
  const auto f = jq::checkpoint([](const array& a, const array& b) { return jq::log(a * a) * jq::sum(jq::sin(b) / b); });
  check_all({{"checkpoint", [=](const leaves& x) { return leaves{f(x[0], x[1])}; }, {"n", "m"}, {{4}, {3}}, lengths({2, 4, 0}, {3, 0, 2})},
             {"a checkpoint each trip", [=](const leaves& x) {
                return leaves{lax::scan([=](const array& c, const array& e) { return two{jq::tanh(f(c, e)), c}; }, x[0], x[1]).first};
              }, {"m", "(n, m)"}, {{3}, {4, 3}}, lengths({2, 4, 0}, {3, 1, 2})}});
}

namespace {

/// sum(log(a a)) b with rules that are not its derivatives: twice those, which shows that they ran.
const auto scaled = [](const array& a, const array& b) { return jq::sum(jq::log(a * a)) * b; };
const auto with_jvp = jq::custom_jvp(scaled, [](const std::tuple<array, array>& x, const std::tuple<array, array>& t) {
  const auto& [a, b] = x;
  const auto& [da, db] = t;
  return two{scaled(a, b), 4.0 * jq::sum(da / a) * b + 2.0 * jq::sum(jq::log(a * a)) * db};
});
const auto with_vjp = jq::custom_vjp(
    scaled, [](const array& a, const array& b) { return std::pair{scaled(a, b), std::tuple{a, jq::sum(jq::log(a * a)), b}}; },
    [](const std::tuple<array, array, array>& r, const array& ct) {
      const auto& [a, s, b] = r;
      return std::tuple{4.0 * jq::sum(ct * b) / a, 2.0 * s * ct};
    });
const auto with_gradient = jq::custom_gradient([](const array& a) {
  return std::pair{jq::log(a * a), [=](const array& ct) { return std::tuple{4.0 * ct / a}; }};
});
const auto running = jq::custom_batching([](const array& a) { return jq::log(a * a) * jq::sum(a); },
                                         [](const jq::mapped_arguments&, const array& a) { return jq::log(a * a) * jq::expand_dims(jq::sum(a, 1), 1); });

}  // namespace

TEST_CASE("mask of functions with rules: function and rule run on padded arrays") {
  const std::vector<size_list> sizes = lengths({2, 4, 0}, {3, 0, 2});
  const auto in_a_loop = [](auto f) {
    return [=](const leaves& x) {
      const two r = lax::scan([=](const array& c, const array& e) { return two{jq::tanh(f(e, c)), c}; }, x[0], x[1]);
      return leaves{r.first, r.second};
    };
  };
  check_all({{"custom_jvp", [](const leaves& x) { return leaves{with_jvp(x[0], x[1])}; }, {"n", "m"}, {{4}, {3}}, sizes},
             {"custom_jvp in a loop", in_a_loop(with_jvp), {"m", "(n, m)"}, {{3}, {4, 3}}, lengths({2, 4, 0}, {3, 1, 2})},
             {"custom_vjp", [](const leaves& x) { return leaves{with_vjp(x[0], x[1])}; }, {"n", "m"}, {{4}, {3}}, sizes, true, false},
             {"custom_vjp in a loop", in_a_loop(with_vjp), {"m", "(n, m)"}, {{3}, {4, 3}}, lengths({2, 4, 0}, {3, 1, 2}), true, false},
             {"custom_gradient", [](const leaves& x) { return leaves{with_gradient(x[0])}; }, {"n"}, {{4}}, lengths({2, 4, 0}), true, false},
             {"custom_batching", [](const leaves& x) { return leaves{running(x[0])}; }, {"n"}, {{4}}, lengths({2, 4, 0})},
             {"custom_batching, mapped", [](const leaves& x) { return leaves{jq::vmap(running)(x[0])}; }, {"(n, m)"}, {{4, 3}}, sizes}});
}
TEST_CASE("mask of gradients within: the programs that differentiation makes can be masked too") {
  const auto gradient = [](auto f) {
    return [=](const leaves& x) {
      return leaves{jq::grad([&](const array& v) { return jq::sum(jq::sin(f(v, x[1]))); })(x[0])};
    };
  };
  const auto scan = [](const array& v, const array& w) {
    return lax::scan([&](const array& c, const array& e) { return singular_step(w, c, e); }, half(), v).second;
  };
  const auto choice = [](const array& v, const array& w) {
    return lax::cond(w > 1.0, [](const array& a) { return jq::log(a * a); }, [](const array& a) { return 1.0 / a; }, v);
  };
  const std::vector<size_list> sizes = lengths({2, 4, 0});
  check_all({{"scan", gradient(scan), {"n", ""}, {{4}, {}}, sizes},
             {"cond", gradient(choice), {"n", ""}, {{4}, {}}, sizes},
             {"checkpoint", gradient(jq::checkpoint(scan)), {"n", ""}, {{4}, {}}, sizes},
             {"custom_jvp", gradient(with_jvp), {"n", "m"}, {{4}, {3}}, lengths({2, 4, 0}, {3, 0, 2})},
             {"custom_vjp", gradient(with_vjp), {"n", "m"}, {{4}, {3}}, lengths({2, 4, 0}, {3, 0, 2}), false}});
}
namespace {

/// x += (b - matvec(x)) / 8 until b is met as well as rounding allows.
const auto richardson = [](const auto& matvec, const array& b) {
  const auto far = [&](const two& at) { return jq::sum(jq::abs(b - matvec(at.first))) < at.second; };
  const auto closer = [&](const two& at) { return two{at.first + (b - matvec(at.first)) * 0.125, jq::sum(jq::abs(b - matvec(at.first)))}; };
  return lax::while_loop(far, closer, two{b * 0.0, jq::sum(jq::abs(b)) + 1.0}).first;
};
/// (m + 6) x = b.
array solution(const array& m, const array& b) {
  return lax::custom_linear_solve([&](const array& x) { return jq::dot(m, x) + x * 6.0; }, b, richardson, richardson);
}
/// (m m' + 6 c) x = b, by a method of a fixed number of steps.
array symmetric_solution(const array& m, const array& c, const array& b) {
  const auto steps = [](const auto& matvec, const array& y) {
    return lax::fori_loop(0, 200, [&](const array&, const array& x) { return x + (y - matvec(x)) * 0.06; }, y * 0.0);
  };
  return lax::custom_symmetric_solve([&](const array& x) { return jq::dot(m, jq::dot(jq::transpose(m), x)) + x * 6.0 * c; }, b, steps);
}
/// m x + 6 x + s y = a, t x + 6 y = c: a system of a vector and a number, whose matrix is not symmetric.
leaves solution_of_two(const array& m, const array& s, const array& t, const array& a, const array& c) {
  const auto matvec = [&](const two& v) { return two{jq::dot(m, v.first) + v.first * 6.0 + s * v.second, jq::sum(t * v.first) + v.second * 6.0}; };
  const auto steps = [](const auto& f, const two& b) {
    return lax::fori_loop(0, 200, [&](const array&, const two& v) {
      const two y = f(v);
      return two{v.first + (b.first - y.first) * 0.1, v.second + (b.second - y.second) * 0.1};
    }, two{b.first * 0.0, b.second * 0.0});
  };
  const two r = lax::custom_linear_solve(matvec, two{a, c}, steps, steps);
  return {r.first, r.second};
}
/// x + sin(m x) / 8 = b.
array root(const array& m, const array& b) {
  const auto f = [&](const array& x) { return x + jq::sin(jq::dot(m, x)) * 0.125 - b; };
  const auto method = [](const auto& g, const array& start) {
    return lax::fori_loop(0, 100, [&](const array&, const array& x) { return x - g(x) * 0.7; }, start);
  };
  const auto tangent_solve = [](const auto& g, const array& y) {
    const auto steps = [](const auto& h, const array& v) {
      return lax::fori_loop(0, 100, [&](const array&, const array& x) { return x + (v - h(x)) * 0.7; }, v * 0.0);
    };
    return lax::custom_linear_solve(g, y, steps, steps);
  };
  return lax::custom_root(f, b * 0.0, method, tangent_solve);
}

}  // namespace

TEST_CASE("mask of linear systems and roots of symbolic size: methods see the logical part, derivatives are those of the solution") {
  const std::vector<size_list> sizes = lengths({2, 3, 1, 0});
  const auto in_a_loop = [](const leaves& x) {
    const auto step = [&](const array& c, const array& b) {
      const array y = solution(x[0], b + c);
      return two{jq::tanh(y), jq::log(b * b) * y};
    };
    const two r = lax::scan(step, x[1], x[2]);
    return leaves{r.first, r.second};
  };
  const auto gradient = [](const leaves& x) {
    return leaves{jq::grad([&](const array& m) { return jq::sum(jq::sin(solution(m, x[1]))); })(x[0])};
  };
  check_all({{"custom_linear_solve", [](const leaves& x) { return leaves{solution(x[0], x[1])}; }, {"(n, n)", "n"}, {{3, 3}, {3}}, sizes},
             {"a symmetric system", [](const leaves& x) { return leaves{symmetric_solution(x[0], x[1], x[2])}; }, {"(n, m)", "n", "n"},
              {{3, 2}, {3}, {3}}, lengths({2, 3, 0, 1}, {2, 1, 2, 0})},
             {"a system of two", [](const leaves& x) { return solution_of_two(x[0], x[1], x[2], x[3], x[4]); }, {"(n, n)", "n", "n", "n", ""},
              {{3, 3}, {3}, {3}, {3}, {}}, sizes},
             {"a system each trip", in_a_loop, {"(m, m)", "m", "(n, m)"}, {{2, 2}, {2}, {3, 2}}, lengths({2, 3, 0}, {1, 2, 2})},
             {"custom_root", [](const leaves& x) { return leaves{root(x[0], x[1])}; }, {"(n, n)", "n"}, {{3, 3}, {3}}, sizes},
             {"a gradient within", gradient, {"(n, n)", "n"}, {{3, 3}, {3}}, sizes}});
}
TEST_CASE("mask of the tangents of a custom_vjp function: the pullback runs on padded arrays") {
  // They can only be transposed, so that no other law applies.
  const auto tangent = [](const array& a, const array& b, const array& da, const array& db) {
    return std::get<1>(jq::linearize(with_vjp, a, b))(da, db);
  };
  const auto back_of = [](const auto& f, const example& e) {
    const auto linear = [&](const array& da, const array& db) { return f(da, db); };
    return std::apply([](const auto&... ct) { return leaves{ct...}; },
                      jq::linear_transpose(linear, e.soiled[0], e.soiled[1])(jq::ones(e.soiled[1].shape(), jq::f64)));
  };
  const auto masked_tangent = [&](const example& e, const array& n, const array& m) {
    return [&, n, m](const array& da, const array& db) {
      return jq::mask(tangent, jq::in_shapes<"n", "m", "n", "m">, jq::out_shape<"m">)(jq::args(e.soiled[0], e.soiled[1], da, db),
                                                                                     jq::dims{{"n", n}, {"m", m}});
    };
  };
  for (const auto& size : lengths({2, 4, 0}, {3, 1, 2})) {
    const example e = make_example({"", {}, {"n", "m"}, {{4}, {3}}, {}}, size, 17);
    const leaves n = values_of(size);
    const leaves want = std::get<0>(jq::vjp([&](const leaves& x) { return with_vjp(x[0], x[1]); }, e.logical).second(jq::ones(e.logical[1].shape(), jq::f64)));
    cover(*jq::make_jaxpr(masked_tangent(e, n[0], n[1]))(e.soiled[0], e.soiled[1]).program);
    const leaves got = back_of(masked_tangent(e, n[0], n[1]), e);
    const leaves fast = compiled([&](const array& p, const array& q) { return back_of(masked_tangent(e, p, q), e); })(n[0], n[1]);
    for (std::size_t k = 0; k < want.size(); ++k) {
      CHECK(jq::testing::detail::check_padded(got[k], want[k], 1e-12).ok);
      CHECK(jq::testing::detail::check_padded(fast[k], want[k], 1e-12).ok);
    }
  }
}
TEST_CASE("every primitive that holds programs has been masked, but for call, whose law is in masking_test.cpp") {
  const auto check = []<class... P>(jq::type_list<P...>) {
    for (const jq::primitive* op : {&jq::table_of<P>()...}) {
      INFO("primitive '" << std::string(op->name) << "' has no masking rule, or no law test of it");
      CHECK(bool(op->mask));
      CHECK((covered.contains(op->name) || op->name == "call"));
    }
  };
  check(jq::control_prims{});
  check(jq::type_list<jq::custom_vjp_p, jq::custom_lin_p, jq::custom_batching_p, jq::linear_solve_p>{});
}
