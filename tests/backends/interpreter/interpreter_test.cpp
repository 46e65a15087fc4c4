// The interpreter backend: values live as long as they are read, memory is written twice only where nobody can see it.
#include "../../show.hpp"

using jq::array;

namespace {

jq::ref<jq::executable> compiled(const jq::closed_jaxpr& p, std::vector<char> donated = {}) {
  jq::compile_options o;
  o.donated = std::move(donated);
  return jq::find_backend("interpreter").first->compile(p, o);
}
template <class F, class... A>
std::vector<array> run(F f, const A&... x) {
  const jq::closed_jaxpr p = jq::make_jaxpr(f)(x...);
  const std::vector<array> leaves = jq::tree::flatten(std::tuple{x...});
  const std::vector<array> got = compiled(p)->run(leaves, {});
  CHECK(show(got) == show(jq::eval_jaxpr(p, leaves)));
  return got;
}
const array two = jq::asarray({1.f, 2.f});

}  // namespace

TEST_CASE("interpreter: reusing memory never changes a value that is still read") {
  const array x = jq::asarray({1.f, 2.f});
  CHECK(show(run([](const array& v) {
    const array a = lax::mul(v, 2.f);   // its memory may go to b, not while c reads it
    const array b = lax::add(a, 1.f);
    const array c = lax::mul(a, b);
    return std::tuple{c, lax::add(c, b)};
  }, x)) == "f32[2] 6 20, f32[2] 9 25");
  CHECK(show(x) == "f32[2] 1 2");
}
TEST_CASE("interpreter: the same value twice as operand, and as output") {
  CHECK(show(run([](const array& v) {
    const array a = lax::add(v, 1.f);
    const array square = lax::mul(a, a);
    return std::tuple{square, square};
  }, two)) == "f32[2] 4 9, f32[2] 4 9");
  CHECK(show(run([](const array& v) { return std::tuple{v, lax::add(v, v), v}; }, two)) == "f32[2] 1 2, f32[2] 2 4, f32[2] 1 2");
}
TEST_CASE("interpreter: captured arrays and literals are not overwritten") {
  const array w = jq::asarray({10.f, 20.f});
  const jq::closed_jaxpr p = jq::make_jaxpr([&](const array& v) { return lax::add(lax::mul(w, v), lax::add(w, 1.f)); })(two);
  const auto e = compiled(p);
  for (int i = 0; i < 3; ++i) CHECK(show(e->run(std::vector{two}, {})) == "f32[2] 21 61");
  CHECK(show(w) == "f32[2] 10 20");
}
TEST_CASE("interpreter: arguments of other shape or dtype than the result keep their memory") {
  CHECK(show(run([](const array& v) {
    const array wide = lax::convert_element_type(lax::add(v, 1.f), jq::f64);
    const array sum = lax::reduce_sum(wide, {0});
    return lax::mul(wide, sum);
  }, two)) == "f64[2] 10 15");
  CHECK(show(run([](const array& v) { return lax::gt(lax::mul(v, v), 1.f); }, two)) == "bool[2] 0 1");
}
TEST_CASE("interpreter: every dtype runs in place") {
  for (int i = 0; i < jq::dtype_count; ++i) {
    const jq::dtype t = jq::dtype(i);
    const array x = lax::convert_element_type(jq::asarray({0, 1, 1}), t);
    const auto chain = [&](const array& v) {
      if (t == jq::bool_) return lax::or_(lax::and_(lax::or_(v, v), v), lax::not_(v));
      return lax::mul(lax::add(lax::mul(v, v), v), v);
    };
    CHECK(show(run(chain, x)) == show(chain(x)));
  }
}
TEST_CASE("interpreter: calls inside programs, with taps in them") {
  int taps = 0;
  const auto f = [&](const array& v) {
    return jq::jit([&](const array& x) { return jq::id_tap([&](const array&) { ++taps; }, lax::mul(x, 2.f)); })(v);
  };
  const jq::closed_jaxpr p = jq::make_jaxpr(f)(two);
  CHECK(taps == 0);
  CHECK(show(compiled(p)->run(std::vector{two}, {})) == "f32[2] 2 4");
  CHECK(taps == 1);
}
TEST_CASE("interpreter: donated memory moves into the program") {
  const jq::closed_jaxpr p = jq::make_jaxpr([](const array& x) { return lax::add(x, 1.f); })(two);
  const auto e = compiled(p, {true});
  const array x = jq::asarray({1.f, 2.f});
  const void* memory = x.data<float>().data();
  const std::vector<array> y = e->run(std::vector{x}, jq::location::current());
  CHECK(x.is_deleted());
  CHECK(y[0].data<float>().data() == memory);
  CHECK_THROWS_WITH_AS(e->run(std::vector{x}, {}), doctest::Contains("interpreter_test.cpp"), jq::deleted_error);
}
TEST_CASE("interpreter: empty programs, empty arrays, results that are literals") {
  CHECK(run([] { return std::tuple{}; }).empty());
  CHECK(show(run([](const array&) { return std::tuple{array(1.5), array(true)}; }, two)) == "f64[] 1.5, bool[] 1");
  CHECK(run([](const array& v) { return lax::sin(v); }, jq::zeros({0, 3}))[0].shape() == jq::shape{0, 3});
}
TEST_CASE("interpreter: runs of one program do not see each other") {
  const auto e = compiled(jq::make_jaxpr([](const array& x) { return lax::add(lax::mul(x, 2.f), 1.f); })(two));
  const std::vector<array> first = e->run(std::vector{two}, {});
  const std::vector<array> second = e->run(std::vector{jq::asarray({5.f, 6.f})}, {});
  CHECK(show(first) == "f32[2] 3 5");
  CHECK(show(second) == "f32[2] 11 13");
}
