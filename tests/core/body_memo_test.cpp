// The memory of rules: what is the same work, and for how long it is remembered.
#include "../show.hpp"

#include <jacquard/core/body_memo.hpp>

namespace {

using jq::detail::remembered;

int made = 0;

jq::jaxpr_ref body() { return jq::make_jaxpr([](const jq::array& x) { return lax::sin(x); })(jq::asarray(1.0)).program; }
template <class... Parts>
int work(std::string_view name, const Parts&... parts) {
  return remembered(name, [] { return ++made; }, parts...);
}
/// Runs f as the outermost rule does.
template <class F>
void within_a_rule(const F& f) {
  remembered("outermost", [&] { return f(), 0; });
}

constexpr int in_constant_evaluation = remembered("constant", [] { return 3; }, std::uint64_t(1));
static_assert(in_constant_evaluation == 3);

}  // namespace

TEST_CASE("body_memo: the same work on the same bodies and words is done once") {
  const jq::jaxpr_ref a = body(), b = body();
  within_a_rule([&] {
    const int first = work("jvp", a, std::vector<char>{true});
    CHECK(work("jvp", a, std::vector<char>{true}) == first);
    CHECK(work("batch", a, std::vector<char>{true}) != first);
    CHECK(work("jvp", b, std::vector<char>{true}) != first);  // equal, but not the same
    CHECK(work("jvp", a, std::vector<char>{false}) != first);
    CHECK(work("jvp", a, std::vector<char>{true, false}) != first);
    CHECK(work("jvp", jq::list<jq::jaxpr_ref>{a, b}) != work("jvp", jq::list<jq::jaxpr_ref>{b, a}));
  });
}
TEST_CASE("body_memo: axes are told apart by what they are, not by where they lie") {
  jq::axis_binding axis{"i", 3};
  const jq::axis_binding* const scope = &axis;
  within_a_rule([&] {
    const int first = work("batch", scope);
    const jq::axis_binding same{"i", 3};
    CHECK(work("batch", static_cast<const jq::axis_binding*>(&same)) == first);
    axis.size = 4;
    CHECK(work("batch", scope) != first);
    axis = {"j", 3};
    CHECK(work("batch", scope) != first);
  });
}
TEST_CASE("body_memo: what was made is forgotten when the outermost rule ends, also by an error") {
  const jq::jaxpr_ref a = body();
  const int before = work("jvp", a);
  CHECK(work("jvp", a) != before);
  CHECK_THROWS_AS(within_a_rule([] { throw jq::value_error("no"); }), jq::value_error);
  CHECK(jq::detail::current_memo == nullptr);
  within_a_rule([&] {
    std::vector<int> all;
    for (std::uint64_t i = 0; i < 100; ++i) all.push_back(work("jvp", a, i));
    for (std::uint64_t i = 0; i < 100; ++i) CHECK(work("jvp", a, i) == all[i]);
  });
}
