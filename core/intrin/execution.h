// Who executes an operation of the hardware: one thread alone, or a group of threads together.
#pragma once
#include <optional>
#include <string_view>

#include "core/intrin/intrinsic.h"

namespace loom::intrin {

// Returns the name of a group as the files that define tensor intrinsics write it: "thread", "warp", "warpgroup",
// "block" or "cluster".
const char* nameOf(ExecutionGroup group);

// Returns the group that executes the operation `op`, given without "T.", together: a warp for those of wmma, mma.sync
// and ldmatrix and for tvm_warp_shuffle and tvm_warp_shuffle_down, a warpgroup for those of wgmma. Returns nothing for
// all other operations and for unknown names. Source: PTX ISA 9.0, the .aligned qualifier.
std::optional<ExecutionGroup> groupOf(std::string_view op);

// Returns the first operation in `s`, which isn't null, that a group of threads executes together; null if there is
// none. Only calls that are statements of their own are considered, so no warp shuffles whose values are used.
const ir::CallNode* groupOperation(const ir::Stmt& s);

}  // namespace loom::intrin
