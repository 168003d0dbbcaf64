#pragma once
#include <optional>

#include "core/model/advice.h"

namespace loom::model {

// Advice "warpgroups", on a device of compute capability 9.0: what warpgroups, TMA and their barriers would still do
// for a kernel that multiplies. Its subject is the next decision of the Hopper ladder that the kernel doesn't take:
// "cores" or "warps" (CUDA cores or mma.sync multiply: TMA and wgmma first), "ring" (one tile is loaded, then
// multiplied), "flight" (one warpgroup waits for each of its products), "loaders" (those that multiply ask for copies,
// too), "tile" (tiles smaller than 128 × 256 on more than one wave), "registers" (roles have registers alike), "raster"
// (the tiles of a wave read more than in another order), "stays" (each tile has a block of its own), "staged" (threads
// store sums), "turns" (tensor cores wait while sums are stored), "early" (a block's one tile is asked for late). Its
// numbers: "tensor", microseconds that tensor cores need at their peak, "blocks", "slots", "microseconds": what would be
// saved if they never waited. Nothing for kernels that take all of them, that multiply nothing, or whose factors have 32
// bits and more; nothing for other devices, and without a time.
std::optional<Advice> warpgroupAdvice(const KernelModel& model, const Device& device);

}  // namespace loom::model
