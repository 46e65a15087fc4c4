#pragma once
// jq::special: the special functions. A header of its own, which jacquard.hpp does not include.

#include "jacquard/special/complex_gamma.hpp"
#include "jacquard/special/error_integrals.hpp"
#include "jacquard/special/functions.hpp"
#include "jacquard/special/gauss_hypergeometric.hpp"
#include "jacquard/special/hypergeometric.hpp"
#include "jacquard/special/integrals.hpp"
