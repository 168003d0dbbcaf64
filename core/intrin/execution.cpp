#include "core/intrin/execution.h"

#include "core/ir/visit.h"

namespace loom::intrin {

const char* nameOf(ExecutionGroup group) {
  switch (group) {
    case ExecutionGroup::Thread: return "thread";
    case ExecutionGroup::Warp: return "warp";
    case ExecutionGroup::Warpgroup: return "warpgroup";
    case ExecutionGroup::Block: return "block";
    case ExecutionGroup::Cluster: return "cluster";
  }
  return "";
}

std::optional<ExecutionGroup> groupOf(std::string_view op) {
  for (std::string_view warp :
       {"tvm_fill_fragment", "tvm_load_matrix_sync", "tvm_mma_sync", "tvm_bmma_sync", "tvm_store_matrix_sync",
        "ptx_mma", "ptx_mma_sp", "ptx_ldmatrix", "tvm_warp_shuffle", "tvm_warp_shuffle_down"}) {
    if (op == warp) return ExecutionGroup::Warp;
  }
  if (op.starts_with("ptx_wgmma")) return ExecutionGroup::Warpgroup;
  return std::nullopt;
}

const ir::CallNode* groupOperation(const ir::Stmt& s) {
  const ir::CallNode* found = nullptr;
  ir::forEachStmt(s, [&](const ir::Stmt& inner) {
    auto* c = inner->kind == ir::StmtKind::Evaluate ? ir::asCall(ir::as<ir::EvaluateNode>(inner)->value) : nullptr;
    if (!found && c && groupOf(c->op)) found = c;
    return !found;
  });
  return found;
}

}  // namespace loom::intrin
