// Forms of constants: made once and kept, none of what is no constant or may be written to, one for each place and form.
#include <jacquard/backends/cpu/held_operands.hpp>

#include "../../show.hpp"

using jq::array;
using jq::detail::held_operands;

namespace {

array floats(std::int64_t n) { return jq::full({n}, 2.0f); }
const float* memory_of(const array& x) { return static_cast<const float*>(x.as_buffer()->data); }

/// What form() gives, and how often something was made for it.
struct asked {
  const void* memory = nullptr;
  int made = 0;
};
asked ask(held_operands& h, const void* key, const void* data) {
  asked r;
  r.memory = h.form(key, data, [&](array& to) {
    to = floats(4);
    ++r.made;
  });
  return r;
}

}  // namespace

TEST_CASE("a form is made once, for each place and each form") {
  const std::vector<array> constants{array(1.0f), floats(8)};
  held_operands held{constants};
  const float* const data = memory_of(constants[1]);
  const int one = 1, other = 2;
  const asked first = ask(held, &one, data), again = ask(held, &one, data), elsewhere = ask(held, &one, data + 4), of_other = ask(held, &other, data);
  CHECK(first.made == 1);
  CHECK(again.made == 0);
  CHECK(again.memory == first.memory);
  CHECK(elsewhere.made == 1);
  CHECK(of_other.made == 1);
  CHECK(elsewhere.memory != first.memory);
  CHECK(of_other.memory != first.memory);
}
TEST_CASE("none of what is no constant, is borrowed, or is shared with others") {
  float foreign[8]{};
  const std::vector<array> constants{floats(8), array(jq::borrow_buffer({jq::f32, {8}}, foreign))};
  held_operands held{constants};
  const int key = 1;
  CHECK(ask(held, &key, memory_of(floats(8))).memory == nullptr);
  CHECK(ask(held, &key, memory_of(constants[0]) + 8).memory == nullptr);
  CHECK(ask(held, &key, foreign).memory == nullptr);
  const array shared(jq::share_buffer(*constants[0].as_buffer(), {jq::f32, {2, 4}}));
  CHECK(ask(held, &key, memory_of(constants[0])).memory == nullptr);
}
