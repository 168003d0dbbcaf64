// decompose_reduction(block, loop): a reduction's initialization becomes a nest of its own, just before `loop`.
//
//   for i, k:                            for i:
//     block C(vi = i, vk = k):             block C_init(vi = i):  C[vi] = 0
//       init: C[vi] = 0            →       for k:
//       C[vi] += A[vi, vk]                   block C_update(vi = i, vk = k):  reads C[vi], A[vi, vk];  C[vi] += A[vi,
//       vk]
//
// Legal when `loop` is around the block (LoopPositionError), the block is a reduction block (NotReductionBlockError),
// and no loop above `loop` feeds a reduction iterator (LoopHeightError). The init nest copies the loops from `loop`
// down that feed spatial iterators; the conjuncts of the predicate that use other ones are dropped, the rest come out
// in reverse order, as in TVM.
#include <algorithm>
#include <unordered_set>

#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/schedule/analysis.h"
#include "core/schedule/instructions.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {
namespace {

using namespace loom::ir;

bool uses(const Expr& e, const Var& var) {
  return usesVar(e, [&](const VarNode* v) { return v == var.get(); });
}

Checked checkLoopAboveReduction(const Draft& draft, const BlockRealize& block, const std::vector<Id>& loops, Id loop) {
  for (std::size_t i = 0; i < block->block->iters.size(); ++i) {
    if (block->block->iters[i].type != IterType::Reduce) continue;
    for (Id higher : loops) {
      if (higher == loop) break;
      if (!uses(block->values[i], draft.tree().loop(higher)->var)) continue;
      return refuse(
          "LoopHeightError",
          message("The loop must be above all loops of the reduction, but a loop above it feeds an iterator of it"),
          {loop, higher, block->block->id});
    }
  }
  return {};
}

// The conjuncts `a < b` that use none of the loops.
Result<Expr> keptPredicate(Expr predicate, const std::unordered_set<const VarNode*>& discarded) {
  Expr kept = boolImm(true);
  if (isConst(predicate, 1)) return kept;
  auto keep = [&](const BinaryNode& less) {
    if (!usesVar(less.a, [&](const VarNode* v) { return discarded.count(v) > 0; }))
      kept = andOf(kept, lt(less.a, less.b));
  };
  for (;;) {
    auto* both = asBinary(predicate, ExprKind::And);
    if (auto* last = both ? asBinary(both->b, ExprKind::LT) : nullptr) {
      keep(*last);
      predicate = both->a;
    } else if (auto* only = asBinary(predicate, ExprKind::LT)) {
      keep(*only);
      return kept;
    } else {
      return fail("InternalError", message("The predicate of the reduction block is not a conjunction of upper bounds"),
                  Forbids::Tvm);
    }
  }
}

Block updateBlock(const BlockNode& reduction) {
  return edit(reduction, [&](BlockNode& update) {
    update.name += "_update";
    update.init = nullptr;
    update.reads.clear();
    for (const auto& write : reduction.writes) {
      bool isRead = std::any_of(reduction.reads.begin(), reduction.reads.end(),
                                [&](const BufferRegion& read) { return read.buffer == write.buffer; });
      if (!isRead) update.reads.push_back(write);
    }
    update.reads.insert(update.reads.end(), reduction.reads.begin(), reduction.reads.end());
  });
}

// Puts a statement before a loop and replaces a block below it.
class Inserter : public Mutator {
 public:
  Inserter(const Tree& tree, Id loop, Stmt before, Block after)
      : tree_(tree), loop_(loop), before_(std::move(before)), after_(std::move(after)) {}
  using Mutator::rewrite;

 protected:
  Stmt rewriteFor(const Stmt& s) override {
    auto* n = as<ForNode>(s);
    if (!tree_.isAncestorOrSelf(n->id, after_->id)) return s;
    Stmt inside = edit(*n, [&](ForNode& f) { f.body = rewrite(n->body); });
    return n->id == loop_ ? seq({before_, inside}) : inside;
  }
  Stmt rewriteRealize(const Stmt& s) override {
    auto* n = as<BlockRealizeNode>(s);
    return n->block->id == after_->id ? Stmt(realize(n->values, n->predicate, after_)) : s;
  }

