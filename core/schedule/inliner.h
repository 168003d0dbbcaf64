// What compute_inline and reverse_compute_inline share: the walk over a scope that takes one block out, drops the
// buffer between producer and consumer, and finds the signatures of the blocks that used it anew.
#pragma once
#include "core/arith/block_access.h"
#include "core/ir/visit.h"
#include "core/schedule/buffers.h"
#include "core/schedule/draft.h"

namespace loom::schedule {

// Replaces the uses of a buffer by what the block that writes it computes, or the other way round.
class Inliner : public ir::Mutator {
 public:
  // `inlined` is the block that disappears.
  Inliner(ir::Buffer buffer, const ir::Block& inlined, Id scope);

  // Returns the scope without the inlined block.
  ir::Block run(const LeafRemoval& removal, const ir::Block& scope);
  // Returns, after `run`, whether the buffer is used by pointer or viewed, so that it can't be removed.
  bool hasOpaqueAccess() const { return hasOpaqueAccess_; }

  ir::Block rewriteBlock(const ir::Block& block) override;

 protected:
  ir::Expr rewriteVar(const ir::Expr& e) override;
  ir::Stmt rewriteFor(const ir::Stmt& s) override;

  const ir::Buffer buffer_;           // between producer and consumer
  const ir::StoreNode* const store_;  // the inlined block's body; null if that is something else
  const ir::Block inlined_;           // keeps store_ alive
  std::unordered_map<const ir::VarNode*, ir::Expr> replacement_;  // of index variables

 private:
  void remember(const ir::BlockNode& block);
  ir::Block withSignature(const ir::Block& block, bool isScope) const;

  Id scope_;
  const LeafRemoval* removal_ = nullptr;
  arith::KnownBuffers known_;
  bool hasOpaqueAccess_ = false;
};

// Inline a block, as the primitives do, for compute_at and reverse_compute_at at the marker "inline".
Checked computeInline(Draft& draft, Id block);
Checked reverseComputeInline(Draft& draft, Id block);

// Checks that a block has no init. Error "HasInitBlock".
Checked checkNoInit(const ir::BlockNode& block);
// Return the refusals that both primitives share.
Failure opaqueAccess(const ir::Buffer& buffer, Id scope);

}  // namespace loom::schedule
