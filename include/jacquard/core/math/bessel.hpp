#pragma once
// The modified Bessel functions of order 0 and 1, times exp(-|x|): Chebyshev series in x / 4 - 1 up to 8 and in 16 / x - 1 beyond,
// where they are divided by sqrt(x). Relative errors of the series stay below 2^-57; they were found in 60-digit arithmetic.
// Deliberately without branches, so that lanes and recorded numbers run them too.

#include "jacquard/core/math/arithmetic.hpp"
#include "jacquard/core/math/lane_functions.hpp"

namespace jacquard::math {

namespace detail {

/// terms[0] + terms[1] T_1(t) + terms[2] T_2(t) + ..., by Clenshaw's recurrence.
template <class T, std::size_t N>
constexpr T chebyshev_series(const double (&terms)[N], const T& t) {
  const T twice = add(t, t);
  T next = constant_like(t, 0), sum = constant_like(t, terms[N - 1]);
  for (std::size_t i = N - 2; i > 0; --i) {
    const T s = add(subtract(multiply(twice, sum), next), constant_like(t, terms[i]));
    next = sum;
    sum = s;
  }
  return add(subtract(multiply(t, sum), next), constant_like(t, terms[0]));
}

/// One of two series by the size of the argument: near(size / 4 - 1) up to 8, far(16 / size - 1) / sqrt(size) beyond.
template <class T, std::size_t N, std::size_t M>
constexpr T bessel_series(const double (&near)[N], const double (&far)[M], const T& size) {
  const T limit = constant_like(size, 8), one = constant_like(size, 1);
  const auto inside = size <= limit;
  const T small = min(size, limit), large = max(size, limit);
  const T first = chebyshev_series(near, subtract(multiply(small, constant_like(size, 0.25)), one));
  const T second = chebyshev_series(far, subtract(divide(constant_like(size, 16), large), one));
  return select(inside, first, divide(second, sqrt(large)));
}

}  // namespace detail

/// exp(-|x|) I_0(x).
template <class T>
constexpr T bessel_i0e(T x) {
  constexpr double near[] = {
      0.33839763720473803, -0.3046826723431984, 0.17162090152220877, -0.09490109704804764, 0.04930528423967071,
      -0.02373741480589947, 0.010546460394594998, -0.004324309995050576, 0.0016394756169413357, -0.0005763755745385824,
      0.00018850288509584165, -5.754195010082104e-05, 1.6448448070728896e-05, -4.4167383584587505e-06, 1.1173875391201037e-06,
      -2.670793853940612e-07, 6.046995022541919e-08, -1.300025009986248e-08, 2.6598237246823866e-09, -5.189795601635263e-10,
      9.675809035373237e-11, -1.726826291441556e-11, 2.95505266312964e-12, -4.856446783111929e-13, 7.676185498604936e-14,
      -1.1685332877993451e-14, 1.715391285555133e-15, -2.431279846547955e-16, 3.3307945188222384e-17, -4.4153416464793395e-18};
  constexpr double far[] = {
      0.4022452055070544, 0.0033691164782556943, 6.889758346916825e-05, 2.8913705208347567e-06, 2.0489185894690638e-07,
      2.266668990498178e-08, 3.3962320257083865e-09, 4.94060238822497e-10, 1.1889147107846439e-11, -3.1499165279632416e-11,
      -1.3215811840447713e-11, -1.7941785315068062e-12, 7.180124451383666e-13, 3.8527783827421426e-13, 1.54008621752141e-14,
      -4.150569347287222e-14, -9.554846698828307e-15, 3.8116806693526224e-15, 1.7725601330565263e-15, -3.425485619677219e-16,
      -2.8276239805165836e-16, 3.461222867697461e-17, 4.46562142029676e-17, -4.830504485944182e-18, -7.233180487874754e-18};
  return detail::bessel_series(near, far, abs(x));
}

/// exp(-|x|) I_1(x).
template <class T>
constexpr T bessel_i1e(T x) {
  // Of I_1(x) / x.
  constexpr double near[] = {
      0.12629359322181682, -0.17641651835783406, 0.1026436586898471, -0.05294598120809499, 0.024726449030626516,
      -0.010564084894626197, 0.004156422944312888, -0.0015135724506312532, 0.0005122859561685758, -0.00016176081582589674,
      4.781565107550054e-05, -1.3273163656039436e-05, 3.4702513081376785e-06, -8.568720264695455e-07, 2.0032947535521353e-07,
      -4.445059128796328e-08, 9.381537386495773e-09, -1.8872497517228294e-09, 3.625590281552117e-10, -6.663489723502027e-11,
      1.1736186298890901e-11, -1.9839743977649436e-12, 3.223793365945575e-13, -5.042185504727912e-14, 7.600684294735408e-15,
      -1.1055969477353862e-15, 1.5536319577362005e-16, -2.111421214358166e-17};
  constexpr double far[] = {
      0.38928811750914005, -0.009761097491361469, -0.00011058893876262371, -3.882564808877691e-06, -2.512236237870209e-07,
      -2.6314688468895196e-08, -3.835380385964237e-09, -5.589743462196584e-10, -1.8974958123505413e-11, 3.2526035830154884e-11,
      1.4125807436613782e-11, 2.0356285441470896e-12, -7.198551776245908e-13, -4.0835511110921974e-13, -2.1015418427726643e-14,
      4.272440016711951e-14, 1.0420276984128802e-14, -3.8144030724370075e-15, -1.8803547755107825e-15, 3.3082023109209285e-16,
      2.96262899764595e-16, -3.209525921993424e-17, -4.6503053684893586e-17, 4.414348323071708e-18, 7.517296310842105e-18};
  const T size = abs(x), value = detail::bessel_series(near, far, size);
  const T odd = select(size <= constant_like(size, 8), multiply(size, value), value);
  return select(x < constant_like(x, 0), negate(odd), odd);
}

}  // namespace jacquard::math
