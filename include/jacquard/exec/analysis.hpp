#pragma once
// What a compiled program says of itself, whoever compiled it: a backend of its own accord, or the rules of primitives for one that
// goes through the program equation by equation. Deliberately only templates: programs that ask for nothing do not compile it.

#include "jacquard/backends/backend.hpp"
#include "jacquard/core/cost.hpp"
#include "jacquard/core/print.hpp"
#include "jacquard/exec/lowering/memory_walk.hpp"

namespace jacquard::detail {

/// Errors: not_implemented where the backend says nothing.
template <class Analysis = program_analysis>
Analysis analysis_of(const executable& e) {
  Analysis a;
  if (e.analyse(a)) return a;
  const auto [program, donated] = e.by_equations();
  if (!program)
    raise(error_kind::not_implemented, "analysis: this backend does not say what its programs take; compile for another one, such as "
          "jq::backend(\"interpreter\")");
  const auto walk = lowering::walk_equations(**program, donated);
  a.memory = walk.result();
  a.cost = cost_of(**program);
  a.layout.program = program->program;
  a.layout.cluster = list<std::int32_t>((*program)->equations.size(), -1);
  a.layout.place = walk.places();
  return a;
}

/// Errors: value_error for an unknown stage.
template <class Text = text>
Text stage_text(const executable& e, std::string_view stage) {
  const bool by_equations = e.by_equations().program != nullptr;
  std::string_view known = by_equations ? "jaxpr buffers" : e.stages();
  if (by_equations && stage == "jaxpr") return to_text(*e.by_equations().program);
  if (by_equations && stage == "buffers") return lowering::to_text(analysis_of(e).layout);
  for (std::string_view rest = known; !rest.empty();) {
    const std::size_t end = rest.find(' ');
    if (rest.substr(0, end) == stage) return e.stage_text(stage);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  if (known.empty()) known = "(none)";
  raise(error_kind::value, "as_text: got the stage '", stage, "', wanted one of: ", known, "; leave it out for all that the backend shows "
        "by itself");
}

}  // namespace jacquard::detail
