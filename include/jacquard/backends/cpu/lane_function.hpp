#pragma once
// A function of the C library on all lanes of vectors, one after the other, as LLVM IR: one function for all calls in a module, since written out
// at every call it is most of what the compiler has to read. Deliberately chooses no function: who has none for whole vectors calls this.

#include <string>

#include "jacquard/backends/cpu/vector_functions.hpp"

namespace jacquard::cpu::detail {

/// The function of that name on `operands` vectors of so many lanes of `element`s.
inline vector_function lane_function(const std::string& scalar, const std::string& element, int width, std::size_t operands) {
  const std::string w = std::to_string(width), v = text_of_vector(width, element);
  vector_function f{concat({"jq.lanes.", scalar, ".v", w}), {}};
  std::string types, given;
  for (std::size_t k = 0; k < operands; ++k) {
    types += (k ? ", " : "") + element;
    given += concat({k ? ", " : "", v, " %x", std::to_string(k)});
  }
  f.texts.push_back(concat({"declare ", element, " @", scalar, "(", types, ") #1"}));
  std::string lanes = concat({"define internal ", v, " @", f.name, "(", given, ") noinline #0 {\n"}), made = "poison";
  for (int i = 0; i < width; ++i) {
    const std::string n = std::to_string(i);
    std::string arguments;
    for (std::size_t k = 0; k < operands; ++k) {
      const std::string one = concat({"%a", n, ".", std::to_string(k)});
      lanes += concat({"  ", one, " = extractelement ", v, " %x", std::to_string(k), ", i32 ", n, "\n"});
      arguments += concat({k ? ", " : "", element, " ", one});
    }
    lanes += concat({"  %y", n, " = call ", element, " @", scalar, "(", arguments, ")\n"});
    lanes += concat({"  %r", n, " = insertelement ", v, " ", made, ", ", element, " %y", n, ", i32 ", n, "\n"});
    made = concat({"%r", n});
  }
  f.texts.push_back(concat({lanes, "  ret ", v, " ", made, "\n}"}));
  return f;
}

}  // namespace jacquard::cpu::detail
