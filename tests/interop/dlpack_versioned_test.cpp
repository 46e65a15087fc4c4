// DLPack 1.0: tensors with a version and flags, whichever header is installed.
#include "dlpack_1_0/dlpack.h"

#include <jacquard/interop/dlpack.hpp>

#include <thread>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

namespace jacquard {}  // keeps this file alone: others include the installed header
namespace jq = jacquard;

namespace {

struct foreign {
  std::int64_t shape[2] = {2, 2}, strides[2] = {2, 1};
  int deleted = 0;
  DLManagedTensorVersioned tensor{};

  foreign(float* data, std::uint32_t major, std::uint64_t flags) {
    tensor.version = {major, 7};
    tensor.flags = flags;
    tensor.manager_ctx = this;
    tensor.deleter = [](DLManagedTensorVersioned* self) { ++static_cast<foreign*>(self->manager_ctx)->deleted; };
    tensor.dl_tensor = {data, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, strides, 0};
  }
};

}  // namespace

TEST_CASE("versioned: exported with version and read-only flag, sharing memory") {
  const jq::array x = jq::asarray({1.f, 2.f});
  DLManagedTensorVersioned* t = jq::to_dlpack_versioned(x);
  CHECK(t->version.major == 1);
  CHECK(t->version.minor == 0);
  CHECK((t->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0);
  CHECK(t->dl_tensor.data == x.data<float>().data());
  CHECK(x.as_buffer()->references == 2);
  std::thread([t] { t->deleter(t); }).join();
  CHECK(x.as_buffer()->references == 1);
}
TEST_CASE("versioned: imports take over, read-only ones too, and are never written to") {
  for (const std::uint64_t flags : {0, 1}) {
    float data[] = {1, 2, 3, 4};
    foreign f(data, 1, flags);
    {
      const jq::array x = jq::from_dlpack(&f.tensor);
      CHECK(x.data<float>().data() == data);
      const jq::array y = jq::jit([](const jq::array& a) { return a + 1.f; }, jq::donate_argnums<0>)(x);
      CHECK(y.data<float>()[3] == 5);
      CHECK(f.deleted == 0);
    }
    CHECK(f.deleted == 1);
    CHECK(data[3] == 4);
  }
}
TEST_CASE("versioned: another major version is refused and stays the caller's") {
  float data[] = {1, 2, 3, 4};
  foreign f(data, 2, 0);
  CHECK_THROWS_WITH_AS(jq::from_dlpack(&f.tensor), doctest::Contains("got a tensor of DLPack version 2, wanted version 1"), jq::value_error);
  CHECK(f.deleted == 0);
}
TEST_CASE("versioned: a round trip, booleans with their code") {
  const jq::array x = jq::asarray({true, false});
  DLManagedTensorVersioned* t = jq::to_dlpack_versioned(x);
  CHECK(t->dl_tensor.dtype.code == kDLBool);
  const jq::array y = jq::from_dlpack(t);
  CHECK(y.data<bool>().data() == x.data<bool>().data());
}
