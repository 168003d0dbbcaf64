// The families of operations, one file each in this folder; `table.cpp` lists them.
#pragma once
#include "core/device/operation.h"

namespace loom::device {

// Operations that are read from the same calls and share their register operands.
struct OperationFamily {
  std::span<const std::string_view> calls;  // of TensorIR, that `read` knows
  Result<OperationNode> (*read)(const ir::CallNode& call, const ReadContext& context);
  // What a call means in order on one thread, and whether a load says that its operand lies by columns: see
  // operation.h.
  Result<ir::Stmt> (*inOrder)(const ir::CallNode& call, const InOrder& context);
  std::optional<bool> (*loadsByColumns)(const ir::CallNode& call);
  const FragmentFamily* fragments = nullptr;  // null where the family has no registers of a group
  std::span<const OperationRow> rows;
};

// wmma of CUDA's mma.h: fragments that load, multiply and store tiles of 16 × 16 × 16.
extern const OperationFamily kWmma;
Result<ir::Stmt> wmmaInOrder(const ir::CallNode& call, const InOrder& context);
std::optional<bool> wmmaLoadsByColumns(const ir::CallNode& call);

std::span<const OperationFamily* const> operationFamilies();

}  // namespace loom::device
