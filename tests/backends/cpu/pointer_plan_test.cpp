// Programs that consist of kernels alone: values that lie between them in shared memory, results that are arguments, constants,
// literals, views or other results, scalars as arguments, many pointers, several calls at once.
#include <jacquard/backends/cpu/cpu.hpp>

#include <jacquard/testing/comparison.hpp>
#include <chrono>
#include <thread>

#include "../../show.hpp"

using jq::array;

namespace {

template <class F, class... A>
void same(F f, const A&... x) {
  const jq::testing::leaves want = jq::tree::flatten(jq::jit(f, jq::backend("interpreter"))(x...));
  const auto native = jq::jit(f, jq::backend("cpu"));
  for (int call = 0; call < 3; ++call) {
    const jq::testing::leaves got = jq::tree::flatten(native(x...));
    const jq::testing::report r = jq::testing::all_close(got, want, 1e-5, 1e-5);
    CHECK_MESSAGE(r.ok, r.text);
  }
}
array numbers(const jq::shape& s, std::uint64_t seed = 3) { return jq::random::normal(jq::random::key(seed), s); }

/// Rows that are made to sum up to one, again and again: every round needs the values of the one before at once.
array rounds(const array& x, int count) {
  array y = x;
  for (int i = 0; i < count; ++i) {
    const array e = jq::exp(y - jq::expand_dims(jq::max(y, {1}), 1));
    y = jq::sin(e / jq::expand_dims(jq::sum(e, {1}), 1) + x);
  }
  return y;
}

}  // namespace

