#pragma once
// exp, log, tanh and erf of vectors, as functions in LLVM IR: within 4 ulp like those of libmvec, and faster. NaN, infinities, signed
// zeros and denormal numbers get what the C library gives them, without branches: one formula holds everywhere. AVX-512 has instructions that
// take numbers apart, elsewhere that is done on their bits, and one that gives each lane coefficients of its own out of a register. Deliberately for
// processors with fused products and sums only, and for no other function.

#include <bit>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "jacquard/backends/cpu/concat.hpp"

namespace jacquard::cpu::detail {

constexpr bool has_vector_function(std::string_view name) { return name == "exp" || name == "log" || name == "tanh" || name == "erf"; }
/// Whether it takes less time than that of libmvec: without the instructions of AVX-512 most took 1.1 to 2.5 times as long, tanh 0.65.
constexpr bool is_fast_vector_function(std::string_view name, int bytes) { return has_vector_function(name) && (bytes == 64 || name != "erf"); }

/// How they are called: half of the vector registers are as before after it. They need no more than the others, and their callers have much to keep.
/// It is there for Intel's OpenCL, in LLVM 14 to 20 alike.
inline constexpr const char* calling_convention = "intel_ocl_bicc ";
/// The same for vectors of so many bytes, where registers have `full`; the usual one for those that are not one register: LLVM clears the upper halves
/// of all registers where a function ends that neither takes nor returns whole ones, those too that it has just restored.
constexpr const char* calling_convention_for(int bytes, int full) { return bytes == full && bytes >= 32 ? calling_convention : ""; }

/// "<elements>".
inline std::string in_angles(std::string_view elements) { return concat({"<", elements, ">"}); }
/// "<count x element>".
inline std::string text_of_vector(std::int64_t count, std::string_view element) { return concat({"<", std::to_string(count), " x ", element, ">"}); }

/// A function as text, and what it calls.
struct vector_function {
  std::string name;  ///< without the @
  std::vector<std::string> texts;
};

/// erf of t > 0 as polynomials about k w, the nearest whole multiple of a width: c_nk (t - k w)^n in row n, column k, as many columns as
/// a register of AVX-512 has lanes. Relative errors: 6e-17 and 2e-8. Where the last column of doubles ends, what its first number was rounded by is made
/// good by the third, so that erf is one from there on.
struct erf_pieces {
  static constexpr double width = 0.796875, single_width = 0.25390625;
  static constexpr double limit = 5.95, single_limit = 3.93;  ///< from where on erf t rounds to one
  static constexpr double terms[16][8] = {
    {0, 0.7402369841174793, 0.9757977205900913, 0.9992773915094418, 0.999993449849224, 0.9999999824694816, 0.9999999999863626, 0.9999999999999969},
    {1.1283791670955126, 0.5979623254177838, 0.08898772635666967, 0.0037189807023429557, 4.364708704085382e-05, 1.43854724681164e-07,
     1.3314673504152595e-10, 3.460783532354689e-14},
    {-9.042478762283125e-18, -0.4765012280673298, -0.14182418888093337, -0.008890688241537908, -0.00013912508994299617, -5.731711686313562e-07,
     -6.366078274855387e-10, -1.9265533870121165e-13},
    {-0.3761263890318358, 0.05382050227160887, 0.1210256252337518, 0.012929874150841581, 0.0002810917871146578, 1.4745343418212658e-06,
     1.984805203616431e-09, 7.063570221483381e-13},
    {-1.233320672760271e-13, 0.13738963631965895, -0.0491675654823462, -0.012491677448845209, -0.0004016150056968978, -2.7464918305340307e-06,
     -4.5327222561234145e-09, -1.905724070664402e-12},
    {0.11283791671428849, -0.05993909726488261, -0.0049633645738667315, 0.008066204314814533, 0.00042773159617583536, 3.934861049359522e-06,
     8.073389870798912e-09, 4.040236519239152e-12},
    {-1.0948423638577747e-10, -0.020715913861343395, 0.01574813828444395, -0.003096642572091086, -0.00034736748789955123, -4.493589376616313e-06,
     -1.1658242922062525e-08, -7.0041687949686135e-12},
    {-0.026866168995813452, 0.018987783488926116, -0.0059892738285892665, 0.00019459264852295186, 0.00021451167571060324, 4.1785984788925405e-06,
     1.4003752673585956e-08, 1.0201044202013415e-11},
    {-1.700312377350887e-08, 0.0006564073396756452, -0.0009882512351851564, 0.0005472666303590136, -9.650305642349044e-05, -3.1993671092232777e-06,
     -1.4240572996697198e-08, -1.2723515694163255e-11},
    {0.005224101119835737, -0.0038083102632943126, 0.0015145874914013297, -0.0003285731346955897, 2.6645760378425754e-05, 2.020265627208905e-06,
     1.2407737746876461e-08, 1.3786381823094311e-11},
    {-6.411762176225247e-07, 0.000490182049633116, -0.00030706598450159345, 5.9808838973525324e-05, 1.6882353475295568e-07,
     -1.0410786164130345e-06, -9.334486799969688e-09, -1.3137044111725992e-11},
    {-0.0008524494001046879, 0.0005521730838747129, -0.00015887103354413233, 2.7773145779965116e-05, -4.458412304362292e-06,
     4.2362429836590394e-07, 6.0833943254964094e-09, 1.1085131801749228e-11},
    {-6.258906371656391e-06, -0.0001470653481880945, 8.857897282064783e-05, -2.014017424175975e-05, 2.3474415297554453e-06,
     -1.2390254734518019e-07, -3.4241252064403724e-09, -8.163609034523459e-12},
    {0.00013176525800958567, -5.9869628071948866e-05, 7.397263491446102e-07, 3.4709481855023383e-06, -5.201540312916435e-07,
     1.6065137070184186e-08, 1.6663764207245165e-09, 5.370159523857689e-12},
    {-1.2655902559547963e-05, 2.4119805035456477e-05, -1.1282521439881685e-05, 1.51855988004349e-06, -9.009676992991139e-08, 8.468244434362163e-09,
     -7.225543045457181e-10, -3.850506586032215e-12},
    {-7.702109167256964e-06, 4.710538593057493e-06, 2.1311170573387947e-06, -8.471378853519816e-07, 9.514420247390468e-08, -6.009296037847634e-09,
     2.3558564182101855e-10, 2.262910758415138e-12}};
  static constexpr double single_terms[6][16] = {
    {0, 0.280463, 0.52733845, 0.7186238, 0.84908605, 0.92740816, 0.9687964, 0.9880475, 0.9959292, 0.99876946, 0.9996703, 0.9999218, 0.9999836,
     0.99999696, 0.9999995, 0.99999994},
    {1.1283792, 1.0579298, 0.87189066, 0.63164157, 0.40223777, 0.22516376, 0.110794336, 0.04792257, 0.018220747, 0.006089697, 0.0017890761,
     0.00046202514, 0.00010488326, 2.0929105e-05, 3.6711265e-06, 5.660563e-07},
    {2.4229928e-07, -0.2686092, -0.4427498, -0.48112953, -0.40852362, -0.2858556, -0.16879097, -0.085176036, -0.03701087, -0.013915469,
     -0.0045421887, -0.001290205, -0.00031947446, -6.905127e-05, -1.3040988e-05, -2.1539788e-06},
    {-0.37614036, -0.30719703, -0.14075372, 0.033768978, 0.1425207, 0.16687779, 0.134496, 0.08495103, 0.04404614, 0.019170243, 0.0070927124,
     0.002248543, 0.00061405246, 0.00014499766, 2.9687373e-05, 5.278147e-06},
    {0.0002699101, 0.12756054, 0.1821263, 0.14690259, 0.063946314, -0.010121043, -0.045737345, -0.046911016, -0.032401275, -0.017337704,
     -0.0075541995, -0.0027457047, -0.00084409985, -0.00022142043, -4.985609e-05, -9.6614385e-06},
    {0.11103405, 0.07994252, 0.0058522345, -0.054297235, -0.06823117, -0.044611156, -0.012386298, 0.007808902, 0.013017602, 0.010016855,
     0.00549912, 0.0023727615, 0.0008372151, 0.00024662685, 6.1414336e-05, 1.3250804e-05}};
};

/// Writes the functions of one type of numbers, for vectors of so many bytes: 64 with AVX-512, else fewer. `is_pair`: for two such vectors at once,
/// as one of twice the lanes.
class vector_function_writer {
 public:
  vector_function_writer(bool is_single, int bytes, bool is_pair = false)
      : is_single_(is_single), takes_apart_(bytes == 64), is_pair_(is_pair), lanes_((is_pair ? 2 : 1) * bytes / (is_single ? 4 : 8)) {}

