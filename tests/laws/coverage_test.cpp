// Every primitive has its row, and tables are coherent: what a transform will need is there.
#include "row.hpp"

#include <jacquard/control/control.hpp>
#include <jacquard/prims/linear_algebra.hpp>

#include <algorithm>

using namespace laws;

namespace {

template <class... P>
std::vector<const jq::primitive*> tables(jq::type_list<P...>) {
  return {&jq::table_of<P>()...};
}
const row* find(const jq::primitive* op) {
  for (const row& r : all_rows())
    if (r.op == op) return &r;
  return nullptr;
}
std::vector<const jq::primitive*> all_tables() {
  std::vector<const jq::primitive*> r = tables(jq::all_prims{});
  for (const auto& more : {tables(jq::function_prims{}), tables(jq::control_prims{})}) r.insert(r.end(), more.begin(), more.end());
  return r;
}
const std::vector<const jq::primitive*> listed = all_tables();

}  // namespace

TEST_CASE("every primitive has a row, those that hold functions or programs too") {
  for (const jq::primitive* op : listed) {
    INFO("primitive '" << std::string(op->name) << "' has no row; add one to the file of its family in tests/laws/");
    CHECK(find(op) != nullptr);
  }
}
TEST_CASE("every row is of a listed primitive, has samples, and is the only one") {
  for (const row& r : all_rows()) {
    INFO("row of '" << std::string(r.op->name) << "'");
    CHECK(std::find(listed.begin(), listed.end(), r.op) != listed.end());
    CHECK(find(r.op) == &r);
    CHECK(!r.samples.empty());
    CHECK(r.types != 0);
  }
}
TEST_CASE("names are distinct and in order") {
  const std::vector<const jq::primitive*> alphabetical = tables(jq::all_prims{});
  for (std::size_t i = 1; i < alphabetical.size(); ++i) {
    const std::string before(alphabetical[i - 1]->name), after(alphabetical[i]->name);
    INFO(before << " and " << after);
    CHECK(before + "_p" < after + "_p");
  }
}
TEST_CASE("samples include a scalar and an empty array where the primitive takes them") {
  const std::string_view no_scalars[] = {"argmax", "argmin", "cholesky", "concatenate", "conv_general_dilated", "cumlogsumexp", "cummax", "cummin", "cumprod", "cumsum",
                                         "eig", "eigh", "fft", "hessenberg", "iota", "axis_index", "linear_recurrence", "lu", "qr", "schur", "sort", "squeeze", "svd", "top_k",
                                         "triangular_solve", "tridiagonal_solve"};
  for (const row& r : all_rows()) {
    INFO("row of '" << std::string(r.op->name) << "'");
    bool scalar = false, empty = false;
    for (const sample& s : r.samples) {
      empty = empty || s.operands.empty();
      for (const operand& o : s.operands) scalar = scalar || o.dims.rank() == 0, empty = empty || o.dims.elements() == 0;
    }
    if (!is_collective(r)) CHECK(empty);
    if (!is_collective(r) && std::find(std::begin(no_scalars), std::end(no_scalars), r.op->name) == std::end(no_scalars))
      CHECK(scalar);
  }
}
TEST_CASE("tables are coherent") {
  for (const row& r : all_rows()) {
    const jq::primitive& op = *r.op;
    INFO("primitive '" << std::string(op.name) << "'");
    const bool infers = op.abstract_eval, computes = op.kernel || op.evaluate, differentiates = is_differentiable(r),
               transposes = op.transpose, batches = op.batch;
    CHECK(infers);
    CHECK(computes);
    if (is_collective(r)) CHECK(!op.kernel);  // members of an axis run them together
    if (op.linear != 0) CHECK(differentiates);
    if (op.linear != 0) CHECK(transposes);
    if (!r.samples[0].operands.empty()) CHECK(batches);
    if (op.elementwise) CHECK(op.effects == 0);
    if (is_collective(r)) CHECK(!op.foldable);
  }
}
