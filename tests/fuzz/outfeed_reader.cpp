// libFuzzer target: the reader of tap streams on any bytes. It must neither crash nor hang nor take memory that has not
// arrived, must find offsets that grow, and must decode headers only to what encodes to the same header again.
//
//   cmake --preset clang -DJACQUARD_FUZZ=ON && ninja -C build/clang fuzz_outfeed_reader
//   build/clang/tests/fuzz/fuzz_outfeed_reader -max_len=4096 -runs=10000000 tests/fuzz/corpus
#include <jacquard/backends/interpreter/eager.hpp>
#include <jacquard/prims/prims.hpp>
#include <jacquard/taps/outfeed/reader.hpp>

#include <cstdlib>

namespace wire = jacquard::wire;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wire::memory_source source(data, size);
  wire::limits bounds;
  bounds.metadata = 2048;
  bounds.payload = 1 << 16;
  wire::stream_reader<wire::memory_source> reader(source, bounds);
  wire::message m;
  std::uint64_t end = 0;
  while (reader.next(m)) {
    if (m.offset < end || m.offset > size) std::abort();
    end = m.offset + 1;
    if (!m.problem.empty()) continue;
    if (m.payload.size() != m.head.payload_bytes() || m.payload.size() > size) std::abort();
    for (std::size_t i = 0; i < m.head.arrays.size(); ++i)
      if (!(m.value(i).aval() == m.head.arrays[i])) std::abort();
    const auto words = wire::encode_header(m.head);
    std::string problem;
    const auto again = wire::decode_header(words.data(), {}, problem);
    if (!again || !(again->arrays == m.head.arrays) || again->consumer != m.head.consumer) std::abort();
    if (again->transforms.size() != m.head.transforms.size()) std::abort();
    for (std::size_t i = 0; i < again->transforms.size(); ++i)
      if (!(again->transforms[i].logical_shapes == m.head.transforms[i].logical_shapes)) std::abort();
  }
  return 0;
}
