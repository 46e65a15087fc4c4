#pragma once
// The wire format of taps. A message is a header and the elements of its arrays, one after another, row-major and
// little-endian, without padding. Version 1 is the format of the 2020 host_callback: 32 words (u32, little-endian): 2178, consumer id
// (high, low), length of the metadata in bytes, metadata packed 4 bytes per word, big-endian, the last word filled up with
// spaces, then zeros. Metadata: msgpack [[dtype code, [dims...]], ...]. A message of consumer 0 without arrays ends a stream.
// Version 2 starts with 2179; metadata of more than 112 bytes goes on behind the 32 words, in whole words filled up with
// spaces. It is a msgpack map: "arrays" as in version 1 with codes for bool and complex too, and as far as they are known
// "kwargs", "transforms", "device" and "time" (seconds since 1970). A transform is [name, [batch dimensions...]], and with
// logical shapes, which mask has, [name, [batch dimensions...], [[dims...], ...]].
// Deliberately only headers: reader.hpp finds messages in a stream, sink.hpp writes them.

#ifndef MSGPACK_NO_BOOST
#define MSGPACK_NO_BOOST
#endif
#include <msgpack.hpp>

#include <array>
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "jacquard/core/aval.hpp"
#include "jacquard/core/error.hpp"
#include "jacquard/taps/context.hpp"

namespace jacquard::wire {

inline constexpr std::uint32_t version_1 = 2178, version_2 = 2179;
inline constexpr std::size_t header_words = 32, first_words = 4, inline_metadata = 4 * (header_words - first_words);

using header = std::array<std::uint32_t, header_words>;

/// Bounds on what a stream may ask for. Beyond them a message is an error.
struct limits {
  std::size_t metadata = 64 * 1024;                     ///< bytes
  std::size_t payload = std::size_t(1) << 30;           ///< bytes
};

/// What a header says.
struct description {
  std::uint32_t version = version_1;
  std::uint64_t consumer = 0;
  std::vector<aval> arrays;
  list<keyword> kwargs;
  list<transform_record> transforms;
  std::string device;
  double time = 0;

