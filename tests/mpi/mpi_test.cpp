// Members that are the ranks of an MPI communicator: what collectives give them, against pmap, whose members share memory, and closed forms; errors
// that reach every rank; programs of several processes. Every rank runs every test.

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <jacquard/jacquard.hpp>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/parallel/communicator/mpi.hpp>

#include "../show.hpp"

#include <optional>
#include <stdexcept>

using jq::array;
using jq::mpi::each_rank;
using testing::message_of;

namespace {

int rank() { return jq::mpi::detail::rank_in(MPI_COMM_WORLD); }
int ranks() { return jq::mpi::detail::size_of(MPI_COMM_WORLD); }
inline constexpr auto over_i = jq::axis_name<"i">;

/// Numbers of all ranks: of rank r at r; floats that are not whole.
array numbers(const jq::shape& dims, jq::dtype type = jq::f64) {
  jq::shape all(dims.with(0, std::int64_t(ranks())));
  jq::buffer* b = jq::make_buffer(jq::aval(jq::f64, all));
  for (std::int64_t i = 0; i < all.elements(); ++i) static_cast<double*>(b->data)[i] = double((i * 7 + i / 13) % 13) - 6 + double(i % 5) / 3;
  const array x(b);
  if (type == jq::bool_) return x > 0.0;
  return lax::convert_element_type(jq::is_unsigned_integer(type) ? lax::abs(x) : x, type);
}
array own(const array& all) { return jq::copy(all(rank())); }

std::string bits(const array& x) {
  const array y = jq::copy(x).materialised();
  const jq::buffer& b = *y.as_buffer();
  return std::string(static_cast<const char*>(b.data), std::size_t(b.type.bytes()));
}
void check_same(const array& got, const array& wanted) {
  CHECK(got.dtype() == wanted.dtype());
  CHECK(got.shape() == wanted.shape());
  INFO("got " << jq::to_string(got).substr(0, 200) << "\nwanted " << jq::to_string(wanted).substr(0, 200));
  CHECK(bits(got) == bits(wanted));
}
/// f on each rank's part of `x` has the bits that the member of that number has in pmap, compiled and on the interpreter.
template <class F>
void check_like_pmap(const F& f, const array& x) {
  const array wanted = own(jq::pmap(f, over_i, jq::precision::strict)(x));
  check_same(each_rank(f, over_i, jq::precision::strict)(own(x)), wanted);
  check_same(each_rank(f, over_i, jq::mpi::communicator{}, jq::backend("interpreter"))(own(x)), wanted);
}

}  // namespace

TEST_CASE("reductions over ranks have the bits that members in one memory get, of every dtype and size") {
  for (const jq::shape& dims : {jq::shape{}, jq::shape{0}, jq::shape{1}, jq::shape{5}, jq::shape{63, 3}, jq::shape{1000}})
    for (jq::dtype t : {jq::i8, jq::i32, jq::i64, jq::u16, jq::f16, jq::bf16, jq::f32, jq::f64, jq::c64, jq::c128}) {
      const array x = numbers(dims, t);
      check_like_pmap([](const array& v) { return lax::psum(v, "i"); }, x);
      if (jq::is_complex(t)) continue;
      check_like_pmap([](const array& v) { return lax::pmax(v, "i"); }, x);
      check_like_pmap([](const array& v) { return lax::pmin(v, "i"); }, x);
    }
  check_like_pmap([](const array& v) { return lax::pmean(v, "i"); }, numbers({7}, jq::f32));
  check_like_pmap([](const array& v) { return lax::psum(v, "i"); }, numbers({7}, jq::bool_));
}

TEST_CASE("the sum over ranks is a sum") {
  const array y = each_rank([](const array& v) { return lax::psum(v, "i"); }, over_i)(jq::asarray({double(rank()), 1.0}));
  CHECK(y.data<double>()[0] == double(ranks() * (ranks() - 1) / 2));
  CHECK(y.data<double>()[1] == double(ranks()));
}

