// small_vector: inline and heap storage, copies and moves between them, element life times, constant evaluation.
#include <jacquard/core/small_vector.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

using jacquard::small_vector;

namespace {

constexpr int sum_of(std::size_t count) {
  small_vector<int, 2> v;
  for (std::size_t i = 0; i < count; ++i) v.push_back(int(i));
  const small_vector<int, 2> copy = v;
  small_vector<int, 2> moved = std::move(v);
  int s = 0;
  for (int x : copy) s += x;
  for (int x : moved) s -= 2 * x;
  return s + int(v.size());
}
static_assert(sum_of(2) == -1 && sum_of(5) == -10);

}  // namespace

TEST_CASE("grows from inline to heap storage and keeps its elements") {
  small_vector<std::string, 2> v{"a", "b"};
  const std::string* inline_storage = v.data();
  v.push_back("c");
  CHECK(v.data() != inline_storage);
  CHECK(v.size() == 3);
  CHECK(v.front() == "a");
  CHECK(v.back() == "c");
  v.pop_back();
  CHECK(v == small_vector<std::string, 2>{"a", "b"});
}

TEST_CASE("moving leaves an empty vector that can be used again") {
  for (std::size_t n : {1u, 2u, 3u, 9u}) {
    small_vector<std::string, 2> v(n, "x"), target(4, "y");
    target = std::move(v);
    CHECK(target.size() == n);
    CHECK(v.empty());
    v.push_back("again");
    CHECK(v[0] == "again");
    CHECK(target.back() == "x");
  }
}

TEST_CASE("copying an element of itself while growing") {
  small_vector<std::string, 1> v{"long enough to live on the heap of the string"};
  for (int i = 0; i < 5; ++i) v.push_back(v[0]);
  CHECK(v[5] == v[0]);
  v = *&v;
  CHECK(v.size() == 6);
}

TEST_CASE("elements that are removed are released") {
  jacquard::array x = jacquard::asarray({1, 2});
  small_vector<jacquard::array, 1> v{x, x, x};
  CHECK(x.as_buffer()->references == 4);
  v.pop_back();
  CHECK(x.as_buffer()->references == 3);
  v.clear();
  CHECK(x.as_buffer()->references == 1);
}

TEST_CASE("resize, append, compare") {
  small_vector<int, 2> v;
  v.resize(4, 7);
  const int more[] = {1, 2};
  v.append(more, more + 2);
  CHECK(v == small_vector<int, 2>{7, 7, 7, 7, 1, 2});
  v.resize(1);
  CHECK_FALSE(v == small_vector<int, 2>{8});
  CHECK(v == small_vector<int, 2>(1, 7));
}

TEST_CASE("elements that come in are default values, also where others were") {
  small_vector<int, 4> v{1, 2, 3};
  const small_vector<int, 4> taken = std::move(v);
  v.resize(2);
  CHECK(v == small_vector<int, 4>{0, 0});
  CHECK(taken.size() == 3);
  CHECK(small_vector<int, 2>(3) == small_vector<int, 2>{0, 0, 0});
}

TEST_CASE("an element may be appended to its own list") {
  struct large {
    int numbers[20] = {};
    bool operator==(const large&) const = default;
  };
  small_vector<large, 2> v(2, large{{1, 2, 3}});
  v.push_back(v[0]);
  v.push_back(v[2]);
  v.push_back(v[1]);
  CHECK(v == small_vector<large, 2>(5, large{{1, 2, 3}}));
}
