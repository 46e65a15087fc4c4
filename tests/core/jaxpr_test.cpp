// Jaxprs as data: atoms, pools, types, shared bodies.
#include <jacquard/core/jaxpr.hpp>

#include <thread>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
using jq::atom;

static_assert(atom::of_variable(5).index() == 5 && !atom::of_variable(5).is_literal());
static_assert(atom::of_literal(7).index() == 7 && atom::of_literal(7).is_literal());
static_assert(atom::of_variable(1) != atom::of_literal(1));

namespace {

/// { lambda ; a:f32[3]. let b:f32[3] = add a 2.0; c:f32[] = reduce_sum[axes=(0,)] b in (c, b) }
constexpr jq::jaxpr sample() {
  jq::jaxpr p;
  const jq::variable a = p.new_variable({jq::f32, {3}});
  p.invars.push_back(a);
  const atom in[] = {atom::of_variable(a), p.add_literal(jq::literal(2.0f))};
  const jq::aval b_type[] = {{jq::f32, {3}}};
  const jq::variable b = p.append(jq::table_of<jq::add_p>(), in, {}, b_type, 0, {});
  const atom in2[] = {atom::of_variable(b)};
  const jq::param_pack axes = jq::encode(jq::reduce_sum_p::params{{0}});
  const jq::aval c_type[] = {{jq::f32, {}}};
  const jq::variable c = p.append(jq::table_of<jq::reduce_sum_p>(), in2, axes, c_type, jq::tap_effect, {});
  p.outvars = {atom::of_variable(c), atom::of_variable(b)};
  return p;
}
static_assert(sample().equations.size() == 2 && sample().avals.size() == 3 && sample().effects == jq::tap_effect);

}  // namespace

TEST_CASE("equations refer to pools") {
  const jq::jaxpr p = sample();
  const jq::equation &add = p.equations[0], &sum = p.equations[1];
  CHECK(p.inputs(add).size() == 2);
  CHECK(p.type_of(p.inputs(add)[1]) == jq::aval(jq::f32, {}));
  CHECK(p.outputs(sum)[0] == 2);
  CHECK(p.params(add).count == 0);
  CHECK(jq::decode<jq::reduce_sum_p::params>(p.params(sum)).axes == jq::int_list{0});
  CHECK(jq::to_string(p) ==
        "{ lambda ; a:f32[3]. let\n    b:f32[3] = add a 2.0:f32[]\n    c:f32[] = reduce_sum[axes=(0,)] b\n  in (c, b) }");
}

TEST_CASE("closed jaxprs know the types of their interface") {
  const jq::closed_jaxpr p{jq::jaxpr_ref(sample()), {}};
  CHECK(p.in_avals() == std::vector<jq::aval>{{jq::f32, {3}}});
  CHECK(p.out_avals() == std::vector<jq::aval>{{jq::f32, {}}, {jq::f32, {3}}});
  const auto r = jq::eval_jaxpr(p, std::vector<jq::array>{jq::asarray({1.f, 2.f, 3.f})});
  CHECK(float(r[0]) == 12.f);
  CHECK(r[1].data<float>()[2] == 5.f);
}

TEST_CASE("references share one body, on any thread") {
  const jq::jaxpr_ref a(sample());
  const jq::jaxpr_ref b = a, c(sample());
  CHECK(a == b);
  CHECK_FALSE(a == c);
  CHECK(&*a == &*b);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([a] {
      for (int i = 0; i < 1000; ++i) const jq::jaxpr_ref d = a;
    });
  for (auto& t : threads) t.join();
  CHECK(a->equations.size() == 2);
  CHECK_FALSE(jq::jaxpr_ref());
}

TEST_CASE("a copy of an equation's parameters stands alone") {
  jq::param_pack pack;
  {
    const jq::jaxpr p = sample();
    pack = p.params(p.equations[1]).pack();
  }
  CHECK(jq::decode<jq::reduce_sum_p::params>(pack).axes == jq::int_list{0});
}
