#pragma once
// Checks for functions and primitives, of this library and of its users. Each returns a report; none needs a test
// framework. testing/reading.hpp is the only one not listed, since it takes long to compile.

#include "jacquard/testing/batching.hpp"
#include "jacquard/testing/compilation.hpp"
#include "jacquard/testing/gradients.hpp"
#include "jacquard/testing/leaks.hpp"
#include "jacquard/testing/passes.hpp"
#include "jacquard/testing/transposition.hpp"
