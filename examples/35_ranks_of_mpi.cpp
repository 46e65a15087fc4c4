// Ranks of MPI: each process calls a function on what it has itself, and collectives pass between the processes of a cluster. A fit to data that
// lie on ranks, and conjugate gradients for a rod of which each rank has a part. Run it alone, or as `mpirun -n 4 35_ranks_of_mpi`; the output is
// the same for any number of ranks that divides 64.
// needs: mpi

#include <jacquard/jacquard.hpp>

#include <jacquard/parallel/communicator/mpi.hpp>

#include <iostream>

namespace jq = jacquard;
namespace lax = jq::lax;
using jq::array;

namespace {

/// Dot product of vectors whose parts lie on the ranks.
array dot(const array& a, const array& b) { return lax::psum(jq::sum(a * b), "rank"); }

struct solution {
  array x;
  array rounds;
};
/// Solves A x = b by conjugate gradients; each rank has its part of x and b.
template <class A>
solution conjugate_gradients(const A& apply, const array& b) {
  using state = std::tuple<array, array, array, array, array>;  // x, residual, direction, square of the residual, rounds
  const auto goes_on = [](const state& s) { return (std::get<3>(s) > 1e-20) & (std::get<4>(s) < 200); };
  const auto step = [&](const state& s) {
    const auto& [x, r, p, rr, k] = s;
    const array q = apply(p), a = rr / dot(p, q), left = r - a * q, square = dot(left, left);
    return state{x + a * p, left, left + square / rr * p, square, k + 1};
  };
  const state s = lax::while_loop(goes_on, step, state{jq::zeros_like(b), b, b, dot(b, b), jq::asarray(0)});
  return {std::get<0>(s), std::get<4>(s)};
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int cells = 64 / ranks;  // of a rank
  std::ostream none(nullptr);
  std::ostream& out = rank == 0 ? std::cout : none;

  // Each rank has data of its own. What is traced is the program of one rank, derivatives and all; pmean is where ranks meet.
  const array at = (jq::arange(cells) + rank * cells) / 64.0, seen = 2.0 * at - 0.5;
  const auto loss = [](const array& line, const array& x, const array& y) { return jq::mean(jq::square(line(0) * x + line(1) - y)); };
  const auto step = jq::mpi::each_rank([&](const array& line, const array& x, const array& y) {
    return line - 0.5 * lax::pmean(jq::grad(loss)(line, x, y), "rank");
  }, jq::axis_name<"rank">);
  array line = jq::zeros({2}, jq::f64);
  for (int i = 0; i < 400; ++i) line = step(line, at, seen);
  out << "line     " << jq::round(line, 6) << '\n';

  // -u'' = f on a rod that is held at 0 at both ends: ranks send the values at their ends to each other.
  std::vector<std::pair<int, int>> up, down;
  for (int r = 0; r + 1 < ranks; ++r) up.push_back({r, r + 1}), down.push_back({r + 1, r});
  const double h = 1.0 / 65;
  const auto laplace = [&](const array& u) {
    const array before = lax::ppermute(u(jq::slice(-1, jq::none)), "rank", up);  // zero where there is no neighbour
    const array after = lax::ppermute(u(jq::slice(0, 1)), "rank", down);
    const array padded = jq::concatenate(std::vector<array>{before, u, after}, 0);
    return (2.0 * u - padded(jq::slice(0, cells)) - padded(jq::slice(2, cells + 2))) / (h * h);
  };
  const auto solve = jq::mpi::each_rank([&](const array& f) { return conjugate_gradients(laplace, f); }, jq::axis_name<"rank">);
  const array x = (jq::arange(cells) + (1.0 + rank * cells)) * h, exact = 1.0 - jq::exp(x) + 1.718281828459045 * x;
  const solution s = solve(jq::exp(x));
  const auto largest = jq::mpi::each_rank([](const array& e) { return lax::pmax(jq::max(jq::abs(e)), "rank"); }, jq::axis_name<"rank">);
  out << "solved   " << (s.rounds < 200) << '\n' << "error    " << jq::round(largest(s.x - exact), 8) << '\n';

  // Ranks that come to different collectives do not wait for each other for ever: every one of them gets an error.
  if (ranks > 1) {
    const auto wrong = jq::mpi::each_rank([&](const array& v) { return rank == 0 ? lax::psum(v, "rank") : lax::pmax(v, "rank"); }, jq::axis_name<"rank">);
    try {
      wrong(x);
    } catch (const jq::value_error& e) {
      std::cerr << e.what() << '\n';
    }
  }
  MPI_Finalize();
}

// output:
// line     [ 2.  -0.5]
// solved   True
// error    4.18e-06
