// Parameters: every field type encoded and decoded, views, names, defaults, visiting by name.
#include <jacquard/core/params.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

namespace {

enum class mode : std::uint8_t { first, second };

struct everything {
  bool flag = false;
  std::int64_t count = 4;
  double factor = 0.5;
  jq::dtype type = jq::f32;
  jq::shape dims;
  std::vector<std::int64_t> numbers;
  std::vector<jq::int_list> lists;
  jq::name_text name;
  jq::aval result;
  jq::jaxpr_ref body;
  std::vector<jq::jaxpr_ref> branches;
  jq::function_ref callback;
  mode how = mode::first;
  int small = 0;
  static constexpr std::string_view fields =
      "flag count factor type dims numbers lists name result body branches callback how small";
  constexpr bool operator==(const everything&) const = default;
};
void callback() {}

constexpr everything sample() {
  everything e;
  e.flag = true;
  e.count = -7;
  e.factor = -0.0;
  e.type = jq::bf16;
  e.dims = {2, 3};
  e.numbers = {1, -1};
  e.lists = {{1, 2}, {}, {3}};
  e.name = "axis with spaces";
  e.result = jq::aval(jq::c64, {5}, true);
  e.callback = jq::function_ref(&callback);
  e.how = mode::second;
  e.small = -3;
  return e;
}
static_assert(jq::decode<everything>(jq::encode(sample())) == sample());

}  // namespace

TEST_CASE("sub-jaxprs are stored beside the words") {
  everything e = sample();
  e.body = jq::jaxpr_ref(jq::jaxpr{});
  e.branches = {e.body, jq::jaxpr_ref(jq::jaxpr{})};
  const jq::param_pack p = jq::encode(e);
  CHECK(p.subs.size() == 3);
  CHECK(p.functions.size() == 1);
  CHECK(jq::decode<everything>(p) == e);
  CHECK(jq::decode<everything>(jq::param_view(p).pack()) == e);
  everything other = e;
  other.branches[1] = e.body;
  CHECK(jq::param_view(p) == jq::param_view(jq::encode(e)));
  CHECK_FALSE(jq::param_view(p) == jq::param_view(jq::encode(other)));
}

TEST_CASE("names longer than 31 characters are cut, but stay apart") {
  const jq::name_text long_name(std::string(40, 'x'));
  CHECK(long_name.view().size() == 31);
  CHECK(long_name.view().substr(0, 23) == std::string(22, 'x') + "~");
  CHECK(long_name == jq::name_text(std::string(40, 'x')));
  CHECK_FALSE(long_name == jq::name_text(std::string(40, 'x') + "x"));
  CHECK_FALSE(long_name == jq::name_text(std::string(39, 'x') + "y"));
  CHECK(jq::name_text(std::string(31, 'x')).view() == std::string(31, 'x'));
  static_assert(!(jq::name_text("batch_of_independent_experiments_inner") == jq::name_text("batch_of_independent_experiments_outer")));
  CHECK(jq::name_text("").view().empty());
  CHECK(jq::name_text("i") == jq::name_text(std::string_view("ij").substr(0, 1)));
}

TEST_CASE("no parameters") {
  CHECK(jq::encode(jq::no_params{}).words.empty());
  CHECK(jq::decode<jq::no_params>({}) == jq::no_params{});
}

TEST_CASE("a list of too many entries stays marked through encoding, so that shape checks see it") {
  const jacquard::shape nine{1, 1, 1, 1, 1, 1, 1, 1, 1};
  const auto p = jacquard::decode<jacquard::reshape_p::params>(jacquard::encode(jacquard::reshape_p::params{nine}));
  CHECK(p.dims.overflowed());
  CHECK(p.dims.rank() == 8);
  CHECK_THROWS_AS(jacquard::reshape(jacquard::asarray(1.0f), nine), jacquard::shape_error);
  CHECK_THROWS_AS(jacquard::broadcast_to(jacquard::asarray(1.0f), nine), jacquard::shape_error);
}
