#pragma once
// All transforms.

#include "jacquard/transforms/batch.hpp"
#include "jacquard/transforms/differentiate.hpp"
#include "jacquard/transforms/grad.hpp"
#include "jacquard/transforms/jacobian.hpp"
#include "jacquard/transforms/linear_transpose.hpp"
#include "jacquard/transforms/make_jaxpr.hpp"
#include "jacquard/transforms/mask.hpp"
#include "jacquard/transforms/simplify.hpp"
#include "jacquard/transforms/vmap.hpp"
