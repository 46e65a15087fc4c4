#pragma once
// Devices: which exist, and which one a computation runs on. Host devices are as many as the program asks for; they share
// the machine's memory. Deliberately no placement policy.

#include "jacquard/backends/backend.hpp"
#include "jacquard/exec/dispatch_mode.hpp"
#include "jacquard/transforms/options.hpp"

namespace jacquard {

/// One device of a backend; also an option of jit.
struct device : detail::jit_option {
  std::string platform;
  int ordinal = 0;

  device() = default;
  device(std::string_view name, int n) : platform(name), ordinal(n) {}
  friend bool operator==(const device& a, const device& b) { return a.platform == b.platform && a.ordinal == b.ordinal; }
};
/// "cpu:0"
inline std::string to_string(const device& d) { return d.platform + ":" + std::to_string(d.ordinal); }

/// The backend a jitted function runs on; an option of jit.
struct backend : detail::jit_option {
  std::string name;
  explicit backend(std::string_view n) : name(n) {}
};

/// "cpu:0", of the device that an array or a tap names.
template <class T = void>
std::string to_string(device_id d) {
  detail::backend_registry& r = detail::backends();
  const detail::scoped_lock lock(r.mutex);
  for (const detail::backend_entry* e = r.first; e; e = e->next)
    if (e->number == d.backend) return e->name + ":" + std::to_string(d.ordinal);
  return "device " + std::to_string(d.ordinal);
}

/// Writes a device as to_string does.
template <class Traits, class D>
  requires(std::is_same_v<D, device> || std::is_same_v<D, device_id>) && requires(std::basic_ostream<char, Traits>& out) { out.width(); }
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const D& d) {
  return out << to_string(d);
}

namespace detail {
inline int device_count(std::string_view platform, const backend_interface& b) {
  return platform == "cpu" ? host_device_count().load() : b.device_count();
}
inline void check_ordinal(std::string_view platform, int ordinal, const backend_interface& b) {
  const int n = device_count(platform, b);
  if (ordinal < 0 || ordinal >= n)
    raise(error_kind::value, "jit: got the device ", platform, ":", ordinal, ", wanted one of the ", n, " that exist; take it from "
          "jq::devices(\"", platform, "\"), after jq::set_host_device_count for more host devices");
}
}  // namespace detail

/// Sets how many host devices devices("cpu") lists. With more than one, calls are dispatched asynchronously; see jq::set_dispatch.
/// Errors: value_error if n < 1.
inline void set_host_device_count(int n) {
  if (n < 1) raise(error_kind::value, "set_host_device_count: got ", n, ", wanted at least 1");
  detail::dispatch_mode::get().set_host_devices(n);
}

/// The devices of a platform. Errors: value_error for an unknown one.
template <class Device = device>
std::vector<Device> devices(std::string_view platform = "cpu") {
  const auto [b, number] = find_backend(platform);
  const int n = detail::device_count(platform, *b);
  std::vector<Device> r;
  for (int i = 0; i < n; ++i) r.emplace_back(platform, i);
  return r;
}

}  // namespace jacquard
