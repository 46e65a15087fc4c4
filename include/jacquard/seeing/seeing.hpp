#pragma once
// Seeing what programs are and do: drawings, profiles, reports. Not part of jacquard.hpp, because few files need it.

#include "jacquard/exec/donation_report.hpp"
#include "jacquard/seeing/dot.hpp"
#include "jacquard/seeing/html.hpp"
#include "jacquard/seeing/profile.hpp"
