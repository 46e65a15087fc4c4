// Visiting parameters: names in order, reading and writing by reference, an empty pack stands for the defaults.
#include <jacquard/core/param_visitor.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

namespace {

struct settings {
  std::int64_t axis = -1;
  bool keep = true;
  jq::int_list dims{1, 2};
  std::uint8_t small = 3;
  static constexpr std::string_view fields = "axis keep_dims dims small";
};

/// Writes down names and doubles all integers.
class doubler final : public jq::param_visitor {
 public:
  std::string names;
  void field(std::string_view n, bool&) override { add(n); }
  void field(std::string_view n, std::int64_t& v) override { add(n), v *= 2; }
  void field(std::string_view n, double&) override { add(n); }
  void field(std::string_view n, jq::dtype&) override { add(n); }
  void field(std::string_view n, jq::int_list& v) override {
    add(n);
    for (std::int64_t& x : v) x *= 2;
  }
  void field(std::string_view n, std::vector<std::int64_t>&) override { add(n); }
  void field(std::string_view n, jq::name_text&) override { add(n); }
  void field(std::string_view n, jq::aval&) override { add(n); }
  void field(std::string_view n, jq::jaxpr_ref&) override { add(n); }
  void field(std::string_view n, jq::list<jq::jaxpr_ref>&) override { add(n); }
  void field(std::string_view n, jq::function_ref&) override { add(n); }

 private:
  void add(std::string_view n) { names += std::string(n) + ' '; }
};

}  // namespace

TEST_CASE("fields are visited in order, by reference") {
  jq::param_pack pack = jq::encode(settings{5, false, {7}, 100});
  doubler v;
  jq::detail::visit_params<settings>(pack, v);
  CHECK(v.names == "axis keep_dims dims small ");
  const settings s = jq::decode<settings>(pack);
  CHECK(s.axis == 10);
  CHECK_FALSE(s.keep);
  CHECK(s.dims == jq::int_list{14});
  CHECK(s.small == 200);
}

TEST_CASE("an empty pack stands for the defaults") {
  jq::param_pack pack;
  doubler v;
  jq::detail::visit_params<settings>(pack, v);
  const settings s = jq::decode<settings>(pack);
  CHECK(s.axis == -2);
  CHECK(s.keep);
  CHECK(s.dims == jq::int_list{2, 4});
}
