// Schedules: values at the beginning, between and after the end.
#include "../numpy/numpy_testing.hpp"

#include <jacquard/optim/schedules.hpp>

namespace optim = jacquard::optim;

namespace {
double at(const array& x) { return x.item<double>(); }
array step(int n) { return jq::array(jq::literal(n, jq::i32, false)); }
}  // namespace

TEST_CASE("schedules") {
  CHECK(at(optim::constant_schedule{0.1}(step(7))) == 0.1);
  CHECK(at(optim::linear_schedule{1, 0.5, 10}(step(5))) == 0.75);
  CHECK(at(optim::linear_schedule{1, 0.5, 10}(step(50))) == 0.5);
  CHECK(at(optim::linear_schedule{1, 0.5, 0}(step(0))) == 0.5);  // over before it begins
  CHECK(at(optim::linear_schedule{1, 0.5, 0}(step(3))) == 0.5);
  CHECK(at(optim::cosine_decay{2, 0, 0.1}(step(0))) == doctest::Approx(0.2));
  CHECK(at(optim::exponential_decay{1, 10, 0.5}(step(5))) == doctest::Approx(std::sqrt(0.5)));
  CHECK(at(optim::exponential_decay{1, 10, 0.5, true}(step(19))) == doctest::Approx(0.5));
  CHECK(at(optim::exponential_decay{2, 0, 0.5}(step(0))) == 2);  // over no steps
  CHECK(at(optim::exponential_decay{2, 0, 0.5, true}(step(3))) == 2);
  CHECK(at(optim::cosine_decay{2, 10}(step(5))) == doctest::Approx(1));
  CHECK(at(optim::cosine_decay{2, 10, 0.1}(step(10))) == doctest::Approx(0.2));
  const optim::warmup_cosine_decay w{0, 1, 10, 110, 0.1};
  CHECK(at(w(step(5))) == doctest::Approx(0.5));
  CHECK(at(w(step(10))) == doctest::Approx(1));
  CHECK(at(w(step(60))) == doctest::Approx(0.55));
  CHECK(at(w(step(500))) == doctest::Approx(0.1));
  CHECK(at(optim::warmup_cosine_decay{0, 0, 10, 110}(step(60))) == 0);
  CHECK(at(optim::warmup_cosine_decay{0, 0, 10, 110, 0.5}(step(60))) == doctest::Approx(0.25));  // from 0 up
  CHECK(at(optim::exponential_decay{2, 10, 0}(step(0))) == 2);
  CHECK(at(optim::exponential_decay{2, 10, 0}(step(5))) == 0);
  const optim::piecewise_constant p{1, {{3, 0.5}, {6, 0.1}}};
  CHECK(at(p(step(2))) == 1);
  CHECK(at(p(step(3))) == 0.5);
  CHECK(at(p(step(9))) == doctest::Approx(0.05));
}
