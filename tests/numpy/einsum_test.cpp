// einsum against the functions it generalises and numpy's results; texts that do not fit.
#include "numpy_testing.hpp"

static_assert(traced([](array x) { return jq::einsum("ij,jk,kl->il", x, x, x) + jq::einsum("ii", x); }, {3, 3}) > 0);
static_assert(traced([](array x) { return jq::einsum("ij,kj->", x, jq::zeros({3, 2})); }, {3, 3}) == -1);

namespace {
array counted(const jq::shape& dims) { return jq::reshape(jq::arange(dims.elements()), dims); }
const array a = counted({2, 3}), b = counted({3, 4}), c = counted({2, 3, 4}), q = counted({3, 3});
const array v = asarray({1.0, 2.0, 3.0});
}  // namespace

TEST_CASE("einsum: one operand") {
  CHECK(show(jq::einsum("ij->ji", a)) == show(jq::transpose(a)));
  CHECK(show(jq::einsum("ji", a)) == show(jq::transpose(a)));
  CHECK(show(jq::einsum("ij->", a)) == "i64[] 15");
  CHECK(show(jq::einsum("ij->j", a)) == "i64[3] 3 5 7");
  CHECK(show(jq::einsum("ii", q)) == "i64[] 12");
  CHECK(show(jq::einsum("ii->i", q)) == "i64[3] 0 4 8");
  CHECK(show(jq::einsum("iii->i", counted({2, 2, 2}))) == "i64[2] 0 7");
  CHECK(show(jq::einsum("iji->j", counted({2, 3, 2}))) == "i64[3] 7 11 15");
  CHECK(show(jq::einsum("->", 2.5)) == "f64[] 2.5");
  CHECK(show(jq::einsum(" i j -> j i ", a)) == show(jq::transpose(a)));
}
TEST_CASE("einsum: two operands") {
  CHECK(show(jq::einsum("ij,jk->ik", a, b)) == show(jq::matmul(a, b)));
  CHECK(show(jq::einsum("ij,jk", a, b)) == show(jq::matmul(a, b)));
  CHECK(show(jq::einsum("ij,jk->ki", a, b)) == show(jq::transpose(jq::matmul(a, b))));
  CHECK(show(jq::einsum("i,i", v, v)) == "f64[] 14");
  CHECK(show(jq::einsum("i,j->ij", v, v)) == show(jq::outer(v, v)));
  CHECK(show(jq::einsum("i,i->i", v, v)) == "f64[3] 1 4 9");
  CHECK(show(jq::einsum("ij,ij->i", a, a)) == "i64[2] 5 50");
  CHECK(show(jq::einsum("ij,k->", a, v)) == "f64[] 90");
  CHECK(show(jq::einsum("bij,bj->bi", c, counted({2, 4}))) == "i64[2,3] 14 38 62 302 390 478");
  CHECK(show(jq::einsum("ii,ij->j", q, q)) == "i64[3] 60 72 84");
  CHECK(show(jq::einsum("i,i->i", std::vector<float>{1, 2}, asarray({3, 4}))) == "f32[2] 3 8");
}
TEST_CASE("einsum: many operands, from left to right") {
  CHECK(show(jq::einsum("ij,jk,kl->il", a, b, jq::ones({4, 2}, jq::i64))) == "i64[2,2] 98 98 296 296");
  CHECK(show(jq::einsum("i,i,i->i", v, v, v)) == "f64[3] 1 8 27");
  CHECK(show(jq::einsum("i,j,k->", v, v, v)) == "f64[] 216");
  CHECK(show(jq::einsum("a,ab,b,bc,c->", v, q, v, q, v)) == show(jq::sum(v * jq::sum(q * v * jq::matmul(q, v), 1))));
  const std::vector<array> list{a, b};
  CHECK(show(jq::einsum("ij,jk->ik", list)) == show(jq::matmul(a, b)));
}
TEST_CASE("einsum: leading dimensions and broadcasting") {
  CHECK(show(jq::einsum("...i->...", c)) == "i64[2,3] 6 22 38 54 70 86");
  CHECK(show(jq::einsum("i...->...", a)) == "i64[3] 3 5 7");
  CHECK(jq::einsum("...ij,...jk->...ik", jq::ones({2, 1, 2, 3}), jq::ones({5, 3, 1})).shape() == jq::shape{2, 5, 2, 1});
  CHECK(jq::einsum("...ij,...jk", jq::ones({2, 2, 3}), jq::ones({3, 1})).shape() == jq::shape{2, 2, 1});
  CHECK(show(jq::einsum("...,...", v, 2)) == "f64[3] 2 4 6");
  CHECK(show(jq::einsum("ij,jk->ik", jq::ones({2, 1}), jq::ones({3, 1}))) == "f32[2,1] 3 3");
}
TEST_CASE("einsum: errors") {
  CHECK_ERROR(jq::value_error, jq::einsum("ij,jk", a), "einsum", "1 operands for 2 terms", "\"ij,jk\"", "wanted");
  CHECK_ERROR(jq::value_error, jq::einsum("ijk", a), "operand 0 has 2 dimensions", "the 3 of its term");
  CHECK_ERROR(jq::value_error, jq::einsum("i", a), "operand 0 has 2 dimensions");
  CHECK_ERROR(jq::value_error, jq::einsum("ij->ik", a), "'k', which no operand has");
  CHECK_ERROR(jq::value_error, jq::einsum("ij->ii", a), "twice");
  CHECK_ERROR(jq::value_error, jq::einsum("i1", a), "'1' at position 1", "wanted letters");
  CHECK_ERROR(jq::value_error, jq::einsum("ij->j->i", a), "'-' at position 5");
  CHECK_ERROR(jq::shape_error, jq::einsum("ij,kj", a, b), "sizes 3 and 4", "(2, 3) and (3, 4)", "equal sizes");
  CHECK_ERROR(jq::shape_error, jq::einsum("ii", a), "sizes 3 and 2");
  CHECK_ERROR(jq::value_error, jq::einsum("...i,...i", 2.0, v), "operand 0 has 0 dimensions");
}
TEST_CASE("einsum: derivatives") {
  const array p = q.astype(jq::f64);
  CHECK(show(jq::grad([](const array& x) { return jq::einsum("ii", x); })(p)) == "f64[3,3] 1 0 0 0 1 0 0 0 1");
  CHECK(distance(jq::grad([](const array& x) { return jq::einsum("i,ij,j", v, x, v); })(p), jq::outer(v, v)) == 0);
}
