#pragma once
// LLVM IR of vectors whose elements lie a few apart in memory, as text: every second one, the same member of small structures that lie side by
// side, or rows backwards. Whole vectors are loaded and shuffled, which is many times as fast as gathering. Deliberately reads no element that
// lies before the first one or after the last one, and writes none between them.

#include <cstdint>

#include "jacquard/backends/cpu/llvm_instructions.hpp"

namespace jacquard::cpu::detail {

class stride_writer : protected instruction_writer {
 protected:
  using instruction_writer::instruction_writer;

  /// Whether vectors of elements so far apart are shuffled: it takes as many loads as they are apart. Single numbers have nothing to shuffle.
  bool is_shuffled(std::int64_t stride) const {
    constexpr std::int64_t farthest = 4;
    return width_ > 1 && stride != 0 && stride != 1 && apart(stride) <= farthest;
  }

  /// The elements `stride` apart from address `at` on. `before`, `after`: how many elements beyond the lowest and the highest of them may be
  /// read as well; loads of members of one structure are the same then. Complexity: |stride| loads, and as many shuffles.
  std::string load_apart(dtype t, const std::string& at, std::int64_t stride, std::int64_t before = 0, std::int64_t after = 0) {
    if (stride == 3 && before + after == 2 && goes_by_halves(t)) return member_of_triples(t, further(t, at, -before), int(before));
    if (stride == 4 && before + after == 3 && width_ % 4 == 0) return member_of_quads(t, further(t, at, -before), int(before));
    const std::string memory = memory_of(t);
    const std::int64_t all = before + (width_ - 1) * apart(stride) + 1 + after, last = all - width_;
    std::string r = "poison";
    for (std::int64_t start = 0; start < all; start += width_) {
      const std::int64_t from = std::min(start, last);
      const std::string chunk = set({"load ", memory, ", ptr ", further(t, at, lowest(stride) - before + from), ", align ", std::to_string(size_of(t))});
      r = shuffled(memory, r, chunk, [&](int lane) {
        const std::int64_t element = stride < 0 ? width_ - 1 - lane : stride == 2 && before + after == 1 ? pair_in_lane(t, lane) : lane;
        const std::int64_t place = before + element * apart(stride);
        return place < start ? std::int64_t(lane) : place < start + width_ ? width_ + place - from : unused;
      });
    }
    return r;
  }
  /// Stores lanes at places `stride` apart; what lies between stays as it is.
  void store_apart(dtype t, const std::string& x, const std::string& at, std::int64_t stride) {
    const std::string memory = memory_of(t);
    const std::int64_t all = (width_ - 1) * apart(stride) + 1;
    for (std::int64_t start = 0; start < all; start += width_) {
      const auto lane_at = [&](std::int64_t place) { return stride > 0 ? place / apart(stride) : width_ - 1 - place / apart(stride); };
      const auto is_one = [&](std::int64_t place) { return place < all && place % apart(stride) == 0; };
      const std::string chunk = shuffled(memory, x, "poison", [&](int i) { return is_one(start + i) ? lane_at(start + i) : unused; });
      const std::string to = further(t, at, lowest(stride) + start);
      if (apart(stride) == 1) {
        line({"  store ", memory, " ", chunk, ", ptr ", to, ", align ", std::to_string(size_of(t))});
        continue;
      }
      masked_store(t, chunk, to, in_angles(repeat([&](int i) { return concat({"i1 ", is_one(start + i) ? "1" : "0"}); })));
    }
  }
  /// Stores vectors as the members of structures: lane i of each, in their order, makes structure i, the first one at `at`.
  void store_members(dtype t, const std::vector<std::string>& members, const std::string& at) {
    const std::string memory = memory_of(t);
    const auto count = std::int64_t(members.size());
    if (count == 3 && goes_by_halves(t)) return store_triples(t, members, at);
    if (count == 4 && width_ % 4 == 0) return store_quads(t, members, at);
    for (std::int64_t c = 0; c < count; ++c) {
      std::string chunk = "poison";
      for (std::int64_t m = 0; m < count; ++m)
        chunk = shuffled(memory, chunk, members[std::size_t(m)], [&](int i) {
          const std::int64_t place = c * width_ + i;
          return place % count < m ? std::int64_t(i) : place % count == m ? width_ + (count == 2 ? lane_of_pair(t, place / 2) : place / count) : unused;
        });
      line({"  store ", memory, " ", chunk, ", ptr ", further(t, at, c * width_), ", align ", std::to_string(size_of(t))});
    }
  }

