// Calls of linear algebra, Fourier transforms, special functions and layers.
#include "calls.hpp"

#include <jacquard/nn/nn.hpp>
#include <jacquard/numpy/factors.hpp>
#include <jacquard/numpy/fft.hpp>
#include <jacquard/numpy/matrix_norms.hpp>
#include <jacquard/special/special.hpp>

namespace tables {

namespace {

using namespace jacquard;

const section solutions{"numpy/linalg.hpp",
                        {CALL(linalg::solve(m, w)), CALL(linalg::inv(m)), CALL(linalg::det(m)), CALL(linalg::slogdet(m)), CALL(linalg::cholesky(m)),
                         CALL(linalg::triangular_solve(m, w)), CALL(linalg::cho_solve(m, w)), CALL(linalg::lu_factor(m)), CALL(linalg::matrix_transpose(m)),
                         CALL(linalg::lu_solve(linalg::lu_factor(m), w))}};
const section krylov{"numpy/krylov.hpp", {CALL(linalg::cg(m, w)), CALL(linalg::bicgstab(m, w))}};
const section spectral{"numpy/spectral.hpp",
                       {CALL(linalg::qr(m)), CALL(linalg::svd(m)), CALL(linalg::svdvals(m)), CALL(linalg::eigh(m)), CALL(linalg::eigvalsh(m)), CALL(linalg::eig(m)),
                        CALL(linalg::eigvals(m)), CALL(linalg::schur(m)), CALL(linalg::pinv(m)), CALL(linalg::matrix_rank(m)), CALL(linalg::lstsq(m, w)),
                        CALL(linalg::matrix_power(m, 3))}};
const section factors{"numpy/factors.hpp",
                      {CALL(lax::householder_product(m, diagonal(m, 1))), CALL(lax::ormqr(m, diagonal(m, 1), w)), CALL(lax::tridiagonal(m)),
                       CALL(lax::cholesky_update(m, m(0))), CALL(lax::symmetric_product(m, w)), CALL(linalg::polar(m))}};
const section norms{"numpy/matrix_norms.hpp",
                    {CALL(linalg::vector_norm(x)), CALL(linalg::matrix_norm(m)), CALL(linalg::norm(m, linalg::ord(1))), CALL(linalg::cond(m)),
                     CALL(linalg::vecdot(m, w)), CALL(linalg::cross(m, w)), CALL(linalg::multi_dot({m, w, m})), CALL(linalg::tensorsolve(m, ravel(m(0)))),
                     CALL(linalg::tensorinv(m, 1)), CALL(linalg::expm(m))}};
const section transforms{"numpy/fft.hpp",
                         {CALL(fft::fft(x)), CALL(fft::ifft(x)), CALL(fft::rfft(x)), CALL(fft::irfft(x)), CALL(fft::hfft(x)), CALL(fft::ihfft(x)), CALL(fft::fft2(m)),
                          CALL(fft::fftn(m)), CALL(fft::ifft2(m)), CALL(fft::ifftn(m)), CALL(fft::rfft2(m)), CALL(fft::rfftn(m)), CALL(fft::irfft2(m)),
                          CALL(fft::irfftn(m)), CALL(fft::fftfreq(4, 1, t)), CALL(fft::rfftfreq(4, 1, t)), CALL(fft::fftshift(x)), CALL(fft::ifftshift(x))}};
const section special_functions{
    "special/functions.hpp",
    {CALL(special::gammaln(x)), CALL(special::gammasgn(x)), CALL(special::gamma(x)), CALL(special::digamma(x)), CALL(special::psi(x)),
     CALL(special::polygamma(1, x)), CALL(special::zeta(x, y)), CALL(special::betaln(x, y)), CALL(special::beta(x, y)), CALL(special::betainc(x, y, 0.5)),
     CALL(special::gammainc(x, y)), CALL(special::gammaincc(x, y)), CALL(special::multigammaln(x, 1)), CALL(special::factorial(x)), CALL(special::erf(x)),
     CALL(special::erfc(x)), CALL(special::erfinv(x)), CALL(special::ndtr(x)), CALL(special::ndtri(x)), CALL(special::log_ndtr(x)), CALL(special::expit(x)),
     CALL(special::logit(x)), CALL(special::xlogy(x, y)), CALL(special::xlog1py(x, y)), CALL(special::entr(x)), CALL(special::rel_entr(x, y)),
     CALL(special::kl_div(x, y)), CALL(special::i0e(x)), CALL(special::i0(x)), CALL(special::i1e(x)), CALL(special::i1(x)),
     CALL(special::boxcox(x, s)), CALL(special::boxcox1p(x, s))}};
const section activations{"nn/activations.hpp",
                          {CALL(nn::relu6(x)), CALL(nn::leaky_relu(x)), CALL(nn::elu(x)), CALL(nn::celu(x)), CALL(nn::selu(x)), CALL(nn::softplus(x)),
                           CALL(nn::log_sigmoid(x)), CALL(nn::soft_sign(x)), CALL(nn::silu(x)), CALL(nn::swish(x)), CALL(nn::mish(x)), CALL(nn::gelu(x)),
                           CALL(nn::hard_tanh(x)), CALL(nn::hard_sigmoid(x)), CALL(nn::hard_swish(x)), CALL(nn::squareplus(x)), CALL(nn::glu(x)),
                           CALL(nn::hard_silu(x)), CALL(nn::sparse_plus(x)), CALL(nn::sparse_sigmoid(x)), CALL(nn::identity(x)), CALL(nn::logmeanexp(x)), CALL(nn::log1mexp(x))}};
const section layers{"nn/layers.hpp",
                     {CALL(nn::standardize(m)), CALL(nn::layer_norm(m)), CALL(nn::rms_norm(m)), CALL(nn::dropout(k, x, 0.5)),
                      CALL(nn::batch_norm(m, 1.0, 0.0, {s, s}).first), CALL(nn::batch_norm_inference(m, 1.0, 0.0, {s, s})), CALL(nn::dot_product_attention(h, h, h))}};
const section losses{"nn/losses.hpp",
                     {CALL(nn::squared_error(x, y)), CALL(nn::l2_loss(x, y)), CALL(nn::mse(x, y)), CALL(nn::absolute_error(x, y)), CALL(nn::huber_loss(x, y)),
                      CALL(nn::log_cosh(x, y)), CALL(nn::softmax_cross_entropy(x, y)), CALL(nn::softmax_cross_entropy_with_integer_labels(x, 1)),
                      CALL(nn::sigmoid_binary_cross_entropy(x, y)), CALL(nn::kl_divergence(x, y))}};
const section initializers{"nn/initializers.hpp",
                           {CALL(nn::initializers::zeros(k, {2, 2}, t)), CALL(nn::initializers::ones(k, {2, 2}, t)), CALL(nn::initializers::constant{2}(k, {2, 2}, t)),
                            CALL(nn::initializers::uniform{}(k, {2, 2}, t)), CALL(nn::initializers::normal{}(k, {2, 2}, t)),
                            CALL(nn::initializers::truncated_normal{}(k, {2, 2}, t)), CALL(nn::initializers::variance_scaling{}(k, {2, 2}, t)),
                            CALL(nn::initializers::glorot_uniform(k, {2, 2}, t)), CALL(nn::initializers::glorot_normal(k, {2, 2}, t)),
                            CALL(nn::initializers::he_uniform(k, {2, 2}, t)), CALL(nn::initializers::he_normal(k, {2, 2}, t)),
                            CALL(nn::initializers::lecun_uniform(k, {2, 2}, t)), CALL(nn::initializers::lecun_normal(k, {2, 2}, t))}};

}  // namespace

TEST_CASE("linear algebra, transforms, special functions, layers: each dtype is taken, or refused by a type_error") {
  check_calls({&solutions, &krylov, &spectral, &factors, &norms, &transforms, &special_functions, &activations, &layers, &losses, &initializers});
}

}  // namespace tables
