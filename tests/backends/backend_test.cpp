// The contract of backends: one is plugged in from outside the library, compiles, runs and is told about donation and devices.
#include "../show.hpp"

#include <map>

using jq::array;

namespace {

/// What the plugged-in backend was asked to do.
struct journal {
  std::vector<std::string> programs;
  std::vector<std::vector<char>> donated;
  std::vector<int> ordinals;
  int runs = 0;
};
journal& seen() {
  static journal j;
  return j;
}

/// Runs programs equation by equation with the library's own evaluator.
class recorded_program : public jq::executable {
 public:
  explicit recorded_program(jq::closed_jaxpr p) : program_(std::move(p)) {}
  std::vector<array> run(std::span<const array> arguments, const jq::location&) override {
    ++seen().runs;
    return jq::eval_jaxpr(program_, arguments);
  }
  jq::text as_text() const override { return jq::cat("recorded ", jq::to_text(program_)); }

 private:
  jq::closed_jaxpr program_;
};
class recorder : public jq::backend_interface {
 public:
  std::string_view name() const override { return "recorder"; }
  int device_count() const override { return 2; }
  jq::ref<jq::executable> compile(const jq::closed_jaxpr& p, const jq::compile_options& o) override {
    seen().programs.push_back(jq::to_string(p));
    seen().donated.push_back(o.donated);
    seen().ordinals.push_back(o.device.ordinal);
    return jq::make_ref<recorded_program>(p);
  }
};
jq::ref<jq::backend_interface> make_recorder() { return jq::make_ref<recorder>(); }

/// Refuses every program that contains a sine.
class no_sine : public jq::backend_interface {
 public:
  std::string_view name() const override { return "no_sine"; }
  int device_count() const override { return 1; }
  jq::ref<jq::executable> compile(const jq::closed_jaxpr& p, const jq::compile_options& o) override {
    for (const jq::equation& e : p->equations)
      if (e.op->name == "sin") throw jq::not_implemented("no_sine cannot run sin; use another backend");
    return inner_->compile(p, o);
  }

 private:
  jq::backend_interface* inner_ = jq::find_backend("interpreter").first;  // a factory may build upon another backend
};
jq::ref<jq::backend_interface> make_no_sine() { return jq::make_ref<no_sine>(); }
jq::ref<jq::backend_interface> make_nothing() { return nullptr; }

}  // namespace

TEST_CASE("backends: one registered by the program is used by its name") {
  jq::register_backend("recorder", &make_recorder);
  seen() = {};
  const auto f = jq::jit([](const array& x) { return lax::add(lax::mul(x, x), 0.f); }, jq::backend("recorder"));
  CHECK(show(f(jq::asarray({1.f, 2.f}))) == "f32[2] 1 4");
  CHECK(show(f(jq::asarray({3.f, 2.f}))) == "f32[2] 9 4");
  REQUIRE(seen().programs.size() == 1);
  CHECK(seen().programs[0] == "{ lambda ; a:f32[2]. let b:f32[2] = mul a a in (b,) }");  // simplified already
  CHECK(seen().runs == 2);
  CHECK(f.lower(jq::asarray({1.f})).compile().as_text() == "recorded { lambda ; a:f32[1]. let b:f32[1] = mul a a in (b,) }");
}
TEST_CASE("backends: get flat programs: calls are inlined, trees are leaves") {
  jq::register_backend("recorder flat", &make_recorder);
  seen() = {};
  const auto inner = jq::jit([](const std::pair<array, array>& p) { return std::pair{p.second, p.first}; });
  const auto f = jq::jit([&](const std::map<std::string, array>& m) { return inner(std::pair{m.at("a"), m.at("b")}); },
                         jq::backend("recorder flat"));
  CHECK(show(f(std::map<std::string, array>{{"b", jq::asarray(1)}, {"a", jq::asarray(2)}})) == "i32[] 1, i32[] 2");
  CHECK(seen().programs.back() == "{ lambda ; a:i32[] b:i32[]. let  in (b, a) }");
}
TEST_CASE("backends: are told which arguments they may take, and the device") {
  jq::register_backend("recorder of options", &make_recorder);
  seen() = {};
  const auto f = jq::jit([](const array& x, const array& y) { return x + y; }, jq::donate_argnums<1>, jq::device("recorder of options", 1));
  f(jq::asarray({1.f}), jq::asarray({1.f}));
  CHECK(seen().donated.back() == std::vector<char>{0, 1});
  CHECK(seen().ordinals.back() == 1);
  CHECK(jq::devices("recorder of options").size() == 2);
}
TEST_CASE("backends: taps of a plugged-in backend are delivered") {
  jq::register_backend("recorder of taps", &make_recorder);
  double value = 0;
  const auto f = jq::jit([&](const array& x) { return jq::id_tap([&](const array& v) { value = v.item<double>(); }, x) * 2.0; },
                         jq::backend("recorder of taps"));
  CHECK(show(f(jq::asarray(21.0))) == "f64[] 42");
  CHECK(value == 21);
}
TEST_CASE("backends: may build upon others, and refuse programs") {
  jq::register_backend("no_sine", &make_no_sine);
  CHECK(show(jq::jit([](const array& x) { return lax::cos(x); }, jq::backend("no_sine"))(jq::asarray(0.0))) == "f64[] 1");
  const auto f = jq::jit([](const array& x) { return lax::sin(x); }, jq::backend("no_sine"));
  CHECK_THROWS_WITH_AS(f(jq::asarray(0.0)), doctest::Contains("no_sine cannot run sin"), jq::not_implemented);
  CHECK(f.cache_size() == 0);
}
TEST_CASE("backends: registration") {
  jq::register_backend("replaced", &make_nothing);
  jq::register_backend("replaced", &make_recorder);  // was not used yet
  CHECK(jq::find_backend("replaced").first->name() == "recorder");
  CHECK_THROWS_WITH_AS(jq::register_backend("replaced", &make_recorder), doctest::Contains("'replaced' is in use already"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::register_backend("none", nullptr), doctest::Contains("got no factory for 'none'"), jq::value_error);
  jq::register_backend("null", &make_nothing);
  CHECK_THROWS_WITH_AS(jq::find_backend("null"), doctest::Contains("returned null"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::find_backend("unheard of"), doctest::Contains("unknown name 'unheard of', known are: cpu, interpreter"),
                       jq::value_error);
  CHECK(jq::find_backend("interpreter").first->delivery() == jq::tap_delivery::direct);
}