  /// The first n elements from an address on, and zeros. In parts where a processor has no masks for so small ones, of which LLVM would load each.
  std::string load_first(std::int64_t n, dtype t, const std::string& at, const std::string& mask) {
    if (t_.bytes >= 64 || size_of(t) >= 4) return masked_load(t, at, mask);
    std::string r = "zeroinitializer";
    for (int done = 0, part = width_ / 2; part >= 1; part /= 2) {
      if ((n & part) == 0) continue;
      const std::string piece = text_of_vector(part, stored(t));
      const std::string loaded = set({"load ", piece, ", ptr ", further(t, at, done), ", align ", std::to_string(size_of(t))});
      const auto index = [&](int i) { return i < part ? concat({"i32 ", std::to_string(i)}) : std::string("i32 undef"); };
      const std::string wide = set({"shufflevector ", piece, " ", loaded, ", ", piece, " poison, <", std::to_string(width_), " x i32> <", repeat(index), ">"});
      r = shuffled(memory_of(t), r, wide, [&](int i) { return std::int64_t(i >= done && i < done + part ? width_ + i - done : i); });
      done += part;
    }
    return r;
  }
  /// The elements from an address on in the lanes of a mask, zeros in the others; and stored so.
  std::string masked_load(dtype t, const std::string& at, const std::string& mask) {
    const std::string memory = memory_of(t);
    return call(memory, concat({"llvm.masked.load.v", std::to_string(width_), suffix(t), ".p0"}),
                {concat({"ptr ", at}), concat({"i32 immarg ", std::to_string(size_of(t))}), concat({mask_type(), " ", mask}), concat({memory, " zeroinitializer"})}, {"ptr", "i32 immarg", mask_type(), memory});
  }
  void masked_store(dtype t, const std::string& x, const std::string& at, const std::string& mask) {
    const std::string memory = memory_of(t);
    call("void", concat({"llvm.masked.store.v", std::to_string(width_), suffix(t), ".p0"}),
         {concat({memory, " ", x}), concat({"ptr ", at}), concat({"i32 immarg ", std::to_string(size_of(t))}), concat({mask_type(), " ", mask})}, {memory, "ptr", "i32 immarg", mask_type()});
  }

  /// Pairs lie in lanes in an order that suits processors which shuffle within halves of a register, and not, or slower, across them. It is the same
  /// for all vectors of the kernel, none of which depends on the order of lanes.
  bool pairs_by_halves_ = false;

  static constexpr std::int64_t unused = -1;  ///< a lane that may hold anything
  /// Lanes of two vectors: those of the second one count from the width on.
  template <class Lane>
  std::string shuffled(const std::string& type, const std::string& a, const std::string& b, Lane&& lane) {
    const auto index = [&](int i) {
      const std::int64_t from = lane(i);
      return from == unused ? std::string("i32 undef") : concat({"i32 ", std::to_string(from)});
    };
    return set({"shufflevector ", type, " ", a, ", ", type, " ", b, ", <", std::to_string(width_), " x i32> <", repeat(index), ">"});
  }

