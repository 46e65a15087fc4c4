#pragma once
// A convolution as tests of the cpu backend's convolutions write it down.
#include "same.hpp"

namespace convolution_testing {

using jq::array;
using jq::conv_options;
using jq::conv_padding;
using jq::int_list;
using jq::shape;

inline array numbers(const shape& s, std::uint64_t seed = 1) { return jq::random::normal(jq::random::key(seed), s); }

struct task {
  shape x, k;
  int_list strides;
  conv_padding padding;
  conv_options options{};
};
inline array convolved(const task& t, const array& x, const array& k) { return jq::lax::conv_general_dilated(x, k, t.strides, t.padding, t.options); }

}  // namespace convolution_testing
