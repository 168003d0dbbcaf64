#pragma once
#include <optional>

#include "core/device/program.h"
#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::lower {

// Returns how the iterations of a loop are to overlap, as its annotations software_pipeline_stage,
// software_pipeline_order, software_pipeline_async_stages and tileloom.unroll_stages say; nothing for a loop without
// stages, which isn't pipelined; asynchronous stages are then ignored, but the other two are errors. The pass
// "pipeline" (`overlapLoops`) replaces a pipelined loop by prologue, steady loop and epilogue, and checks that the
// lists fit the loop's body. Error "NotAKernel", with the loop as its subject: one of the first three annotations isn't
// a list of whole numbers from 0 on; a loop has stages without orders or orders without stages; tileloom.unroll_stages,
// the unroll factor of the steady loop, isn't a whole number from 1 to 64, or stands at a loop without stages.
Result<std::optional<device::Overlap>> overlapOf(const ir::ForNode& loop);

}  // namespace loom::lower
