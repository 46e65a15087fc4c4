// The leaves of a call: foreign ones are borrowed without a copy, and whatever of them outlives the call owns its memory.
#include <jacquard/core/leaf_list.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include "../show.hpp"

namespace {
const auto identity = [](jq::array x) { return x; };
const auto square_sum = [](jq::array x) { return total(x * x); };

/// The first element of what f returns for a vector that changes afterwards.
template <class F>
double after_change(F f) {
  std::vector<double> v{1, 2, 3};
  const jq::array r = f(v);
  v.assign(3, -1.0);
  return double(r.data<double>()[0]);
}
static_assert([] {
  const jq::leaf_list l = jq::flatten_all(1.0, std::pair(2, true));
  return l.size() == 3 && l[2].dtype() == jq::bool_;
}());
}  // namespace

TEST_CASE("leaves of several trees, in order") {
  const std::vector<double> v{1, 2};
  const jq::array x = jq::asarray(5.0);
  const jq::leaf_list l = jq::flatten_all(v, std::tuple(x, 2.0), std::vector<jq::array>{x, x});
  REQUIRE(l.size() == 5);
  CHECK(l[0].data<double>().data() == v.data());
  CHECK(l[1].same_as(x));
  CHECK(l[2].kind() == jq::array_kind::literal);
  CHECK_FALSE(l.empty());
  std::size_t n = 0;
  for (const jq::array& a : l) n += std::size_t(a.size());
  CHECK(n == 6);
}

TEST_CASE("a list nobody took anything from copies nothing") {
  const std::vector<double> v{1, 2};
  const double* seen = nullptr;
  jq::value_and_grad([&](jq::array x) {
    seen = x.data<double>().data();
    return square_sum(x);
  })(v);
  CHECK(seen == v.data());
}

TEST_CASE("what is kept beyond the list owns its memory") {
  std::vector<double> v{1, 2};
  jq::array kept, explicit_view = jq::borrow(v), kept_view;
  {
    const jq::leaf_list l = jq::flatten_all(v, explicit_view);
    kept = l[0];
    kept_view = l[1];
    CHECK(kept.data<double>().data() == v.data());
  }
  v[0] = 9;
  CHECK(kept.data<double>()[0] == 1);
  CHECK(kept_view.data<double>()[0] == 1);
  CHECK(explicit_view.data<double>()[0] == 9);
}

TEST_CASE("a plain vector of leaves is safe, too: it owns copies") {
  std::vector<double> v{1, 2};
  const std::vector<jq::array> plain = jq::flatten_all(v);
  v[0] = 9;
  CHECK(plain[0].data<double>()[0] == 1);
}

TEST_CASE("flatten_into copies foreign leaves") {
  std::vector<double> v{1, 2};
  std::vector<jq::array> out;
  jq::flatten_into(v, out);
  v[0] = 9;
  CHECK(out[0].data<double>()[0] == 1);
}

TEST_CASE("results of transforms do not alias a borrowed argument") {
  CHECK(after_change([](auto& v) { return jq::jit(identity)(v); }) == 1);
  CHECK(after_change([](auto& v) { return jq::jit([](jq::array x) { return std::pair(x, x); })(v).second; }) == 1);
  CHECK(after_change([](auto& v) { return jq::vmap(identity)(v); }) == 1);
  CHECK(after_change([](auto& v) { return jq::jvp(identity, jq::primals(v), jq::tangents(v)).first; }) == 1);
  CHECK(after_change([](auto& v) { return jq::jvp(identity, jq::primals(v), jq::tangents(v)).second; }) == 1);
  CHECK(after_change([](auto& v) { return jq::vjp(identity, v).first; }) == 1);
  CHECK(after_change([](auto& v) { return jq::linearize(identity, v).first; }) == 1);
  CHECK(after_change([](auto& v) { return jq::linearize(identity, v).second(v); }) == 1);
  CHECK(after_change([](auto& v) { return jq::array(std::get<0>(jq::linear_transpose(identity, v)(v))); }) == 1);
  CHECK(after_change([](auto& v) {
          return jq::grad([](jq::array x) { return std::pair(total(x), x); }, jq::has_aux)(v).second;
        }) == 1);
  CHECK(after_change([](auto& v) { return std::get<0>(jq::vjp(identity, jq::ones({3}, jq::f64)).second(v)); }) == 1);
  // The same for explicit views passed as arguments.
  CHECK(after_change([](auto& v) { return jq::jit(identity)(jq::borrow(v)); }) == 1);
  CHECK(after_change([](auto& v) { return jq::vmap(identity)(jq::borrow(v)); }) == 1);
  CHECK(after_change([](auto& v) { return jq::vjp(identity, jq::borrow(v)).first; }) == 1);
}

TEST_CASE("residuals do not alias it either") {
  const auto after = [](auto f) {
    std::vector<double> v{1, 2, 3};
    auto r = f(v);
    v.assign(3, -1.0);
    return r;
  };
  CHECK(std::get<0>(after([](auto& v) { return jq::vjp(square_sum, v).second; })(1.0))[2] == 6);
  CHECK(show(after([](auto& v) { return jq::vjp(square_sum, jq::borrow(v)).second; })(1.0)) == "f64[3] 2 4 6");
  CHECK(show(after([](auto& v) { return jq::linearize(square_sum, v).second; })(jq::ones({3}, jq::f64))) == "f64[] 12");
}

TEST_CASE("nor what a tap or the function itself stores") {
  std::vector<jq::array> kept;
  {
    std::vector<double> v{1, 2, 3};
    jq::jit([&](jq::array x) { return jq::id_tap([&](const jq::array& seen) { kept.push_back(seen); }, x); })(v);
    jq::grad([&](jq::array x) {
      kept.push_back(jq::concrete(x));
      return total(x);
    })(v);
    jq::barrier_wait();
    v.assign(3, -1.0);
  }
  REQUIRE(kept.size() == 2);
  for (const jq::array& x : kept) CHECK(show(x) == "f64[3] 1 2 3");
}

TEST_CASE("an exception leaves nothing behind that dangles") {
  jq::array kept;
  {
    std::vector<double> v{1, 2, 3};
    CHECK_THROWS_AS(jq::grad([&](jq::array x) -> jq::array {
      kept = jq::concrete(x);
      throw std::runtime_error("user");
    })(v), std::runtime_error);
    v.assign(3, -1.0);
  }
  CHECK(show(kept) == "f64[3] 1 2 3");
}
