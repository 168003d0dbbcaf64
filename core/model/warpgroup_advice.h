#pragma once
#include <optional>

#include "core/model/advice.h"

namespace loom::model {

// Returns advice "warpgroups", for a device of compute capability 9.0: what warpgroups, TMA and their barriers would
// still gain for a kernel that multiplies. Its subject is the next decision that the kernel doesn't take: "cores" or
// "warps" (CUDA cores or mma.sync multiply: TMA and wgmma first), "ring" (one tile is loaded, then multiplied),
// "flight" (one warpgroup waits for each of its products), "loaders" (the warps that multiply also ask for copies),
// "tile" (tiles smaller than 128 × 256 on more than one wave), "registers" (all roles have the same number of
// registers), "raster" (the tiles of a wave read more than in another order), "stays" (each tile has a block of its
// own), "staged" (threads store sums), "turns" (tensor cores wait while sums are stored), "early" (a block's one tile
// is asked for late). Its numbers: "tensor", the microseconds that tensor cores need at their peak; "blocks"; "slots";
// "microseconds", which would be saved if they never waited. Returns nothing for kernels that take all of these
// decisions, that multiply nothing, or whose factors have 32 bits and more; for other devices; and without an estimate.
std::optional<Advice> warpgroupAdvice(const KernelModel& model, const Device& device);

}  // namespace loom::model
