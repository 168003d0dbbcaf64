// Values of registers in the 32 lanes of a warp: 32 bits each, or not computed.
#pragma once
#include <array>
#include <cstdint>

namespace loom::sass {

// The 32 bits of a register in each of the 32 lanes of a warp.
struct LaneBits {
  bool known = false, uniform = true;
  std::uint32_t one = 0;  // when uniform
  std::array<std::uint32_t, 32> each;

  std::uint32_t operator[](int lane) const { return uniform ? one : each[std::size_t(lane)]; }
  LaneBits() {}  // `each` stays as it is: it means nothing yet
  LaneBits(const LaneBits& o) { assign(o); }
  LaneBits& operator=(const LaneBits& o) {
    assign(o);
    return *this;
  }
  static LaneBits of(std::uint32_t value) {
    LaneBits v;
    v.known = true;
    v.one = value;
    return v;
  }
  // To be filled lane by lane.
  static LaneBits zeros() {
    LaneBits v;
    v.known = true;
    v.uniform = false;
    v.each.fill(0);
    return v;
  }
  // Copies `each` only if it means something.
  void assign(const LaneBits& o) {
    known = o.known;
    uniform = o.uniform;
    one = o.one;
    if (!uniform) each = o.each;
  }
  // Takes over `o` in the lanes of `mask`; `all` are those that count.
  void assign(const LaneBits& o, std::uint32_t mask, std::uint32_t all) {
    if ((mask & all) == all) return assign(o);
    if (!mask) return;
    if (known && o.known && uniform && o.uniform && one == o.one) return;
    if (!o.known) {
      known = false;
      return;
    }
    for (int lane = 0; lane < 32; ++lane) {
      std::uint32_t own = (*this)[lane];
      each[std::size_t(lane)] = mask >> lane & 1 ? o[lane] : own;
    }
    uniform = false;
    known = true;  // lanes that were never set are not read, or the code reads what nobody wrote
  }
};

// Lanes in which a predicate holds.
struct LaneFlags {
  bool known = false;
  std::uint32_t bits = 0;
};

}  // namespace loom::sass
