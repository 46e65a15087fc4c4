#pragma once
// What the environment says to a program as it is: variables that are one of a few words. Deliberately never an error, since they are read
// before main and by programs whose users did not write them: a word that is none of them is told of, and counts as not given.

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

}  // namespace jacquard::detail
