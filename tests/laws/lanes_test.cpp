// The law of the two lanes: each primitive gives for plain numbers and tensors what it gives for arrays on the interpreter. Functions of many
// primitives each, since what costs here is the compiler's time; that none is left out is read from docs/primitives.md, which the laws keep.
#include "lane_functions.hpp"

#include <fstream>
#include <sstream>

namespace {

constexpr tensor<double, 4> x{0.3, 0.85, 0.1, 0.6}, y{0.5, 0.2, 0.9, 0.6};

}  // namespace

TEST_CASE("both lanes: functions of one real number") { same(real_functions, x), same(more_real_functions, x); }
TEST_CASE("both lanes: functions of two real numbers") { same(pairs, x, y); }
TEST_CASE("both lanes: special functions") { same(special_functions, x, y); }
TEST_CASE("both lanes: whole numbers") { same(whole_numbers, tensor<int, 4>{7, -100, 12345, 1}, tensor<int, 4>{3, 77, -5, 2}); }
TEST_CASE("both lanes: complex numbers and Fourier transforms") { same(complex_numbers, x, y); }
TEST_CASE("both lanes: movements") { same(movements, x, y); }
TEST_CASE("both lanes: reductions, windows, products") { same(reductions, x, y); }
TEST_CASE("both lanes: factors of matrices") { same(matrices, tensor<double, 3, 3>{4, 1, 0.5, 1, 3, 0.2, 0.5, 0.2, 2}); }
TEST_CASE("both lanes: random bits") { same(random_words, tensor<std::uint32_t, 2>{3, 42}, tensor<std::uint32_t, 3>{0, 1, 2}); }
TEST_CASE("both lanes: programs within programs, with rules of the user too") { same(programs, x), same(with_rules, x); }
TEST_CASE("both lanes: collectives") {
  same(members, tensor<double, 3, 3>{1, 2, 3, 4, 5, 6, 7, 8, 9});
  for (const char* name : {"all_gather", "all_to_all", "axis_index", "pdot", "pmax", "pmin", "ppermute", "psum", "psum_scatter"}) met().insert(name);  // vmap turned them into others
}
TEST_CASE("both lanes: no primitive was left out that has something to run at compile time") {
  std::ifstream table(JACQUARD_TESTS_DIR "/../docs/primitives.md");
  int rows = 0;
  for (std::string line; std::getline(table, line);) {
    if (line == "## Composed of primitives") break;  // composed_test.cpp
    if (line.rfind("| ", 0) != 0 || line.size() < 7 || line.substr(line.size() - 7) != "| yes |") continue;
    std::istringstream words(line);
    std::string bar, name;
    words >> bar >> name;
    CAPTURE(name);
    CHECK((met().count(name) == 1 || name == "id_tap"));  // taps: tap_step_test.cpp
    ++rows;
  }
  CHECK(rows > 100);
}
