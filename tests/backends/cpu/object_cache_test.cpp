// Machine code in files: what was kept is found, and nothing else is; damaged files, foreign keys, several writers. Programs run
// on code from files.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/native_backend.hpp>

#include <sys/wait.h>

#include <filesystem>
#include <fstream>

#include "../../captured_output.hpp"
#include "../../show.hpp"
#include "../../temporary_directory.hpp"

using jq::array;
namespace fs = std::filesystem;

namespace {

/// A directory of its own, with the cache in it until the end of the test.
struct cache_in_directory : testing::temporary_directory {
  cache_in_directory() { jq::cpu::set_cache_directory((path / "objects").string()); }
  ~cache_in_directory() { jq::cpu::set_cache_directory(""); }
  /// Without those that the code generator keeps beside code.
  std::vector<fs::path> files() const {
    std::vector<fs::path> r;
    if (fs::exists(path / "objects"))
      for (const auto& f : fs::directory_iterator(path / "objects"))
        if (f.path().extension() != ".jql") r.push_back(f.path());
    return r;
  }
};
jq::cpu::object_cache& cache() { return jq::cpu::object_cache::get(); }
std::string read(const fs::path& p) {
  std::ifstream in(p, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write(const fs::path& p, const std::string& s) { std::ofstream(p, std::ios::binary) << s; }

}  // namespace

TEST_CASE("what is kept is found again, in a file that others may read; without a directory nothing is kept") {
  const cache_in_directory here;
  const std::string code("\0\x7f code \n", 10);
  CHECK(cache().find("key") == "");
  cache().keep("key", code);
  CHECK(cache().find("key") == code);
  CHECK(cache().find("other key") == "");
  REQUIRE(here.files().size() == 1);
  CHECK((fs::status(here.files()[0]).permissions() & fs::perms::others_read) != fs::perms::none);
  CHECK(cache().find("key", jq::cpu::object_cache::library) == "");
  cache().keep("key", "what it says", jq::cpu::object_cache::library);
  CHECK(cache().find("key", jq::cpu::object_cache::library) == "what it says");
  CHECK(cache().find("key") == code);
  jq::cpu::set_cache_directory("");
  CHECK(cache().find("key") == "");
  cache().keep("third", code);
  CHECK(here.files().size() == 1);
}
TEST_CASE("a file that is cut off, damaged or of another key is not used, and is replaced") {
  const cache_in_directory here;
  const std::string code(1000, 'c');
  cache().keep("key", code);
  const fs::path file = here.files().at(0);
  const std::string whole = read(file);
  for (std::size_t size : {std::size_t(0), std::size_t(5), std::size_t(30), whole.size() - 1}) {
    write(file, whole.substr(0, size));
    CHECK(cache().find("key") == "");
  }
  for (std::size_t at = 0; at < whole.size(); at += 7) {
    std::string other = whole;
    other[at] = char(other[at] ^ 1);
    write(file, other);
    CHECK(cache().find("key") == "");
  }
  write(file, whole + "more");
  CHECK(cache().find("key") == "");
  cache().keep("key", code);
  CHECK(cache().find("key") == code);
  fs::rename(file, file.parent_path() / (jq::detail::digest("foreign") + ".jqo"));
  CHECK(cache().find("foreign") == "");
  REQUIRE(mkfifo(file.c_str(), 0600) == 0);  // which a reader would wait at for ever
  CHECK(cache().find("key") == "");
  cache().keep("key", code);
  CHECK(cache().find("key") == code);
}
TEST_CASE("directories are made, with those around them; files have the mode that the process gives to new ones") {
  const cache_in_directory here;
  const fs::path deep = here.path / "a" / "b" / "c";
  jq::cpu::set_cache_directory(deep.string());
  const mode_t before = umask(0077);
  cache().keep("key", "code");
  umask(before);
  CHECK(cache().find("key") == "code");
  REQUIRE(fs::is_directory(deep));
  for (const auto& f : fs::directory_iterator(deep)) CHECK(f.status().permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}
TEST_CASE("a directory that cannot be written to is no error, and told of once") {
  jq::cpu::set_cache_directory("/proc/nothing/here");
  {
    captured_output errors(2);
    cache().keep("key", "code");
    CHECK(errors.text() == "jacquard: cannot write to '/proc/nothing/here', where machine code was to be kept\n");
    cache().keep("key", "code");
    CHECK(errors.text() == "");
  }
  CHECK(cache().find("key") == "");
  CHECK(jq::jit([](const array& x) { return x * 1.25f; }, jq::backend("cpu"))(array(2.0f)).item<float>() == 2.5f);
  jq::cpu::set_cache_directory("");
}
TEST_CASE("several processes write and read one key: each sees a whole file or none") {
  const cache_in_directory here;
  std::vector<pid_t> children;
  for (int n = 0; n < 4; ++n) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      bool good = true;
      for (int i = 0; i < 200; ++i) {
        cache().keep("key", std::string(5000, char('a' + n)));
        const std::string got = cache().find("key");
        good = good && got.size() == 5000 && got == std::string(5000, got[0]);
      }
      _exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
  }
  CHECK(here.files().size() == 1);  // nothing temporary is left
}
TEST_CASE("digests tell similar keys apart") {
  std::set<std::string> seen;
  std::string key;
  for (int i = 0; i < 2000; ++i) {
    seen.insert(jq::detail::digest(key));
    key += char(i % 3);
  }
  CHECK(seen.size() == 2000);
}
TEST_CASE("programs run on code from files") {
  if (!jq::cpu::code_generator::get()) return;
  const cache_in_directory here;
  const auto scaled = [](int k) { return jq::jit([k](const array& x) { return jq::sin(x) * (float(k) + 0.125f); }, jq::backend("cpu"), jq::compile_at::first_call); };
  const array x = jq::asarray({1.0f, 2.0f});
  const std::string want = show(scaled(1)(x));
  REQUIRE(here.files().size() == 1);
  const fs::path file = here.files()[0];
  for (int k = 2; k < 80; ++k) scaled(k)(x);  // the process forgets the first one
  CHECK(here.files().size() == 79);
  const auto written = fs::last_write_time(file);
  CHECK(show(scaled(1)(x)) == want);
  CHECK(fs::last_write_time(file) == written);
  CHECK(here.files().size() == 79);
}
