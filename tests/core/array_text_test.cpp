// Arrays as numpy prints them. Every expected text of the table was written by numpy 1.24: each row starts
// with the expression whose np.array2string it is (further arguments included).
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <jacquard/core/array_text.hpp>

using jacquard::element_value;
using jacquard::print_options;
using jacquard::put_array;
using jacquard::text;
using k = jacquard::element_kind;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

struct row {
  const char* call;
  k kind;
  std::vector<std::int64_t> shape;
  std::vector<double> re, im;
  print_options options;
  const char* expected;
};

std::vector<double> zeros(std::size_t n) { return std::vector<double>(n); }

std::vector<double> iota(std::size_t n) {
  std::vector<double> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<double>(i);
  return v;
}

template <class F>
std::vector<double> map(std::vector<double> v, F f) {
  for (double& x : v) x = f(x);
  return v;
}

text print(const row& r) {
  const auto get = [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    element_value v;
    if (r.kind == k::boolean) v.b = r.re[at] != 0;
    else if (r.kind == k::integer) v.i = static_cast<std::int64_t>(r.re[at]);
    else if (r.kind == k::natural) v.u = static_cast<std::uint64_t>(r.re[at]);
    else v.re = r.re[at];
    if (!r.im.empty()) v.im = r.im[at];
    return v;
  };
  text out;
  put_array(out, r.shape, r.kind, get, r.options);
  return out;
}

