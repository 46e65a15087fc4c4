#pragma once
// LLVM IR of what a kernel puts at places that are computed, as text: a vector of elements that lie side by side, or elements one after the
// other, and the copy that they are put into. Deliberately knows no values: places and elements are registers that the caller has.

#include "jacquard/backends/cpu/llvm_loops.hpp"

namespace jacquard::cpu::detail {

class put_writer : protected loop_writer {
 protected:
  using loop_writer::loop_writer;

  /// Puts vectors that lie side by side.
  void put_row(const access& to, scalar_op op, registers x, const std::string& further) {
    if (op != scalar_op::load) {
      const registers there = load(to, further);
      registers now;
      for (int u = 0; u < lanes_; ++u) now.push_back(combine(op, to.type, pick(there, u), pick(x, u)));
      x = now;
    }
    store(to, x, false, further);
  }
  /// Puts elements, each as many further on as its lane of `places` says, one after the other; where `inside`, if there is one, does not hold,
  /// into memory that nobody reads. Addresses and elements are handed from vectors to single numbers through memory: to take a lane out of a
  /// register is more instructions than to load it.
  void put_each(const access& to, scalar_op op, const registers& x, const registers& places, const registers& inside) {
    const dtype t = to.type;
    const int width = width_, count = mask_.empty() ? width : int(rest_);
    const std::string element = stored(t), align = concat({", align ", std::to_string(size_of(t))});
    const place_chooser chosen = chooser(to, !inside.empty());
    const std::string where_room = width == 1 ? "" : room_for(pointers()), room = width == 1 ? "" : room_for(memory_of(t));
    const auto lane_of = [&](const std::string& r, const std::string& type, const std::string& from, int l) {
      if (from.empty() || r[0] == '<') return set({"extractelement ", lanes(), type, "> ", r, ", i32 ", std::to_string(l)});
      if (l == 0) line({"  store ", lanes(), type, "> ", r, ", ptr ", from});
      return set({"load ", type, ", ptr ", address(from, type, {l, {}})});
    };
    for (int u = 0; u < lanes_; ++u) {
      const std::string where = put_addresses(to, places, inside, chosen, u), elements = narrowed(t, pick(x, u));
      for (int l = 0; l < count; ++l) {
        const std::string at = lane_of(where, "ptr", where_room, l);
        std::string one = lane_of(elements, element, room, l), type = element;
        if (op != scalar_op::load) {
          width_ = 1;
          type = memory_of(t);
          const std::string there = set({"load ", type, ", ptr ", at, align});
          one = combine(op, t, there, set({"insertelement ", type, " poison, ", element, " ", one, ", i32 0"}));
          width_ = width;
        }
        line({"  store ", type, " ", one, ", ptr ", at, align});
      }
    }
  }
  /// What is put is put into a copy, unless that is what is there.
  std::string copies() {
    std::string code;
    for (const output& o : k_.outputs) {
      if (o.place < 0) continue;
      const std::string from = concat({"%p", std::to_string(place_of(k_.inputs[std::size_t(o.base)].value))}), to = concat({"%p", std::to_string(place_of(o.to.value))});
      code += concat({"  %differs = icmp ne ptr ", from, ", ", to, "\n  br i1 %differs, label %copy, label %start\ncopy:\n  %copied = call ptr @memcpy(ptr ", to, ", ptr ", from, ", i64 ", std::to_string(o.elements * std::int64_t(size_of(o.to.type))), ")\n  br label %start\nstart:\n"});
      declarations_.insert("declare ptr @memcpy(ptr, ptr, i64)");
    }
    return code;
  }

 private:
  /// What takes the place of elements that are put nowhere: single ones that are counted from one address are so many elements further on, which
  /// is a select and no sum; others have the address of that memory.
  struct place_chooser {
    std::string place, address;
  };
  place_chooser chooser(const access& to, bool chooses) {
    if (!chooses) return {};
    const std::string nowhere = room_for("i64");
    if (width_ != 1 || std::any_of(to.strides.begin(), to.strides.end(), [](std::int64_t s) { return s != 0; })) return {"", splat("ptr", nowhere)};
    const std::string here = set({"ptrtoint ptr ", address(to, 0), " to i64"}), there = set({"ptrtoint ptr ", nowhere, " to i64"});
    return {splat("i64", set({"sdiv exact i64 ", set({"sub i64 ", there, ", ", here}), ", ", std::to_string(size_of(to.type))})), ""};
  }
  /// Where elements of interleaved vector u are put.
  std::string put_addresses(const access& to, const registers& places, const registers& inside, const place_chooser& otherwise, int u) {
    if (!otherwise.place.empty()) return lookup_addresses(to, {select(pick(inside, u), i64, pick(places, u), otherwise.place)}, u);
    const std::string where = lookup_addresses(to, places, u);
    if (otherwise.address.empty()) return where;
    return set({"select ", mask_type(), " ", pick(inside, u), ", ", pointers(), " ", where, ", ", pointers(), " ", otherwise.address});
  }
  /// Memory of the function's own.
  std::string room_for(const std::string& type) {
    const std::string r = concat({"%room", std::to_string(registers_++)});
    allocas_ += concat({"  ", r, " = alloca ", type, ", align 64\n"});
    return r;
  }
};

}  // namespace jacquard::cpu::detail
