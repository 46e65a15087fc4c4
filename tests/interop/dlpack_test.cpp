// DLPack: the layout of exported tensors, shared memory both ways, deleters, strides and offsets, every dtype, bad input.
#include <jacquard/interop/dlpack.hpp>

#include <atomic>
#include <complex>
#include <thread>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

namespace {

/// A foreign tensor that counts the calls of its deleter.
struct foreign {
  std::vector<std::int64_t> shape, strides;
  std::atomic<int> deleted{0};
  DLManagedTensor tensor{};

  foreign(void* data, DLDataType type, std::vector<std::int64_t> dims, std::vector<std::int64_t> steps = {})
      : shape(std::move(dims)), strides(std::move(steps)) {
    DLTensor& t = tensor.dl_tensor;
    t.data = data;
    t.device = {kDLCPU, 0};
    t.ndim = int(shape.size());
    t.dtype = type;
    t.shape = shape.data();
    t.strides = strides.empty() ? nullptr : strides.data();
    tensor.manager_ctx = this;
    tensor.deleter = [](DLManagedTensor* self) { ++static_cast<foreign*>(self->manager_ctx)->deleted; };
  }
};

constexpr DLDataType f32_type{kDLFloat, 32, 1};

template <class E>
std::string message(DLManagedTensor* t) {
  try {
    jq::from_dlpack(t);
  } catch (const E& e) {
    return e.what();
  }
  return "no error";
}
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("an exported tensor shares the memory of the array and describes it") {
  const jq::array x = jq::asarray({{1.f, 2.f, 3.f}, {4.f, 5.f, 6.f}});
  DLManagedTensor* t = jq::to_dlpack(x);
  CHECK(t->dl_tensor.data == x.data<float>().data());
  CHECK(t->dl_tensor.device.device_type == kDLCPU);
  CHECK(t->dl_tensor.ndim == 2);
  CHECK(t->dl_tensor.shape[0] == 2);
  CHECK(t->dl_tensor.shape[1] == 3);
  CHECK(t->dl_tensor.strides[0] == 3);
  CHECK(t->dl_tensor.strides[1] == 1);
  CHECK(t->dl_tensor.byte_offset == 0);
  CHECK(t->dl_tensor.dtype.code == kDLFloat);
  CHECK(t->dl_tensor.dtype.bits == 32);
  CHECK(t->dl_tensor.dtype.lanes == 1);
  CHECK(x.as_buffer()->references == 2);
  t->deleter(t);
  CHECK(x.as_buffer()->references == 1);
}

TEST_CASE("an exported tensor outlives the array and may be deleted on any thread") {
  DLManagedTensor* t = jq::to_dlpack(jq::asarray({7.0, 8.0}));
  CHECK(static_cast<double*>(t->dl_tensor.data)[1] == 8.0);
  std::thread([t] { t->deleter(t); }).join();
}

TEST_CASE("rank 0, literals and empty arrays") {
  DLManagedTensor* scalar = jq::to_dlpack(jq::array(2.5));
  CHECK(scalar->dl_tensor.ndim == 0);
  CHECK(*static_cast<double*>(scalar->dl_tensor.data) == 2.5);
  scalar->deleter(scalar);

  const jq::array back = jq::from_dlpack(jq::to_dlpack(jq::zeros({0, 3})));
  CHECK(back.shape() == jq::shape{0, 3});
  CHECK(back.dtype() == jq::f32);
}

TEST_CASE("a round trip shares memory and calls the deleter once") {
  const jq::array x = jq::asarray({1.f, 2.f});
  {
    const jq::array y = jq::from_dlpack(jq::to_dlpack(x));
    CHECK(y.data<float>().data() == x.data<float>().data());
    const jq::array z = y;
    CHECK(x.as_buffer()->references == 2);
  }
  CHECK(x.as_buffer()->references == 1);
}

TEST_CASE("an import takes over the tensor without a copy") {
  std::vector<float> data{1, 2, 3, 4, 5, 6};
  foreign f(data.data(), f32_type, {2, 3});
  {
    const jq::array x = jq::from_dlpack(&f.tensor);
    CHECK(x.data<float>().data() == data.data());
    CHECK(x.shape() == jq::shape{2, 3});
    const jq::array y = jq::jit([](jq::array a) { return a + 1.f; })(x);
    CHECK(y.data<float>()[5] == 7.f);
    CHECK(f.deleted == 0);
  }
  CHECK(f.deleted == 1);
  CHECK(data[5] == 6.f);
}

TEST_CASE("the last handle may go on another thread") {
  std::vector<float> data(4, 1.f);
  foreign f(data.data(), f32_type, {4});
  std::thread([x = jq::from_dlpack(&f.tensor)]() mutable { x = jq::array(); }).join();
  CHECK(f.deleted == 1);
}

TEST_CASE("strides of dimensions of size 1 do not matter") {
  std::vector<float> data{1, 2, 3};
  foreign f(data.data(), f32_type, {1, 3, 1}, {77, 1, -5});
  CHECK(jq::from_dlpack(&f.tensor).data<float>().data() == data.data());
}

TEST_CASE("other layouts are copied and the deleter runs at once") {
  std::vector<float> data{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  SUBCASE("column-major") {
    foreign f(data.data(), f32_type, {3, 4}, {1, 3});
    const jq::array x = jq::from_dlpack(&f.tensor);
    CHECK(f.deleted == 1);
    CHECK(x.data<float>()[1] == 3.f);
    CHECK(x.data<float>()[4] == 1.f);
    CHECK(x.data<float>()[11] == 11.f);
  }
  SUBCASE("backwards, every second element, from an offset") {
    foreign f(data.data(), f32_type, {4}, {-2});
    f.tensor.dl_tensor.byte_offset = 10 * sizeof(float);
    const jq::array x = jq::from_dlpack(&f.tensor);
    const auto e = x.data<float>();
    CHECK(std::vector<float>(e.begin(), e.end()) == std::vector<float>{10, 8, 6, 4});
  }
  SUBCASE("stride 0") {
    foreign f(data.data() + 3, f32_type, {2, 2}, {0, 1});
    const jq::array x = jq::from_dlpack(&f.tensor);
    const auto e = x.data<float>();
    CHECK(std::vector<float>(e.begin(), e.end()) == std::vector<float>{3, 4, 3, 4});
  }
  SUBCASE("unaligned") {
    std::vector<unsigned char> bytes(1 + 2 * sizeof(float));
    const float values[] = {1.5f, 2.5f};
    std::memcpy(bytes.data() + 1, values, sizeof(values));
    foreign f(bytes.data(), f32_type, {2});
    f.tensor.dl_tensor.byte_offset = 1;
    const jq::array x = jq::from_dlpack(&f.tensor);
    CHECK(f.deleted == 1);
    CHECK(x.data<float>()[1] == 2.5f);
  }
}

TEST_CASE("an aligned offset is shared") {
  std::vector<float> data{1, 2, 3};
  foreign f(data.data(), f32_type, {2}, {1});
  f.tensor.dl_tensor.byte_offset = sizeof(float);
  CHECK(jq::from_dlpack(&f.tensor).data<float>().data() == data.data() + 1);
}

TEST_CASE("every dtype survives the round trip") {
  for (int i = 0; i < jq::dtype_count; ++i) {
    const auto t = jq::dtype(i);
    CAPTURE(std::string(jq::name(t)));
    const jq::array x = jq::ones({3}, t);
    DLManagedTensor* p = jq::to_dlpack(x);
    CHECK(p->dl_tensor.dtype.bits == 8 * jq::size_of(t));
    const jq::array y = jq::from_dlpack(p);
    CHECK(y.dtype() == t);
    CHECK(jq::to_string(y) == jq::to_string(x));
  }
  const auto code = [](jq::dtype t) {
    DLManagedTensor* p = jq::to_dlpack(jq::zeros({1}, t));
    const int c = p->dl_tensor.dtype.code;
    p->deleter(p);
    return c;
  };
  CHECK(code(jq::i16) == kDLInt);
  CHECK(code(jq::u16) == kDLUInt);
  CHECK(code(jq::f16) == kDLFloat);
  CHECK(code(jq::bf16) == kDLBfloat);
  CHECK(code(jq::c64) == kDLComplex);
  CHECK(code(jq::bool_) == 6);
}

TEST_CASE("booleans: both type codes, and bytes that are no bool are made ones") {
  std::uint8_t bytes[] = {0, 1, 1};
  foreign one_bit(bytes, {kDLUInt, 1, 1}, {3});
  CHECK(jq::from_dlpack(&one_bit.tensor).dtype() == jq::bool_);
  foreign shared(bytes, {6, 8, 1}, {3});
  CHECK(static_cast<const void*>(jq::from_dlpack(&shared.tensor).data<bool>().data()) == bytes);
  bytes[1] = 200;
  foreign odd(bytes, {6, 8, 1}, {3});
  const jq::array x = jq::from_dlpack(&odd.tensor);
  CHECK(odd.deleted == 1);
  CHECK(x.data<bool>()[1] == true);
}

TEST_CASE("bad tensors give an error and stay the caller's") {
  float data[4] = {};
  foreign f(data, f32_type, {2, 2});
  DLTensor& t = f.tensor.dl_tensor;
  SUBCASE("device") {
    t.device.device_type = kDLCUDA;
    CHECK(has(message<jq::value_error>(&f.tensor), "host memory"));
  }
  SUBCASE("lanes") {
    t.dtype.lanes = 4;
    CHECK(has(message<jq::type_error>(&f.tensor), "lanes"));
  }
  SUBCASE("type") {
    t.dtype = {kDLFloat, 128, 1};
    CHECK(has(message<jq::type_error>(&f.tensor), "128 bits"));
    t.dtype = {kDLOpaqueHandle, 64, 1};
    CHECK(has(message<jq::type_error>(&f.tensor), "code 3"));
  }
  SUBCASE("rank") {
    f.shape.assign(9, 1);
    t.shape = f.shape.data();
    t.ndim = 9;
    CHECK(has(message<jq::value_error>(&f.tensor), "rank 9"));
    t.ndim = -1;
    CHECK(has(message<jq::value_error>(&f.tensor), "rank -1"));
  }
  SUBCASE("shape") {
    f.shape[1] = -2;
    CHECK(has(message<jq::value_error>(&f.tensor), "(2, -2)"));
    f.shape = {std::int64_t(1) << 40, std::int64_t(1) << 40};
    t.shape = f.shape.data();
    CHECK(has(message<jq::value_error>(&f.tensor), "too large"));
    t.shape = nullptr;
    CHECK(has(message<jq::value_error>(&f.tensor), "without a shape"));
  }
  SUBCASE("data") {
    t.data = nullptr;
    CHECK(has(message<jq::value_error>(&f.tensor), "without data"));
  }
  CHECK(f.deleted == 0);
  CHECK_THROWS_AS(jq::from_dlpack(static_cast<DLManagedTensor*>(nullptr)), jq::value_error);
}

TEST_CASE("a tensor without a deleter") {
  float data[2] = {1, 2};
  foreign f(data, f32_type, {2});
  f.tensor.deleter = nullptr;
  CHECK(jq::from_dlpack(&f.tensor).data<float>()[1] == 2.f);
}

TEST_CASE("tracers: the value where there is one, else an error") {
  double seen = 0;
  jq::grad([&](jq::array x) {
    DLManagedTensor* t = jq::to_dlpack(x * 2.0);
    seen = *static_cast<double*>(t->dl_tensor.data);
    t->deleter(t);
    return x;
  })(jq::asarray(3.0));
  CHECK(seen == 6.0);
  const auto f = [](jq::array x) {
    jq::to_dlpack(x);
    return x;
  };
  CHECK_THROWS_AS(jq::make_jaxpr(f)(jq::asarray(3.0)), jq::concretization_error);
}

TEST_CASE("views of foreign memory are copied on export") {
  std::vector<float> v{1, 2};
  DLManagedTensor* t = jq::to_dlpack(jq::borrow(v));
  CHECK(t->dl_tensor.data != v.data());
  v.clear();
  CHECK(static_cast<float*>(t->dl_tensor.data)[1] == 2.f);
  t->deleter(t);
}

TEST_CASE("shared memory is neither overwritten nor given away") {
  const auto f = jq::jit([](jq::array x) { return x + 1.f; }, jq::donate_argnums<0>);
  SUBCASE("imported") {
    std::vector<float> data{1, 2};
    foreign p(data.data(), f32_type, {2});
    CHECK(f(jq::from_dlpack(&p.tensor)).data<float>()[0] == 2.f);
    CHECK(data[0] == 1.f);
    CHECK(p.deleted == 1);
  }
  SUBCASE("exported") {
    jq::array x = jq::asarray({1.f, 2.f});
    DLManagedTensor* t = jq::to_dlpack(x);
    f(x);
    x = jq::array();
    CHECK(static_cast<float*>(t->dl_tensor.data)[1] == 2.f);
    t->deleter(t);
  }
  SUBCASE("after the export is over, donation works again") {
    const jq::array x = jq::asarray({1.f, 2.f});
    DLManagedTensor* t = jq::to_dlpack(x);
    t->deleter(t);
    f(x);
    CHECK(x.is_deleted());
  }
}

TEST_CASE("taps hand out views of the live buffer, of every dtype, without a copy") {
  for (int t = 0; t < jq::dtype_count; ++t) {
    const jq::array x = jq::ones({2, 3}, jq::dtype(t));
    const void* live = jq::dlpack_view(x).get()->data;
    const void* seen = nullptr;
    jq::jit([&](const jq::array& y) {
      return jq::id_tap([&](const jq::array& v) {
        jq::dlpack_view view(v);
        const DLTensor* d = view;
        seen = d->data;
        CHECK(d->ndim == 2);
        CHECK(d->shape[1] == 3);
        CHECK(d->strides[0] == 3);
        CHECK(jq::detail::dtype_of_dl(d->dtype) == jq::dtype(t));
      }, y);
    })(x);
    CHECK(seen == live);
  }
}
TEST_CASE("an array that a tap exports outlives the call, and the tensor the array") {
  DLManagedTensor* kept = nullptr;
  jq::jit([&](const jq::array& x) { return jq::id_tap([&](const jq::array& v) { kept = jq::to_dlpack(v); }, x * 2.f); })(jq::asarray({1.f, 2.f}));
  CHECK(static_cast<const float*>(kept->dl_tensor.data)[1] == 4.f);
  std::thread([kept] { kept->deleter(kept); }).join();
}
TEST_CASE("a kernel writes through DLPack views of its outputs") {
  const jq::array y = jq::jit([](const jq::array& x) {
    return jq::device_callback([](const jq::device_call& c) {
      jq::dlpack_view in(c.in[0]), out(c.out[0]);
      for (int i = 0; i < 2; ++i) static_cast<float*>(out.get()->data)[i] = 3 * static_cast<const float*>(in.get()->data)[i];
    }, x, x);
  })(jq::asarray({1.f, 2.f}));
  CHECK(y.data<float>()[1] == 6.f);
}
