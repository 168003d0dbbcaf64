#pragma once

#include <optional>
#include <vector>

#include "core/device/lane_values.h"
#include "core/model/access.h"

namespace loom::session {

/// A tile in shared memory with swizzled lines, which hardware other than the threads reads or writes: a factor of a
/// product that tensor cores read by a matrix descriptor, or a box of the copy engine (TMA). Lines of `span` bytes lie
/// one after the other. The swizzle permutes the 16-byte pieces within each 128 bytes: the position of a piece is XORed
/// with bits of the index of its 128 bytes. The pattern repeats every 1024 bytes. See the PTX ISA, "Matrix descriptor"
/// and "Swizzling modes".
struct SharedLines {
  // Bytes of a piece, bytes of a row of the pattern, rows of the pattern, and pieces in a row.
  static constexpr int kPiece = 16, kRow = 128, kRows = 8, kAcross = kRow / kPiece;
  /// What lies in one piece (16 bytes) of the pattern's memory.
  struct Piece {
    int line = 0, number = 0;  ///< indices of the line, counted from the start of the 1024 bytes, and of the piece in
                               ///< the unswizzled line
    bool used = false;         ///< whether it belongs to the tile
  };
  device::Agent agent = device::Agent::Threads;  ///< the hardware that accesses the tile; never the threads
  bool write = false;                            ///< whether `agent` writes the tile; otherwise it reads the tile
  std::int64_t start = 0;  ///< byte offset in the block's shared memory at which the tile begins, without the swizzle
  int span = 0;            ///< bytes of a line: 32, 64 or 128
  std::int64_t group = 0;  ///< bytes from the start of eight lines to the start of the next eight, 8 × `span`
  std::int64_t slab = 0;   ///< bytes from one slab to the next, where the tile's lines are longer than `span` and
                           ///< continue in further slabs of lines; 0: there is one slab
  int lines = 0, lineBytes = 0;  ///< rows of the tile, and bytes of a whole row, which lie in lineBytes / span slabs
  std::vector<Piece> pieces;  ///< the contents of the 1024 bytes in which the tile begins, row by row: kRows × kAcross
  /// The ways of the bank conflict, with the swizzle and without it, when tensor cores read the same piece of eight
  /// lines at once: how many of the eight pieces lie in the same four banks, at most. 1: no conflict.
  int ways = 1, plainWays = 1;
};

/// Returns the swizzled lines that `access` of the kernel reads or writes, for the values that the loop and thread
/// variables have in `state`. Returns nothing if the access is by threads, not to shared memory or not to swizzled
/// lines of 32, 64 or 128 bytes, and if the tile's place can't be evaluated.
std::optional<SharedLines> sharedLinesOf(const model::KernelAccesses& kernel, const model::Access& access,
                                         const device::WarpState& state);

}  // namespace loom::session
