// What the primitives compute_inline and reverse_compute_inline share: they remove one block of a scope (the blocks
// directly in one outer block) and a buffer. For compute_inline the block is the buffer's producer, for
// reverse_compute_inline its consumer. They compute anew which regions the blocks that used the buffer read and write.
#pragma once
#include "core/arith/block_access.h"
#include "core/ir/visit.h"
#include "core/schedule/buffers.h"
#include "core/schedule/draft.h"

namespace loom::schedule {

// A mutator that removes a block and its buffer from a scope. A derived class overrides a function that this class
// doesn't, and calls the Mutator's in it: compute_inline overrides rewriteLoad and replaces each load of the buffer by
// the value that the removed block stores; reverse_compute_inline overrides rewriteStore and replaces the producer's
// store to the buffer by the removed block's store, with the stored value in it.
class Inliner : public ir::Mutator {
 public:
  // `inlined` is the block that disappears, `buffer` the one that it writes (compute_inline) or reads, and `scope` the
  // block that directly contains it.
  Inliner(ir::Buffer buffer, const ir::Block& inlined, Id scope);

  // Returns the block `scope`, the constructor's, without the inlined block and the buffer. `removal` says how the
  // inlined block is removed together with its loops; it must live until the call returns.
  ir::Block run(const LeafRemoval& removal, const ir::Block& scope);
  // Returns, after `run`, whether the buffer is used by pointer or a block views a part of it (match_buffer), so that
  // it can't be removed; the block that `run` returned must then not be used.
  bool hasOpaqueAccess() const { return hasOpaqueAccess_; }

  ir::Block rewriteBlock(const ir::Block& block) override;  // of `run`; not to be called otherwise

 protected:
  ir::Expr rewriteVar(const ir::Expr& e) override;
  ir::Stmt rewriteFor(const ir::Stmt& s) override;

  const ir::Buffer buffer_;           // between producer and consumer
  const ir::StoreNode* const store_;  // the inlined block's body; null if the body is no store
  const ir::Block inlined_;           // keeps store_ alive
  // What stands for variables of the inlined block. This class doesn't use it: a derived class fills it and substitutes
  // by it, reverse_compute_inline once before `run`, compute_inline anew for each load.
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
// so, too, where their target is the marker Inline (LoopRef::Marker). Errors: the refusals that the files of the
// primitives list; the draft is then unchanged.
Checked computeInline(Draft& draft, Id block);
Checked reverseComputeInline(Draft& draft, Id block);

// Checks that a block has no init. Error "HasInitBlock".
Checked checkNoInit(const ir::BlockNode& block);
// Returns the refusal "OpaqueAccessError" of a buffer that the scope uses by pointer, or of which a block views a part
// (match_buffer), so that it can't be removed.
Failure opaqueAccess(const ir::Buffer& buffer, Id scope);

}  // namespace loom::schedule
