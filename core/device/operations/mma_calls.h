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

// Returns what a call of T.ptx_ldmatrix or T.ptx_mma does, as loops over the elements that the lane `context.lane`
// holds, or over whole tiles if the result lies in a scope of whole matrices (m16n8k8.…), so that one thread can
// execute it in program order. Error "NotExecutable" for operands that the block doesn't view as tiles, for a call on a
// lane's elements outside of a loop over the lanes, and for a product of elements of less than 32 bits if no load of a
// factor says whether it lies by rows or by columns.
Result<ir::Stmt> mmaCallInOrder(const ir::CallNode& call, const InOrder& context);
// Returns whether a call of T.ptx_ldmatrix transposes, which means that the matrix lies in memory column by column.
// Returns nothing for other calls.
std::optional<bool> mmaCallLoadsByColumns(const ir::CallNode& call);

}  // namespace loom::device
