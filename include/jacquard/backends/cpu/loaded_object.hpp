#pragma once
// An object file of machine code, put into memory so that it can be called: sections are laid out side by side, references among them and to functions of
// the process are filled in, and what runs can no longer be written to. It takes microseconds and no library. Deliberately only what a compiler makes of
// position-independent code for x86-64 without exceptions: no initialisers, no variables of threads, no tables to unwind a stack with.

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "jacquard/core/error.hpp"

namespace jacquard::cpu {

namespace detail {

// The parts of a relocatable file as the System V ABI lays them out (gABI chapter 4; psABI of x86-64, section 4.4).

struct object_header {
  unsigned char magic[16];
  std::uint16_t type, processor;
  std::uint32_t version;
  std::uint64_t entry, segments, sections;
  std::uint32_t flags;
  std::uint16_t header_size, segment_size, segment_count, section_size, section_count, section_names;
};
struct object_section {
  std::uint32_t name, type;
  std::uint64_t flags, address, offset, size;
  std::uint32_t link, info;
  std::uint64_t alignment, entry_size;
};
struct object_symbol {
  std::uint32_t name;
  unsigned char info, other;
  std::uint16_t section;
  std::uint64_t value, size;
};
struct object_reference {
  std::uint64_t offset, kind;
  std::int64_t addend;
  std::size_t symbol() const { return std::size_t(kind >> 32); }
  std::uint32_t type() const { return std::uint32_t(kind); }
};

}  // namespace detail

class loaded_object {
 public:
  /// Errors: value_error for bytes that are no such file, for a function that the process does not have, and where there is no memory.
  explicit loaded_object(std::string_view file) : file_(file) {
    read_tables();
    place_sections();
    memory_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory_ == MAP_FAILED) refuse("there is no memory for it");
    try {
      fill();
    } catch (...) {
      munmap(memory_, size_);
      throw;
    }
    std::sort(functions_.begin(), functions_.end(), [](const function& a, const function& b) { return a.name < b.name; });
    file_ = {}, sections_ = {}, places_ = {}, symbols_ = {}, names_ = {};
  }
  loaded_object(const loaded_object&) = delete;
  loaded_object& operator=(const loaded_object&) = delete;
  ~loaded_object() { munmap(memory_, size_); }

  /// The address of a function that the file makes known, or null.
  void* find(std::string_view name) const {
    const auto f = std::lower_bound(functions_.begin(), functions_.end(), name, [](const function& a, std::string_view b) { return a.name < b; });
    return f != functions_.end() && f->name == name ? f->address : nullptr;
  }

 private:
  static constexpr std::uint32_t filled_section = 1, symbol_table = 2, reference_table = 4, empty_section = 8;
  static constexpr std::uint64_t is_writable = 1, is_in_memory = 2, is_code = 4;
  static constexpr std::uint16_t nowhere = 0, absolute = 0xFFF1, first_special = 0xFF00;
  static constexpr std::size_t stub_size = 8, slot_size = 8;
  static constexpr std::uint64_t most_bytes = std::uint64_t(1) << 26;  // 32 bits reach from any place to any other
  enum reference_type : std::uint32_t { address = 1, near_place = 2, call = 4, slot = 9, distance = 24, slot_of_operand = 41, slot_of_wide_operand = 42 };
  struct function {
    std::string name;
    void* address;
  };

