// Roles of equations, and where in operands elements come from.
#include <jacquard/exec/lowering/roles.hpp>

#include <jacquard/jacquard.hpp>

#include "../../show.hpp"

namespace lax = jq::lax;
using jq::array;
using jq::lowering::loop_limits, jq::lowering::rounding, jq::lowering::detail::role;

namespace {

bool everything(jq::scalar_op, jq::dtype) { return true; }
bool no_conversion(jq::scalar_op op, jq::dtype) { return op != jq::scalar_op::convert; }

/// The role of the last equation of f's program.
template <class F>
role role_of(const loop_limits& limits, F f, const array& x, jq::lowering::supported_op supported = &everything) {
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(x));
  return jq::lowering::detail::role_finder(*p, supported, rounding::fast, limits).of(p->equations.back());
}
const array places = jq::asarray({3, 1, 2});
array row(const array& x) { return jq::lax::gather(x, jq::reshape(places, {3, 1}), {{1}, {0}, {0}}, {1, x.shape()[1]}); }
array added(const array& x) { return jq::lax::scatter_add(x, jq::reshape(places, {3, 1}), jq::lax::zeros({x.dtype(), {3}}), {{}, {0}, {0}}); }

}  // namespace

TEST_CASE("roles: rows are looked up in kernels as far as these may take the place of a copy each") {
  CHECK(role_of({}, &row, jq::zeros({9, 4})) == role::lookup);
  CHECK(role_of({}, &row, jq::zeros({9, 5})) == role::opaque);
  CHECK(role_of({0, 5}, &row, jq::zeros({9, 5})) == role::lookup);
  CHECK(role_of({0, 5}, &row, jq::zeros({9, 5}), &no_conversion) == role::opaque);
  CHECK(role_of({}, &row, jq::zeros({9, 4}, jq::c64)) == role::lookup);
  CHECK(role_of({0, 9}, &row, jq::zeros({9, 9}, jq::c64)) == role::opaque);
}
TEST_CASE("roles: complex numbers take part as their own kernels do unless programs are strict; products are not combined part by part") {
  const array z = jq::zeros({9}, jq::c64);
  const auto square = [](const array& x) { return x * x; };
  CHECK(role_of({}, square, z) == role::map);
  CHECK(role_of({}, [](const array& x) { return jq::arcsin(x); }, z) == role::opaque);
  CHECK(role_of({}, [](const array& x) { return jq::abs(x); }, z) == role::map);
  CHECK(role_of({}, [](const array& x) { return jq::sum(x); }, z) == role::reduction);
  CHECK(role_of({}, [](const array& x) { return jq::prod(x); }, z) == role::opaque);
  const auto product = [](const array& x) { return jq::matmul(x, x); };
  CHECK(role_of({16}, product, jq::zeros({8, 8}, jq::c64)) == role::contraction);
  CHECK(role_of({16}, product, jq::zeros({9, 9}, jq::c64)) == role::opaque);
  jq::lowering::loop_limits many{16};
  many.products = 20;
  CHECK(role_of(many, product, jq::zeros({19, 4, 4})) == role::contraction);
  CHECK(role_of(many, product, jq::zeros({20, 4, 4})) == role::opaque);
  CHECK(role_of(many, product, jq::zeros({20, 5, 5})) == role::contraction);
  CHECK(role_of({}, [](const array& x) { return lax::rev(x, {0}); }, z) == role::view);
  CHECK(role_of({0, 4, true}, &added, z) == role::opaque);
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(square)(z));
  CHECK(jq::lowering::detail::role_finder(*p, &everything, rounding::strict, {}).of(p->equations.back()) == role::opaque);
}
TEST_CASE("roles: an update of a window that the program says is a part of the result where it is half of that, else it is put") {
  const loop_limits puts{0, 4, true};
  const auto window = [](std::int64_t size, std::int64_t start) {
    return [=](const array& x) { return lax::dynamic_update_slice(x, jq::lax::zeros({x.dtype(), {size, 9}}), {array(start), array(0)}); };
  };
  CHECK(role_of(puts, window(5, 2), jq::zeros({10, 9})) == role::parts);
  CHECK(role_of(puts, window(5, -3), jq::zeros({10, 9}, jq::c64)) == role::parts);
  CHECK(role_of(puts, window(4, 2), jq::zeros({10, 9})) == role::put);
  const auto anywhere = [](const array& x) { return lax::dynamic_update_slice(x, jq::lax::zeros({x.dtype(), {9}}), {jq::astype(x(0), jq::i32)}); };
  CHECK(role_of(puts, anywhere, jq::zeros({10})) == role::put);
}
TEST_CASE("roles: elements are put by kernels that can, unless combining them one by one would round them more often") {
  const loop_limits puts{0, 4, true};
  CHECK(role_of({}, &added, jq::zeros({9})) == role::opaque);
  CHECK(role_of(puts, &added, jq::zeros({9})) == role::put);
  CHECK(role_of(puts, &added, jq::zeros({9}, jq::bf16)) == role::opaque);
  CHECK(role_of(puts, [](const array& x) { return x.at(places).set(1.0); }, jq::zeros({9}, jq::bf16)) == role::put);
}
TEST_CASE("roles: of a constant that at most one update meets anywhere, elements ask for it") {
  const auto at = [](const array& x) { return jq::astype(jq::sum(x), jq::i32); };
  const auto one = [&](const array& x) { return jq::zeros({9, 4}).at(at(x), at(x)).set(x(0)); };
  const auto row_of = [&](const array& x) { return jq::zeros({9, 4}).at(at(x)).add(x); };
  const auto two = [&](const array& x) { return jq::zeros({9, 4}).at(jq::astype(x(jq::slice(0, 2)), jq::i32)).add(x); };
  const auto varies = [&](const array& x) { return x.at(at(x)).set(1.0); };
  const loop_limits puts{0, 4, true};
  CHECK(role_of({}, one, jq::zeros({4})) == role::spot);
  CHECK(role_of({}, row_of, jq::zeros({4})) == role::spot);
  CHECK(role_of({}, row_of, jq::zeros({4}), &no_conversion) == role::opaque);
  CHECK(role_of(puts, two, jq::zeros({4})) == role::put);
  CHECK(role_of(puts, varies, jq::zeros({4})) == role::put);
}
TEST_CASE("roles: a window that is written is put, and in a constant that it meets anywhere elements ask for it") {
  const auto at = [](const array& x) { return jq::astype(x(0), jq::i32); };
  const auto written = [&](const array& x) { return jq::lax::dynamic_update_slice(x, jq::ones({2, 4}, x.dtype()), {at(x(0)), array(0)}); };
  const auto row_of = [&](const array& x) { return jq::lax::dynamic_update_slice(jq::zeros({9, 4}), jq::reshape(x, {1, 4}), {at(x), array(0)}); };
  const auto rows_of = [&](const array& x) { return jq::lax::dynamic_update_slice(jq::zeros({9, 2}), jq::reshape(x, {2, 2}), {at(x), array(0)}); };
  const loop_limits puts{0, 4, true};
  CHECK(role_of({}, written, jq::zeros({9, 4})) == role::opaque);
  for (const jq::dtype t : {jq::f32, jq::bf16, jq::i8, jq::u64}) CHECK(role_of(puts, written, jq::zeros({9, 4}, t)) == role::put);
  CHECK(role_of({}, row_of, jq::zeros({4})) == role::spot);
  CHECK(role_of(puts, rows_of, jq::zeros({4})) == role::put);
}
TEST_CASE("roles: of an array that lies in registers elements ask for the update that meets them, if there is one at most") {
  const auto one = [](const array& x) { return x.at(jq::astype(x(0), jq::i32)).set(1.0); };
  const auto window = [](const array& x) { return jq::lax::dynamic_update_slice(x, jq::ones({1}), {jq::astype(x(0), jq::i32)}); };
  const auto several = [](const array& x) { return x.at(places).set(1.0); };
  const loop_limits few{16, 4, false, 8};
  CHECK(role_of(few, one, jq::zeros({8})) == role::spot);
  CHECK(role_of(few, window, jq::zeros({8})) == role::spot);
  CHECK(role_of(few, several, jq::zeros({8})) == role::opaque);
  CHECK(role_of(few, one, jq::zeros({9})) == role::opaque);
}
TEST_CASE("roles: equations with several results take part where they say what one element of each is") {
  const auto hashed = [](const array& x) {
    const array w = jq::astype(x, jq::u32);
    return jq::lax::threefry2x32(w, w, w, w)[1];
  };
  const auto factors = [](const array& x) { return jq::linalg::qr(x).r; };
  CHECK(role_of({}, hashed, jq::zeros({9})) == role::map);
  CHECK(role_of({}, factors, jq::zeros({3, 3})) == role::opaque);
}
TEST_CASE("roles: index maps are composed") {
  const jq::index_map at{{1, 4, -2}, {-1, 7, 0}}, from{{0, 1, 3}, {-1, 5, 0}, {1, 2, 10}};
  const jq::index_map got = jq::lowering::detail::composed(from, at);
  const jq::index_map want{{1, 13, -6}, {-1, 5, 0}, {-1, 72, 0}};
  CHECK(std::equal(got.begin(), got.end(), want.begin(), want.end()));
}
