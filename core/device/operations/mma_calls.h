// Reads the calls of TensorIR for mma.sync and ldmatrix (T.ptx_mma, T.ptx_ldmatrix) as operations of the device
// program, and writes them as loops. families.h says which calls belong to which family.
#pragma once
#include "core/device/operations/families.h"

namespace loom::device {

// Reads T.ptx_ldmatrix and T.ptx_mma, whose operands are buffers that each lane has for itself. Errors "NotAKernel":
// shapes or elements that no row has, operands elsewhere, and rows of shared memory that don't lie where ldmatrix takes
// them from.
Result<OperationNode> readMmaCall(const OperationFamily& family, const ir::CallNode& call, const ReadContext& context);

// Returns what these calls, T.mma_fill or T.mma_store do, as loops over the elements that the lane `context.lane`
// holds.
Result<ir::Stmt> mmaCallInOrder(const ir::CallNode& call, const InOrder& context);
// Returns whether a call of T.ptx_ldmatrix transposes, which means that its operand lies by columns. Returns nothing
// for other calls.
std::optional<bool> mmaCallLoadsByColumns(const ir::CallNode& call);

}  // namespace loom::device
