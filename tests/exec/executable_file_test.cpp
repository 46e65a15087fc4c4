// Executables as bytes and files: what is loaded computes the same bits, for the same trees, with the same donation; what is damaged,
// foreign or of another type is refused with one error.
#include <jacquard/exec/executable_file.hpp>
#include <jacquard/testing/comparison.hpp>

#include <sys/stat.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>

#include "../show.hpp"
#include "../temporary_directory.hpp"

using jq::array;
namespace fs = std::filesystem;

namespace {

const array x = jq::asarray({1.f, 2.f, 3.f});

template <class Result = array, class F, class... A>
auto again(F f, const A&... args) {
  return jq::load_executable<Result>(jq::jit(f, jq::backend("interpreter")).lower(args...).compile().serialize());
}
/// Whether a function that was kept computes the bits of the function itself.
template <class F, class... A>
void check_same(F f, const A&... args) {
  const auto loaded = again(f, args...);
  const array want = jq::jit(f, jq::backend("interpreter"))(args...), got = loaded(args...);
  CHECK(got.aval() == want.aval());
  const auto r = jq::testing::identical(got, want);
  CHECK_MESSAGE(r.ok, r.text);
}
std::vector<std::byte> sum_bytes() { return jq::jit([](const array& v) { return jq::sum(v * v); }).lower(x).compile().serialize(); }
template <class F>
std::string refusal(F f) {
  return testing::message_of<jq::error>(f);
}

using directory = testing::temporary_directory;
struct line {
  array slope, offset;
};
struct cube_p : jq::elementwise<cube_p, jq::inexact, 1> {
  static constexpr std::string_view name = "cube";
  template <class T>
  static constexpr T apply(T v) {
    return v * v * v;
  }
};

}  // namespace

