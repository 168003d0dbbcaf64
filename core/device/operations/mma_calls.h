// How the calls of mma.sync and ldmatrix are read, and what they mean as loops. See families.h.
#pragma once
#include "core/device/operations/families.h"

namespace loom::device {

// T.ptx_ldmatrix and T.ptx_mma on buffers that each lane has for itself. Errors "NotAKernel": other shapes or elements
// than a row has, operands elsewhere, rows of shared memory that don't lie where ldmatrix finds them.
Result<OperationNode> readMmaCall(const OperationFamily& family, const ir::CallNode& call, const ReadContext& context);

// The calls, T.mma_fill and T.mma_store, as loops over the elements of the lane `context.lane`.
Result<ir::Stmt> mmaCallInOrder(const ir::CallNode& call, const InOrder& context);
// Of T.ptx_ldmatrix: whether it transposes, which is what "by columns" is for its operands.
std::optional<bool> mmaCallLoadsByColumns(const ir::CallNode& call);

}  // namespace loom::device