  /// One of those there are.
  vector_function write(std::string_view name) {
    const number result = name == "exp" ? exp("%x") : name == "log" ? log("%x") : name == "tanh" ? tanh("%x") : erf("%x");
    vector_function f{concat({"jq.", name, suffix(), is_pair_ ? ".2" : ""}), std::move(called_)};
    f.texts.push_back(concat({"define internal ", calling_convention, type(), " @", f.name, "(", type(), " %x) #2 {\n", code_, "  ret ", type(), " ", result, "\n}"}));
    return f;
  }

 private:
  using number = std::string;  // a register or a constant
  using numbers = std::initializer_list<double>;

  // --- text ---
  std::string suffix() const { return is_single_ ? ".f32" : ".f64"; }
  std::string element() const { return is_single_ ? "float" : "double"; }
  std::string type() const { return text_of_vector(lanes_, element()); }
  number set(std::initializer_list<std::string_view> instruction) {
    const number r = concat({"%", std::to_string(++registers_)});
    code_ += concat({"  ", r, " = "});
    for (std::string_view p : instruction) code_ += p;
    code_ += '\n';
    return r;
  }
  /// The vector whose lane i is of(i).
  template <class F>
  number each(F&& of) const {
    std::string r = "<";
    for (int i = 0; i < lanes_; ++i) {
      const double v = of(i);
      char bits[24];
      std::snprintf(bits, sizeof bits, "0x%016llX", static_cast<unsigned long long>(std::bit_cast<std::uint64_t>(is_single_ ? double(float(v)) : v)));
      r += concat({i ? ", " : "", element(), " ", bits});
    }
    return concat({r, ">"});
  }
  number of(double v) const { return each([v](int) { return v; }); }
  number binary(const char* instruction, const number& a, const number& b) { return set({instruction, " ", type(), " ", a, ", ", b}); }
  number add(const number& a, const number& b) { return binary("fadd", a, b); }
  number subtract(const number& a, const number& b) { return binary("fsub", a, b); }
  number multiply(const number& a, const number& b) { return binary("fmul", a, b); }
  number negated(const number& x) { return set({"fneg ", type(), " ", x}); }
  number divide(const number& a, const number& b) { return binary("fdiv", a, b); }
  /// a b + c, rounded once.
  number fused(const number& a, const number& b, const number& c) { return intrinsic("fma", {a, b, c}); }
  number magnitude(const number& x) { return intrinsic("fabs", {x}); }
  number with_sign(const number& size, const number& sign) { return intrinsic("copysign", {size, sign}); }
  number intrinsic(const char* name, std::initializer_list<number> x) {
    const std::string f = concat({"@llvm.", name, ".v", std::to_string(lanes_), is_single_ ? "f32" : "f64"});
    std::string types, operands;
    for (const number& a : x) types += (types.empty() ? "" : ", ") + type(), operands += concat({operands.empty() ? "" : ", ", type(), " ", a});
    called_.push_back(concat({"declare ", type(), " ", f, "(", types, ")"}));
    return set({"call ", type(), " ", f, "(", operands, ")"});
  }
  /// On where a comparison of a and b holds, else off.
  number where(const char* how, const number& a, const number& b, const number& on, const number& off) {
    const number which = set({"fcmp ", how, " ", type(), " ", a, ", ", b});
    return set({"select <", std::to_string(lanes_), " x i1> ", which, ", ", type(), " ", on, ", ", type(), " ", off});
  }
  /// The smaller or the larger one; x where that is NaN.
  number limited(const char* how, double limit, const number& x) {
    const number l = of(limit);
    return where(how, l, x, l, x);
  }
  /// What `usual` gives where a condition, which asks for nothing else, holds in all lanes, and else what `any` gives. Once in a function. Lanes that
  /// nobody reads may hold anything, so that the decision is frozen.
  template <class Usual, class Any>
  number where_all(const std::string& condition, Usual&& usual, Any&& any) {
    const std::string bits = concat({"i", std::to_string(lanes_)}), mask = set({"bitcast ", flags_type(), " ", condition, " to ", bits});
    code_ += concat({"  br i1 ", set({"freeze i1 ", set({"icmp eq ", bits, " ", mask, ", -1"})}), ", label %usual, label %any\nusual:\n"});
    const number a = usual();
    code_ += "  br label %both\nany:\n";
    const number b = any();
    code_ += "  br label %both\nboth:\n";
    return set({"phi ", type(), " [ ", a, ", %usual ], [ ", b, ", %any ]"});
  }
  std::string flags_type() const { return text_of_vector(lanes_, "i1"); }
  std::string is(const char* how, const number& x, double limit) { return set({"fcmp ", how, " ", type(), " ", x, ", ", of(limit)}); }
  number at_most(double limit, const number& x) { return limited("olt", limit, x); }
  number at_least(double limit, const number& x) { return limited("ogt", limit, x); }
  /// An instruction of AVX-512 on all lanes, under its name in LLVM. `last` are its operands after the first one, with their types.
  number instruction(const std::string& name, const number& x, const std::vector<std::pair<std::string, std::string>>& last) {
    const std::string f = concat({"@llvm.x86.avx512.mask.", name, is_single_ ? ".ps.512" : ".pd.512"});
    std::string types = type(), operands = concat({type(), " ", x});
    for (const auto& [t, v] : last) types += concat({", ", t}), operands += concat({", ", t.rfind("i32", 0) == 0 ? "i32" : t, " ", v});
    called_.push_back(concat({"declare ", type(), " ", f, "(", types, ")"}));
    return set({"call ", type(), " ", f, "(", operands, ")"});
  }
  std::pair<std::string, std::string> all_lanes() const { return {is_single_ ? "i16" : "i8", "-1"}; }
  static std::pair<std::string, std::string> rounding_as_set() { return {"i32 immarg", "4"}; }
  /// x 2^k for a whole number k, rounded once, where x is near one or NaN.
  number scaled(const number& x, const number& k) {
    if (takes_apart_) return instruction("scalef", x, {{type(), k}, {type(), "zeroinitializer"}, all_lanes(), rounding_as_set()});
    const number sum = fused(k, of(0.5), shift()), rest = add(subtract(k, subtract(sum, shift())), shift());  // 2^k alone may be no normal number
    return multiply(multiply(x, power_of_two(sum)), power_of_two(rest));
  }
  /// What a number is added to, so that the sum has no bits below one and ends in its nearest whole number k, above the bias of exponents.
  number shift() const { return of(is_single_ ? 0x1.8p23 + 127 : 0x1.8p52 + 1023); }
  /// The same without the bias.
  number whole_shift() const { return of(is_single_ ? 0x1.8p23 : 0x1.8p52); }
  /// 2^k of such a sum, for exponents of normal numbers.
  number power_of_two(const number& sum) { return as_number(integers("shl", as_bits(sum), mantissa_bits())); }

