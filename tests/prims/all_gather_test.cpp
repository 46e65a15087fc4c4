// all_gather, psum_scatter and all_to_all inside vmap: values against loops, tiled and not, derivatives, batching over
// another axis, errors.
#include "reference.hpp"

using namespace prim_testing;

namespace {

constexpr auto over_i = jq::axis_name<"i">;

/// vmap of a collective over dimension 0, as a function of a list.
template <class F>
function mapped(F f) {
  return [f](const arrays& z) { return jq::vmap(f, over_i)(z[0]); };
}
std::size_t at(int d) { return std::size_t(d); }

/// The same checks for every collective: mapped over another dimension too, differentiated, batched over an outer axis.
void check_rules(const function& f, const array& x) {
  check_derivatives(f, {x});
  check_batching(f, {x});
}

}  // namespace

template <class P>
void check_linear_collective() {
  const jq::primitive& p = jq::table_of<P>();
  CHECK(p.effects == jq::collective_effect);
  CHECK((p.jvp && p.transpose && p.batch && !p.kernel));
}

TEST_CASE("all_gather: values") {
  const array x = sample({3, 2, 4});
  table from(x);
  for (int d = 0; d < 3; ++d) {
    const function f = mapped([d](const array& v) { return lax::all_gather(v, "i", d); });
    table want(shape(shape{2, 4}.with(d, 3).with(0, 3)));
    each(want.dims, [&](const position& p) {
      position q(p.begin() + 1, p.end());
      const std::int64_t member = q[at(d)];
      q.erase(q.begin() + d);
      want(p) = from({member, q[0], q[1]});
    });
    CHECK_CLOSE(f({x}), want.get(), 0);
    check_rules(f, x);
  }
  for (int d = 0; d < 2; ++d) {
    const function f = mapped([d](const array& v) { return lax::all_gather(v, "i", d, true); });
    shape one{2, 4};
    const std::int64_t piece = one[d];
    one[d] *= 3;
    table want(shape(one.with(0, 3)));
    each(want.dims, [&](position p) {
      const position q = p;
      p[0] = p[at(d + 1)] / piece;
      p[at(d + 1)] %= piece;
      want(q) = from(p);
    });
    CHECK_CLOSE(f({x}), want.get(), 0);
    check_rules(f, x);
  }
}
TEST_CASE("psum_scatter: values") {
  const array x = sample({3, 3, 6});
  table from(x);
  for (int d = 0; d < 2; ++d)
    for (const bool tiled : {false, true}) {
      if (!tiled && d == 1) continue;
      const function f = mapped([d, tiled](const array& v) { return lax::psum_scatter(v, "i", d, tiled); });
      shape one{3, 6};
      const std::int64_t piece = one[d] / 3;
      one = tiled ? one : shape(one.without(d));
      if (tiled) one[d] = piece;
      table want(shape(one.with(0, 3)));
      each(want.dims, [&](const position& p) {
        position q = p;
        if (tiled) q[at(d + 1)] += p[0] * piece;
        else q.insert(q.begin() + d + 1, p[0]);
        for (q[0] = 0; q[0] < 3; ++q[0]) want(p) += from(q);
      });
      CHECK_CLOSE(f({x}), want.get(), 0);
      check_rules(f, x);
    }
  const function along = [](const arrays& z) {
    return jq::vmap([](const array& v) { return lax::psum_scatter(v, "i", 1, true); }, jq::in_axes<1>,
                    over_i)(z[0]);
  };
  check_rules(along, sample({2, 3, 6}));
}
TEST_CASE("all_to_all: values") {
  const array x = sample({3, 3, 2, 3});  // three members, examples of shape (3, 2, 3)
  table from(x);
  for (const int split : {0, 2})
    for (int concat = 0; concat < 3; ++concat) {
      const function f = mapped([=](const array& v) { return lax::all_to_all(v, "i", split, concat); });
      const shape one = shape(shape{3, 2, 3}.without(split).with(concat, 3));
      table want(shape(one.with(0, 3)));
      each(want.dims, [&](const position& p) {
        position q(p.begin() + 1, p.end());
        const std::int64_t sender = q[at(concat)];
        q.erase(q.begin() + concat);
        q.insert(q.begin() + split, p[0]);
        want(p) = from({sender, q[0], q[1], q[2]});
      });
      CHECK_CLOSE(f({x}), want.get(), 0);
      check_rules(f, x);
    }
}
TEST_CASE("all_to_all: tiled") {
  const array x = sample({2, 4, 3, 2});
  table from(x);
  for (const int split : {0, 2})
    for (int concat = 0; concat < 3; ++concat) {
      const function f = mapped([=](const array& v) { return lax::all_to_all(v, "i", split, concat, true); });
      shape one{4, 3, 2}, sent{4, 3, 2};
      sent[split] /= 2;
      one = sent;
      one[concat] *= 2;
      table want(shape(one.with(0, 2)));
      each(want.dims, [&](const position& p) {
        position q(p.begin() + 1, p.end());
        const std::int64_t sender = q[at(concat)] / sent[concat];
        q[at(concat)] %= sent[concat];
        q[at(split)] += p[0] * sent[split];
        want(p) = from({sender, q[0], q[1], q[2]});
      });
      CHECK_CLOSE(f({x}), want.get(), 0);
      check_rules(f, x);
    }
}
TEST_CASE("exchanging collectives: operands that are the same everywhere") {
  const array x = make({1., 2.}), w = make({10., 20.});
  const auto with = [&](auto f) { return jq::vmap(f, jq::in_axes<0, jq::none>, over_i)(x, w); };
  CHECK_CLOSE(with([](const array& v, const array& u) {
                return lax::add(lax::reduce_sum(lax::all_gather(u, "i"), {0, 1}), v);
              }),
              make({61., 62.}), 0);
  CHECK_CLOSE(with([](const array& v, const array& u) { return lax::add(lax::psum_scatter(u, "i"), v); }),
              make({21., 42.}), 0);
  CHECK_CLOSE(with([](const array& v, const array& u) {
                return lax::add(lax::reduce_sum(lax::all_to_all(u, "i", 0, 0), {0}), v);
              }),
              make({21., 42.}), 0);
}
TEST_CASE("exchanging collectives: derivatives inside the mapped function") {
  const array x = sample({2, 2, 3});
  const auto loss = [](const array& v) {
    const array y = lax::all_to_all(lax::mul(v, v), "i", 0, 1);
    return lax::reduce_sum(lax::mul(y, y), {0, 1});
  };
  const array g = jq::vmap(jq::grad(loss), over_i)(x);
  const array cube = lax::mul(lax::mul(x, x), lax::mul(x, 4.0));
  CHECK_CLOSE(g, cube, 1e-14);
}
TEST_CASE("exchanging collectives: errors") {
  const auto fails = [](auto f, const array& x, const char* what) {
    CHECK_THROWS_WITH_AS(jq::vmap(f, over_i)(x), doctest::Contains(what), jq::shape_error);
  };
  const array x = sample({2, 3, 5});
  fails([](const array& v) { return lax::all_to_all(v, "i", 0, 1); }, x,
        "all_to_all requires the size of the mapped axis axis_name to equal x.shape[split_axis], but they "
        "are 2 and 3 respectively. The axis is i; pass tiled = true");
  fails([](const array& v) { return lax::all_to_all(v, "i", 1, 0, true); }, x,
        "The size of all_to_all split_axis (5) has to be divisible by the size of the named axis i (2)");
  fails([](const array& v) { return lax::psum_scatter(v, "i"); }, x,
        "reduce_scatter operand scatter dimension size 3 must match shard count 2");
  fails([](const array& v) { return lax::psum_scatter(v, "i", 1, true); }, x,
        "tiled reduce_scatter operand scatter dimension size 5 must be divisible by shard_count 2");
  fails([](const array& v) { return lax::all_gather(v, "i", 3); }, x, "wanted a dimension in [0, 3)");
  fails([](const array& v) { return lax::all_gather(v, "i", 2, true); }, x, "wanted a dimension in [0, 2)");
  fails([](const array& v) { return lax::all_to_all(v, "i", 2, 0); }, x, "got split_axis 2");
  CHECK_THROWS_WITH_AS(lax::all_gather(x, "i"), doctest::Contains("all_gather: unbound axis name: i"),
                       jq::value_error);
}
TEST_CASE("exchanging collectives: each is linear and has a transpose") {
  check_linear_collective<jq::all_gather_p>();
  check_linear_collective<jq::psum_scatter_p>();
  check_linear_collective<jq::all_to_all_p>();
}
