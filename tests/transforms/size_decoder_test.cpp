// Sizes found again from two tracings.
#include <jacquard/transforms/size_decoder.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include <set>
#include <string>

namespace jq = jacquard;
using jq::dimension;
using jq::detail::size_decoder;

namespace {
size_decoder of_names(std::initializer_list<const char*> names) {
  size_decoder r;
  for (const char* n : names) r.add_name(n);
  return r;
}
/// What a size looks like after it has been seen as two integers.
std::string again(const size_decoder& decoder, const dimension& d) {
  dimension found;
  if (!decoder.decode(decoder.probe(d, false), decoder.probe(d, true), found)) return "none";
  return std::string(jq::cat(found).view());
}
const dimension n = dimension::named("n"), m = dimension::named("m"), k = dimension::named("k");
}  // namespace

TEST_CASE("sizes are found again: sums, multiples and products of names") {
  const size_decoder d = of_names({"n", "m", "k"});
  for (const dimension& size :
       {n, m, n + 1, n - 1, dimension(768) * n, dimension(3) * n + 7, n + m, n - m, dimension(2) * n + dimension(5) * m - 3, n * m, n * n,
        n * m + 1, dimension(64) * n * m, n * m * k, n * m + k, n * m - n, dimension(2) * n * m * k + dimension(3) * m, n + 40000}) {
    INFO(jq::cat(size).view());
    CHECK(again(d, size) == jq::cat(size).view());
  }
}
TEST_CASE("integers that are equal in both tracings are constants, whatever they are") {
  const size_decoder d = of_names({"n"});
  dimension found;
  CHECK(d.decode(d.probe(n, false), d.probe(n, false), found));
  CHECK(found == dimension(d.probe(n, false)));
}
TEST_CASE("sizes that are no polynomials are found once they are known") {
  size_decoder d = of_names({"n"});
  const dimension half = dimension::floor_div(n + 1, 2);
  d.add_known(half);
  CHECK(again(d, half) == "floor((n + 1) / 2)");
  CHECK(again(d, half - 1) == "floor((n + 1) / 2) + -1");
  dimension found;
  CHECK_FALSE(of_names({}).decode(1, 2, found));
}
TEST_CASE("names of one letter, and a few longer ones, have sizes of their own") {
  std::set<std::int64_t> first, second;
  std::string letter = "a";
  for (; letter[0] <= 'z'; ++letter[0]) {
    const jq::detail::probed_name p{jq::name_text(letter)};
    first.insert(p.first);
    second.insert(p.second);
    CHECK(p.first < 4096);
    CHECK(p.second > 2048);
  }
  CHECK(first.size() == 26);
  CHECK(second.size() == 26);
  CHECK(jq::detail::probed_name("rows").first != jq::detail::probed_name("columns").first);
}
