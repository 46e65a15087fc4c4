#pragma once
// The structural set: the only primitives that transforms may name. They are what a cotangent needs to be summed, reshaped
// or zeroed, and what masking needs to move padded arrays; everything else a transform learns from the rule table.

#include "jacquard/prims/add.hpp"
#include "jacquard/prims/broadcast.hpp"
#include "jacquard/prims/compare.hpp"
#include "jacquard/prims/concatenate.hpp"
#include "jacquard/prims/convert_element_type.hpp"
#include "jacquard/prims/iota.hpp"
#include "jacquard/prims/mul.hpp"
#include "jacquard/prims/padded_arrays.hpp"
#include "jacquard/prims/reshape.hpp"
#include "jacquard/prims/select_n.hpp"
#include "jacquard/prims/slice.hpp"
#include "jacquard/prims/transpose.hpp"
