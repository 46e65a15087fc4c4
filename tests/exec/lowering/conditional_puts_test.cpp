// Branches that put few elements into an operand or leave it: which become puts without a branch, what they compute, and what stays a branch.
// Oracle: the interpreter, and the program as it was.
#include <jacquard/exec/lowering/conditional_puts.hpp>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/testing/comparison.hpp>

#include "../../show.hpp"

using jq::array;
namespace lax = jq::lax;

namespace {

constexpr int size = 40;
array numbers() { return jq::arange(size, jq::f32) * 0.25f - 3.0f; }

/// The program of f with such branches as puts; both are evaluated at all arguments.
template <class F>
std::string without_branches(F f, const std::vector<array>& firsts, const array& s) {
  const jq::closed_jaxpr p = jq::make_jaxpr(f)(firsts[0], s), q{jq::lowering::with_conditional_puts(p.program), p.constants};
  CHECK_FALSE(jq::check_jaxpr(*q));
  for (const array& i : firsts) {
    const auto r = jq::testing::identical(jq::eval_jaxpr(q, std::vector<array>{i, s}), jq::eval_jaxpr(p, std::vector<array>{i, s}));
    CHECK_MESSAGE(r.ok, r.text);
  }
  return jq::to_string(q);
}
std::vector<array> whole_numbers(std::initializer_list<int> all) {
  std::vector<array> r;
  for (int i : all) r.push_back(jq::asarray(std::int32_t(i)));
  return r;
}
const std::vector<array> some = whole_numbers({0, 1, 5, 39, 40, -1, -40, -41, 1000});
bool has_branch(const std::string& program) { return program.find("cond[") != std::string::npos; }

/// 100 trips, compiled and on tiles, next to the interpreter.
template <class F>
void check_trips(F body, const array& s) {
  const auto f = [body](array a) { return lax::fori_loop(0, 100, body, a); };
  const array want = jq::jit(f, jq::backend("interpreter"))(s);
  for (const jq::precision& p : {jq::precision::fast, jq::precision::strict})
    for (const jq::compile_at when : {jq::compile_at::first_call, jq::compile_at::never}) {
      const auto r = jq::testing::identical(jq::jit(f, jq::backend("cpu"), p, when)(s), want);
      CHECK_MESSAGE(r.ok, r.text);
    }
}

}  // namespace

TEST_CASE("conditional puts: by either branch, at places that are there or not") {
  const auto first = [](array i, array s) {
    return lax::cond(i % 2 == 0, [&](const array& a) { return a.at(i).set(i.astype(jq::f32)); }, [](const array& a) { return a; }, s);
  };
  const auto second = [](array i, array s) {
    return lax::cond(i > 3, [](const array& a) { return a; }, [&](const array& a) { return a.at(i).add(a(0) * 2.0f); }, s);
  };
  CHECK_FALSE(has_branch(without_branches(first, some, numbers())));
  CHECK_FALSE(has_branch(without_branches(second, some, numbers())));
}
TEST_CASE("conditional puts: one after the other, beside few elements that both branches compute") {
  const auto f = [](array i, array s) {
    const auto [a, count, pair] = lax::cond(
        i % 3 == 1,
        [&](const array& x) {
          return std::tuple{x.at(i).set(-1.0f).at(jq::asarray({1, 7})).multiply(jq::asarray({2.0f, 3.0f})), i + 1, jq::asarray({1.0f, 2.0f}) * x(3)};
        },
        [&](const array& x) { return std::tuple{x, i, jq::asarray({0.5f, -0.0f})}; }, s);
    return std::tuple{a, count, pair};
  };
  CHECK_FALSE(has_branch(without_branches(f, some, numbers())));
}
TEST_CASE("conditional puts: two dimensions, and two arrays of which one is put into") {
  const auto f = [](array i, array s) {
    const array m = jq::reshape(s, {5, 8}), other = s * 2.0f;
    const auto [a, b] = lax::cond(i < 2, [](const array& x, const array& y) { return std::tuple{x, y}; },
                                  [&](const array& x, const array& y) { return std::tuple{x.at(i, i + 1).set(7.0f), y}; }, m, other);
    return std::tuple{a, b};
  };
  CHECK_FALSE(has_branch(without_branches(f, some, numbers())));
}
TEST_CASE("conditional puts: what stays a branch") {
  const auto change = [](auto put, auto leave) {
    return [=](array i, array s) { return lax::cond(i > 3, [=](const array& a) { return put(i, a); }, [=](const array& a) { return leave(i, a); }, s); };
  };
  const auto same = [](const array&, const array& a) { return a; };
  const auto element = [](const array& i, const array& a) { return a.at(i).set(1.0f); };
  // many elements, much work, another operand, both branches, nothing to put, an index that is moved to a place that is there
  CHECK(has_branch(without_branches(change([](const array&, const array& a) { return a.at(jq::slice(0, 20)).set(1.0f); }, same), some, numbers())));
  CHECK(has_branch(without_branches(change([](const array& i, const array& a) { return a.at(i).set(jq::sum(a)); }, same), some, numbers())));
  CHECK(has_branch(without_branches(change(element, [](const array&, const array& a) { return a * 2.0f; }), some, numbers())));
  CHECK(has_branch(without_branches(change(element, element), some, numbers())));
  CHECK(has_branch(without_branches(change(same, [](const array&, const array& a) { return a * 2.0f; }), some, numbers())));
  CHECK(has_branch(without_branches(
      change([](const array& i, const array& a) { return lax::dynamic_update_slice(a, jq::asarray({1.0f}), {i}); }, same), some, numbers())));
}
TEST_CASE("conditional puts: a program without them is the same one") {
  const jq::closed_jaxpr p = jq::make_jaxpr([](array a) { return a.at(3).set(1.0f); })(numbers());
  CHECK(&*jq::lowering::with_conditional_puts(p.program) == &*p.program);
}
TEST_CASE("conditional puts: loops compute what they did") {
  check_trips([](array i, array s) {
    return lax::cond(i % 2 == 0, [&](const array& a) { return a.at(i % 50).set(i.astype(jq::f32)); }, [](const array& a) { return a; }, s);
  }, numbers());
  check_trips([](array i, array s) {
    return lax::cond(s(i % size) < 0.0f, [&](const array& a) { return a.at(i % size).set(a((i + 1) % size) * 0.5f); }, [](const array& a) { return a; }, s);
  }, numbers());
  // the place is 0 / 0 where nothing is put
  check_trips([](array i, array s) {
    return lax::cond(i % 3 != 0, [&](const array& a) { return a.at(lax::div(jq::asarray(std::int32_t(30)), i % 3)).add(1.0f); }, [](const array& a) { return a; }, s);
  }, numbers());
  check_trips([](array i, array s) {
    return lax::cond(i > 2, [&](const array& a) { return a.at(i - 3).set(a(0)); }, [](const array& a) { return a; }, s);
  }, jq::zeros({1000}, jq::f32) + 2.0f);
}
