#pragma once
// LLVM IR of what stages of a kernel have, as text: the memory they are combined in, the partial results of blocks, results that need no
// pass over rows if they are finite, and choices that usually go one way. Deliberately knows no values: what stages take in is the caller's.

#include "jacquard/backends/cpu/llvm_quotients.hpp"
#include "jacquard/backends/cpu/sum_shortcuts.hpp"

namespace jacquard::cpu::detail {

class stage_writer : protected quotient_writer {
 protected:
  using quotient_writer::quotient_writer;

  struct stage_results {
    std::size_t number;
    registers results;  ///< first the memory they are combined in
  };
  dtype type_of_stage(std::size_t number) const { return k_.body.steps[std::size_t(k_.stages[number].step)].type; }
  /// Memory for so many vectors, each of the initial value of a stage.
  std::vector<std::string> cells_of(std::size_t number, int count) {
    const dtype t = type_of_stage(number);
    std::vector<std::string> cells;
    for (int u = 0; u < count; ++u) cells.push_back(cell_with(t, constant(k_.stages[number].initial, t)));
    return cells;
  }
  /// Memory for a vector, which x is stored in: LLVM makes a register of it.
  std::string cell_with(dtype t, const std::string& x) {
    const std::string cell = concat({"%a", std::to_string(registers_++)});
    allocas_ += concat({"  ", cell, " = alloca ", vector_of(t), "\n"});
    line({"  store ", vector_of(t), " ", x, ", ptr ", cell});
    return cell;
  }
  /// What is taken where a condition holds, and the result.
  struct choice {
    dtype type;
    registers usual, result;
  };
  /// The results of choices that ask the same: what they usually are where the condition holds in all lanes, else where it does not what
  /// other(number) gives, which is computed in a branch.
  template <class Other>
  void unless_everywhere(const registers& holds, std::vector<choice>& choices, Other&& other) {
    std::string everywhere = holds[0];
    for (std::size_t u = 1; u < holds.size(); ++u) everywhere = set({"and ", mask_type(), " ", everywhere, ", ", holds[u]});
    for (choice& c : choices)
      for (std::size_t u = 0; u < std::max(c.usual.size(), holds.size()); ++u) c.result.push_back(cell_with(c.type, pick(c.usual, int(u))));
    when(set({"xor i1 ", in_all_lanes(everywhere), ", 1"}), [&] {
      for (std::size_t i = 0; i < choices.size(); ++i) {
        const choice& c = choices[i];
        const registers off = other(i);
        for (std::size_t u = 0; u < c.result.size(); ++u)
          line({"  store ", vector_of(c.type), " ", select(pick(holds, int(u)), c.type, pick(c.usual, int(u)), pick(off, int(u))), ", ptr ", c.result[u]});
      }
    });
    for (choice& c : choices)
      for (std::string& r : c.result) r = set({"load ", vector_of(c.type), ", ptr ", r});
  }
  /// Where the partial results of this row, or of vector u of rows, lie for a unit.
  std::string partial_address(std::size_t number, const std::string& unit, int u) {
    const std::string base = set({"getelementptr i8, ptr %p", std::to_string(places_.size()), ", i64 ", std::to_string(range_.partials_of(number))});
    element_offset o{std::int64_t(u) * width_, {}};
    advance(o, unit, range_.rows());
    for (std::size_t i = 0; i < k_.loops.size(); ++i)
      if (!k_.loops[i].inner) advance(o, index_[i], range_.row_stride(i));
    return address(base, stored(type_of_stage(number)), o);
  }
  /// What a unit has for a stage and this row, or vector u of rows.
  std::string partial(std::size_t number, const std::string& unit, int u) {
    const dtype t = type_of_stage(number);
    const std::string at = partial_address(number, unit, u), align = concat({", align ", std::to_string(size_of(t))});
    return widened(t, vector_is_inner() ? splat(stored(t), set({"load ", stored(t), ", ptr ", at, align})) : set({"load ", memory_of(t), ", ptr ", at, align}));
  }
  void write_partials(std::size_t number, const registers& r, const std::string& unit) {
    const dtype t = type_of_stage(number);
    for (std::size_t u = 0; u < r.size(); ++u) {
      const std::string x = narrowed(t, r[u]), at = partial_address(number, unit, int(u));
      if (vector_is_inner()) line({"  store ", stored(t), " ", set({"extractelement ", memory_of(t), " ", x, ", i32 0"}), ", ptr ", at});
      else line({"  store ", memory_of(t), " ", x, ", ptr ", at, ", align ", std::to_string(size_of(t))});
    }
  }
  /// Whether all lanes of these are finite numbers.
  std::string are_finite(const std::vector<stage_results>& all_of) {
    std::string fine;
    for (const stage_results& s : all_of)
      for (const std::string& x : s.results) {
        const std::string type = vector_of(type_of_stage(s.number)), zero = set({"fsub ", type, " ", x, ", ", x});
        const std::string one = set({"fcmp oeq ", type, " ", zero, ", zeroinitializer"});
        fine = fine.empty() ? one : set({"and ", mask_type(), " ", fine, ", ", one});
      }
    return in_all_lanes(fine);
  }
  /// These results where all of them are finite, and `here` holds if it is not empty, else where that does not the initial values; those that
  /// `run` gives where some are not finite.
  template <class Run>
  std::vector<stage_results> unless_finite(std::vector<stage_results> known, const std::string& here, Run&& run) {
    std::vector<std::vector<std::string>> cells;
    for (const stage_results& s : known) {
      const std::string type = vector_of(type_of_stage(s.number)), none = constant(k_.stages[s.number].initial, type_of_stage(s.number));
      cells.push_back(cells_of(s.number, int(s.results.size())));
      for (std::size_t u = 0; u < s.results.size(); ++u) {
        const std::string x = here.empty() ? s.results[u] : set({"select i1 ", here, ", ", type, " ", s.results[u], ", ", type, " ", none});
        line({"  store ", type, " ", x, ", ptr ", cells.back()[u]});
      }
    }
    when(set({"xor i1 ", are_finite(known), ", 1"}), [&] {
      const std::vector<stage_results> found = run();
      for (std::size_t i = 0; i < found.size(); ++i)
        for (std::size_t u = 0; u < cells[i].size(); ++u) line({"  store ", vector_of(type_of_stage(found[i].number)), " ", pick(found[i].results, int(u)), ", ptr ", cells[i][u]});
    });
    for (std::size_t i = 0; i < known.size(); ++i)
      for (std::size_t u = 0; u < cells[i].size(); ++u) known[i].results[u] = set({"load ", vector_of(type_of_stage(known[i].number)), ", ptr ", cells[i][u]});
    return known;
  }
};

}  // namespace jacquard::cpu::detail
