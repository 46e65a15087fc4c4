// Eight devices, a thread each, 1e5 taps per device from nested transforms, by both deliveries: nothing lost, nothing
// reordered, and, in the build with the thread sanitizer, no race.
#include "../show.hpp"

#include <thread>

using jq::array;

namespace {

constexpr int device_count = 8, chain = 25, runs = 2000;  // 2 * chain taps a run: values and cotangents

struct counts {
  std::int64_t primals = 0, cotangents = 0, out_of_order = 0;
  double last = -1;
};

/// Runs vmap(grad(f)) inside jit on one device; its taps count and check their order.
void run_program(const jq::device& d, counts& c) {
  const auto see = [&c](const array& v, const jq::tap_context& t) {
    const bool transposed = t.transforms.size() > 1;
    ++(transposed ? c.cotangents : c.primals);
    if (transposed) return;
    const double value = v.data<double>()[0];
    if (value != c.last + 1) ++c.out_of_order;
    c.last = value;
  };
  const auto f = [&](const array& x) {
    array y = x;
    for (int i = 0; i < chain; ++i) y = jq::id_tap(see, y) + 1.0;
    return y * y;
  };
  const auto program = jq::jit([&](const array& x) { return jq::jit(jq::vmap(jq::grad(f)))(x); }, d);
  for (int i = 0; i < runs; ++i) program(jq::asarray({double(i) * chain, 1.0, 2.0}));
}

void check_everything_arrives() {
  jq::set_host_device_count(device_count);
  std::vector<counts> all(device_count);
  std::vector<std::thread> threads;
  const auto devices = jq::devices("cpu");
  for (std::size_t d = 0; d < device_count; ++d) threads.emplace_back([&, d] { run_program(devices[d], all[d]); });
  for (std::thread& t : threads) t.join();
  jq::barrier_wait();
  for (const counts& c : all) {
    CHECK(c.primals == chain * runs);
    CHECK(c.cotangents == chain * runs);
    CHECK(c.out_of_order == 0);
  }
  jq::set_host_device_count(1);
}

}  // namespace

TEST_CASE("stress: direct delivery") { check_everything_arrives(); }
TEST_CASE("stress: delivery by outfeed, through small rings") {
  jq::outfeed_receiver rx{jq::outfeed_capacity(1 << 16)};
  check_everything_arrives();
  rx.close();
}
