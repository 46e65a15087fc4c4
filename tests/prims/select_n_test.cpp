// select_n: bool and integer selectors, rank-0 operands, derivatives, transposes, batching, all dtypes, errors.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array select_of(const arrays& x) { return lax::select(x[0], x[1], x[2]); }
array pick_of(const arrays& x) { return lax::select_n(x[0], x[1], x[2], x[3]); }
const array mask = make({true, false, true});
const array a = make({1.0, 2.0, 3.0}), b = make({-1.0, -2.0, -3.0});
}  // namespace

static_assert(jq::table_of<jq::select_n_p>().elementwise && jq::table_of<jq::select_n_p>().linear == ~1u);

TEST_CASE("select_n: values") {
  CHECK_CLOSE(select_of({mask, a, b}), make({1.0, -2.0, 3.0}), 0);
  CHECK_CLOSE(lax::select_n(mask, a, b), make({-1.0, 2.0, -3.0}), 0);
  CHECK_CLOSE(pick_of({make({2, 0, 1}), a, b, make({7.0, 8.0, 9.0})}), make({7.0, 2.0, -3.0}), 0);
  CHECK_CLOSE(pick_of({make({9, -9, 1}), a, b, make({7.0, 8.0, 9.0})}), make({7.0, 2.0, -3.0}), 0);
  CHECK_CLOSE(select_of({mask, make({inf, 1.0, 2.0}), make({not_a_number, 4.0, not_a_number})}), make({inf, 4.0, 2.0}),
              0);
  CHECK_CLOSE(select_of({make<bool>({}, {0, 2}), make<int>({}, {0, 2}), make<int>({}, {0, 2})}), make<int>({}, {0, 2}),
              0);
}
TEST_CASE("select_n: rank 0 is broadcast, literals take the dtype of the cases") {
  CHECK_CLOSE(select_of({scalar(true), a, b}), a, 0);
  CHECK_CLOSE(select_of({scalar(false), a, scalar(5.0)}), make({5.0, 5.0, 5.0}), 0);
  CHECK_CLOSE(select_of({mask, scalar(1.0f), scalar(2.0f)}), make({1.0f, 2.0f, 1.0f}), 0);
  CHECK_CLOSE(lax::select(mask, make({1.0f, 2.0f, 3.0f}), 0.0), make({1.0f, 0.0f, 3.0f}), 0);
  CHECK_CLOSE(lax::select_n(make({0, 1, 2}), 1.0, 2.0, make({1.5f, 2.5f, 3.5f})), make({1.0f, 2.0f, 3.5f}), 0);
  CHECK_CLOSE(select_of({scalar(true), scalar(1), scalar(2)}), scalar(1), 0);
}
TEST_CASE("select_n: every dtype, selectors of every integer dtype") {
  for (int i = 0; i < jq::dtype_count; ++i) {
    const jq::dtype t = jq::dtype(i);
    CHECK_CLOSE(select_of({mask, cast(make({1, 0, 3}), t), cast(make({0, 1, 0}), t)}), cast(make({1, 1, 3}), t), 0);
    if (jq::is_integer(t)) CHECK_CLOSE(lax::select_n(cast(make({1, 0, 1}), t), a, b), make({-1.0, 2.0, -3.0}), 0);
  }
}
TEST_CASE("select_n: derivative") {
  const array ct = make({1.0, 10.0, 100.0});
  arrays back = cotangents([](const arrays& x) { return select_of({mask, x[0], x[1]}); }, {a, b}, ct);
  CHECK_CLOSE(back[0], make({1.0, 0.0, 100.0}), 0);
  CHECK_CLOSE(back[1], make({0.0, 10.0, 0.0}), 0);
  back = cotangents([](const arrays& x) { return select_of({mask, x[0], x[1]}); }, {a, scalar(2.0)}, ct);
  CHECK_CLOSE(back[1], scalar(10.0), 0);
  check_derivatives([](const arrays& x) { return lax::mul(select_of({mask, x[0], x[1]}), x[0]); }, {a, b});
  check_derivatives(
      [](const arrays& x) {
        return pick_of({make({2, 0, 1}), x[0], x[1], x[2]});
      },
      {a, b, make({7.0, 8.0, 9.0})});
}
TEST_CASE("select_n: no NaN leaks from the case that is not taken") {
  const auto safe_log = [](const arrays& x) {
    const array positive = lax::gt(x[0], 0.0);
    return lax::select(positive, lax::log(lax::select(positive, x[0], 1.0)), 0.0);
  };
  CHECK_CLOSE(cotangents(safe_log, {make({0.0, 2.0})}, make({1.0, 1.0}))[0], make({0.0, 0.5}), 0);
}
TEST_CASE("select_n: batching") {
  check_batching(function(select_of), {mask, a, b});
  check_batching(function(select_of), {scalar(true), a, b});
  check_batching(function(select_of), {scalar(true), make({1, 2, 3, 4}, {2, 2}), scalar(5)});
  check_batching(function(pick_of), {make({2, 0, 1}), a, b, make({7.0, 8.0, 9.0})});
}
TEST_CASE("select_n: long masks, in stretches and mixed, also into the memory of a case") {
  std::vector<double> on, off;
  for (int i = 0; i < 43; ++i) on.push_back(i + 1), off.push_back(-i - 1);
  const array a = jq::asarray(off), b = jq::asarray(on);
  for (const int kind : {0, 1, 2, 3, 4}) {  // none, all, a prefix, every third, blocks in turns
    const auto taken = [&](int i) { return kind == 1 || (kind == 2 && i < 21) || (kind == 3 && i % 3 == 0) || (kind == 4 && i / 8 % 2 == 0); };
    std::vector<double> which, both, only_on;
    for (int i = 0; i < 43; ++i) {
      which.push_back(taken(i));
      both.push_back(taken(i) ? on[std::size_t(i)] : off[std::size_t(i)]);
      only_on.push_back(taken(i) ? on[std::size_t(i)] : 7);
    }
    const array m = jq::asarray(which), seven = jq::asarray(7.0);
    const auto f = [](const array& w, const array& x, const array& y, const array& one) {
      const array k = lax::gt(w, jq::asarray(0.5));
      return std::tuple{lax::select(k, y, x), lax::select(k, lax::neg(y), lax::neg(x)), lax::select(k, y, one), lax::select(k, one, lax::neg(x)),
                        lax::select(k, lax::neg(y), one)};
    };
    for (const auto& [plain, negated, with_on, with_off, negated_on] : {f(m, a, b, seven), jq::jit(f)(m, a, b, seven)}) {
      CHECK_CLOSE(plain, jq::asarray(both), 0);
      CHECK_CLOSE(lax::neg(negated), jq::asarray(both), 0);
      CHECK_CLOSE(with_on, jq::asarray(only_on), 0);
      for (std::size_t i = 0; i < 43; ++i) {
        CHECK(values<double>(with_off)[i] == (taken(int(i)) ? 7 : -off[i]));
        CHECK(values<double>(negated_on)[i] == (taken(int(i)) ? -on[i] : 7));
      }
    }
  }
}
TEST_CASE("select_n: long selectors of many cases, the largest and smallest integers among them") {
  constexpr std::size_t n = 300;
  std::vector<std::int64_t> which;
  std::vector<double> numbers;
  for (std::size_t i = 0; i < n; ++i) which.push_back(i % 11 == 3 ? INT64_MAX : i % 11 == 5 ? INT64_MIN : std::int64_t(i * i % 7) - 2), numbers.push_back(double(i));
  const array x = jq::asarray(numbers), three = jq::asarray(3.0);
  const std::vector<double> signed_of = values<double>(pick_of({jq::asarray(which), lax::neg(x), three, x}));
  const std::vector<double> unsigned_of = values<double>(pick_of({cast(jq::asarray(which), jq::u64), lax::neg(x), three, x}));
  const std::vector<double> small_of = values<double>(pick_of({cast(jq::asarray(which), jq::i8), lax::neg(x), three, x}));
  const auto chosen = [&](std::size_t i, bool first, bool second) { return first ? -numbers[i] : second ? 3 : numbers[i]; };
  for (std::size_t i = 0; i < n; ++i) {
    const std::int8_t narrow = std::int8_t(which[i]);
    CHECK(signed_of[i] == chosen(i, which[i] <= 0, which[i] == 1));
    CHECK(unsigned_of[i] == chosen(i, which[i] == 0, which[i] == 1));
    CHECK(small_of[i] == chosen(i, narrow <= 0, narrow == 1));
  }
}
TEST_CASE("select_n: errors") {
  using jq::shape_error, jq::type_error;
  CHECK_THROWS_WITH_AS(select_of({make({1.0, 2.0, 3.0}), a, b}),
                       doctest::Contains("select_n `which` must be boolean or integer type, got float64"), type_error);
  CHECK_THROWS_WITH_AS(pick_of({mask, a, b, a}),
                       doctest::Contains("select_n with boolean `which` cannot have > 2 cases, got 3"), type_error);
  CHECK_THROWS_WITH_AS(select_of({mask, a, make({1, 2, 3})}),
                       doctest::Contains("select_n requires cases to have the same dtypes, got int32, float64"),
                       type_error);
  CHECK_THROWS_WITH_AS(select_of({mask, a, make({1.0, 2.0})}),
                       doctest::Contains("select_n cases must have the same shapes, got [(2,), (3,)]"), shape_error);
  CHECK_THROWS_WITH_AS(
      select_of({make({true, false}), a, b}),
      doctest::Contains("must be scalar or have the same shape as cases, got `which` shape (2,) but case shape (3,)"),
      shape_error);
  CHECK_THROWS_WITH_AS(lax::select_n(mask, arrays{}), doctest::Contains("select_n must have at least one case"),
                       type_error);
}
