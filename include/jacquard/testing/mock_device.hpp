#pragma once
// A backend for tests: the interpreter behind another name, with as many devices as asked for, which delivers taps by outfeed,
// counts what runs and fails on command. Deliberately without kernels of its own.

#include <atomic>

#include "jacquard/backends/interpreter/eager.hpp"
#include "jacquard/exec/devices.hpp"

namespace jacquard::testing {

/// What the devices of the backend "mock" do.
struct mock_state {
  std::atomic<int> device_count = 4;
  std::atomic<int> compiled = 0, runs = 0;
  std::atomic<bool> fail_next_run = false;
  std::atomic<bool> direct_taps = false;
};
inline mock_state& mock() {
  static mock_state s;
  return s;
}

class mock_executable final : public executable {
 public:
  explicit mock_executable(ref<executable> real) : real_(std::move(real)) {}
  std::vector<array> run(std::span<const array> arguments, const location& where) override {
    ++mock().runs;
    if (mock().fail_next_run.exchange(false)) raise(error_kind::value, "mock device: this run was told to fail");
    return real_->run(arguments, where);
  }
  text as_text() const override { return real_->as_text(); }

 private:
  ref<executable> real_;
};

class mock_backend final : public backend_interface {
 public:
  std::string_view name() const override { return "mock"; }
  int device_count() const override { return mock().device_count; }
  ref<executable> compile(const closed_jaxpr& program, const compile_options& options) override {
    ++mock().compiled;
    return make_ref<mock_executable>(interpreter_->compile(program, options));
  }
  tap_delivery delivery() const override { return mock().direct_taps ? tap_delivery::direct : tap_delivery::outfeed; }
  void* stream(int ordinal) override { return &streams_[ordinal % 8]; }

 private:
  ref<backend_interface> interpreter_ = jacquard::detail::make_interpreter();
  int streams_[8] = {};
};

/// Device `n` of the backend "mock", which the first call registers: jq::jit(f, jq::testing::mock_device(2)).
inline device mock_device(int n = 0) {
  static const bool registered = [] {
    register_backend("mock", [] { return ref<backend_interface>(make_ref<mock_backend>()); });
    return true;
  }();
  (void)registered;
  return {"mock", n};
}

}  // namespace jacquard::testing
