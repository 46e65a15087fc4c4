// pmap and functions of the host: taps and callbacks of members, one at a time; members that throw; collectives that not all members reach.
#include "pmap_testing.hpp"

#include <jacquard/core/atomic.hpp>

#include <algorithm>
#include <set>

#include <sys/wait.h>
#include <unistd.h>

using namespace pmap_testing;
using testing::message_of;
using jq::detail::atomic;

namespace {

const array four = jq::asarray({0.f, 1.f, 2.f, 3.f});
const array eight = jq::arange(8, jq::f32);
const auto sum = [](const array& x) { return lax::psum(x, "i"); };

/// Calls `inside` on the host with each value that the program computes there.
template <class F>
array on_host(F inside, const array& x) {
  return jq::io_callback([inside](const array& v) { return inside(v); }, x, x);
}
/// Throws for members whose value is in `bad`.
auto fails_for(std::set<float> bad) {
  return [bad](const array& x) {
    return on_host([bad](const array& v) {
      if (bad.count(v.item<float>())) throw std::runtime_error("no luck with " + std::to_string(int(v.item<float>())));
      return v;
    }, x);
  };
}
struct by_outfeed {
  by_outfeed() { jq::set_tap_delivery(jq::tap_delivery::outfeed); }
  ~by_outfeed() { jq::reset_tap_delivery(); }
};
/// Which of them are in a function of the host at the same time.
struct turns {
  atomic<int> inside{0}, most{0}, calls{0};
  void take() {
    const int now = inside.fetch_add(1) + 1;
    if (now > most.load()) most.store(now);
    usleep(500);  // long enough for another one to come
    calls.fetch_add(1);
    inside.fetch_add(-1);
  }
};

}  // namespace

