#pragma once
// erf, erfc and erf_inv of lanes, within 4 ulp. Deliberately branch-free: all pieces are computed and one is chosen.
// Source: Sun's fdlibm, s_erf.c.

#include "jacquard/core/math/branchless.hpp"
#include "jacquard/fixed/lane_math.hpp"

namespace jacquard {
namespace detail {

template <int W>
struct lane_error_function : lane_math<W> {
  using math = lane_math<W>;
  using typename math::mask, typename math::number;
  using math::of, math::polynomial;

  /// erf(x) - x for |x| < 0.84375.
  static number beyond_line(const number& x) {
    static constexpr double p[] = {1.28379167095512558561e-01, -3.25042107247001499370e-01, -2.84817495755985104766e-02,
                                   -5.77027029648944159157e-03, -2.37630166566501626084e-05};
    static constexpr double q[] = {1.0, 3.97917223959155352819e-01, 6.50222499887672944485e-02, 5.08130628187576562776e-03,
                                   1.32494738004321644526e-04, -3.96022827877536812320e-06};
    const number z = x * x;
    return x * (polynomial(p, z) / polynomial(q, z));
  }
  static constexpr double at_one = 8.45062911510467529297e-01;
  /// erf(x) - at_one for 0.84375 <= x < 1.25.
  static number beyond_one(const number& x) {
    static constexpr double p[] = {-2.36211856075265944077e-03, 4.14856118683748331666e-01,  -3.72207876035701323847e-01, 3.18346619901161753674e-01,
                                   -1.10894694282396677476e-01, 3.54783043256182359371e-02, -2.16637559486879084300e-03};
    static constexpr double q[] = {1.0, 1.06420880400844228286e-01, 5.40397917702171048937e-01, 7.18286544141962662868e-02,
                                   1.26171219808761642112e-01, 1.36370839120290507362e-02, 1.19844998467991074170e-02};
    const number s = x - of(1);
    return polynomial(p, s) / polynomial(q, s);
  }
  /// log(x erfc(x)) + x^2 + 0.5625 for 1.25 <= x < 28.
  static number tail_exponent(const number& x) {
    static constexpr double ra[] = {-9.86494403484714822705e-03, -6.93858572707181764372e-01, -1.05586262253232909814e+01, -6.23753324503260060396e+01,
                                    -1.62396669462573470355e+02, -1.84605092906711035994e+02, -8.12874355063065934246e+01, -9.81432934416914548592e+00};
    static constexpr double sa[] = {1.0, 1.96512716674392571292e+01, 1.37657754143519042600e+02, 4.34565877475229228821e+02, 6.45387271733267880336e+02,
                                    4.29008140027567833386e+02, 1.08635005541779435134e+02, 6.57024977031928170135e+00, -6.04244152148580987438e-02};
    static constexpr double rb[] = {-9.86494292470009928597e-03, -7.99283237680523006574e-01, -1.77579549177547519889e+01, -1.60636384855821916062e+02,
                                    -6.37566443368389627722e+02, -1.02509513161107724954e+03, -4.83519191608651397019e+02};
    static constexpr double sb[] = {1.0, 3.03380607434824582924e+01, 3.25792512996573918826e+02, 1.53672958608443695994e+03,
                                    3.19985821950859553908e+03, 2.55305040643316442583e+03, 4.74528541206955367215e+02, -2.24409524465858183362e+01};
    const number s = of(1) / (x * x);
    return number::select(x < of(1 / 0.35), polynomial(ra, s) / polynomial(sa, s), polynomial(rb, s) / polynomial(sb, s));
  }
  /// erf(x) for 1.25 <= x < 6.
  static number tail(const number& x) { return of(1) - math::exp(tail_exponent(x) - x * x - of(0.5625)) / x; }
  /// erfc(x) for 1.25 <= x < 28: the square of the leading bits is exact, so that a large exponent costs no precision.
  static number complement_tail(const number& x) {
    const number lead = math::from_bits(math::bits(x) & typename math::integer(std::int64_t(0xffffffff00000000)));
    return math::exp(-(lead * lead) - of(0.5625)) * math::exp((lead - x) * (lead + x) + tail_exponent(x)) / x;
  }
  static number erf(const number& x) {
    const number size = math::magnitude(x);
    const number beyond = number::select(size < of(6), tail(number::select(size < of(1.25), of(1.25), size)), of(1));
    const number large = number::select(size < of(1.25), of(at_one) + beyond_one(size), beyond);
    const number value = number::select(size < of(0.84375), size + beyond_line(size), large);
    return number::select(x == x, math::with_sign(value, x), x);
  }
  static number erfc(const number& x) {
    const number size = math::magnitude(x), far = number::select(size < of(1.25), of(1.25), number::select(size < of(28), size, of(28)));
    const mask negative = x < of(0);
    const number tail = complement_tail(far), beyond = number::select(negative, of(2) - tail, tail);
    const number rest = beyond_line(x), one = beyond_one(size);
    const number small = number::select(x < of(0.25), of(1) - (x + rest), of(0.5) - (rest + (x - of(0.5))));
    const number middle = number::select(negative, of(1) + (of(at_one) + one), of(1 - at_one) - one);
    const number value = number::select(size < of(0.84375), small, number::select(size < of(1.25), middle, beyond));
    return number::select(x == x, value, x);
  }
};

}  // namespace detail

template <class T, int W>
lanes<T, W> lanes<T, W>::erf(const lanes& x) {
  return detail::in_double(x, [](const auto& given) { return detail::lane_error_function<W>::erf(given); });
}
template <class T, int W>
lanes<T, W> lanes<T, W>::erfc(const lanes& x) {
  return detail::in_double(x, [](const auto& given) { return detail::lane_error_function<W>::erfc(given); });
}
template <class T, int W>
lanes<T, W> lanes<T, W>::erf_inv(const lanes& x) {
  return detail::in_double(x, [](const auto& given) { return math::branchless::erf_inv(given); });
}

}  // namespace jacquard
