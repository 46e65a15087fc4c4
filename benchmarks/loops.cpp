// Question: what does a trip of a compiled loop cost? fori_loop, scan and while_loop with bodies of one and of eight elements, next to the same
// loop by hand, whose trips depend on each other as ours do; bar: 20 ns more a trip. Loops that write into a carry in place: an element, a row
// made of another one, in one branch of a choice, into a few elements; that draw random numbers, and that sort a few; loops with
// equations that have kernels of their own, with complex numbers, and the gradient of one that looks up rows of a large array; the same bar.
// A map, whose trips do not depend on each other, next to the same function of the whole array; bar: 1.1 times that.
// And T22: an identity tap in a compiled loop, next to a std::function in a loop; bar: 100 ns. Bodies of more than one operation: a division per trip (Newton's iteration), a step of the
// Runge-Kutta method for three numbers, a recurrent cell of eight; bar: 1.2 times the loop by hand for the first. And a whole eager call of a
// loop, whose body is traced each time, next to a call of the same under jit: what is computed is the same program, once the loop has run for
// some tenths of a millisecond.
// Unit: nanoseconds per trip more than the loop by hand; of bodies of more than one operation ratios to it.

#include <algorithm>
#include <cmath>
#include <functional>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

#include "interleaved.hpp"

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;

namespace {

constexpr int trips = 100000;

/// Times jit(f)(x...) in alternation with `hand`, both of so many trips, and reports by how much a trip takes longer.
template <class Hand, class F, class... A>
void task(const char* name, const char* against, double bar, Hand hand, F f, const A&... x) {
  const auto compiled = jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call);
  const auto ours = [&] {
    const auto result = compiled(x...);
    interleaved::observe(&result);
  };
  ours(), hand();
  std::vector<double> more, own, by_hand;
  for (int round = 0; round < (interleaved::quick() ? 5 : 21); ++round) {
    by_hand.push_back(interleaved::nanoseconds(hand, 3) / trips);
    own.push_back(interleaved::nanoseconds(ours, 3) / trips);
    more.push_back(own.back() - by_hand.back());
  }
  using interleaved::quartiles;
  interleaved::report({name, against, quartiles(more), bar, "ns", quartiles(own).middle, quartiles(by_hand).middle});
}

