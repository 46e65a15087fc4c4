// expect: calling a __host__ function\("void jacquard::map
// jq::map belongs to the host: in a kernel the grid is the map, and each thread calls the function.
#include <span>

#include <jacquard/fixed.hpp>

namespace jq = jacquard;

struct cube {
  template <class T>
  constexpr auto operator()(T x) const {
    return x * x * x;
  }
};

__global__ void slopes(const double* x, double* y, std::size_t n) { jq::map(jq::grad(cube{}), std::span(x, n), std::span(y, n)); }
