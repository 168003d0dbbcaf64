// One pass of rule-based simplification, children first. Internal to core/arith; others use Analyzer.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "core/arith/comparisons.h"
#include "core/ir/expr.h"

namespace loom::arith {

struct AnalyzerState;

// Simplifies expressions by TVM's rewriting rules, from the leaves up, with the facts in an AnalyzerState, ranges and
// values of variables and known inequalities, and with the conditions that `enter` was given.
class Rewriter {
 public:
  // `state` must outlive the rewriter.
  explicit Rewriter(AnalyzerState& state) : s_(state) {}
  virtual ~Rewriter() = default;

  // Returns the simplified expression; the same node if nothing changes. Subclasses may wrap it; children are visited
  // by it.
  virtual Expr visit(const Expr& e) { return dispatch(e); }

  // Simplifies a condition and takes its pure conjuncts as true from now on. Returns a mark; `leave(mark)` ends that,
  // and whatever was entered later.
  std::size_t enter(const Expr& condition);
  void leave(std::size_t mark) { literals_.resize(mark); }
  // Sets which extra rewrites are made: a set of enum Extensions (analyzer.h), in place of the one before.
  void setExtensions(unsigned extensions) { extensions_ = extensions; }

 protected:
  // Rewrites the children with `visit`, then applies the rules of e's kind.
  Expr dispatch(const Expr& e);
  // Return how `x` compares to a number or an expression, as far as bounds and known inequalities tell.
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
  // Simplifies both operands of And or Or, each with what the other implies (kApplyConstraintsToBooleanBranches).
  std::pair<Expr, Expr> visitBranches(const ir::BinaryNode& n);

  // Apply the rules of one kind of expression, whose operands are already simplified. They are in rules_*.cpp.
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

  // Simplifies a rule's result again; returns it as it is if five calls of this function are under way already.
  Expr again(const Expr& e);
  // Returns true or false as a constant if `e` or its negation was taken as true by `enter`; else null.
  Expr fromLiterals(const Expr& e) const;
  bool proveGreaterEqual(const Expr& e, std::int64_t bound);
  bool proveLess(const Expr& e, std::int64_t bound);
  bool proveEqual(const Expr& e, std::int64_t value) { return compare(e, value) == Outcome::EQ; }

  std::vector<Expr> literals_;  // the conditions that `enter` has taken as true
  int depth_ = 0;
  unsigned extensions_ = 0;  // a set of enum Extensions
};

}  // namespace loom::arith
