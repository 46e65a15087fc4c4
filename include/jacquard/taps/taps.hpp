#pragma once
// Values out of running programs.

#include "jacquard/taps/id_print.hpp"
#include "jacquard/taps/id_tap.hpp"
