// What kernels of one element type are given: the pointers of the call where its types are theirs, else copies.
#include <jacquard/core/kernel_frame.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include "../show.hpp"

using jq::array;
using jq::asarray;
using jq::aval;
using jq::tensor_ref;

namespace {

/// The frame of a call on these operands, with one result.
struct call {
  std::vector<aval> types;
  std::vector<tensor_ref> in, out;
  unsigned char memory[8][16] = {};
  call(const std::vector<aval>& operands, const aval& result) : types(operands) {
    types.push_back(result);
    for (std::size_t k = 0; k < operands.size(); ++k) in.push_back({memory[k % 7], &types[k]});
    out.push_back({memory[7], &types.back()});
  }
  jq::kernel_call get() const { return {in, out, {}}; }
};

}  // namespace

TEST_CASE("calls whose types are those of the kernel are given to it as they are") {
  const jq::dtype work = jq::f32;
  jq::detail::direct_frame frame;
  const call data({{jq::f32, {4}}, {jq::f32, {}}}, {jq::f32, {4}});
  REQUIRE(frame.fits(data.get(), 0, 0, &work));
  const jq::detail::kernel_frame f = frame.pointers(data.get());
  CHECK((f.operands == 2 && f.results == 1 && f.in[0] == data.memory[0] && f.in[1] == data.memory[1] && f.out[0] == data.memory[7]));
  CHECK((f.index[0] == nullptr && f.index_out[0] == nullptr && f.out_types[0] == data.types[2]));
  CHECK_FALSE(frame.fits(call({{jq::f16, {4}}}, {jq::f32, {4}}).get(), 0, 0, &work));
  CHECK_FALSE(frame.fits(call({{jq::f32, {4}}}, {jq::f16, {4}}).get(), 0, 0, &work));
  CHECK(frame.fits(call({{jq::f16, {4}}}, {jq::f16, {4}}).get(), 0, 0, nullptr));
  CHECK_FALSE(frame.fits(call(std::vector<aval>(7, aval(jq::f32, {})), {jq::f32, {}}).get(), 0, 0, &work));
}
TEST_CASE("few indices of 32 bits are converted on the spot; others take a copy") {
  const jq::dtype work = jq::f32;
  jq::detail::direct_frame frame;
  call number({{jq::f32, {4}}, {jq::i32, {}}}, {jq::f32, {}});
  const std::int32_t at = -3;
  std::memcpy(number.memory[1], &at, sizeof at);
  REQUIRE(frame.fits(number.get(), 2, 0, &work));
  CHECK(*frame.pointers(number.get()).index[1] == -3);
  CHECK(frame.fits(call({{jq::f32, {4}}, {jq::i64, {3}}}, {jq::i64, {}}).get(), 2, 1, &work));
  CHECK_FALSE(frame.fits(call({{jq::f32, {4}}, {jq::i32, {1}}}, {jq::f32, {}}).get(), 2, 0, &work));
  CHECK_FALSE(frame.fits(call({{jq::f32, {4}}, {jq::i16, {}}}, {jq::f32, {}}).get(), 2, 0, &work));
  const call found({{jq::f32, {4}}}, {jq::i32, {2}});
  REQUIRE(frame.fits(found.get(), 0, 1, &work));
  std::int64_t* const to = frame.pointers(found.get()).index_out[0];
  to[0] = 3, to[1] = -1;
  frame.finish();
  CHECK((reinterpret_cast<const std::int32_t*>(found.memory[7])[0] == 3 && reinterpret_cast<const std::int32_t*>(found.memory[7])[1] == -1));
  CHECK_FALSE(frame.fits(call({{jq::f32, {4}}}, {jq::i32, {7}}).get(), 0, 1, &work));
  CHECK_FALSE(frame.fits(call({{jq::f32, {4}}}, {jq::i16, {}}).get(), 0, 1, &work));
}
TEST_CASE("kernels give the same whatever frame they have") {
  const array x = asarray({3.f, 1.f, 2.f, 5.f});
  for (jq::dtype t : {jq::i8, jq::i16, jq::i32, jq::i64, jq::u8, jq::u64}) {
    const array one = lax::convert_element_type(asarray(1), t);
    CHECK(show(lax::dynamic_slice(x, {one}, {2})) == "f32[2] 1 2");
    CHECK(show(lax::dynamic_update_slice(x, asarray({7.f}), {one})) == "f32[4] 3 7 2 5");
  }
  for (jq::dtype t : {jq::f16, jq::bf16, jq::f32, jq::f64, jq::i8, jq::i64}) {
    const array y = lax::convert_element_type(x, t);
    CHECK(show(lax::convert_element_type(jq::cumsum(y), jq::f32)) == "f32[4] 3 4 6 11");
    CHECK(show(jq::argmax(y).astype(jq::i32)) == "i32[] 3");
  }
  const std::vector<array> many(9, asarray({1.f}));
  CHECK(show(jq::sum(jq::concatenate(many))) == "f32[] 9");
  const array z = lax::convert_element_type(asarray({1, 2}), jq::c64);
  CHECK(show(z * z + lax::convert_element_type(asarray(1), jq::c64)) == show(lax::convert_element_type(asarray({2, 5}), jq::c64)));
}
