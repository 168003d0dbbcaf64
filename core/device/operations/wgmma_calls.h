// Reads the calls of TensorIR on sums of a warpgroup (wgmma) as operations of the device program. These calls are
// Tileloom's own and unknown to TVM. D is the buffer of the sum, m, n and k are the extents of the product, and `tile`
// is the number of the tile in D. The distance of rows, from the start of one row in memory to that of the next, is in
// elements. After the order of B, "row_major" or "col_major", the order of A may stand; without it A lies by rows. Of a
// store, n may also divide the columns of the sum's tiles: it then stores n columns, and `tile` counts tiles of n
// columns.
//   T.ptx_wgmma_fill(D.data, m, n, k, tile, value)
//   T.ptx_wgmma_mma_async(D.data, m, n, k, tile, pointer to A, distance, pointer to B, distance, order of B)
//   T.ptx_wgmma_store(D.data, m, n, k, tile, pointer, distance)
#pragma once
#include "core/device/operations/families.h"

namespace loom::device {

// Returns the operation that a call stands for. `family` is the table of wgmma's operations; `context` is what is known
// of the kernel around the call. Error "NotAKernel" if no row of the table has the call's extents, types and orders, or
// if an argument isn't of the kind that stands above.
Result<OperationNode> readWgmmaCall(const OperationFamily& family, const ir::CallNode& call,
                                    const ReadContext& context);
// Returns what a call computes, as loops of TensorIR over the tile's elements. `context` tells which views
// (match_buffer) the block around the call has. Error "NotExecutable" if an operand isn't the data of such a view.
Result<ir::Stmt> wgmmaCallInOrder(const ir::CallNode& call, const InOrder& context);
// Returns nothing for every call: no call of the family loads registers from memory.
std::optional<bool> wgmmaCallLoadsByColumns(const ir::CallNode& call);

}  // namespace loom::device
