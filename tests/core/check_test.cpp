// The type checker finds programs broken by hand: scopes, types, effects, operand counts, nested bodies, axis names.
#include <jacquard/core/check.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include <functional>

#include "../show.hpp"

using jq::atom;

namespace {

/// { lambda a ; b. let c = mul a b; d = reduce_sum[axes=(0,)] c in (d,) }
jq::jaxpr sample() {
  const jq::array w = jq::ones({3});
  return *jq::make_jaxpr([&](jq::array x) { return total(w * x); })(w);
}
std::string problem(const jq::jaxpr& p) { return std::string(jq::check_jaxpr(p).message.view()); }
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

/// Counts how often its types are inferred.
struct counted_p : jq::elementwise<counted_p, jq::numbers, 1> {
  static constexpr std::string_view name = "counted";
  static inline int inferred = 0;
  static constexpr void abstract_eval(jq::inference& c) {
    if (!std::is_constant_evaluated()) ++inferred;
    c.outputs.push_back(c.in[0]);
  }
  template <class T>
  static constexpr T apply(T x) {
    return x;
  }
};

}  // namespace

TEST_CASE("bodies are checked once, however deep they lie") {
  const auto checked = [](int depth) {
    std::function<jq::array(jq::array, int)> nest = [&](jq::array x, int n) -> jq::array {
      if (n == 0) return x;
      return jq::jit([&](jq::array y) { return nest(jq::bind<counted_p>({}, {}, y), n - 1); })(x);
    };
    counted_p::inferred = 0;
    (void)jq::make_jaxpr([&](jq::array x) { return nest(x, depth); })(jq::array(1.f));
    return counted_p::inferred;
  };
  const int few = checked(10), many = checked(40);
  CHECK(many <= 4 * few);
}

TEST_CASE("bodies of collectives are checked wherever they lie: their types follow from axes") {
  const jq::axis_binding bound{"i", 3, nullptr};
  jq::vmap([&](jq::array x) {
    const jq::closed_jaxpr p = jq::make_jaxpr([](jq::array y) { return jq::jit([](jq::array z) { return lax::all_gather(z, "i"); })(y); })(x);
    CHECK_FALSE(jq::check_jaxpr(p, &bound));
    const jq::axis_binding other{"i", 4, nullptr};
    CHECK(jq::check_jaxpr(p, &other));
    CHECK(jq::check_jaxpr(p));
    return x;
  }, jq::axis_name<"i">)(jq::ones({3}));
}

TEST_CASE("traced programs are well typed") {
  CHECK(problem(sample()).empty());
  const auto f = [](jq::array x) { return total(lax::sin(x) * jq::jit([](jq::array y) { return y * y; })(x)); };
  for (const auto& p : {jq::make_jaxpr(f)(jq::ones({3})), jq::make_jaxpr(jq::grad(f))(jq::ones({3})),
                        jq::make_jaxpr(jq::vmap(f))(jq::ones({2, 3})), jq::make_jaxpr(jq::hessian(f))(jq::ones({3}))})
    CHECK(problem(*p).empty());
}

TEST_CASE("scopes") {
  jq::jaxpr p = sample();
  SUBCASE("used before its definition") {
    std::swap(p.equations[0], p.equations[1]);
    CHECK(has(problem(p), "before its definition"));
  }
  SUBCASE("defined twice by equations") {
    p.equations.push_back(p.equations[0]);
    CHECK(has(problem(p), "defined twice"));
  }
  SUBCASE("input defined twice") {
    p.invars.push_back(p.invars[0]);
    CHECK(has(problem(p), "defined twice"));
  }
  SUBCASE("constvar defined twice") {
    p.constvars.push_back(p.constvars[0]);
    CHECK(has(problem(p), "defined twice"));
  }
  SUBCASE("input out of range") {
    p.invars[0] = 99;
    CHECK(has(problem(p), "no type"));
  }
  SUBCASE("operand out of range") {
    p.operands[0] = atom::of_variable(99);
    CHECK(has(problem(p), "before its definition"));
  }
  SUBCASE("literal out of range") {
    p.operands[0] = atom::of_literal(99);
    CHECK(has(problem(p), "literal"));
  }
  SUBCASE("result out of range") {
    p.results[0] = 99;
    CHECK_FALSE(problem(p).empty());
  }
  SUBCASE("output that nobody defines") {
    p.outvars.push_back(atom::of_variable(p.new_variable({jq::f32, {}})));
    CHECK(has(problem(p), "never defined"));
  }
  SUBCASE("output out of range") {
    p.outvars[0] = atom::of_variable(99);
    CHECK(has(problem(p), "never defined"));
    p.outvars[0] = atom::of_literal(99);
    CHECK(has(problem(p), "literal"));
  }
}

