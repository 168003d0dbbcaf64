// What an Analyzer holds; internal to the analyzer's own files.
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
  Range domain;  // of a variable that is bound, else null; a value is a range of extent 1
  std::optional<ConstIntBound> bound;
  std::optional<ModularSet> modular;
  Expr value;
};

// min <= e <= max while a constraint holds.
struct KnownBound {
  Expr e;
  ConstIntBound bound;
};

// What an analyzer knows, and the parts that simplify with it.
struct AnalyzerState {
  explicit AnalyzerState(Analyzer& a) : analyzer(a), rewriter(*this), canonical(*this) {}

  Analyzer& analyzer;
  std::unordered_map<const ir::VarNode*, VarFacts> facts;
  std::vector<Expr> conditions;  // of the constraints entered
  std::vector<KnownBound> knownBounds;
  Comparisons comparisons;
  Rewriter rewriter;
  CanonicalSimplifier canonical;

  const VarFacts* factsOf(const ir::ExprNode* var) const {
    if (facts.empty()) return nullptr;
    auto it = facts.find(static_cast<const ir::VarNode*>(var));
    return it == facts.end() ? nullptr : &it->second;
  }
  VarFacts& factsFor(const Var& var) {
    VarFacts& f = facts[var.get()];
    if (!f.var) f.var = var;
    return f;
  }
  void updateBound(const Var& var, ConstIntBound bound, bool allowOverride);
  void updateModular(const Var& var, ModularSet set, bool allowOverride);
  void updateValue(const Var& var, const Expr& value, bool allowOverride);
};

// Returns constant bounds of an expression (const_int_bound.cpp).
ConstIntBound boundOf(AnalyzerState& state, const Expr& e);
ConstIntBound boundOfRange(AnalyzerState& state, const Range& range);
// Bounds that follow from a condition, e.g. 0 <= x from `-1 < x`.
std::vector<KnownBound> boundsFrom(const Expr& condition);

// Returns what is known of an expression modulo a number (modular_set.cpp).
ModularSet modularSetOf(AnalyzerState& state, const Expr& e);
// Returns the variable that a condition such as `x % 4 == 1` is about, and the set that it restricts the variable to;
// nothing for other conditions.
std::optional<std::pair<Var, ModularSet>> modularSetFrom(const Expr& condition);
ModularSet intersect(ModularSet a, ModularSet b);

}  // namespace loom::arith
