// Which loops of a nest become the launch dimensions of its kernel.
#pragma once
#include <array>
#include <vector>

#include "core/device/refusal.h"
#include "core/ir/symbols.h"
#include "core/lower/lower.h"

namespace loom::lower {

// The launch of a nest, read off its bound loops.
struct Launch {
  std::vector<ir::Id> loops;  // the loops bound to blockIdx or threadIdx, all of an axis, in program order
  // Along threadIdx.x, .y, .z, blockIdx.x, .y, .z: the extent of the loops that are bound to the axis. Where none is:
  // 0, but for threadIdx.x the lanes that `findLaunch` adds.
  std::array<std::int64_t, 6> extents{};
  std::array<ir::Expr, 3> gridExtents;  // blockIdx.x, .y, .z, where they depend on symbols (`extents` has 0); else null
  bool warp = false;       // a warp-level operation occurs, or (for a draft) a tensor-core fragment is allocated
  bool warpgroup = false;  // an operation of a warpgroup occurs; then `warp` may be true, too
  // Returns the extent of an axis, numbered as in `extents`; 1 if that has 0: no loop is bound to the axis, the loop
  // has no iterations, or the extent depends on symbols (`gridExtents`).
  std::int64_t extent(int axis) const { return extents[axis] ? extents[axis] : 1; }
};

// Returns the launch of a nest. A nest without a loop bound to threadIdx.x gets 128 threads along x if it has
// operations of warpgroups; else 32 lanes if it has warp-level operations, or (with `byElements`, for programs that no
// GPU can run: `draft` in lower.h) if it allocates tensor-core fragments. The extents of the grid may depend on
// `symbols`. Error "NotAKernel" if loops of one axis differ in extent, if an extent is negative or not constant (except
// those of the grid over `symbols`), if a loop is bound to an axis that CUDA lacks, or if the launch exceeds the
// limits, which grid extents over symbols aren't checked for.
Result<Launch> findLaunch(const ir::Stmt& nest, const Limits& limits, bool byElements = false,
                          const std::vector<ir::Symbol>& symbols = {});

// Makes the error "NotAKernel", as notAKernel(Message message, std::vector<ir::Id> subjects = {}, Message remedy = {},
// Forbids forbids = Forbids::Program): a sentence on the broken rule, the ids of the loops, blocks and buffers that it
// is about, a step that would help (empty: none), and what forbids it.
using device::notAKernel;

}  // namespace loom::lower
