// A mutator that knows, wherever it stands, which iterators there are and what conditions hold, and writes indices in
// their shortest form. Source of the behaviour: TVM 0.22, IRMutatorWithAnalyzer, BlockBufferAccessSimplifier.
#pragma once
#include "core/arith/analyzer.h"
#include "core/arith/var_ranges.h"
#include "core/ir/visit.h"

namespace loom::schedule {

// Simplifies the indices of accesses, under the ranges of the variables around them.
class IndexSimplifier : public ir::Mutator {
 public:
  explicit IndexSimplifier(arith::Analyzer& analyzer) : analyzer_(analyzer) {}

  ir::Block rewriteBlock(const ir::Block& block) override;
  using ir::Mutator::rewrite;

 protected:
  // The indices as an iterator map over the loops and block iterators met so far; variables whose only value is known
  // stay.
  std::vector<ir::Expr> simplified(const std::vector<ir::Expr>& indices);

  ir::Stmt rewriteFor(const ir::Stmt& s) override;
  ir::Stmt rewriteIf(const ir::Stmt& s) override;
  ir::Stmt rewriteLetStmt(const ir::Stmt& s) override;
  ir::Expr rewriteCall(const ir::Expr& e) override;
  ir::Expr rewriteSelect(const ir::Expr& e) override;

  arith::Analyzer& analyzer_;

 private:
  // Runs f where the condition holds.
  template <class F>
  void under(const ir::Expr& condition, F f);

  arith::VarRanges iterators_;
  std::vector<ir::Expr> conditions_;  // those that name iterators
};

// Returns the block with all indices of its accesses, and the regions that it declares, simplified.
ir::Block withSimplifiedAccesses(const ir::Block& block, arith::Analyzer& analyzer);

}  // namespace loom::schedule
