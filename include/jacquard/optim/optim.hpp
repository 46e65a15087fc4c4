#pragma once
// jq::optim: optimizers, schedules, clipping, minimisation. A header of its own, which jacquard.hpp does not include.

#include "jacquard/optim/gradients.hpp"
#include "jacquard/optim/lbfgs.hpp"
#include "jacquard/optim/optimizers.hpp"
#include "jacquard/optim/schedules.hpp"
