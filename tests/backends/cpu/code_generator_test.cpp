// Processes that find their code in files: they compute the same, and do not load the library that makes code before there is something to make.
#include <jacquard/backends/cpu/code_generator.hpp>
#include <jacquard/backends/cpu/cpu.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "../../show.hpp"
#include "../../temporary_directory.hpp"

namespace fs = std::filesystem;

namespace {

/// What a process of its own computed, and whether it loaded the library.
struct outcome {
  std::string result;
  bool loaded = false;
};
constexpr const char* in_child = "code of files: what a process of its own does";

struct directory : testing::temporary_directory {
  std::vector<fs::path> files(const std::string& extension) const {
    std::vector<fs::path> r;
    if (fs::exists(path / "kept"))
      for (const auto& f : fs::directory_iterator(path / "kept"))
        if (f.path().extension() == extension) r.push_back(f.path());
    return r;
  }
  outcome run(const char* factor, const char* library = nullptr) const {
    const fs::path told = path / "told";
    fs::remove(told);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      setenv("JACQUARD_CACHE_DIR", (path / "kept").c_str(), 1);
      setenv("JACQUARD_TEST_TOLD", told.c_str(), 1);
      setenv("JACQUARD_TEST_FACTOR", factor, 1);
      if (library) setenv("JACQUARD_LLVM", library, 1);
      dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
      execl("/proc/self/exe", "test", "--no-skip", ("--test-case=" + std::string(in_child)).c_str(), nullptr);
      _exit(1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    std::ifstream in(told);
    outcome r;
    std::string loaded;
    REQUIRE(std::getline(in, loaded));
    r.loaded = loaded == "loaded";
    std::getline(in, r.result, '\0');
    return r;
  }
};
bool is_library_loaded() {
  std::ifstream maps("/proc/self/maps");
  const std::string all{std::istreambuf_iterator<char>(maps), {}};
  return all.find("libLLVM") != all.npos;
}
/// On tiles and as machine code: strict programs have the same bits.
std::string wanted(float factor) {
  return show(jq::jit([=](const jq::array& x) { return jq::sin(x) * factor + x; }, jq::backend("cpu"), jq::compile_at::first_call, jq::precision::strict)(jq::linspace(0, 2, 9).astype(jq::f32)));
}

}  // namespace

TEST_CASE("code of files: what a process of its own does" * doctest::skip()) {
  const char *const told = std::getenv("JACQUARD_TEST_TOLD"), *const factor = std::getenv("JACQUARD_TEST_FACTOR");
  if (!told || !factor) return;
  const std::string result = wanted(float(std::atof(factor)));
  std::ofstream(told) << (is_library_loaded() ? "loaded" : "not loaded") << "\n" << result;
}
TEST_CASE("code of files: the library is loaded where there is something to make, and else not") {
  if (!jq::cpu::code_generator::get() || jq::cpu::processor_identity().empty()) return;
  const directory here;
  const outcome first = here.run("1.25");
  CHECK(first.loaded);
  CHECK(first.result == wanted(1.25f));
  CHECK(here.files(".jqo").size() == 1);
  CHECK(here.files(".jql").size() == 1);
  const outcome second = here.run("1.25");
  CHECK_FALSE(second.loaded);
  CHECK(second.result == first.result);
  const outcome other = here.run("2.5");
  CHECK(other.loaded);
  CHECK(other.result == wanted(2.5f));
  CHECK_FALSE(here.run("2.5").loaded);
  CHECK(here.files(".jqo").size() == 2);
}
TEST_CASE("code of files: what is kept of the library may be damaged, or gone") {
  if (!jq::cpu::code_generator::get() || jq::cpu::processor_identity().empty()) return;
  const directory here;
  const outcome first = here.run("1.5");
  REQUIRE(here.files(".jql").size() == 1);
  const fs::path kept = here.files(".jql")[0];
  std::ofstream(kept, std::ios::binary | std::ios::app) << "more";
  const outcome damaged = here.run("1.5");
  CHECK(damaged.loaded);
  CHECK(damaged.result == first.result);
  CHECK_FALSE(here.run("1.5").loaded);
  fs::remove(kept);
  CHECK(here.run("1.5").loaded);
  CHECK_FALSE(here.run("1.5").loaded);
}
TEST_CASE("code of files: where the library turns out to be gone, programs without kept code run on tiles") {
  if (!jq::cpu::code_generator::get() || jq::cpu::processor_identity().empty()) return;
  const directory here;
  // A link that is called as no library is, to the one that is there, and then to a file of that size and time that is none.
  const std::string link = (here.path / "linked.so").string();
  static jq::cpu::llvm_library* const there = jq::cpu::llvm_library::load();
  REQUIRE(there != nullptr);
  const fs::path real = fs::canonical(there->description().path);
  fs::create_symlink(real, link);
  const outcome first = here.run("1.25", link.c_str());
  CHECK(first.loaded);
  fs::remove(link);
  std::ofstream(link).close();
  fs::resize_file(link, fs::file_size(real));
  struct stat s {};
  REQUIRE(stat(real.c_str(), &s) == 0);
  const timespec times[2] = {s.st_atim, s.st_mtim};
  REQUIRE(utimensat(AT_FDCWD, link.c_str(), times, 0) == 0);
  const outcome kept = here.run("1.25", link.c_str());
  CHECK_FALSE(kept.loaded);
  CHECK(kept.result == first.result);
  const outcome other = here.run("2.5", link.c_str());
  CHECK_FALSE(other.loaded);
  CHECK(other.result == wanted(2.5f));
}
TEST_CASE("code of files: a module has the functions that its text has") {
  if (!jq::cpu::code_generator::get()) return;
  const auto module = jq::cpu::code_generator::get()->compile("define double @jq.0(double %x) nounwind {\n  %r = fmul double %x, 0x400A000000000000\n  ret double %r\n}\n");
  CHECK(reinterpret_cast<double (*)(double)>(module->function(0))(2) == 6.5);
  CHECK_THROWS_WITH_AS(module->function(1), doctest::Contains("has no function jq.1"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::cpu::code_generator::get()->compile("define nothing"), doctest::Contains("LLVM did not accept a kernel"), jq::value_error);
}
