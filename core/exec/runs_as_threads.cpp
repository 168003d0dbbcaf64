#include "core/exec/runs_as_threads.h"

#include <set>

#include "core/device/memory_place.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/passes.h"

namespace loom::exec {

using namespace ir;

bool isOwnOfThread(const BufferNode& b) { return b.scope == "local" || b.scope.starts_with("local."); }
bool isShared(const BufferNode& b) { return b.scope.starts_with("shared"); }

bool runsAsThreads(const Function& function) {
  bool barriers = false, threads = false, virtuals = false, blocks = false, sums = false;
  bool shared = false, ofCluster = false;
  std::set<const VarNode*> bound;
  forEachStmt(Stmt(function->body), [&](const Stmt& s) {
    if (s->kind == StmtKind::Evaluate) {
      auto* call = asCall(as<EvaluateNode>(s)->value);
      barriers = barriers || (call && call->op == "tvm_storage_sync");
    }
    if (auto* loop = asFor(s); loop && loop->forKind == ForKind::ThreadBinding) {
      threads = threads || loop->thread.starts_with("threadIdx");
      virtuals = virtuals || lower::isVirtualThread(loop->thread);
      blocks = blocks || loop->thread == "blockIdx.z";
      bound.insert(loop->var.get());
    }
    if (auto* realize = asRealize(s)) {
      for (const Buffer& b : realize->block->allocs) {
        shared = shared || isShared(*b);
        ofCluster = ofCluster || b->scope == device::kSharedCluster;
      }
      for (std::size_t i = 0; i < realize->values.size(); ++i) {
        // A sum over threads is TVM's to carry out; in order it is what it says.
        sums = sums || (realize->block->iters[i].type == IterType::Reduce &&
                        usesVar(realize->values[i], [&](const VarNode* v) { return bound.count(v) > 0; }));
      }
    }
    return true;
  });
  return barriers || ((virtuals || (threads && shared) || (blocks && ofCluster)) && !sums);
}

}  // namespace loom::exec
