#pragma once
#include <optional>

#include "core/model/advice.h"

namespace loom::model {

// Returns the advice with the code "warpgroups", for a device of compute capability 9.0: what warpgroups, TMA and
// mbarriers would still gain for a kernel that computes products. Advice::subject names the first optimisation of this
// list that the kernel lacks: "cores" or "warps" (CUDA cores or mma.sync multiply; use TMA and wgmma), "ring" (one tile
// is loaded, then multiplied; use a ring buffer of slots), "flight" (one warpgroup waits for each product before it
// starts the next), "loaders" (the warps that multiply also ask for copies; specialise warps), "tile" (a thread has
// fewer than 128 accumulators although the grid has more blocks than the device has multiprocessors), "registers" (all
// roles of warps have the same number of registers), "raster" (the tiles of a wave read more bytes than in another
// order), "stays" (each tile has a block of its own; use persistent blocks), "staged" (threads store accumulators
// directly), "turns" (tensor cores are idle while accumulators are stored), "early" (a block asks late for its only
// tile). Advice::numbers has "tensor", the µs that tensor cores need, at the clock of the prediction if warpgroups
// multiply already, else at the stated peak; "blocks", the blocks of the grid; "slots", the slots of the ring buffer, 1
// without one; "microseconds", the µs that would be saved if tensor cores never waited. Returns nothing for kernels
// that lack none of these, that compute no products, or whose factors don't have 8 or 16 bits; for kernels of CUDA
// cores also if results don't have 32 bits, rows aren't whole multiples of 16 bytes, or elements are used too seldom;
// for other devices; and if the model has no estimate or the device no figure for the peak.
std::optional<Advice> warpgroupAdvice(const KernelModel& model, const Device& device);

}  // namespace loom::model
