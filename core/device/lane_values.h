// Index expressions evaluated for the 32 lanes of a warp at once.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "core/device/program.h"
#include "core/layout/request.h"

namespace loom::device {

using layout::kLanes;

// The value of an integer expression in each of the 32 lanes of a warp.
struct LaneValues {
  bool uniform = true;
  std::int64_t one = 0;                   // the value in all lanes, if `uniform`
  std::array<std::int64_t, kLanes> each;  // the value in each lane, if not `uniform`; else unset

  LaneValues(std::int64_t value = 0) : one(value) {}
  LaneValues(const LaneValues& other) { *this = other; }
  // Copies `each` only if it has the values.
  LaneValues& operator=(const LaneValues& other) {
    uniform = other.uniform, one = other.one;
    if (!uniform) each = other.each;
    return *this;
  }
  std::int64_t operator[](int lane) const { return uniform ? one : each[std::size_t(lane)]; }
  // Values that are the same in all lanes without being `uniform` equal none that are.
  friend bool operator==(const LaneValues& x, const LaneValues& y) {
    if (x.uniform != y.uniform) return false;
    return x.uniform ? x.one == y.one : x.each == y.each;
  }
};

// Returns, for lane l, the digit n / step % radix of the number n = min(first + l, count - 1). `step` and `radix` must
// be positive, and `first` from 0 to `count` - 1.
LaneValues digitsFrom(std::int64_t first, std::int64_t count, std::int64_t step, std::int64_t radix);

// The values of variables, which must outlive the object, in the lanes of one warp. An expression that uses a variable
// without a value has no value.
class WarpState {
 public:
  void set(const ir::VarNode* var, LaneValues value) { values_[var] = std::move(value); }
  void set(const ir::VarNode* var, std::int64_t value) { values_[var] = LaneValues(value); }
  // Sets threadIdx and blockIdx to those of warp `warp` in block `block` of the kernel, both counted from 0; other
  // variables keep their values. Threads are counted along x first; in lanes beyond the last thread the count goes on,
  // with threadIdx.z beyond its extent.
  void place(const Kernel& kernel, std::int64_t block, int warp);
  // Returns the mask of the lanes that are threads of the block last given to `place`; all 32 before its first call.
  std::uint32_t threads() const { return threads_; }

  // Returns the integer or boolean (0 or 1) value in each lane, computed in 64 bits, in which all results must fit:
  // neither arithmetic nor casts wrap to their dtype. Returns nothing for expressions that use a variable without a
  // value, read memory, compute with floats, or call functions other than shifts and the bitwise and, or and xor, and
  // if an operation has no result in one of the lanes, such as a division by 0, even in a branch that isn't selected.
  std::optional<LaneValues> evaluate(const ir::Expr& e) const;

 private:
  std::unordered_map<const ir::VarNode*, LaneValues> values_;
  std::uint32_t threads_ = 0xffffffff;
};

// Returns the place along x, y, z of item `n`, counted from 0 along x first, in a grid of these extents; beyond the
// last item the place along z goes on beyond its extent.
std::array<std::int64_t, 3> placeAt(const std::array<std::int64_t, 3>& extents, std::int64_t n);
// Returns the number of the item at this place, counted along x first.
std::int64_t numberAt(const std::array<std::int64_t, 3>& extents, const std::array<std::int64_t, 3>& place);
// Returns block number `block` of the grid as (blockIdx.x, .y, .z), as `placeAt` counts.
std::array<std::int64_t, 3> blockAt(const Kernel& kernel, std::int64_t block);

}  // namespace loom::device
