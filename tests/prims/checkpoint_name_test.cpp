// checkpoint_name_p: the identity, in derivatives and over examples too; of a long name some characters and a number are shown.
#include "../show.hpp"

using jq::array;
using jq::asarray;

TEST_CASE("checkpoint_name: the value itself, derivative one") {
  const auto f = [](const array& x) { return lax::checkpoint_name(x, "y"); };
  CHECK(show(f(asarray({1, 2}))) == "i32[2] 1 2");
  CHECK(show(jq::grad(f)(asarray(3.0))) == "f64[] 1");
  CHECK(show(jq::vmap(jq::grad(f))(asarray({3.0, 4.0}))) == "f64[2] 1 1");
}
TEST_CASE("checkpoint_name: part of the program's text; the derivative is not named") {
  const auto p = jq::make_jaxpr([](const array& x, const array& t) {
    return jq::jvp([](const array& v) { return lax::checkpoint_name(v, "a long name of more than thirty-one characters"); }, jq::primals(x), jq::tangents(t));
  })(asarray(1.0), asarray(1.0));
  CHECK(testing::count(jq::to_string(p), "checkpoint_name[name='a long name of more th~") == 1);
}