// clang-format off
const std::vector<row>& table() {
  static const std::vector<row> rows = {
    {"np.array([1,2,3],np.float32)", k::single, {3}, {1, 2, 3}, {}, {}, R"([1. 2. 3.])"},
    {"np.array([8,10],np.float32)", k::single, {2}, {8, 10}, {}, {}, R"([ 8. 10.])"},
    {"np.array([0.1,0.2],np.float32)", k::single, {2}, {0.10000000149011612, 0.20000000298023224}, {}, {},
     R"([0.1 0.2])"},
    {"np.array([1e-10,1],np.float32)", k::single, {2}, {1.000000013351432e-10, 1}, {}, {}, R"([1.e-10 1.e+00])"},
    {"np.array([1e-10,1])", k::double_, {2}, {1e-10, 1}, {}, {}, R"([1.e-10 1.e+00])"},
    {"np.array([0.1])", k::double_, {1}, {0.1}, {}, {}, R"([0.1])"},
    {"np.array(3.0)", k::double_, {}, {3}, {}, {}, R"(3.)"},
    {"np.array(3.0,np.float32)", k::single, {}, {3}, {}, {}, R"(3.)"},
    {"np.array(-0.0)", k::double_, {}, {-0.0}, {}, {}, R"(-0.)"},
    {"np.array(1e10)", k::double_, {}, {10000000000}, {}, {}, R"(1.e+10)"},
    {"np.array(np.nan)", k::double_, {}, {nan}, {}, {}, R"(nan)"},
    {"np.array(-np.inf)", k::double_, {}, {-inf}, {}, {}, R"(-inf)"},
    {"np.array(0.1,np.float32)", k::single, {}, {0.10000000149011612}, {}, {}, R"(0.1)"},
    {"np.array(True)", k::boolean, {}, {1}, {}, {}, R"(True)"},
    {"np.array(False)", k::boolean, {}, {0}, {}, {}, R"(False)"},
    {"np.array(7)", k::integer, {}, {7}, {}, {}, R"(7)"},
    {"np.array(-7)", k::integer, {}, {-7}, {}, {}, R"(-7)"},
    {"np.array([True,False])", k::boolean, {2}, {1, 0}, {}, {}, R"([ True False])"},
    {"np.array([[True,True],[False,True]])", k::boolean, {2, 2}, {1, 1, 0, 1}, {}, {},
     R"([[ True  True]
 [False  True]])"},
    {"np.array([False])", k::boolean, {1}, {0}, {}, {}, R"([False])"},
    {"np.arange(3)", k::integer, {3}, {0, 1, 2}, {}, {}, R"([0 1 2])"},
    {"np.array([-1,10,100])", k::integer, {3}, {-1, 10, 100}, {}, {}, R"([ -1  10 100])"},
    {"np.array([[1,-2],[300,4]])", k::integer, {2, 2}, {1, -2, 300, 4}, {}, {},
     R"([[  1  -2]
 [300   4]])"},
    {"np.array([255,0,7],np.uint8)", k::natural, {3}, {255, 0, 7}, {}, {}, R"([255   0   7])"},
    {"np.array([-128,127],np.int8)", k::integer, {2}, {-128, 127}, {}, {}, R"([-128  127])"},
    {"np.zeros((0,))", k::double_, {0}, {}, {}, {}, R"([])"},
    {"np.zeros((0,3))", k::double_, {0, 3}, {}, {}, {}, R"([])"},
    {"np.zeros((3,0))", k::double_, {3, 0}, {}, {}, {}, R"([])"},
    {"np.zeros((2,0,2),np.int32)", k::integer, {2, 0, 2}, {}, {}, {}, R"([])"},
    {"np.zeros((2,3))", k::double_, {2, 3}, {0, 0, 0, 0, 0, 0}, {}, {},
     R"([[0. 0. 0.]
 [0. 0. 0.]])"},
    {"np.ones((2,2,2),np.float32)", k::single, {2, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 1}, {}, {},
     R"([[[1. 1.]
  [1. 1.]]

 [[1. 1.]
  [1. 1.]]])"},
    {"np.arange(24).reshape(2,3,4)", k::integer, {2, 3, 4}, iota(24), {}, {},
     R"([[[ 0  1  2  3]
  [ 4  5  6  7]
  [ 8  9 10 11]]

 [[12 13 14 15]
  [16 17 18 19]
  [20 21 22 23]]])"},
    {"np.arange(24.).reshape(2,3,4)", k::double_, {2, 3, 4}, iota(24), {}, {},
     R"([[[ 0.  1.  2.  3.]
  [ 4.  5.  6.  7.]
  [ 8.  9. 10. 11.]]

 [[12. 13. 14. 15.]
  [16. 17. 18. 19.]
  [20. 21. 22. 23.]]])"},
    {"np.arange(16).reshape(2,2,2,2)", k::integer, {2, 2, 2, 2}, iota(16), {}, {},
     R"([[[[ 0  1]
   [ 2  3]]

  [[ 4  5]
   [ 6  7]]]


 [[[ 8  9]
   [10 11]]

  [[12 13]
   [14 15]]]])"},
    {"np.arange(2.).reshape(1,1,1,2)", k::double_, {1, 1, 1, 2}, {0, 1}, {}, {}, R"([[[[0. 1.]]]])"},
    {"np.array([[[[[1.5]]]]])", k::double_, {1, 1, 1, 1, 1}, {1.5}, {}, {}, R"([[[[[1.5]]]]])"},
    {"np.array([1.5,-2.25,3])", k::double_, {3}, {1.5, -2.25, 3}, {}, {}, R"([ 1.5  -2.25  3.  ])"},
    {"np.array([-1.,2.])", k::double_, {2}, {-1, 2}, {}, {}, R"([-1.  2.])"},
    {"np.array([1e8,1])", k::double_, {2}, {100000000, 1}, {}, {}, R"([1.e+08 1.e+00])"},
    {"np.array([99999999.,1e5])", k::double_, {2}, {99999999, 100000}, {}, {}, R"([99999999.   100000.])"},
    {"np.array([99999999.,1e6],np.float32)", k::single, {2}, {100000000, 1000000}, {}, {}, R"([1.e+08 1.e+06])"},
    {"np.array([1e-4,1e-3])", k::double_, {2}, {0.0001, 0.001}, {}, {}, R"([0.0001 0.001 ])"},
    {"np.array([9.9e-5,1e-3])", k::double_, {2}, {9.9e-05, 0.001}, {}, {}, R"([9.9e-05 1.0e-03])"},
    {"np.array([1e-4],np.float32)", k::single, {1}, {9.999999747378752e-05}, {}, {}, R"([1.e-04])"},
    {"np.array([1000.,1.])", k::double_, {2}, {1000, 1}, {}, {}, R"([1000.    1.])"},
    {"np.array([1001.,1.])", k::double_, {2}, {1001, 1}, {}, {}, R"([1.001e+03 1.000e+00])"},
    {"np.array([1000.00001,1.],np.float32)", k::single, {2}, {1000, 1}, {}, {}, R"([1000.    1.])"},
    {"np.array([1000.0001,1.],np.float32)", k::single, {2}, {1000.0001220703125, 1}, {}, {},
     R"([1.0000001e+03 1.0000000e+00])"},
    {"np.array([1000.5,1.],np.float16)", k::half, {2}, {1000.5, 1}, {}, {}, R"([1.0005e+03 1.0000e+00])"},
    {"np.array([1000.,1.],np.float16)", k::half, {2}, {1000, 1}, {}, {}, R"([1000.    1.])"},
    {"np.array([123456.789,0.5,0])", k::double_, {3}, {123456.789, 0.5, 0}, {}, {},
     R"([1.23456789e+05 5.00000000e-01 0.00000000e+00])"},
    {"np.array([1e300,1e-300])", k::double_, {2}, {1e+300, 1e-300}, {}, {}, R"([1.e+300 1.e-300])"},
    {"np.array([1e100,1.])", k::double_, {2}, {1e+100, 1}, {}, {}, R"([1.e+100 1.e+000])"},
    {"np.array([-1e-100,2.5e5,0])", k::double_, {3}, {-1e-100, 250000, 0}, {}, {},
     R"([-1.0e-100  2.5e+005  0.0e+000])"},
    {"np.array([5e-324,1.7976931348623157e308])", k::double_, {2}, {5e-324, 1.7976931348623157e+308}, {}, {},
     R"([4.94065646e-324 1.79769313e+308])"},
    {"np.array([1.1754944e-38,3.4028235e38,1e-45],np.float32)", k::single, {3},
     {1.1754943508222875e-38, 3.4028234663852886e+38, 1.401298464324817e-45}, {}, {},
     R"([1.1754944e-38 3.4028235e+38 1.4012985e-45])"},
    {"np.array([65504,6e-8,0.1],np.float16)", k::half, {3},
     {65504, 5.960464477539063e-08, 0.0999755859375}, {}, {},
     R"([6.55e+04 5.96e-08 1.00e-01])"},
    {"np.array([65504,2049,12345],np.float16)", k::half, {3}, {65504, 2048, 12344}, {}, {},
     R"([65504.  2048. 12344.])"},
    {"np.array([6e-8,1.234],np.float16)", k::half, {2}, {5.960464477539063e-08, 1.234375}, {}, {},
     R"([5.960e-08 1.234e+00])"},
    {"np.array([0.1,0.2,0.3333],np.float16)", k::half, {3},
     {0.0999755859375, 0.199951171875, 0.333251953125}, {}, {},
     R"([0.1    0.2    0.3333])"},
    {"np.array([3.1415],np.float16)", k::half, {1}, {3.140625}, {}, {}, R"([3.14])"},
    {"np.array([33554448],np.float32)", k::single, {1}, {33554448}, {}, {}, R"([33554448.])"},
    {"np.array([0.1,1.2345678,1.1e9],np.float32)", k::single, {3},
     {0.10000000149011612, 1.2345677614212036, 1100000000}, {}, {},
     R"([1.0000000e-01 1.2345678e+00 1.1000000e+09])"},
    {"np.array([0.123456789012])", k::double_, {1}, {0.123456789012}, {}, {}, R"([0.12345679])"},
    {"np.array([1/3,2/3,1])", k::double_, {3}, {0.3333333333333333, 0.6666666666666666, 1}, {}, {},
     R"([0.33333333 0.66666667 1.        ])"},
    {"np.array([0.999999999999,1.5])", k::double_, {2}, {0.999999999999, 1.5}, {}, {}, R"([1.  1.5])"},
    {"np.array([9.9999999999e10,1])", k::double_, {2}, {99999999999, 1}, {}, {}, R"([1.e+11 1.e+00])"},
    {"np.array([1.00000000001,2])", k::double_, {2}, {1.00000000001, 2}, {}, {}, R"([1. 2.])"},
    {"np.array([0.30000000000000004])", k::double_, {1}, {0.30000000000000004}, {}, {}, R"([0.3])"},
    {"np.array([0.000244140625,0.0001220703125])", k::double_, {2}, {0.000244140625, 0.0001220703125}, {}, {},
     R"([0.00024414 0.00012207])"},
    {"np.array([12345678.123456789,12345678])", k::double_, {2}, {12345678.12345679, 12345678}, {}, {},
     R"([12345678.12345679 12345678.        ])"},
    {"np.array([1.123456785,1.123456775])", k::double_, {2}, {1.123456785, 1.123456775}, {}, {},
     R"([1.12345678 1.12345677])"},
    {"np.array([2.5e-9,1])", k::double_, {2}, {2.5e-09, 1}, {}, {}, R"([2.5e-09 1.0e+00])"},
    {"np.array([0.000100000005])", k::double_, {1}, {0.000100000005}, {}, {}, R"([0.0001])"},
    {"np.array([np.nan,1,np.inf])", k::double_, {3}, {nan, 1, inf}, {}, {}, R"([nan  1. inf])"},
    {"np.array([np.nan,np.nan])", k::double_, {2}, {nan, nan}, {}, {}, R"([nan nan])"},
    {"np.array([np.inf,-np.inf])", k::double_, {2}, {inf, -inf}, {}, {}, R"([ inf -inf])"},
    {"np.array([-np.inf,1])", k::double_, {2}, {-inf, 1}, {}, {}, R"([-inf   1.])"},
    {"np.array([np.inf,1])", k::double_, {2}, {inf, 1}, {}, {}, R"([inf  1.])"},
    {"np.array([np.nan,1e10])", k::double_, {2}, {nan, 10000000000}, {}, {}, R"([   nan 1.e+10])"},
    {"np.array([np.inf,-1e-10,np.nan],np.float32)", k::single, {3}, {inf, -1.000000013351432e-10, nan}, {}, {},
     R"([    inf -1.e-10     nan])"},
    {"np.array([np.nan,-np.inf,0.25,100])", k::double_, {4}, {nan, -inf, 0.25, 100}, {}, {},
     R"([   nan   -inf   0.25 100.  ])"},
    {"np.array([np.nan,12345.])", k::double_, {2}, {nan, 12345}, {}, {}, R"([   nan 12345.])"},
    {"np.array([0.,-0.])", k::double_, {2}, {0, -0.0}, {}, {}, R"([ 0. -0.])"},
    {"np.array([1+2j,3.5-4j])", k::complex_double, {2}, {1, 3.5}, {2, -4}, {}, R"([1. +2.j 3.5-4.j])"},
    {"np.array([1+2j,3-4j],np.complex64)", k::complex_single, {2}, {1, 3}, {2, -4}, {}, R"([1.+2.j 3.-4.j])"},
    {"np.array(1+2j)", k::complex_double, {}, {1}, {2}, {}, R"(1.+2.j)"},
    {"np.array([0.1+0.2j,-1e-10+1j],np.complex64)", k::complex_single, {2},
     {0.10000000149011612, -1.000000013351432e-10}, {0.20000000298023224, 1}, {},
     R"([ 1.e-01+0.2j -1.e-10+1.j ])"},
    {"np.array([1e10+1j,1-1e-10j])", k::complex_double, {2}, {10000000000, 1}, {1, -1e-10}, {},
     R"([1.e+10+1.e+00j 1.e+00-1.e-10j])"},
    {"np.array([complex(np.nan,1),complex(1,np.inf),complex(-np.inf,np.nan)])", k::complex_double, {3},
     {nan, 1, -inf}, {1, inf, nan}, {},
     R"([ nan +1.j   1.+infj -inf+nanj])"},
    {"np.array([complex(0,-0.),complex(-0.,0)])", k::complex_double, {2}, {0, -0.0}, {-0.0, 0}, {},
     R"([ 0.-0.j -0.+0.j])"},
    {"np.array([[1j,2.25],[-3.125j,4]])", k::complex_double, {2, 2}, {0, 2.25, -0.0, 4}, {1, 0, -3.125, 0}, {},
     R"([[ 0.  +1.j     2.25+0.j   ]
 [-0.  -3.125j  4.  +0.j   ]])"},
    {"np.array([np.nan+0j])", k::complex_double, {1}, {nan}, {0}, {}, R"([nan+0.j])"},
    {"np.array([0.1j,0.25j,10j])", k::complex_double, {3}, {0, 0, 0}, {0.1, 0.25, 10}, {},
     R"([0. +0.1j  0. +0.25j 0.+10.j  ])"},
    {"np.arange(20)*1000", k::integer, {20}, map(iota(20), [](double x) { return x * 1000; }), {}, {},
     R"([    0  1000  2000  3000  4000  5000  6000  7000  8000  9000 10000 11000
 12000 13000 14000 15000 16000 17000 18000 19000])"},
    {"np.arange(30)", k::integer, {30}, iota(30), {}, {},
     R"([ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
 24 25 26 27 28 29])"},
    {"np.arange(40.)", k::double_, {40}, iota(40), {}, {},
     R"([ 0.  1.  2.  3.  4.  5.  6.  7.  8.  9. 10. 11. 12. 13. 14. 15. 16. 17.
 18. 19. 20. 21. 22. 23. 24. 25. 26. 27. 28. 29. 30. 31. 32. 33. 34. 35.
 36. 37. 38. 39.])"},
    {"np.arange(20.)/8", k::double_, {20}, map(iota(20), [](double x) { return x / 8; }), {}, {},
     R"([0.    0.125 0.25  0.375 0.5   0.625 0.75  0.875 1.    1.125 1.25  1.375
 1.5   1.625 1.75  1.875 2.    2.125 2.25  2.375])"},
    {"np.arange(40)%3==0", k::boolean, {40},
     map(iota(40), [](double x) { return std::int64_t(x) % 3 == 0 ? 1. : 0.; }), {}, {},
     R"([ True False False  True False False  True False False  True False False
  True False False  True False False  True False False  True False False
  True False False  True False False  True False False  True False False
  True False False  True])"},
    {"np.arange(80).reshape(2,40)", k::integer, {2, 40}, iota(80), {}, {},
     R"([[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
  24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39]
 [40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63
  64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79]])"},
    {"np.arange(60.).reshape(1,2,30)", k::double_, {1, 2, 30}, iota(60), {}, {},
     R"([[[ 0.  1.  2.  3.  4.  5.  6.  7.  8.  9. 10. 11. 12. 13. 14. 15. 16.
   17. 18. 19. 20. 21. 22. 23. 24. 25. 26. 27. 28. 29.]
  [30. 31. 32. 33. 34. 35. 36. 37. 38. 39. 40. 41. 42. 43. 44. 45. 46.
   47. 48. 49. 50. 51. 52. 53. 54. 55. 56. 57. 58. 59.]]])"},
    {"np.arange(18.)*1e-7", k::double_, {18}, map(iota(18), [](double x) { return x * 1e-7; }), {}, {},
     R"([0.0e+00 1.0e-07 2.0e-07 3.0e-07 4.0e-07 5.0e-07 6.0e-07 7.0e-07 8.0e-07
 9.0e-07 1.0e-06 1.1e-06 1.2e-06 1.3e-06 1.4e-06 1.5e-06 1.6e-06 1.7e-06])"},
    {"np.arange(10)*(1+0.5j)", k::complex_double, {10}, iota(10), {0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5}, {},
     R"([0.+0.j  1.+0.5j 2.+1.j  3.+1.5j 4.+2.j  5.+2.5j 6.+3.j  7.+3.5j 8.+4.j
 9.+4.5j])"},
    {"np.arange(30)*1j", k::complex_double, {30}, zeros(30), iota(30), {},
     R"([0. +0.j 0. +1.j 0. +2.j 0. +3.j 0. +4.j 0. +5.j 0. +6.j 0. +7.j 0. +8.j
 0. +9.j 0.+10.j 0.+11.j 0.+12.j 0.+13.j 0.+14.j 0.+15.j 0.+16.j 0.+17.j
 0.+18.j 0.+19.j 0.+20.j 0.+21.j 0.+22.j 0.+23.j 0.+24.j 0.+25.j 0.+26.j
 0.+27.j 0.+28.j 0.+29.j])"},
    {"np.arange(8)+0.123456789", k::double_, {8},
     {0.123456789, 1.123456789, 2.123456789, 3.123456789, 4.123456789, 5.123456789, 6.123456789, 7.123456789}, {}, {},
     R"([0.12345679 1.12345679 2.12345679 3.12345679 4.12345679 5.12345679
 6.12345679 7.12345679])"},
    {"np.arange(1001)", k::integer, {1001}, iota(1001), {}, {}, R"([   0    1    2 ...  998  999 1000])"},
    {"np.arange(1001.)", k::double_, {1001}, iota(1001), {}, {}, R"([   0.    1.    2. ...  998.  999. 1000.])"},
    {"np.arange(2000.)-5", k::double_, {2000}, map(iota(2000), [](double x) { return x - 5; }), {}, {},
     R"([  -5.   -4.   -3. ... 1992. 1993. 1994.])"},
    {"np.arange(2000).reshape(2,1000)", k::integer, {2, 1000}, iota(2000), {}, {},
     R"([[   0    1    2 ...  997  998  999]
 [1000 1001 1002 ... 1997 1998 1999]])"},
    {"np.arange(2000.).reshape(1000,2)", k::double_, {1000, 2}, iota(2000), {}, {},
     R"([[0.000e+00 1.000e+00]
 [2.000e+00 3.000e+00]
 [4.000e+00 5.000e+00]
 ...
 [1.994e+03 1.995e+03]
 [1.996e+03 1.997e+03]
 [1.998e+03 1.999e+03]])"},
    {"np.arange(10000).reshape(100,100)", k::integer, {100, 100}, iota(10000), {}, {},
     R"([[   0    1    2 ...   97   98   99]
 [ 100  101  102 ...  197  198  199]
 [ 200  201  202 ...  297  298  299]
 ...
 [9700 9701 9702 ... 9797 9798 9799]
 [9800 9801 9802 ... 9897 9898 9899]
 [9900 9901 9902 ... 9997 9998 9999]])"},
    {"np.arange(2000).reshape(2,10,100)", k::integer, {2, 10, 100}, iota(2000), {}, {},
     R"([[[   0    1    2 ...   97   98   99]
  [ 100  101  102 ...  197  198  199]
  [ 200  201  202 ...  297  298  299]
  ...
  [ 700  701  702 ...  797  798  799]
  [ 800  801  802 ...  897  898  899]
  [ 900  901  902 ...  997  998  999]]

 [[1000 1001 1002 ... 1097 1098 1099]
  [1100 1101 1102 ... 1197 1198 1199]
  [1200 1201 1202 ... 1297 1298 1299]
  ...
  [1700 1701 1702 ... 1797 1798 1799]
  [1800 1801 1802 ... 1897 1898 1899]
  [1900 1901 1902 ... 1997 1998 1999]]])"},
    {"np.arange(1500).reshape(5,300)", k::integer, {5, 300}, iota(1500), {}, {},
     R"([[   0    1    2 ...  297  298  299]
 [ 300  301  302 ...  597  598  599]
 [ 600  601  602 ...  897  898  899]
 [ 900  901  902 ... 1197 1198 1199]
 [1200 1201 1202 ... 1497 1498 1499]])"},
    {"np.arange(1200)%2==0", k::boolean, {1200},
     map(iota(1200), [](double x) { return std::int64_t(x) % 2 == 0 ? 1. : 0.; }), {}, {},
     R"([ True False  True ... False  True False])"},
    {"np.arange(1200)*1j", k::complex_double, {1200}, zeros(1200), iota(1200), {},
     R"([0.+0.000e+00j 0.+1.000e+00j 0.+2.000e+00j ... 0.+1.197e+03j 0.+1.198e+03j
 0.+1.199e+03j])"},
    {"(np.arange(1200)-600)*0.1", k::double_, {1200},
     map(iota(1200), [](double x) { return (x - 600) * 0.1; }), {}, {},
     R"([-60.  -59.9 -59.8 ...  59.7  59.8  59.9])"},
    {"np.arange(30), threshold=30", k::integer, {30}, iota(30), {}, {.threshold = 30},
     R"([ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
 24 25 26 27 28 29])"},
    {"np.arange(31), threshold=30", k::integer, {31}, iota(31), {}, {.threshold = 30},
     R"([ 0  1  2 ... 28 29 30])"},
    {"np.arange(20), threshold=10", k::integer, {20}, iota(20), {}, {.threshold = 10},
     R"([ 0  1  2 ... 17 18 19])"},
    {"np.arange(100.).reshape(10,10), threshold=50, edgeitems=2", k::double_, {10, 10},
     iota(100), {}, {.threshold = 50, .edge_items = 2},
     R"([[ 0.  1. ...  8.  9.]
 [10. 11. ... 18. 19.]
 ...
 [80. 81. ... 88. 89.]
 [90. 91. ... 98. 99.]])"},
    {"np.arange(7), threshold=5", k::integer, {7}, {0, 1, 2, 3, 4, 5, 6}, {}, {.threshold = 5},
     R"([0 1 2 ... 4 5 6])"},
    {"np.array([1/3,2/3,1e-3]), precision=3", k::double_, {3},
     {0.3333333333333333, 0.6666666666666666, 0.001}, {}, {.precision = 3},
     R"([0.333 0.667 0.001])"},
    {"np.array([0.005,1.5]), precision=2", k::double_, {2}, {0.005, 1.5}, {}, {.precision = 2}, R"([0.01 1.5 ])"},
    {"np.array([0.005,1.5],np.float32), precision=2", k::single, {2},
     {0.004999999888241291, 1.5}, {}, {.precision = 2},
     R"([0.  1.5])"},
    {"np.array([0.5,1.5,2.5]), precision=0", k::double_, {3}, {0.5, 1.5, 2.5}, {}, {.precision = 0},
     R"([0. 2. 2.])"},
    {"np.array([1/3,1e10]), precision=3", k::double_, {2},
     {0.3333333333333333, 10000000000}, {}, {.precision = 3},
     R"([3.333e-01 1.000e+10])"},
    {"np.array([1/3,2]), precision=17", k::double_, {2}, {0.3333333333333333, 2}, {}, {.precision = 17},
     R"([0.3333333333333333 2.                ])"},
    {"np.arange(12), max_line_width=20", k::integer, {12}, iota(12), {}, {.line_width = 20},
     R"([ 0  1  2  3  4  5
  6  7  8  9 10 11])"},
    {"np.arange(12.).reshape(2,6), max_line_width=20", k::double_, {2, 6}, iota(12), {}, {.line_width = 20},
     R"([[ 0.  1.  2.  3.
   4.  5.]
 [ 6.  7.  8.  9.
  10. 11.]])"},
    {"np.array([123456,1]), max_line_width=4", k::integer, {2}, {123456, 1}, {}, {.line_width = 4},
     R"([123456
      1])"},
    {"np.array([0.0004]), precision=2", k::double_, {1}, {0.0004}, {}, {.precision = 2}, R"([0.])"},
    {"np.array([1e-3,3e10],np.float32), precision=20", k::single, {2},
     {0.0010000000474974513, 30000001024}, {}, {.precision = 20},
     R"([1.e-03 3.e+10])"},
    {"np.arange(20), threshold=10, edgeitems=1", k::integer, {20},
     iota(20), {}, {.threshold = 10, .edge_items = 1},
     R"([ 0 ... 19])"},
    {"np.array([0.05,-0.05]), precision=1", k::double_, {2}, {0.05, -0.05}, {}, {.precision = 1}, R"([ 0.1 -0.1])"},
    {"np.arange(81).reshape(3,3,3,3), threshold=10, edgeitems=1", k::integer, {3, 3, 3, 3},
     iota(81), {}, {.threshold = 10, .edge_items = 1},
     R"([[[[ 0 ...  2]
   ...
   [ 6 ...  8]]

  ...

  [[18 ... 20]
   ...
   [24 ... 26]]]


 ...


 [[[54 ... 56]
   ...
   [60 ... 62]]

  ...

  [[72 ... 74]
   ...
   [78 ... 80]]]])"},
    {"np.arange(60.).reshape(5,3,4), threshold=10, edgeitems=2", k::double_, {5, 3, 4},
     iota(60), {}, {.threshold = 10, .edge_items = 2},
     R"([[[ 0.  1.  2.  3.]
  [ 4.  5.  6.  7.]
  [ 8.  9. 10. 11.]]

 [[12. 13. 14. 15.]
  [16. 17. 18. 19.]
  [20. 21. 22. 23.]]

 ...

 [[36. 37. 38. 39.]
  [40. 41. 42. 43.]
  [44. 45. 46. 47.]]

 [[48. 49. 50. 51.]
  [52. 53. 54. 55.]
  [56. 57. 58. 59.]]])"},
  };
  return rows;
}
// clang-format on