TEST_CASE("values go from rank to rank") {
  const int n = ranks();
  std::vector<std::pair<int, int>> ring, up;
  for (int r = 0; r < n; ++r) ring.push_back({r, (r + 1) % n});
  for (int r = 0; r + 1 < n; ++r) up.push_back({r, r + 1});  // rank 0 gets zeros
  for (jq::dtype t : {jq::bool_, jq::f32, jq::c128}) {
    check_like_pmap([&](const array& v) { return lax::ppermute(v, "i", ring); }, numbers({3, 4}, t));
    check_like_pmap([&](const array& v) { return lax::ppermute(v, "i", up); }, numbers({3, 4}, t));
    check_like_pmap([&](const array& v) { return lax::ppermute(v, "i", std::vector<std::pair<int, int>>{}); }, numbers({3, 4}, t));
  }
  const array from = each_rank([&](const array& v) { return lax::ppermute(v, "i", ring); }, over_i)(jq::asarray(rank()));
  CHECK(from.item<int>() == (rank() + n - 1) % n);
  CHECK(each_rank([](const array& v) { return v + lax::axis_index("i"); }, over_i)(jq::asarray(10)).item<int>() == 10 + rank());
}

TEST_CASE("arrays are gathered, scattered and exchanged along every dimension") {
  const std::int64_t n = ranks();
  for (int d : {0, 1, 2}) {
    check_like_pmap([d](const array& v) { return lax::all_gather(v, "i", d); }, numbers({2, 3}, jq::f32));
    if (d < 2) check_like_pmap([d](const array& v) { return lax::all_gather(v, "i", d, true); }, numbers({2, 3}, jq::i16));
  }
  for (int d : {0, 1}) {
    const jq::shape pieces = d == 0 ? jq::shape{n, 3} : jq::shape{3, n}, tiles = d == 0 ? jq::shape{2 * n, 3} : jq::shape{3, 2 * n};
    check_like_pmap([d](const array& v) { return lax::psum_scatter(v, "i", d); }, numbers(pieces));
    check_like_pmap([d](const array& v) { return lax::psum_scatter(v, "i", d, true); }, numbers(tiles, jq::f32));
    for (int to : {0, 1}) {
      check_like_pmap([d, to](const array& v) { return lax::all_to_all(v, "i", d, to); }, numbers(pieces));
      check_like_pmap([d, to](const array& v) { return lax::all_to_all(v, "i", d, to, true); }, numbers(tiles, jq::c64));
    }
  }
  check_like_pmap([](const array& v) { return lax::pdot(v, v, "i", {{0}, {0}, {}, {}}); }, numbers({4, 3}));
}

TEST_CASE("collectives in loops, within transforms inside, and several after each other") {
  check_like_pmap([](const array& v) {
    const auto energy = [](const array& w) { return jq::sum(jq::sin(lax::psum(w, "i")) * w); };
    return jq::grad(energy)(v);
  }, numbers({6}));
  check_like_pmap([](const array& v) {
    return lax::fori_loop(0, 5, [](const array&, const array& w) { return lax::pmean(w * w, "i") - 0.5 * w; }, v * 0.1);
  }, numbers({6}));
  check_like_pmap([](const array& v) { return jq::vmap([](const array& w) { return lax::psum(w, "i") - lax::pmax(w, "i"); })(v); }, numbers({4, 5}));
}

