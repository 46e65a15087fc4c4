// The donation report: its text for small programs, and that it says what a call then does to memory.
#include <jacquard/exec/donation_report.hpp>

#include <sstream>

#include "../show.hpp"

#include "../captured_output.hpp"

using jq::array;

namespace {
const auto step = [](const std::pair<array, array>& state, const array& data) {
  return std::pair{state.first * 2.f + data, jq::sum(state.second)};
};
const array x = jq::ones({4}), y = jq::ones({2, 3});
}  // namespace

TEST_CASE("donation report: who became what, who could not and why") {
  const jq::donation_table t = jq::donation_report(step, jq::donate_argnums<0>, std::pair{x, y}, x);
  CHECK(t.as_text() ==
        "argument  type      bytes  output  saved\n"
        "0[0]      f32[4]       16       0     16  in place\n"
        "0[1]      f32[2,3]     24       -      0  no output of this dtype and shape\n"
        "1         f32[4]       16       -      0  not donated\n"
        "saved: 16 bytes\n");
  CHECK(to_string(t) == t.as_text());
  std::ostringstream out;
  out << t;
  CHECK(out.str() == t.as_text());
  CHECK(t.rows.size() == 3);
  CHECK(t.rows[0].donated);
  CHECK_FALSE(t.rows[2].donated);
}
TEST_CASE("donation report: nothing is run, donated or warned of") {
  captured_output captured(2);
  const array a = jq::ones({4});
  (void)jq::donation_report([](const array& v) { return jq::sum(v); }, jq::donate_argnums<0>, a);
  CHECK_FALSE(a.is_deleted());
  CHECK(captured.text() == "");
}
TEST_CASE("donation report: of jitted functions with their own options, static arguments keep their numbers") {
  const auto f = jq::jit([](const array& a, int n, const array& b) { return (a + b) * float(n); }, jq::static_argnums<1>, jq::donate_argnums<2>);
  CHECK(jq::donation_report(f, x, 3, x).as_text() ==
        "argument  type    bytes  output  saved\n"
        "0         f32[4]     16       -      0  not donated; output 0 could take it over\n"
        "2         f32[4]     16       0     16  in place\n"
        "saved: 16 bytes\n");
  CHECK(jq::donation_report([] { return x; }).as_text() == "argument  type  bytes  output  saved\nsaved: 0 bytes\n");
}
TEST_CASE("donation report: more donated than outputs, and no equation that writes over its operand") {
  const auto f = [](const array& a, const array& b) { return a + b; };
  CHECK(jq::donation_report(f, jq::donate_argnums<0, 1>, x, x).rows[1].reason == "all outputs of this dtype and shape have earlier arguments");
  const auto turned = [](const array& m) { return lax::rev(m, {0}); };
  const jq::donation_row r = jq::donation_report(turned, jq::donate_argnums<0>, y).rows[0];
  CHECK(r.output == 0);
  CHECK(r.written_by == -1);
  CHECK(r.bytes_saved == 0);
  CHECK(r.reason == "given back when it has been read: no output is computed from it element by element");
  // The decision gives the older argument the first output; the backend writes the second one there.
  const auto crossed = [](const array& a, const array& b) { return std::pair{lax::rev(b, {0}), a * 2.f}; };
  const jq::donation_table t = jq::donation_report(crossed, jq::donate_argnums<0>, x, x);
  CHECK(t.rows[0].output == 0);
  CHECK(t.rows[0].written_by == 1);
  CHECK(t.as_text().find("in place of output 1") != std::string::npos);
}
TEST_CASE("donation report: what it says is what happens") {
  // Oracle: the addresses that a call's results have.
  const auto f = [](const array& a, const array& b, const array& c) { return std::tuple{a * 2.f, lax::rev(b, {0}), jq::exp(c) + a}; };
  const auto g = jq::jit(f, jq::donate_argnums<0, 1, 2>);
  const array a = jq::ones({5}), b = jq::ones({5}), c = jq::ones({5});
  const jq::donation_table t = jq::donation_report(g, a, b, c);
  const float* at[] = {a.data<float>().data(), b.data<float>().data(), c.data<float>().data()};
  const auto out = jq::tree::flatten(g(a, b, c));
  for (std::size_t i = 0; i < 3; ++i) {
    int written_by = -1;
    for (std::size_t o = 3; o-- > 0;)
      if (out[o].data<float>().data() == at[i]) written_by = int(o);
    CAPTURE(i);
    CHECK(t.rows[i].written_by == written_by);
  }
}
