#pragma once
// Operations for tests of texts that hold names: they return what they get, and differ in their names.
#include <jacquard/jacquard.hpp>

/// Base of a struct P that adds a name.
template <class P>
struct identity_named : jacquard::elementwise<P, jacquard::inexact, 1> {
  template <class T>
  static constexpr T apply(T v) { return v; }
};
