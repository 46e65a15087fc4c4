// Rows: elementwise functions of two and more operands, comparisons among them.
#include "row.hpp"

namespace laws {

namespace {

using namespace jacquard;

const operand spread = between(-2, 2), positive = between(0.4, 2), separate = apart();
const operand low = between(-1.5, -0.5), high = between(0.5, 1.5);
const operand which = among({0, 1}).fixed(bool_), index = among({0, 1, 2}).fixed(i32);

const family rows{
    binary<add_p>(numbers, spread, spread),
    binary<and_p>(bits, spread, spread),
    binary<atan2_p>(floats, spread, positive),
    binary<complex_p>(only(f32, f64), spread, spread),
    binary<div_p>(numbers, spread, positive, {.rounds = true}),
    binary<eq_p>(any_type, separate, separate),
    binary<ge_p>(ordered, separate, separate),
    binary<gt_p>(ordered, separate, separate),
    binary<le_p>(ordered, separate, separate),
    binary<lt_p>(ordered, separate, separate),
    binary<max_p>(ordered, separate, separate),
    binary<min_p>(ordered, separate, separate),
    binary<mul_p>(numbers, spread, spread),
    binary<ne_p>(any_type, separate, separate),
    binary<nextafter_p>(floats, spread, separate, {.widens = false}),
    binary<or_p>(bits, spread, spread),
    binary<pow_p>(numbers, positive, between(0.4, 3)),
    binary<rem_p>(reals, between(4.2, 4.6), between(1.7, 2)),
    binary<shift_left_p>(integers, between(0, 9), between(0, 3)),
    binary<shift_right_arithmetic_p>(integers, between(0, 99), between(0, 3)),
    binary<shift_right_logical_p>(integers, between(0, 99), between(0, 3)),
    binary<sub_p>(numbers, spread, spread),
    binary<xor_p>(bits, spread, spread),
    of_primitive<clamp_p>(ordered, {{{low.shaped({2, 3}), apart({2, 3}), high.shaped({2, 3})}},
                                    {{low, apart({5}), high}},
                                    {{low, apart(), high}},
                                    {{low.shaped({4}), apart({4}), high}},
                                    {{low, apart({0}), high}}}),
    of_primitive<select_n_p>(any_type, {{{which.shaped({2, 3}), spread.shaped({2, 3}), spread.shaped({2, 3})}},
                                        {{which, spread.shaped({3}), spread.shaped({3})}},
                                        {{which.shaped({3}), spread, spread.shaped({3})}},
                                        {{which.shaped({3}), spread.shaped({3}), spread}},
                                        {{which.shaped({3}), spread, spread}},
                                        {{index.shaped({4}), spread.shaped({4}), spread, spread.shaped({4})}},
                                        {{index.fixed(u8), spread.shaped({0}), spread.shaped({0}), spread.shaped({0})}},
                                        {{which, spread, spread}}}),
    of_primitive<threefry2x32_p>(only(u32), {{{spread, spread, spread.shaped({2, 3}), spread.shaped({2, 3})}},
                                             {{spread, spread, spread, spread}},
                                             {{spread.shaped({3}), spread.shaped({3}), spread.shaped({3}), spread}},
                                             {{spread, spread, spread.shaped({0}), spread.shaped({0})}}}),
};

}  // namespace

TEST_CASE("functions of several operands: every dtype") { check_dtypes(rows); }

}  // namespace laws
