#pragma once
// What the environment says to a program as it is: variables that are one of a few words. Deliberately never an error, since they are read
// before main and by programs whose users did not write them: a word that is none of them is told of, and counts as not given.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace jacquard::detail {

/// The place of a variable's word among those it may be, or -1 where it is not set, empty, or none of them; the last is told of on stderr.
template <std::size_t N>
int environment_word(const char* variable, const std::string_view (&words)[N]) {
  const char* const given = std::getenv(variable);
  if (!given || !*given) return -1;
  std::string known;
  for (std::size_t i = 0; i < N; ++i) {
    if (words[i] == given) return int(i);
    known.append(i ? ", " : "").append(words[i]);
  }
  const std::string line = std::string("jacquard: ") + variable + " does not know '" + given + "'; the words are " + known + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);  // at once, so that lines of several threads do not mix
  return -1;
}

}  // namespace jacquard::detail