 private:
  // A register of AVX2 has two halves of 16 bytes, across which shuffles take longer, and need numbers of places. Each half is loaded by itself, of
  // the structures whose members it shall have.
  bool goes_by_halves(dtype t) const { return t_.bytes == 32 && std::size_t(width_) * size_of(t) == 32 && size_of(t) >= 4; }
  int half() const { return width_ / 2; }
  /// In each half: elements of that of a, and, counted from its length on, of that of b.
  std::string halves(const std::string& type, const std::string& a, const std::string& b, std::initializer_list<int> from) {
    return shuffled(type, a, b, [&](int lane) {
      const int i = from.begin()[lane % half()], base = lane / half() * half();
      return std::int64_t(i < half() ? base + i : width_ + base + i - half());
    });
  }
  std::string half_type(dtype t) const { return text_of_vector(half(), stored(t)); }
  /// A vector of two halves, those so many half vectors from `at` on.
  std::string loaded_halves(dtype t, const std::string& at, int low, int high) {
    std::string part[2];
    for (int side = 0; side < 2; ++side)
      part[side] = set({"load ", half_type(t), ", ptr ", further(t, at, (side ? high : low) * half()), ", align ", std::to_string(size_of(t))});
    return set({"shufflevector ", half_type(t), " ", part[0], ", ", half_type(t), " ", part[1], ", ", indices(0, width_, width_)});
  }
  void store_halves(dtype t, const std::string& x, const std::string& at, int low, int high) {
    for (int side = 0; side < 2; ++side) {
      const std::string part = set({"shufflevector ", memory_of(t), " ", x, ", ", memory_of(t), " poison, ", indices(side * half(), half(), width_)});
      line({"  store ", half_type(t), " ", part, ", ptr ", further(t, at, (side ? high : low) * half()), ", align ", std::to_string(size_of(t))});
    }
  }
  /// Member m of the structures from `at` on.
  std::string member_of_triples(dtype t, const std::string& at, int m) {
    const std::string type = memory_of(t);
    std::string v[3];
    for (int k = 0; k < 3; ++k) v[k] = loaded_halves(t, at, k, 3 + k);
    if (half() == 2) return m == 0 ? halves(type, v[0], v[1], {0, 3}) : m == 1 ? halves(type, v[0], v[2], {1, 2}) : halves(type, v[1], v[2], {0, 3});
    const auto low = [&] { return halves(type, v[0], v[1], {1, 2, 4, 5}); };   // y0 z0 y1 z1
    const auto high = [&] { return halves(type, v[1], v[2], {2, 3, 5, 6}); };  // x2 y2 x3 y3
    return m == 0 ? halves(type, v[0], high(), {0, 3, 4, 6}) : m == 1 ? halves(type, low(), high(), {0, 2, 5, 7}) : halves(type, low(), v[2], {1, 3, 4, 7});
  }
  void store_triples(dtype t, const std::vector<std::string>& members, const std::string& at) {
    const std::string type = memory_of(t), &x = members[0], &y = members[1], &z = members[2];
    std::string v[3];
    if (half() == 2) v[0] = halves(type, x, y, {0, 2}), v[1] = halves(type, z, x, {0, 3}), v[2] = halves(type, y, z, {1, 3});
    else {
      const std::string xy = halves(type, x, y, {0, 2, 4, 6}), yz = halves(type, y, z, {1, 3, 5, 7}), zx = halves(type, z, x, {0, 2, 5, 7});
      v[0] = halves(type, xy, zx, {0, 2, 4, 6}), v[1] = halves(type, yz, xy, {0, 2, 5, 7}), v[2] = halves(type, zx, yz, {1, 3, 5, 7});
    }
    for (int k = 0; k < 3; ++k) store_halves(t, v[k], at, k, 3 + k);
  }

  // Structures of four: members m and m + 2 of half of the structures are put into one vector first. Four vectors are eight shuffles then, not
  // twelve, and no longer a chain of three. What several members are made of is written for each, and LLVM keeps one of it.

