#pragma once
// Into how many pieces an array is cut along each of its dimensions, as users say it, and with_sharding_constraint, which says it of a value inside a
// function. Deliberately numbers of pieces, not names of axes of a mesh.

#include "jacquard/core/value_checks.hpp"
#include "jacquard/prims/sharding_constraint.hpp"
#include "jacquard/transforms/axes.hpp"

namespace jacquard {

/// partition_spec(2, 1): an array of rank 2 of which two devices have half of the rows each. As many pieces together as there are partitions; jq::none in
/// its place says that all devices have the whole array. Errors: value_error for a number of pieces below 1.
class partition_spec {
 public:
  template <std::integral... N>
    requires(sizeof...(N) <= std::size_t(max_rank))
  constexpr explicit partition_spec(N... pieces) : pieces_{std::int64_t(pieces)...} {
    for (std::int64_t n : pieces_)
      if (n < 1) raise(error_kind::value, "partition_spec: got ", n, " pieces, wanted at least 1 along each dimension");
  }

  constexpr const int_list& pieces() const { return pieces_; }
  constexpr std::int64_t partitions() const { return shape(pieces_).elements(); }
  constexpr bool operator==(const partition_spec&) const = default;
  /// "PartitionSpec(2, 1)"
  constexpr void put(text& out) const { out << "PartitionSpec" << pieces_; }

 private:
  int_list pieces_;
};
inline std::string to_string(const partition_spec& s) {
  text t;
  s.put(t);
  return std::string(t.view());
}
template <class Traits>
  requires requires(std::basic_ostream<char, Traits>& out) { out.width(); }
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const partition_spec& s) {
  return out << to_string(s);
}

namespace detail {

/// A partition_spec, or none; or the mark of one that does not fit.
struct wanted_parts {
  int_list pieces{};
  bool is_whole = true, fits = true;
  constexpr wanted_parts(const partition_spec& s) : pieces(s.pieces()), is_whole(false) {}
  constexpr wanted_parts(int none_or_mismatch) : fits(none_or_mismatch != mismatch) {
    if (fits && none_or_mismatch != none) raise(error_kind::value, "got ", none_or_mismatch, " where partitions are told, wanted a jq::partition_spec, or jq::none for a whole array");
  }
  constexpr std::int64_t partitions() const { return is_whole ? 1 : shape(pieces).elements(); }
};

}  // namespace detail

/// `x`, which sharded_jit cuts into these pieces at this point; jq::none says that all devices have it whole. In other compiled functions it does nothing.
/// Shapes  x -> the same.
/// Errors  not_implemented: outside of traced functions. shape_error: a specification of another rank. In sharded_jit, value_error where the pieces are not as
///         many as the partitions.
/// Rules   linear; transpose = the same for the cotangent.
template <class Array = array>
constexpr array with_sharding_constraint(const lazy<Array>& x, const std::type_identity_t<detail::wanted_parts>& spec, location where = location::current()) {
  if (!__builtin_is_constant_evaluated() && !detail::trace_of(view<const array>(&x, 1))) {
    if (detail::disabled_jits != 0) return x;
    raise(error_kind::not_implemented, "with_sharding_constraint() should only be called inside sharded_jit()");
  }
  return bind<sharding_constraint_p>({spec.pieces}, where, x);
}

}  // namespace jacquard
