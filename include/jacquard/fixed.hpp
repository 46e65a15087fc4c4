#pragma once
// The compile-time lane alone: tensors, the user's vocabulary, transforms of functions with static arguments, jit and taps in them. Needs
// no backend and no foreign library. Deliberately without devices, compilers and receivers of taps: include jacquard.hpp for these, which
// includes this lane. Zeros that are part of a program (of an identity, or a mask that is known) make what they multiply zero in arrays of up to
// some 1000 elements, infinities and NaN among it: what makes a Jacobian cost what its other elements cost. Files of one program that jit or tap the same function of arrays all include jacquard.hpp: what these do then is
// chosen where they are compiled.

// A global of the program may have the name of a variable in the headers.
#if defined __GNUC__ && !defined JACQUARD_OWN_WARNINGS
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include "jacquard/compiled.hpp"
#include "jacquard/control/control.hpp"
#include "jacquard/control/jit.hpp"
#include "jacquard/fixed/differentiate.hpp"
#include "jacquard/fixed/map.hpp"
#include "jacquard/fixed/mask.hpp"
#include "jacquard/numpy/numpy.hpp"
#include "jacquard/prims/prims.hpp"
#include "jacquard/taps/id_print.hpp"
#include "jacquard/transforms/transforms.hpp"
#if defined __GNUC__ && !defined JACQUARD_OWN_WARNINGS
#pragma GCC diagnostic pop
#endif