TEST_CASE("types") {
  jq::jaxpr p = sample();
  SUBCASE("of a result") {
    p.avals[p.results[0]].type = jq::f64;
    CHECK(has(problem(p), "f64[3], wanted f32[3]"));
  }
  SUBCASE("shape of a result") {
    p.avals[p.results[1]].dims = {1};
    CHECK(has(problem(p), "reduce_sum"));
  }
  SUBCASE("of operands") {
    p.avals[p.invars[0]].dims = {4};
    CHECK(has(problem(p), "mul"));
  }
  SUBCASE("number of operands") {
    p.equations[0].in.count = 1;
    CHECK(has(problem(p), "wanted 2"));
  }
  SUBCASE("number of results") {
    p.equations[0].out.count = 0;
    CHECK(has(problem(p), "has 0 outputs, wanted 1"));
  }
  SUBCASE("parameters") {
    p.words.back() = 5;
    CHECK(has(problem(p), "reduce_sum"));
  }
}

TEST_CASE("effects") {
  jq::jaxpr p = sample();
  SUBCASE("of an equation") {
    p.equations[0].effects = jq::tap_effect;
    p.effects = jq::tap_effect;
    CHECK(has(problem(p), "effects of its parts"));
  }
  SUBCASE("hidden by the program") {
    const auto tapped = jq::make_jaxpr([](jq::array x) { return jq::id_tap([](const jq::array&) {}, x); })(jq::array(1.f));
    CHECK(tapped->effects == jq::tap_effect);
    jq::jaxpr q = *tapped;
    CHECK(problem(q).empty());
    q.effects = 0;
    CHECK(has(problem(q), "hides effects"));
  }
}

TEST_CASE("nested bodies are checked, and their effects count") {
  const auto f = jq::jit([](jq::array x) { return jq::id_tap([](const jq::array&) {}, x) * 2.f; });
  jq::jaxpr p = *jq::make_jaxpr(f)(jq::array(1.f));
  CHECK(p.effects == jq::tap_effect);
  CHECK(problem(p).empty());
  REQUIRE(p.subs.size() == 1);
  jq::jaxpr body = *p.subs[0];
  body.avals[body.results.back()].type = jq::i8;
  p.subs[0] = jq::jaxpr_ref(body);
  CHECK_FALSE(problem(p).empty());
}

TEST_CASE("constant evaluation") {
  static_assert([] {
    jq::jaxpr p;
    p.invars.push_back(p.new_variable({jq::f32, {}}));
    p.outvars.push_back(atom::of_variable(0));
    const bool good = !jq::check_jaxpr(p);
    p.outvars.push_back(atom::of_variable(1));
    return good && bool(jq::check_jaxpr(p));
  }());
}

namespace {
constinit int fickle_asked = 0;
/// Infers another type whenever it is asked: what a faulty rule looks like to the checker.
struct fickle_p {
  static constexpr std::string_view name = "fickle";
  static constexpr int arity = 1;
  static jq::aval abstract_eval(jq::inference&) { return jq::aval(fickle_asked++ % 2 ? jq::f64 : jq::f32, {}); }
};
}  // namespace

TEST_CASE("programs are checked as they are made") {
  static_assert(JACQUARD_CHECK_PROGRAMS);
  const auto f = [](jq::array x) { return jq::bind<fickle_p>({}, {}, x); };
  const auto traced = testing::message_of<jq::type_error>([&] { jq::make_jaxpr(f)(jq::asarray(1.0f)); });
  CHECK(has(traced, "output 0 of fickle is f32[], wanted f64[]"));
  CHECK(has(traced, "made by make_jaxpr"));

  jq::jaxpr broken = sample();
  broken.avals[broken.outvars[0].index()] = jq::aval(jq::f64, {});
  const jq::closed_jaxpr closed{jq::jaxpr_ref(std::move(broken)), {jq::ones({3})}};
  CHECK(has(testing::message_of<jq::type_error>([&] { jq::simplify(closed); }), "made by simplify"));
}
