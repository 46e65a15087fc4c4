#pragma once
// Which libraries of foreign kernels the thread may use: a backend names them while it runs a program, and kernels that know how
// to call one ask here. Deliberately an interface without a library; without one every kernel is a loop of our own.

#include <cstdint>

namespace jacquard::detail {

struct product_library;
struct transform_library;
struct convolution_library;
class held_operands;

/// Finds a library, or null, when the first kernel asks for it.
using product_source = const product_library* (*)();
using transform_source = const transform_library* (*)();
using convolution_source = const convolution_library* (*)();
/// Finds a function of LAPACK (or of a BLAS) by its Fortran name, such as "dpotrf_"; null: it is not there.
using lapack_source = void* (*)(const char* name);

/// The libraries of one backend; null where it has none.
struct kernel_libraries {
  product_source products = nullptr;
  lapack_source lapack = nullptr;
  transform_source transforms = nullptr;
  convolution_source convolutions = nullptr;
  held_operands* held = nullptr;  ///< forms of the constants of the program, for libraries that want others
};

/// Those of the program that this thread runs; null outside of programs, and in functions of the host that they call.
inline constinit thread_local const kernel_libraries* libraries_here = nullptr;

/// Lets this thread use libraries, or none, until the scope ends.
class library_scope {
 public:
  explicit library_scope(const kernel_libraries* l) : before_(libraries_here) { libraries_here = l; }
  library_scope(const library_scope&) = delete;
  ~library_scope() { libraries_here = before_; }

 private:
  const kernel_libraries* before_;
};

}  // namespace jacquard::detail