  bool is_end() const { return consumer == 0 && arrays.empty(); }
  std::size_t payload_bytes() const {
    std::size_t n = 0;
    for (const aval& a : arrays) n += std::size_t(a.bytes());
    return n;
  }
};

namespace detail {

// By dtype: bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128. Codes from 12 on are of version 2.
inline constexpr std::array<int, dtype_count> codes{12, 0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 9, 10, 13, 14};
inline constexpr int version_1_codes = 12;

inline std::optional<dtype> dtype_of(std::uint64_t code, std::uint32_t version) {
  for (int t = 0; t < dtype_count; ++t)
    if (std::uint64_t(codes[std::size_t(t)]) == code && (version == version_2 || code < version_1_codes)) return dtype(t);
  return std::nullopt;
}

using packer = msgpack::packer<msgpack::sbuffer>;

/// msgpack-cxx writes doubles without a fraction as integers; a keyword keeps its kind.
inline void pack_real(msgpack::sbuffer& out, double v) {
  char bytes[9] = {char(0xcb)};
  const auto bits = std::bit_cast<std::uint64_t>(v);
  for (int i = 0; i < 8; ++i) bytes[1 + i] = char(bits >> (56 - 8 * i));
  out.write(bytes, sizeof bytes);
}

inline void pack_shape(packer& p, const shape& s) {
  if (s.overflowed()) raise(error_kind::value, "outfeed: got a shape of more than ", max_rank, " dimensions, wanted at most so many; reshape the array");
  p.pack_array(std::uint32_t(s.rank()));
  for (std::int64_t d : s) p.pack(std::uint64_t(d));
}
inline void pack_arrays(packer& p, const std::vector<aval>& arrays) {
  p.pack_array(std::uint32_t(arrays.size()));
  for (const aval& a : arrays) {
    p.pack_array(2);
    p.pack(codes[std::size_t(a.type)]);
    pack_shape(p, a.dims);
  }
}
inline void pack_transforms(packer& p, const list<transform_record>& transforms) {
  p.pack_array(std::uint32_t(transforms.size()));
  for (const transform_record& t : transforms) {
    p.pack_array(t.logical_shapes.empty() ? 2 : 3);
    p.pack(t.name);
    p.pack(t.batch_dims);
    if (t.logical_shapes.empty()) continue;
    p.pack_array(std::uint32_t(t.logical_shapes.size()));
    for (const shape& s : t.logical_shapes) pack_shape(p, s);
  }
}
inline void pack_map(msgpack::sbuffer& out, packer& p, const description& d) {
  p.pack_map(std::uint32_t(1 + !d.kwargs.empty() + !d.transforms.empty() + !d.device.empty() + (d.time != 0)));
  p.pack("arrays");
  pack_arrays(p, d.arrays);
  if (!d.kwargs.empty()) {
    p.pack("kwargs");
    p.pack_map(std::uint32_t(d.kwargs.size()));
    for (const keyword& k : d.kwargs) {
      p.pack(k.name);
      k.value.visit([&]<class V>(const V& v) {
        if constexpr (std::is_same_v<V, double>) pack_real(out, v);
        else p.pack(v);
      });
    }
  }
  if (!d.transforms.empty()) {
    p.pack("transforms");
    pack_transforms(p, d.transforms);
  }
  if (!d.device.empty()) {
    p.pack("device");
    p.pack(d.device);
  }
  if (d.time != 0) {
    p.pack("time");
    pack_real(out, d.time);
  }
}

constexpr std::size_t words_of(std::size_t bytes) { return (bytes + 3) / 4; }
/// Byte `i` of the metadata within words that start at `words`.
constexpr unsigned char byte_at(const std::uint32_t* words, std::size_t i) { return static_cast<unsigned char>(words[i / 4] >> (24 - 8 * (i % 4))); }

}  // namespace detail

/// The words of a header. Errors: value_error "Outfeed metadata too long" for version 1 beyond 112 bytes and for version 2
/// beyond the limit; type_error for bool and complex arrays in version 1.
inline std::vector<std::uint32_t> encode_header(const description& d, const limits& bounds = {}) {
  msgpack::sbuffer metadata;
  detail::packer p(metadata);
  if (d.version == version_1) {
    for (const aval& a : d.arrays)
      if (detail::codes[std::size_t(a.type)] >= detail::version_1_codes)
        raise(error_kind::type, "outfeed: the wire format of version 1 has no code for ", long_name(a.type), "; write version 2");
    detail::pack_arrays(p, d.arrays);
  } else detail::pack_map(metadata, p, d);
  const std::size_t limit = d.version == version_1 ? inline_metadata : bounds.metadata;
  if (metadata.size() > limit)
    raise(error_kind::value, "Outfeed metadata too long: got ", metadata.size(), " bytes, wanted at most ", limit, "; ",
          d.version == version_1 ? "write version 2" : "tap fewer arrays at once, or raise the limit");
  std::vector<std::uint32_t> words(std::max(header_words, first_words + detail::words_of(metadata.size())), 0);
  words[0] = d.version;
  words[1] = std::uint32_t(d.consumer >> 32);
  words[2] = std::uint32_t(d.consumer);
  words[3] = std::uint32_t(metadata.size());
  for (std::size_t i = 0; i < 4 * detail::words_of(metadata.size()); ++i) {
    const auto byte = i < metadata.size() ? static_cast<unsigned char>(metadata.data()[i]) : static_cast<unsigned char>(' ');
    words[first_words + i / 4] |= std::uint32_t(byte) << (24 - 8 * (i % 4));
  }
  return words;
}

/// How many words the header has that begins with `first`, or 0 with the reason in `problem`.
inline std::size_t header_size(const std::uint32_t* first, const limits& bounds, std::string& problem) {
  const std::size_t length = first[3];
  if (first[0] != version_1 && first[0] != version_2) problem = "Read unexpected outfeed header " + std::to_string(first[0]);
  else if (first[0] == version_1 && length > inline_metadata)
    problem = "Outfeed metadata too long: " + std::to_string(length) + " bytes in version 1";
  else if (length > bounds.metadata) problem = "Outfeed metadata too long: " + std::to_string(length) + " bytes";
  if (!problem.empty()) return 0;
  return std::max(header_words, first_words + detail::words_of(length));
}

namespace detail {

/// Reads metadata. Every function returns false for what the format does not have.
class metadata_reader {
 public:
  metadata_reader(description& d, std::string& problem) : out_(d), problem_(problem) {}

