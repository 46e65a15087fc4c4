// Elements looked up and put within kernels: single ones, rows and windows, by indices that are computed there, inside and outside the table, in
// sums, in loops, and where the table is overwritten. Oracle: the interpreter, to the last bit.
#include "same.hpp"

#include <limits>

#include <jacquard/backends/cpu/code_generator.hpp>

using jq::array;

namespace {

array data(const jq::shape& s) { return jq::random::normal(jq::random::key(3), s); }
/// Whole numbers, some of them outside of -n to n - 1.
array places(const jq::shape& s, std::int64_t n) { return jq::random::randint(jq::random::key(4), s, -2 * n, 2 * n); }
/// Whether there is a libLLVM. On tiles what is put is a step of its own, and so are some slices that start anywhere.
bool is_compiled() { return jq::cpu::code_generator::get() != nullptr; }
template <class F>
std::string loops(F f, const array& x, const array& i) {
  return jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call).lower(x, i).compile().as_text("loops");
}
/// A loop that changes what it carries by a number that grows by its second argument.
auto trips(auto body) {
  return [=](array x, array i) { return jq::lax::fori_loop(0, 40, [&](array n, array s) { return body(s, n * i); }, x); };
}

}  // namespace

TEST_CASE("cpu: elements are looked up where they are used") {
  const auto f = [](array x, array i) { return jq::take(x, i) * 2 + i; };
  CHECK_SAME(f, data({100}), places({1003}, 100));
  CHECK_SAME(f, data({1}), places({5}, 1));
  CHECK_SAME(f, data({7}), jq::array(3));
  const std::string text = loops(f, data({100}), places({1003}, 100));
  CHECK(text.find("lookup") != std::string::npos);
  CHECK(text.find("gather") == std::string::npos);
  CHECK(text.find("kernel 1") == std::string::npos);
}
TEST_CASE("cpu: what lies outside is what the mode says") {
  const auto fill = [](array x, array i) { return jq::lax::gather(x, jq::reshape(i, {-1, 1}), {{1}, {0}, {0}}, {1, 3}, jq::index_mode::fill_or_drop) + 1; };
  CHECK_SAME(fill, data({10, 3}), places({77}, 10));
  CHECK_SAME(fill, jq::asarray(std::vector<std::int32_t>(30, 5), {10, 3}), places({77}, 10));
  CHECK_SAME(fill, data({10, 3}).astype(jq::f16), places({77}, 10).astype(jq::i8));
  CHECK_SAME([](array x, array i) { return jq::lax::gather(x, jq::reshape(i, {-1, 1}), {{0}, {}, {0}}, {6}, jq::index_mode::clip) + 1; }, data({10}), places({40}, 10));
}
TEST_CASE("cpu: elements of every size, by indices of every kind") {
  const auto f = [](array x, array i) { return jq::take(x, i); };
  for (const jq::dtype t : {jq::bool_, jq::u8, jq::i16, jq::f16, jq::bf16, jq::i32, jq::f64, jq::u64})
    for (const jq::dtype k : {jq::i8, jq::u16, jq::i32, jq::u64}) CHECK_SAME(f, (100 * data({37})).astype(t), places({200}, 37).astype(k));
}
TEST_CASE("cpu: rows, columns, windows and elements by several indices") {
  for (const std::int64_t length : {1, 3, 16, 100, 700})
    for (const int axis : {0, 1}) CHECK_SAME([axis](array x, array i) { return jq::take(x, i, axis) - 1; }, data({axis ? 30 : length, axis ? length : 30}), places({13, 3}, axis ? length : 30));
  CHECK_SAME([](array x, array i) { return x(i, i % 5) + x(0, i); }, data({20, 20}), places({11, 40}, 20));
  CHECK_SAME([](array x, array i) { return x(jq::slice(), i, jq::slice(1, 9, 2), i); }, data({3, 6, 10, 6}), places({31}, 6));
  CHECK_SAME([](array x, array i) { return jq::take_along_axis(x, i, 1) * x(jq::slice(), jq::slice(0, 1)); }, data({30, 17}), places({30, 9}, 17));
  CHECK_SAME([](array x, array i) { return jq::take_along_axis(x, jq::argsort(x, 0), 0) + jq::sum(i); }, data({30, 17}), places({3}, 17));
}
TEST_CASE("cpu: sums and maxima of what is looked up, and what is looked up by them") {
  CHECK_SAME([](array x, array i) { return jq::max(jq::take(x, i, 0), 1); }, data({50, 33}), places({20}, 50));
  CHECK_SAME([](array x, array i) { return jq::take(x, jq::sum(i, 1)); }, data({50}), places({20, 7}, 9));
  CHECK_SAME([](array x, array i) { return jq::exp(jq::take(x, i)) - jq::max(jq::take(x, i)); }, data({500}), places({1000}, 500));
  CHECK_SAME([](array x, array i) { return jq::grad([&](array v) { return jq::sum(jq::sin(jq::take(v, i)) * jq::take(v, i + 1)); })(x); }, data({500}), places({1000}, 500));
}
TEST_CASE("cpu: slices that start anywhere") {
  const auto f = [](array x, array i) { return jq::lax::dynamic_slice(x, {i(0), i(1)}, {5, 17}) * 2 - jq::lax::dynamic_slice(x, {2 * i(1), i(2)}, {5, 17}); };
  for (std::int64_t n = 0; n < 4; ++n) CHECK_SAME([&](array x, array i) { return f(x, i(n)); }, data({20, 30}), places({4, 3}, 20));
  CHECK((!is_compiled() || loops(f, data({20, 30}), places({3}, 20)).find("kernel 1") == std::string::npos));
  CHECK_SAME([](array x, array i) { return x(i(0)) * x(1, i(1)) + jq::sum(x(i(2), i(1))); }, data({20, 30}), places({3}, 20));
}
TEST_CASE("cpu: lookups in the bodies of loops, large and so small that they are registers") {
  for (const std::int64_t n : {5, 300})
    CHECK_SAME([n](array x, array i) {
      return jq::lax::fori_loop(0, 6, [&](array k, array v) { return jq::take(v, i + k) * 0.5 + v(k % n); }, x);
    }, data({n}), places({n}, n));
}
TEST_CASE("cpu: a table that is overwritten is read before, and stays where it is") {
  const auto f = [](array x, array i) {
    const array y = jq::take(x, i);
    const array z = x.at(i(0)).set(7.0);
    return std::pair{z, jq::cos(y) + z(3)};
  };
  CHECK_SAME(f, data({100}), places({40}, 50));
  const array x = data({100}) + 0;
  const float* const before = x.data<float>().data();
  const auto [z, y] = jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call, jq::donate_argnums<0>)(x, places({40}, 50));
  CHECK(z.data<float>().data() == before);
}

