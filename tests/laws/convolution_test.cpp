// Rows: convolutions.
#include "row.hpp"

namespace laws {

namespace {

using namespace jacquard;

operand spread(const shape& dims) { return between(-2, 2, dims); }

sample convolving(const shape& lhs, const shape& rhs, const int_list& strides, const conv_padding& padding, const conv_options& options = {}) {
  sample s = with<conv_general_dilated_p>(detail::conv_params_of(lhs.rank(), strides, padding, options), {spread(lhs), spread(rhs)});
  s.holds_sizes = options.feature_group_count * options.batch_group_count > 1;
  return s;
}

const family rows{of_primitive<conv_general_dilated_p>(
    numbers, {convolving({2, 3, 5}, {4, 3, 2}, {1}, "VALID"),
              convolving({2, 3, 4, 5}, {2, 3, 3, 2}, {1, 1}, "SAME"),
              convolving({1, 2, 7}, {3, 2, 4}, {3}, "SAME_LOWER"),
              convolving({2, 6, 5, 3}, {3, 2, 3, 4}, {2, 1}, {{1, 2}, {1, 0}}, {.dimension_numbers = {"NHWC", "HWIO", "NHWC"}}),
              convolving({2, 3, 6}, {2, 3, 4}, {1}, {{-1, 2}}, {.rhs_dilation = {2}}),
              convolving({2, 3, 4}, {5, 3, 2}, {3}, {{2, 1}}, {.lhs_dilation = {2}}),
              convolving({3, 5, 2, 4}, {4, 3, 5, 2}, {1, 1}, {{1, 1}, {0, 0}}, {.dimension_numbers = {"CHNW", "OIHW", "HCWN"}}),
              convolving({2, 4, 5}, {4, 2, 3}, {1}, {{1, 1}}, {.feature_group_count = 2}),
              convolving({4, 3, 5}, {4, 3, 3}, {2}, {{1, 1}}, {.batch_group_count = 2}),
              convolving({2, 3}, {4, 3}, {}, "VALID"),
              convolving({0, 3, 4}, {2, 3, 2}, {1}, "VALID"),
              convolving({1, 2, 2}, {3, 2, 3}, {1}, "VALID")})};

}  // namespace

TEST_CASE("convolutions: every dtype") { check_dtypes(rows); }

}  // namespace laws
