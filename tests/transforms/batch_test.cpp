// The batching interpreter: which values carry the mapped dimension, and what runs once for all.
#include "../show.hpp"

using jq::array;

namespace {

constexpr jq::text mapped_program() {
  return jq::to_text(jq::make_jaxpr(jq::vmap([](const array& x, const array& y) {
    const array s = lax::sin(y);
    return lax::mul(x, s);
  }, jq::in_axes<1, jq::none>))(jq::zeros({2, 3}), array(1.f)));
}
// What depends on no mapped value runs once; mapped dimensions move to the front.
static_assert(mapped_program() ==
              "{ lambda ; a:f32[2,3] b:f32[]. let\n"
              "    c:f32[] = sin b\n"
              "    d:f32[3,2] = transpose[permutation=(1, 0)] a\n"
              "    e:f32[3,2] = mul d c\n"
              "  in (e,) }");

struct unbatched_p : jq::elementwise<unbatched_p, jq::floats, 1> {
  static constexpr std::string_view name = "unbatched";
  template <class T>
  static constexpr T apply(T x) {
    return x;
  }
};
const jq::primitive no_rules = [] {
  jq::primitive p = jq::table_of<unbatched_p>();
  p.batch = nullptr;
  return p;
}();
array unbatched(const array& x, jq::location where = jq::location::current()) {
  const array in[] = {x};
  return jq::bind(no_rules, in, {}, where)[0];
}

}  // namespace

TEST_CASE("batch_jaxpr: results say which dimension is mapped") {
  const auto p = jq::make_jaxpr([](const array& x, const array& y) { return std::tuple{lax::sin(x), lax::sin(y), array(2.f)}; })(
      array(1.f), array(1.f));
  const std::vector<array> x{jq::asarray({0.f, 0.f}), jq::asarray(0.f)};
  const std::vector<int> dims{0, jq::not_mapped};
  const auto r = jq::batch_jaxpr(*p, p.constants, x, dims, 2, {});
  CHECK(r[0].dim == 0);
  CHECK(r[1].dim == jq::not_mapped);
  CHECK(r[2].dim == jq::not_mapped);
  CHECK(show(r[0].value) == "f32[2] 0 0");
  CHECK(show(r[2].value) == "f32[] 2");
}
TEST_CASE("batch_jaxpr: a primitive without a rule is one clear error, only where it is mapped") {
  const auto f = [](const array& x, const array& y) { return lax::add(unbatched(x), y); };
  CHECK(show(jq::vmap(f, jq::in_axes<jq::none, 0>)(jq::asarray(1.f), jq::asarray({1.f, 2.f}))) == "f32[2] 2 3");
  const auto run = [&] { jq::vmap(f)(jq::zeros({2}), jq::zeros({2})); };
  CHECK_THROWS_WITH_AS(run(), doctest::Contains("Batching rule for 'unbatched' not implemented"), jq::not_implemented);
  CHECK_THROWS_WITH_AS(run(), doctest::Contains("batch rule"), jq::not_implemented);
  CHECK_THROWS_WITH_AS(run(), doctest::Contains("batch_test.cpp"), jq::not_implemented);
}
