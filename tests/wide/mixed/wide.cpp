// For those with AVX-512 or AVX2.
#include "function.hpp"

void map_wide(const std::vector<double>& x, std::vector<double>& y) { jacquard::map(mapped_function, x, y); }
