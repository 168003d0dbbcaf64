#include "core/schedule/copy_beside.h"

#include "core/ir/visit.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {
namespace {

using namespace ir;

// The scope with the block exchanged.
class BlockReplacer : public Mutator {
 public:
  explicit BlockReplacer(Block block) : block_(std::move(block)) {}
  using Mutator::rewrite;

 protected:
  Stmt rewriteRealize(const Stmt& s) override {
    const auto* n = as<BlockRealizeNode>(s);
    return n->block->id == block_->id ? Stmt(realize(n->values, n->predicate, block_)) : s;
  }

 private:
  Block block_;
};

}  // namespace

Result<void> locateBeside(const Program& p, Id scope, Id block, bool behind, Forbids forbids, CacheStage& stage) {
  const Tree& tree = p.tree();
  Id outermost = tree.parent(block);
  bool isChain = outermost != scope;
  while (isChain && tree.parent(outermost) != scope) {
    const Id above = tree.parent(outermost);
    isChain = tree.isLoop(above) && tree.loop(above)->body == Stmt(tree.loop(outermost));
    outermost = above;
  }
  if (!isChain)
    return refuse(
        "InternalError",
        message("The loops of the block \"{}\" are no chain from its scope down to it", tree.block(block)->name),
        {block}, forbids);
  stage.location = scope;
  const int at = tree.at(outermost).seqIndex;
  stage.position = (at == Tree::kNone ? 0 : at) + (behind ? 1 : 0);
  return {};
}

Result<Handles> copyBeside(Draft& draft, Id scope, const Block& block, const Buffer& made, const CacheStage& stage) {
  const Block whole = draft.tree().block(scope);
  auto body = insertCopy(BlockReplacer(block).rewrite(whole->body), stage);
  if (!body) return Failure(body.error());
  auto done = finishCopy(draft, scope,
                         edit(*whole,
                              [&](BlockNode& n) {
                                n.body = *body;
                                n.allocs.push_back(made);
                              }),
                         stage);
  if (!done) return Failure(done.error());
  return Handles{BlockRef{stage.block}};
}

}  // namespace loom::schedule