template <std::size_t N>
constexpr text print(k kind, const std::array<double, N>& values) {
  text out;
  put_array(out, std::array<int, 1>{static_cast<int>(N)}, kind,
            [&](std::int64_t i) { return element_value{.re = values[static_cast<std::size_t>(i)]}; });
  return out;
}

constexpr text print_scalar(k kind, const element_value& value) {
  text out;
  put_array(out, std::array<int, 0>{}, kind, [&](std::int64_t) { return value; });
  return out;
}

constexpr text print_square(k kind) {
  text out;
  put_array(out, std::array<int, 2>{2, 2}, kind, [](std::int64_t i) {
    return element_value{.re = double(i), .im = 0.5, .i = i - 2, .u = std::uint64_t(i), .b = i % 2 == 0};
  });
  return out;
}

// In constant evaluation.
static_assert(print<3>(k::single, {1, 2, 3}) == "[1. 2. 3.]");
static_assert(print<2>(k::single, {0.1f, 0.2f}) == "[0.1 0.2]");
static_assert(print<2>(k::double_, {1e-10, 1}) == "[1.e-10 1.e+00]");
static_assert(print<4>(k::double_, {nan, -inf, 0.25, 100}) == "[   nan   -inf   0.25 100.  ]");
static_assert(print<2>(k::double_, {5e-324, 1.7976931348623157e308}) == "[4.94065646e-324 1.79769313e+308]");
static_assert(print_square(k::integer) == "[[-2 -1]\n [ 0  1]]");
static_assert(print_square(k::natural) == "[[0 1]\n [2 3]]");
static_assert(print_square(k::boolean) == "[[ True False]\n [ True False]]");
static_assert(print_square(k::complex_single) == "[[0.+0.5j 1.+0.5j]\n [2.+0.5j 3.+0.5j]]");
static_assert(print_scalar(k::double_, {.re = 3}) == "3.");
static_assert(print_scalar(k::boolean, {.b = true}) == "True");

}  // namespace

