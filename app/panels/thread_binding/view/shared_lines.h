#pragma once

#include <optional>
#include <vector>

#include "core/device/lane_values.h"
#include "core/model/access.h"

namespace loom::session {

/// A tile in shared memory that hardware beside the threads reads or writes by swizzled lines: a factor that tensor
/// cores take by a matrix descriptor, or a box of the copy engine. Lines of `span` bytes lie one after the other; of
/// each 128 bytes the pieces of 16 change places by the number of these 128 bytes. PTX ISA, "Matrix descriptor" and
/// "Swizzling modes".
struct SharedLines {
  static constexpr int kPiece = 16, kRow = 128, kRows = 8, kAcross = kRow / kPiece;  // bytes; of the pattern
  /// What lies at a place of the pattern.
  struct Piece {
    int line = 0, number = 0;  ///< of the line, from the pattern's first; 16 bytes of it, counted without the swizzle
    bool used = false;         ///< whether the tile has it
  };
  device::Agent agent = device::Agent::Threads;
  bool write = false;
  std::int64_t start = 0;  ///< byte of the block's shared memory at which the tile begins, without the swizzle
  int span = 0;            ///< bytes of a line: 32, 64 or 128
  std::int64_t group = 0;  ///< bytes from eight lines to the next eight
  std::int64_t slab = 0;   ///< bytes from a slab of lines to the next; 0: the tile's lines are no longer than `span`
  int lines = 0, lineBytes = 0;  ///< of the tile
  std::vector<Piece> pieces;     ///< of the 1024 bytes in which the tile begins, by place: kRows × kAcross
  /// Of the same 16 bytes of eight lines, which tensor cores take at once: how many lie in the same four banks, as they
  /// are and as they would without the swizzle.
  int ways = 1, plainWays = 1;
};

/// Returns nothing for other accesses, and where the place isn't known for `state`.
std::optional<SharedLines> sharedLinesOf(const model::KernelAccesses& kernel, const model::Access& access,
                                         const device::WarpState& state);

}  // namespace loom::session