  [[noreturn]] static void refuse(std::string_view why) {
    raise(error_kind::value, "cpu: machine code cannot be loaded: ", why, "; remove the file that it was kept in, or run the function with jq::backend(\"interpreter\")");
  }
  static void demand(bool holds, const char* else_why) {
    if (!holds) refuse(else_why);
  }
  /// So many bytes of the file.
  std::string_view bytes(std::uint64_t offset, std::uint64_t size) const {
    demand(offset <= file_.size() && size <= file_.size() - offset, "the file is cut off");
    return file_.substr(offset, size);
  }
  std::string_view content(const detail::object_section& s) const { return bytes(s.offset, s.size); }
  /// Copies what the file has at a place.
  template <class T>
  T at(std::uint64_t offset) const {
    T r;
    std::memcpy(&r, bytes(offset, sizeof(T)).data(), sizeof(T));
    return r;
  }
  template <class T>
  std::vector<T> table(const detail::object_section& s) const {
    demand(s.entry_size == sizeof(T) && s.size % sizeof(T) == 0 && s.size <= file_.size(), "a table has another form");
    std::vector<T> r;
    for (std::uint64_t i = 0; i < s.size; i += sizeof(T)) r.push_back(at<T>(s.offset + i));
    return r;
  }
  static std::uint64_t rounded_up(std::uint64_t x, std::uint64_t to) { return (x + to - 1) / to * to; }

