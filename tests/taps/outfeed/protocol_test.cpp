// Headers of the wire format: the published words, limits, version 2, and what is refused.
#include <doctest/doctest.h>
#include <jacquard/taps/outfeed/protocol.hpp>

namespace jq = jacquard;
namespace wire = jacquard::wire;
using jq::aval;
using jq::shape;
using words = std::vector<std::uint32_t>;

namespace {

words head(std::uint64_t id, std::vector<aval> arrays) {
  wire::description d;
  d.consumer = id;
  d.arrays = std::move(arrays);
  return wire::encode_header(d);
}
/// The words up to the last one that is not zero.
words trimmed(words w) {
  CHECK(w.size() == 32);
  while (!w.empty() && w.back() == 0) w.pop_back();
  return w;
}
std::string problem_of(const words& w, const wire::limits& bounds = {}) {
  std::string problem;
  CHECK(!wire::decode_header(w.data(), bounds, problem));
  return problem;
}
wire::description decoded(const words& w) {
  std::string problem;
  const auto d = wire::decode_header(w.data(), {}, problem);
  INFO(problem);
  REQUIRE(d);
  return *d;
}

}  // namespace

TEST_CASE("protocol: the worked example of version 1") {
  words want{2178, 287454020, 1432778632, 9, 2459044242, 33788418, 2418024480};
  want.resize(32, 0);
  CHECK(head(0x1122334455667788, {{jq::f32, {2, 3}}, {jq::i32, {}}}) == want);
}
TEST_CASE("protocol: published vectors of version 1") {
  CHECK(trimmed(head(0, {})) == words{0x882, 0, 0, 1, 0x90202020});
  CHECK(trimmed(head(1, {{jq::i32, {}}})) == words{0x882, 0, 1, 4, 0x91920290});
  CHECK(trimmed(head(7, {{jq::f32, {10, 10, 5, 20}}})) == words{0x882, 0, 7, 8, 0x91920994, 0x0a0a0514});
  CHECK(trimmed(head(7, {{jq::i32, {10, 5}}, {jq::i32, {100}}, {jq::f32, {10, 5}}})) ==
        words{0x882, 0, 7, 15, 0x93920292, 0x0a059202, 0x91649209, 0x920a0520});
  CHECK(trimmed(head(7, {{jq::f32, {200}}, {jq::f64, {300, 70000}}, {jq::u8, {std::int64_t(1) << 32}}})) ==
        words{0x882, 0, 7, 29, 0x93920991, 0xccc8920a, 0x92cd012c, 0xce000111, 0x70920491, 0xcf000000, 0x01000000, 0x00202020});
  CHECK(trimmed(head(7, {{jq::bf16, {0, 4}}})) == words{0x882, 0, 7, 6, 0x91920b92, 0x00042020});
}
TEST_CASE("protocol: the codes of version 1 are those of 2020") {
  const std::pair<jq::dtype, unsigned> codes[] = {{jq::i8, 0}, {jq::i16, 1}, {jq::i32, 2}, {jq::i64, 3}, {jq::u8, 4}, {jq::u16, 5},
                                                  {jq::u32, 6}, {jq::u64, 7}, {jq::f16, 8}, {jq::f32, 9}, {jq::f64, 10}, {jq::bf16, 11}};
  for (const auto& [t, code] : codes) CHECK(head(1, {{t, {}}})[4] == (0x91920090u | code << 8));
}
TEST_CASE("protocol: 36 scalars fit into version 1, 37 do not; 27 vectors do, 28 do not") {
  const auto many = [](std::size_t n, const aval& t) { return head(1, std::vector<aval>(n, t)); };
  CHECK(many(36, {jq::i32, {}})[3] == 111);
  CHECK_THROWS_WITH_AS(many(37, {jq::i32, {}}), doctest::Contains("Outfeed metadata too long: got 114 bytes, wanted at most 112"), jq::value_error);
  CHECK(many(27, {jq::f32, {2}})[3] == 111);
  CHECK_THROWS_WITH_AS(many(28, {jq::f32, {2}}), doctest::Contains("got 115 bytes"), jq::value_error);
  CHECK_THROWS_AS(head(1, {{jq::bool_, {}}}), jq::type_error);
  CHECK_THROWS_AS(head(1, {{jq::c64, {}}}), jq::type_error);
  CHECK_THROWS_WITH_AS(head(1, {{jq::i32, {1, 1, 1, 1, 1, 1, 1, 1, 1}}}), doctest::Contains("a shape of more than 8 dimensions"), jq::value_error);
}
TEST_CASE("protocol: headers come back as they were, in both versions") {
  for (const std::uint32_t version : {wire::version_1, wire::version_2}) {
    wire::description d;
    d.version = version;
    d.consumer = 0xFEDCBA9876543210;
    for (int t = 0; t < jq::dtype_count; ++t)
      if (version == wire::version_2 || (jq::dtype(t) != jq::bool_ && !jq::is_complex(jq::dtype(t)))) d.arrays.emplace_back(jq::dtype(t), shape{t});
    if (version == wire::version_2) {
      d.arrays.insert(d.arrays.end(), 200, aval(jq::f32, {100000, 3}));
      d.kwargs = {jq::kw("what", "loss"), jq::kw("step", -3), jq::kw("rate", 0.5), jq::kw("last", true)};
      d.transforms = {{"jvp", {}, {}}, {"batch", {0, jq::not_mapped}, {}}, {"mask", {}, {{3}, {}, {2, 0, 100000}}}, {"mask", {}, {{}}}};
      d.device = "cpu:3";
      d.time = 1.5e9;
    }
    const wire::description r = decoded(wire::encode_header(d));
    CHECK(r.version == version);
    CHECK(r.consumer == d.consumer);
    CHECK(r.arrays == d.arrays);
    CHECK(r.device == d.device);
    CHECK(r.time == d.time);
    REQUIRE(r.kwargs.size() == d.kwargs.size());
    for (std::size_t i = 0; i < d.kwargs.size(); ++i) CHECK((r.kwargs[i].name == d.kwargs[i].name && r.kwargs[i].value == d.kwargs[i].value));
    REQUIRE(r.transforms.size() == d.transforms.size());
    for (std::size_t i = 0; i < d.transforms.size(); ++i) {
      CHECK(r.transforms[i].name == d.transforms[i].name);
      CHECK(r.transforms[i].batch_dims == d.transforms[i].batch_dims);
      CHECK(r.transforms[i].logical_shapes == d.transforms[i].logical_shapes);
    }
  }
}
TEST_CASE("protocol: what is refused, and why") {
  const words good = head(7, {{jq::f32, {2, 3}}});
  const auto changed = [&](std::size_t i, std::uint32_t v) {
    words w = good;
    w[i] = v;
    return w;
  };
  CHECK(problem_of(changed(0, 2177)) == "Read unexpected outfeed header 2177");
  CHECK(problem_of(changed(3, 113)) == "Outfeed metadata too long: 113 bytes in version 1");
  CHECK(problem_of(changed(3, 7)).find("it is not filled up with spaces") == std::string::npos);
  CHECK(problem_of(changed(3, 5)).find("Read corrupt outfeed metadata") == 0);
  CHECK(problem_of(changed(20, 1)).find("words after it that are not zero") != std::string::npos);
  CHECK(problem_of(changed(4, 0x91920c92)).find("an unknown dtype code") != std::string::npos);
  CHECK(problem_of(changed(4, 0xffffffff)).find("Read corrupt outfeed metadata") == 0);
  CHECK(problem_of(head(1, {{jq::u8, {std::int64_t(1) << 31}}})).find("Read an oversized outfeed message") == 0);
  CHECK(problem_of(head(1, {{jq::f64, {std::int64_t(1) << 62, 8}}})).find("Read an oversized outfeed message") == 0);
  wire::limits small;
  small.metadata = 8;
  wire::description d;
  d.version = wire::version_2;
  CHECK_THROWS_AS(wire::encode_header(d, small), jq::value_error);
  CHECK(problem_of(wire::encode_header(d), small).find("Outfeed metadata too long") == 0);
}
namespace {
/// A header of version 2 with this metadata.
words with_metadata(const msgpack::sbuffer& b) {
  words w(32, 0);
  w[0] = wire::version_2;
  w[3] = std::uint32_t(b.size());
  for (std::size_t i = 0; i < (b.size() + 3) / 4 * 4; ++i)
    w[4 + i / 4] |= std::uint32_t(i < b.size() ? static_cast<unsigned char>(b.data()[i]) : 0x20u) << (24 - 8 * (i % 4));
  return w;
}
/// A header without arrays and with one transform that `pack` writes.
template <class F>
words with_transform(F pack) {
  msgpack::sbuffer b;
  msgpack::packer<msgpack::sbuffer> p(b);
  p.pack_map(2);
  p.pack("arrays");
  p.pack_array(0);
  p.pack("transforms");
  p.pack_array(1);
  pack(p);
  return with_metadata(b);
}
}  // namespace

