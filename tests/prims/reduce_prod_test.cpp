// reduce_prod: values, several axes, empty and rank 0, derivatives beside any number of zeros, batching, all dtypes, errors.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
function over(const jq::int_list& axes) {
  return [axes](const arrays& x) { return lax::reduce_prod(x[0], axes); };
}
/// The derivative of a product by definition: the product of all other elements.
array product_of_others(const array& x) {
  const std::vector<double> v = values<double>(x);
  jq::buffer* b = jq::make_buffer(x.aval());
  for (std::size_t i = 0; i < v.size(); ++i) {
    double p = 1;
    for (std::size_t j = 0; j < v.size(); ++j)
      if (j != i) p *= v[j];
    static_cast<double*>(b->data)[i] = p;
  }
  return array(b);
}
const array m = make({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, {2, 3});
}  // namespace

static_assert(kernel_result<jq::reduce_prod_p, 2>(std::array<double, 4>{1, 3, 2, 4}, {2, 2}, {2},
                                                  jq::reduce_prod_p::params{{1}}) == std::array<double, 2>{3, 8});

TEST_CASE("reduce_prod: values") {
  CHECK_CLOSE(over({0})({m}), make({4.0, 10.0, 18.0}), 0);
  CHECK_CLOSE(over({1})({m}), make({6.0, 120.0}), 0);
  CHECK_CLOSE(over({1, 0})({m}), scalar(720.0), 0);
  CHECK(over({})({m}).same_as(m));
  CHECK_CLOSE(over({0})({make<float>({}, {0, 2})}), make({1.0f, 1.0f}), 0);
  CHECK_CLOSE(over({0})({make<std::uint8_t>({16, 17})}), make<std::uint8_t>({16}, {}), 0);
  CHECK_CLOSE(over({0})({make<jq::complex128>({{1, 2}, {3, -4}})}), make<jq::complex128>({{11, 2}}, {}), 0);
  CHECK_CLOSE(over({0})({make({inf, 0.0})}), scalar(not_a_number), 0);
  CHECK_CLOSE(over({0})({make({1e30f, 1e30f, 1e-30f})}), scalar(1e30f), 1e-6);  // accumulated in f64
  check_dtypes(over({0}), {make({1.5, -2.0, 3.0})}, jq::numbers);
}
TEST_CASE("reduce_prod: derivative with no, one and several zeros, for every length") {
  for (const array& x : {make({3.0}), make({2.0, 3.0}), make({2.0, 0.0, 4.0}), make({0.0, 3.0, 0.0, 5.0}),
                         make({0.0, 0.0, 0.0}), make({1.5, 2.0, -3.0, 0.5, 4.0}),
                         make({1.0, 2.0, 0.0, 4.0, 5.0, 6.0, 7.0}), make({2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 0.0, 2.0})})
    CHECK_CLOSE(cotangents(over({0}), {x}, scalar(1.0))[0], product_of_others(x), 1e-15);
  CHECK_CLOSE(cotangents(over({0}), {make<double>({}, {0, 2})}, make({1.0, 1.0}))[0], make<double>({}, {0, 2}), 0);
  check_derivatives(over({0}), {make({1.5, 0.0, -3.0, 0.5, 2.0})}, 3, 1e-9);
  check_derivatives(over({1}), {m}, 2, 1e-7);
  check_derivatives(over({0, 2}), {make({1.0, 0.5, 0.0, 2.0, 1.5, 0.25, 1.0, 3.0}, {2, 2, 2})});
  check_derivatives(over({0}), {make<jq::complex128>({{1, 2}, {0, 0}, {0.5, -1}})});
}
TEST_CASE("reduce_prod: batching") {
  check_batching(over({0}), {m});
  check_batching(over({1}), {m});
  check_batching(over({0, 1}), {m});
}
TEST_CASE("reduce_prod: errors") {
  CHECK_THROWS_WITH_AS(over({2})({m}), doctest::Contains("reduce_prod: got axes (2,) for an operand of shape (2, 3)"),
                       jq::shape_error);
  CHECK_THROWS_WITH_AS(over({0, 0})({m}), doctest::Contains("wanted distinct axes in [0, 2)"), jq::shape_error);
}
