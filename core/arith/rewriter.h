// One pass of rule-based rewriting, children first. Internal; the way in is Analyzer.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "core/arith/comparisons.h"
#include "core/ir/expr.h"

namespace loom::arith {

struct AnalyzerState;

// Rewrites expressions by TVM's rules, from the leaves up, under what is known of the variables.
class Rewriter {
 public:
  explicit Rewriter(AnalyzerState& state) : s_(state) {}
  virtual ~Rewriter() = default;

  virtual Expr visit(const Expr& e) { return dispatch(e); }

  // Adds the pure conjuncts of the (rewritten) condition to what is known, until `leave(mark)`.
  std::size_t enter(const Expr& condition);
  void leave(std::size_t mark) { literals_.resize(mark); }
  void setExtensions(unsigned extensions) { extensions_ = extensions; }

 protected:
  // Rewrites the children with `visit`, then applies the rules of e's kind.
  Expr dispatch(const Expr& e);
  // How x compares to the number or expression, as far as bounds and stated inequalities tell.
  Outcome compare(const Expr& x, std::int64_t value);
  Outcome compare(const Expr& x, const Expr& y);

  AnalyzerState& s_;

 private:
  Expr visitBinary(const Expr& e);
  Expr visitNot(const Expr& e);
  Expr visitSelect(const Expr& e);
  Expr visitCall(const Expr& e);
  Expr visitIfThenElse(const Expr& e);
  Expr visitLet(const Expr& e);
  Expr visitCast(const Expr& e);
  Expr visitVar(const Expr& e);
  std::vector<Expr> visitAll(const std::vector<Expr>& list, bool& changed);
  // Both operands of And or Or, each under what the other implies (extension).
  std::pair<Expr, Expr> visitBranches(const ir::BinaryNode& n);

  // The rules of one kind; the operands are rewritten already. rules_*.cpp.
  Expr addRules(const Expr& e);
  Expr subRules(const Expr& e);
  Expr subCancelRules(const Expr& e);
  Expr subTruncDivRules(const Expr& e);
  Expr subFloorDivRules(const Expr& e);
  Expr mulRules(const Expr& e);
  Expr truncDivRules(const Expr& e);
  Expr truncDivVectorRules(const Expr& e);
  Expr truncModRules(const Expr& e);
  Expr floorDivRules(const Expr& e);
  Expr floorDivVectorRules(const Expr& e);
  Expr floorModRules(const Expr& e);
  Expr floorModVectorRules(const Expr& e);
  template <bool isMin>
  Expr extremeRules(const Expr& e);
  Expr eqRules(const Expr& e);
  Expr neRules(const Expr& e);
  Expr ltRules(const Expr& e);
  Expr ltConstantRules(const Expr& e);
  Expr ltNormalRules(const Expr& e);
  Expr leRules(const Expr& e);
  Expr notRules(const Expr& e);
  Expr andRules(const Expr& e);
  Expr andDivModRules(const Expr& e);
  Expr orRules(const Expr& e);

  // Rewrites a rule's result; a chain of such rewrites is cut at a depth of 5.
  Expr again(const Expr& e);
  // The truth of e if e or its negation is a known literal, else null.
  Expr fromLiterals(const Expr& e) const;
  bool proveGreaterEqual(const Expr& e, std::int64_t bound);
  bool proveLess(const Expr& e, std::int64_t bound);
  bool proveEqual(const Expr& e, std::int64_t value) { return compare(e, value) == Outcome::EQ; }

  std::vector<Expr> literals_;
  int depth_ = 0;
  unsigned extensions_ = 0;  // of enum Extensions
};

}  // namespace loom::arith
