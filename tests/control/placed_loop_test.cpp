// Loops on laid out memory: which memory each trip reads and writes. Oracle: loops over numbers.
#include <jacquard/jacquard.hpp>

#include <doctest/doctest.h>

namespace jq = jacquard;
using jq::array;

namespace {

/// A scan or while loop as traced, run by `place` with a body that is C++.
struct run_of_loop {
  const jq::jaxpr_ref program;
  const jq::equation& e = program->equations[0];
  std::vector<double> scratch;

  template <class F, class... A>
  static run_of_loop of(F f, const A&... x) {
    return run_of_loop(jq::make_jaxpr(f)(x...).program);
  }
  explicit run_of_loop(jq::jaxpr_ref p) : program(std::move(p)) {
    REQUIRE(program->equations.size() == 1);
    REQUIRE(bool(e.op->place));
    const jq::control_form form = e.op->control(program->params(e));
    std::int64_t bytes = form.scratch;
    for (std::size_t i = 0; i < form.carries; ++i) bytes += jq::detail::whole_lines(program->avals[program->outputs(e)[i]].bytes());
    scratch.resize(std::size_t(bytes) / sizeof(double));
  }
  bool in_place = false;  ///< what bodies say when asked whether they update a carry in place

  template <class Body>
  void operator()(std::vector<void*> in, std::vector<void*> out, Body body) {
    struct running {
      Body& body;
      bool in_place;
    } r{body, in_place};
    jq::placed_call c{in, out, program->params(e), reinterpret_cast<char*>(scratch.data()),
                      [](void* context, std::size_t number, void* const* from, void* const* to) { static_cast<running*>(context)->body(number, from, to); },
                      [](void* context, std::size_t, std::size_t, std::size_t) { return static_cast<running*>(context)->in_place; }, &r,
                      [](void* context, std::size_t body_number, std::int64_t trips, void** from, void** to, jq::view<const jq::moving_place> moving) {
                        for (std::int64_t n = 0; n < trips; ++n) {
                          static_cast<running*>(context)->body(body_number, from, to);
                          for (const jq::moving_place& m : moving) m.in(from, to) = static_cast<char*>(m.in(from, to)) + (n % 2 == 0 ? m.step : m.next);
                        }
                      }};
    e.op->place(c);
  }
};
double number(const void* p) { return *static_cast<const double*>(p); }
void set(void* p, double x) { *static_cast<double*>(p) = x; }

}  // namespace

TEST_CASE("a placed scan: carries share memory with what they are made of only where the body says so, elements lie in place, either way round") {
  for (const auto& [reverse, in_place] : {std::pair{false, false}, {false, true}, {true, false}, {true, true}})
    for (std::int64_t trips : {0, 1, 2, 3, 6}) {
      auto loop = run_of_loop::of([reverse = reverse](const array& k, const array& c, const array& x) {
        return jq::lax::scan([&](const array& s, const array& e) { return std::pair{s * k + e, s * e}; }, c, x, {.reverse = reverse});
      }, jq::zeros({}, jq::f64), jq::zeros({}, jq::f64), jq::zeros({trips}, jq::f64));
      double factor = 0.5, start = 3, end = 0;
      std::vector<double> x, y(std::size_t(trips), -1.0), want(std::size_t(trips), -1.0);
      for (std::int64_t i = 0; i < trips; ++i) x.push_back(double(i * i) - 2);
      loop.in_place = in_place;
      loop({&factor, &start, x.data()}, {&end, y.data()}, [&, in_place = in_place](std::size_t, void* const* in, void* const* out) {
        CHECK((in[1] == out[0]) == in_place);
        CHECK((out[0] == static_cast<void*>(&end) || (!in_place && out[0] == static_cast<void*>(loop.scratch.data()))));
        set(out[1], number(in[1]) * number(in[2]));
        set(out[0], number(in[1]) * number(in[0]) + number(in[2]));
      });
      double s = start;
      for (std::int64_t n = 0; n < trips; ++n) {
        const auto at = std::size_t(reverse ? trips - 1 - n : n);
        want[at] = s * x[at];
        s = s * factor + x[at];
      }
      CHECK(end == s);
      CHECK(y == want);
    }
}
TEST_CASE("a placed scan: a carry that is stacked, before or after a trip, goes around in the stack") {
  for (const bool before : {true, false})
    for (const auto& [reverse, in_place] : {std::pair{false, false}, {false, true}, {true, false}, {true, true}})
      for (std::int64_t trips : {0, 1, 2, 3, 6}) {
        auto loop = run_of_loop::of([&, reverse = reverse](const array& c, const array& x) {
          return jq::lax::scan([&](const array& s, const array& e) {
            const array next = s + e;
            if (before) return std::pair{next, s};
            return std::pair{next, next};
          }, c, x, {.reverse = reverse});
        }, jq::zeros({}, jq::f64), jq::zeros({trips}, jq::f64));
        double start = 3, end = 0;
        std::vector<double> x, y(std::size_t(trips), -1.0), want(std::size_t(trips), -1.0);
        for (std::int64_t i = 0; i < trips; ++i) x.push_back(double(i * i) - 2);
        loop.in_place = in_place;
        loop({&start, x.data()}, {&end, y.data()}, [&, in_place = in_place](std::size_t, void* const* in, void* const* out) {
          const double s = number(in[0]), next = s + number(in[1]);
          CHECK((in[0] == out[0]) == in_place);
          if (!in_place) CHECK((before ? in[0] : out[0]) == out[1]);
          if (in_place) set(out[1], before ? s : next);
          set(out[0], next);
        });
        double s = start;
        for (std::int64_t n = 0; n < trips; ++n) {
          const auto at = std::size_t(reverse ? trips - 1 - n : n);
          want[at] = before ? s : s + x[at];
          s = s + x[at];
        }
        CHECK(end == s);
        CHECK(y == want);
        CHECK(start == 3);
      }
}
TEST_CASE("a placed while loop ends with its carries in the results after any number of trips") {
  for (int n = 0; n < 10; ++n) {
    const int trips = n / 2;
    auto loop = run_of_loop::of([](const array& c) {
      return jq::lax::while_loop([](const array& s) { return s < 1.0; }, [](const array& s) { return s + 1.0; }, c);
    }, jq::zeros({}, jq::f64));
    double start = -double(trips), end = 77;
    int conditions = 0, bodies = 0;
    loop.in_place = n % 2 != 0;
    loop({&start}, {&end}, [&](std::size_t number_of_body, void* const* in, void* const* out) {
      if (number_of_body == 0) {
        ++conditions;
        *static_cast<bool*>(out[0]) = number(in[0]) < 0;
        return;
      }
      ++bodies;
      CHECK((in[0] == out[0]) == loop.in_place);
      set(out[0], number(in[0]) + 1);
    });
    CHECK(end == 0);
    CHECK(bodies == trips);
    CHECK(conditions == trips + 1);
    CHECK(start == -double(trips));
  }
}
