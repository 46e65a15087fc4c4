#pragma once
// What the tests of the user's vocabulary share: errors that must name the user's line, and programs traced by the compiler.

#include <cmath>
#include <limits>

#include "../show.hpp"

namespace testing {

inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Empty if f throws an Error whose message contains all of `parts`; else what happened instead.
template <class Error, class F>
std::string wrong_error(F&& f, const std::vector<std::string>& parts) {
  try {
    f();
  } catch (const Error& e) {
    for (const std::string& part : parts)
      if (std::string_view(e.what()).find(part) == std::string_view::npos)
        return "the message lacks \"" + part + "\": " + e.what();
    return "";
  } catch (const std::exception& e) {
    return std::string("another type of error: ") + e.what();
  }
  return "no error";
}
/// The expression throws an Error that says all of the given parts and names this line.
#define CHECK_ERROR(Error, expression, ...)                                                              \
  CHECK(testing::wrong_error<Error>([&] { (void)(expression); },                                         \
                                    {__VA_ARGS__, "_test.cpp:" + std::to_string(__LINE__)}) == "")
/// The same without the line.
#define CHECK_ERROR_ANYWHERE(Error, expression, ...) \
  CHECK(testing::wrong_error<Error>([&] { (void)(expression); }, {__VA_ARGS__}) == "")

/// The number of equations of f traced on zeros, in constant evaluation too; -1 if tracing finds an error.
template <class F>
constexpr int traced(F f, const jq::shape& dims, jq::dtype t = jq::f32) {
  const jq::closed_jaxpr p = jq::make_jaxpr(f)(jq::zeros(dims, t));
  return p.problem ? -1 : int(p->equations.size());
}

/// The largest difference of two arrays, as f64.
inline double distance(const jq::array& a, const jq::array& b) {
  return jq::max(jq::abs(jq::ravel(a).astype(jq::f64) - jq::ravel(b).astype(jq::f64))).item<double>();
}

}  // namespace testing

using jq::array;
using jq::asarray;
using testing::distance;
using testing::inf;
using testing::not_a_number;
using testing::traced;
