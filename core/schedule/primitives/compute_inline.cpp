// compute_inline(block)
//
//   for i, j: B[i, j] = A[i, j] * 2
//   for i, j: C[i, j] = B[i, j] + 1   →   for i, j: C[i, j] = A[i, j] * 2 + 1
//
// The producer disappears: every load of the buffer that it alone writes becomes the value that it would have stored.
// Its one statement stores at the iterators themselves, or at an affine bijection of them.
// Refused, in TVM's order: HasInitBlock, NotSingleReadWriteBuffer (more than one write), RootBlockError,
// NotStagePipelineError, OutputBlockError, IncompleteBlockError, BodyAnalysisError, OnlyLeafError, OpaqueAccessError.
#include "core/arith/iter_map.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/schedule/inliner.h"
#include "core/schedule/instructions.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {

using namespace ir;

namespace {

class ForwardInliner : public Inliner {
 public:
  using Inliner::Inliner;

  // Finds the value in terms of the indices; false when the body has not the needed form.
  Result<bool> analyze() {
    if (!store_) return false;
    value_ = store_->value;
    if (analyzeTrivial()) return true;
    return analyzeBijection();
  }

 protected:
  Expr rewriteLoad(const Expr& e) override {
    Expr after = Mutator::rewriteLoad(e);
    auto* load = as<LoadNode>(after);
    if (load->buffer != buffer_) return after;
    for (std::size_t i = 0; i < indexVars_.size(); ++i) replacement_[indexVars_[i].get()] = load->indices[i];
    return substitute(value_, replacement_);
  }

 private:
  bool analyzeTrivial() {
    const auto& iters = inlined_->iters;
    if (iters.size() != store_->indices.size()) return false;
    for (std::size_t i = 0; i < iters.size(); ++i) {
      const Expr& index = store_->indices[i];
      const Range& domain = iters[i].domain;
      const bool isUnit = index != Expr(iters[i].var) && analyzer_.canProveEqual(index, zero(index->dtype)) &&
                          analyzer_.canProveEqual(domain.min, zero(domain.min->dtype)) &&
                          analyzer_.canProveEqual(domain.extent, one(domain.extent->dtype));
      if (index != Expr(iters[i].var) && !isUnit) return false;
    }
    for (const auto& iter : iters) indexVars_.push_back(iter.var);
    return true;
  }

  Result<bool> analyzeBijection() {
    arith::VarRanges domains;
    for (const auto& iter : inlined_->iters) domains.set(iter.var, iter.domain);
    const auto map =
        arith::detectIterMap(store_->indices, domains, boolImm(true), arith::IterMapLevel::Bijective, analyzer_, false);
    if (!map.errors.empty()) return false;
    std::vector<Expr> placeholders;
    for (std::size_t i = 0; i < store_->indices.size(); ++i) {
      indexVars_.push_back(makeVar("ph_" + std::to_string(i), store_->indices[i]->dtype));
      placeholders.push_back(indexVars_.back());
    }
    VarMap inverse;
    const auto iters = arith::inverseAffineIterMap(map.indices, placeholders);
    if (!iters) return Failure(iters.error());
    for (const auto& [var, value] : *iters) inverse[var.get()] = value;
    for (const auto& iter : inlined_->iters) {
      if (asInt(iter.domain.min) && analyzer_.canProveEqual(iter.domain.extent, one(iter.domain.extent->dtype))) {
        inverse[iter.var.get()] = iter.domain.min;
      }
    }
    value_ = substitute(value_, inverse);
    return true;
  }

  arith::Analyzer analyzer_;
  Expr value_;                  // what the block stores, in terms of indexVars_
  std::vector<Var> indexVars_;  // stand for the indices of the buffer
};

}  // namespace

Checked computeInline(Draft& draft, Id id) {
  const Program& p = draft.program();
  const Block block = draft.tree().block(id);
  if (auto ok = checkNoInit(*block); !ok) return Failure(ok.error());
  if (block->writes.size() != 1) {
    return refuse("NotSingleReadWriteBuffer",
                  message("block {} must write a single region, but writes {}", block->name, block->writes.size()),
                  {id});
  }
  const auto scope = scopeRoot(p, id, true);
  if (!scope) return Failure(scope.error());
  if (auto ok = checkNotOutputBlock(p, id, *scope); !ok) return Failure(ok.error());
  if (auto ok = checkCompleteBlock(p, id, *scope); !ok) return Failure(ok.error());
  ForwardInliner inliner(block->writes[0].buffer, block, *scope);
  const auto hasForm = inliner.analyze();
  if (!hasForm) return Failure(hasForm.error());
  if (!*hasForm) {
    return refuse("BodyAnalysisError",
                  message("the body of block {} must be one store A[f(i, j, …)] = g(i, j, …) whose indices are a "
                          "bijection of the iterators",
                          block->name),
                  {id});
  }
  const auto removal = leafRemovalPlan(p, id);
  if (!removal) return Failure(removal.error());
  const Block rewritten = inliner.run(*removal, draft.tree().block(*scope));
  if (inliner.hasOpaqueAccess()) return opaqueAccess(block->writes[0].buffer, *scope);
  draft.replace(*scope, rewritten);
  return {};
}

Instruction computeInlineInstruction() {
  Instruction row;
  row.name = "compute_inline";
  row.traceKind = "ComputeInline";
  row.group = "memory";
  row.parameters = {{"block", ParameterType::Block, {}, "", "the producer to inline", "要内联的生产者计算块"}};
  row.apply = [](Draft& draft, const Arguments& arguments) -> Result<Handles> {
    if (auto done = computeInline(draft, arguments.block("block")); !done) return Failure(done.error());
    return Handles{};
  };
  row.en = "Put a producer's formula into its consumers and drop the buffer between them.";
  row.zh = "把生产者的算式代入消费者，去掉中间缓冲区。";
  return row;
}

}  // namespace loom::schedule