TEST_CASE("values between kernels overlap only where they are not alive at the same time") {
  for (int count : {1, 2, 3, 7}) same([&](const array& x) { return rounds(x, count); }, numbers({5, 9}));
  same([](const array& x) {
    const array a = jq::sum(x, {0}), b = jq::max(x, {0}), c = jq::sum(x * x, {0});
    const array d = jq::sum(jq::exp(x - b), {1}), e = jq::sum(x * c, {1});
    return std::tuple{a * jq::sum(d), b + jq::sum(e), jq::sum(d * e), jq::sum(c) + a};
  }, numbers({6, 4}));
}
TEST_CASE("results that are arguments, constants, literals, views or each other") {
  const array x = numbers({2, 6}), held = numbers({3}, 5);
  same([](const array& a) { return std::tuple{a, jq::sin(a), a}; }, x);
  same([&](const array& a) { return std::tuple{held, jq::sum(a), held * 2.0f}; }, x);
  same([](const array& a) { return std::tuple{array(3.0f), jq::cos(a)}; }, x);
  same([](const array& a) { return jq::reshape(jq::sin(a), {3, 4}); }, x);
  same([](const array& a) {
    const array s = jq::sin(a);
    return std::tuple{s, jq::reshape(s, {12}), jq::reshape(a, {4, 3}), jq::sum(jq::reshape(s, {12}) * 2.0f)};
  }, x);
}
TEST_CASE("a result that is an argument stays as it is when the caller drops the argument") {
  const auto f = jq::jit([](const array& a) { return std::tuple{a, a * 2.0f}; }, jq::backend("cpu"));
  array x = jq::asarray({1.f, 2.f});
  const auto [same_one, twice] = f(x);
  x = array();
  CHECK(show(same_one) == show(jq::asarray({1.f, 2.f})));
  CHECK(show(twice) == show(jq::asarray({2.f, 4.f})));
}
TEST_CASE("scalars as arguments, more than fit on the stack") {
  same([](const array& a, const array& b) { return a * 2.0f + jq::sin(b); }, array(1.5f), array(2));
  std::vector<array> many;
  for (int i = 0; i < 60; ++i) many.push_back(i % 3 == 0 ? array(0.5f * float(i)) : numbers({4}, std::uint64_t(i)));
  same([](const std::vector<array>& v) {
    std::vector<array> r;
    for (std::size_t i = 0; i + 1 < v.size(); i += 2) r.push_back(jq::sin(v[i]) * v[i + 1]);
    return r;
  }, many);
}
TEST_CASE("an argument that was donated is an error") {
  const auto f = jq::jit([](const array& a) { return a + 1.0f; }, jq::backend("cpu"));
  const auto take = jq::jit([](const array& a) { return a * 2.0f; }, jq::backend("cpu"), jq::donate_argnums<0>);
  const array x = numbers({4});
  const array kept = f(x);
  take(x);
  CHECK_THROWS_AS(f(x), jq::deleted_error);
}
TEST_CASE("donated arguments give their memory to results; those that cannot are released, and others stay") {
  const auto step = jq::jit([](const std::pair<array, array>& state, const array& x) {
    const array m = state.second * 0.9f + jq::matmul(x, state.first);
    return std::pair{std::pair{state.first - m * 0.1f, m}, jq::sum(m)};
  }, jq::backend("cpu"), jq::donate_argnums<0>);
  const auto plain = jq::jit([](const std::pair<array, array>& state, const array& x) {
    const array m = state.second * 0.9f + jq::matmul(x, state.first);
    return std::pair{std::pair{state.first - m * 0.1f, m}, jq::sum(m)};
  }, jq::backend("interpreter"));
  std::pair<array, array> state{numbers({6, 6}, 1), numbers({6, 6}, 2)}, want = state;
  want = {want.first + 0.0f, want.second + 0.0f};
  const array x = numbers({6, 6}, 3);
  for (int i = 0; i < 4; ++i) {
    const std::pair<array, array> before = state;
    const void* const first = before.first.as_buffer()->data;
    const void* const second = before.second.as_buffer()->data;
    state = step(state, x).first;
    want = plain(want, x).first;
    CHECK(before.first.as_buffer()->is_deleted());
    CHECK(before.second.as_buffer()->is_deleted());
    CHECK(state.first.as_buffer()->data == first);
    CHECK(state.second.as_buffer()->data == second);
    const jq::testing::report r = jq::testing::all_close(jq::testing::leaves{state.first, state.second}, jq::testing::leaves{want.first, want.second}, 1e-5, 1e-5);
    CHECK_MESSAGE(r.ok, r.text);
  }
  CHECK_FALSE(x.as_buffer()->is_deleted());
  const auto swap = jq::jit([](const array& a, const array& b) { return std::pair{b, a}; }, jq::backend("cpu"), jq::donate_argnums<0, 1>);
  const array a = numbers({4}, 1) * 1.0f, b = numbers({4}, 2) * 1.0f;
  const std::string shown_a = show(a), shown_b = show(b);
  const auto [c, d] = swap(a, b);
  CHECK(show(c) == shown_b);
  CHECK(show(d) == shown_a);
}
TEST_CASE("several threads run one plan") {
  const auto f = jq::jit([](const array& a) { return rounds(a, 3); }, jq::backend("cpu"));
  std::vector<array> in, want(4), got(4);
  for (std::uint64_t i = 0; i < 4; ++i) in.push_back(numbers({8, 16}, i));
  for (std::size_t i = 0; i < 4; ++i) want[i] = f(in[i]);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int k = 0; k < 50; ++k) got[i] = f(in[i]);
    });
  for (std::thread& t : threads) t.join();
  for (std::size_t i = 0; i < 4; ++i) CHECK(show(got[i]) == show(want[i]));
}
TEST_CASE("equations with kernels of their own lie between compiled ones") {
  same([](const array& a, const array& b) {
    const array h = jq::tanh(jq::matmul(a, b));
    return std::tuple{jq::sort(jq::sum(h, {1})), jq::cumsum(h, 0) * 2.0f, jq::matmul(jq::transpose(h), h)};
  }, numbers({6, 4}), numbers({4, 5}, 4));
  same([](const array& a) { return jq::sort(a)(jq::slice(1, 5)) + jq::random::uniform(jq::random::key(3), {4}); }, numbers({9}));
  same([](const array& a) { return jq::matmul(a, jq::zeros({0, 3})) + 1.0f; }, jq::zeros({2, 0}));
}
TEST_CASE("scans: carries, stacked operands and results, constants, both directions, any number of trips") {
  for (std::int64_t trips : {0, 1, 2, 5})
    for (bool reverse : {false, true})
      same([=](const array& c, const array& x, const array& k) {
        return lax::scan([&](const std::pair<array, array>& s, const array& e) {
          const array next = jq::sin(s.first * k + e);
          return std::pair{std::pair{next, s.second + jq::sum(next) * 0.5f}, std::pair{next * 2.0f, jq::sum(s.first * e)}};
        }, std::pair{c, array(0.0f)}, x, {.reverse = reverse});
      }, numbers({4}), numbers({trips, 4}, 5), numbers({4}, 6));
}
TEST_CASE("scans whose body hands on carries, elements, constants and literals, or exchanges them") {
  same([](const array& a, const array& b, const array& x) {
    return lax::scan([&](const std::tuple<array, array, array>& s, const array& e) {
      const auto& [p, q, r] = s;
      return std::pair{std::tuple{q, p, r}, std::tuple{p, e, array(2.0f), r + e}};
    }, std::tuple{a, b, array(1.0f)}, x);
  }, numbers({3}), numbers({3}, 4), numbers({5, 3}, 7));
}
TEST_CASE("loops and branches within loops, products and library kernels in their bodies") {
  same([](const array& a, const array& m) {
    return lax::fori_loop(0, 4, [&](const array& i, const array& s) {
      const array inner = lax::fori_loop(0, 3, [&](const array&, const array& t) { return jq::tanh(jq::matmul(m, t)); }, s);
      return lax::cond(jq::sum(inner) > 0.0f, [](const array& y) { return y * 0.5f; }, [&](const array& y) { return jq::sort(y, 0) + i.astype(jq::f32); }, inner);
    }, a);
  }, numbers({4, 2}), numbers({4, 4}, 9));
  same([](const array& x) {
    return lax::switch_(x, std::tuple{[](const array& v) { return v * 2.0f; }, [](const array& v) { return jq::exp(v); }}, array(0.5f));
  }, array(7));
}
TEST_CASE("while loops: no trip, an odd and an even number, carries of several types") {
  for (float start : {200.0f, 60.0f, 30.0f, 1.0f})
    same([](const array& x) {
      return lax::while_loop([](const std::pair<array, array>& s) { return s.first < 100.0f; },
                             [](const std::pair<array, array>& s) { return std::pair{s.first * 2.0f, s.second + 1}; }, std::pair{x, array(0)});
    }, array(start));
}
TEST_CASE("carries that are updated in place: elements, slices, sums into places; read before, after, or handed on as well") {
  const auto loop = [](auto body) {
    return [=](const array& x) { return lax::fori_loop(0, 6, body, x); };
  };
  const array x = numbers({6, 3});
  same(loop([](const array& i, const array& s) { return s.at(i).set(jq::sum(s, 0)); }), x);
  same(loop([](const array& i, const array& s) { return s.at(i).add(jq::sin(s(i))); }), x);
  same(loop([](const array& i, const array& s) { return s.at(i).set(1.0f) + s; }), x);
  same(loop([](const array& i, const array& s) { return jq::sin(s.at(i).set(1.0f)).at(0).add(2.0f); }), x);
  same(loop([](const array& i, const array& s) { return s.at(i).add(s(5 - i)).at(5 - i).set(s(0)); }), x);
  same([](const array& a, const array& b) {
    return lax::fori_loop(0, 6, [](const array& i, const std::pair<array, array>& s) {
      return std::pair{s.first.at(i).set(jq::sum(s.second, 0)), s.second + s.first};
    }, std::pair{a, b});
  }, x, x);
  same([](const array& a, const array& b) {
    return lax::fori_loop(0, 5, [](const array& i, const std::pair<array, array>& s) { return std::pair{s.first.at(i).add(1.0f), s.first}; }, std::pair{a, b});
  }, x, x);
  same([](const array& a) {
    return lax::while_loop([](const array& s) { return jq::sum(s) < 50.0f; }, [](const array& s) { return s.at(1).add(3.0f); }, a);
  }, x);
}
TEST_CASE("carries that branches and inner loops change: some in place, some handed on, exchanged, made anew or used once more") {
  using two = std::pair<array, array>;
  const auto loop = [](auto body) {
    return [=](const array& x) { return lax::fori_loop(0, 7, body, x); };
  };
  const auto both = [](auto body) {
    return [=](const array& a, const array& b) { return lax::fori_loop(0, 7, body, two{a, b}); };
  };
  const auto write = [](const array& i) { return [=](const array& s) { return s.at(i).set(2.0f); }; };
  const auto keep = [](const array& s) { return s; };
  for (const std::int64_t n : {100, 3000}) {  // whose copies are some bytes, and more than are made
    const array x = numbers({n}), y = numbers({n}, 2);
    same(loop([=](const array& i, const array& s) { return lax::cond(i % 2 == 0, write(i), keep, s); }), x);
    same(loop([=](const array& i, const array& s) { return lax::cond(i % 2 == 0, write(i), [](const array& a) { return jq::sin(a); }, s) * 0.5f; }), x);
    same(loop([=](const array& i, const array& s) { return lax::cond(i % 2 == 0, write(i), [](const array& a) { return jq::flip(a); }, s); }), x);
    same(loop([=](const array& i, const array& s) { return lax::cond(i % 2 == 0, write(i), keep, s) + s; }), x);
    same(loop([=](const array& i, const array& s) {
      return lax::switch_(i % 3, std::tuple{write(i), keep, [n](const array&) { return jq::zeros({n}); }}, s);
    }), x);
    same(both([](const array& i, const two& s) {
      return lax::cond(i % 2 == 0, [](const two& a) { return two{a.second, a.first}; }, [&](const two& a) { return two{a.first.at(i).set(1.0f), a.second}; }, s);
    }), x, y);
    same(both([](const array& i, const two& s) {
      return lax::cond(i % 2 == 0, [](const two& a) { return two{a.first, a.first}; }, [&](const two& a) { return two{a.first.at(i).add(1.0f), a.second + a.first}; }, s);
    }), x, y);
    same(both([](const array& i, const two& s) {  // a view, whose memory is another value's
      const two r = lax::cond(i % 2 == 0, [](const two& a) { return a; }, [&](const two& a) { return two{a.first.at(i).add(1.0f), a.second * 2.0f}; }, two{s.first, jq::reshape(s.first, {-1, 2})});
      return two{r.first, s.second + jq::reshape(r.second, {-1})};
    }), x, y);
    same(loop([=](const array& i, const array& s) { return lax::fori_loop(0, 3, [=](const array& k, const array& a) { return write(i + k)(a) + a; }, s); }), x);
    same(loop([=](const array& i, const array& s) { return lax::fori_loop(0, 3, [=](const array& k, const array& a) { return write(i + k)(a) + jq::flip(s); }, s); }), x);
    same(both([=](const array& i, const two& s) {
      return lax::while_loop([=](const two& a) { return a.first(i) < 5.0f; }, [=](const two& a) { return two{a.first.at(i).add(2.0f), write(i + 1)(a.second)}; }, s);
    }), x, y);
    same(both([=](const array& i, const two& s) {
      const two inner = lax::scan([=](const array& a, const array& e) { return two{a.at(i).add(e), a(i)}; }, s.first, s.second(jq::slice(0, 5)));
      return two{inner.first, s.second.at(jq::slice(0, 5)).set(inner.second)};
    }), x, y);
    same(loop([=](const array& i, const array& s) { return jq::jit([=](const array& a) { return write(i)(a); })(s) * 0.5f; }), x);
    same([=](const array& a) { return lax::cond(a(0) > 0.0f, write(array(3)), keep, a); }, x);
    same([=](const array& a) { return lax::fori_loop(0, 3, [=](const array& k, const array& c) { return write(k)(c); }, a) + a; }, x);
  }
}
TEST_CASE("a loop that writes one element a trip does not copy the others, be it in a branch or in a loop of its own") {
  const auto write = [](const array& i) {
    return [=](const array& s) { return s.at(i % s.size()).set(i.astype(jq::f32)); };
  };
  const auto plainly = [=](const array& i, const array& s) { return write(i)(s); };
  const auto at_times = [=](const array& i, const array& s) { return lax::cond(i % 2 == 1, write(i), [](const array& a) { return a; }, s); };
  const auto either_way = [=](const array& i, const array& s) { return lax::cond(i % 2 == 1, write(i), write(i - 1), s); };
  const auto within = [=](const array& i, const array& s) { return lax::fori_loop(0, 2, [=](const array& k, const array& a) { return write(i - k)(a); }, s); };
  const auto until = [=](const array& i, const array& s) {
    using state = std::pair<array, array>;
    return lax::while_loop([](const state& a) { return a.second < 2; }, [=](const state& a) { return state{write(i - a.second)(a.first), a.second + 1}; }, state{s, array(0)}).first;
  };
  const auto check = [](auto body) {
    const auto f = jq::jit([=](const array& x) { return lax::fori_loop(0, 20000, body, x); }, jq::backend("cpu"));
    const array small = jq::zeros({10}), large = jq::zeros({4000000});
    f(small), f(large);
    const auto seconds = [&](const array& x) {
      const auto begin = std::chrono::steady_clock::now();
      const array y = f(x);
      return std::pair{std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), y};
    };
    const auto [little, y] = seconds(small);
    const auto [much, z] = seconds(large);
    CHECK(jq::item<float>(y(7)) >= 19996);
    CHECK(jq::item<float>(z(19999)) >= 19998);
    CHECK(jq::item<float>(z(3999999)) <= 0);
    CHECK(much < 20 * little + 0.5);  // copying 16 MB every trip would take minutes
  };
  check(plainly), check(at_times), check(either_way), check(within), check(until);
}
TEST_CASE("derivatives of loops, and loops mapped over examples") {
  const auto loss = [](const array& w, const array& x) {
    const auto [h, ys] = lax::scan([&](const array& s, const array& e) {
      const array n = jq::tanh(jq::matmul(w, s) + e);
      return std::pair{n, jq::sum(n * n)};
    }, jq::zeros({3}), x);
    return jq::sum(h) + jq::sum(ys);
  };
  same([&](const array& w, const array& x) { return jq::grad(loss)(w, x); }, numbers({3, 3}), numbers({6, 3}, 2));
  same([&](const array& w, const array& x) { return jq::vmap(jq::grad(loss), jq::in_axes<jq::none, 0>)(w, x); }, numbers({3, 3}), numbers({4, 6, 3}, 2));
}
TEST_CASE("loops that call the host: it may keep what it is shown; large values are not copied for it") {
  for (std::int64_t size : {1, 3, 5000}) {
    std::vector<array> seen;
    const auto f = jq::jit([&](const array& x) {
      return lax::fori_loop(0, 5, [&](const array&, const array& s) { return jq::id_tap([&](const array& y) { seen.push_back(y); }, s * 2.0f); }, x);
    }, jq::backend("cpu"));
    CHECK(f(jq::ones({size}))(0).item<float>() == 32);
    REQUIRE(seen.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) CHECK(seen[i](size - 1).item<float>() == float(2 << i));
  }
  std::vector<float> asked;
  const auto g = jq::jit([&](const array& x) {
    return lax::fori_loop(0, 3, [&](const array&, const array& s) {
      return jq::pure_callback([&](const array& y) { return asked.push_back(y.item<float>()), y + 1.0f; }, jq::zeros({}), s) * 2.0f;
    }, x);
  }, jq::backend("cpu"));
  CHECK(g(array(1.0f)).item<float>() == 22);
  CHECK(asked == std::vector<float>{1, 4, 10});
}
TEST_CASE("large carries that are stacked, that stay or that change places: the bits of the interpreter, in loops either way round") {
  for (const bool reverse : {false, true})
    for (std::int64_t width : {65, 700, 1024}) {
      const array w = numbers({width}), h = numbers({width}, 4), xs = numbers({5, width}, 5);
      const auto loop = [&](const array& a, const array& b, const array& rows) {
        return jq::lax::scan([&](const std::tuple<array, array, array>& s, const array& x) {
          const auto& [u, v, k] = s;
          const array next = a * u + x;
          return std::pair{std::tuple{next, next * k - v, k}, std::tuple{u, next, x * v}};
        }, std::tuple{b, a, b * 2.0f}, rows, {.reverse = reverse});
      };
      const auto swapped = [&](const array& a, const array& b, const array& rows) {
        return jq::lax::scan([&](const std::pair<array, array>& s, const array& x) {
          return std::pair{std::pair{s.second, s.first}, s.first + x};
        }, std::pair{a, b}, rows, {.reverse = reverse});
      };
      const auto slope = jq::grad([&](const array& a, const array& b, const array& rows) {
        return jq::sum(std::get<1>(loop(a, b, rows).first)) + jq::sum(std::get<2>(loop(a, b, rows).second));
      }, jq::argnums<0, 1, 2>);
      const auto exact = [&](auto f) {
        const jq::testing::leaves got = jq::tree::flatten(jq::jit(f, jq::backend("cpu"), jq::precision::strict, jq::compile_at::first_call)(w, h, xs));
        const jq::testing::leaves want = jq::tree::flatten(jq::jit(f, jq::backend("interpreter"))(w, h, xs));
        const jq::testing::report r = jq::testing::identical(got, want);
        CHECK_MESSAGE(r.ok, r.text);
      };
      exact(loop), exact(swapped), exact(slope);
    }
}
TEST_CASE("bodies find what moves from trip to trip: carries that go to and fro, elements of stacks, and operands of branches and inner loops") {
  for (int trips : {1, 2, 5, 8})
    same([=](const array& start, const array& x, const array& k) {
      return lax::scan([&](const std::pair<array, array>& s, const array& e) {
        const array turned = jq::sort(s.second * k + e);
        const array chosen = lax::cond(jq::sum(turned) > 0.0f, [&](const array& a, const array& b) { return jq::cumsum(a + b) * 0.5f; },
                                       [&](const array& a, const array&) { return lax::fori_loop(0, 3, [&](const array& i, const array& v) {
                                         return jq::sort(v * 0.5f + jq::reshape(lax::dynamic_slice(x, {i % trips, array(0)}, {1, 4}), {4}));
                                       }, a); }, turned, s.first);
        return std::pair{std::pair{chosen, s.first}, std::pair{jq::argmax(chosen), turned}};  // carries change places
      }, std::pair{start, start + 1.0f}, x);
    }, numbers({4}), numbers({trips, 4}, 5), numbers({4}, 6));
}
TEST_CASE("complex carries") {
  const array few = lax::complex(numbers({3}), numbers({3}, 4)), many = lax::complex(numbers({20}), numbers({20}, 4));
  for (const array& z : {few, many, few(0), lax::convert_element_type(few, jq::c128)})
    same([](const array& a) {
      return lax::fori_loop(0, 5, [](const array&, const array& s) { return (s * s + jq::complex64(0.1f, 0.2f)) / (s * jq::conj(s) + 2.0f); }, a);
    }, z);
}