  // --- bits ---
  int mantissa_bits() const { return is_single_ ? 23 : 52; }
  std::string bits_type() const { return text_of_vector(lanes_, is_single_ ? "i32" : "i64"); }
  std::string as_bits(const number& x) { return set({"bitcast ", type(), " ", x, " to ", bits_type()}); }
  number as_number(const std::string& bits) { return set({"bitcast ", bits_type(), " ", bits, " to ", type()}); }
  std::string integers(const char* instruction, const std::string& bits, std::int64_t by) {
    std::string all;
    for (int i = 0; i < lanes_; ++i) all += concat({i ? ", " : "<", is_single_ ? "i32 " : "i64 ", std::to_string(by)});
    return set({instruction, " ", bits_type(), " ", bits, ", ", all, ">"});
  }
  /// The bits of a number of this type.
  std::int64_t pattern(double x) const { return is_single_ ? std::int64_t(std::bit_cast<std::uint32_t>(float(x))) : std::bit_cast<std::int64_t>(x); }

  /// x = 2^exponent significand.
  struct parts {
    number exponent, significand;
  };
  /// With a significand in [3/4, 3/2). By the instructions of AVX-512 it is NaN for x < 0, and exponents of 0 and infinity are infinite; by bits
  /// the parts of numbers that are not positive and finite have no meaning.
  parts apart(const number& x, bool is_normal = false) {
    if (takes_apart_) {
      const number m = instruction("getmant", x, {{"i32 immarg", "11"}, {type(), "zeroinitializer"}, all_lanes(), rounding_as_set()});
      const auto exponent = [&](const number& y) { return instruction("getexp", y, {{type(), "zeroinitializer"}, all_lanes(), rounding_as_set()}); };
      return {subtract(exponent(x), exponent(m)), m};
    }
    const double least = least_normal(), up = is_single_ ? 25 : 54, bias = is_single_ ? 127 : 1023, unit = is_single_ ? 0x1p23 : 0x1p52;
    const number normal = is_normal ? x : where("olt", x, of(least), multiply(x, of(is_single_ ? 0x1p25 : 0x1p54)), x);
    const std::string from_low = integers("add", as_bits(normal), pattern(1) - pattern(0.75));
    const std::string above = integers("or", integers("lshr", from_low, mantissa_bits()), pattern(unit));  // that many above 2^23 or 2^52
    const number m = as_number(integers("add", integers("and", from_low, (std::int64_t(1) << mantissa_bits()) - 1), pattern(0.75)));
    return {subtract(as_number(above), is_normal ? of(unit + bias) : where("olt", x, of(least), of(unit + bias + up), of(unit + bias))), m};
  }
  double least_normal() const { return is_single_ ? 0x1p-126 : 0x1p-1022; }

