// Events: observers see what they asked for, from its beginning to its end; where nobody observes, nothing is made.
#include <jacquard/core/events.hpp>

#include "../show.hpp"

namespace {

std::string seen;
std::int64_t ticks = 100;
std::int64_t tick() { return ++ticks; }
void note(const jq::event& e, bool ends) {
  seen += std::string(ends ? "-" : "+") + std::string(e.name) + "@" + std::to_string(e.begin) + (e.bytes < 0 ? "" : " " + std::to_string(e.bytes)) + "\n";
}
constexpr std::uint32_t bit(jq::event_kind k) { return 1u << unsigned(k); }

}  // namespace

TEST_CASE("events: of the kinds an observer wants") {
  using jq::detail::event_scope;
  seen.clear();
  const jq::detail::event_observer before = jq::detail::profile_observer, own{&tick, &note};
  jq::detail::profile_observer = own;
  { CHECK(event_scope(jq::event_kind::tap, "unseen").seen() == nullptr); }
  jq::detail::observe(1, bit(jq::event_kind::tap) | bit(jq::event_kind::transfer));
  CHECK(jq::detail::is_observed(jq::event_kind::tap));
  CHECK_FALSE(jq::detail::is_observed(jq::event_kind::kernel));
  {
    event_scope outer(jq::event_kind::tap, "outer");
    outer.begin();
    event_scope inner(jq::event_kind::transfer, "inner");
    inner.seen()->bytes = 7;
    const event_scope other(jq::event_kind::kernel, "other");
  }
  CHECK(seen == "+outer@101\n-inner@102 7\n-outer@101\n");
  {
    event_scope begun(jq::event_kind::tap, "begun");
    jq::detail::observe(1, 0);  // who stops observing does not see the end
  }
  CHECK(seen == "+outer@101\n-inner@102 7\n-outer@101\n");
  CHECK(jq::detail::unusual_now() == 0);
  jq::detail::profile_observer = before;  // another test of this process may set it
}
TEST_CASE("events: scopes of debugging switches show in the same word") {
  {
    const jq::debug_nans a;
    const jq::disable_jit b;
    CHECK(jq::detail::unusual_now() == 2 * jq::detail::one_scope);
    CHECK_FALSE(jq::detail::is_observed(jq::event_kind::dispatch));
  }
  CHECK(jq::detail::unusual_now() == 0);
}
