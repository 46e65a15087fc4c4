// For the oldest processors.
#include "function.hpp"

void map_plain(const std::vector<double>& x, std::vector<double>& y) { jacquard::map(mapped_function, x, y); }
