#pragma once
// LLVM IR of what stages of a kernel have, as text: the memory they are combined in, the partial results of blocks, and results that need no
// pass over rows if they are finite. Deliberately knows no values: what stages take in is the caller's.

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
  /// Calls f for each output of which `which` holds; for both parts of complex numbers at once.
  template <class Which, class F>
  void each_output(Which&& which, F&& f) const {
    for (std::size_t i = 0, next = 0; i < k_.outputs.size(); i = next) {
      next = i + 1 < k_.outputs.size() && k_.outputs[i + 1].is_imaginary ? i + 2 : i + 1;
      if (which(k_.outputs[i])) f(view<const output>(&k_.outputs[i], next - i));
    }
  }
  /// Memory for so many vectors, each of the initial value of a stage.
  std::vector<std::string> cells_of(std::size_t number, int count) {
    const dtype t = type_of_stage(number);
    std::vector<std::string> cells;
    for (int u = 0; u < count; ++u) {
      cells.push_back("%a" + std::to_string(registers_++));
      allocas_ += "  " + cells.back() + " = alloca " + vector_of(t) + "\n";
      line("  store " + vector_of(t) + " " + constant(k_.stages[number].initial, t) + ", ptr " + cells.back());
    }
    return cells;
  }
  /// Where the partial results of this row, or of vector u of rows, lie for a unit.
  std::string partial_address(std::size_t number, const std::string& unit, int u) {
    const std::string base = set("getelementptr i8, ptr %p" + std::to_string(places_.size()) + ", i64 " + std::to_string(range_.partials_of(number)));
    element_offset o{std::int64_t(u) * width_, {}};
    advance(o, unit, range_.rows());
    for (std::size_t i = 0; i < k_.loops.size(); ++i)
      if (!k_.loops[i].inner) advance(o, index_[i], range_.row_stride(i));
    return address(base, stored(type_of_stage(number)), o);
  }
  /// What a unit has for a stage and this row, or vector u of rows.
  std::string partial(std::size_t number, const std::string& unit, int u) {
    const dtype t = type_of_stage(number);
    const std::string at = partial_address(number, unit, u), align = ", align " + std::to_string(size_of(t));
    return widened(t, vector_is_inner() ? splat(stored(t), set("load " + std::string(stored(t)) + ", ptr " + at + align)) : set("load " + memory_of(t) + ", ptr " + at + align));
  }
  void write_partials(std::size_t number, const registers& r, const std::string& unit) {
    const dtype t = type_of_stage(number);
    for (std::size_t u = 0; u < r.size(); ++u) {
      const std::string x = narrowed(t, r[u]), at = partial_address(number, unit, int(u));
      if (vector_is_inner()) line("  store " + std::string(stored(t)) + " " + set("extractelement " + memory_of(t) + " " + x + ", i32 0") + ", ptr " + at);
      else line("  store " + memory_of(t) + " " + x + ", ptr " + at + ", align " + std::to_string(size_of(t)));
    }
  }
  /// Whether all lanes of these are finite numbers.
  std::string are_finite(const std::vector<stage_results>& all_of) {
    std::string fine;
    for (const stage_results& s : all_of)
      for (const std::string& x : s.results) {
        const std::string type = vector_of(type_of_stage(s.number)), zero = set("fsub " + type + " " + x + ", " + x);
        std::string one = set("fcmp oeq " + type + " " + zero + ", zeroinitializer");
        if (!mask_.empty()) one = select(mask_, bool_, one, all("i1", "1"));
        fine = fine.empty() ? one : set("and " + mask_type() + " " + fine + ", " + one);
      }
    return call("i1", "llvm.vector.reduce.and.v" + std::to_string(width_) + "i1", {mask_type() + " " + fine}, {mask_type()});
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
        const std::string x = here.empty() ? s.results[u] : set("select i1 " + here + ", " + type + " " + s.results[u] + ", " + type + " " + none);
        line("  store " + type + " " + x + ", ptr " + cells.back()[u]);
      }
    }
    when(set("xor i1 " + are_finite(known) + ", 1"), [&] {
      const std::vector<stage_results> found = run();
      for (std::size_t i = 0; i < found.size(); ++i)
        for (std::size_t u = 0; u < cells[i].size(); ++u) line("  store " + vector_of(type_of_stage(found[i].number)) + " " + pick(found[i].results, int(u)) + ", ptr " + cells[i][u]);
    });
    for (std::size_t i = 0; i < known.size(); ++i)
      for (std::size_t u = 0; u < cells[i].size(); ++u) known[i].results[u] = set("load " + vector_of(type_of_stage(known[i].number)) + ", ptr " + cells[i][u]);
    return known;
  }
};

}  // namespace jacquard::cpu::detail
