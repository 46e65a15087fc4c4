// expect: returns fractions and the output has integers
#include <jacquard/fixed.hpp>
#include <vector>

int main() {
  const std::vector<double> x(3);
  std::vector<int> y(3);
  jacquard::map([](auto v) { return v + 2.5; }, x, y);
}
