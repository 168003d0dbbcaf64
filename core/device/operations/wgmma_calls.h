// The calls of TensorIR on sums of a warpgroup, our own:
//   T.ptx_wgmma_fill(D.data, m, n, k, tile, value)
//   T.ptx_wgmma_mma_async(D.data, m, n, k, tile, pointer to A, its rows' distance, pointer to B, distance, order of B)
//   T.ptx_wgmma_store(D.data, m, n, k, tile, pointer, its rows' distance)
#pragma once
#include "core/device/operations/families.h"

namespace loom::device {

Result<OperationNode> readWgmmaCall(const OperationFamily& family, const ir::CallNode& call,
                                    const ReadContext& context);
Result<ir::Stmt> wgmmaCallInOrder(const ir::CallNode& call, const InOrder& context);
std::optional<bool> wgmmaCallLoadsByColumns(const ir::CallNode& call);

}  // namespace loom::device
