#pragma once
#include <optional>

#include "core/device/program.h"
#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::lower {

// Returns how the iterations of a loop are to overlap, as its annotations software_pipeline_stage,
// software_pipeline_order, software_pipeline_async_stages and tileloom.unroll_stages say; nothing for a loop that isn't
// pipelined. The pass "pipeline" makes the prologue, the steady loop and the epilogue of it. Error "NotAKernel", with
// the loop as its subject, for annotations that aren't lists of whole numbers from 0 on, for a stage without an order
// or an order without a stage, and for unrolled stages of a loop that has none, or other than 1 to 64 of them.
Result<std::optional<device::Overlap>> overlapOf(const ir::ForNode& loop);

}  // namespace loom::lower
