#pragma once
// jq::optim: optimizers, schedules, clipping, minimisation. Deliberately a list of headers and nothing more.

#include "jacquard/optim/gradients.hpp"
#include "jacquard/optim/lbfgs.hpp"
#include "jacquard/optim/optimizers.hpp"
#include "jacquard/optim/schedules.hpp"
