// Words of a table that go on: alike, in turn, and no more than there is room for.
#include <jacquard/backends/cpu/moving_words.hpp>

#include <doctest/doctest.h>

namespace jq = jacquard;

TEST_CASE("words go on by their steps in turn, where moving_place says they are after so many trips") {
  char memory[200];
  void* table[] = {memory, memory + 100, memory + 20};
  const jq::moving_place forward{false, 0, 8, 8}, turning{true, 0, 64, -64};
  jq::cpu::moving_words words;
  CHECK((words.add(&table[0], forward) && words.add(&table[2], turning)));
  for (int trip = 1; trip <= 5; ++trip) {
    words.go_on();
    CHECK(table[0] == memory + 8 * trip);
    CHECK(table[0] == forward.after(trip, memory));
    CHECK(table[1] == memory + 100);
    CHECK(table[2] == memory + (trip % 2 == 1 ? 84 : 20));
    CHECK(table[2] == turning.after(trip, memory + 20));
  }
  CHECK(&forward.in(table, table + 1) == &table[0]);
  CHECK(&turning.in(table, table + 1) == &table[1]);
}
TEST_CASE("there is room for so many words") {
  void* table[1] = {};
  jq::cpu::moving_words words;
  for (std::size_t i = 0; i < jq::cpu::moving_words::most; ++i) CHECK(words.add(table, {}));
  CHECK(!words.add(table, {}));
}
