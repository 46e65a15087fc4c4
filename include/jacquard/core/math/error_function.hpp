#pragma once
// erf, erfc and the inverse of erf in portable arithmetic. The first two serve constant evaluation (at run
// time core/math.hpp calls the C library); the inverse, which <cmath> lacks, serves both worlds. The polynomials
// interpolate at Chebyshev nodes, in a variable u that runs over [-1, 1] on their interval; their errors,
// named beside them, were found in 400-bit arithmetic. It deliberately has no inverse of erfc and no scaled
// erfc.

#include <cstring>

#include "jacquard/core/math/exponential.hpp"
#include "jacquard/core/math/libm.hpp"
#include "jacquard/core/math/roots.hpp"

namespace jacquard::math::soft {

/// erf(x) for |x| <= 0.7 by its Taylor series, (2 / sqrt(pi)) x (1 - x^2/3 + x^4/(2! 5) - x^6/(3! 7) + ...).
constexpr double_double erf_near_zero(double x) {
  constexpr double terms[] = {1.0 / (2.0 * 5),
                              -1.0 / (6.0 * 7),
                              1.0 / (24.0 * 9),
                              -1.0 / (120.0 * 11),
                              1.0 / (720.0 * 13),
                              -1.0 / (5040.0 * 15),
                              1.0 / (40320.0 * 17),
                              -1.0 / (362880.0 * 19),
                              1.0 / (3628800.0 * 21),
                              -1.0 / (39916800.0 * 23),
                              1.0 / (479001600.0 * 25),
                              -1.0 / (6227020800.0 * 27),
                              1.0 / (87178291200.0 * 29),
                              -1.0 / (1307674368000.0 * 31)};
  constexpr double_double two_over_root_pi{1.1283791670955126, 1.533545961316588e-17};
  constexpr double_double third{0.3333333333333333, 1.850371707708594e-17};
  const double_double square = two_product(x, x);
  const double tail = square.hi * square.hi * polynomial(terms, square.hi);
  return (double_double(1) - third * square + double_double(tail)) * (two_over_root_pi * double_double(x));
}

/// erfc(x) for 0.7 <= x <= 28: exp(-x^2) f / (1 + 2 x), where f = (1 + 2 x) exp(x^2) erfc(x) is a polynomial
/// in (x - 3.75) / (x + 3.75), the form of Shepherd and Laframboise (1981), within 2^-62.
constexpr scaled_double_double erfc_of_large(double x) {
  constexpr refined_polynomial<21> terms{
      {1.2320446123027111, -8.227116705579404e-17},
      {-0.10143448433304507, 1.9373603435039457e-18},
      {0.006484697591210092,    0.025550721309877344,   -0.02565488619256805,   0.01608130935349546,
       -0.007553373915135674,   0.0027164231283224654,  -0.0007076151507030436, 0.00010419760528766319,
       7.1574734164275956e-06,  -7.849334735414492e-06, 1.328925481323399e-06,  2.5200749147682666e-07,
       -1.3363869176793745e-07, 8.060284717092317e-10,  9.979768254758926e-09,  -1.0064692383228814e-09,
       -7.318209122870112e-10,  1.1553953853170862e-10, 5.474288276703286e-11,  -7.532981491125445e-12,
       -3.171346615225169e-12}};
  // The variable runs from -11/16 to 49/64.
  const double u = ((x - 3.75) / (x + 3.75) - 0.0390625) / 0.7265625;
  const double_double f = terms(u);
  const scaled_double_double decay = exp(-two_product(x, x));
  return {decay.unit * f / two_sum(1, 2 * x), decay.exponent};
}

constexpr double erfc(double x) {
  if (ieee::is_nan(x)) return x;
  const double size = ieee::magnitude(x);
  if (size < 0.7) return (double_double(1) - erf_near_zero(x)).value();
  if (size > 27.5) return x < 0 ? 2 : 0;
  const scaled_double_double tail = erfc_of_large(size);
  return x < 0 ? (double_double(2) - scale(tail.unit, tail.exponent)).value() : tail.value();
}

constexpr double erf(double x) {
  if (ieee::is_nan(x) || ieee::is_zero(x)) return x;
  const double size = ieee::magnitude(x);
  // Below 2^-500 the products of the series would lose their low parts; the scaling is exact.
  if (size < 0x1p-500) return ieee::scale(erf_near_zero(ieee::scale(x, 300)).value(), -300);
  if (size < 0.7) return erf_near_zero(x).value();
  if (size > 6) return ieee::copysign(1.0, x);
  const scaled_double_double tail = erfc_of_large(size);
  return ieee::copysign((double_double(1) - scale(tail.unit, tail.exponent)).value(), x);
}

// As in Giles (2010), the inverse of erf at x is x times a polynomial in w = -log(1 - x^2) near the centre and in sqrt(w) in the tails; three
// intervals, each within 2^-59.
inline constexpr refined_polynomial<21> erf_inv_centre{
    {1.501409351110792, -6.515399129749711e-17},
    {0.6166006918604175, -5.1555127024422257e-17},
    {-0.02610823577739765,    -0.019573561059547377,  0.008525400950939892,   -0.0004878983983252155,
     -0.0008341356436926482,  0.0002921906851342163,  2.0472417839420812e-05, -4.1432071450377935e-05,
     8.652721877484876e-06,   2.851652817060834e-06,  -1.853870554105327e-06, 1.3583392473566449e-07,
     1.9953933232996815e-07,  -7.08985061397636e-08,  -6.70810932648382e-09,  1.1040417909061025e-08,
     -1.9880707100189075e-09, -9.760204713196851e-10, 4.4650677608736676e-10, 3.867417238765463e-11,
     -3.9169363297916484e-11}};
inline constexpr refined_polynomial<21> erf_inv_middle{
    {2.8329767987282706, 1.5047852583416206e-16},
    {0.8013402213547199, -1.2885169997390871e-17},
    {0.006045134087670763,   -0.003913628451874598,  0.0023286507184660378,  -0.001166145623097675,
     0.0003889528409789502,  -3.122619539354347e-05, -4.750038749554953e-05, 2.7583967593878945e-05,
     -4.988675228276617e-06, -1.964769941159953e-06, 1.5073704491341245e-06, -3.2700932410435975e-07,
     -7.270446285564424e-08, 7.039912765784744e-08,  -1.813102956438938e-08, -1.8015889197698005e-09,
     3.0385409986797577e-09, -9.337955108244688e-10, -4.582752518003574e-11, 1.1119781684664912e-10,
     -2.3070074289446492e-11}};
inline constexpr refined_polynomial<20> erf_inv_tail{
    {4.748875190560039, 2.781725278711269e-16},
    {1.1618696602825136, 7.712451923425502e-17},
    {-9.184331862068587e-05, -0.0003764021736774925,  0.00015137915404116742, -4.549629076663535e-05,
     1.2239950900255193e-05, -3.2043830214623134e-06, 9.356799828581729e-07,  -3.76282215126185e-07,
     2.1063023367981332e-07, -1.2972185937153122e-07, 7.388563070918176e-08,  -3.583059706567735e-08,
     1.371887476644327e-08,  -3.5515288836591563e-09, 1.7381191062649163e-10, 5.288853069293376e-10,
     -4.429366000551905e-10, 1.5381856005979362e-10,  1.0108947615355501e-11, -1.4709761165072936e-11}};

/// The argument of the polynomial of the tails.
constexpr double_double erf_inv_root(double w) {
  if (std::is_constant_evaluated()) return sqrt(double_double(w));
  return refined_root(libm::sqrt(w), w);
}
/// The y with erf(y) = x; infinite at the ends of [-1, 1], NaN outside.
constexpr double erf_inv(double x) {
  if (ieee::is_nan(x)) return x;
  const double size = ieee::magnitude(x);
  if (size >= 1) return size == 1 ? ieee::infinity<double>(x < 0) : ieee::quiet_nan<double>();
  // Here the exact products below would lose their low parts.
  if (size < 0x1p-500) return x * 0.886226925452758;
  const double product = (1 - x) * (1 + x);
  const double w = std::is_constant_evaluated() ? -log(product) : -libm::log(product);
  if (w < 5) return (erf_inv_centre(0.4 * w - 1) * double_double(x)).value();
  const double_double root = erf_inv_root(w);
  if (root.hi < 3.775) return (erf_inv_middle(1.25 * ((root.hi - 3) + root.lo)) * double_double(x)).value();
  return (erf_inv_tail(((root.hi - 4.9) + root.lo) / 1.15) * double_double(x)).value();
}

/// `width` numbers of type T that instructions take at once.
template <class T, int width>
struct vector_of {
  typedef T type __attribute__((vector_size(sizeof(T) * width)));
};
/// The logarithm of each of a vector of normal numbers in (0, 1], within 1 ulp; of others something without meaning. p = 2^e (1 + f) and
/// log p = e ln 2 + f - s (f - r), where s = f / (2 + f) and 2 artanh s = 2 s + s r. Source: Tang, "Table-driven implementation of the logarithm
/// function in IEEE floating-point arithmetic", 1990, without its table.
template <class Bits, class Vector>
[[gnu::always_inline]] inline void log_of_fractions(const Vector& p, Vector& result) {
  constexpr std::uint64_t root_of_half = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000, mantissa = 0x000fffffffffffff, shift = 0x4330000000000000;
  constexpr double terms[] = {0.6666666666667286, 0.399999999960891, 0.28571429407669185, 0.2222213752208978, 0.18186395328234814,  // 2e-17
                              0.15249415138284136, 0.15374137226867768};
  constexpr double ln2_head = 0.6931471803691238, ln2_tail = 1.9082149292705877e-10;
  const Bits apart = (Bits)p + (one - root_of_half);
  const Vector e = (Vector)((apart >> 52) | shift) - (0x1p52 + 1023);
  const Vector f = (Vector)((apart & mantissa) + root_of_half) - 1.0, s = f / (2.0 + f), z = s * s;
  Vector sum = Vector{} + terms[std::extent_v<decltype(terms)> - 1];
  for (std::size_t i = std::extent_v<decltype(terms)> - 1; i-- > 0;) sum = sum * z + terms[i];
  result = e * ln2_head + (f - (s * (f - z * sum) - e * ln2_tail));
}
/// x p(t) for the polynomial of the centre, whose terms from the square on sum up to inner t, with the bits of double_double's operations: those
/// that would add zeros are left out, as is the last sum, which would not change the high part.
template <class Vector>
[[gnu::always_inline]] inline void erf_inv_near(const Vector& x, const Vector& t, const Vector& inner, Vector& result) {
  constexpr refined_polynomial p = erf_inv_centre;
  Vector product, rest, hi, lo, hi2, lo2, part;
  rounded_product(t, inner, product);
  two_sum(Vector{} + p.linear.hi, product, hi, lo);
  fast_two_sum(hi, lo + p.linear.lo, hi2, lo2);  // linear + t inner
  two_product(t, hi2, product, rest);
  rounded_product(t, lo2, part);
  fast_two_sum(product, rest + part, hi, lo);  // times t
  two_sum(Vector{} + p.constant.hi, hi, product, rest);
  two_sum(Vector{} + p.constant.lo, lo, hi, lo2);
  fast_two_sum(product, rest + hi, hi2, part);
  fast_two_sum(hi2, part + lo2, hi, lo);  // constant + that
  two_product(hi, x, product, rest);
  rounded_product(lo, x, part);
  result = product + (rest + part);
}
/// See erf_inv below; `width` doubles are a vector.
template <int width, class T>
[[gnu::always_inline]] inline void erf_inv_by_vectors(const T* x, T* y, std::int64_t n) {
  using vector = typename vector_of<double, width>::type;
  using bits = typename vector_of<std::uint64_t, width>::type;
  using narrow = typename vector_of<T, width>::type;
  constexpr bool is_double = sizeof(T) == sizeof(double);
  constexpr std::size_t terms = std::extent_v<decltype(erf_inv_centre.terms)>;
  constexpr std::int64_t strip = 32, vectors = strip / width;
  constexpr std::size_t room = vectors;
  std::int64_t i = 0;
  // Step by step for a strip of numbers: so the vectors of a step need not wait for one another.
  for (; i + strip <= n; i += strip) {
    vector v[room], log[room], t[room], inner[room];
    for (std::int64_t g = 0; g < vectors; ++g) {
      narrow given;
      std::memcpy(&given, x + i + g * width, sizeof given);
      v[g] = __builtin_convertvector(given, vector);
      const vector product = (1.0 - v[g]) * (1.0 + v[g]);
      if constexpr (is_double) log[g] = product;
      else log_of_fractions<bits>(product, log[g]);
    }
    double numbers[strip], logs[strip];
    if constexpr (is_double) {
      std::memcpy(logs, log, sizeof logs);
      for (double& l : logs) l = libm::log(l);
      std::memcpy(log, logs, sizeof logs);
    }
    for (std::int64_t g = 0; g < vectors; g += 2) {
      const vector a = 0.4 * -log[g] - 1.0, b = 0.4 * -log[g + 1] - 1.0;
      vector sum_a = vector{} + erf_inv_centre.terms[terms - 1], sum_b = sum_a;
      for (std::size_t j = terms - 1; j-- > 0;) sum_a = sum_a * a + erf_inv_centre.terms[j], sum_b = sum_b * b + erf_inv_centre.terms[j];
      t[g] = a, t[g + 1] = b, inner[g] = sum_a, inner[g + 1] = sum_b;
    }
    bits far{};
    for (std::int64_t g = 0; g < vectors; ++g) {
      vector near;
      if constexpr (is_double) erf_inv_near(v[g], t[g], inner[g], near);
      else near = ((inner[g] * t[g] + erf_inv_centre.linear.hi) * t[g] + erf_inv_centre.constant.hi) * v[g];
      const narrow result = __builtin_convertvector(near, narrow);
      std::memcpy(y + i + g * width, &result, sizeof result);
      const vector size = (vector)((bits)v[g] & ~ieee::layout<double>::sign_mask);
      far |= ~(bits)((log[g] > -5.0) & (size < 1.0) & (size >= 0x1p-500));
    }
    std::uint64_t any = 0;
    for (std::int64_t k = 0; k < width; ++k) any |= far[k];
    if (any == 0) continue;
    std::memcpy(numbers, v, sizeof numbers);
    std::memcpy(logs, log, sizeof logs);
    for (std::int64_t k = 0; k < strip; ++k)
      if (const double size = ieee::magnitude(numbers[k]); !(logs[k] > -5.0 && size < 1 && size >= 0x1p-500))
        y[i + k] = static_cast<T>(erf_inv(numbers[k]));
  }
  for (; i < n; ++i) y[i] = static_cast<T>(erf_inv(static_cast<double>(x[i])));
}
#if defined(__x86_64__)
/// For processors with vectors of four doubles. Without fused multiply-adds, as these would have other bits.
template <class T>
[[gnu::target("avx2"), gnu::flatten]] void erf_inv_v3(const T* x, T* y, std::int64_t n) {
  erf_inv_by_vectors<4>(x, y, n);
}
#endif
/// The inverse of erf of n numbers; y may be x. Near the centre, where most of them are, polynomials are added up in vectors; the others come one by
/// one. For floats the logarithms and sums of doubles are exact enough: some ulp of these next to a rounding to floats. Bits are those of the function
/// of one number, as a trial of all floats has shown.
template <class T>
void erf_inv(const T* x, T* y, std::int64_t n) {
#if defined(__x86_64__)
  static const bool has_vectors = __builtin_cpu_supports("avx2");
  if (has_vectors) return erf_inv_v3(x, y, n);
#endif
  erf_inv_by_vectors<2>(x, y, n);
}

}  // namespace jacquard::math::soft
