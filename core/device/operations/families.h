// The families of operations, one file each in this folder; `table.cpp` lists them.
#pragma once
#include "core/device/operation.h"

namespace loom::device {

struct OperationFamily;

// Reads a call of TensorIR on tiles of matrices: tvm_fill_fragment, tvm_load_matrix_sync, tvm_mma_sync or
// tvm_store_matrix_sync. Several families share these calls; `family` is that of the fragment whose data is the first
// argument. The result is the row of the family for that call, with the matrix and elements of the operand and the
// order of the memory. Errors as those of `readOperation` (operation.h).
Result<OperationNode> readMatrixCall(const OperationFamily& family, const ir::CallNode& call,
                                     const ReadContext& context);
Result<ir::Stmt> matrixCallInOrder(const ir::CallNode& call, const InOrder& context);
std::optional<bool> matrixCallLoadsByColumns(const ir::CallNode& call);

// Operations that share their register operands. A call is read by the family that has a row with this call and whose
// fragments have the scope of the first buffer among the call's arguments. No two families may have both in common
// (effects_test checks it); within a family, rows of one call differ in the operand's matrix, its elements, the order
// of the memory, or the elements of the product.
struct OperationFamily {
  const FragmentFamily* fragments = nullptr;  // null where the family has no registers of a group
  std::span<const OperationRow> rows;
  decltype(&readMatrixCall) read = readMatrixCall;
  // What a call means in order on one thread, and whether a load says that its operand lies by columns.
  decltype(&matrixCallInOrder) inOrder = matrixCallInOrder;
  decltype(&matrixCallLoadsByColumns) loadsByColumns = matrixCallLoadsByColumns;

  bool has(std::string_view call) const;
};

// Returns all families, as `table.cpp` lists them.
std::span<const OperationFamily* const> operationFamilies();

}  // namespace loom::device