TEST_CASE("a gradient step on data that lie on ranks is the step on all of them") {
  const std::int64_t per_rank = 8, all = per_rank * ranks();
  const array x = jq::linspace(-1, 1, all), y = 3.0 * x + 1.0;
  const auto part = [&](const array& v) { return jq::copy(lax::slice(v, {rank() * per_rank}, {(rank() + 1) * per_rank})); };
  const auto loss = [](const array& w, const array& a, const array& b) { return jq::mean(jq::square(w(0) * a + w(1) - b)); };
  const auto step = each_rank([&](const array& w, const array& a, const array& b) { return w - 0.3 * lax::pmean(jq::grad(loss)(w, a, b), "i"); }, over_i);
  array w = jq::zeros({2}, jq::f64);
  const array own_x = part(x), own_y = part(y);
  for (int k = 0; k < 200; ++k) w = step(w, own_x, own_y);
  CHECK(step.cache_size() == 1);
  CHECK(w.data<double>()[0] == doctest::Approx(3.0).epsilon(1e-9));
  CHECK(w.data<double>()[1] == doctest::Approx(1.0).epsilon(1e-9));
}

TEST_CASE("heat on a rod that is divided among ranks, which exchange what lies at the ends, has the values of the whole rod") {
  const int n = ranks();
  const std::int64_t cells = 16;
  std::vector<std::pair<int, int>> right, left;
  for (int r = 0; r < n; ++r) right.push_back({r, (r + 1) % n}), left.push_back({(r + 1) % n, r});
  const array whole = jq::sin(jq::linspace(0, 6, cells * n));
  const auto next = [](const array& u, const array& before, const array& after) {
    const array padded = jq::concatenate(std::vector<array>{before, u, after}, 0);
    const std::int64_t k = u.shape()[0];
    return u + 0.25 * (lax::slice(padded, {0}, {k}) - 2.0 * u + lax::slice(padded, {2}, {k + 2}));
  };
  const auto of_rank = each_rank([&](const array& u0) {
    return lax::fori_loop(0, 20, [&](const array&, const array& u) {
      const array before = lax::ppermute(lax::slice(u, {cells - 1}, {cells}), "i", right), after = lax::ppermute(lax::slice(u, {0}, {1}), "i", left);
      return next(u, before, after);
    }, u0);
  }, over_i, jq::precision::strict);
  const auto of_all = jq::jit([&](const array& u0) {
    return lax::fori_loop(0, 20, [&](const array&, const array& u) {
      return next(u, lax::slice(u, {cells * n - 1}, {cells * n}), lax::slice(u, {0}, {1}));
    }, u0);
  }, jq::precision::strict);
  const std::int64_t first = rank() * cells;
  check_same(of_rank(jq::copy(lax::slice(whole, {first}, {first + cells}))), jq::copy(lax::slice(of_all(whole), {first}, {first + cells})));
}

TEST_CASE("constants are each rank's own") {
  const array mine = jq::asarray(double(rank() + 1)), pair = jq::asarray({double(rank()), 2.0});
  const int n = ranks();
  const auto f = each_rank([&](const array& x) {
    return std::tuple{lax::psum(mine, "i"), lax::psum(jq::asarray(rank() + 1), "i"), lax::pmax(pair, "i"), lax::pmean(mine, "i"), x / lax::psum(rank() + 1.0, "i"),
                      lax::axis_size("i")};
  }, over_i);
  const auto [captured, number, largest, mean, quotient, size] = f(jq::asarray(1.0));
  CHECK(captured.item<double>() == n * (n + 1) / 2);
  CHECK(number.item<int>() == n * (n + 1) / 2);
  CHECK(largest.data<double>()[0] == n - 1);
  CHECK(mean.item<double>() == (n + 1) / 2.0);
  CHECK(quotient.item<double>() == 2.0 / (n * (n + 1)));
  CHECK(size.item<int>() == n);
}

