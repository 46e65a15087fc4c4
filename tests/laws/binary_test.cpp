// Rows: elementwise functions of two and more operands, comparisons among them.
#include "row.hpp"

using namespace laws;
using namespace jacquard;

namespace {

const operand any = between(-2, 2), positive = between(0.4, 2), separate = apart();

const family rows{
    binary<add_p>(numbers, any, any),
    binary<and_p>(bits, any, any),
    binary<atan2_p>(floats, any, positive),
    binary<complex_p>(floats, any, any),
    binary<div_p>(numbers, any, positive),
    binary<eq_p>(any_type, separate, separate),
    binary<ge_p>(ordered, separate, separate),
    binary<gt_p>(ordered, separate, separate),
    binary<le_p>(ordered, separate, separate),
    binary<lt_p>(ordered, separate, separate),
    binary<max_p>(ordered, separate, separate),
    binary<min_p>(ordered, separate, separate),
    binary<mul_p>(numbers, any, any),
    binary<ne_p>(any_type, separate, separate),
    binary<or_p>(bits, any, any),
    binary<pow_p>(numbers, positive, between(0.4, 3)),
    binary<rem_p>(reals, between(4.2, 4.8), between(1.6, 2)),
    binary<sub_p>(numbers, any, any),
    binary<xor_p>(bits, any, any),
};

const operand low = between(-1.5, -0.5), high = between(0.5, 1.5);
const family clamps{of_primitive<clamp_p>(ordered, {{{low.shaped({2, 3}), apart({2, 3}), high.shaped({2, 3})}},
                                                    {{low, apart({5}), high}},
                                                    {{low, apart(), high}},
                                                    {{low.shaped({4}), apart({4}), high}},
                                                    {{low, apart({0}), high}}})};

const operand which = among({0, 1}).fixed(bool_), index = among({0, 1, 2}).fixed(i32);
const family selections{
    of_primitive<select_n_p>(any_type, {{{which.shaped({2, 3}), any.shaped({2, 3}), any.shaped({2, 3})}},
                                        {{which, any.shaped({3}), any.shaped({3})}},
                                        {{which.shaped({3}), any, any.shaped({3})}},
                                        {{which.shaped({3}), any.shaped({3}), any}},
                                        {{which.shaped({3}), any, any}},
                                        {{index.shaped({4}), any.shaped({4}), any, any.shaped({4})}},
                                        {{index.fixed(u8), any.shaped({0}), any.shaped({0}), any.shaped({0})}},
                                        {{which, any, any}}}),
    of_primitive<threefry2x32_p>(only(u32), {{{any, any, any.shaped({2, 3}), any.shaped({2, 3})}},
                                             {{any, any, any, any}},
                                             {{any.shaped({3}), any.shaped({3}), any.shaped({3}), any}},
                                             {{any, any, any.shaped({0}), any.shaped({0})}}}),
};

}  // namespace
