// float_text.hpp: floating-point numbers as decimal text, in constant evaluation and at run time alike: the
// shortest digits that read back as the same number, exactly (Steele and White's algorithm on fixed-size big
// naturals), a cut-off at a number of digits as numpy has it, and literals as Python's repr writes them. It
// deliberately does no column layout (array_text.hpp) and no reading (number_reader.hpp); it trades speed for
// one short exact path, about a microsecond per number.
#pragma once

#include "jacquard/core/compiled_once.hpp"

#include <bit>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <jacquard/core/big_natural.hpp>
#include <jacquard/core/text.hpp>

namespace jacquard {

// Values travel as double, which holds every one of these formats exactly; the kind says which neighbours a
// value has, and so how many digits are enough.
enum class float_kind : std::uint8_t { half, brain, single, double_ };

// digits[0].digits[1]digits[2]... * 10^exponent; the last digit is never 0, except in zero itself: "0",
// exponent 0.
struct decimal {
  char digits[24] = {};
  int count = 0;
  int exponent = 0;
  bool negative = false;

  constexpr std::string_view view() const { return {digits, static_cast<std::size_t>(count)}; }
};

// At most `most` digits, correctly rounded from the exact value; at least `least`, exact ones too where fewer
// would do (numpy prints float16 65504, whose shortest digits are 655, as 65504.). Counted after the decimal
// point, or from the first digit.
struct digit_limits {
  static constexpr int none = -1;
  int most = none;
  int least = none;
  bool after_point = false;
};

namespace numerals {

struct float_layout {
  int significand_bits;  // the hidden one included
  int min_exponent;      // the smallest subnormal is 2^min_exponent
  int max_exponent;      // finite values are below 2^(max_exponent + 1)
};

constexpr float_layout layout_of(float_kind kind) {
  constexpr float_layout layouts[] = {{11, -24, 15}, {8, -133, 127}, {24, -149, 127}, {53, -1074, 1023}};
  return layouts[static_cast<int>(kind)];
}

// |x| = significand * 2^exponent where one step of the significand is one step of the format. All by bits:
// -ffast-math must not change what is printed.
struct float_parts {
  std::uint64_t significand = 0;
  int exponent = 0;
  bool negative = false;
  bool is_nan = false;
  bool is_inf = false;
  bool near_below = false;  // a power of two: the next value below is half as far away as the next one above

  constexpr bool is_finite() const { return !is_nan && !is_inf; }
};

constexpr float_parts take_apart(double x, float_kind kind) {
  constexpr std::uint64_t hidden = std::uint64_t{1} << 52;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const int biased = static_cast<int>(bits >> 52) & 0x7ff;
  float_parts p;
  p.negative = (bits >> 63) != 0;
  p.significand = bits & (hidden - 1);
  p.is_nan = biased == 0x7ff && p.significand != 0;
  p.is_inf = biased == 0x7ff && p.significand == 0;
  if (biased != 0) p.significand |= hidden;
  p.exponent = (biased == 0 ? 1 : biased) - 1075;
  if (p.significand == 0 || !p.is_finite()) return p;

  const float_layout layout = layout_of(kind);
  const int top = bit_width(p.significand) - 1 + p.exponent;
  const int normal = top - (layout.significand_bits - 1);
  const int ulp = normal > layout.min_exponent ? normal : layout.min_exponent;
  const int surplus = ulp - p.exponent;  // these bits are zero in a value of this kind
  if (surplus > 0) p.significand = surplus < 64 ? p.significand >> surplus : 0;
  p.exponent = ulp;
  p.near_below = ulp > layout.min_exponent && std::has_single_bit(p.significand);
  return p;
}

// Yields the digits of a positive value one by one and knows, before each, whether the digits so far (with
// that digit, or that digit plus one) already lie between the value's neighbours. value = rest / unit *
// 10^exponent; margin / unit is half the distance to the value below.
class digit_source {
  using natural = big_natural<32>;
  natural rest_, unit_, margin_;
  int exponent_;
  bool near_below_, closed_;

 public:
  struct step {
    int digit;
    bool down_reads_back, up_reads_back;
  };

  constexpr explicit digit_source(const float_parts& p)
      : rest_(p.significand << (p.near_below ? 2 : 1)),
        unit_(1),
        margin_(1),
        near_below_(p.near_below),
        closed_(p.significand % 2 == 0) {
    // floor(log10(2^n)) for every n a double can have; the true exponent is this or one more.
    exponent_ = ((bit_width(p.significand) - 1 + p.exponent) * 78913) >> 18;
    const int twos = p.exponent - (p.near_below ? 2 : 1) - exponent_;
    if (exponent_ > 0) unit_.multiply_pow5(exponent_);
    if (exponent_ < 0) rest_.multiply_pow5(-exponent_);
    if (exponent_ < 0) margin_.multiply_pow5(-exponent_);
    shift(twos > 0 ? twos : 0, twos < 0 ? -twos : 0);
    natural ten = unit_;
    ten.multiply_add(10, 0);
    if (compare(rest_, ten) >= 0) raise();
    const int room = unit_.shift_to_divide();
    shift(room, room);
  }

  constexpr int exponent() const { return exponent_; }

  // Starts one place earlier, with a zero.
  constexpr void raise() {
    unit_.multiply_add(10, 0);
    ++exponent_;
    const int room = unit_.shift_to_divide();
    shift(room, room);
  }

