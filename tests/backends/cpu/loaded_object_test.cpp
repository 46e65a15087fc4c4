// Object files in memory: what is called, read and written to lies where code looks for it; files that are cut off or damaged are refused.
#include <doctest/doctest.h>
#include <jacquard/backends/cpu/llvm_library.hpp>
#include <jacquard/backends/cpu/loaded_object.hpp>

#include <cmath>
#include <fstream>

namespace jq = jacquard;
using jq::cpu::loaded_object;

namespace {

// Its functions read a table, call one of another library and each other, tell where that one is, count in a variable, and choose by a table of places.
const char* const text = R"(
@table = internal constant [4 x double] [double 1.0, double 2.5, double 4.0, double 8.0], align 32
@count = global i32 5
@chosen = internal constant [2 x ptr] [ptr @twice, ptr @root]
declare double @cbrt(double)
define double @twice(double %x) nounwind {
  %r = fadd double %x, %x
  ret double %r
}
define double @root(double %x) nounwind {
  %r = call double @cbrt(double %x)
  %s = fadd double %r, 0.0
  ret double %s
}
define double @entry(i64 %i) nounwind {
  %p = getelementptr double, ptr @table, i64 %i
  %r = load double, ptr %p
  ret double %r
}
define i32 @next() nounwind {
  %c = load i32, ptr @count
  %n = add i32 %c, 1
  store i32 %n, ptr @count
  ret i32 %n
}
define ptr @place() nounwind {
  ret ptr @cbrt
}
define double @apply(i64 %which, double %x) nounwind {
  %p = getelementptr ptr, ptr @chosen, i64 %which
  %f = load ptr, ptr %p
  %r = call double %f(double %x)
  ret double %r
}
define i32 @pick(i32 %x) nounwind {
entry:
  switch i32 %x, label %other [i32 0, label %a
    i32 1, label %b
    i32 2, label %c
    i32 3, label %d
    i32 4, label %e]
a:
  ret i32 17
b:
  ret i32 -3
c:
  %u = mul i32 %x, 100
  ret i32 %u
d:
  ret i32 40
e:
  ret i32 8
other:
  ret i32 0
}
)";

const std::string& object() {
  static const std::string o = [] {
    const char* const named = jq::cpu::llvm_library::named();
    static jq::cpu::llvm_library* const library = named && std::string_view(named) == "none" ? nullptr : jq::cpu::llvm_library::load();
    return library ? library->object_of(text) : std::string();
  }();
  return o;
}
template <class F>
auto function(const loaded_object& o, const char* name) {
  void* const there = o.find(name);
  REQUIRE(there != nullptr);
  return reinterpret_cast<F*>(there);
}
/// Whether the memory of an address can be written to, and run.
std::pair<bool, bool> rights(const void* at) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    char r[5] = {};
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, r) == 3 && begin <= reinterpret_cast<unsigned long>(at) && reinterpret_cast<unsigned long>(at) < end)
      return {r[1] == 'w', r[2] == 'x'};
  }
  return {true, false};
}

}  // namespace

TEST_CASE("loaded objects: functions read, write and call what they shall") {
  if (object().empty()) return;
  const loaded_object o(object());
  CHECK(function<double(std::int64_t)>(o, "entry")(1) == 2.5);
  CHECK(function<double(std::int64_t)>(o, "entry")(3) == 8);
  volatile double cube = 27;  // computed when the test runs: compilers round otherwise
  CHECK(function<double(double)>(o, "root")(cube) == std::cbrt(cube));
  CHECK(function<double(std::int64_t, double)>(o, "apply")(0, 1.5) == 3);
  CHECK(function<double(std::int64_t, double)>(o, "apply")(1, 8) == 2);
  CHECK(function<void*()>(o, "place")() == dlsym(RTLD_DEFAULT, "cbrt"));
  for (int i = 6; i < 9; ++i) CHECK(function<int()>(o, "next")() == i);
  const int picked[] = {17, -3, 200, 40, 8, 0};
  for (int i = 0; i < 6; ++i) CHECK(function<int(int)>(o, "pick")(i) == picked[i]);
  CHECK(o.find("absent") == nullptr);
  CHECK(o.find("table") == nullptr);  // no function
  CHECK(o.find("") == nullptr);
}
TEST_CASE("loaded objects: each has variables of its own; code cannot be written to") {
  if (object().empty()) return;
  const loaded_object a(object()), b(object());
  CHECK(function<int()>(a, "next")() == 6);
  CHECK(function<int()>(a, "next")() == 7);
  CHECK(function<int()>(b, "next")() == 6);
  CHECK(rights(a.find("next")) == std::pair(false, true));
}
TEST_CASE("loaded objects: what the process does not have is named") {
  if (object().empty()) return;
  std::string other = object();
  const std::size_t at = other.find("cbrt");
  REQUIRE(at != other.npos);
  other.replace(at, 4, "cbqt");
  CHECK_THROWS_WITH_AS(loaded_object(std::string_view(other)), doctest::Contains("the process has no function cbqt"), jq::value_error);
  CHECK_THROWS_WITH_AS(loaded_object(std::string_view(other)), doctest::Contains("jq::backend(\"interpreter\")"), jq::value_error);
}
TEST_CASE("loaded objects: files that are cut off are refused") {
  for (const char* none : {"", "no code", "\177ELF"}) CHECK_THROWS_AS(loaded_object(std::string_view(none)), jq::value_error);
  for (std::size_t size = 0; size < object().size(); size += 5) CHECK_THROWS_AS(loaded_object(std::string_view(object()).substr(0, size)), jq::value_error);
}
TEST_CASE("loaded objects: damaged files are refused, or loaded, and nothing else happens") {
  const std::string& whole = object();
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (int change : {0x01, 0x80, 0xFF}) {
      std::string damaged = whole;
      damaged[at] = char(damaged[at] ^ change);
      try {
        const loaded_object o(damaged);  // never called: only the digest of the file that it is kept in tells that its instructions are others
      } catch (const jq::value_error&) {
        ++refused;
      }
    }
  CHECK((whole.empty() || refused > 100));
}
