// The base of mutators that simplify the indices of buffer accesses. At each place they know the ranges of the
// iterators around and the conditions that hold. Source of the behaviour: TVM 0.22, IRMutatorWithAnalyzer,
// BlockBufferAccessSimplifier.
#pragma once
#include "core/arith/analyzer.h"
#include "core/arith/var_ranges.h"
#include "core/ir/visit.h"

namespace loom::schedule {

// Follows the ranges and conditions, and removes branches that are never taken. Accesses are left to derived classes,
// which override rewriteLoad and rewriteStore and call `simplified` there.
class IndexSimplifier : public ir::Mutator {
 public:
  // `analyzer`, which must outlive the object, learns the ranges of the loops and iterators that are visited.
  explicit IndexSimplifier(arith::Analyzer& analyzer) : analyzer_(analyzer) {}

  ir::Block rewriteBlock(const ir::Block& block) override;
  // Return a rewritten expression or statement (const ir::Expr&, const ir::Stmt&); null stays null.
  using ir::Mutator::rewrite;

 protected:
  // Returns the indices, simplified as an affine map of the loops and block iterators around. Iterators of extent 1 are
  // replaced by their only value, except where the iterator alone is an index.
  std::vector<ir::Expr> simplified(const std::vector<ir::Expr>& indices);

  ir::Stmt rewriteFor(const ir::Stmt& s) override;
  ir::Stmt rewriteIf(const ir::Stmt& s) override;
  ir::Stmt rewriteLetStmt(const ir::Stmt& s) override;
  ir::Expr rewriteCall(const ir::Expr& e) override;
  ir::Expr rewriteSelect(const ir::Expr& e) override;

  arith::Analyzer& analyzer_;

 private:
  // Calls f() while the analyzer assumes the condition.
  template <class F>
  void under(const ir::Expr& condition, F f);

  arith::VarRanges iterators_;
  std::vector<ir::Expr> conditions_;  // the conditions around that name iterators
};

// Returns the block with all indices of its accesses, and the regions that it declares, simplified. `analyzer` learns
// the ranges of the block's iterators and loops; it must know those of other variables in the indices.
ir::Block withSimplifiedAccesses(const ir::Block& block, arith::Analyzer& analyzer);

}  // namespace loom::schedule