  constexpr step next() {
    const int digit = rest_.divide_digit(unit_);
    const int below = compare(rest_, margin_);
    natural above = rest_;
    above.add(margin_);
    if (near_below_) above.add(margin_);
    const int over = compare(above, unit_);
    return {digit, closed_ ? below <= 0 : below < 0, closed_ ? over >= 0 : over > 0};
  }

  constexpr void advance() {
    rest_.multiply_add(10, 0);
    margin_.multiply_add(10, 0);
  }

  // What is left after the digit last taken, against one half of that digit's place: <, ==, > 0.
  constexpr int compare_to_half() const {
    natural twice = rest_;
    twice.shift_left(1);
    return compare(twice, unit_);
  }

 private:
  constexpr void shift(int above, int below) {
    rest_.shift_left(above);
    margin_.shift_left(above);
    unit_.shift_left(below);
  }
};

constexpr void round_up(decimal& d) {
  while (d.count > 0 && d.digits[d.count - 1] == '9') --d.count;
  if (d.count > 0) {
    ++d.digits[d.count - 1];
    return;
  }
  d.digits[d.count++] = '1';
  ++d.exponent;
}

constexpr void drop_zeros(decimal& d) {
  while (d.count > 0 && d.digits[d.count - 1] == '0') --d.count;
  if (d.count > 0) return;
  d.digits[d.count++] = '0';
  d.exponent = 0;
}

}  // namespace numerals

// The digits of a finite x. The last digit is the nearest one where two would read back; a cut-off exactly
// half way goes to even.
JACQUARD_ONCE constexpr decimal to_decimal(double x, float_kind kind, digit_limits limits = {}) {
  const numerals::float_parts parts = numerals::take_apart(x, kind);
  decimal d;
  d.negative = parts.negative;
  if (parts.significand == 0) {
    numerals::drop_zeros(d);
    return d;
  }
  numerals::digit_source source(parts);
  const int point = limits.after_point ? 0 : source.exponent() + 1;
  int last = source.exponent() + 1 - static_cast<int>(sizeof d.digits);
  if (limits.most >= 0 && point - limits.most > last) last = point - limits.most;
  int enough = source.exponent() + 1;
  if (limits.least >= 0 && point - limits.least < enough) enough = point - limits.least;
  if (source.exponent() < last - 1) {  // less than a tenth of the last place
    numerals::drop_zeros(d);
    return d;
  }
  if (source.exponent() < last) source.raise();
  d.exponent = source.exponent();
  for (int place = d.exponent;; --place) {
    const auto [digit, down, up] = source.next();
    d.digits[d.count++] = static_cast<char>('0' + digit);
    if (place == last || (place <= enough && (down || up))) {
      const int half = down == up ? source.compare_to_half() : (down ? -1 : 1);
      if (half > 0 || (half == 0 && digit % 2 != 0)) numerals::round_up(d);
      break;
    }
    source.advance();
  }
  numerals::drop_zeros(d);
  return d;
}

namespace numerals {

constexpr void put_exponent(text& out, int exponent, int least_digits = 2) {
  text digits;
  digits << (exponent < 0 ? -exponent : exponent);
  out << 'e' << (exponent < 0 ? '-' : '+');
  for (auto n = static_cast<int>(digits.size()); n < least_digits; ++n) out << '0';
  out << digits;
}

// The integer part, then '.', then what follows of the digits, with as many zeros as their place needs.
constexpr void put_positional(text& out, const decimal& d) {
  for (int place = d.exponent < 0 ? 0 : d.exponent; place >= 0; --place) {
    const int i = d.exponent - place;
    out << (i >= 0 && i < d.count ? d.digits[i] : '0');
  }
  out << '.';
  for (int i = d.exponent + 1; i < d.count; ++i) out << (i < 0 ? '0' : d.digits[i]);
}

}  // namespace numerals

// literal: as Python's repr, `1.0`, `1e-05`, `inf`. part: the same without `.0`, as within Python's complex
// numbers.
enum class float_style : std::uint8_t { literal, part };

constexpr void put_float(text& out, double x, float_kind kind, float_style style = float_style::literal) {
  const numerals::float_parts parts = numerals::take_apart(x, kind);
  if (parts.is_nan) {
    out << "nan";
    return;
  }
  if (parts.negative) out << '-';
  if (parts.is_inf) {
    out << "inf";
    return;
  }
  const decimal d = to_decimal(x, kind);
  if (d.exponent >= -4 && d.exponent < 16) {
    numerals::put_positional(out, d);
    if (out.back() == '.' && style == float_style::literal) out << '0';
    if (out.back() == '.') out.drop_back();
    return;
  }
  out << d.digits[0];
  if (d.count > 1) out << '.' << d.view().substr(1);
  numerals::put_exponent(out, d.exponent);
}

template <class F>
  requires(std::is_same_v<F, float> || std::is_same_v<F, double>)
constexpr void put_float(text& out, F x, float_style style = float_style::literal) {
  put_float(out, static_cast<double>(x), std::is_same_v<F, float> ? float_kind::single : float_kind::double_, style);
}

// `(1+2j)`, and `2j` where the real part is +0, as Python writes them.
constexpr void put_complex(text& out, double re, double im, float_kind kind) {
  const numerals::float_parts real = numerals::take_apart(re, kind), imag = numerals::take_apart(im, kind);
  const bool bare = real.significand == 0 && real.is_finite() && !real.negative;
  if (!bare) {
    out << '(';
    put_float(out, re, kind, float_style::part);
    if (imag.is_nan || !imag.negative) out << '+';
  }
  put_float(out, im, kind, float_style::part);
  out << (bare ? "j" : "j)");
}

}  // namespace jacquard
