#pragma once
// Exponential, sine, cosine and Fresnel's integrals, and the dilogarithm: Chebyshev series near and far from 0, found in 40-digit arithmetic, whose
// terms are left out below 1e-17 of the first; derivatives are the integrands. Deliberately real only; numbers of 16 bits are computed in f32.

#include "jacquard/control/custom_jvp.hpp"
#include "jacquard/control/loops.hpp"
#include "jacquard/special/functions.hpp"

namespace jacquard::special {

namespace detail {

/// (E1(x) + euler + log x) / x on (0, 1], in 2 x - 1.
inline constexpr double e1_near[] = {
    0.8929826881663436667, -0.1014608883002989929, 5.30781119573653044e-3, -2.38995976947100218e-4, 9.29076939638383148e-6, -3.1581738828230065e-7,
    9.5107755213240081e-9, -2.56699122405599603e-10, 6.27159499700903025e-12, -1.39880534166353279e-13, 2.86887026808481842e-15,
    -5.44440453850005177e-17};
/// x exp(x) E1(x) on [1, inf), in 2 / x - 1.
inline constexpr double e1_far[] = {
    0.757872156141312106, -0.1918875669402128932, 0.03750330470645315316, -9.073540733687109808e-3, 2.51098168139651363e-3,
    -7.64303904378879393e-4, 2.50102678959300291e-4, -8.66941909793140118e-5, 3.15098379826276937e-5, -1.19195886153579887e-5,
    4.66657509735385883e-6, -1.8826083586040075e-6, 7.79890162464276206e-7, -3.30816956694393693e-7, 1.43352320755550089e-7,
    -6.33329918169729645e-8, 2.84798660593050722e-8, -1.30168413146700761e-8, 6.03939225901306497e-9, -2.84137944879456399e-9,
    1.35424903787409807e-9, -6.53331208953033039e-10, 3.1879103015956294e-10, -1.57225473921961458e-10, 7.83284255062300609e-11,
    -3.93963805150922426e-11, 1.99947698481526914e-11, -1.02353228985968687e-11, 5.28239023292914603e-12, -2.74749446507837477e-12,
    1.43968470918776066e-12, -7.5976754162314707e-13, 4.03688072333900732e-13, -2.15894421504285435e-13, 1.16186110533926153e-13,
    -6.29040962459963344e-14, 3.42544608175782681e-14, -1.87575762732883168e-14, 1.03269318226509219e-14, -5.71504661099736296e-15,
    3.17867261336405364e-15, -1.77655012696423379e-15, 9.97578115881961522e-16, -5.62716974243113185e-16, 3.18820394374185007e-16,
    -1.81408511814595904e-16, 1.03650208295327116e-16, -5.94609520871427838e-17, 3.42447072550914101e-17, -1.9797397780318035e-17,
    1.14876490556628852e-17};
/// exp(-x) (Ei(x) - euler - log x) / x on (0, 8], in x / 4 - 1.
inline constexpr double ei_near[] = {
    0.2615285500049422327, -0.3877630821796443552, 0.2113296482559859738, -0.09200150635534549509, 0.03336360548745564954, -0.01035516449142690009,
    2.80540795342779094e-3, -6.73591510518527853e-4, 1.45095274382746168e-4, -2.832135253129519e-5, 5.0514339562246672e-6, -8.29162803181071701e-7,
    1.26019413175903363e-7, -1.78280679660441608e-8, 2.35857637737912536e-9, -2.92985912501187548e-10, 3.42979815259408271e-11,
    -3.79596225997386903e-12, 3.98355372811356402e-13, -3.97426367882001963e-14, 3.77847047343826394e-15, -3.4307818333245975e-16,
    2.98093128774772928e-17};
/// x exp(-x) Ei(x) on [8, inf), in 16 / x - 1.
inline constexpr double ei_far[] = {
    1.081585183253608266, 0.08967516617440388644, 9.325711793980356794e-3, 1.341474999409543465e-3, 4.44875081064694519e-5,
    -9.44120608773251463e-5, -3.55365086516595087e-5, 1.37640156029438751e-6, 4.70355309386701632e-6, 4.78019500234317303e-7,
    -6.45719093208487719e-7, -1.03103515814812681e-7, 1.06610083326940984e-7, 1.38534561681620282e-8, -2.04269352790995944e-8,
    -3.99461230089902053e-10, 4.07379701351064658e-9, -6.14592353724283464e-10, -7.33329208403018529e-10, 2.98348919947847356e-10,
    8.81331160471558512e-11, -9.21965259638930832e-11, 6.83974648959442921e-12, 1.98199083801657343e-11, -8.39384321507524436e-12,
    -1.91270152309248356e-12, 2.84864528567642615e-12, -6.34514951760771692e-13, -4.84830156636334319e-13, 3.77421174569768765e-13,
    -3.70097120070823442e-14, -8.65778693532130647e-14, 5.15030184233295281e-14, -8.04823988877730886e-16, -1.43205230199847346e-14,
    7.63994073328767575e-15, 1.45406008961003003e-16, -2.34302066137226977e-15, 1.25607580612185808e-15, -1.82529761697240197e-18,
    -3.83316993042462923e-16, 2.26272127642976568e-16, -1.60410578429340327e-17, -6.14903082636243173e-17, 4.3230708284967628e-17};
/// Si(x) / x on [0, 4], in x^2 / 8 - 1.
inline constexpr double si_near[] = {
    0.6842176700907579036, -0.2776578526973601892, 0.03544140548666591797, -2.563163144793397766e-3, 1.16236539049700928e-4,
    -3.59043272416060427e-6, 8.02342123705710162e-8, -1.35629976925402506e-9, 1.79440721599736776e-11, -1.90838734308714549e-13,
    1.66699895868243309e-15, -1.21730988368503042e-17};
/// (Ci(x) - euler - log x) / x^2 on (0, 4], in x^2 / 8 - 1.
inline constexpr double ci_near[] = {
    -0.1853725087545484437, 0.05893574896364446832, -5.38189642113569124e-3, 2.98600528419621353e-4, -1.09557257532162008e-5,
    2.84054548773466305e-7, -5.46973994875384912e-9, 8.12418746131815708e-11, -9.5868593117706609e-13, 9.20266004392351031e-15,
    -7.32588799901789502e-17};
/// x f(x) on [4, inf), in 32 / x^2 - 1, where Si = pi/2 - f cos - g sin and Ci = f sin - g cos.
inline constexpr double sici_f[] = {
    0.9547633884032938073, -0.0410699867196165998, 3.510547451979443043e-3, -5.17217548876852678e-4, 1.03281937785364014e-4,
    -2.51394076133823535e-5, 7.04629976674687911e-6, -2.19744838480312067e-6, 7.45500463820595838e-7, -2.70863111414949079e-7,
    1.04203231623936771e-7, -4.20842159137202806e-8, 1.77247574982250463e-8, -7.74422777800052033e-9, 3.49514063590132604e-9,
    -1.62375828243859513e-9, 7.74252836392633227e-10, -3.77990918991639865e-10, 1.88541422775122988e-10, -9.59125670597108903e-11,
    4.96829598033737124e-11, -2.61702475084618766e-11, 1.40008025494807638e-11, -7.59939190020668967e-12, 4.18092428009972091e-12,
    -2.32950319859368102e-12, 1.31346666560430411e-12, -7.48925971037386268e-13, 4.31568921526862461e-13, -2.51191356302400864e-13,
    1.47596416397773777e-13, -8.75096327036087868e-14, 5.23303947016994137e-14, -3.15496416911243873e-14, 1.91696724389434338e-14,
    -1.17344941821532787e-14, 7.23442246654717878e-15, -4.4905890308082087e-15, 2.80570286446467541e-15, -1.76402987995222099e-15,
    1.11581028795292361e-15, -7.09897850422996721e-16, 4.5418148602057039e-16, -2.92148471218043298e-16, 1.88901804717960592e-16,
    -1.22757849300212192e-16, 8.01622360496991472e-17, -5.25930646656555152e-17, 3.46624816804012235e-17, -2.294569325283646e-17,
    1.5254362665126892e-17, -1.01831516402943203e-17};
/// x^2 g(x).
inline constexpr double sici_g[] = {
    0.8841994524524333394, -0.100057885182104336, 0.01262043262080713428, -2.346216894705817544e-3, 5.51332382934603104e-4,
    -1.51950388613231844e-4, 4.70737976997583735e-5, -1.59612702655104863e-5, 5.81794854922738616e-6, -2.25088644166860874e-6,
    9.15651274360625114e-7, -3.88848055553921187e-7, 1.714194880024692e-7, -7.80937550031439503e-8, 3.66315978335342955e-8, -1.7638490416884901e-8,
    8.69617841053991772e-9, -4.38046486369286314e-9, 2.25026750388522743e-9, -1.17700015758502001e-9, 6.25954525412129707e-10,
    -3.38066678679255279e-10, 1.85219454556932203e-10, -1.02844024660400651e-10, 5.78239534846262507e-11, -3.28956795091688784e-11,
    1.89221836732882628e-11, -1.09984731387569631e-11, 6.45616458431998087e-12, -3.82535663347187581e-12, 2.28674482089788888e-12,
    -1.37854898444191035e-12, 8.37743009672746574e-13, -5.13005936007179317e-13, 3.16452003879077086e-13, -1.96575295826357865e-13,
    1.2292979596429762e-13, -7.73700448215377554e-14, 4.89964176234517022e-14, -3.12124021429634415e-14, 1.99969455701626899e-14,
    -1.28819617964368498e-14, 8.34249635073821273e-15, -5.43030977568979304e-15, 3.55215003272828901e-15, -2.3346617611104474e-15,
    1.54153872339201301e-15, -1.02239378149722192e-15, 6.81011015355301935e-16, -4.55516667209302696e-16, 3.05923982202562529e-16,
    -2.06266864748434522e-16, 1.39605357208729804e-16, -9.48382339676212501e-17, 6.46587580814897073e-17, -4.42372972257915362e-17,
    3.03683940494147808e-17, -2.09160448154004723e-17, 1.44513388525397795e-17, -1.00147423020383861e-17};
/// S(x) / x^3 on [0, 1.5], in 2 (x / 1.5)^4 - 1.
inline constexpr double fresnel_s_near[] = {
    0.3483832187052685148, -0.1575035171614116296, 0.01671598667857627531, -9.60974807887103551e-4, 3.42361275694759072e-5,
    -8.27478877286843431e-7, 1.4446076579426192e-8, -1.90647002251972667e-10, 1.96855574236806045e-12, -1.63376312757738588e-14,
    1.11361002088757489e-16};
/// C(x) / x.
inline constexpr double fresnel_c_near[] = {
    0.590051973292955482, -0.3469673946735074903, 0.05815931533841041672, -4.606081358344453569e-3, 2.08977587756115459e-4,
    -6.13004821614389494e-6, 1.25771925318985004e-7, -1.90645257363916966e-9, 2.22249680449585208e-11, -2.05483942271456168e-13,
    1.54374859343140732e-15, -9.61106897495143866e-18};
/// pi x f(x) on [1.5, inf), in 2 (1.5 / x)^4 - 1, where
/// C = 1/2 + f sin(u) - g cos(u), S = 1/2 - f cos(u) - g sin(u), u = pi x^2 / 2.
inline constexpr double fresnel_f[] = {
    0.9776714630158653194, -0.02046740636580348083, 1.572740927897037562e-3, -2.26740685551942012e-4, 4.55267274748336304e-5,
    -1.12706118058976007e-5, 3.23070562026027942e-6, -1.03332398807753546e-6, 3.60081882805913208e-7, -1.34484797510418864e-7, 5.32015022590425e-8,
    -2.20962825710013459e-8, 9.56987906287826454e-9, -4.29888713802560331e-9, 1.99431024225222592e-9, -9.52096599271447087e-10,
    4.66385756005228266e-10, -2.33836496045656854e-10, 1.19748248868651222e-10, -6.25218515809341846e-11, 3.32292868589156466e-11,
    -1.79532780873310727e-11, 9.84869721909071794e-12, -5.47980407097287956e-12, 3.08952940469857904e-12, -1.76357501066781068e-12,
    1.01845146644277574e-12, -5.94612744390522983e-13, 3.5075687823945891e-13, -2.08935069359409508e-13, 1.25610557591838839e-13,
    -7.61808832658638364e-14, 4.65889660583980039e-14, -2.87186746784149148e-14, 1.78373490112581538e-14, -1.11592003003194574e-14,
    7.02968140598775938e-15, -4.45769789793988341e-15, 2.84471908466278821e-15, -1.82646420117301696e-15, 1.17956648819214669e-15,
    -7.66083643896388742e-16, 5.00243521480951286e-16, -3.28361913989696739e-16, 2.16625535113312743e-16, -1.43607213756714097e-16,
    9.56491334685759642e-17, -6.39965220062751858e-17, 4.30069116610761109e-17, -2.90245869914107949e-17, 1.96689957474976751e-17,
    -1.33823359274887702e-17};
/// pi^2 x^3 g(x).
inline constexpr double fresnel_g[] = {
    0.9062226428918355264, -0.08149542115064914362, 9.83242418308899758e-3, -1.828096626912978352e-3, 4.36631373139763343e-4,
    -1.23181369620353962e-4, 3.91952490375092252e-5, -1.36726437909043028e-5, 5.13121349636091609e-6, -2.04452072336955956e-6,
    8.56558196413280897e-7, -3.74563245654403731e-7, 1.69985154085378399e-7, -7.96956759563507944e-8, 3.8458279035133755e-8,
    -1.90437054162277438e-8, 9.65188451100114721e-9, -4.99614439427968008e-9, 2.63644816319640513e-9, -1.41603513564506898e-9,
    7.73033774232525546e-10, -4.28416380091160722e-10, 2.40775599271085331e-10, -1.37096282769453091e-10, 7.90202023846552693e-11,
    -4.60702238149879193e-11, 2.71503512188476589e-11, -1.61634891078482561e-11, 9.71528654612639483e-12, -5.89270771858425732e-12,
    3.60503904301690039e-12, -2.22358978386711595e-12, 1.38222193491384807e-12, -8.65608303700883207e-13, 5.45933311948044901e-13,
    -3.46654660770935573e-13, 2.2154814041444894e-13, -1.42474072321039706e-13, 9.21703325099373217e-14, -5.99697360276652348e-14,
    3.92340716259057337e-14, -2.58044986118054226e-14, 1.70586340075955549e-14, -1.13326331214895443e-14, 7.56450841509304591e-15,
    -5.07251879245136735e-15, 3.41659381899345166e-15, -2.31114405742362247e-15, 1.5698755429262622e-15, -1.07066003175729316e-15,
    7.33048221315031742e-16, -5.03798726609552654e-16, 3.47517278064122655e-16, -2.40571239158180336e-16, 1.67114257086594541e-16,
    -1.16477179738595629e-16, 8.14478897498924871e-17, -5.7132199477545376e-17, 4.01962977889277908e-17, -2.83608460793518112e-17,
    2.00617557033186682e-17, -1.42218229413034753e-17, 1.00963856472324266e-17};

/// c[0] + c[1] T_1(t) + c[2] T_2(t) + ..., by Clenshaw's recurrence.
template <class Array = array, std::size_t N>
constexpr array chebyshev(const double (&c)[N], const lazy<Array>& t) {
  const array twice = t + t;
  array next = scalar_like(t, 0), sum = scalar_like(t, c[N - 1]);
  for (std::size_t i = N - 2; i > 0; --i) {
    const array s = twice * sum - next + c[i];
    next = sum;
    sum = s;
  }
  return t * sum - next + c[0];
}
/// f of the operand in f32 or f64, with the derivative slope(x, f(x)).
template <class Operand, class F, class Slope>
constexpr array integral(std::string_view operation, const Operand& x, F f, Slope slope) {
  const rule_location_scope here(x.where);
  const array v = inexact(x);
  if (v.is_none() || is_complex(v.dtype()))
    return jacquard::detail::bad_operand(x, error_kind::type, operation, ": got an operand of type ", v.is_none() ? aval() : v.aval(),
                                         "; wanted real numbers");
  const auto rule = [f, slope](const std::tuple<array>& at, const std::tuple<array>& t) {
    const array y = f(std::get<0>(at));
    return std::pair{y, std::get<0>(t) * slope(std::get<0>(at), y)};
  };
  const element_type wide{size_of(v.dtype()) == 2 ? f32 : v.dtype(), v.weak_type()};
  const array y = custom_jvp(f, rule)(jacquard::detail::as_type(v, wide, x.where));
  return jacquard::detail::as_type(y, {v.dtype(), v.weak_type()}, x.where);
}
inline constexpr double euler = 0.57721566490153286061;
inline constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// E1 of arrays, for positive x.
struct exponential_integral {
  constexpr array operator()(const auto& x) const {
    const array near = x <= 1.0, small = where(near, x, 1.0), large = where(near, 1.0, x);
    const array low = small * chebyshev(e1_near, 2.0 * small - 1.0) - euler - log(small);
    const array high = exp(-large) / large * chebyshev(e1_far, 2.0 / large - 1.0);
    return where(x >= 0.0, where(near, low, high), no_number);
  }
};
/// Ei of arrays.
struct principal_integral {
  constexpr array operator()(const auto& x) const {
    const array near = x <= 8.0, positive = x > 0.0;
    const array small = where(near & positive, x, 1.0), large = where(x > 8.0, x, 8.0);
    const array low = euler + log(small) + small * exp(small) * chebyshev(ei_near, 0.25 * small - 1.0);
    const array high = where(x == infinity, infinity, exp(large) / large * chebyshev(ei_far, 16.0 / large - 1.0));
    const array below = -exponential_integral()(where(x < 0.0, -x, 1.0));
    return where(positive, where(near, low, high), where(x == 0.0, -infinity, where(x < 0.0, below, x)));
  }
};
/// The sine (or cosine) integral of arrays.
struct trigonometric_integral {
  bool of_cosine;
  constexpr array operator()(const auto& x) const {
    const array size = abs(x), near = size <= 4.0, small = where(near, size, 1.0), square = small * small;
    const array finite = size < infinity, large = where(near | !finite, 4.0, size), inverse = where(finite, 1.0 / large, 0.0);
    const array t = 32.0 * inverse * inverse - 1.0;
    const array f = inverse * chebyshev(sici_f, t), g = inverse * inverse * chebyshev(sici_g, t);
    if (of_cosine) {
      const array low = euler + log(small) + square * chebyshev(ci_near, 0.125 * square - 1.0);
      return where(isnan(x), x, where(near, low, f * sin(large) - g * cos(large)));
    }
    const array low = small * chebyshev(si_near, 0.125 * square - 1.0), high = 0.5 * pi - f * cos(large) - g * sin(large);
    return where(isnan(x), x, where(near, low, high) * where(x < 0.0, -1.0, scalar_like(x, 1)));
  }
};
/// Sine and cosine of pi x^2 / 2: x^2 modulo 4 from its whole and its other part, which keeps the phase of large numbers.
struct quadratic_phase {
  array sine, cosine;
  constexpr explicit quadratic_phase(const auto& x) {
    const array whole = round(x), rest = x - whole;
    const array turn = 0.5 * pi * (mod(whole, 2.0) + mod(2.0 * whole * rest, 4.0) + rest * rest);
    sine = sin(turn);
    cosine = cos(turn);
  }
};
/// Fresnel's integrals S (or C) of arrays.
struct fresnel_integral {
  bool of_cosine;
  constexpr array operator()(const auto& x) const {
    const array size = abs(x), near = size <= 1.5, small = where(near, size, 1.0), square = small * small, fourth = square * square;
    const array large = where(near, 1.5, minimum(size, 1e17)), inverse = 1.0 / large, q = 1.5 * inverse, ratio = q * q;
    const array t = 2.0 * ratio * ratio - 1.0, near_t = 2.0 / (1.5 * 1.5 * 1.5 * 1.5) * fourth - 1.0;
    const array f = inverse / pi * chebyshev(fresnel_f, t), g = inverse * inverse * inverse / (pi * pi) * chebyshev(fresnel_g, t);
    const quadratic_phase u(large);
    array low, high;
    if (of_cosine) low = small * chebyshev(fresnel_c_near, near_t), high = 0.5 + f * u.sine - g * u.cosine;
    else low = small * square * chebyshev(fresnel_s_near, near_t), high = 0.5 - f * u.cosine - g * u.sine;
    return where(isnan(x), x, where(near, low, high) * where(x < 0.0, -1.0, scalar_like(x, 1)));
  }
};
/// The dilogarithm Li2(1 - x) of arrays: in u = -log x for 1/2 <= x <= 1 a series in Bernoulli numbers, elsewhere by inversion and reflection.
struct dilogarithm {
  constexpr array operator()(const auto& x) const {
    constexpr double c[] = {1.0 / 36, -1.0 / 3600, 1.0 / 211680, -1.0 / 10886400, 5.0 / 66 / 39916800, -691.0 / 2730 / 6227020800,
                            7.0 / 6 / 1307674368000, -3617.0 / 510 / 355687428096000, 43867.0 / 798 / 121645100408832000};
    const array inside = (x > 0.0) & (x < infinity), v = where(inside, x, 1.0), high = v > 2.0, inverse = where(high, 1.0 / v, v);
    const array low = inverse < 0.5, middle = where(low, 1.0 - inverse, inverse), u = -log(middle), square = u * u;
    const array series = u - 0.25 * square + u * square * polynomial(c, square), log_v = log(v);
    const array within = where(low, pi * pi / 6 + log(inverse) * u - series, series);
    const array whole = where(high, -0.5 * log_v * log_v - within, within);
    return where(inside, whole, where(x == 0.0, pi * pi / 6, where(x == infinity, scalar_like(x, -infinity), no_number)));
  }
};
/// En of arrays, n and x of one shape; n a whole number.
struct generalized_exponential_integral {
  constexpr array operator()(const auto& n, const auto& x) const {
    const array near = x <= 1.0, first = n == 0.0, order = where(first, 1.0, n);
    const array small = where(near & (x > 0.0), x, 1.0), large = where(near | (x == infinity), 1.0, x);
    const array low = series(order, small), high = exp(-large) / (large + order - fraction(order, large));
    const array at_zero = where(n > 1.0, 1.0 / where(n > 1.0, n - 1.0, 1.0), infinity);
    const array inside = where(first, exp(-x) / where(x == 0.0, 1.0, x), where(near, low, high));
    return where((x >= 0.0) & (n >= 0.0) & (floor(n) == n), where(x == 0.0, at_zero, where(x == infinity, 0.0, inside)), no_number);
  }

