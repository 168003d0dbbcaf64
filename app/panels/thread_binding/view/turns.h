#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/panels/thread_binding/view/accesses.h"

/// The turns of persistent blocks. The loop over a block's tiles (its turns) has its body under a condition on the
/// tile's number, which follows from the loop's variable and blockIdx, as in `turn * 132 + blockIdx.x < 512`.
namespace loom::session {

/// A tile of the result: the block that computes it, by its number counted along x first, and how many tiles the block
/// computes before it (`turn`).
struct TurnTile {
  std::int64_t block = 0, turn = 0;
  friend bool operator==(const TurnTile&, const TurnTile&) = default;
};

/// The tiles of a persistent kernel, each where it lies in the result.
struct TurnTiles {
  std::int64_t columns = 1, rows = 1;  ///< of tiles
  std::vector<TurnTile> tiles;         ///< row by row
};

/// Returns the index, in KernelAccesses::loops, of the loop over a block's tiles around an access; nothing if the
/// access, one of `accesses`, is under no condition of the form above, or if the number grows in an iteration by no
/// more than from the first block to the last one: `blockIdx.x * 8 + row < 1000` is a bounds check.
std::optional<int> turnLoopOf(const model::KernelAccesses& accesses, const model::Access& access);

/// Returns the tiles of a persistent kernel. The result is the buffer in global memory that the kernel's last store
/// there writes, taken as rows and columns (ThreadBinding::rowsOf). Returns nothing if that store isn't in a loop over
/// tiles, if blocks times iterations of this loop are more than 65536, or if the tiles' places can't be evaluated or
/// fill no rectangle.
std::optional<TurnTiles> turnTiles(const ThreadBinding& binding);

}  // namespace loom::session
