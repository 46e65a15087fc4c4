#pragma once
// What the environment says to a program as it is: variables that are one of a few words, or name a shared library. Deliberately never an
// error, since they are read before main and by programs whose users did not write them: a word that is none of them is told of and counts as
// not given, a library that cannot be had is told of and done without.

#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace jacquard::detail {

/// What a variable chooses by one of these words; `otherwise` where it is not set, empty, or none of them, the last of which is told of on stderr.
template <class T, std::size_t N>
T environment_choice(const char* variable, T otherwise, const std::pair<std::string_view, T> (&choices)[N]) {
  const char* const given = std::getenv(variable);
  if (!given || !*given) return otherwise;
  for (const auto& [word, meaning] : choices)
    if (word == given) return meaning;
  std::string known;
  for (const auto& [word, meaning] : choices) known.append(known.empty() ? "" : ", ").append(word);
  std::fprintf(stderr, "jacquard: %s does not know '%s'; the words are %s\n", variable, given, known.c_str());
  return otherwise;
}

/// The library at `file`, which `variable` named; null for the word none, and for a file that is not there or lacks `symbol`, which is told of.
inline void* named_library(const char* variable, const char* file, const char* symbol, const char* kind) {
  if (std::string_view(file) == "none") return nullptr;
  void* const library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  if (library && dlsym(library, symbol)) return library;
  std::fprintf(stderr, "jacquard: %s names '%s', which is no %s: done without\n", variable, file, kind);
  if (library) dlclose(library);
  return nullptr;
}

}  // namespace jacquard::detail
