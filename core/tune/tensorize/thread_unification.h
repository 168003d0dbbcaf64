#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/schedule/state.h"
#include "core/tune/tensorize/matrix_identification.h"

namespace loom::tune {

/// The tiles that the threads of a schedule without tensor cores compute, read off its accesses to global memory.
struct ThreadTiles {
  std::array<std::int64_t, 3> threads{1, 1, 1};  ///< threads of a block along threadIdx.x, .y and .z
  std::int64_t warpX = 0, warpY = 0;    ///< threads of a warp along threadIdx.x, and along the other axes: 32 in all
  std::int64_t blockI = 0, blockJ = 0;  ///< rows and columns of the result that a thread block computes
  std::int64_t warpI = 0, warpJ = 0;    ///< rows and columns of the result that a warp computes
  std::int64_t stepK = 0;               ///< elements along k that are copied to shared memory together; 0: none are
  /// For each thread of the first warp: the elements of the warp's tile that the thread computes, as (row, column),
  /// counted from 0 within the tile.
  std::array<std::vector<std::pair<int, int>>, 32> lanes;
};

/// The result of pass 3 of the four that take a matrix product to tensor cores: which warp computes which tiles. A
/// state is a program after some scheduling steps.
struct ThreadUnification : PassReport {
  /// What the state's threads compute; nothing: there are none, the pass has failed to read it, or a plan was wanted.
  std::optional<ThreadTiles> before;
  WarpPlan plan;  ///< the division among warps, virtual threads and tiles; only meaningful if the pass has succeeded
  std::array<std::int64_t, 2> vectors{1, 1};  ///< elements of a and of b that a thread copies to shared memory at once
  std::vector<Message> kept;  ///< a sentence on each division of the state: it is kept, or changed; empty: no `before`
};
/// Applies pass 3. `state` is the state that the user asks about; `start` is the state at which the step lines begin:
/// `state` itself or an earlier one, in which the product is a plain loop nest. `product` is the block that multiplies,
/// `found` says which of its operands and iterators are those of a, b and c (pass 2), and `tile` is the tile that a
/// warp multiplies by one operation (pass 1). `wanted` is the division that a person chose, whatever the threads of
/// `state` compute; nothing: the division of these threads, or a usual one if there are none. The number of blocks of a
/// usual one depends on `device`, which may be null: not known. If the pass fails, as for threads whose tiles can't be
/// read, `outcome` of the result says why.
ThreadUnification unifyThreads(const schedule::State& state, const schedule::State& start, const MatrixProduct& product,
                               const Identification& found, const TensorTile& tile, const model::Device* device,
                               const std::optional<WarpPlan>& wanted);

/// Returns the divisions of the product to be compared: usual ones into whole tiles whose copies fit in 48 KiB of
/// shared memory. Empty if there are none.
std::vector<WarpPlan> warpPlans(const MatrixProduct& product, const Identification& found, const TensorTile& tile);

/// Returns the plan with half of a warp's tiles along m given to a second virtual thread. Returns nothing if the plan
/// has virtual threads already, or an odd number of tiles along m.
std::optional<WarpPlan> withVirtualThreads(WarpPlan plan);

/// Returns the tiles of the product that the threads of a state compute, or else the report that says why they can't be
/// read off the state.
tl::expected<ThreadTiles, PassReport> threadTiles(const schedule::State& state, const MatrixProduct& product);

/// Returns whether the loops of the product are bound to threads of a block in this state, or the product is computed
/// by intrinsics already.
bool hasThreads(const schedule::State& state, const MatrixProduct& product);

}  // namespace loom::tune
