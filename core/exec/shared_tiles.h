// Tiles in shared memory that each of several warps reads whole. The executor keeps what one warp found there, so that
// the next one need not read and check the same elements again.
#pragma once
#include <algorithm>
#include <bit>
#include <vector>

#include "core/exec/memory.h"

namespace loom::exec {

// How a tile or a box lies in shared memory: in lines that begin `leading` elements apart; with a swizzle, if a line of
// the tile is longer than that, in slabs of `leading` columns that begin `slab` elements apart, and a swizzle of
// `swizzle` bytes permutes the pieces of 16 bytes within 128 bytes. If `swizzle` or `slab` is 0, there are neither.
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
  // Returns how many elements of a line, from column `column` on, lie one after the other in memory: at most `most`,
  // and with a swizzle no more than 16 bytes, or 1 if the tile, its lines or slabs don't begin at multiples of 16
  // bytes. `at` is as for `offset`.
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

// One operand of one instruction at one place in shared memory, and what the latest warp found there.
struct SharedTile {
  const OperationCode* code = nullptr;  // the operation
  std::size_t operand = 0;              // number of the operand in the operation
  const Area* area = nullptr;           // the memory of the buffer
  std::int64_t at = 0;                  // offset of the tile's first element, without the swizzle
  SharedLines lines;                    // how the tile lies in memory

  std::int64_t first = 0, end = 0;  // the offsets of all elements lie from `first` to before `end`; set with `values`
  // The tile's values, all of them known, in the order in which the operation takes them. They are valid as long as
  // Area::changes, which numbers changes of the memory as they happen, has none of the tile's elements after number
  // `readAt`; 0: never read.
  std::vector<double> values;
  std::uint64_t readAt = 0;
  // An AsyncAccess is an access by the copy engine or by the tensor cores of a warpgroup. `claimed` is the one for
  // which all pieces (16 bytes) of the tile were checked and recorded as accessed, and `written` the one that had
  // written all of them. Area::claims numbers the beginnings of such writes; both are valid as long as none with a
  // number above `claimedAt` is to the tile's elements. `claimedAt` 0: neither is valid.
  AsyncAccess claimed, written;
  std::uint64_t claimedAt = 0;
};

// The latest 32 tiles that the warps which run together have read: mostly enough for the products of all pipeline
// stages.
class SharedTiles {
 public:
  // Returns the tile with this key, the five arguments. If there is none, makes one, in place of the oldest if there
  // are 32; the new one has readAt and claimedAt 0, and its other members hold anything. The reference is valid until
  // the next call.
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
