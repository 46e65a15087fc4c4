// sharded_jit: control flow, derivatives and functions of the host in partitioned programs, trees and options, errors.
#include "sharding.hpp"

using namespace sharding;

namespace {
template <class F>
std::string message_of(F f) {
  try {
    f();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "no error";
}
bool begins(const std::string& text, std::string_view with) { return text.substr(0, with.size()) == with; }
const auto plain = [](const array& v) { return jq::tanh(v) * v + 1.0; };
}  // namespace

TEST_CASE("control flow and derivatives") {
  const array x = grid(), w = weights(), b = jq::arange(8.0);
  check("scan", [](const array& v) {
    return lax::scan([](const array& c, const array& s) { const array n = c * 0.5 + s; return std::pair(n, n); }, v[0], v).second;
  }, x);
  check("loop", [](const array& v) { return lax::fori_loop(0, 3, [](const array&, const array& c) { return jq::matmul(c, c) * 0.1; }, v); }, x);
  check("cond", [](const array& v) {
    return lax::cond(jq::sum(v) > 0.0, [](const array& u) { return u * 2.0; }, [](const array& u) { return u; }, v);
  }, x);
  check("jit within", [](const array& v) { return jq::jit(plain)(v) * 2.0; }, x);
  check("gradient", [](const array& v, const array& u, const array& c) {
    return jq::grad([&](const array& k) { return jq::mean(jq::square(jq::matmul(jq::tanh(jq::matmul(v, k) + c), u) - v)); })(u);
  }, x, w, b);
  check("vmap", [](const array& v) { return jq::vmap([](const array& r) { return jq::sort(r) / jq::sum(jq::abs(r)); })(v); }, x);
}
TEST_CASE("functions of the host are called once, with the whole value") {
  jq::set_host_device_count(8);
  std::vector<std::string> seen;
  const auto f = [&](const array& v) { return jq::id_tap([&](const array& u) { seen.push_back(std::string(jq::to_string(jq::sum(u)))); }, v * 2.0) + 1.0; };
  const array x = jq::arange(8.0), y = jq::sharded_jit(f, jq::in_parts(spec(4)))(x);
  CHECK(seen == std::vector<std::string>{"56."});
  CHECK(difference(y, x * 2.0 + 1.0) == 0);
  int calls = 0;
  const auto g = [&](const array& v) { return jq::io_callback([&](const array& u) -> array { ++calls; return u * 3.0; }, v, v) + v; };
  CHECK(difference(jq::sharded_jit(g, jq::in_parts(spec(4)))(x), x * 4.0) == 0);
  CHECK(calls == 1);
  const auto throws = [](const array& v) { return jq::io_callback([](const array& u) -> array { if (u.size() != 0) throw std::runtime_error("no"); return u; }, v, v); };
  CHECK(message_of([&] { jq::sharded_jit(throws, jq::in_parts(spec(4)))(x); }).find("no") != std::string::npos);
}

TEST_CASE("results of host functions of the largest rank") {
  jq::set_host_device_count(8);
  const auto f = [](const array& v) {
    return jq::pure_callback([](const array& u) -> array { return jq::reshape(u, {1, 1, 2, 1, 1, 2, 1, 2}); }, jq::zeros({1, 1, 2, 1, 1, 2, 1, 2}, jq::f64), v);
  };
  CHECK(difference(jq::sharded_jit(f, jq::in_parts(spec(4)))(jq::arange(8.0)), jq::reshape(jq::arange(8.0), {1, 1, 2, 1, 1, 2, 1, 2})) == 0);
}
TEST_CASE("a long chain of views of a whole array") {
  jq::set_host_device_count(8);
  const auto f = [](const array& v) {
    array w = v;
    for (int i = 0; i < 2000; ++i) w = i % 2 == 0 ? jq::transpose(w) : jq::flip(w, 0);
    return w * 2.0;
  };
  CHECK(difference(jq::sharded_jit(f, jq::num_partitions(2))(grid()), f(grid())) == 0);
  CHECK(difference(jq::sharded_jit(f, jq::out_parts(spec(2, 1)))(grid()), f(grid())) == 0);
}

namespace {
struct model {
  array w, b;
};
}  // namespace
TEST_CASE("trees of arguments and results, prefixes of specifications") {
  jq::set_host_device_count(8);
  const model m{weights(), jq::arange(8.0)};
  const auto f = [](const model& p, const std::pair<array, array>& xy) {
    const array y = jq::matmul(xy.first, p.w) + p.b;
    return std::tuple(y, model{p.w * 2.0, jq::sum(y - xy.second, 0)});
  };
  const std::pair<array, array> batch{grid(), weights()};
  const auto [want, want_model] = f(m, batch);
  const auto check_result = [&](const auto& g) {
    const auto [y, q] = g(m, batch);
    CHECK(difference(y, want) < 1e-12);
    CHECK(difference(q.w, want_model.w) < 1e-12);
    CHECK(difference(q.b, want_model.b) < 1e-12);
  };
  check_result(jq::sharded_jit(f, jq::in_parts(jq::none, spec(2, 1)), jq::out_parts(spec(2, 1), jq::none)));
  check_result(jq::sharded_jit(f, jq::in_parts(jq::none, std::pair(spec(1, 4), spec(4, 1)))));
  check_result(jq::sharded_jit(f, jq::in_parts(jq::none), jq::out_parts(spec(8, 1), std::pair(spec(1, 8), spec(8)))));
  check_result(jq::sharded_jit(f, jq::num_partitions(2)));
  check_result(jq::sharded_jit(f));
}
TEST_CASE("constraints say how many partitions there are where nothing else does") {
  jq::set_host_device_count(8);
  const auto f = [](const array& v) { return jq::jit([](const array& u) { return jq::with_sharding_constraint(u, spec(2, 2)) * 2.0; })(v); };
  CHECK(difference(jq::sharded_jit(f)(grid()), grid() * 2.0) == 0);
  jq::set_host_device_count(2);
  CHECK(begins(message_of([&] { jq::sharded_jit(f)(jq::zeros({2, 2}, jq::f32)); }), "sharded_jit computation requires 4 devices, but only 2 devices are available."));
  jq::set_host_device_count(8);
}
TEST_CASE("a signature is traced once") {
  jq::set_host_device_count(8);
  int traces = 0;
  const auto f = jq::sharded_jit([&](const array& v) { ++traces; return v * 2.0; }, jq::in_parts(spec(2, 1)));
  f(grid());
  f(grid() + 1.0);
  CHECK(traces == 1);
  CHECK(f.cache_size() == 1);
  f(jq::zeros({2, 2}, jq::f32));
  CHECK(f.cache_size() == 2);
}
TEST_CASE("lower gives the program of one partition") {
  jq::set_host_device_count(8);
  const auto f = jq::sharded_jit([](const array& v) { return jq::sum(jq::tanh(v)); }, jq::in_parts(spec(4, 1)));
  const std::string text(f.lower(grid()).as_text());
  CHECK(text.find("f64[2,8] = tanh") != std::string::npos);
  CHECK(text.find("combine[axis_name=partition") != std::string::npos);
  CHECK(f.lower(grid()).jaxpr().in_avals()[0].dims == jq::shape{2, 8});
}
TEST_CASE("without jit constraints are nothing") {
  const jq::disable_jit here;
  CHECK(difference(jq::sharded_jit([](const array& v) { return jq::with_sharding_constraint(v, spec(2, 2)) * 2.0; })(grid()), grid() * 2.0) == 0);
}
TEST_CASE("in the compile-time lane it is jit") { CHECK(jq::sharded_jit([](auto v) { return v * v; })(3.0) == 9.0); }
TEST_CASE("static arguments") {
  jq::set_host_device_count(8);
  const auto f = jq::sharded_jit([](const array& v, const auto& g) { return g(v) * 2.0; }, jq::in_parts(spec(2, 1)), jq::static_argnums<1>);
  struct twice {
    array operator()(const array& v) const { return v + v; }
    bool operator==(const twice&) const = default;
  };
  CHECK(difference(f(grid(), twice{}), grid() * 4.0) == 0);
}
TEST_CASE("inside other transforms it is jit") {
  jq::set_host_device_count(8);
  const auto f = jq::sharded_jit(plain, jq::in_parts(spec(2, 1)));
  const auto sum_of = [](const auto& g) { return [g](const array& v) { return jq::sum(g(v)); }; };
  CHECK(difference(jq::grad(sum_of(f))(grid()), jq::grad(sum_of(plain))(grid())) == 0);
  CHECK(difference(jq::jit(f)(grid()), jq::jit(plain)(grid())) == 0);
  CHECK(difference(jq::vmap(f)(jq::reshape(grid(), {2, 4, 8})), jq::vmap(plain)(jq::reshape(grid(), {2, 4, 8}))) == 0);
}
TEST_CASE("other dtypes") {
  jq::set_host_device_count(8);
  const auto f = [](const array& v) { return jq::matmul(v, v) + jq::sum(v, 0); };
  for (const jq::dtype t : {jq::i8, jq::i32, jq::u64}) {
    const array x = jq::reshape(jq::arange(16), {4, 4}).astype(t);
    CHECK(jq::to_string(jq::sharded_jit(f, jq::in_parts(spec(2, 2)))(x)) == jq::to_string(f(x)));
  }
  const array z = jq::reshape(jq::arange(16.0), {4, 4}).astype(jq::c128) * array(jq::complex128{0.5, 1.0});
  CHECK(jq::to_string(jq::sharded_jit(f, jq::in_parts(spec(1, 2)))(z)) == jq::to_string(f(z)));
  const array b = jq::asarray({{true, false, true, true}, {false, false, true, false}});
  const auto products = [](const array& v) { return jq::matmul(v, jq::transpose(v)); };
  CHECK(jq::to_string(jq::sharded_jit(products, jq::in_parts(spec(1, 2)))(b)) == jq::to_string(products(b)));
  CHECK(jq::to_string(jq::sharded_jit(products, jq::in_parts(spec(2, 2)))(b)) == jq::to_string(products(b)));
}

TEST_CASE("errors") {
  jq::set_host_device_count(8);
  const array x = grid();
  CHECK(begins(message_of([] { jq::sharded_jit(plain, jq::in_parts(spec(4, 1)), jq::out_parts(spec(2, 1))); }),
               "All partition specs must use the same number of total partitions, got "));
  CHECK(message_of([] { jq::sharded_jit(plain, jq::in_parts(spec(4, 1)), jq::out_parts(spec(2, 1))); })
            .find("with distinct number of partitions {2, 4} (the total number of partitions is the product of a partition spec)") != std::string::npos);
  CHECK(begins(message_of([] { jq::sharded_jit(plain, jq::in_parts(spec(4, 1)), jq::num_partitions(2)); }), "All partition specs must use the same number"));
  CHECK(begins(message_of([&] { jq::sharded_jit([](const array& v) { return jq::with_sharding_constraint(v, spec(1, 2)); }, jq::in_parts(spec(4, 1)))(x); }),
               "with_sharding_constraint with partitions=PartitionSpec(1, 2) (total partitions: 2) doesn't match expected number of partitions: 4. If these partitions "
               "look right, check outer sharded_jit and/or other with_sharding_constraint calls."));
  CHECK_THROWS_AS(jq::with_sharding_constraint(x, spec(1, 2)), jq::not_implemented);
  CHECK(message_of([&] { jq::with_sharding_constraint(x, spec(1, 2)); }) == "with_sharding_constraint() should only be called inside sharded_jit()");
  CHECK_THROWS_AS(jq::sharded_jit(plain, jq::in_parts(spec(4)))(x), jq::shape_error);
  CHECK_THROWS_AS(jq::sharded_jit(plain, jq::in_parts(spec(3, 1)))(x), jq::shape_error);
  CHECK(begins(message_of([] { jq::sharded_jit(plain, jq::in_parts(spec(16, 1)))(jq::zeros({16, 2}, jq::f64)); }),
               "sharded_jit computation requires 16 devices, but only 8 devices are available."));
  const std::vector<spec> three{spec(2, 1), spec(2, 1), spec(2, 1)};
  CHECK(begins(message_of([&] { jq::sharded_jit([](const std::vector<array>& v) { return v[0]; }, jq::in_parts(three))(std::vector<array>{x, x}); }),
               "sharded_jit in_parts specification must be a tree prefix of the corresponding value, got specification "));
}
