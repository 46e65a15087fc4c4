// pmap: axes of arguments and results, trees, options, how often a function is traced, constants.
#include "pmap_testing.hpp"

using namespace pmap_testing;

namespace {

struct layer {
  array weights, bias;
};
struct model {
  layer first;
  std::pair<array, array> second;
};
const array four = jq::asarray({0.f, 1.f, 2.f, 3.f});
const array rows = jq::asarray({{0.f, 1.f}, {2.f, 3.f}, {4.f, 5.f}});
const auto sum = [](const array& x) { return lax::psum(x, "i"); };
const auto twice = [](const array& x) { return x * 2.f; };
array double_it(const array& x) { return x * 2.f; }

}  // namespace

TEST_CASE("pmap: without collectives it is vmap") {
  CHECK(show(jq::pmap(twice)(four)) == "f32[4] 0 2 4 6");
  CHECK(show(jq::pmap(double_it)(rows)) == "f32[3,2] 0 2 4 6 8 10");
  const auto many = [](const array& x, const array& y) { return jq::dot(jq::sin(x), jq::transpose(y)) + jq::sort(x); };
  const array x = sample({8, 5, 5}), y = sample({8, 5, 5});
  CHECK_SAME(jq::pmap(many, jq::precision::strict)(x, y), jq::vmap(many)(x, y));  // native code may round otherwise
}
TEST_CASE("pmap: every member has its own index, which random numbers may take") {
  const auto draw = [](const array& k) { return jq::random::uniform(jq::random::fold_in(k, lax::axis_index("i")), {3}, jq::f32); };
  const array key = jq::random::key(7);
  const array got = jq::pmap(draw, over_i, jq::in_axes<jq::none>, jq::axis_size(4))(key);
  CHECK_SAME(got, jq::vmap(draw, over_i, jq::in_axes<jq::none>, jq::axis_size(4))(key));
  CHECK(got.shape() == jq::shape{4, 3});
  const auto v = got.data<float>();
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < a; ++b) CHECK(v[std::size_t(3 * a)] != v[std::size_t(3 * b)]);
}
TEST_CASE("pmap: axes of arguments") {
  const auto f = [](const array& x, const array& y) { return x * 10.f + lax::psum(y, "i"); };
  const array x = sample({3, 2}, jq::f32), y = sample({2, 3}, jq::f32), z = sample({2, 3, 2}, jq::f32);
  const auto check = [&](auto axes, const array& a, const array& b) { CHECK_SAME(jq::pmap(f, over_i, axes)(a, b), jq::vmap(f, over_i, axes)(a, b)); };
  check(jq::in_axes<0, 1>, x, y);
  check(jq::in_axes<0, -1>, x, y);
  check(jq::in_axes<-2>, x, x);
  check(jq::in_axes<1>, y, y);
  check(jq::in_axes<0, jq::none>, x, jq::asarray({1.f, 2.f}));
  check(jq::in_axes<jq::none, 0>, jq::asarray({1.f, 2.f}), x);
  check(jq::in_axes<1, 0>, z, jq::asarray({1.f, 2.f, 3.f}));
  check(jq::in_axes<1, jq::none>, z, jq::asarray(2.f));
  check(jq::in_axes<-2, 0>, z, sample({3, 2, 2}, jq::f32));
  CHECK(show(jq::pmap(f, over_i, jq::in_axes<0, jq::none>)(four, 1.f)) == "f32[4] 4 14 24 34");
}
TEST_CASE("pmap: axes of results") {
  const array x = sample({3, 2, 4}, jq::f32);
  const auto check = [&](auto axes) { CHECK_SAME(jq::pmap(twice, axes)(x), jq::vmap(twice, axes)(x)); };
  check(jq::out_axes<0>);
  check(jq::out_axes<1>);
  check(jq::out_axes<2>);
  check(jq::out_axes<-1>);
  check(jq::out_axes<-3>);
  // One of the members' where there is no axis; all have the same.
  CHECK(show(jq::pmap(sum, over_i, jq::out_axes<jq::none>)(four)) == "f32[] 6");
  const auto both = [](const array& v) { return std::pair{v * v, lax::psum(v, "i")}; };
  const auto apart = jq::pmap(both, over_i, jq::out_axes<2, jq::none>)(x);
  CHECK(apart.first.shape() == jq::shape{2, 4, 3});
  CHECK(same_tree(apart, jq::vmap(both, over_i, jq::out_axes<2, jq::none>)(x)));
  // Of values that differ it is the first member's.
  CHECK(show(jq::pmap(twice, jq::out_axes<jq::none>)(jq::asarray({5.f, 6.f, 7.f}))) == "f32[] 10");
}
TEST_CASE("pmap: trees of arguments and results, with axes by prefix") {
  const auto f = [](const model& m, const std::map<std::string, array>& more, const std::vector<array>& list) {
    return std::tuple{model{{m.first.weights + more.at("a"), lax::psum(m.first.bias, "i")}, {m.second.second, m.second.first}},
                      std::map<std::string, array>{{"z", list[0] * 2.f}, {"b", lax::axis_index("i")}}, std::vector<array>{list[1], list[0]}};
  };
  const model m{{rows, jq::asarray({1.f, 2.f, 3.f})}, {rows * 2.f, rows + 1.f}};
  const std::map<std::string, array> more{{"a", rows}};
  const std::vector<array> list{four[jq::slice(0, 3)], rows};
  CHECK(same_tree(jq::pmap(f, over_i)(m, more, list), jq::vmap(f, over_i)(m, more, list)));
  const model shared{{jq::asarray({1.f, 2.f}), jq::asarray({1.f, 2.f, 3.f})}, {jq::transpose(rows), jq::asarray({7.f, 8.f})}};
  const auto in = jq::in_axes_tree(std::tuple{std::tuple{jq::none, 0}, std::pair{1, jq::none}}, std::map<std::string, int>{{"a", 0}}, 0);
  const auto out = jq::out_axes_tree(std::tuple{std::tuple{std::tuple{1, jq::none}, 0}, 0, std::vector<int>{1, 0}});
  CHECK(same_tree(jq::pmap(f, over_i, in, out)(shared, more, list), jq::vmap(f, over_i, in, out)(shared, more, list)));
  const auto optional = [](const std::optional<array>& v, const std::array<array, 2>& w) { return v ? *v + w[0] : w[1]; };
  CHECK(show(jq::pmap(optional)(std::optional<array>(four), std::array<array, 2>{four, four + 1.f})) == show(four * 2.f));
  CHECK(show(jq::pmap(optional)(std::optional<array>(), std::array<array, 2>{four, four + 1.f})) == "f32[4] 1 2 3 4");
}
TEST_CASE("pmap: no results, and members of all numbers of elements") {
  int runs = 0;
  jq::pmap([&](const array& x) {
    jq::io_callback([&](const array&) { ++runs; return std::tuple<>{}; }, std::tuple<>{}, x);
    return std::tuple<>{};
  })(four);
  CHECK(runs == 4);
  CHECK(show(jq::pmap([](const array& x) { return x; })(jq::zeros({3, 0}, jq::i32))) == "i32[3,0]");
  CHECK_SAME(jq::pmap(twice)(sample({2, 100003}, jq::f32)), sample({2, 100003}, jq::f32) * 2.f);
}
TEST_CASE("pmap: functions that are called in order are for one device") {
  const auto text = [](const auto& f, const array& x) { return testing::message_of<jq::value_error>([&] { jq::pmap(f)(x); }); };
  const std::string no = "The following ordered effects are not supported for more than 1 device";
  int runs = 0;
  const auto count = [&](const array& v) { ++runs; return v; };
  const auto io = [&](const array& x) { return jq::lax::cond(x > 0.f, [&](const array& v) { return jq::io_callback(count, v, v, jq::in_order()); }, [](const array& v) { return v; }, x); };
  CHECK(text(io, four).find(no + ": [ordered_io_callback]. Got 4 devices") != std::string::npos);
  CHECK(text([&](const array& x) { jq::debug::callback([&](const array&) { ++runs; }, jq::in_order(), x); return x; }, four).find(no) != std::string::npos);
  CHECK(runs == 0);
  CHECK(show(jq::pmap(io)(jq::asarray({1.f}))) == "f32[1] 1");
  CHECK(runs == 1);
  CHECK(show(jq::pmap([&](const array& x) { return jq::call(count, x, x); })(four)) == show(four));
  CHECK(runs == 5);
}
TEST_CASE("pmap: results that are constants, arguments, or both twice") {
  const array captured = jq::asarray({5.f, 6.f});
  CHECK(show(jq::pmap([](const array&) { return 3.f; })(four)) == "f32[4] 3 3 3 3");
  CHECK(show(jq::pmap([](const array&) { return array(3); }, jq::out_axes<jq::none>)(four)) == "i32[] 3");
  CHECK(show(jq::pmap([&](const array&) { return captured; })(rows)) == "f32[3,2] 5 6 5 6 5 6");
  CHECK(show(jq::pmap([&](const array&) { return captured; }, jq::out_axes<1>)(rows)) == "f32[2,3] 5 5 5 6 6 6");
  CHECK(show(jq::pmap([&](const array& x) { return std::tuple{x, x, captured, captured}; })(rows)) ==
        "f32[3,2] 0 1 2 3 4 5, f32[3,2] 0 1 2 3 4 5, f32[3,2] 5 6 5 6 5 6, f32[3,2] 5 6 5 6 5 6");
  CHECK(show(jq::pmap([&](const array& x, const array& w) { return std::pair{w, x + w}; }, jq::in_axes<0, jq::none>, jq::out_axes<jq::none, 0>)(rows, captured)) ==
        "f32[2] 5 6, f32[3,2] 5 7 7 9 9 11");
  // The results share no memory with arguments, nor with each other where the caller could see it.
  const array x = jq::copy(rows);
  const array y = jq::pmap([](const array& v) { return v; })(x);
  CHECK(show(x) == show(y));
}
TEST_CASE("pmap: an axis of a size that no argument tells") {
  const auto f = [](const array& x) { return x + lax::convert_element_type(lax::axis_index("i"), jq::f32); };
  CHECK(show(jq::pmap(f, over_i, jq::in_axes<jq::none>, jq::axis_size(3))(jq::asarray(10.f))) == "f32[3] 10 11 12");
  CHECK(show(jq::pmap(f, over_i, jq::axis_size(4))(four)) == "f32[4] 0 2 4 6");
  CHECK(show(jq::pmap([] { return lax::axis_index("i") * lax::axis_size("i"); }, over_i, jq::axis_size(3))()) == "i32[3] 0 3 6");
}
TEST_CASE("pmap: options of compilation") {
  for (const jq::precision& precision : {jq::precision::strict, jq::precision::fast}) CHECK(show(jq::pmap(sum, over_i, precision)(four)) == "f32[4] 6 6 6 6");
  CHECK(show(jq::pmap(sum, over_i, jq::backend("interpreter"))(jq::asarray({3.f}))) == "f32[1] 3");
  CHECK(show(jq::pmap(sum, over_i, jq::backend("cpu"))(four)) == "f32[4] 6 6 6 6");
  CHECK(show(jq::pmap(sum, over_i, jq::compile_at::never)(four)) == "f32[4] 6 6 6 6");
  CHECK(show(jq::pmap(sum, over_i, jq::compile_at::first_call)(four)) == "f32[4] 6 6 6 6");
  CHECK(show(jq::pmap(sum, over_i, jq::denormals::flush)(four)) == "f32[4] 6 6 6 6");
}
TEST_CASE("pmap: the devices that are given, in their order") {
  const std::vector<jq::device> all = jq::devices("cpu");
  const std::vector<jq::device> some{all[5], all[0], all[3], all[7]}, twice_one{all[5], all[0], all[5], all[7]};
  std::map<float, std::string> where;
  const auto f = [&](const array& x) {
    return jq::id_tap([&](const array& v, const jq::tap_context& c) { where[v.item<float>()] = jq::to_string(c.device); }, lax::psum(x, "i") * 0.f + x);
  };
  CHECK(show(jq::pmap(f, over_i, some)(four)) == "f32[4] 0 1 2 3");
  CHECK(where == std::map<float, std::string>{{0.f, "cpu:5"}, {1.f, "cpu:0"}, {2.f, "cpu:3"}, {3.f, "cpu:7"}});
  CHECK_THROWS_WITH_AS(jq::pmap(sum, over_i, twice_one)(four), doctest::Contains("got the device cpu:5 twice, wanted one for each member"), jq::value_error);
  where.clear();
  jq::pmap(f, over_i)(four);
  CHECK(where == std::map<float, std::string>{{0.f, "cpu:0"}, {1.f, "cpu:1"}, {2.f, "cpu:2"}, {3.f, "cpu:3"}});
}
TEST_CASE("pmap: traced and compiled once for each signature") {
  int traces = 0;
  const auto f = jq::pmap([&](const array& x) {
    ++traces;
    return lax::psum(x, "i");
  }, over_i);
  CHECK(f.cache_size() == 0);
  for (int k = 0; k < 5; ++k) f(four * float(k));
  CHECK(traces == 1);
  CHECK(f.cache_size() == 1);
  f(rows);
  f(sample({4}, jq::i32));
  f(sample({3}, jq::f32));  // other members are another program
  CHECK(traces == 4);
  CHECK(f.cache_size() == 4);
  f(four);
  f(rows);
  CHECK(traces == 4);
  const auto copy = f;  // copies share what is compiled
  copy(four);
  CHECK(traces == 4);
  CHECK(copy.cache_size() == 4);
  f(lax::convert_element_type(four, jq::f16));
  CHECK(copy.cache_size() == 5);
}
TEST_CASE("pmap: a trace that fails is no entry, and is tried again") {
  int traces = 0;
  const auto f = jq::pmap([&](const array& x) {
    if (++traces == 1) throw std::runtime_error("not yet");
    return x;
  });
  CHECK_THROWS_WITH(f(four), "not yet");
  CHECK(f.cache_size() == 0);
  CHECK(show(f(four)) == "f32[4] 0 1 2 3");
  CHECK(traces == 2);
}
TEST_CASE("pmap: static broadcasted arguments are passed as they are, a new value is a new trace") {
  int traces = 0;
  const auto f = jq::pmap([&](const array& x, int times, const std::string& mode) {
    ++traces;
    array y = x;
    for (int k = 0; k < times; ++k) y = y + lax::psum(x, "i");
    return mode == "negative" ? -y : y;
  }, over_i, jq::static_broadcasted_argnums<1, 2>);
  CHECK(show(f(four, 2, std::string("positive"))) == "f32[4] 12 13 14 15");
  CHECK(show(f(four, 2, std::string("negative"))) == "f32[4] -12 -13 -14 -15");
  CHECK(show(f(four, 1, std::string("positive"))) == "f32[4] 6 7 8 9");
  CHECK(traces == 3);
  CHECK(show(f(four + 1.f, 1, std::string("positive"))) == "f32[4] 11 12 13 14");
  CHECK(traces == 3);
  CHECK(f.cache_size() == 3);
  const auto last = jq::pmap([](int n, const array& x) { return x * float(n); }, jq::static_broadcasted_argnums<-2>);
  CHECK(show(last(3, four)) == "f32[4] 0 3 6 9");
  // in_axes count the mapped arguments alone.
  const auto across = jq::pmap([](const array& x, int n, const array& y) { return x * float(n) + y; }, jq::static_broadcasted_argnums<1>, jq::in_axes<0, jq::none>);
  CHECK(show(across(four, 2, 1.f)) == "f32[4] 1 3 5 7");
}
TEST_CASE("pmap: what a function captures") {
  const array weights = jq::asarray({1.f, 2.f}), scale = jq::asarray(3.f);
  std::vector<array> table{rows, rows * 2.f};
  const auto f = jq::pmap([&](const array& x) { return lax::psum(x * weights, "i") * scale + table[1][0]; }, over_i);
  CHECK_SAME(f(rows), jq::vmap([&](const array& x) { return lax::psum(x * weights, "i") * scale + table[1][0]; }, over_i)(rows));
  // Constants are values of the trace: what is captured later by the same name is another array.
  table[1] = rows * 100.f;
  CHECK(show(f(rows)) == "f32[3,2] 18 56 18 56 18 56");
  const array large = sample({1000}, jq::f32);
  CHECK_SAME(jq::pmap([&](const array& x) { return large * x; })(four), jq::vmap([&](const array& x) { return large * x; })(four));
}
TEST_CASE("pmap: a function that was moved from says so, the one it was moved to works") {
  auto f = jq::pmap([w = rows](const array& x) { return x + w; });
  const auto g = std::move(f);
  CHECK(g(jq::zeros({2, 3, 2}, jq::f32)).shape() == jq::shape{2, 3, 2});
  CHECK_THROWS_WITH_AS(f(jq::zeros({2, 3, 2}, jq::f32)), doctest::Contains("moved from"), jq::value_error);
}

TEST_CASE("functions of one type whose options have other values are other functions") {
  const auto twice = [](const array& x) { return x + x; };
  const array x = sample({2, 3});
  CHECK_SAME(jq::pmap(twice, jq::out_axes_tree(0))(x), x + x);
  CHECK_SAME(jq::pmap(twice, jq::out_axes_tree(1))(x), jq::transpose(x + x));
  CHECK_SAME(jq::pmap(twice, jq::out_axes_tree(0))(x), x + x);
  const auto count = [](const array& y) { return lax::psum(y, "i"); };
  CHECK(jq::pmap(count, over_i, jq::axis_size(2), jq::in_axes<jq::none>, jq::out_axes<jq::none>)(jq::asarray(1.0)).item<double>() == 2.0);
  CHECK(jq::pmap(count, over_i, jq::axis_size(3), jq::in_axes<jq::none>, jq::out_axes<jq::none>)(jq::asarray(1.0)).item<double>() == 3.0);
}