 private:
  /// The continued fraction 1 n / (x + n + 2 - 2 (n + 1) / (x + n + 4 - ...)), from its end (Abramowitz and Stegun 5.1.22).
  static constexpr array fraction(const auto& n, const auto& x) {
    constexpr double terms = 110;
    const auto step = [&](const array& i, const array& rest) {
      const array k = terms - jacquard::detail::as_type(i, {x.dtype(), false}, location{});
      return k * (n + k - 1.0) / (x + n + 2.0 * k - rest);
    };
    return lax::fori_loop(0, int(terms), step, x - x);
  }
  /// Abramowitz and Stegun 5.1.12.
  static constexpr array series(const auto& n, const auto& x) {
    const array sign = where(mod(n, 2.0) == 0.0, -1.0, scalar_like(x, 1)), log_x = log(x);
    array sum = sign * exp((n - 1.0) * log_x - lax::lgamma(n)) * (digamma(n) - log_x), term = scalar_like(x, 1);
    for (int k = 0; k < 20; ++k) {
      if (k > 0) term = term * x * (-1.0 / k);
      const array left_out = n == double(k + 1);
      sum = sum - where(left_out, 0.0, term / where(left_out, 1.0, double(k + 1) - n));
    }
    return sum;
  }
};

}  // namespace detail

/// The exponential integral E1(x), of exp(-t) / t from x on; infinite at 0, NaN below. Errors: type_error for complex numbers, here and below.
template <class Operand = operand>
constexpr array exp1(const lazy<Operand>& x) {
  return detail::integral("exp1", x, detail::exponential_integral(), [](const auto& v, const auto&) { return -exp(-v) / v; });
}
/// The exponential integral Ei(x), the principal value of the integral of exp(t) / t up to x; -inf at 0. Precise relative to 1 next to its zero
/// 0.3725.
template <class Operand = operand>
constexpr array expi(const lazy<Operand>& x) {
  return detail::integral("expi", x, detail::principal_integral(), [](const auto& v, const auto&) { return exp(v) / v; });
}
/// The integral En(x) of exp(-x t) / t^n from 1 on, for whole n >= 0 and x >= 0; NaN elsewhere. Differentiable in x alone.
/// Errors: shape_error. Cost: 110 trips of a loop.
template <class Operand = operand>
constexpr array expn(const lazy<Operand>& n, const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  const array given = detail::inexact(x);
  const element_type wide{size_of(given.dtype()) == 2 ? f32 : given.dtype(), given.weak_type()};
  array v[] = {jacquard::detail::as_type(lax::stop_gradient(n.value, n.where), wide, x.where), jacquard::detail::as_type(given, wide, x.where)};
  const array bad = jacquard::detail::harmonise("expn", v, x.where, false);
  if (!bad.is_none()) return bad;
  const auto value = [](const array& order, const array& at) { return detail::generalized_exponential_integral()(order, at); };
  const auto rule = [value](const std::tuple<array, array>& of, const std::tuple<array, array>& t) {
    const auto& [order, at] = of;
    const array first = order == 0.0, lower = value(where(first, 0.0, order - 1.0), at);
    return std::pair{value(order, at), std::get<1>(t) * -where(first, exp(-at) * (1.0 + 1.0 / at) / at, lower)};
  };
  return jacquard::detail::as_type(custom_jvp(value, rule)(v[0], v[1]), {given.dtype(), given.weak_type()}, x.where);
}
/// The sine integral Si(x), of sin(t) / t from 0 to x.
template <class Operand = operand>
constexpr array si(const lazy<Operand>& x) {
  return detail::integral("si", x, detail::trigonometric_integral{false}, [](const auto& v, const auto&) { return sinc(v / detail::pi); });
}
/// The cosine integral Ci(|x|), of -cos(t) / t from |x| on; -inf at 0.
template <class Operand = operand>
constexpr array ci(const lazy<Operand>& x) {
  return detail::integral("ci", x, detail::trigonometric_integral{true}, [](const auto& v, const auto&) { return cos(v) / v; });
}
struct sici_result {
  array si, ci;
};
/// Both.
template <class Operand = operand>
constexpr sici_result sici(const lazy<Operand>& x) { return {si(x), ci(x)}; }
/// Fresnel's integrals: of sin(pi t^2 / 2) and of cos(pi t^2 / 2) from 0 to x.
struct fresnel_result {
  array s, c;
};
template <class Operand = operand>
constexpr fresnel_result fresnel(const lazy<Operand>& x) {
  return {detail::integral("fresnel", x, detail::fresnel_integral{false}, [](const auto& v, const auto&) { return detail::quadratic_phase(v).sine; }),
          detail::integral("fresnel", x, detail::fresnel_integral{true}, [](const auto& v, const auto&) { return detail::quadratic_phase(v).cosine; })};
}
/// Spence's integral, of log(t) / (1 - t) from 1 to x, which is the dilogarithm of 1 - x; NaN below 0.
template <class Operand = operand>
constexpr array spence(const lazy<Operand>& x) {
  return detail::integral("spence", x, detail::dilogarithm(), [](const auto& v, const auto&) {
    // Next to 1, with all its derivatives: log v = 2 artanh r for r = (v - 1) / (v + 1), and 1 - v = -2 r / (1 - r).
    constexpr double terms[] = {1.0, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21};
    const array next = abs(v - 1.0) < 0.25, close = where(next, v, 1.0), r = (close - 1.0) / (close + 1.0), away = where(next, 2.0, v);
    return where(next, (r - 1.0) * detail::polynomial(terms, array(r * r)), log(away) / (1.0 - away));
  });
}

}  // namespace jacquard::special