 private:
  const Tree& tree_;
  Id loop_;
  Stmt before_;
  Block after_;
};

Result<Handles> applyDecomposition(Draft& draft, const Arguments& arguments) {
  Id blockId = arguments.block("block"), loopId = arguments.loop("loop");
  const Program& program = draft.program();
  std::vector<Id> loops = draft.tree().loopsAbove(blockId);
  BlockRealize reduction = draft.tree().realize(blockId);
  const BlockNode& block = *reduction->block;
  auto scope = scopeRoot(program, blockId, false);
  if (!scope) return Failure(scope.error());
  if (std::find(loops.begin(), loops.end(), loopId) == loops.end()) {
    return refuse("LoopPositionError", message("The loop must be an ancestor of the block"), {loopId, blockId});
  }
  if (auto ok = checkReductionBlock(program, blockId, *scope); !ok) return Failure(ok.error());
  if (auto ok = checkLoopAboveReduction(draft, reduction, loops, loopId); !ok) return Failure(ok.error());

  auto init = std::make_shared<BlockNode>();
  init->id = draft.newId();
  init->name = block.name + "_init";
  init->annotations = block.annotations;
  std::vector<Expr> values;
  VarMap iterMap;
  for (std::size_t i = 0; i < block.iters.size(); ++i) {
    const IterVar& iter = block.iters[i];
    if (iter.type != IterType::Spatial) continue;
    Var copy = makeVar(iter.var->name, iter.var->dtype);
    init->iters.push_back({copy, iter.domain, iter.type});
    values.push_back(reduction->values[i]);
    iterMap[iter.var.get()] = copy;
  }
  init->body = substitute(block.init, iterMap);
  for (const auto& write : block.writes) init->writes.push_back(substitute(write, iterMap));

  // From the innermost loop up to the given one.
  std::vector<For> chosen;
  std::unordered_set<const VarNode*> discarded;
  for (auto it = loops.rbegin(); it != loops.rend(); ++it) {
    For loop = draft.tree().loop(*it);
    if (std::any_of(values.begin(), values.end(), [&](const Expr& value) { return uses(value, loop->var); })) {
      chosen.push_back(loop);
    } else {
      discarded.insert(loop->var.get());
    }
    if (*it == loopId) break;
  }
  auto predicate = keptPredicate(reduction->predicate, discarded);
  if (!predicate) return Failure(predicate.error());

  Stmt nest = realize(std::move(values), *predicate, init);
  VarMap loopMap;
  for (const For& loop : chosen) {
    auto copy = std::make_shared<ForNode>();
    copy->id = draft.newId();
    copy->var = makeVar(loop->var->name + "_init", loop->var->dtype);
    copy->min = loop->min;
    copy->extent = loop->extent;
    copy->forKind = loop->forKind;
    copy->thread = loop->thread;
    copy->body = std::move(nest);
    loopMap[loop->var.get()] = copy->var;
    draft.origin(copy->id, {loop->id});
    nest = copy;
  }
  nest = substitute(nest, loopMap);

  Block scopeBlock = draft.tree().block(*scope);
  Inserter inserter(draft.tree(), loopId, nest, updateBlock(block));
  Block newScope = edit(*scopeBlock, [&](BlockNode& n) { n.body = inserter.rewrite(n.body); });
  draft.origin(init->id, {blockId});
  draft.replace(*scope, newScope);
  draft.refreshInside(*scope);
  return Handles{BlockRef{init->id}};
}

}  // namespace

Instruction decomposeReductionInstruction() {
  return {"decompose_reduction",
          "DecomposeReduction",
          "reduction",
          {{"block",
            ParameterType::Block,
            {},
            "",
            "the reduction whose initialization is taken out",
            "要拆出初始化的归约计算块"},
           {"loop", ParameterType::Loop, {}, "", "the initialization goes just before it", "初始化放在这个循环之前"}},
          Instruction::Results::Block,
          applyDecomposition,
          "Move a reduction's initialization into a nest of its own before a loop.",
          "把归约的初始化移到某个循环之前，成为独立的循环嵌套。"};
}

}  // namespace loom::schedule
