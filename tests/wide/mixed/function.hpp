// A function that files of one program map, each compiled for another processor.
#pragma once
#include <jacquard/fixed.hpp>

#include <vector>

inline constexpr auto mapped_function = [](auto x) { return jacquard::sin(x) * x + jacquard::exp(x * 0.1); };

void map_plain(const std::vector<double>& x, std::vector<double>& y);
void map_wide(const std::vector<double>& x, std::vector<double>& y);