  /// Member m of the structures from `at` on.
  std::string member_of_quads(dtype t, const std::string& at, int m) {
    const std::string type = memory_of(t);
    if (goes_by_halves(t)) {
      if (half() == 2) return halves(type, loaded_halves(t, at, m / 2, 4 + m / 2), loaded_halves(t, at, 2 + m / 2, 6 + m / 2), {m % 2, 2 + m % 2});
      const auto pairs = [&](int k) {  // members m and m + 1, or m - 1 and m, of structures k and k + 1
        return halves(type, loaded_halves(t, at, k, 4 + k), loaded_halves(t, at, k + 1, 5 + k), {m / 2 * 2, 4 + m / 2 * 2, m / 2 * 2 + 1, 5 + m / 2 * 2});
      };
      return halves(type, pairs(0), pairs(2), {m % 2 * 2, m % 2 * 2 + 1, 4 + m % 2 * 2, 5 + m % 2 * 2});
    }
    const auto chunk = [&](int k) { return set({"load ", type, ", ptr ", further(t, at, k * width_), ", align ", std::to_string(size_of(t))}); };
    const auto members = [&](int k) {
      return shuffled(type, chunk(k), chunk(k + 1), [&](int lane) { return std::int64_t(lane % half() * 4 + lane / half() * 2 + m % 2); });
    };
    return shuffled(type, members(0), members(2), [&](int lane) { return std::int64_t(lane / half() * width_ + m / 2 * half() + lane % half()); });
  }
  void store_quads(dtype t, const std::vector<std::string>& members, const std::string& at) {
    const std::string type = memory_of(t);
    if (goes_by_halves(t)) {
      const auto pair = [&](int p, int i) {  // of members 2 p and 2 p + 1
        const std::string &a = members[std::size_t(2 * p)], &b = members[std::size_t(2 * p + 1)];
        return half() == 2 ? halves(type, a, b, {i, 2 + i}) : halves(type, a, b, {2 * i, 4 + 2 * i, 2 * i + 1, 5 + 2 * i});
      };
      for (int i = 0; i < 2; ++i) {
        if (half() == 2)
          for (int p = 0; p < 2; ++p) store_halves(t, pair(p, i), at, 2 * i + p, 4 + 2 * i + p);
        else
          for (int k = 0; k < 2; ++k) store_halves(t, halves(type, pair(0, i), pair(1, i), {2 * k, 2 * k + 1, 4 + 2 * k, 5 + 2 * k}), at, 2 * i + k, 4 + 2 * i + k);
      }
      return;
    }
    for (int side = 0; side < 2; ++side) {
      std::string two[2];
      for (int m = 0; m < 2; ++m)
        two[m] = shuffled(type, members[std::size_t(m)], members[std::size_t(m + 2)], [&](int lane) { return std::int64_t(lane / half() * width_ + side * half() + lane % half()); });
      for (int k = 0; k < 2; ++k) {
        const std::string chunk = shuffled(type, two[0], two[1], [&](int i) { return std::int64_t(i % 2 * width_ + i % 4 / 2 * half() + k * (width_ / 4) + i / 4); });
        line({"  store ", type, " ", chunk, ", ptr ", further(t, at, (2 * side + k) * width_), ", align ", std::to_string(size_of(t))});
      }
    }
  }
  static std::int64_t apart(std::int64_t stride) { return stride < 0 ? -stride : stride; }
  /// Which of the pairs of two vectors lane `lane` holds a member of, and the lane of a pair.
  std::int64_t pair_in_lane(dtype t, std::int64_t lane) const {
    const std::int64_t half = 8 / std::int64_t(size_of(t)), part = lane / (2 * half), at = lane % (2 * half);  // of 16 bytes
    return pairs_by_halves_ ? part * half + at % half + at / half * (width_ / 2) : lane;
  }
  std::int64_t lane_of_pair(dtype t, std::int64_t pair) const {
    const std::int64_t half = 8 / std::int64_t(size_of(t)), within = pair % (width_ / 2);
    return pairs_by_halves_ ? within / half * 2 * half + within % half + pair / (width_ / 2) * half : pair;
  }
  /// Where the lowest element lies, counted from the first lane's.
  std::int64_t lowest(std::int64_t stride) const { return stride < 0 ? (width_ - 1) * stride : 0; }
  std::string further(dtype t, const std::string& at, std::int64_t elements) {
    return elements == 0 ? at : set({"getelementptr ", stored(t), ", ptr ", at, ", i64 ", std::to_string(elements)});
  }
};

}  // namespace jacquard::cpu::detail
