// What taps are told: keywords of every type, decoded transforms, options.
#include "tap_log.hpp"

#include <sstream>

using jq::array;

TEST_CASE("context: keywords keep their kind") {
  CHECK(jq::keyword(jq::kw("a", "text")).value.get<std::string>() == "text");
  CHECK(jq::keyword(jq::kw("a", std::string("text"))).value.get<std::string>() == "text");
  CHECK(jq::keyword(jq::kw("a", std::string_view("text"))).value.get<std::string>() == "text");
  CHECK(jq::keyword(jq::kw("a", 7u)).value.get<std::int64_t>() == 7);
  CHECK(jq::keyword(jq::kw("a", std::int64_t(-7))).value.get<std::int64_t>() == -7);
  CHECK(jq::keyword(jq::kw("a", 0.5f)).value.get<double>() == 0.5);
  CHECK(jq::keyword(jq::kw("a", false)).value.get<bool>() == false);
  CHECK(jq::kw("name", 1).name == "name");
}
TEST_CASE("keyword values compare with what they hold, and say what they are when asked for something else") {
  const jq::kw_value name = "loss", count = 3, rate = 0.5, last = true;
  CHECK(name == "loss");
  CHECK(name != "los");
  CHECK(count == 3);
  CHECK(count != 3.0);
  CHECK(rate == 0.5);
  CHECK(last == true);
  CHECK(last != 1);
  CHECK(count.kind() == jq::keyword_kind::integer);
  CHECK(rate.visit([](const auto& v) { return std::is_same_v<std::remove_cvref_t<decltype(v)>, double>; }));
  CHECK_THROWS_WITH_AS(name.get<double>(), doctest::Contains("got a text, wanted a real number"), jq::type_error);
  static_assert(jq::kw("a", 2).value == 2);
}
TEST_CASE("context: transform codes decode innermost first, batches with a dimension per tapped leaf") {
  using jq::tap_transform;
  const std::vector<std::int64_t> codes{std::int64_t(tap_transform::jvp),   std::int64_t(tap_transform::batch), 0, jq::not_mapped,
                                        std::int64_t(tap_transform::batch), 2, 1, std::int64_t(tap_transform::transpose)};
  const auto t = jq::detail::decode_transforms(codes, 2);
  REQUIRE(t.size() == 4);
  CHECK(t[0].name == "jvp");
  CHECK(t[1].name == "batch");
  CHECK(t[1].batch_dims == std::vector<int>{0, jq::not_mapped});
  CHECK(t[2].batch_dims == std::vector<int>{2, 1});
  CHECK(t[3].name == "transpose");
  CHECK(jq::detail::decode_transforms({}, 2).empty());
}
TEST_CASE("context: options are what they were made of") {
  CHECK(jq::threshold(7).value == 7);
  CHECK(show(jq::result(std::pair{1, 2.0}).value) == "i32[] 1, f64[] 2");
  std::ostringstream out;
  const jq::output_stream s(out);
  s.write(s.stream, "abc");
  CHECK(out.str() == "abc");
}
TEST_CASE("context: integer leaves stay in the tree that the function gets, whatever the transform") {
  testing::tap_log log;
  const auto f = [&](const array& x) {
    const auto [a, n] = jq::id_tap(log(), std::pair{x, jq::asarray(7)});
    return a * n;
  };
  jq::grad(f)(array(2.0));
  CHECK(log.take() == lines{"f64[] 2, i32[] 7", "jvp,transpose: f64[] 7, bool[] 0"});
  jq::vmap(jq::grad(f))(jq::asarray({2.0, 3.0}));
  CHECK(log.take() == lines{"batch(0,-): f64[2] 2 3, i32[] 7", "jvp,transpose: f64[] 7, bool[] 0"});  // cotangents not mapped
}
TEST_CASE("context: the same for equal taps; more than a tap keeps are right all the same") {
  jq::detail::context_cache cache;
  jq::tap_context fresh;
  const jq::list<jq::keyword> kwargs{jq::kw("what", "x")};
  const auto of = [&](int dim) -> const jq::tap_context& {
    const std::int64_t codes[] = {std::int64_t(jq::tap_transform::batch), dim};
    const jq::tap_record record{codes, {}};
    const jq::tap_context* kept = cache.find(record, 1);
    return kept ? *kept : cache.make(record, 1, kwargs, fresh);
  };
  const jq::tap_context* first = &of(0);
  for (int dim = 0; dim < 100; ++dim) {
    const jq::tap_context& c = of(dim);
    REQUIRE(c.transforms.size() == 1);
    CHECK(c.transforms[0].batch_dims == std::vector<int>{dim});
    CHECK(c.kwargs.size() == 1);
  }
  CHECK(&of(0) == first);
}
TEST_CASE("context: those with logical shapes, which differ from run to run, are not kept") {
  jq::detail::context_cache cache;
  jq::tap_context fresh;
  for (const std::int64_t n : {3, 2, 3}) {
    const std::int64_t codes[] = {std::int64_t(jq::tap_transform::mask), 3, 1, 1, n};
    const jq::tap_record record{codes, {}, nullptr, true};
    CHECK(cache.find(record, 1) == nullptr);
    const jq::tap_context& c = cache.make(record, 1, {}, fresh);
    CHECK(&c == &fresh);
    REQUIRE(c.transforms.size() == 1);
    CHECK(c.transforms[0].logical_shapes == std::vector<jq::shape>{{n}});
    CHECK(cache.find(record, 1) == nullptr);
  }
}
TEST_CASE("kw: a char is a text of one letter, other integers are numbers") {
  CHECK(jq::kw("c", 'x').value == jq::kw_value("x"));
  CHECK(jq::kw("c", 'x').value.get<std::string>() == "x");
  CHECK(jq::kw("c", std::int8_t(120)).value.get<std::int64_t>() == 120);
  static_assert(jq::kw_value('x').kind() == jq::keyword_kind::text);
  std::ostringstream out;
  jq::id_print(jq::asarray(1.0), jq::kw("c", 'x'), jq::output_stream(out));
  jq::barrier_wait();
  CHECK(out.str().starts_with("c: x\n"));
}