  /// The sum of c_nk z^n, by Horner's rule, in each lane with the k that the low bits of its number in `which` are.
  template <std::size_t rows, std::size_t columns>
  number polynomial(const number& z, const std::string& which, const double (&c)[rows][columns]) {
    const std::string f = concat({"@llvm.x86.avx512.permvar.", is_single_ ? "sf" : "df", ".512"});
    called_.push_back(concat({"declare ", type(), " ", f, "(", type(), ", ", bits_type(), ")"}));
    const auto chosen = [&](std::size_t n) {
      return set({"call ", type(), " ", f, "(", type(), " ", each([&](int k) { return c[n][k]; }), ", ", bits_type(), " ", which, ")"});
    };
    number r = chosen(rows - 1);
    for (std::size_t n = rows - 1; n-- > 0;) r = fused(r, z, chosen(n));
    return r;
  }
  /// The sum of c_k z^k. AVX-512 has it by Horner's rule. Elsewhere fewer such chains, each product of which waits for the one before, find room in a
  /// processor at once, and one of even and one of odd powers is half as long: exp of doubles took 0.7 of the time. The first terms, which decide
  /// about the last bit, are summed one by one everywhere.
  number polynomial(const number& z, numbers c) {
    constexpr std::ptrdiff_t apart = 2, fewest = 6;
    const double* k = c.end();
    number r;
    if (!takes_apart_ && c.end() - c.begin() >= fewest) {
      const number square = multiply(z, z);
      number chains[2] = {of(k[-1]), of(k[-2])};
      int last = 1;
      for (k -= 2; k - c.begin() > apart;) last = 1 - last, chains[last] = fused(chains[last], square, of(*--k));
      r = fused(chains[1 - last], z, chains[last]);
    } else r = of(*--k);
    while (k != c.begin()) r = fused(r, z, of(*--k));
    return r;
  }

