#pragma once
// The remainder of floating-point division for vectors, as LLVM IR: exact, as fmod of the C library, which takes as long as the quotient has bits
// and knows no vectors. Deliberately the library's own where some quotient is large.

#include <string>

#include "jacquard/backends/cpu/vector_functions.hpp"

namespace jacquard::cpu::detail {

/// A function of x and y, of f32 or f64 and so many lanes: x - y trunc(x / y), with the sign of x. What is left of x is a number of its type, so that one
/// fused operation gives it exactly. A quotient rounded up to the next whole number leaves too little; y more is then exact as well, since x and
/// y are multiples of the smaller one's last bit. `convention` is how it is called. Source: the argument of Sterbenz, "Floating-point computation", 1974, section 4.3.
inline vector_function remainder_function(bool is_single, int width, const char* convention) {
  const std::string w = std::to_string(width), element = is_single ? "float" : "double", v = text_of_vector(width, element), mask = text_of_vector(width, "i1");
  const std::string letter = concat({"v", w, is_single ? "f32" : "f64"}), scalar = is_single ? "fmodf" : "fmod";
  vector_function f{concat({"jq.rem.", letter}), {}};
  const auto declare = [&](const std::string& result, const std::string& name, const std::string& arguments) { f.texts.push_back(concat({"declare ", result, " @", name, "(", arguments, ")"})); };
  for (const char* name : {"llvm.fabs.", "llvm.trunc."}) declare(v, name + letter, v);
  declare(v, concat({"llvm.copysign.", letter}), concat({v, ", ", v}));
  declare(v, concat({"llvm.fma.", letter}), concat({v, ", ", v, ", ", v}));
  declare("i1", concat({"llvm.vector.reduce.or.v", w, "i1"}), mask);
  declare(element, scalar, concat({element, ", ", element}));
  f.texts.back() += " #1";
  const auto every_lane = [&](const std::string& x) {
    std::string r = "<";
    for (int i = 0; i < width; ++i) r += concat({i ? ", " : "", element, " ", x});
    return concat({r, ">"});
  };
  const std::string head = concat({"define internal ", convention, v, " @", f.name}), given = concat({"(", v, " %x, ", v, " %y) "});
  std::string lanes = concat({head, ".far", given, "noinline #2 {\n"}), last = "poison";
  for (int i = 0; i < width; ++i) {
    const std::string n = std::to_string(i);
    for (const char* operand : {"x", "y"}) lanes += concat({"  %", operand, n, " = extractelement ", v, " %", operand, ", i32 ", n, "\n"});
    lanes += concat({"  %z", n, " = call ", element, " @", scalar, "(", element, " %x", n, ", ", element, " %y", n, ")\n"});
    lanes += concat({"  %r", n, " = insertelement ", v, " ", last, ", ", element, " %z", n, ", i32 ", n, "\n"});
    last = concat({"%r", n});
  }
  f.texts.push_back(concat({lanes, "  ret ", v, " ", last, "\n}"}));
  const std::string largest = is_single ? "0x4150000000000000" : "0x4320000000000000";  // 2^22 and 2^51: trunc is exact
  f.texts.push_back(concat({head, given, "#2 {\n"
    "  %a = call ", v, " @llvm.fabs.", letter, "(", v, " %x)\n"
    "  %b = call ", v, " @llvm.fabs.", letter, "(", v, " %y)\n"
    "  %q = fdiv ", v, " %a, %b\n"
    "  %far = fcmp oge ", v, " %q, ", every_lane(largest), "\n"
    "  %any = call i1 @llvm.vector.reduce.or.v", w, "i1(", mask, " %far)\n"
    "  br i1 %any, label %lanes, label %near\n"
    "lanes:\n"
    "  %each = call ", convention, v, " @", f.name, ".far(", v, " %x, ", v, " %y)\n"
    "  ret ", v, " %each\n"
    "near:\n"
    "  %n = call ", v, " @llvm.trunc.", letter, "(", v, " %q)\n"
    "  %m = fneg ", v, " %n\n"
    "  %left = call ", v, " @llvm.fma.", letter, "(", v, " %m, ", v, " %b, ", v, " %a)\n"
    "  %less = fcmp olt ", v, " %left, zeroinitializer\n"
    "  %more = fadd ", v, " %left, %b\n"
    "  %mended = select ", mask, " %less, ", v, " %more, ", v, " %left\n"
    "  %small = fcmp olt ", v, " %a, %b\n"  // also where y is infinite
    "  %r = select ", mask, " %small, ", v, " %a, ", v, " %mended\n"
    "  %signed = call ", v, " @llvm.copysign.", letter, "(", v, " %r, ", v, " %x)\n"
    "  ret ", v, " %signed\n}"}));
  return f;
}

}  // namespace jacquard::cpu::detail
