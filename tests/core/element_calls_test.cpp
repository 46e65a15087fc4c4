// Rules about single elements, as a primitive's table holds them: which parts a result has, and where views read.
#include <jacquard/prims/concatenate.hpp>

#include <ostream>

#include <doctest/doctest.h>

namespace jq = jacquard;

namespace {

template <class P>
constexpr jq::parts_call parts(const typename P::params& p, jq::view<const jq::aval> in, const jq::aval& out) {
  jq::parts_call c{in, out, {}};
  P::parts(c, p);
  return c;
}
constexpr bool operands_follow_each_other() {
  const jq::aval in[] = {{jq::f32, {2, 3}}, {jq::f32, {2, 4}}}, out{jq::f32, {2, 7}};
  const jq::parts_call c = parts<jq::concatenate_p>({1}, in, out);
  const jq::result_part& last = c.parts.back();
  return c.parts.size() == 2 && c.elsewhere < 0 && last.operand == 1 && last.begin == jq::int_list{0, 3} && last.end == jq::int_list{2, 7} && last.shift == jq::int_list{0, -3};
}
constexpr bool padding_lies_around() {
  const jq::aval in[] = {{jq::f32, {3}}, {jq::f32, {}}}, out{jq::f32, {6}}, gaps{jq::f32, {8}};
  const jq::parts_call c = parts<jq::pad_p>({{2}, {1}, {0}}, in, out);
  return c.parts.size() == 1 && c.elsewhere == 1 && c.parts[0].begin == jq::int_list{2} && c.parts[0].end == jq::int_list{5} && c.parts[0].shift == jq::int_list{-2} &&
         parts<jq::pad_p>({{2}, {1}, {1}}, in, gaps).parts.empty();
}

}  // namespace

TEST_CASE("parts of results, in constant evaluation too") {
  static_assert(operands_follow_each_other());
  static_assert(padding_lies_around());
}
TEST_CASE("tables have the rules of elements that a primitive has") {
  const jq::primitive &pad = jq::table_of<jq::pad_p>(), &slice = jq::table_of<jq::slice_p>();
  CHECK((pad.parts && !pad.view_of));
  CHECK((slice.view_of && !slice.parts));
}