TEST_CASE("pmap: taps get each member's own slice, in order, with the name of its device") {
  std::map<std::string, std::string> seen;
  const auto log = [&](const array& v, const jq::tap_context& c) {
    CHECK(c.transforms.empty());
    seen[jq::to_string(c.device)] += show(v) + "; ";
  };
  const auto f = jq::pmap([&](const array& x) {
    const array y = jq::id_tap(log, x * 10.f);
    const array s = jq::id_tap(log, lax::psum(y, "i"));
    return jq::id_tap(log, s + x);
  }, over_i);
  const std::map<std::string, std::string> want{{"cpu:0", "f32[2] 0 10; f32[2] 60 90; f32[2] 60 91; "},
                                                {"cpu:1", "f32[2] 20 30; f32[2] 60 90; f32[2] 62 93; "},
                                                {"cpu:2", "f32[2] 40 50; f32[2] 60 90; f32[2] 64 95; "}};
  const array rows = jq::asarray({{0.f, 1.f}, {2.f, 3.f}, {4.f, 5.f}});
  f(rows);
  CHECK(seen == want);
  seen.clear();
  f(rows);
  CHECK(seen == want);
  // Also on their way through a ring to a thread that calls them.
  const by_outfeed mode;
  seen.clear();
  f(rows);
  jq::barrier_wait();
  CHECK(seen == want);
}
TEST_CASE("pmap: taps in loops and in the branch that a member takes") {
  std::map<int, int> seen;
  const auto f = [&](const array& x) {
    const auto tap = [&](const array& v) { return jq::id_tap([&](const array& u, const jq::tap_context& c) { seen[c.device.ordinal] += int(u.item<float>()); }, v); };
    const array y = lax::fori_loop(0, 3, [&](const array&, const array& v) { return tap(v) + 1.f; }, x);
    return lax::cond(x > 1.5f, [&](const array& v) { return tap(v * 0.f + 1000.f); }, [](const array& v) { return v; }, y);
  };
  jq::pmap(f)(four);
  CHECK(seen == std::map<int, int>{{0, 3}, {1, 6}, {2, 1009}, {3, 1012}});
}
TEST_CASE("pmap: debug::callback is called for each member") {
  std::vector<int> seen;
  jq::pmap([&](const array& x) {
    jq::debug::callback([&](const array& v) { seen.push_back(int(v.item<float>())); }, x);
    return x;
  })(four);
  std::sort(seen.begin(), seen.end());
  CHECK(seen == std::vector<int>{0, 1, 2, 3});
}
TEST_CASE("pmap: callbacks compute members' own values") {
  const auto f = [](const array& x) {
    const array y = jq::pure_callback([](const array& v) { return v * 2.f; }, x, x);
    const array z = jq::io_callback([](const array& v) { return v + 1.f; }, x, lax::psum(y, "i"));
    return lax::pmean(jq::call([](const array& v) { return v * 0.5f; }, z, z), "i") + x;
  };
  CHECK(show(jq::pmap(f, over_i)(four)) == "f32[4] 6.5 7.5 8.5 9.5");
}
TEST_CASE("pmap: functions of the host are called one at a time") {
  turns t;
  const auto f = jq::pmap([&](const array& x) {
    const array y = jq::id_tap([&](const array&) { t.take(); }, on_host([&](const array& v) { t.take(); return v; }, x));
    return lax::psum(on_host([&](const array& v) { t.take(); return v; }, y), "i");
  }, over_i);
  for (int round = 0; round < 5; ++round) CHECK(show(f(eight)) == "f32[8] 28 28 28 28 28 28 28 28");
  CHECK(t.calls.load() == 5 * 8 * 3);
  CHECK(t.most.load() == 1);
}
TEST_CASE("pmap: functions of the host may compute, compile, and map") {
  const auto doubled = jq::jit([](const array& x) { return x * 2.f; });
  const auto total_of = jq::pmap([](const array& x) { return lax::psum(x, "i"); }, over_i);
  const auto f = jq::pmap([&](const array& x) {
    const array y = on_host([&](const array& v) {
      const array parts = jq::asarray({1.f, 2.f, 3.f}) * v;  // a call with an axis of the same name, of another size
      return doubled(v) + total_of(parts)[0] + jq::jit([](const array& u) { return jq::sin(u) * 0.f; })(v) + jq::vmap(sum, over_i)(parts)[1];
    }, x);
    return y + lax::psum(y, "i");
  }, over_i);
  for (int round = 0; round < 10; ++round) CHECK(show(f(four)) == "f32[4] 84 98 112 126");
}
TEST_CASE("pmap: what a function of the host computes is no part of the member's program") {
  const auto f = jq::pmap([](const array& x) { return on_host([](const array& v) { return lax::psum(v, "i"); }, x) + lax::psum(x, "i"); }, over_i);
  const std::string said = message_of<>([&] { f(four); });
  CHECK(said.find("psum: unbound axis name: i") != std::string::npos);
  CHECK_THROWS_AS(f(four), jq::tap_error);
}
TEST_CASE("pmap: a function of the host may keep what it gets") {
  std::vector<array> kept;
  const auto f = jq::pmap([&](const array& x, const array& shared) {
    const auto keep = [&](const std::tuple<array, array, array>& v) {
      kept.push_back(std::get<0>(v));
      kept.push_back(std::get<1>(v));
      kept.push_back(std::get<2>(v));
    };
    return std::get<0>(jq::id_tap(keep, std::tuple{x, x + 1.f, shared})) * 2.f;
  }, jq::in_axes<0, jq::none>);
  {
    const array x = jq::reshape(jq::arange(8, jq::f32), {4, 2}) * 1.f, w = jq::asarray({7.f, 8.f}) * 1.f;
    f(x, w);
  }
  for (int round = 0; round < 3; ++round) f(jq::zeros({4, 2}, jq::f32) - 1.f, jq::zeros({2}, jq::f32) - 1.f);
  REQUIRE(kept.size() == 48);
  std::set<std::string> first;
  for (int k = 0; k < 12; ++k) first.insert(show(kept[std::size_t(k)]));
  CHECK(first == std::set<std::string>{"f32[2] 0 1", "f32[2] 1 2", "f32[2] 2 3", "f32[2] 3 4", "f32[2] 4 5", "f32[2] 5 6", "f32[2] 6 7", "f32[2] 7 8"});
}
TEST_CASE("pmap: a function of the host may keep what was donated") {
  std::vector<array> kept;
  const auto f = jq::pmap([&](const array& x) { return jq::id_tap([&](const array& v) { kept.push_back(v); }, x) * 2.f; }, jq::donate_argnums<0>);
  array x = jq::copy(four);
  for (int k = 0; k < 3; ++k) x = f(x);
  std::vector<float> seen;
  for (const array& v : kept) seen.push_back(jq::copy(v).item<float>());
  std::sort(seen.begin(), seen.end());
  CHECK(show(jq::asarray(seen)) == "f32[12] 0 0 0 1 2 2 3 4 4 6 8 12");
  CHECK(show(x) == "f32[4] 0 8 16 24");
}
TEST_CASE("pmap: a member that throws ends the call for all") {
  // Those that wait at the collective for the member that never comes are told.
  const auto f = jq::pmap([](const array& x) { return lax::psum(fails_for({5})(x), "i") * 2.f; }, over_i);
  const array good = jq::ones({8}, jq::f32);
  for (int round = 0; round < 30; ++round) {
    CHECK_THROWS_WITH_AS(f(eight), doctest::Contains("no luck with 5"), jq::tap_error);
    CHECK(show(f(good)) == "f32[8] 16 16 16 16 16 16 16 16");
  }
  CHECK(f.cache_size() == 2 - 1);
}
TEST_CASE("pmap: where several members throw, the call throws what one of them threw") {
  const auto f = jq::pmap([](const array& x) { return lax::psum(fails_for({1, 3, 6})(lax::psum(x, "i") * 0.f + x), "i"); }, over_i);
  for (int round = 0; round < 10; ++round) {
    const std::string said = message_of<jq::tap_error>([&] { f(eight); });
    CAPTURE(said);
    CHECK((said.find("no luck with 1") != said.npos || said.find("no luck with 3") != said.npos || said.find("no luck with 6") != said.npos));
    CHECK(said.find("another member") == said.npos);
  }
  const auto all = jq::pmap([](const array& x) { return fails_for({0, 1, 2, 3, 4, 5, 6, 7})(x); }, over_i);
  CHECK_THROWS_WITH_AS(all(eight), doctest::Contains("no luck with"), jq::tap_error);
  // What the function threw is nested.
  try {
    f(eight);
    CHECK(false);
  } catch (const jq::tap_error& e) {
    CHECK_THROWS_AS(std::rethrow_if_nested(e), std::runtime_error);
  }
}
TEST_CASE("pmap: the results of a call that failed are nowhere, its arguments stay, donated ones are gone") {
  const auto f = jq::pmap([](const array& x, const array& y) { return lax::psum(fails_for({2})(x), "i") + y; }, over_i, jq::donate_argnums<1>);
  const array y = jq::copy(four);
  CHECK_THROWS_AS(f(four, y), jq::tap_error);
  CHECK(y.is_deleted());
  CHECK(show(four) == "f32[4] 0 1 2 3");
}
TEST_CASE("pmap: taps that throw are told of by the barrier, and the call goes on") {
  const auto f = jq::pmap([](const array& x) {
    return lax::psum(jq::id_tap([](const array& v) {
      if (v.item<float>() == 2.f) throw std::runtime_error("tap of two");
    }, x), "i");
  }, over_i);
  CHECK(show(f(four)) == "f32[4] 6 6 6 6");
  CHECK_THROWS_WITH_AS(jq::barrier_wait(), doctest::Contains("tap of two"), jq::tap_error);
  jq::barrier_wait();
}
TEST_CASE("pmap: a collective in a branch that only some members take") {
  const auto f = jq::pmap([](const array& x) {
    return lax::cond(x > 1.5f, [](const array& v) { return lax::psum(v, "i"); }, [](const array& v) { return v; }, x);
  }, over_i);
  for (int round = 0; round < 10; ++round) {
    const std::string said = message_of<jq::value_error>([&] { f(four); });
    CAPTURE(said);
    CHECK(said.find("pmap: member ") != said.npos);
    CHECK(said.find(" is at psum f32[], but member ") != said.npos);
    CHECK(said.find(" has ended") != said.npos);
  }
  CHECK(show(f(four * 0.f)) == "f32[4] 0 0 0 0");
  CHECK(show(f(four * 0.f + 2.f)) == "f32[4] 8 8 8 8");
}
TEST_CASE("pmap: different collectives in branches that members take") {
  const auto f = jq::pmap([](const array& x) {
    return lax::cond(x > 1.5f, [](const array& v) { return lax::psum(v, "i"); }, [](const array& v) { return lax::pmax(v, "i"); }, x);
  }, over_i);
  for (int round = 0; round < 10; ++round) {
    const std::string said = message_of<jq::value_error>([&] { f(four); });
    CAPTURE(said);
    CHECK(said.find(" is at psum f32[]") != said.npos);
    CHECK(said.find(" is at pmax f32[]") != said.npos);
    CHECK(said.find("all members come to the same collectives in the same order") != said.npos);
  }
  const auto pairs = jq::pmap([](const array& x) {
    return lax::cond(x > 1.5f, [](const array& v) { return lax::ppermute(v, "i", {{0, 1}}); }, [](const array& v) { return lax::ppermute(v, "i", {{1, 0}}); }, x);
  }, over_i);
  CHECK_THROWS_WITH_AS(pairs(four), doctest::Contains("ppermute"), jq::value_error);
  const auto types = jq::pmap([](const array& x) {
    return lax::cond(x > 1.5f, [](const array& v) { return jq::sum(lax::psum(jq::stack({v, v}), "i")); }, [](const array& v) { return lax::psum(v, "i"); }, x);
  }, over_i);
  CHECK_THROWS_WITH_AS(types(four), doctest::Contains("psum f32[2]"), jq::value_error);
}
TEST_CASE("pmap: a collective in a loop of which members make different numbers of rounds") {
  const auto f = jq::pmap([](const array& x) {
    return lax::while_loop([](const std::pair<array, array>& c) { return c.first > 0.f; },
                           [](const std::pair<array, array>& c) { return std::pair{c.first - 1.f, lax::psum(c.second, "i")}; }, std::pair{x, x}).second;
  }, over_i);
  for (int round = 0; round < 10; ++round) CHECK_THROWS_WITH_AS(f(four), doctest::Contains("every member takes part in each collective"), jq::value_error);
  CHECK(show(f(jq::ones({3}, jq::f32))) == "f32[3] 3 3 3");
}
TEST_CASE("pmap: the first NaN of a member is found") {
  const auto f = jq::pmap([](const array& x) { return lax::psum(jq::log(x), "i"); }, over_i);
  const array x = jq::asarray({1.f, -1.f, 2.f});
  CHECK(jq::all(jq::isnan(f(x))).item<bool>());
  {
    const jq::debug_nans on;
    CHECK_THROWS_WITH_AS(f(x), doctest::Contains("invalid value (nan) encountered in parallel computation, by log"), jq::value_error);
    CHECK_THROWS_WITH_AS(jq::log(x), doctest::Contains("encountered in log"), jq::value_error);
    CHECK(show(f(jq::ones({3}, jq::f32))) == "f32[3] 0 0 0");
  }
  CHECK(jq::all(jq::isnan(f(x))).item<bool>());
}
TEST_CASE("pmap: a function of the host may fork while other members wait for it") {
  for (const bool meets : {false, true}) {
    const auto f = jq::pmap([&](const array& x) {
      const array y = jq::io_callback([](const array& v) {
        if (v.item<float>() != 1.f) return v;
        const pid_t child = fork();
        if (child == 0) _exit(7);
        int status = 0;
        waitpid(child, &status, 0);
        return WEXITSTATUS(status) == 7 ? v : jq::copy(v) * 0.f;
      }, x, x);
      return meets ? lax::psum(y, "i") : y;
    }, over_i);
    CHECK_SAME(f(jq::asarray({1.f, 2.f, 3.f})), meets ? jq::asarray({6.f, 6.f, 6.f}) : jq::asarray({1.f, 2.f, 3.f}));
  }
}
