// Values of registers in the 32 lanes of a warp, for the machine (machine.h) that runs SASS: 32 bits in each lane, or
// unknown.
#pragma once
#include <array>
#include <cstdint>

namespace loom::sass {

// The 32 bits of a register in each of the 32 lanes of a warp.
struct LaneBits {
  // `known`: whether the machine knows the values; if not, it knows none, and the other members mean nothing.
  // `uniform`: whether all lanes have the value `one`; else `each` has the values.
  bool known = false, uniform = true;
  std::uint32_t one = 0;               // the value of every lane if `uniform`
  std::array<std::uint32_t, 32> each;  // the values by lane unless `uniform`

  std::uint32_t operator[](int lane) const { return uniform ? one : each[std::size_t(lane)]; }
  LaneBits() {}  // makes an unknown value; `each` is left uninitialized
  LaneBits(const LaneBits& o) { assign(o); }
  LaneBits& operator=(const LaneBits& o) {
    assign(o);
    return *this;
  }
  // Returns the known value that is `value` in all lanes.
  static LaneBits of(std::uint32_t value) {
    LaneBits v;
    v.known = true;
    v.one = value;
    return v;
  }
  // Returns the known value that is 0 in all lanes, in `each`, which the caller may change.
  static LaneBits zeros() {
    LaneBits v;
    v.known = true;
    v.uniform = false;
    v.each.fill(0);
    return v;
  }
  // Copies `o`, its array `each` only if `o` isn't uniform.
  void assign(const LaneBits& o) {
    known = o.known;
    uniform = o.uniform;
    one = o.one;
    if (!uniform) each = o.each;
  }
  // Takes over the values of `o` in the lanes of `mask`. The other lanes of the mask `all` keep their values; lanes
  // outside of `all`, which isn't empty, get any value. An unknown `o` makes the value unknown in all lanes, unless
  // `mask` is empty. A known `o` makes an unknown value known: the other lanes, which then have any value, must not be
  // read.
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
    known = true;  // also if other lanes were never set: a correct program doesn't read them
  }
};

// Lanes in which a predicate holds.
struct LaneFlags {
  bool known = false;      // false: the machine knows the predicate in no lane
  std::uint32_t bits = 0;  // bit n: the predicate holds in lane n
};

}  // namespace loom::sass
