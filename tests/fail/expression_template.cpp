// expect: neither an array nor a tree; evaluate an expression, a view or a map
// errors: 5
#include <jacquard/jacquard.hpp>

// An expression of another library: a template over the types of its operands, which cannot be made of jq::array.
template <class A, class B>
class sum_of {
 public:
  sum_of(const A& a, const B& b) : a_(a), b_(b) {}
  typename A::value_type operator()(int i) const { return a_[i] + b_[i]; }

 private:
  const A& a_;
  const B& b_;
};

int main() {
  const std::vector<double> x{1, 2};
  jacquard::grad([](const auto& v) { return jacquard::sum(v); })(sum_of(x, x));
}