  bool read(const char* bytes, std::size_t length) {
    msgpack::null_visitor just_looking;  // most bytes are no msgpack: find that out without an exception
    std::size_t read = 0;
    if (!msgpack::parse(bytes, length, read, just_looking)) return fail("it is not msgpack");
    // Bounds keep a few bytes from asking for much memory: nothing here is larger than the message that holds it.
    const msgpack::unpack_limit bounds(length, length, length, length, 0, 8);
    msgpack::object_handle handle;
    std::size_t end = 0;
    try {
      handle = msgpack::unpack(bytes, length, end, nullptr, nullptr, bounds);
    } catch (const msgpack::unpack_error&) {
      return fail("it is not msgpack, or nested too deeply");
    }
    if (end != length) return fail("bytes after the metadata");
    const msgpack::object& o = handle.get();
    return out_.version == version_1 ? arrays(o) : map(o);
  }

 private:
  bool fail(const char* what) {
    problem_ = std::string("Read corrupt outfeed metadata: ") + what;
    return false;
  }
  static bool is_array(const msgpack::object& o, std::uint32_t size) { return o.type == msgpack::type::ARRAY && o.via.array.size == size; }
  static std::string_view text(const msgpack::object& o) { return {o.via.str.ptr, o.via.str.size}; }

  bool arrays(const msgpack::object& list) {
    if (list.type != msgpack::type::ARRAY) return fail("wanted a list of arrays");
    for (std::uint32_t i = 0; i < list.via.array.size; ++i) {
      const msgpack::object& one = list.via.array.ptr[i];
      if (!is_array(one, 2)) return fail("wanted [dtype code, shape]");
      const msgpack::object &code = one.via.array.ptr[0], &dims = one.via.array.ptr[1];
      if (code.type != msgpack::type::POSITIVE_INTEGER || dims.type != msgpack::type::ARRAY) return fail("wanted [dtype code, shape]");
      const std::optional<dtype> t = dtype_of(code.via.u64, out_.version);
      if (!t) return fail("an unknown dtype code");
      shape s;
      if (!dimensions(dims.via.array, s)) return false;
      out_.arrays.emplace_back(*t, s);
    }
    return true;
  }
  bool dimensions(const msgpack::object_array& dims, shape& s) {
    if (dims.size > std::uint32_t(max_rank)) return fail("more dimensions than an array may have");
    for (std::uint32_t k = 0; k < dims.size; ++k) {
      const msgpack::object& d = dims.ptr[k];
      if (d.type != msgpack::type::POSITIVE_INTEGER || d.via.u64 > INT64_MAX) return fail("a dimension that is none");
      s.push_back(std::int64_t(d.via.u64));
    }
    return true;
  }
  bool map(const msgpack::object& o) {
    if (o.type != msgpack::type::MAP) return fail("wanted a map");
    bool found = false;
    for (std::uint32_t i = 0; i < o.via.map.size; ++i) {
      const msgpack::object &key = o.via.map.ptr[i].key, &value = o.via.map.ptr[i].val;
      if (key.type != msgpack::type::STR) return fail("a key that is no text");
      if (text(key) == "arrays") {
        if (found) return fail("two lists of arrays");
        found = true;
        if (!arrays(value)) return false;
      } else if (text(key) == "kwargs") {
        if (!kwargs(value)) return false;
      } else if (text(key) == "transforms") {
        if (!transforms(value)) return false;
      } else if (text(key) == "device" && value.type == msgpack::type::STR) out_.device = text(value);
      else if (text(key) == "time" && value.type == msgpack::type::FLOAT64) out_.time = value.via.f64;
      // Keys that this version does not know are left out.
    }
    return found || fail("no list of arrays");
  }
  bool kwargs(const msgpack::object& o) {
    if (o.type != msgpack::type::MAP) return fail("wanted a map of keyword arguments");
    for (std::uint32_t i = 0; i < o.via.map.size; ++i) {
      const msgpack::object &key = o.via.map.ptr[i].key, &v = o.via.map.ptr[i].val;
      if (key.type != msgpack::type::STR) return fail("a keyword that is no text");
      keyword k{std::string(text(key)), {}};
      switch (v.type) {
        case msgpack::type::STR: k.value = std::string(text(v)); break;
        case msgpack::type::BOOLEAN: k.value = v.via.boolean; break;
        case msgpack::type::FLOAT32:
        case msgpack::type::FLOAT64: k.value = v.via.f64; break;
        case msgpack::type::POSITIVE_INTEGER:
        case msgpack::type::NEGATIVE_INTEGER: k.value = std::int64_t(v.via.i64); break;
        default: return fail("a keyword argument of no known type");
      }
      out_.kwargs.push_back(std::move(k));
    }
    return true;
  }
  bool transforms(const msgpack::object& o) {
    if (o.type != msgpack::type::ARRAY) return fail("wanted a list of transforms");
    for (std::uint32_t i = 0; i < o.via.array.size; ++i) {
      const msgpack::object& one = o.via.array.ptr[i];
      if (!(is_array(one, 2) || is_array(one, 3)) || one.via.array.ptr[0].type != msgpack::type::STR || one.via.array.ptr[1].type != msgpack::type::ARRAY)
        return fail("wanted [transform, batch dimensions] or [transform, batch dimensions, logical shapes]");
      transform_record t{std::string(text(one.via.array.ptr[0])), {}, {}};
      const msgpack::object_array& dims = one.via.array.ptr[1].via.array;
      for (std::uint32_t k = 0; k < dims.size; ++k) {
        if (dims.ptr[k].type != msgpack::type::POSITIVE_INTEGER && dims.ptr[k].type != msgpack::type::NEGATIVE_INTEGER)
          return fail("a batch dimension that is no number");
        t.batch_dims.push_back(int(dims.ptr[k].via.i64));
      }
      if (one.via.array.size == 3 && !logical_shapes(one.via.array.ptr[2], t)) return false;
      out_.transforms.push_back(std::move(t));
    }
    return true;
  }

