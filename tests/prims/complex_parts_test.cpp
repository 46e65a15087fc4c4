// real, imag, conj, complex: values, transposes without conjugation, batching, dtypes, errors.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array real_of(const array& z) { return jq::bind<jq::real_p>({}, {}, z); }
array imag_of(const array& z) { return lax::imag(z); }
array conj_of(const array& z) { return jq::bind<jq::conj_p>({}, {}, z); }
array join(const array& re, const array& im) { return lax::complex(re, im); }
const array z = make<jq::complex128>({{1, 2}, {-3, 0.5}});
}  // namespace

static_assert(jq::complex_p::apply(1.0, 2.0) == jq::complex128(1, 2) && jq::imag_p::apply(jq::complex128(1, 2)) == 2);

TEST_CASE("complex parts: values") {
  CHECK_CLOSE(real_of(z), make({1.0, -3.0}), 0);
  CHECK_CLOSE(imag_of(z), make({2.0, 0.5}), 0);
  CHECK_CLOSE(conj_of(z), make<jq::complex128>({{1, -2}, {-3, -0.5}}), 0);
  CHECK_CLOSE(join(make({1.0, -3.0}), make({2.0, 0.5})), z, 0);
  CHECK_CLOSE(join(make({1.0f}), scalar(2.0f)), make<jq::complex64>({{1, 2}}), 0);
  CHECK(lax::real(make({1.0f})).dtype() == jq::f32);
  CHECK(lax::conj(make({1})).dtype() == jq::i32);
}
TEST_CASE("complex parts: dtypes") {
  const auto part = [](jq::dtype t) { return jq::real_dtype(t); };
  check_dtypes(unary(real_of), {z}, jq::complexes, part);
  check_dtypes(unary(imag_of), {z}, jq::complexes, part);
  check_dtypes(unary(conj_of), {z}, jq::complexes);
  CHECK_THROWS_WITH_AS(join(make({jq::float16(1.0f)}), make({jq::float16(1.0f)})),
                       doctest::Contains("there are only 64 and 128 bit complex numbers"), jq::type_error);
  CHECK_THROWS_WITH_AS(join(make({1}), make({1})), doctest::Contains("complex does not accept dtype int32"),
                       jq::type_error);
}
TEST_CASE("complex parts: derivatives, and transposes that are linear without conjugation") {
  const array ct = make({2.0, 3.0}), complex_ct = make<jq::complex128>({{1, 4}, {2, -5}});
  CHECK_CLOSE(cotangents(unary(real_of), {z}, ct)[0], make<jq::complex128>({{2, 0}, {3, 0}}), 0);
  CHECK_CLOSE(cotangents(unary(imag_of), {z}, ct)[0], make<jq::complex128>({{0, -2}, {0, -3}}), 0);
  CHECK_CLOSE(cotangents(unary(conj_of), {z}, complex_ct)[0], make<jq::complex128>({{1, -4}, {2, 5}}), 0);
  const arrays back = cotangents(binary(join), {make({1.0, 2.0}), make({3.0, 4.0})}, complex_ct);
  CHECK_CLOSE(back[0], make({1.0, 2.0}), 0);
  CHECK_CLOSE(back[1], make({-4.0, 5.0}), 0);
  for (const auto& f : {real_of, imag_of, conj_of}) {
    check_derivatives(unary(f), {z});
    check_batching(unary(f), {z});
  }
  for (const arrays& x : {arrays{make({1.0, 2.0}), make({3.0, 4.0})}, arrays{scalar(1.0), make({3.0, 4.0})}}) {
    check_derivatives(binary(join), x);
    check_batching(binary(join), x);
  }
}
