// Reads the calls of TensorIR on sums of a warpgroup (wgmma) as operations of the device program. These calls are
// Tileloom's own and unknown to TVM. D is the buffer of the sum, m, n and k are the extents of the product, `tile` is
// the number of the tile in D, and a rows' distance is in elements:
//   T.ptx_wgmma_fill(D.data, m, n, k, tile, value)
//   T.ptx_wgmma_mma_async(D.data, m, n, k, tile, pointer to A, its rows' distance, pointer to B, distance, order of B)
//   T.ptx_wgmma_store(D.data, m, n, k, tile, pointer, its rows' distance)
#pragma once
#include "core/device/operations/families.h"

namespace loom::device {

// Returns the operation that a call stands for. Errors as those of `readOperation` (operation.h).
Result<OperationNode> readWgmmaCall(const OperationFamily& family, const ir::CallNode& call,
                                    const ReadContext& context);
// Returns what a call computes, as loops of TensorIR over the tile's elements. Errors as those of `inOrder`
// (operation.h).
Result<ir::Stmt> wgmmaCallInOrder(const ir::CallNode& call, const InOrder& context);
// Returns nothing for every call: no call of the family loads registers from memory.
std::optional<bool> wgmmaCallLoadsByColumns(const ir::CallNode& call);

}  // namespace loom::device
