#pragma once
// Errors. A rule or operation that finds bad input builds an `error_record`; at run time it is thrown as one of the
// classes below, in constant evaluation the trace keeps the first record and `freeze` turns it into a compiler
// diagnostic. Deliberately no logging and no error codes.

#include <stdexcept>
#include <string>

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/core/location.hpp"
#include "jacquard/core/text.hpp"

#if !defined(__cpp_exceptions) && !defined(__CUDA_ARCH__)
#error "jacquard: errors are exceptions; compile without -fno-exceptions"
#endif

namespace jacquard {

/// Base of every exception the library throws.
class error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Wrong dtype, tree structure or C++ type.
class type_error : public error {
  using error::error;
};
/// Shapes that do not fit together.
class shape_error : public error {
  using error::error;
};
/// An argument outside its allowed values.
class value_error : public error {
  using error::error;
};
/// A traced value was needed as a number while tracing.
class concretization_error : public error {
  using error::error;
};
/// A deleted (donated) array was touched.
class deleted_error : public error {
  using error::error;
};
/// One or more taps threw; the first exception is nested.
class tap_error : public error {
  using error::error;
};
/// A primitive lacks the rule that a transform needs.
class not_implemented : public error {
  using error::error;
};
/// A tracer was used after its trace ended, or on another thread.
class unexpected_tracer_error : public error {
  using error::error;
};

enum class error_kind : unsigned char { none, type, shape, value, concretization, deleted, tap, not_implemented, tracer };

/// What went wrong and where, before it is thrown. Empty records mean "no error".
struct error_record {
  error_kind kind = error_kind::none;
  text message;
  location where;

  constexpr explicit operator bool() const { return kind != error_kind::none; }
};

/// The message of a record with the user's file and line at its end: the record's, or those of the equation whose rule is running.
JACQUARD_ONCE std::string placed_message(const error_record& e) {
  std::string what(e.message.view());
  const location* where = e.where.known() ? &e.where : detail::rule_location;
  if (where) what += " [" + std::string(where->file) + ":" + std::to_string(where->line) + "]";
  return what;
}
/// Throws the record as its exception class, with its placed message.
[[noreturn]] JACQUARD_ONCE void throw_error(const error_record& e) {
  const std::string what = placed_message(e);
  switch (e.kind) {
    case error_kind::shape: throw shape_error(what);
    case error_kind::value: throw value_error(what);
    case error_kind::concretization: throw concretization_error(what);
    case error_kind::deleted: throw deleted_error(what);
    case error_kind::tap: throw tap_error(what);
    case error_kind::not_implemented: throw not_implemented(what);
    case error_kind::tracer: throw unexpected_tracer_error(what);
    default: throw type_error(what);
  }
}

/// Builds a record from message parts. By value, which makes a pointer of every literal: literals of each length would be types, and
/// each message a function to compile.
template <class... Parts>
constexpr error_record make_error(error_kind kind, Parts... parts) {
  error_record r{kind, {}, {}};
  (detail::put_part(r.message, parts), ...);  // not by `cat`: each message would be two functions to compile
  return r;
}

/// Throws at once; for checks that only exist at run time.
template <class... Parts>
[[noreturn]] void raise(error_kind kind, Parts... parts) {
  throw_error(make_error(kind, parts...));
}

}  // namespace jacquard
