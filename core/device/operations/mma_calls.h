// Reads the calls of TensorIR for mma.sync and ldmatrix (T.ptx_mma, T.ptx_ldmatrix) as operations of the device
// program, and writes them as loops of TensorIR. `family` is the family of these operations, and `context` what is
// known of the kernel, or of the block, around the call (operation.h).
#pragma once
#include "core/device/operations/families.h"

namespace loom::device {

// Reads a call of T.ptx_ldmatrix or T.ptx_mma, whose register operands are local buffers of each lane. Error
// "NotAKernel" for a shape, an element type or a number of matrices that no operation of the family has, for operands
// in other memory, and for rows of shared memory whose distance isn't a multiple of the alignment that ldmatrix needs.
Result<OperationNode> readMmaCall(const OperationFamily& family, const ir::CallNode& call, const ReadContext& context);

// Returns what a call of T.ptx_ldmatrix, T.ptx_mma, T.mma_fill or T.mma_store does, as loops over the elements that the
// lane `context.lane` holds. Error "NotExecutable" for operands that the block doesn't view as tiles, and for a call
// outside of a loop over the lanes.
Result<ir::Stmt> mmaCallInOrder(const ir::CallNode& call, const InOrder& context);
// Returns whether a call of T.ptx_ldmatrix transposes, which means that the matrix lies in memory column by column.
// Returns nothing for other calls.
std::optional<bool> mmaCallLoadsByColumns(const ir::CallNode& call);

}  // namespace loom::device
