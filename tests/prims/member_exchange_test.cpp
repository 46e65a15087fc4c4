// What members of an axis do with each other's operands: pieces and places of arrays, sums of many, turns of functions of the host.
#include <jacquard/prims/member_exchange.hpp>

#include "reference.hpp"

#include <memory>

using namespace prim_testing;
using jq::detail::exchange;

namespace {

/// What so many members bring, operand m being x[m], and get: arrays of one type. Member `number` is the one that works.
struct meeting {
  arrays operands;
  std::vector<jq::aval> types;
  std::vector<exchange> brought;
  std::vector<const exchange*> all;

  meeting(const arrays& x, const jq::aval& result) : operands(x), types(x.size()), brought(x.size()) {
    for (std::size_t m = 0; m < x.size(); ++m) {
      types[m] = x[m].aval();
      brought[m].operation = "test";
      brought[m].member = std::int64_t(m);
      brought[m].x = {x[m].as_buffer()->data, &types[m]};
      brought[m].type = result;
      brought[m].y = array(jq::make_buffer(result));
      std::memset(brought[m].y.as_buffer()->data, 0, std::size_t(result.bytes()));
      all.push_back(&brought[m]);
    }
    for (exchange& e : brought) e.all = all;
  }
  meeting(const meeting&) = delete;
  exchange& operator()(std::size_t m) { return brought[m]; }
};
/// Operands of three members that differ.
arrays three(const shape& dims, jq::dtype t = jq::f64) {
  arrays r;
  for (int m = 0; m < 3; ++m) r.push_back(jq::copy(lax::add(sample(dims), double(1000 * m)))), r.back() = jq::copy(cast(r.back(), t));
  return r;
}
/// A member that only counts.
struct counting_member final : jq::detail::axis_member {
  int begun = 0, ended = 0;
  explicit counting_member(const jq::axis_binding& over) : axis_member(over, 2) {}
  void meet(exchange&, const jq::detail::collective_steps&) override {}
  void begin_host_call() override { ++begun; }
  void end_host_call() override { ++ended; }
};

}  // namespace