  void read_tables() {
    const auto head = at<detail::object_header>(0);
    demand(std::memcmp(head.magic, "\177ELF\2\1\1", 7) == 0 && head.type == 1 && head.processor == 62 && head.section_size == sizeof(detail::object_section),
           "it is no object file for x86-64");
    for (std::size_t i = 0; i < head.section_count; ++i) sections_.push_back(at<detail::object_section>(head.sections + i * sizeof(detail::object_section)));
    for (const detail::object_section& s : sections_) {
      if (s.type != symbol_table) continue;
      symbols_ = table<detail::object_symbol>(s);
      demand(s.link < sections_.size(), "its symbols have no names");
      names_ = content(sections_[s.link]);
    }
    demand(!symbols_.empty(), "it has no symbols");
  }
  /// What runs comes first, with a stub for each symbol, then, in pages of its own, a slot with the address of each, and what is read.
  void place_sections() {
    places_.assign(sections_.size(), 0);
    place_those(is_code);
    stubs_ = rounded_up(size_, stub_size);
    code_size_ = rounded_up(stubs_ + symbols_.size() * stub_size, std::uint64_t(sysconf(_SC_PAGESIZE)));
    slots_ = code_size_;
    size_ = slots_ + symbols_.size() * slot_size;
    place_those(0);
  }
  void place_those(std::uint64_t kind) {
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      const detail::object_section& s = sections_[i];
      if (!(s.flags & is_in_memory) || (s.flags & is_code) != kind) continue;
      demand(s.type == filled_section || s.type == empty_section, "it has a section of another kind");
      demand(s.alignment <= 4096 && (s.alignment & (s.alignment - 1)) == 0 && s.size <= most_bytes, "a section is too large");
      if (s.flags & is_writable) is_written_to_ = true;
      places_[i] = rounded_up(size_, std::max<std::uint64_t>(s.alignment, 1));
      size_ = places_[i] + s.size;
      demand(size_ <= most_bytes, "it is too large");
    }
  }
  std::byte* memory_at(std::uint64_t place) const { return static_cast<std::byte*>(memory_) + place; }
  bool is_placed(std::size_t section) const { return section < sections_.size() && (sections_[section].flags & is_in_memory); }
  std::string_view name_of(const detail::object_symbol& s) const {
    demand(s.name < names_.size(), "a name is missing");
    const std::string_view rest = names_.substr(s.name);
    return rest.substr(0, rest.find('\0'));
  }

  void fill() {
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      const detail::object_section& s = sections_[i];
      if (!is_placed(i) || s.type == empty_section) continue;
      const std::string_view own = content(s);
      std::memcpy(memory_at(places_[i]), own.data(), own.size());
    }
    std::vector<std::uint64_t> addresses;
    for (const detail::object_symbol& s : symbols_) addresses.push_back(address_of(s));
    for (std::size_t i = 0; i < symbols_.size(); ++i) fill_stub(i, addresses[i]);
    for (const detail::object_section& s : sections_)
      if (s.type == reference_table && is_placed(s.info))
        for (const detail::object_reference& r : table<detail::object_reference>(s)) refer(r, s.info, addresses);
    demand(mprotect(memory_, code_size_, PROT_READ | PROT_EXEC) == 0, "the system does not let it run");
    if (!is_written_to_) mprotect(memory_at(code_size_), size_ - code_size_, PROT_READ);
  }
  /// Also makes known what the file defines for others.
  std::uint64_t address_of(const detail::object_symbol& s) {
    if (s.section == absolute) return s.value;
    if (s.section == nowhere) {
      const std::string name(name_of(s));
      if (name.empty()) return 0;
      void* const there = dlsym(RTLD_DEFAULT, name.c_str());
      if (!there) refuse("the process has no function " + name);
      return reinterpret_cast<std::uint64_t>(there);
    }
    demand(s.section < first_special, "it has a symbol of another kind");
    if (!is_placed(s.section)) return 0;  // of what is not for running
    demand(s.value <= sections_[s.section].size, "a symbol lies outside of its section");
    std::byte* const there = memory_at(places_[s.section] + s.value);
    if (s.info >> 4 != 0 && (s.info & 15) == 2) functions_.push_back({std::string(name_of(s)), there});
    return reinterpret_cast<std::uint64_t>(there);
  }
  /// jmp *slot, for functions that may be too far away for a call; and the slot.
  void fill_stub(std::size_t symbol, std::uint64_t to) {
    std::byte* const stub = memory_at(stubs_ + symbol * stub_size);
    std::byte* const own_slot = memory_at(slots_ + symbol * slot_size);
    std::memcpy(own_slot, &to, sizeof to);
    const std::int32_t way = std::int32_t(own_slot - (stub + 6));
    std::memcpy(stub, "\xFF\x25", 2);
    std::memcpy(stub + 2, &way, sizeof way);
  }
  void refer(const detail::object_reference& r, std::size_t section, const std::vector<std::uint64_t>& addresses) {
    demand(r.symbol() < symbols_.size(), "a reference has no symbol");
    const std::uint64_t size = sections_[section].size, to = addresses[r.symbol()], addend = std::uint64_t(r.addend);
    const std::uint64_t width = r.type() == address || r.type() == distance ? 8 : 4;
    demand(r.offset <= size && width <= size - r.offset, "a reference lies outside of its section");
    std::byte* const at = memory_at(places_[section] + r.offset);
    const std::uint64_t here = reinterpret_cast<std::uint64_t>(at);
    const auto near = [&](std::uint64_t target) {
      const std::int64_t way = std::int64_t(target + addend - here);
      demand(way == std::int32_t(way), "a reference is too far");
      const std::int32_t short_way = std::int32_t(way);
      std::memcpy(at, &short_way, 4);
    };
    const auto own = [&](std::uint64_t place) { return reinterpret_cast<std::uint64_t>(memory_at(place)); };
    switch (r.type()) {
      case address: return put(at, to + addend);
      case distance: return put(at, to + addend - here);
      case near_place: return near(to);
      case call: return near(symbols_[r.symbol()].section == nowhere ? own(stubs_ + r.symbol() * stub_size) : to);
      case slot:
      case slot_of_operand:
      case slot_of_wide_operand: return near(own(slots_ + r.symbol() * slot_size));
      default: refuse("it has a reference of kind " + std::to_string(r.type()));
    }
  }
  static void put(std::byte* at, std::uint64_t value) { std::memcpy(at, &value, 8); }

  // While it is loaded.
  std::string_view file_, names_;
  std::vector<detail::object_section> sections_;
  std::vector<std::uint64_t> places_;  ///< by section
  std::vector<detail::object_symbol> symbols_;
  bool is_written_to_ = false;

  void* memory_ = nullptr;
  std::uint64_t size_ = 0, code_size_ = 0, stubs_ = 0, slots_ = 0;
  std::vector<function> functions_;
};

}  // namespace jacquard::cpu
