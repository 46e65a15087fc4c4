#pragma once
// jq::special: the special functions.

#include "jacquard/special/complex_gamma.hpp"
#include "jacquard/special/error_integrals.hpp"
#include "jacquard/special/functions.hpp"
#include "jacquard/special/gauss_hypergeometric.hpp"
#include "jacquard/special/hypergeometric.hpp"
#include "jacquard/special/integrals.hpp"
