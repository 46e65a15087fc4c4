// Chapter 31: argon
//
// Molecular dynamics. 256 atoms attract each other at a distance and repel each other nearby, as those of argon do (Lennard-Jones). The
// program says only what the energy is: forces are its gradient. Which atoms are near each other changes as they move, but shapes in a
// compiled program do not, so each atom has a list of fixed length, padded with an index that no atom has (as in Schoenholz and Cubuk,
// JAX MD, NeurIPS 2020). Lengths are in units of the atom's diameter, energies in those of the depth of the attraction.

#include <cmath>
#include <cstdio>
#include <vector>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;

constexpr int atoms = 256, longest_list = 120, across = 4;
constexpr double density = 0.8, reach = 2.5, margin = 0.3, time_step = 0.004;
const double box = std::cbrt(atoms / density);

/// The way from one place to another in a box whose opposite faces are the same: the shortest one.
array shortest(const array& way) { return way - box * jq::round(way / box); }

/// Indices of the atoms near each one, [atoms, longest_list], and whether a list was too short. nonzero with a size pads with `atoms`.
std::pair<array, array> neighbours(const array& x) {
  const auto list = [&](const std::pair<array, array>& one) {
    const auto& [place, number] = one;
    const array way = shortest(x - place);
    const array near = jq::sum(way * way, -1) < (reach + margin) * (reach + margin) && jq::arange(atoms) != number;
    return std::pair{jq::nonzero(near, longest_list, atoms)[0], jq::sum(near) > longest_list};
  };
  const auto [lists, too_short] = lax::map(list, std::pair{x, jq::arange(atoms)});
  return {lists, jq::any(too_short)};
}
/// The energy of all pairs within reach. Places that no atom has are read as far away, where the energy and its gradient are zero: the where
/// within keeps the division away from them, the one outside ends the reach.
array potential(const array& x, const array& lists) {
  const array there = x.at(lists).get(jq::index_mode::fill_or_drop, 0.0);
  const array way = jq::where(jq::expand_dims(lists < atoms, -1), shortest(jq::expand_dims(x, 1) - there), reach);
  const array square = jq::sum(way * way, -1), sixth = 1.0 / (square * square * square);
  const double at_reach = std::pow(reach, -6);
  const array pair = 4.0 * (sixth * sixth - sixth) - 4.0 * (at_reach * at_reach - at_reach);
  return 0.5 * jq::sum(jq::where(square < reach * reach, pair, 0.0));  // each pair is in two lists
}

struct matter {
  array place, velocity;
};
array energy(const matter& m, const array& lists) { return potential(m.place, lists) + 0.5 * jq::sum(m.velocity * m.velocity); }

/// One step by the method of Verlet in the form with velocities (Swope et al., J. Chem. Phys. 76, 1982).
std::pair<matter, array> step(const matter& m, const array& force, const array& lists) {
  const array half = m.velocity + 0.5 * time_step * force, place = m.place + time_step * half;
  const array next = -jq::grad(potential)(place, lists);
  return {matter{place, half + 0.5 * time_step * next}, next};
}

int main() {
  // Atoms begin on a lattice: at the corners and the middles of the faces of cubes. No atom moves on the whole.
  std::vector<double> lattice;
  for (int i = 0; i < across; ++i)
    for (int j = 0; j < across; ++j)
      for (int k = 0; k < across; ++k)
        for (const auto& [a, b, c] : {std::tuple{0.0, 0.0, 0.0}, {0.5, 0.5, 0.0}, {0.5, 0.0, 0.5}, {0.0, 0.5, 0.5}})
          for (const double at : {i + a, j + b, k + c}) lattice.push_back(at * box / across);
  const array random = jq::random::normal(jq::random::key(0), {atoms, 3}, jq::f64);
  const matter start{jq::asarray(lattice, {atoms, 3}), 1.2 * (random - jq::mean(random, 0))};

  // Twenty times: new lists, then ten steps with them. The whole course is one program with one loop in another.
  const auto course = jq::jit([](const matter& begin) {
    const auto stretch = [](const matter& m, const array&) {
      const auto [lists, too_short] = neighbours(m.place);
      const auto one = [&lists = lists](const array&, const std::pair<matter, array>& s) { return step(s.first, s.second, lists); };
      const auto [end, force] = lax::fori_loop(0, 10, one, std::pair{m, array(-jq::grad(potential)(m.place, lists))});
      const array temperature = jq::sum(end.velocity * end.velocity) / (3.0 * (atoms - 1));
      return std::pair{end, std::tuple{energy(end, lists), temperature, too_short}};
    };
    return lax::scan(stretch, begin, jq::arange(20));
  });
  const auto [end, history] = course(start);
  const auto& [total, temperature, too_short] = history;

  const array lists = neighbours(start.place).first;
  const double first = double(energy(start, lists));
  // A sum over all pairs by another program gives -5.92419.
  std::printf("energy of an atom in the lattice %.4f\n", double(potential(start.place, lists)) / atoms);
  const double drift = double(jq::max(jq::abs(total - first))) / atoms, momentum = double(jq::max(jq::abs(jq::sum(end.velocity, 0))));
  std::printf("with its motion %.3f, the same all along within 1e-3: %s\n", first / atoms, drift < 1e-3 ? "yes" : "no");
  std::printf("momentum stays zero: %s, lists were long enough: %s\n", momentum < 1e-10 ? "yes" : "no", bool(jq::any(too_short)) ? "no" : "yes");
  // The lattice melts: about half of the motion becomes potential energy.
  const double before = double(jq::sum(start.velocity * start.velocity)) / (3.0 * (atoms - 1));
  const double after = double(jq::mean(temperature(jq::slice(10, 20))));
  std::printf("temperature at first %.1f, in the end about half of it: %s\n", before, std::abs(after / before - 0.53) < 0.08 ? "yes" : "no");
}

// output:
// energy of an atom in the lattice -5.9242
// with its motion -3.678, the same all along within 1e-3: yes
// momentum stays zero: yes, lists were long enough: yes
// temperature at first 1.5, in the end about half of it: yes
