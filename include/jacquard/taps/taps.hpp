#pragma once
// Values out of running programs.

#include "jacquard/taps/callbacks.hpp"
#include "jacquard/taps/debug.hpp"
#include "jacquard/taps/device_callback.hpp"
#include "jacquard/taps/id_print.hpp"
#include "jacquard/taps/id_tap.hpp"
#include "jacquard/taps/progress.hpp"
#include "jacquard/taps/receivers.hpp"