TEST_CASE("trees of arguments and results, static arguments and a signature of its own for each type") {
  struct state {
    array position, mass;
  };
  const auto f = each_rank([](const state& s, const std::vector<array>& more, int power) {
    state r{lax::psum(s.position, "i"), s.mass};
    for (const array& x : more) r.mass = r.mass + jq::power(x, power);
    return std::pair{r, lax::axis_size("i")};
  }, over_i, jq::static_argnums<2>);
  const auto [r, size] = f(state{jq::asarray({1.0f, 2.0f}), jq::asarray(2.0)}, std::vector<array>{jq::asarray(3.0), jq::asarray(4.0)}, 2);
  CHECK(r.position.data<float>()[1] == 2.0f * float(ranks()));
  CHECK(r.mass.item<double>() == 27.0);
  CHECK(size.item<int>() == ranks());
  (void)f(state{jq::asarray({1.0, 2.0}), jq::asarray(2.0)}, std::vector<array>{}, 2);
  (void)f(state{jq::asarray({1.0, 2.0}), jq::asarray(2.0)}, std::vector<array>{}, 3);
  CHECK(f.cache_size() == 3);
}

TEST_CASE("ranks of another communicator") {
  MPI_Comm half{};
  REQUIRE(MPI_Comm_split(MPI_COMM_WORLD, rank() % 2, 0, &half) == MPI_SUCCESS);
  const auto f = each_rank([](const array& x) { return std::pair{lax::psum(x, "i"), lax::axis_index("i")}; }, over_i, jq::mpi::communicator{half});
  const auto [sum, index] = f(jq::asarray(double(rank())));
  double wanted = 0;
  for (int r = rank() % 2; r < ranks(); r += 2) wanted += r;
  CHECK(sum.item<double>() == wanted);
  CHECK(index.item<int>() == rank() / 2);
  MPI_Comm_free(&half);
}

TEST_CASE("the same function on communicators of different sizes; a device, whose program it is") {
  const auto total = [](const array& x, MPI_Comm c) {
    return each_rank([](const array& v) { return lax::pmean(v, "i") * lax::axis_size("i"); }, over_i, jq::mpi::communicator{c}, jq::devices("cpu")[0])(x).item<double>();
  };
  MPI_Comm single{};
  REQUIRE(MPI_Comm_split(MPI_COMM_WORLD, rank(), 0, &single) == MPI_SUCCESS);
  CHECK(total(jq::asarray(3.0), single) == 3.0);
  CHECK(total(jq::asarray(3.0), MPI_COMM_WORLD) == 3.0 * ranks());
  CHECK(total(jq::asarray(3.0), single) == 3.0);
  MPI_Comm_free(&single);
}

TEST_CASE("functions of the host are called on each rank, and may call MPI themselves") {
  int seen = -1;
  const auto f = each_rank([&](const array& x) {
    return jq::pure_callback([&](const array& v) {
      seen = v.item<int>();
      MPI_Barrier(MPI_COMM_WORLD);
      return v * 2;
    }, jq::shape_dtype({}, jq::i32), lax::psum(x, "i"));
  }, over_i);
  CHECK(f(jq::asarray(rank())).item<int>() == ranks() * (ranks() - 1));
  CHECK(seen == ranks() * (ranks() - 1) / 2);
}

