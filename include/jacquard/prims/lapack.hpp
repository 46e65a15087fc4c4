#pragma once
// How functions of LAPACK are called by their Fortran names: the letter of the element type, arguments by address, lengths of
// texts at the end. Kernels call it where a backend has found one. Deliberately without a library and without its headers.

#include <utility>

#include "jacquard/core/complex.hpp"
#include "jacquard/core/list.hpp"
#include "jacquard/prims/kernel_libraries.hpp"

namespace jacquard::detail {

template <class T>
inline constexpr char lapack_letter = 'd';
template <>
inline constexpr char lapack_letter<float> = 's';
template <>
inline constexpr char lapack_letter<complex64> = 'c';
template <>
inline constexpr char lapack_letter<complex128> = 'z';

/// A function's name without its letter, for template arguments.
struct lapack_name {
  char text[12]{};
  template <std::size_t N>
  consteval lapack_name(const char (&s)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = s[i];
  }
};

/// The address of a function for elements T, looked up once; null where this thread has no LAPACK.
template <class T, lapack_name Name>
void* lapack_function() {
  if (!libraries_here || !libraries_here->lapack) return nullptr;
  static void* const found = [] {
    char name[16] = {lapack_letter<T>};
    int n = 1;
    for (const char* s = Name.text; *s; ++s) name[n++] = *s;
    name[n] = '_';
    return libraries_here->lapack(name);
  }();
  return found;
}

/// An argument as Fortran takes it: numbers by address, arrays as they are.
template <class A>
const A* fortran_argument(const A& x) {
  return &x;
}
template <class A>
A* fortran_argument(A* const& x) {
  return x;
}

/// Calls the function. `Texts` of its arguments are letters. False: there is none.
template <class T, lapack_name Name, std::size_t Texts = 0, class... A>
bool call_lapack(const A&... arguments) {
  void* const f = lapack_function<T, Name>();
  if (!f) return false;
  const auto call = [&]<std::size_t... I>(std::index_sequence<I...>) {
    reinterpret_cast<void (*)(decltype(fortran_argument(arguments))..., decltype((void)I, std::size_t())...)>(f)(
        fortran_argument(arguments)..., ((void)I, std::size_t(1))...);
  };
  call(std::make_index_sequence<Texts>{});
  return true;
}

/// Calls f(work, size) twice: to learn the size of the workspace that it wants, then with one.
template <class T, class F>
void with_workspace(F&& f) {
  T wanted{};
  f(&wanted, -1);
  double size = 0;
  if constexpr (is_complex_v<T>) size = double(wanted.re);
  else size = double(wanted);
  list<T> work(std::size_t(size) + 1);
  f(work.data(), int(work.size()));
}

/// Whether sizes are worth a library call, and fit its integers.
constexpr bool suits_lapack(std::int64_t smallest, std::int64_t elements) { return smallest >= 8 && elements < 0x7fffffff; }

/// `from`, rows x columns and row-major, into `to` column by column; or back, with rows and columns exchanged.
template <class T>
void transpose_into(const T* from, std::int64_t rows, std::int64_t columns, T* to) {
  constexpr std::int64_t block = 16;
  for (std::int64_t i0 = 0; i0 < rows; i0 += block)
    for (std::int64_t j0 = 0; j0 < columns; j0 += block) {
      const std::int64_t i1 = i0 + block < rows ? i0 + block : rows, j1 = j0 + block < columns ? j0 + block : columns;
      for (std::int64_t j = j0; j < j1; ++j)
        for (std::int64_t i = i0; i < i1; ++i) to[j * rows + i] = from[i * columns + j];
    }
}

/// The same of a square matrix in its place.
template <class T>
void transpose_square(T* a, std::int64_t n) {
  constexpr std::int64_t block = 16;
  for (std::int64_t i0 = 0; i0 < n; i0 += block)
    for (std::int64_t j0 = i0; j0 < n; j0 += block) {
      const std::int64_t i1 = i0 + block < n ? i0 + block : n, j1 = j0 + block < n ? j0 + block : n;
      for (std::int64_t i = i0; i < i1; ++i)
        for (std::int64_t j = j0 == i0 ? i + 1 : j0; j < j1; ++j) std::swap(a[i * n + j], a[j * n + i]);
    }
}

}  // namespace jacquard::detail
