// Who executes an operation of the hardware: one thread alone, or a group of threads together.
#pragma once
#include <optional>
#include <string_view>

#include "core/intrin/intrinsic.h"

namespace loom::intrin {

// "thread", "warp", "warpgroup", "block", "cluster", as intrinsics' files write it.
const char* nameOf(ExecutionGroup group);

// Of the operation T.`op`; nothing for operations that any thread does by itself, and for unknown ones.
// Source: PTX ISA 9.0, the .aligned qualifier and the descriptions of wmma, mma, ldmatrix, stmatrix and wgmma.
std::optional<ExecutionGroup> groupOf(std::string_view op);

// The first operation in `s` that takes a group of threads. Null when none does.
const ir::CallNode* groupOperation(const ir::Stmt& s);

}  // namespace loom::intrin
