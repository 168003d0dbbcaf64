// Who executes an operation of the hardware: one thread alone, or a group of threads together.
#pragma once
#include <optional>
#include <string_view>

#include "core/intrin/intrinsic.h"

namespace loom::intrin {

// Returns the name of a group as the files that define tensor intrinsics write it: "thread", "warp", "warpgroup",
// "block" or "cluster".
const char* nameOf(ExecutionGroup group);

// Returns the group that executes the operation `op`, given without "T.", together: a warp for TVM's operations on wmma
// fragments (tvm_mma_sync, …), for ptx_mma, ptx_mma_sp and ptx_ldmatrix, and for tvm_warp_shuffle and
// tvm_warp_shuffle_down; a warpgroup for those that begin with "ptx_wgmma". Returns nothing for all other names. Source
// for the instructions of tensor cores: PTX ISA 9.0, the .aligned qualifier.
std::optional<ExecutionGroup> groupOf(std::string_view op);

// Returns the first call in `s`, which isn't null, for which `groupOf` returns a group; null if there is none. Only
// calls that are statements of their own are found, so not a warp shuffle, whose value another expression uses.
const ir::CallNode* groupOperation(const ir::Stmt& s);

}  // namespace loom::intrin
