// Tiles of shared memory that several warps take whole, one warp after the other: each would read the same elements,
// and claim the same pieces, as the one before.
#pragma once
#include <algorithm>
#include <bit>
#include <vector>

#include "core/exec/memory.h"

namespace loom::exec {

// How a tile or a box lies in shared memory: in lines of `leading` elements, in slabs `slab` elements apart if a line
// of the tile is longer than that. The bytes of every 128 are permuted by a swizzle of `swizzle` bytes, or by none.
class SharedLines {
 public:
  SharedLines() = default;
  SharedLines(std::int64_t leading, std::int64_t slab, std::int64_t swizzle, int bytesOfElement)
      : leading_(leading), slab_(swizzle == 0 ? 0 : slab) {
    const int bits = std::countr_zero(unsigned(bytesOfElement));
    line_ = 7 - bits;
    piece_ = 4 - bits;
    if (slab_ > 0) mask_ = swizzle / 16 - 1;
  }
  // Returns the offset of an element of a tile whose first element would lie at `at` without the swizzle.
  std::int64_t offset(std::int64_t at, std::int64_t line, std::int64_t column) const {
    if (slab_ == 0) return at + line * leading_ + column;
    for (; column >= leading_; column -= leading_) at += slab_;
    const std::int64_t o = at + line * leading_ + column;
    return o ^ (o >> line_ & mask_) << piece_;
  }
  // Returns how many elements of a line, from this column on, lie one after the other: at most `most`. A swizzle
  // permutes pieces of 16 bytes.
  std::int64_t run(std::int64_t at, std::int64_t column, std::int64_t most) const {
    if (slab_ == 0) return most;
    const std::int64_t piece = std::int64_t(1) << piece_, within = piece - 1;
    return ((at | leading_ | slab_) & within) == 0 ? std::min(most, piece - (column & within)) : 1;
  }
  bool operator==(const SharedLines&) const = default;

 private:
  std::int64_t leading_ = 0, slab_ = 0, mask_ = 0;  // slab 0: the tile lies as `leading` alone says
  int line_ = 0, piece_ = 0;                        // bits of an offset within 128 bytes, and within 16
};

// One operand of one instruction at one place, and what the last warp found there.
struct SharedTile {
  const OperationCode* code = nullptr;
  std::size_t operand = 0;
  const Area* area = nullptr;
  std::int64_t at = 0;
  SharedLines lines;

  std::int64_t first = 0, end = 0;  // its elements are among these
  // The values, as the operation takes them: all were known. They are the memory's while Area::changes has nothing
  // later there than `readAt`; 0: never read.
  std::vector<double> values;
  std::uint64_t readAt = 0;
  // The access that all pieces were claimed for, and that of the operation that had written them. So it is while
  // Area::claims has nothing later there than `claimedAt`; 0: never claimed, or written by several.
  AsyncAccess claimed, written;
  std::uint64_t claimedAt = 0;
};

// The tiles of the warps that run together, the latest ones: as many as the stages of a pipeline have products, mostly.
class SharedTiles {
 public:
  // Returns the tile with this key; a new one may take the place of another. Valid until the next call.
  SharedTile& of(const OperationCode& code, std::size_t operand, const Area& area, std::int64_t at,
                 const SharedLines& lines) {
    for (SharedTile& t : tiles_)
      if (t.at == at && t.code == &code && t.operand == operand && t.area == &area && t.lines == lines) return t;
    if (tiles_.size() < kMost) tiles_.emplace_back();
    SharedTile& t = tiles_[next_++ % kMost];
    t.code = &code;
    t.operand = operand;
    t.area = &area;
    t.at = at;
    t.lines = lines;
    t.readAt = t.claimedAt = 0;
    return t;
  }

 private:
  static constexpr std::size_t kMost = 32;
  std::vector<SharedTile> tiles_;
  std::size_t next_ = 0;
};

}  // namespace loom::exec
