// list: growth, copies and moves, insertion and removal, element life times, lists of an unfinished type, constant evaluation.
#include <jacquard/core/list.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

using jacquard::list;

namespace {

struct tree {
  int value = 0;
  list<tree> children{};
  friend constexpr bool operator==(const tree& a, const tree& b) { return a.value == b.value && a.children == b.children; }
};
constexpr int sum(const tree& t) {
  int s = t.value;
  for (const tree& c : t.children) s += sum(c);
  return s;
}
constexpr int sum_of_copies() {
  tree t{1, {tree{2, {}}, tree{3, {tree{4, {}}}}}};
  tree copy = t, moved = std::move(t);
  copy.children[1].children[0].value = 10;
  copy.children.erase(copy.children.begin());
  return 100 * sum(moved) + sum(copy) + int(t.children.size());
}
static_assert(sum_of_copies() == 1014);

}  // namespace

TEST_CASE("grows and keeps its elements") {
  list<std::string> v;
  CHECK(v.empty());
  for (int i = 0; i < 9; ++i) v.push_back(std::to_string(i));
  CHECK(v.size() == 9);
  CHECK(v.front() == "0");
  CHECK(v.back() == "8");
  v.pop_back();
  v.resize(3);
  CHECK(v == list<std::string>{"0", "1", "2"});
  v.resize(4);
  CHECK(v.back().empty());
  v.clear();
  CHECK(v == list<std::string>());
}

TEST_CASE("elements that come back after a shorter size are default values") {
  list<int> v{1, 2, 3};
  v.resize(1);
  v.resize(3);
  CHECK(v == list<int>{1, 0, 0});
}

TEST_CASE("inserts and erases in the middle") {
  list<std::string> v{"a", "c"};
  v.insert(v.begin() + 1, "b");
  v.insert(v.end(), "d");
  v.insert(v.begin(), v.back());
  CHECK(v == list<std::string>{"d", "a", "b", "c", "d"});
  v.erase(v.begin());
  v.erase(v.begin() + 1, v.begin() + 3);
  CHECK(v == list<std::string>{"a", "d"});
  v.erase(v.begin(), v.begin());
  CHECK(v.size() == 2);
}

TEST_CASE("copying an element of itself while growing, and assigning to itself") {
  list<std::string> v{"long enough to live on the heap of the string"};
  for (int i = 0; i < 9; ++i) v.push_back(v[0]);
  CHECK(v[9] == v[0]);
  v = *&v;
  CHECK(v.size() == 10);
  list<std::string> w = std::move(v);
  CHECK(v.empty());
  v.push_back("again");
  CHECK(v[0] == "again");
  CHECK(w.size() == 10);
}

TEST_CASE("elements that are removed are released") {
  jacquard::array x = jacquard::asarray({1, 2});
  list<jacquard::array> v{x, x, x};
  CHECK(x.as_buffer()->references == 4);
  v.pop_back();
  CHECK(x.as_buffer()->references == 3);
  v.erase(v.begin());
  CHECK(x.as_buffer()->references == 2);
  v = {};
  CHECK(x.as_buffer()->references == 1);
}

TEST_CASE("large lists lie in memory that others gave back") {
  if (!jacquard::detail::this_block_cache()) return;  // sanitizers watch what is freed
  const void* where = nullptr;
  {
    list<std::int64_t> first(5000);
    first[4999] = 7;
    where = first.data();
  }
  list<std::int64_t> second(5000);
  CHECK(second.data() == where);
  CHECK(second[4999] == 0);
  list<std::int64_t> third = second, fourth = std::move(second);
  CHECK(third.data() != where);
  CHECK(fourth.data() == where);
}
TEST_CASE("large lists of what owns memory grow, shrink and end") {
  jacquard::array x = jacquard::asarray({1, 2});
  {
    list<jacquard::array> v;
    for (int i = 0; i < 3000; ++i) v.push_back(x);
    list<std::string> s;
    for (int i = 0; i < 3000; ++i) s.push_back("a text that is too long to lie within the string, number " + std::to_string(i));
    CHECK(s[2999].ends_with(" 2999"));
    CHECK(x.as_buffer()->references == 3001);
    v.resize(10);
    CHECK(x.as_buffer()->references == 11);
    v.push_back(v[0]);
    CHECK(x.as_buffer()->references == 12);
  }
  CHECK(x.as_buffer()->references == 1);
}