TEST_CASE("copy_piece: a piece along any dimension, one row after the other") {
  const arrays x = three({6, 3, 9});
  for (int d = 0; d < 3; ++d)
    for (std::int64_t number = 0; number < 3; ++number) {
      shape piece{6, 3, 9};
      piece[d] /= 3;
      meeting all(x, jq::aval(jq::f64, piece));
      jq::detail::copy_piece(all(0).result(), all(0), 2, d, number, 3);
      table from(x[2]), want(piece);
      each(piece, [&](const position& p) {
        position q = p;
        q[std::size_t(d)] += number * piece[d];
        want(p) = from(q);
      });
      CHECK_CLOSE(all(0).y, want.get(), 0);
    }
  meeting none(three({3, 0}), jq::aval(jq::f64, {1, 0}));
  jq::detail::copy_piece(none(1).result(), none(1), 0, 0, 1, 3);  // copies nothing from no memory
}
TEST_CASE("place_between: among the members' arrays, along a new dimension or one after the other") {
  const arrays x = three({2, 4}, jq::f32);
  for (const bool is_new : {true, false})
    for (int d = 0; d < (is_new ? 3 : 2); ++d) {
      shape dims{2, 4};
      if (is_new) dims = shape(dims.with(d, 3));
      else dims[d] *= 3;
      meeting all(x, jq::aval(jq::f32, dims));
      for (std::int64_t m = 0; m < 3; ++m) jq::detail::place_between(all(1), all(1).operand(m), {2, 4}, d, m);
      arrays parts;
      for (const array& v : x) {
        if (is_new) parts.push_back(lax::reshape(v, shape(shape{2, 4}.with(d, 1))));
        else parts.push_back(v);
      }
      CHECK_CLOSE(all(1).y, lax::concatenate(parts, d), 0);
    }
}
TEST_CASE("fold_members: in order of members, whatever the number of elements") {
  for (const std::int64_t count : {0, 1, 100, 4096, 4097, 12345})
    for (const jq::dtype t : {jq::i32, jq::f32, jq::c128}) {
      const arrays x = three({count}, t);
      meeting all(x, x[0].aval());
      std::vector<const std::byte*> from;
      for (std::int64_t m = 0; m < 3; ++m) from.push_back(all(0).operand(m));
      jq::detail::fold_members(jq::table_of<jq::add_p>(), t, all(0).result(), from, count);
      CHECK_CLOSE(all(0).y, lax::add(lax::add(x[0], x[1]), x[2]), 0);
      jq::detail::fold_members(jq::table_of<jq::sub_p>(), t, all(1).result(), from, count);
      CHECK_CLOSE(all(1).y, lax::sub(lax::sub(x[0], x[1]), x[2]), 0);
    }
}
TEST_CASE("fold_pieces: each member gets its own piece of the sum") {
  for (int d = 0; d < 3; ++d) {
    const arrays x = three({3, 6, 3}, jq::i64);
    shape piece{3, 6, 3};
    piece[d] /= 3;
    meeting all(x, jq::aval(jq::i64, piece));
    const array sum = lax::add(lax::add(x[0], x[1]), x[2]);
    for (std::size_t m = 0; m < 3; ++m) {
      jq::detail::fold_pieces(jq::table_of<jq::add_p>(), all(m), d);
      jq::int_list low{0, 0, 0}, high{3, 6, 3};
      low[d] = std::int64_t(m) * piece[d];
      high[d] = low[d] + piece[d];
      CHECK_CLOSE(all(m).y, lax::slice(sum, low, high), 0);
    }
  }
}
TEST_CASE("host_turn: a function of the host is called in turn, and belongs to no member and no axis") {
  { const jq::detail::host_turn nobody; }  // without a member there is nothing to wait for
  const jq::axis_binding axis{"i", 3, nullptr};
  counting_member self(axis);
  const jq::detail::member_scope scope(&self);
  CHECK(jq::detail::this_member == &self);
  CHECK(jq::detail::outermost_axes()->name == jq::name_text("i"));
  {
    const jq::detail::host_turn turn;
    CHECK(self.begun == 1);
    CHECK(self.ended == 0);
    CHECK(jq::detail::this_member == nullptr);
    CHECK(jq::detail::outermost_axes() == nullptr);
    const jq::detail::host_turn inner;  // of a function that another one calls
    CHECK(self.begun == 1);
  }
  CHECK(self.begun == 1);
  CHECK(self.ended == 1);
  CHECK(jq::detail::this_member == &self);
  CHECK(jq::detail::outermost_axes()->size == 3);
}
TEST_CASE("member_of: the running member of that axis, or an error that says what to do") {
  CHECK_THROWS_WITH_AS(jq::detail::member_of("i", "psum"), doctest::Contains("Evaluation rule for 'psum' not implemented"), jq::not_implemented);
  const jq::axis_binding axis{"i", 3, nullptr};
  counting_member self(axis);
  {
    const jq::detail::member_scope scope(&self);
    CHECK(jq::detail::member_of("i", "psum").index == 2);
    CHECK_THROWS_AS(jq::detail::member_of("j", "psum"), jq::not_implemented);
    const jq::detail::member_scope none(nullptr);
    CHECK_THROWS_AS(jq::detail::member_of("i", "psum"), jq::not_implemented);
  }
  CHECK(jq::detail::this_member == nullptr);
  CHECK(jq::detail::outermost_axes() == nullptr);
}

TEST_CASE("what a member reads of operands, and writes of a result in common, is told in bytes") {
  const arrays x = three({6, 100});
  meeting all(x, jq::aval(jq::f64, {2, 100}));
  const jq::detail::byte_range rows = jq::detail::own_piece(all(1), 0), columns = jq::detail::own_piece(all(1), 1), share = jq::detail::own_share(all(1));
  CHECK(rows.first == 2 * 100 * 8);
  CHECK(rows.last == 4 * 100 * 8);
  CHECK(columns.first == 0);  // in several pieces
  CHECK(columns.last == 6 * 100 * 8);
  CHECK(share.first == 128 * 8);  // of 200 elements in whole blocks of 64
  CHECK(share.last == 200 * 8);
}