void one_element() {
  float s = 1;
  interleaved::observe(&s);
  for (int i = 0; i < trips; ++i) s = s * 0.999f + 0.5f;
  interleaved::observe(&s);
}
void eight_elements() {
  float s[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  interleaved::observe(s);
  for (int i = 0; i < trips; ++i)
    for (float& x : s) x = std::sin(x) * 0.999f + 0.5f;
  interleaved::observe(s);
}
void counting() {
  float s = 0;
  interleaved::observe(&s);
  while (s < float(trips)) s += 1.0f;
  interleaved::observe(&s);
}

void loops() {
  task("trip of fori_loop, one element", "by hand", 20, one_element, [](const array& x) {
    return lax::fori_loop(0, trips, [](const array&, const array& s) { return s * 0.999f + 0.5f; }, x);
  }, array(1.0f));
  task("trip of fori_loop, sin of eight", "by hand", 20, eight_elements, [](const array& x) {
    return lax::fori_loop(0, trips, [](const array&, const array& s) { return jq::sin(s) * 0.999f + 0.5f; }, x);
  }, jq::ones({8}));
  task("trip of scan, one element", "by hand", 20, one_element, [](const array& c, const array& x) {
    return lax::scan([](const array& s, const array& e) {
      const array next = s * 0.999f + e;
      return std::pair{next, next * 2.0f};
    }, c, x);
  }, array(1.0f), jq::ones({trips}));
  task("trip of while_loop, one element", "by hand", 20, counting, [](const array& x) {
    return lax::while_loop([](const array& s) { return s < float(trips); }, [](const array& s) { return s + 1.0f; }, x);
  }, array(0.0f));
}
/// Newton's iteration for the square root of 2, once it has converged: each trip waits for the division of the one before.
void newton() {
  double s = 1, a = 2;
  interleaved::observe(&a), interleaved::observe(&s);
  for (int i = 0; i < trips; ++i) s = 0.5 * (s + a / s);
  interleaved::observe(&s);
}
constexpr double width = 1e-4;
/// y' = (y0 + y1 + y2) / 10 - y^2, element by element.
void slope(const double* y, double* k) {
  const double sum = (y[0] + y[1] + y[2]) * 0.1;
  for (int i = 0; i < 3; ++i) k[i] = sum - y[i] * y[i];
}
void runge_kutta() {
  double y[3] = {0.1, 0.2, 0.3};
  interleaved::observe(y);
  for (int n = 0; n < trips; ++n) {
    double k1[3], k2[3], k3[3], k4[3], z[3];
    slope(y, k1);
    for (int i = 0; i < 3; ++i) z[i] = y[i] + 0.5 * width * k1[i];
    slope(z, k2);
    for (int i = 0; i < 3; ++i) z[i] = y[i] + 0.5 * width * k2[i];
    slope(z, k3);
    for (int i = 0; i < 3; ++i) z[i] = y[i] + width * k3[i];
    slope(z, k4);
    for (int i = 0; i < 3; ++i) y[i] += width / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  interleaved::observe(y);
}
/// h = tanh(W h + x): rational, as libm's tanh would be all of it.
float squashed(float x) { return x * (27 + x * x) / (27 + 9 * x * x); }
void recurrent_cell(const float* w, float* h, const float* x, float* out) {
  for (int n = 0; n < trips; ++n) {
    float z[8];
    for (int i = 0; i < 8; ++i) z[i] = x[n * 8 + i];
    for (int k = 0; k < 8; ++k)
      for (int i = 0; i < 8; ++i) z[i] += w[k * 8 + i] * h[k];
    for (int i = 0; i < 8; ++i) out[n * 8 + i] = h[i] = squashed(z[i]);
  }
  interleaved::observe(out), interleaved::observe(h);
}

template <class Hand, class F, class... A>
void ratio(const char* name, double bar, Hand hand, F f, const A&... x) {
  const auto compiled = jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call);
  interleaved::compare(name, trips, 0, hand, [&] {
    const auto result = compiled(x...);
    interleaved::observe(&result);
  }, bar);
}
void bodies() {
  using state = std::pair<array, array>;
  ratio("trip of while_loop, Newton's iteration", 1.2, newton, [](const array& a, const array& x) {
    return lax::while_loop([](const state& s) { return s.second < trips; },
                           [&](const state& s) { return state{0.5 * (s.first + a / s.first), s.second + 1}; }, state{x, array(0)}).first;
  }, array(2.0), array(1.0));
  const auto slopes = [](const array& y) { return jq::sum(y) * 0.1 - y * y; };
  ratio("trip of fori_loop, Runge-Kutta for 3", interleaved::no_bar, runge_kutta, [&](const array& start) {
    return lax::fori_loop(0, trips, [&](const array&, const array& y) {
      const array k1 = slopes(y), k2 = slopes(y + 0.5 * width * k1), k3 = slopes(y + 0.5 * width * k2), k4 = slopes(y + width * k3);
      return y + width / 6 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }, start);
  }, jq::asarray({0.1, 0.2, 0.3}));
  const array w = jq::random::normal(jq::random::key(0), {8, 8}) * 0.3f, x = jq::random::normal(jq::random::key(1), {trips, 8});
  std::vector<float> h(8), out(std::size_t(trips) * 8);
  const auto by_hand = [&] { recurrent_cell(w.data<float>().data(), h.data(), x.data<float>().data(), out.data()); };
  ratio("trip of scan, recurrent cell of 8", interleaved::no_bar, by_hand, [](const array& m, const array& start, const array& xs) {
    return lax::scan([&](const array& s, const array& e) {
      const array z = jq::matmul(s, m) + e, next = z * (27.f + z * z) / (27.f + 9.f * z * z);
      return std::pair{next, next};
    }, start, xs);
  }, w, jq::zeros({8}), x);
}
constexpr int places = 1000, columns = 16;
void element_written() {
  static float s[places];
  for (int i = 0; i < trips; ++i) {
    s[i % places] = float(i) * 0.5f;
    interleaved::observe(s);
  }
}
void row_written() {
  static float s[places * columns];
  for (int i = 0; i < trips; ++i) {
    const float* const from = s + i % places * columns;
    float* const to = s + (i + 1) % places * columns;
    for (int k = 0; k < columns; ++k) to[k] = from[k] * 0.5f + 1.0f;
    interleaved::observe(s);
  }
}
void written_at_times() {
  static float s[places];
  for (int i = 0; i < trips; ++i) {
    if (i % 2 == 0) s[i % places] = float(i);
    interleaved::observe(s);
  }
}
void few_written() {
  float s[8] = {};
  for (int i = 0; i < trips; ++i) {
    s[i % 8] = s[(i + 3) % 8] * 0.5f + 1.0f;
    interleaved::observe(s);
  }
}
/// Eight numbers of a key made of the trip's number, added up.
void random_numbers() {
  float s[8] = {};
  for (int i = 0; i < trips; ++i) {
    const auto key = jq::threefry2x32_p::hash(0, 0, 0, std::uint32_t(i));
    for (std::uint32_t k = 0; k < 8; ++k) {
      const auto words = jq::threefry2x32_p::hash(key[0], key[1], 0, k);
      s[k] = s[k] * 0.5f + float((words[0] ^ words[1]) >> 9) * 0x1p-23f;
    }
    interleaved::observe(s);
  }
}
void few_sorted() {
  float s[8] = {1, 7, 3, 4, 2, 8, 5, 6};
  for (int i = 0; i < trips; ++i) {
    for (float& x : s) x = 1.0f - x;
    std::sort(s, s + 8);
    interleaved::observe(s);
  }
}
void carries_written() {
  const array row = jq::zeros({places}), rows = jq::zeros({places, columns}), few = jq::zeros({8});
  const auto loop = [](auto body) {
    return [=](const array& x) { return lax::fori_loop(0, trips, body, x); };
  };
  task("trip of fori_loop, an element written", "by hand", 20, element_written, loop([](const array& i, const array& s) {
    return lax::dynamic_update_slice(s, jq::reshape(i.astype(jq::f32) * 0.5f, {1}), {i % places});
  }), row);
  task("trip of fori_loop, a row made of another", "by hand", 20, row_written, loop([](const array& i, const array& s) {
    const array from = lax::dynamic_slice(s, {i % places, array(0)}, {1, columns});
    return lax::dynamic_update_slice(s, from * 0.5f + 1.0f, {(i + 1) % places, array(0)});
  }), rows);
  task("trip of fori_loop, an element written at times", "by hand", 20, written_at_times, loop([](const array& i, const array& s) {
    return lax::cond(i % 2 == 0, [&](const array& a) { return a.at(i % places).set(i.astype(jq::f32)); }, [](const array& a) { return a; }, s);
  }), row);
  task("trip of fori_loop, one of eight written", "by hand", 20, few_written, loop([](const array& i, const array& s) {
    return s.at(i % 8).set(s((i + 3) % 8) * 0.5f + 1.0f);
  }), few);
  task("trip of fori_loop, eight random numbers", "by hand", 20, random_numbers, loop([](const array& i, const array& s) {
    return s * 0.5f + jq::random::uniform(jq::random::fold_in(jq::random::key(0), i), {8});
  }), few);
  task("trip of fori_loop, eight sorted", "by hand", 20, few_sorted, loop([](const array&, const array& s) { return jq::sort(1.0f - s); }),
       jq::asarray({1.f, 7.f, 3.f, 4.f, 2.f, 8.f, 5.f, 6.f}));
}
void few_added_up() {
  float s[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  for (int i = 0; i < trips; ++i) {
    float sum = 0;
    for (float& x : s) x = sum += x * 0.3f;
    interleaved::observe(s);
  }
}
void place_of_largest() {
  float s[8] = {1, 7, 3, 4, 2, 8, 5, 6};
  for (int i = 0; i < trips; ++i) {
    const auto place = float(std::max_element(s, s + 8) - s);
    for (float& x : s) x = x * 0.5f + place;
    interleaved::observe(s);
  }
}
void three_factored() {
  float s[9] = {}, l[9] = {};
  for (int i = 0; i < trips; ++i) {
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k <= r; ++k) {
        float x = s[r * 3 + k] * 0.001f + (r == k ? 2.3f : 0.3f);
        for (int j = 0; j < k; ++j) x -= l[r * 3 + j] * l[k * 3 + j];
        l[r * 3 + k] = r == k ? std::sqrt(x) : x / l[k * 3 + k];
      }
    std::copy(l, l + 9, s);
    interleaved::observe(s);
  }
}
void complex_square() {
  float re = 0.1f, im = 0;
  for (int i = 0; i < trips; ++i) {
    const float x = re * re - im * im + 0.1f;
    im = 2 * re * im + 0.2f, re = x;
    interleaved::observe(&re);
  }
}
constexpr int many_rows = 100000;
void rows_added() {
  std::vector<float> s(std::size_t(many_rows) * columns);
  for (int i = 0; i < trips; ++i) {
    float* const row = s.data() + i * 7 % many_rows * columns;
    for (int k = 0; k < columns; ++k) row[k] += 1;
    interleaved::observe(row);
  }
}
void equations_with_kernels() {
  const array few = jq::asarray({1.f, 7.f, 3.f, 4.f, 2.f, 8.f, 5.f, 6.f}), matrix = jq::eye(3).astype(jq::f32) * 2.0f + 0.3f;
  const auto loop = [](auto body) {
    return [=](const array& x) { return lax::fori_loop(0, trips, body, x); };
  };
  task("trip of fori_loop, running sum of eight", "by hand", 20, few_added_up, loop([](const array&, const array& s) { return jq::cumsum(s * 0.3f); }), few);
  task("trip of fori_loop, largest of eight", "by hand", 20, place_of_largest, loop([](const array&, const array& s) {
    return s * 0.5f + jq::argmax(s).astype(jq::f32);
  }), few);
  task("trip of fori_loop, cholesky of 3 x 3", "by hand", 20, three_factored, loop([=](const array&, const array& s) {
    return lax::cholesky(s * 0.001f + matrix);
  }), jq::zeros({3, 3}));
  task("trip of fori_loop, a complex number squared", "by hand", 20, complex_square, loop([](const array&, const array& z) {
    return z * z + jq::complex64(0.1f, 0.2f);
  }), array(jq::complex64(0.1f, 0.0f)));
  task("trip of the gradient of a fori_loop, a row of 100000 looked up", "by hand", 20, rows_added, jq::grad([](const array& all) {
    return jq::sum(lax::fori_loop(0, trips, [&](const array& i, const array& s) { return s + all(i * 7 % many_rows); }, jq::zeros({columns})));
  }), jq::ones({many_rows, columns}));
}
/// Trips that do not depend on each other are array operations.
void separate_trips() {
  const auto each = [](const array& e) { return jq::exp(e) * e; };
  const auto mapped = jq::jit([=](const array& a) { return lax::map(each, a); }, jq::backend("cpu"), jq::compile_at::first_call);
  const auto whole = jq::jit(each, jq::backend("cpu"), jq::compile_at::first_call);
  const array x = jq::sin(jq::arange(100000.0f));
  const auto run = [&](const auto& f) {
    const array result = f(x);
    interleaved::observe(&result);
  };
  run(mapped), run(whole);
  interleaved::compare("map of 1e5 numbers", 1, 0, [&] { run(whole); }, [&] { run(mapped); }, 1.1, "the array");
}
void taps() {
  double sum = 0;
  const std::function<void(const array&)> see = [&](const array& x) { sum += x.is_none(); };
  const array x = jq::asarray(1.f);
  const auto calls = [&] {
    for (int i = 0; i < trips; ++i) {
      interleaved::observe(&see);
      see(x);
    }
  };
  std::size_t seen = 0;
  task("T22 tap in a compiled loop", "std::function", 100, calls, [&](const array& start) {
    const auto tapped = [&](const array&, const array& s) { return jq::id_tap([&](const array& y) { seen += !y.is_none(); }, s); };
    return lax::fori_loop(0, trips, tapped, start);
  }, array(1.0f));
  if (seen == 0 || seen % trips != 0) {
    std::puts("taps are missing");
    std::exit(1);
  }
}

/// f(x...) called eagerly, in alternation with jit(f).
template <class F, class... A>
void eagerly(const char* name, F f, const A&... x) {
  const auto compiled = jq::jit(f, jq::backend("cpu"), jq::precision::strict, jq::compile_at::first_call);
  const auto run = [&](const auto& g) {
    const auto result = g(x...);
    interleaved::observe(&result);
  };
  for (int i = 0; i < 200; ++i) run(f);
  jq::cpu::finish_compiling();
  interleaved::compare(name, 1, 0, [&] { run(compiled); }, [&] { run(f); }, interleaved::no_bar, "jit");
}
void eager_loops() {
  const array x = array(1.0f);
  eagerly("eager fori_loop, 1000 trips", [](const array& a) {
    return lax::fori_loop(0, 1000, [](const array&, const array& s) { return s * 0.999f + 0.5f; }, a);
  }, x);
  eagerly("eager scan, 1000 trips", [](const array& a, const array& all) {
    return lax::scan([](const array& s, const array& e) {
      const array next = s * 0.999f + e;
      return std::pair{next, next * 2.0f};
    }, a, all);
  }, x, jq::ones({1000}));
  eagerly("eager while_loop, 1000 trips", [](const array& a) {
    return lax::while_loop([](const array& s) { return s < 1001.0f; }, [](const array& s) { return s + 1.0f; }, a);
  }, x);
  eagerly("eager fori_loop, 100 trips of 10000", [](const array& a) {
    return lax::fori_loop(0, 100, [](const array&, const array& s) { return s * 0.999f + 0.5f; }, a);
  }, jq::ones({10000}));
  eagerly("eager grad of fori_loop, 1000 trips", jq::grad([](const array& a) {
    return lax::fori_loop(0, 1000, [](const array&, const array& s) { return jq::sin(s) * 0.999f + 0.5f; }, a);
  }), x);
}

}  // namespace

int main() {
  jq::cpu::set_threads(1);  // the time of others is not counted
  loops();
  bodies();
  carries_written();
  equations_with_kernels();
  separate_trips();
  eager_loops();
  taps();
}
