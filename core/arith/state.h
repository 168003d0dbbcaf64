// The state of an Analyzer, which simplifies and compares integer expressions by what is known of their variables.
// Internal to the analyzer's own files.
#pragma once
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/arith/analyzer.h"
#include "core/arith/canonical.h"
#include "core/arith/comparisons.h"
#include "core/arith/const_fold.h"
#include "core/arith/deep_equal.h"
#include "core/arith/rewriter.h"

namespace loom::arith {

// The facts about one variable. `value`, if there is one, is simplified and replaces the variable.
struct VarFacts {
  Var var;
  Range domain;  // the range it is bound to, of extent 1 for a value; both members null if it isn't bound
  std::optional<ConstIntBound> bound;
  std::optional<ModularSet> modular;
  Expr value;
};

// The fact that bound.min <= e <= bound.max, which holds until a constraint ends.
struct KnownBound {
  Expr e;
  ConstIntBound bound;
};

// What an analyzer knows, and the parts that simplify with it.
struct AnalyzerState {
  explicit AnalyzerState(Analyzer& a) : analyzer(a), rewriter(*this), canonical(*this) {}

  Analyzer& analyzer;
  std::unordered_map<const ir::VarNode*, VarFacts> facts;
  std::vector<Expr> conditions;  // the conditions of the constraints that hold
  std::vector<KnownBound> knownBounds;
  Comparisons comparisons;
  Rewriter rewriter;
  CanonicalSimplifier canonical;

  // Returns the facts about a variable; null if there are none, also for another node. Valid until facts are removed.
  const VarFacts* factsOf(const ir::ExprNode* var) const {
    if (facts.empty()) return nullptr;
    auto it = facts.find(static_cast<const ir::VarNode*>(var));
    return it == facts.end() ? nullptr : &it->second;
  }
  // Returns the facts about a variable to add to.
  VarFacts& factsFor(const Var& var) {
    VarFacts& f = facts[var.get()];
    if (!f.var) f.var = var;
    return f;
  }
  // Set a fact about a variable. Throw std::logic_error if a different one is there already, unless `allowOverride`.
  void updateBound(const Var& var, ConstIntBound bound, bool allowOverride);
  void updateModular(const Var& var, ModularSet set, bool allowOverride);
  void updateValue(const Var& var, const Expr& value, bool allowOverride);
};

// Return constant bounds of an expression, or of all members of a range, neither null (const_int_bound.cpp); unknown
// ends are the infinities.
ConstIntBound boundOf(AnalyzerState& state, const Expr& e);
ConstIntBound boundOfRange(AnalyzerState& state, const Range& range);
// Returns the bounds that follow from a condition, such as 0 <= x from `-1 < x`; empty if none do.
std::vector<KnownBound> boundsFrom(const Expr& condition);

// Returns what is known of an expression modulo a number (modular_set.cpp).
ModularSet modularSetOf(AnalyzerState& state, const Expr& e);
// Returns the variable that a condition such as `x % 4 == 1` is about, and the set that it restricts the variable to;
// nothing for other conditions. For x == c it is the set of all integers, as in TVM.
std::optional<std::pair<Var, ModularSet>> modularSetFrom(const Expr& condition);
// Returns the members of both sets. If there are none, returns the set {1} (coeff 0, base 1), as TVM does.
ModularSet intersect(ModularSet a, ModularSet b);

}  // namespace loom::arith