TEST_CASE("arrays print as numpy prints them") {
  CHECK(table().size() >= 60);
  for (const row& r : table()) {
    INFO(std::string(r.call));
    CHECK(std::string(print(r)) == std::string(r.expected));
  }
}

TEST_CASE("the extreme integers print") {
  CHECK(print_scalar(k::integer, {.i = std::numeric_limits<std::int64_t>::min()}) == "-9223372036854775808");
  CHECK(print_scalar(k::natural, {.u = std::numeric_limits<std::uint64_t>::max()}) == "18446744073709551615");
}

// numpy has no bfloat16; the rules are float32's with bfloat16's own shortest digits.
TEST_CASE("bfloat16 prints its own shortest digits") {
  CHECK(print<3>(k::brain, {0.10009765625, 1, 3.140625}) == "[0.1  1.   3.14]");
  CHECK(print<2>(k::brain, {0x1.fep127, 1}) == "[3.39e+38 1.00e+00]");
  CHECK(print<2>(k::brain, {1000, 1}) == "[1000.    1.]");
  CHECK(print<1>(k::brain, {0x1p-133}) == "[9.e-41]");
}

TEST_CASE("an array of ones wraps at any width") {
  const row wide{"", k::double_, {4}, {1, 1, 1, 1}, {}, {.line_width = 1}, ""};
  CHECK(print(wide) == "[1.\n 1.\n 1.\n 1.]");
}