TEST_CASE("no rank waits for one that does something else, and the next call is as any other") {
  const bool first = rank() == 0;
  if (ranks() > 1) {
    const auto different = each_rank([&](const array& x) { return first ? lax::psum(x, "i") : lax::pmax(x, "i"); }, over_i);
    CHECK_THROWS_AS(different(jq::asarray({1.0})), jq::value_error);
    CHECK(message_of([&] { different(jq::asarray({1.0})); }).find(
              "jq::mpi::each_rank: rank 0 is at psum f64[1], but rank 1 is at pmax f64[1]; every rank takes part in each collective") != std::string::npos);
    const auto type = each_rank([](const array& x) { return lax::psum(x, "i"); }, over_i);
    CHECK(message_of([&] { type(first ? jq::zeros({2}, jq::f64) : jq::zeros({3}, jq::f64)); }).find("rank 0 is at psum f64[2], but rank 1 is at psum f64[3]") != std::string::npos);
    const auto fewer = each_rank([&](const array& x) { return first ? lax::psum(lax::psum(x, "i"), "i") : lax::psum(x, "i"); }, over_i);
    CHECK(message_of([&] { fewer(jq::asarray({1.0})); }).find("rank 0 is at psum f64[1], but rank 1 has ended") != std::string::npos);
    const auto permuted = each_rank([&](const array& x) { return lax::ppermute(x, "i", {{0, first ? 0 : 1}}); }, over_i);
    CHECK(message_of([&] { permuted(jq::asarray({1.0})); }).find("rank 0 is at ppermute f64[1], but rank 1 is at ppermute f64[1], perhaps with other parameters") != std::string::npos);
  }
  const auto fails = each_rank([&](const array& x) {
    const array y = jq::pure_callback([&](const array& v) {
      if (first) throw std::runtime_error("the instrument is off");
      return v;
    }, jq::shape_dtype({}, jq::f64), x);
    return lax::psum(y, "i");
  }, over_i);
  const std::string told = message_of([&] { fails(jq::asarray(1.0)); });
  CHECK(told.find("the instrument is off") != std::string::npos);
  if (!first) CHECK(told.find("rank 0 has failed") != std::string::npos);
  const auto unlike = each_rank([&](const array& x) {  // cannot be traced on rank 0
    return lax::psum(first ? jq::reshape(x, {2, 2}) : jq::reshape(x, {3, 1}), "i");
  }, over_i);
  const std::string told_in_trace = message_of([&] { unlike(jq::ones({3}, jq::f64)); });
  CHECK(told_in_trace.find(first ? "reshape" : "rank 0 has failed: ") != std::string::npos);
  CHECK(message_of([&] { each_rank([](const array& x) { return lax::psum(x, "i"); }, over_i)(array()); }).find("empty jq::array") != std::string::npos);
  auto moved = each_rank([factor = 2.0](const array& x) { return lax::psum(factor * x, "i"); }, over_i);
  auto kept = first ? std::optional(std::move(moved)) : std::nullopt;
  // NOLINTNEXTLINE(bugprone-use-after-move): what is tested
  const std::string told_of_move = message_of([&] { (void)moved(jq::asarray(1.0)); });
  CHECK(told_of_move.find("moved from; call the one it was moved to") != std::string::npos);
  if (!first) CHECK(told_of_move.find("rank 0 has failed") != std::string::npos);
  if (ranks() > 1) {
    const auto nested = each_rank([&](const array& x) {
      const array y = jq::pure_callback([&](const array& v) {
        if (first) (void)each_rank([](const array& w) { return lax::psum(w, "i"); }, over_i)(v);
        return v;
      }, jq::shape_dtype({}, jq::f64), x);
      return lax::psum(y, "i");
    }, over_i);
    CHECK(message_of([&] { nested(jq::asarray(1.0)); }).find("rank 0 is at psum f64[], but rank 1 is at psum f64[], perhaps with other parameters") != std::string::npos);
  }
  CHECK(each_rank([](const array& x) { return lax::psum(x, "i"); }, over_i)(jq::asarray(1)).item<int>() == ranks());
}

TEST_CASE("a function of the host that all ranks call may run another function of the ranks") {
  const auto inner = each_rank([](const array& x) { return lax::psum(x, "i"); }, over_i);
  const auto outer = each_rank([&](const array& x) {
    return lax::psum(jq::pure_callback([&](const array& v) { return inner(v); }, jq::shape_dtype({}, jq::f64), x), "i");
  }, over_i);
  CHECK(outer(jq::asarray(1.0)).item<double>() == double(ranks() * ranks()));
}

TEST_CASE("what is traced is not run by ranks") {
  const auto f = each_rank([](const array& x) { return jq::sum(lax::psum(x, "i")); }, over_i);
  CHECK(message_of([&] { jq::grad(f)(jq::asarray({1.0, 2.0})); }).find("transforms such as jq::grad and jq::vmap go inside it") != std::string::npos);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  jq::set_host_device_count(ranks());  // for pmap
  doctest::Context context(argc, argv);
  context.setOption("no-colors", true);
  const int result = context.run();
  MPI_Finalize();
  return result;
}