  bool logical_shapes(const msgpack::object& o, transform_record& t) {
    if (o.type != msgpack::type::ARRAY) return fail("wanted a list of logical shapes");
    for (std::uint32_t i = 0; i < o.via.array.size; ++i) {
      const msgpack::object& one = o.via.array.ptr[i];
      if (one.type != msgpack::type::ARRAY) return fail("a logical shape that is no list");
      t.logical_shapes.emplace_back();
      if (!dimensions(one.via.array, t.logical_shapes.back())) return false;
    }
    return true;
  }

  description& out_;
  std::string& problem_;
};

}  // namespace detail

/// What the words of a header say; `words` as many as header_size tells. Nothing, with the reason in `problem`, for
/// headers that encode_header does not make: other metadata, padding or trailing words, or a payload beyond the limit.
inline std::optional<description> decode_header(const std::uint32_t* words, const limits& bounds, std::string& problem) {
  const std::size_t count = header_size(words, bounds, problem);
  if (count == 0) return std::nullopt;
  description d;
  d.version = words[0];
  d.consumer = std::uint64_t(words[1]) << 32 | words[2];
  const std::size_t length = words[3];
  std::string metadata(length, '\0');
  for (std::size_t i = 0; i < length; ++i) metadata[i] = char(detail::byte_at(words + first_words, i));
  for (std::size_t i = length; i < 4 * detail::words_of(length); ++i)
    if (detail::byte_at(words + first_words, i) != ' ') problem = "Read corrupt outfeed metadata: it is not filled up with spaces";
  for (std::size_t i = first_words + detail::words_of(length); i < count; ++i)
    if (words[i] != 0) problem = "Read corrupt outfeed metadata: words after it that are not zero";
  if (!problem.empty() || !detail::metadata_reader(d, problem).read(metadata.data(), length)) return std::nullopt;
  std::size_t total = 0;
  for (const aval& a : d.arrays) {
    const std::int64_t n = a.bytes();
    if (std::uint64_t(n) > bounds.payload || (total += std::size_t(n)) > bounds.payload) {
      problem = "Read an oversized outfeed message: its arrays have more than " + std::to_string(bounds.payload) + " bytes";
      return std::nullopt;
    }
  }
  return d;
}

}  // namespace jacquard::wire