TEST_CASE("cpu: elements are put where they belong, one after the other") {
  const auto add = [](array x, array i) { return x.at(i).add(jq::sin(i.astype(jq::f32))); };
  CHECK_SAME(add, data({50}), places({1003}, 40));
  CHECK_SAME(add, data({50000}), places({100003}, 40000));
  if (const std::string text = loops(add, data({50}), places({1003}, 40)); is_compiled()) {
    CHECK(text.find(" further if ") != std::string::npos);
    CHECK(text.find("scatter") == std::string::npos);
    CHECK(text.find("kernel 1") == std::string::npos);
  }
  CHECK_SAME([](array x, array i) { return x.at(i).set(jq::arange(i.size()).astype(jq::f32)); }, data({50}), places({1003}, 40));
  CHECK_SAME([](array x, array i) { return x.at(i).multiply(2.0).at(i + 1).max(1.0).at(2 * i).min(-1.0); }, data({50}), places({103}, 40));
  CHECK_SAME([](array x, array i) { return x.at(i).add(1.5, jq::index_mode::clip); }, data({50}), places({103}, 40));
  CHECK_SAME([](array x, array i) { return jq::zeros({60}).at(i).add(1.0) + jq::sum(x); }, data({5}), places({1000}, 50));
}
TEST_CASE("cpu: what is put at the ends of what indices can say is put nowhere") {
  const std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
  const array i = jq::asarray(std::vector<std::int64_t>{least, most, -50, 49, 50, -51, 0, -1, least + 50, most - 50, 49, 7, 7, -43, 1, 2, 3});
  for (const array& at : {i, i.astype(jq::u64), i.astype(jq::i32)}) {
    CHECK_SAME([](array x, array k) { return x.at(k).add(2.0); }, data({50}), at);
    CHECK_SAME([](array x, array k) { return x.at(k).set(jq::sin(k.astype(jq::f32))); }, data({50}), at);
    CHECK_SAME([](array x, array k) { return x.at(k, jq::flip(k)).multiply(3.0); }, data({50, 50}), at);
  }
}
TEST_CASE("cpu: rows, windows and elements of every size are put") {
  for (const std::int64_t length : {1, 3, 16, 100, 700}) {
    CHECK_SAME([](array x, array i) { return x.at(i).add(jq::take(x, i, 0) * 0.5); }, data({30, length}), places({13}, 30));
    CHECK_SAME([](array x, array i) { return x.at(jq::slice(), i).set(jq::take(x, 0 * i, 1) + 1); }, data({30, length}), places({13}, length));
  }
  CHECK_SAME([](array x, array i) { return x.at(i, i % 5).add(i.astype(jq::f32)); }, data({20, 20}), places({11, 40}, 20));
  for (const jq::dtype t : {jq::bool_, jq::u8, jq::i16, jq::f16, jq::bf16, jq::i32, jq::f64, jq::u64}) {
    CHECK_SAME([](array x, array i) { return x.at(i).set(jq::take(x, i + 3)); }, (100 * data({37})).astype(t), places({200}, 37));
    if (t != jq::bool_) CHECK_SAME([](array x, array i) { return x.at(i).add(jq::take(x, i + 3)); }, (100 * data({37})).astype(t), places({200}, 37));
    if (t != jq::bool_) CHECK_SAME([](array x, array i) { return x.at(i).max(jq::take(x, i + 3)); }, (100 * data({37})).astype(t), places({200}, 37).astype(jq::i16));
  }
}
TEST_CASE("cpu: the memory of what is put into is overwritten where it is free") {
  const auto in_place = [](auto f) {
    const array x = jq::copy(data({1000}));
    const float* const before = x.data<float>().data();
    return jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call, jq::donate_argnums<0>)(x, places({40}, 500)).template data<float>().data() == before;
  };
  CHECK(in_place([](array x, array i) { return x.at(i).add(1.0); }));
  CHECK(in_place([](array x, array i) { return x.at(i).set(jq::take(x, i + 1) * 2); }));
  CHECK(in_place([](array x, array i) { return x.at(i).add(x(jq::slice(0, 40)) * 2); }));
  CHECK(in_place([](array x, array i) { return jq::lax::dynamic_update_slice(x, i.astype(jq::f32), {i(0)}); }));
  CHECK(in_place([](array x, array i) { return jq::lax::dynamic_update_slice(x, jq::lax::dynamic_slice(x, {i(1)}, {40}) * 2, {i(0)}); }));
  CHECK_SAME([](array x, array i) { return x.at(i).add(x(jq::slice(0, 40)) * 2); }, data({1000}), places({40}, 500));
  CHECK_SAME([](array x, array i) { return jq::lax::fori_loop(0, 9, [&](array k, array v) { return v.at(i + k).add(jq::take(v, i)); }, x); }, data({1000}), places({40}, 500));
  CHECK_SAME([](array x, array i) { return jq::lax::fori_loop(0, 9, [&](array k, array v) { return v.at(i + k).add(jq::take(v, i)); }, x); }, data({9}), places({4}, 9));
}
TEST_CASE("cpu: windows are written where they start, moved inside, whatever their size and rank") {
  const auto write = [](array x, array y, array i) { return jq::lax::dynamic_update_slice(x, y, {i}); };
  for (const std::int64_t n : {1, 3, 16, 37, 40}) {
    for (const std::int64_t start : {-1000, -41, -40, -3, 0, 7, 24, 39, 1000}) CHECK_SAME(write, data({40}), data({n}) + 5, jq::asarray(start));
    CHECK_SAME([=](array x, array y, array i) { return jq::lax::dynamic_update_slice(x, jq::sin(y), {i(0), i(1)}); }, data({40, 50}), data({n, n / 2 + 1}), places({2}, 40));
    CHECK_SAME([=](array x, array i) { return jq::lax::dynamic_update_slice(x, jq::lax::dynamic_slice(x, {i(2), i(0), i(1)}, {2, n, 3}) * 2, {i(0), i(1), i(2)}); }, data({5, 40, 6}), places({3}, 40));
  }
  for (const jq::dtype t : {jq::bool_, jq::u8, jq::i16, jq::f16, jq::bf16, jq::i32, jq::f64, jq::u64, jq::c64, jq::c128})
    CHECK_SAME(write, (100 * data({37})).astype(t), data({5}).astype(t), places({1}, 37)(0).astype(jq::i16));
  CHECK_SAME([](array x, array i) { return jq::lax::dynamic_update_slice(jq::zeros({30, 9}), x, {i(0), i(1)}) + 1; }, data({4, 9}), places({2}, 30));
  CHECK_SAME([](array x, array i) { return jq::lax::dynamic_update_slice(jq::full({30, 9}, -0.0f), x, {i(0), i(1)}); }, data({1, 9}), places({2}, 30));
}
TEST_CASE("cpu: loops write windows into their carries, which they read before and after") {
  const auto loop = [](auto body) {
    return [=](array x) { return jq::lax::fori_loop(0, 13, body, x); };
  };
  for (const std::int64_t n : {6, 300}) {
    const array x = data({n}), rows = data({n, 5});
    CHECK_SAME(loop([](array i, array s) { return jq::lax::dynamic_update_slice(s, jq::reshape(i.astype(jq::f32), {1}), {7 * i}); }), x);
    CHECK_SAME(loop([](array i, array s) { return jq::lax::dynamic_update_slice(s, jq::lax::dynamic_slice(s, {i}, {3}) * 0.5f + 1.0f, {i + 1}); }), x);
    CHECK_SAME(loop([](array i, array s) {
      const array y = jq::lax::dynamic_update_slice(s, jq::lax::dynamic_slice(s, {i, i}, {1, 5}) * 2.0f, {3 * i, array(0)});
      return y + jq::lax::dynamic_slice(y, {i, array(0)}, {1, 5});
    }), rows);
    CHECK_SAME(loop([](array i, array s) { return jq::lax::dynamic_update_slice(s, jq::ones({2, 3}), {i, i}) + s; }), rows);
    CHECK_SAME(loop([=](array i, array s) {  // read after all the others, at a place that takes long to find
      const array first = s(i % n), second = s((100.0f * jq::sin(first)).astype(jq::i32) % n);
      return jq::lax::dynamic_update_slice(jq::lax::dynamic_update_slice(s, jq::ones({1}), {i}), jq::reshape(second, {1}), {i + 3});
    }), x);
    CHECK_SAME(loop([](array i, array s) {
      return jq::lax::cond(i % 2 == 0, [&](array a) { return jq::lax::dynamic_update_slice(a, jq::ones({1}), {i}); }, [](array a) { return a; }, s);
    }), x);
  }
  CHECK_SAME([](array x, array y) {
    return jq::lax::scan([](const std::pair<array, array>& s, array e) {
      const array a = jq::lax::dynamic_update_slice(s.first, jq::reshape(e, {1}), {s.second});
      return std::pair{std::pair{a, array(s.second + 2)}, jq::lax::dynamic_slice(s.first, {s.second}, {2})};
    }, std::pair{x, array(1)}, y);
  }, data({100}), data({60}));
}
TEST_CASE("cpu: windows that overlap are put one index vector after the other") {
  const auto put = [](array x, array i) {
    const array updates = jq::reshape(jq::arange(1, 7).astype(x.dtype()), {3, 2}) * 2;
    return jq::lax::scatter(x, jq::reshape(i, {-1, 1}), jq::transpose(updates), {{0}, {}, {0}}, jq::index_mode::clip);
  };
  CHECK_SAME(put, jq::zeros({4}), jq::asarray({0, 1, 2}));
  const auto windows = [](array x, array i) { return jq::lax::gather(x, jq::reshape(i, {-1, 1}), {{0}, {}, {0}}, {5}, jq::index_mode::clip); };
  CHECK_SAME([&](array x, array i) { return jq::grad([&](array a) { return jq::sum(jq::sin(windows(a, i))); })(x); }, data({20}), places({41}, 20));
}
TEST_CASE("cpu: indices that are views, or that an equation of its own makes, where updates read what they change") {
  const auto add = [](array x, array i) { return jq::lax::scatter_add(x, jq::reshape(i, {-1, 1}), x(jq::slice(0, 40)) * 2, {{}, {0}, {0}}, jq::index_mode::clip); };
  const array x = data({100}), i = jq::arange(0, 80, 2);
  CHECK_SAME(add, x, i);
  CHECK_SAME([](array a, array k) { return jq::lax::scatter_add(a, jq::expand_dims(jq::argsort(k), 1), a(jq::slice(0, 40)) * 2, {{}, {0}, {0}}, jq::index_mode::clip); }, x, i);
}
TEST_CASE("cpu: where at most one update meets an element of a constant, elements ask for it") {
  const auto entropy = [](array x, array i) {
    return jq::grad([&](array a) { return -jq::sum(jq::take_along_axis(jq::log_softmax(a, 1), jq::expand_dims(i, 1), 1)); })(x);
  };
  for (const std::int64_t n : {1, 7, 40}) CHECK_SAME([](array x, array i) { return jq::grad([&](array a) { return jq::sum(jq::take_along_axis(a * a, jq::expand_dims(i, 1), 1)); })(x); }, data({30, n}), places({30}, n));
  const std::string text = loops(entropy, data({30, 17}), places({30}, 17));
  CHECK(text.find("further") == std::string::npos);
  CHECK(text.find("scatter") == std::string::npos);
  CHECK(text.find("kernel 1") == std::string::npos);
  CHECK_SAME([](array x, array i) { return jq::zeros({40}).at(i(0)).set(x(1)) + jq::ones({40}).at(i(1)).multiply(x(2)); }, data({3}), places({2}, 40));
  for (std::int64_t n = 0; n < 4; ++n) CHECK_SAME([](array x, array i) { return jq::full({9, 3}, 0.5f).at(jq::slice(), i).min(x); }, data({9}), places({4}, 3)(n));
  CHECK_SAME([](array x, array i) { return jq::zeros({40, 9}).at(i(0)).add(x) * 2; }, data({9}), places({2}, 40));
  CHECK_SAME([](array x, array i) { return jq::zeros({9, 40}).at(jq::slice(), i(0)).max(x, jq::index_mode::clip); }, data({9}), places({2}, 40));
  CHECK_SAME([](array x, array i) { return jq::zeros({8, 6}).at(i(0), i(1)).set(x(0)); }, data({2}), places({2}, 3) % 5);
  for (const jq::dtype t : {jq::bool_, jq::u8, jq::i16, jq::f16, jq::bf16, jq::f64, jq::u64}) {
    CHECK_SAME([t](array x, array i) { return jq::zeros({37}, t).at(i(0)).set(x(0)); }, (100 * data({3})).astype(t), places({2}, 37));
    if (t != jq::bool_) CHECK_SAME([t](array x, array i) { return jq::ones({37}, t).at(i(0)).add(x(0)); }, (100 * data({3})).astype(t), places({2}, 37).astype(jq::i16));
  }
}
TEST_CASE("cpu: what is looked up for what takes its place is replaced where it lies") {
  const auto set = trips([](array s, array n) { return s.at(n % 9).set(jq::sin(s(n % 9)) * 2.0f); });
  const auto window = trips([](array s, array n) {
    const array w = jq::lax::dynamic_slice(s, {n % 9 - 2}, {4});
    return jq::lax::dynamic_update_slice(s, w * 0.5f + jq::reshape(w, {4}) + 1.0f, {n % 9 - 2});
  });
  const auto rows = trips([](array s, array n) { return s.at(jq::slice(), n % 5).set(jq::exp(-s(jq::slice(), n % 5))); });
  CHECK_SAME(set, data({9}), array(7));
  CHECK_SAME(set, data({9, 5}), array(7));
  CHECK_SAME(window, data({9}), array(5));
  CHECK_SAME(rows, data({6, 5}), array(3));
  if (!is_compiled()) return;
  for (const std::string& text : {loops(set, data({9, 5}), array(7)), loops(window, data({9}), array(5)), loops(rows, data({6, 5}), array(3))}) {
    const std::string body = text.substr(text.find("program 0"));
    CHECK(body.find("lookup") != std::string::npos);
    CHECK(body.find("kernel 2") == std::string::npos);  // at most the index by itself
  }
}
TEST_CASE("cpu: what is looked up elsewhere than where it is put is looked up before") {
  const auto slice = [](array s, array n) { return jq::lax::dynamic_slice(s, {n}, {5}); };
  const auto put = [](array s, array u, array n) { return jq::lax::dynamic_update_slice(s, u, {n}); };
  CHECK_SAME(trips([=](array s, array n) { return put(s, slice(s, n % 13) + slice(s, n % 13 + 1), n % 13); }), data({20}), array(7));
  CHECK_SAME(trips([=](array s, array n) { return put(s, slice(s, n % 13) * 2.0f, n % 13 + 1); }), data({20}), array(7));
  CHECK_SAME(trips([=](array s, array n) { return put(s, jq::flip(slice(s, n % 13)), n % 13); }), data({20}), array(7));
  CHECK_SAME(trips([=](array s, array n) { return put(s, slice(s, n % 13) - jq::max(slice(s, n % 13)), n % 13); }), data({20}), array(7));
  CHECK_SAME(trips([=](array s, array n) { return put(s, jq::broadcast_to(s(n % 13), {5}) + 1.0f, n % 13); }), data({20}), array(7));
  CHECK_SAME(trips([](array s, array n) { return s.at(jq::stack({n % 5, n % 5, n % 3})).set(s(jq::stack({n % 5, n % 5, n % 3})) + 1.0f); }), data({7}), array(7));
  CHECK_SAME(trips([](array s, array n) { return s.at(jq::stack({n % 5, n % 3})).set(s(jq::stack({n % 3, n % 5}))); }), data({7}), array(7));
  CHECK_SAME([=](array s, array i) { return std::pair{put(s, slice(s, i) * 2.0f, i), jq::sum(slice(s, i))}; }, data({20}), array(3));
  CHECK_SAME([=](array s, array i) { return std::pair{put(s, slice(s, i) * 2.0f, i), s * 3.0f}; }, data({20}), array(3));
}
TEST_CASE("cpu: gradients of rows looked up in loops add where these lie") {
  const auto loss = [](array x, array i) {
    return jq::lax::fori_loop(0, 30, [&](array n, array s) { return s * 0.9f + jq::sum(jq::sin(x(n * i % 11))); }, array(0.0f));
  };
  CHECK_SAME(jq::grad(loss), data({11, 4}), array(7));
  CHECK_SAME(jq::grad([](array x, array i) {
    return jq::lax::fori_loop(0, 30, [&](array n, array s) { return s + jq::sum(x(n * i % 11)); }, array(0.0f));
  }), data({11, 4}), array(7));
}
