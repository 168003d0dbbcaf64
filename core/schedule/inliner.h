// What the primitives compute_inline and reverse_compute_inline share: they remove one block of a scope (the blocks
// directly in one outer block) and the buffer between this block and its consumers or producer. They compute anew which
// regions the blocks that used the buffer read and write.
#pragma once
#include "core/arith/block_access.h"
#include "core/ir/visit.h"
#include "core/schedule/buffers.h"
#include "core/schedule/draft.h"

namespace loom::schedule {

// A mutator that removes a block and its buffer from a scope. A derived class replaces the uses of the buffer, by what
// the removed block computes (compute_inline) or the other way round (reverse_compute_inline).
class Inliner : public ir::Mutator {
 public:
  // `inlined` is the block that disappears, `buffer` the one between it and its consumers or producer, and `scope` the
  // block that directly contains the block that disappears.
  Inliner(ir::Buffer buffer, const ir::Block& inlined, Id scope);

  // Returns the block `scope`, without the inlined block and the buffer, where `removal` says how the inlined block is
  // removed together with its loops.
  ir::Block run(const LeafRemoval& removal, const ir::Block& scope);
  // Returns, after `run`, whether the buffer is used by pointer or a block views a part of it (match_buffer), so that
  // it can't be removed.
  bool hasOpaqueAccess() const { return hasOpaqueAccess_; }

  ir::Block rewriteBlock(const ir::Block& block) override;

 protected:
  ir::Expr rewriteVar(const ir::Expr& e) override;
  ir::Stmt rewriteFor(const ir::Stmt& s) override;

  const ir::Buffer buffer_;           // between producer and consumer
  const ir::StoreNode* const store_;  // the inlined block's body; null if the body is no store
  const ir::Block inlined_;           // keeps store_ alive
  // What replaces iterators of the inlined block, by their variables; derived classes fill it in.
  std::unordered_map<const ir::VarNode*, ir::Expr> replacement_;

 private:
  void remember(const ir::BlockNode& block);
  ir::Block withSignature(const ir::Block& block, bool isScope) const;

  Id scope_;
  const LeafRemoval* removal_ = nullptr;
  arith::KnownBuffers known_;
  bool hasOpaqueAccess_ = false;
};

// Inline a block as the primitives compute_inline and reverse_compute_inline do. compute_at and reverse_compute_at do
// so, too, where their target is the marker Inline (LoopRef::Marker). Errors: the refusals of the primitives.
Checked computeInline(Draft& draft, Id block);
Checked reverseComputeInline(Draft& draft, Id block);

// Checks that a block has no init. Error "HasInitBlock".
Checked checkNoInit(const ir::BlockNode& block);
// Returns the refusal "OpaqueAccessError" of a buffer that the scope uses by pointer, or of which a block views a part
// (match_buffer), so that it can't be removed.
Failure opaqueAccess(const ir::Buffer& buffer, Id scope);

}  // namespace loom::schedule
