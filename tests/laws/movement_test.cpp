// Rows: primitives that move data by fixed places.
#include "row.hpp"

using namespace laws;
using namespace jacquard;

namespace {

operand any(const shape& dims) { return between(-2, 2, dims); }

const family rows{
    of_primitive<broadcast_in_dim_p>(any_type, {with<broadcast_in_dim_p>({{2, 3}, {}}, {any({})}),
                                                with<broadcast_in_dim_p>({{2, 3}, {1}}, {any({3})}),
                                                with<broadcast_in_dim_p>({{2, 3}, {0, 1}}, {any({2, 1})}),
                                                with<broadcast_in_dim_p>({{4, 2, 1, 3}, {0, 2, 3}}, {any({1, 1, 3})}),
                                                with<broadcast_in_dim_p>({{0, 3}, {1}}, {any({3})}),
                                                with<broadcast_in_dim_p>({{2, 0}, {0, 1}}, {any({1, 0})})}),
    of_primitive<concatenate_p>(any_type, {with<concatenate_p>({0}, {any({2}), any({3})}),
                                           with<concatenate_p>({1}, {any({2, 3}), any({2, 1}), any({2, 0})}),
                                           with<concatenate_p>({0}, {any({1, 2})}),
                                           with<concatenate_p>({1}, {any({0, 2}), any({0, 1})})}),
    of_primitive<pad_p>(any_type, {with<pad_p>({{1}, {2}, {0}}, {any({3}), any({})}),
                                   with<pad_p>({{1, 0}, {0, 2}, {1, 2}}, {any({2, 3}), any({})}),
                                   with<pad_p>({{-1, 2}, {1, -2}, {0, 1}}, {any({3, 3}), any({})}),
                                   with<pad_p>({{}, {}, {}}, {any({}), any({})}),
                                   with<pad_p>({{2}, {1}, {3}}, {any({0}), any({})})}),
    of_primitive<reshape_p>(any_type, {with<reshape_p>({{3, 2}}, {any({2, 3})}), with<reshape_p>({{}}, {any({1, 1})}),
                                       with<reshape_p>({{1, 1}}, {any({})}), with<reshape_p>({{6}}, {any({2, 1, 3})}),
                                       with<reshape_p>({{5, 0}}, {any({0, 2})})}),
    of_primitive<rev_p>(any_type, {with<rev_p>({{0}}, {any({4})}), with<rev_p>({{1, 0}}, {any({2, 3})}),
                                   with<rev_p>({{1}}, {any({2, 0, 3})}), with<rev_p>({{}}, {any({})})}),
    of_primitive<slice_p>(any_type, {with<slice_p>({{1}, {4}, {1}}, {any({5})}),
                                     with<slice_p>({{0, 1}, {3, 6}, {2, 3}}, {any({3, 7})}),
                                     with<slice_p>({{2, 0}, {2, 2}, {1, 1}}, {any({3, 2})}),
                                     with<slice_p>({{}, {}, {}}, {any({})})}),
    of_primitive<squeeze_p>(any_type, {with<squeeze_p>({{0}}, {any({1, 3})}), with<squeeze_p>({{2, 0}}, {any({1, 2, 1})}),
                                       with<squeeze_p>({{0, 1}}, {any({1, 1})}), with<squeeze_p>({{1}}, {any({0, 1})})}),
    of_primitive<transpose_p>(any_type, {with<transpose_p>({{1, 0}}, {any({2, 3})}),
                                         with<transpose_p>({{1, 2, 0}}, {any({2, 3, 4})}),
                                         with<transpose_p>({{}}, {any({})}), with<transpose_p>({{1, 0}}, {any({0, 2})})}),
};

row iotas() {
  row r = of_primitive<iota_p>(numbers, {with<iota_p>({f32, {5}, 0}, {}), with<iota_p>({f32, {2, 3}, 1}, {}),
                                         with<iota_p>({f32, {2, 3, 2}, 0}, {}), with<iota_p>({f32, {0, 2}, 1}, {})});
  r.retype = [](const param_pack& pack, dtype t) {
    iota_p::params p = decode<iota_p::params>(pack);
    p.type = t;
    return encode(p);
  };
  return r;
}
const family counts{iotas()};

}  // namespace