TEST_CASE("protocol: version 2 leaves out what it does not know") {
  msgpack::sbuffer b;
  msgpack::packer<msgpack::sbuffer> p(b);
  p.pack_map(2);
  p.pack("colour");
  p.pack("green");
  p.pack("arrays");
  p.pack_array(0);
  CHECK(decoded(with_metadata(b)).is_end());
}
TEST_CASE("protocol: transforms without logical shapes are written as before there were any, and read") {
  wire::description d;
  d.version = wire::version_2;
  d.transforms = {{"batch", {0}, {}}};
  const words two_elements = with_transform([](auto& p) {
    p.pack_array(2);
    p.pack("batch");
    p.pack(std::vector<int>{0});
  });
  CHECK(wire::encode_header(d) == two_elements);
  CHECK(decoded(two_elements).transforms[0].logical_shapes.empty());
}
TEST_CASE("protocol: logical shapes that are none are refused") {
  const auto problem = [](auto shapes) {
    return problem_of(with_transform([&](auto& p) {
      p.pack_array(3);
      p.pack("mask");
      p.pack_array(0);
      p.pack(shapes);
    }));
  };
  CHECK(problem(7).find("wanted a list of logical shapes") != std::string::npos);
  CHECK(problem(std::vector<int>{1, 2}).find("a logical shape that is no list") != std::string::npos);
  CHECK(problem(std::vector<std::vector<int>>{{3}, {-1}}).find("a dimension that is none") != std::string::npos);
  CHECK(problem(std::vector<std::vector<int>>{std::vector<int>(9, 1)}).find("more dimensions than an array may have") != std::string::npos);
  CHECK(problem_of(with_transform([](auto& p) {
          p.pack_array(4);
          p.pack("mask");
          for (int i = 0; i < 3; ++i) p.pack_array(0);
        })).find("wanted [transform, batch dimensions]") != std::string::npos);
}
