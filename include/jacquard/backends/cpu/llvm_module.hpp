#pragma once
// A module of LLVM IR: the kernels of a program as one text, with what they call and refer to, and the attributes that say what it is compiled
// for. Deliberately knows nothing of what kernels do.

#include "jacquard/backends/cpu/llvm_text.hpp"

namespace jacquard::cpu {

/// One module of several kernels.
inline std::string emit_module(const std::vector<kernel_text>& kernels, const vector_target& t) {
  std::string r;
  std::set<std::string> declarations;
  for (const kernel_text& k : kernels) {
    r += k.functions;
    declarations.insert(k.declarations.begin(), k.declarations.end());
  }
  for (const std::string& d : declarations) r += detail::concat({d, "\n"});
  if (r.find("!nontemporal") != std::string::npos) r += "!0 = !{i32 1}\n";
  r += detail::loop_notes(r);
  const std::string bits = std::to_string(t.bytes * 8);
  const std::string machine = detail::concat({"\"target-cpu\"=\"", t.cpu, "\" \"target-features\"=\"", t.features, "\" \"prefer-vector-width\"=\"", bits, "\" \"min-legal-vector-width\"=\"", bits, "\" }\n"});
  // An aligned stack: registers that calls clobber would else be spilled across lines of the cache. The vector functions have none, and entries nothing to spill.
  return detail::concat({r, "attributes #0 = { nounwind alignstack=", std::to_string(t.bytes), " ", machine, "attributes #2 = { nounwind ", machine, "attributes #3 = { alwaysinline }\n", "attributes #1 = { nobuiltin nounwind readnone willreturn }\n"});  // computed by the library also where operands are constants
}

}  // namespace jacquard::cpu
