#pragma once
// jq::nn: activations, losses, what layers compute, initial values. A header of its own, which jacquard.hpp does not include.

#include "jacquard/nn/activations.hpp"
#include "jacquard/nn/initializers.hpp"
#include "jacquard/nn/layers.hpp"
#include "jacquard/nn/losses.hpp"
#include "jacquard/nn/orthogonal.hpp"
