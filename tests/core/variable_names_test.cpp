// Variables by name: found whatever the order in which they came.
#include <jacquard/core/variable_names.hpp>

#include <random>
#include <algorithm>

#include <doctest/doctest.h>
#include <jacquard/core/print.hpp>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
using names = jq::detail::variable_names;

static_assert([] {
  names n;
  n.add("b", 1);
  n.add("a", 2);
  n.add("ba", 3);
  return n.find("a") == 2 && n.find("b") == 1 && n.find("ba") == 3 && n.find("c") == names::nothing_found && n.find("") == names::nothing_found;
}());

TEST_CASE("in any order") {
  std::vector<std::string> texts;
  for (jq::variable v = 0; v < 2000; ++v) texts.push_back(std::string(jq::detail::variable_name(v).view()));
  std::vector<jq::variable> order(texts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = jq::variable(i);
  for (int shuffled = 0; shuffled < 2; ++shuffled) {
    names n;
    for (jq::variable v : order) n.add(texts[v], v);
    for (jq::variable v : order) CHECK(n.find(texts[v]) == v);
    CHECK(n.find("zzzz") == names::nothing_found);
    std::shuffle(order.begin(), order.end(), std::mt19937(3));
  }
}
