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
  std::array<std::int64_t, 3> threads{1, 1, 1};  ///< threadIdx.x, .y, .z
  std::int64_t warpX = 0, warpY = 0;             ///< wx, wy: threads of a warp along x, and along the other axes
  std::int64_t blockI = 0, blockJ = 0;           ///< elements of the result that a thread block computes
  std::int64_t warpI = 0, warpJ = 0;             ///< that a warp computes
  std::int64_t stepK = 0;                        ///< of k that are copied to shared memory together; 0: none are
  /// Of each of the first warp's threads: its elements of the warp's tile, as (row, column).
  std::array<std::vector<std::pair<int, int>>, 32> lanes;
};

/// Pass 3: which warp computes which tile.
struct ThreadUnification : PassReport {
  std::optional<ThreadTiles> before;  ///< nothing: the state has no threads yet
  WarpPlan plan;
  std::array<std::int64_t, 2> vectors{1, 1};  ///< elements of a and of b that a thread copies to shared memory at once
  std::vector<Message> kept;                  ///< the person's decisions that are kept or changed, a sentence each
};
/// Applies pass 3. `state` is the state of the request; `start` is the one at which the lines begin, `state` itself or
/// one before it, in which the product is a plain nest. `wanted` is how a person wants it divided, whatever the threads
/// of the state compute. `device` may be null.
ThreadUnification unifyThreads(const schedule::State& state, const schedule::State& start, const MatrixProduct& product,
                               const Identification& found, const TensorTile& tile, const model::Device* device,
                               const std::optional<WarpPlan>& wanted);

/// Returns the divisions that are tried against each other: those into whole tiles that fit shared memory.
std::vector<WarpPlan> warpPlans(const MatrixProduct& product, const Identification& found, const TensorTile& tile);

/// Returns the division with half of a warp's tiles along m left to a second virtual thread; nothing where there is one
/// tile, or virtual threads already.
std::optional<WarpPlan> withVirtualThreads(WarpPlan plan);

/// Returns what the threads of a state compute of the product; the outcome that says why that can't be told.
tl::expected<ThreadTiles, PassReport> threadTiles(const schedule::State& state, const MatrixProduct& product);

/// Returns whether the product is computed by threads of a block in this state, or by operations already.
bool hasThreads(const schedule::State& state, const MatrixProduct& product);

}  // namespace loom::tune
