#pragma once
// The number of a device. Deliberately nothing but numbers: names of backends are the business of backends/backend.hpp.

#include <cstdint>

namespace jacquard {

/// Where a buffer lives: a backend's number and a device ordinal. {0, 0} is host memory of the first CPU device.
struct device_id {
  std::uint16_t backend = 0;
  std::uint16_t ordinal = 0;
  constexpr bool operator==(const device_id&) const = default;
};

}  // namespace jacquard
