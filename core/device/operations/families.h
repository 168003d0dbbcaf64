// Families of hardware operations on register operands, such as wmma, mma.sync and wgmma: how each family reads calls
// of TensorIR as its operations. Each family has a file in this folder; `table.cpp` lists them.
#pragma once
#include "core/device/operation.h"

namespace loom::device {

struct OperationFamily;

// Reads a call of TensorIR on tiles of matrices: tvm_fill_fragment, tvm_load_matrix_sync, tvm_mma_sync, tvm_bmma_sync
// or tvm_store_matrix_sync. Several families share these calls; `family` is that of the fragment whose data is the
// first argument, and `context` is what is known of the kernel around the call. The result is the row of the family for
// that call, with the matrix and elements of the operand and the order of the memory; it refers to tables that live as
// long as the program. Error "NotAKernel" if the family has no such row, or if the operands, or the alignment of the
// lines of their matrices, aren't those that the row needs.
Result<OperationNode> readMatrixCall(const OperationFamily& family, const ir::CallNode& call,
                                     const ReadContext& context);
// Returns what such a call computes, as loops of TensorIR over the elements of its tiles. Error "NotExecutable" for
// operands of which the block has no view (match_buffer), and for a product if no load says whether the second factor
// lies by rows or by columns.
Result<ir::Stmt> matrixCallInOrder(const ir::CallNode& call, const InOrder& context);
// Returns, for a call of tvm_load_matrix_sync, whether the matrix lies in memory column by column. Returns nothing for
// other calls.
std::optional<bool> matrixCallLoadsByColumns(const ir::CallNode& call);

// Operations that share their register operands. A call is read by the family that has a row with this call and whose
// fragments have the scope of the first buffer among the call's arguments; if there is none, by the first family with
// the call, which is that of a call without fragments, and for others says what is wrong. No two families may have both
// the call and the scope in common (effects_test checks it); within a family, rows of one call differ in the operand's
// matrix, its elements, the order of the memory, or the elements of the product.
struct OperationFamily {
  const FragmentFamily* fragments = nullptr;  // null where no operand lies in registers of several threads together
  std::span<const OperationRow> rows;         // the family's operations
  decltype(&readMatrixCall) read = readMatrixCall;
  // How a call of the family is written as loops for one thread, and how to tell whether the matrix that a call loads
  // lies column by column. The defaults are for calls on tiles of matrices.
  decltype(&matrixCallInOrder) inOrder = matrixCallInOrder;
  decltype(&matrixCallLoadsByColumns) loadsByColumns = matrixCallLoadsByColumns;

  bool has(std::string_view call) const;  // whether a row of the family is read from calls of this name
};

// Returns all families, as `table.cpp` lists them.
std::span<const OperationFamily* const> operationFamilies();

}  // namespace loom::device