TEST_CASE("executables: what is loaded computes the same bits") {
  check_same([](const array& v) { return jq::sin(v) * v + 0.5; }, x);
  check_same([](const array& v) { return jq::sum(jq::softmax(v) * v); }, x);
  check_same([](const array& v) { return jq::grad([](const array& w) { return jq::sum(jq::tanh(w) * w); })(v); }, x);
  check_same([](const array& a, const array& b) { return jq::matmul(a, b); }, jq::ones({3, 4}), jq::ones({4, 2}));
  check_same([](const array& v) { return v[jq::asarray({2, 0, -1})]; }, x);
  check_same([](const array& v) { return lax::sort(v, 0); }, x);
  check_same([](const array& v) { return (v > 1.5).astype(jq::i8); }, x);
  check_same([](const array& v) { return jq::random::normal(jq::random::key(3), {4}) + jq::sum(v); }, x);
  check_same([](const array& k) { return jq::random::uniform(k, {5}); }, jq::random::key(9));
}
TEST_CASE("executables: loops, branches and what they hold") {
  check_same([](const array& v) { return lax::fori_loop(0, 9, [](array, array w) { return jq::sin(w) * 1.25 + w; }, v); }, x);
  check_same([](const array& v) { return lax::while_loop([](array w) { return jq::sum(w) < 100; }, [](array w) { return w * 2; }, v); }, x);
  check_same([](const array& v) { return lax::cond(jq::sum(v) > 3, [](array w) { return w * 2; }, [](array w) { return w - 1; }, v); }, x);
  check_same([](const array& v) {
    return std::get<1>(lax::scan([](array c, array e) { return std::pair{c + e, jq::cos(c)}; }, jq::asarray(0.f), v));
  }, x);
  // Custom rules and policies are functions of this process, but what runs does not call them.
  const auto own = jq::custom_jvp([](const array& v) { return jq::exp(v); }, [](auto p, auto t) {
    const array y = jq::exp(std::get<0>(p));
    return std::pair{y, y * std::get<0>(t)};
  });
  check_same([own](const array& v) { return lax::fori_loop(0, 2, [own](array, array w) { return own(w) * 0.1; }, v); }, x);
  const auto halved = jq::custom_vjp([](const array& v) { return jq::exp(v); }, [](const array& v) { return std::pair{jq::exp(v), v}; },
                                     [](const array& v, const array& ct) { return std::tuple{ct * jq::exp(v) * 0.5}; });
  check_same([halved](const array& v) { return lax::fori_loop(0, 2, [halved](array, array w) { return halved(w) * 0.1 + jq::grad([&](const array& u) { return jq::sum(halved(u)); })(w); }, v); }, x);
  const auto twice = jq::custom_batching([](const array& v) { return v + v; }, [](const jq::mapped_arguments&, const array& v) { return v * 2; });
  check_same([twice](const array& v) { return lax::fori_loop(0, 2, [twice](array, array w) { return twice(w); }, v); }, x);
  check_same([](const array& v) { return jq::checkpoint([](const array& w) { return jq::sin(jq::cos(w)); })(v); }, x);
}
TEST_CASE("executables: linear systems that are solved by a method") {
  const auto matrix = [](const array& v) { return jq::outer(v, v) + 3.f * jq::eye(3); };
  check_same([&](const array& v) { return jq::linalg::solve(matrix(v), v); }, x);
  check_same([&](const array& v) { return jq::grad([&](const array& w) { return jq::sum(jq::linalg::inv(matrix(w))); })(v); }, x);
  check_same([&](const array& v) { return lax::fori_loop(0, 2, [&](array, array w) { return jq::linalg::cg(matrix(w), w); }, v); }, x);
}
TEST_CASE("executables: constants and literals keep their bits, weak types stay weak") {
  const double inf = std::numeric_limits<double>::infinity();
  const array table = jq::asarray(std::vector<double>{-0.0, 5e-324, inf, std::nan("7"), 1.0 / 3});
  check_same([table](const array& v) { return table + jq::zeros({5}, jq::f64) * jq::sum(v).astype(jq::f64); }, x);
  check_same([](const array& v) { return jq::where(v > 2, std::nextafter(0.1, 1.0), -0.0); }, x.astype(jq::f64));
  for (jq::dtype t : {jq::i8, jq::u64, jq::f16, jq::bf16, jq::c64, jq::c128}) {
    const array captured = x.astype(t);
    check_same([captured](const array& v) { return captured * v.astype(captured.dtype()); }, x);
  }
  check_same([](const array& v) { return v * 2; }, array(3));
  CHECK(again([](const array& v) { return v * 2; }, array(3))(array(3)).aval().weak);
  check_same([](const array&) { return jq::asarray(7); }, x);
  check_same([](const array& v) { return v; }, x);
  check_same([](const array& v) { return jq::zeros({0, 3}) + v; }, x);
}
TEST_CASE("executables: trees of arguments and results") {
  const line l{jq::asarray(2.f), jq::asarray(1.f)};
  const auto f = again<line>([](const line& p, const std::vector<array>& v) { return line{p.slope * v[0], p.offset + v[1]}; }, l, std::vector<array>{x, x});
  CHECK(show(f(l, std::vector<array>{x, x})) == "f32[3] 2 4 6, f32[3] 2 3 4");
  CHECK_THROWS_WITH_AS(f(l, std::vector<array>{x}), doctest::Contains("function compiled for PyTreeDef(((*, *), [*, *])), called with PyTreeDef(((*, *), [*]))"), jq::type_error);
  using tree = std::tuple<std::vector<array>, std::map<std::string, array>, std::optional<array>, std::optional<array>, std::array<line, 1>>;
  const auto g = again<tree>([](const array& v) {
    return tree{{v, v + 1}, {{"a', *'", v * 2}, {"b", v * 3}}, std::nullopt, v * 4, {line{v, v}}};
  }, jq::asarray(1.f));
  const tree t = g(jq::asarray(1.f));
  CHECK(show(t) == "f32[] 1, f32[] 2, f32[] 2, f32[] 3, f32[] 4, f32[] 1, f32[] 1");
  CHECK(std::get<1>(t).count("a', *'") == 1);
  CHECK_FALSE(std::get<2>(t).has_value());
  const auto none = again<std::vector<array>>([](const array&) { return std::vector<array>{}; }, x);
  CHECK(none(x).empty());
}
TEST_CASE("executables: wrong results and arguments are type errors") {
  const auto bytes = jq::jit([](const array& v) { return std::tuple{v, v}; }).lower(x).compile().serialize();
  CHECK_THROWS_WITH_AS(jq::load_executable(bytes), doctest::Contains("load_executable: the bytes given: the function returns PyTreeDef((*, *)), wanted PyTreeDef(*); name the "
                       "type of its result"), jq::type_error);
  CHECK_THROWS_AS(jq::load_executable<std::vector<array>>(bytes), jq::type_error);
  const auto f = jq::load_executable<std::tuple<array, array>>(bytes);
  CHECK_THROWS_WITH_AS(f(jq::asarray({1.f, 2.f})), doctest::Contains("Computation compiled for input types:\n  float32[3]\ncalled with:\n  float32[2]"), jq::type_error);
  CHECK_THROWS_AS(f(x.astype(jq::f64)), jq::type_error);
  CHECK_THROWS_AS(f(x, x), jq::type_error);
}
TEST_CASE("executables: donation stays") {
  const auto bytes = jq::jit([](const array& s, const array& v) { return s + v; }, jq::donate_argnums<0>).lower(x, x).compile().serialize();
  const auto f = jq::load_executable(bytes);
  const array state = jq::asarray({1.f, 1.f, 1.f});
  const array y = f(state, x);
  CHECK(show(y) == "f32[3] 2 3 4");
  CHECK(state.is_deleted());
  CHECK_FALSE(x.is_deleted());
  CHECK(f.memory_analysis().aliased == 12);
}
TEST_CASE("executables: files") {
  const directory here;
  const std::string path = (here.path / "f.jqx").string();
  const auto compiled = jq::jit([](const array& v) { return jq::cumsum(v); }).lower(x).compile();
  compiled.save(path);
  CHECK(show(jq::load_executable(path)(x)) == "f32[3] 1 3 6");
  compiled.save(path);
  CHECK(std::distance(fs::directory_iterator(here.path), {}) == 1);
  CHECK(jq::load_executable(path).serialize() == compiled.serialize());
  fs::create_symlink(path, here.path / "link");
  const auto other = jq::jit([](const array& v) { return v + v; }).lower(x).compile();
  other.save((here.path / "link").string());
  CHECK(fs::is_symlink(here.path / "link"));
  CHECK(show(jq::load_executable(path)(x)) == "f32[3] 2 4 6");
  const std::string pipe = (here.path / "pipe").string();
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_WITH_AS(compiled.save(pipe), doctest::Contains("Operation not supported"), jq::value_error);
  CHECK(fs::is_fifo(pipe));
  CHECK_THROWS_WITH_AS(compiled.save(here.path.string()), doctest::Contains("Is a directory"), jq::value_error);
  CHECK_THROWS_WITH_AS(compiled.save((here.path / "none" / "f").string()), doctest::Contains("No such file or directory"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::load_executable((here.path / "g").string()), doctest::Contains("g': No such file or directory; pass the path that compiled.save() was given"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::load_executable(here.path.string()), doctest::Contains("it is no regular file"), jq::value_error);
}
TEST_CASE("executables: what is damaged, cut off or foreign is refused") {
  const std::vector<std::byte> good = sum_bytes();
  CHECK(jq::load_executable(good)(x).item<float>() == 14);
  for (std::size_t n = 0; n < good.size(); ++n) {
    const std::vector<std::byte> cut(good.begin(), good.begin() + std::ptrdiff_t(n));
    CHECK_THROWS_AS(jq::load_executable(cut), jq::value_error);
  }
  for (std::size_t n = 0; n < good.size(); ++n) {
    std::vector<std::byte> bad = good;
    bad[n] ^= std::byte{4};
    CHECK_THROWS_AS(jq::load_executable(bad), jq::value_error);
  }
  std::vector<std::byte> longer = good;
  longer.push_back(std::byte{0});
  CHECK(refusal([&] { jq::load_executable(longer); }) == "load_executable: the bytes given: the bytes are damaged or cut off; make them again");
  CHECK(refusal([&] { jq::load_executable(std::vector<std::byte>{}); }) ==
        "load_executable: the bytes given: this is no executable of Jacquard; pass what compiled.serialize() or save() made");
  const std::string cut_off = "load_executable: the bytes given: the bytes are damaged or cut off; make them again";
  for (const std::ptrdiff_t n : {20, 21, 22, 40}) CHECK(refusal([&] { jq::load_executable(std::vector<std::byte>(good.begin(), good.begin() + n)); }) == cut_off);
  std::vector<std::byte> later = good;
  later[20] = std::byte{'9'};
  CHECK(refusal([&] { jq::load_executable(later); }) ==
        "load_executable: the bytes given: got version '9' of the format, wanted 1; make the file again with this version of the library");
}
TEST_CASE("executables: payloads that make no sense are refused, whatever their digest says") {
  const std::vector<std::byte> good = sum_bytes();
  const std::string payload = std::string(reinterpret_cast<const char*>(good.data()), good.size()).substr(54);
  std::size_t refused = 0;
  const auto decode = [&](const std::string& bytes) {
    try {
      (void)jq::detail::decode_executable(bytes, "test", &jq::detail::known_primitive);
    } catch (const jq::error& e) {
      CHECK(std::string_view(e.what()).starts_with("load_executable: test: "));
      ++refused;
    }
  };
  decode(payload);
  CHECK(refused == 0);
  for (std::size_t n = 0; n < payload.size(); ++n) decode(payload.substr(0, n));
  CHECK(refused == payload.size());
  for (std::size_t n = 0; n < payload.size(); ++n)
    for (int bits : {0x01, 0x7F, 0x80, 0xFF}) {
      std::string bad = payload;
      bad[n] = char(bad[n] ^ bits);
      decode(bad);
    }
}
TEST_CASE("executables: programs that call the host cannot be kept; the error names the equation and the line") {
  const auto tapped = jq::jit([](const array& v) { return jq::id_tap([](const array&) {}, v * 2); }).lower(x).compile();
  const std::string message = refusal([&] { tapped.serialize(); });
  CHECK(message.starts_with("serialize: the equation id_tap calls a function of this process, which cannot be kept in a file; "));
  CHECK(message.find("executable_file_test.cpp:") != std::string::npos);
  const auto called = jq::jit([](const array& v) {
    return lax::fori_loop(0, 3, [](array, array w) { return jq::pure_callback([](const array& u) { return u; }, w, w); }, v);
  }).lower(x).compile();
  CHECK(refusal([&] { called.serialize(); }).find("pure_callback") != std::string::npos);
}
TEST_CASE("executables: backends and devices that are not there, primitives of the user") {
  jq::set_host_device_count(2);
  const auto second = jq::jit([](const array& v) { return v + 1; }, jq::device("cpu", 1)).lower(x).compile().serialize();
  CHECK(show(jq::load_executable(second)(x)) == "f32[3] 2 3 4");
  jq::set_host_device_count(1);
  CHECK_THROWS_WITH_AS(jq::load_executable(second), doctest::Contains("cpu:1"), jq::value_error);
  const auto cubed = jq::jit([](const array& v) { return jq::bind<cube_p>({}, jq::location::current(), v); }).lower(x).compile().serialize();
  CHECK_THROWS_WITH_AS(jq::load_executable(cubed), doctest::Contains("got the primitive 'cube', which is not known here"), jq::value_error);
  jq::load_options own;
  own.primitives = [](std::string_view name) -> const jq::primitive* { return name == "cube" ? &jq::table_of<cube_p>() : nullptr; };
  CHECK(show(jq::load_executable(cubed, own)(x)) == "f32[3] 1 8 27");
}
