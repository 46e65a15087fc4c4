// Calls of the optimizers, each a step of one parameter and one gradient, of what trees of gradients have, and of schedules, whose count of
// steps is the operand.
#include "calls.hpp"

#include <jacquard/optim/optim.hpp>

namespace tables {

namespace {

using namespace jacquard;

const section of_trees{"optim/gradients.hpp",
                       {CALL(optim::tree_dot(x, y)), CALL(optim::global_norm(x)), CALL(optim::clip_by_global_norm(x, 1.0)),
                        CALL(optim::clip_by_value(x, 1.0)), CALL(optim::apply_updates(x, y))}};
const section minimiser{"optim/lbfgs.hpp", {CALL(optim::lbfgs([](const array& p) { return sum(square(abs(p - 0.5))); }, x))}};
const section optimizers{
    "optim/optimizers.hpp",
    {CALL(optim::sgd(0.1).update(y, optim::sgd(0.1).init(x), x)),
     CALL(optim::momentum(0.1).update(y, optim::momentum(0.1).init(x), x)),
     CALL(optim::nesterov(0.1).update(y, optim::nesterov(0.1).init(x), x)),
     CALL(optim::adam(0.1).update(y, optim::adam(0.1).init(x), x)),
     CALL(optim::adamw(0.1).update(y, optim::adamw(0.1).init(x), x)),
     CALL(optim::rmsprop(0.1).update(y, optim::rmsprop(0.1).init(x), x)),
     CALL(optim::adagrad(0.1).update(y, optim::adagrad(0.1).init(x), x)),
     CALL(optim::lion(0.1).update(y, optim::lion(0.1).init(x), x))}};
const section schedules{
    "optim/schedules.hpp",
    {CALL(optim::constant_schedule{0.1}(s)), CALL(optim::linear_schedule{1, 0, 2}(s)), CALL(optim::exponential_decay{0.1, 10, 0.5}(s)),
     CALL(optim::cosine_decay{0.1, 10}(s)), CALL(optim::warmup_cosine_decay{0, 0.1, 2, 10}(s)), CALL(optim::piecewise_constant{0.1, {{1, 0.5}}}(s))}};

}  // namespace

TEST_CASE("optimizers: each dtype is taken, or refused by a type_error") {
  check_calls({&of_trees, &minimiser, &optimizers, &schedules});
}

}  // namespace tables
