// Threads that take no signals.
#include <jacquard/backends/quiet_thread.hpp>
#include <jacquard/backends/work_queue.hpp>

#include <doctest/doctest.h>

namespace {
bool takes(int signal) {
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  return sigismember(&blocked, signal) == 0;
}
void* look(void* taken) {
  *static_cast<bool*>(taken) = takes(SIGUSR1) || takes(SIGINT) || takes(SIGTERM);
  return taken;
}
struct looking : jacquard::detail::queued_work {
  explicit looking(bool& t) : taken(t) {}
  void run() override { look(&taken); }
  bool& taken;
};
}  // namespace

TEST_CASE("threads of the library: signals go to the others") {
  REQUIRE(takes(SIGUSR1));
  bool taken = true;
  pthread_t id;
  REQUIRE(jacquard::detail::start_quiet_thread(id, look, &taken));
  void* result = nullptr;
  pthread_join(id, &result);
  CHECK(result == &taken);
  CHECK(!taken);
  CHECK(takes(SIGUSR1));  // here, as before
}
TEST_CASE("threads of the library: those of queues") {
  static jacquard::detail::work_queue& queue = *new jacquard::detail::work_queue(jacquard::detail::work_queue::at_fork::finish);  // never destroyed
  bool taken = true;
  REQUIRE(queue.add(jacquard::make_ref<looking>(taken)));
  queue.wait();
  CHECK(!taken);
}
