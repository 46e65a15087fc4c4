// Dimension numbers by letters, and paddings by words.
#include "prim_testing.hpp"

using jacquard::conv_dimension_numbers;
using jacquard::conv_padding;
using jacquard::int_list;
using jacquard::padding_kind;

static_assert(conv_dimension_numbers{"NHWC", "HWIO", "NHWC"}.lhs == int_list{0, 3, 1, 2});
static_assert(conv_dimension_numbers{"NHWC", "HWIO", "NHWC"}.rhs == int_list{3, 2, 0, 1});

TEST_CASE("conv dimensions: letters give places, spatial ones in the order of the filter") {
  const conv_dimension_numbers n{"HWNC", "WIHO", "CWHN"};
  CHECK(n.lhs == int_list{2, 3, 1, 0});
  CHECK(n.rhs == int_list{3, 1, 0, 2});
  CHECK(n.out == int_list{3, 0, 1, 2});
  CHECK(conv_dimension_numbers{"NC", "OI", "NC"}.out == int_list{0, 1});
}
TEST_CASE("conv dimensions: letters that are missing, repeated or none of the filter's are kept as negative codes") {
  CHECK(conv_dimension_numbers{"NHC", "OIH", "NCH"}.lhs == int_list{0, 2, 1});
  CHECK(conv_dimension_numbers{"NCX", "OIH", "NCH"}.lhs == int_list{0, 1, -'H', -'X'});
  CHECK(conv_dimension_numbers{"NNH", "OIH", "NCH"}.lhs == int_list{-'N', -'C', 2});
}
TEST_CASE("conv dimensions: those not given are batch, feature, spatial") {
  CHECK(conv_dimension_numbers{}.or_default(4).rhs == int_list{0, 1, 2, 3});
  const conv_dimension_numbers given{{1, 0}, {0, 1}, {0, 1}};
  CHECK(given.or_default(4).lhs == int_list{1, 0});
}
TEST_CASE("conv padding: words and pairs") {
  CHECK(conv_padding("VALID").is_valid);
  CHECK(conv_padding("SAME").kind == padding_kind::same);
  CHECK(conv_padding("SAME_LOWER").kind == padding_kind::same_lower);
  CHECK(conv_padding("same").kind == padding_kind::unknown);
  CHECK(conv_padding("").kind == padding_kind::unknown);
  const conv_padding pairs{{1, 2}, {-3, 4}};
  CHECK(pairs.low == int_list{1, -3});
  CHECK(pairs.high == int_list{2, 4});
  CHECK(conv_padding({{1, 2}}).high == int_list{2});
}