  // --- the functions ---
  // The limits of arguments are kept by instructions that hand a NaN on. Polynomials and their quotients have the smallest largest relative error,
  // which is named beside them, and were found by Lawson's weights in 60 digits.

  /// 2^k exp(r) with k = round(x / ln 2), r = x - k ln 2, ln 2 in two parts. Beyond the limits the result is 0 or infinite as it is at them. Where
  /// no instruction scales, one product does if all results are normal numbers.
  number exp(const number& given) {
    const auto limited = [&] { return at_least(is_single_ ? -104 : -746, at_most(is_single_ ? 89 : 710, given)); };
    if (takes_apart_) return exp(limited(), true);
    const double most = is_single_ ? 87 : 708;
    return where_all(is("olt", magnitude(given), most), [&] { return exp(given, false); }, [&] { return exp(limited(), true); });
  }
  number exp(const number& x, bool any_size) {
    const number sum = fused(x, of(1.4426950408889634), shift()), k = subtract(sum, shift());
    const double high = is_single_ ? 0.693145751953125 : 0.6931471805598903, low = is_single_ ? 1.4286068203094173e-06 : 5.497923018708371e-14;
    const number r = fused(k, of(-low), fused(k, of(-high), x));
    const number terms = is_single_ ? polynomial(r, {1, 1, 0.49999994, 0.166665196, 0.0416683927, 0.00836884044, 0.00138148502})  // 3e-9
                                    : polynomial(r, {1, 1, 0.5000000000000011, 0.16666666666666408, 0.04166666666652788, 0.00833333333349665,  // 4e-18
                                                     0.0013888888944303005, 0.0001984126950348756, 2.4801492337241795e-05, 2.755758766212967e-06,
                                                     2.7630540298467333e-07, 2.500011886572883e-08});
    return any_size ? scaled(terms, k) : multiply(terms, power_of_two(sum));
  }
  /// Where no instruction takes numbers apart, that is less work for normal ones, if all are such.
  number log(const number& x) {
    if (takes_apart_) return log_of(apart(x));
    const double infinite = std::numeric_limits<double>::infinity();
    const auto any = [&] {
      const number finite = log_of(apart(x)), others = where("oeq", x, of(0), of(-infinite), of(std::numeric_limits<double>::quiet_NaN()));
      return where("ogt", x, of(0), where("olt", x, of(infinite), finite, x), others);
    };
    const std::string is_normal = set({"and ", flags_type(), " ", is("oge", x, least_normal()), ", ", is("olt", x, infinite)});
    return where_all(is_normal, [&] { return log_of(apart(x, true)); }, any);
  }
  /// x = 2^e (1 + f): log x = e ln 2 + f - s (f - r), where s = f / (2 + f) and 2 artanh s = 2 s + s r. Source: Tang, "Table-driven implementation of
  /// the logarithm function in IEEE floating-point arithmetic", 1990, without its table.
  number log_of(const parts& of_x) {
    const number f = add(of_x.significand, of(-1));
    const number s = divide(f, add(of_x.significand, of(1))), z = multiply(s, s);
    const number terms = is_single_ ? polynomial(z, {0.666669488, 0.399575323, 0.303664774})  // 3e-9
                                    : polynomial(z, {0.6666666666667286, 0.399999999960891, 0.28571429407669185, 0.2222213752208978, 0.18186395328234814,  // 2e-17
                                                     0.15249415138284136, 0.15374137226867768});
    const number near = fused(negated(s), fused(negated(z), terms, f), f);
    return fused(of_x.exponent, of(0.6931471805599453), near);
  }
  /// e / (e + 2) with e = exp(2 x) - 1, which keeps its bits near zero and cannot make more than 1. With k = round(2 x / ln 2) and r = x - k ln 2 / 2:
  /// e = 2^k q - (1 - 2^k) for q = exp(2 r) - 1; where k = 0 that is q, a zero of either sign too.
  number tanh(const number& given) {
    const double end = is_single_ ? 10 : 20;
    const number x = at_least(-end, at_most(end, given)), sum = fused(x, of(2 * 1.4426950408889634), shift());
    const number r = fused(subtract(sum, shift()), of(-0.5 * 0.6931471805599453), x);
    const number q = multiply(r, is_single_ ? polynomial(r, {2, 1.99999988, 1.33332038, 0.666674256, 0.267814696, 0.088889055})  // 1e-8
                                            : polynomial(r, {2, 2.000000000000002, 1.3333333333333248, 0.6666666666651587, 0.2666666666687666,  // 2e-17
                                                             0.0888888891697977, 0.025396825223243515, 0.006349185008521978, 0.001410939685972355,
                                                             0.00028289575537394636, 5.130656744370836e-05}));
    const number scale = power_of_two(sum), e = fused(scale, q, negated(subtract(of(1), scale)));
    return divide(e, add(e, of(2)));
  }
  /// Where an instruction chooses coefficients, by erf_pieces, in half the time. Elsewhere 1 - erf t = 2^-g for t = |x|, g = t p(t): where erf t is
  /// near 1, errors of g hardly count. With k = round(g) and r = k - g, erf t = 1 - 2^-k - 2^-k q for q = 2^r - 1.
  number erf(const number& x) {
    if (takes_apart_) {
      using pieces = erf_pieces;
      const double width = is_single_ ? pieces::single_width : pieces::width;
      const number t = at_most(is_single_ ? pieces::single_limit : pieces::limit, magnitude(x)), sum = fused(t, of(1 / width), whole_shift());
      const number z = fused(subtract(sum, whole_shift()), of(-width), t);
      return with_sign(is_single_ ? polynomial(z, as_bits(sum), pieces::single_terms) : polynomial(z, as_bits(sum), pieces::terms), x);
    }
    const number t = at_most(is_single_ ? 3.95 : 5.95, magnitude(x));
    const number g = multiply(t, is_single_ ? polynomial(t, {1.62790704, 0.918447614, 0.148277134, -0.0276322532, -0.000231022233, 0.00240466581,  // 4e-9
                                                             -0.000912816846, 0.000169674924, -1.33490603e-05})
                                            : divide(polynomial(t, {1.627907028611115, 3.6408041102952153, 3.8530481646727064, 2.4742307421660046, 1.039760966000092,  // 2e-18
                                                                     0.2885049585407826, 0.05047823061216985, 0.004861516035856661, 0.00017072142446230123}),
                                                       polynomial(t, {1, 1.6723042986621186, 1.3322958545297254, 0.6328560300433096, 0.18884874157468287,
                                                                      0.03442962867739666, 0.003367305352439682, 0.00011835609655244679})));
    const number sum = subtract(shift(), g), r = subtract(negated(subtract(sum, shift())), g);
    const number q = multiply(r, is_single_ ? polynomial(r, {0.693147182, 0.240226492, 0.0555035733, 0.00961823761, 0.0013390847, 0.000154035588})  // 1e-8
                                            : polynomial(r, {0.6931471805599453, 0.24022650695910097, 0.05550410866482123, 0.009618129107606893,  // 2e-17
                                                             0.0013333558146532607, 0.00015403530441769807, 1.5252733700433158e-05, 1.3215442547727069e-06,
                                                             1.0178121515213599e-07, 7.072597035918538e-09, 4.4455252590862576e-10}));
    const number scale = power_of_two(sum);
    return with_sign(fused(negated(scale), q, subtract(of(1), scale)), x);
  }

  bool is_single_, takes_apart_, is_pair_;
  int lanes_, registers_ = 0;
  std::string code_;
  std::vector<std::string> called_;
};

}  // namespace jacquard::cpu::detail
