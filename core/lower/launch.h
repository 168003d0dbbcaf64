// Which loops of a nest become the launch dimensions of its kernel.
#pragma once
#include <array>
#include <vector>

#include "core/device/refusal.h"
#include "core/ir/symbols.h"
#include "core/lower/lower.h"

namespace loom::lower {

struct Launch {
  std::vector<ir::Id> loops;              // bound to blockIdx or threadIdx
  std::array<std::int64_t, 6> extents{};  // threadIdx.x, .y, .z, blockIdx.x, .y, .z; 0 where no loop is bound
  std::array<ir::Expr, 3> gridExtents;  // blockIdx.x, .y, .z, where they depend on symbols (`extents` has 0); else null
  bool warp = false;                    // a warp-level operation occurs
  bool warpgroup = false;               // an operation of a warpgroup occurs
  std::int64_t extent(int axis) const { return extents[axis] ? extents[axis] : 1; }
};

// Error "NotAKernel" where loops of one axis differ in extent or have none that is constant, and where the launch
// exceeds the limits. A nest with warp-level operations and no threadIdx.x loop gets 32 lanes along x, with those
// of warpgroups 128; one with
// fragments does, too, where they are used `byElements` (`draft`). Blocks of the grid may be over `symbols`.
Result<Launch> findLaunch(const ir::Stmt& nest, const Limits& limits, bool byElements = false,
                          const std::vector<ir::Symbol>& symbols = {});

using device::notAKernel;

}  // namespace loom::lower
