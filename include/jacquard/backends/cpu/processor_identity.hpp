#pragma once
// What tells processors for which a compiler makes different code apart: what they say they can do, and which of it the system lets programs use. From
// what the C library has asked when the program started: asking a processor that is a virtual one takes long. Deliberately without names of processors
// and their features, which are the compiler's.

#include <dlfcn.h>

#include <string>

namespace jacquard::cpu {

/// The same text on processors that are alike. Empty where that is not known: on others than x86-64, and with libraries other than glibc from 2.33 on.
inline std::string processor_identity() {
  std::string r;
#if defined(__x86_64__)
  struct answers {
    unsigned cpuid[4], usable[4];
  };
  // That of <sys/platform/x86.h>, which is no C++.
  const auto ask = reinterpret_cast<const answers* (*)(unsigned)>(dlsym(RTLD_DEFAULT, "__x86_get_cpuid_feature_leaf"));
  if (!ask) return r;
  r = __builtin_cpu_is("amd") ? "amd" : __builtin_cpu_is("intel") ? "intel" : "other";
  const auto add = [&r](unsigned part) {
    r += ' ';
    for (int shift = 28; shift >= 0; shift -= 4)
      if (part >> shift || shift == 0) r += "0123456789abcdef"[part >> shift & 15];
  };
  constexpr unsigned leaves = 9, of_features = 0, number_of_this_one = 1;
  for (unsigned leaf = 0; leaf < leaves; ++leaf) {
    const answers& a = *ask(leaf);
    for (unsigned i = 0; i < 4; ++i)
      if (leaf != of_features || i != number_of_this_one) add(a.cpuid[i]);
    for (unsigned usable : a.usable) add(usable);
  }
#endif
  return r;
}

}  // namespace jacquard::cpu
