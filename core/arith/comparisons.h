// Inequalities that were stated: knowledge about pairs of expressions, where bounds know about one.
#pragma once
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::arith {

using ir::Expr;

// A set of the outcomes {equal, less, greater} that are still possible.
enum class Outcome : unsigned { Inconsistent = 0, EQ = 1, LT = 2, LE = 3, GT = 4, GE = 5, NE = 6, Unknown = 7 };
inline Outcome operator&(Outcome a, Outcome b) {
  return static_cast<Outcome>(static_cast<unsigned>(a) & static_cast<unsigned>(b));
}

// Returns the comparison read from its other side: a < b is b > a. What is no inequality stays as it is.
ir::ExprKind swappedComparison(ir::ExprKind kind);

// Collects statements `a op b + offset` and answers what they say about a pair; chains of them only if asked to.
class Comparisons {
 public:
  // Sets the range of a variable, in place of what was known.
  void bind(const ir::Var& var, const ir::Range& range, bool allowOverride);
  // Adds the conjuncts of a pure condition. `leave` removes them again, given the result.
  std::size_t enter(const Expr& condition);
  void leave(std::size_t mark) { scoped_.erase(scoped_.begin() + static_cast<std::ptrdiff_t>(mark), scoped_.end()); }

  Outcome compare(const Expr& a, const Expr& b, bool chains) const;

 private:
  using Key = int;
  struct Known {  // lhs outcome rhs + offset; never LT or GT
    Key lhs, rhs;
    std::int64_t offset;
    Outcome outcome;
    Known(Key l, Key r, std::int64_t o, Outcome c);
    std::optional<Known> withLhs(Key key) const;
    bool implies(const Known& other) const;
  };

  std::optional<Key> find(const Expr& e) const;
  Key keyOf(const Expr& e);
  // What `a kind b` says; nothing where it is no comparison, or one of two constants.
  std::optional<Known> knownOf(ir::ExprKind kind, const Expr& a, const Expr& b);
  void add(const Expr& condition, std::vector<Known>& to);
  // Adds `the variable with the key, outcome, other` for good; nothing where `other` isn't pure.
  void addOf(Key variable, Outcome outcome, const Expr& other);
  std::vector<Known> chainsFrom(Key lhs, Key rhs) const;
  template <class F>
  void forEachKnown(const F& f) const {
    for (const Known& k : known_) f(k);
    for (const Known& k : scoped_) f(k);
  }

  struct Variable {
    ir::Var var;  // kept alive
    Key key = 0;
    ir::Range range;  // null until it is bound
  };
  Variable& variableOf(const ir::Var& var);

  std::unordered_map<const ir::VarNode*, Variable> variables_;
  std::vector<std::pair<Expr, Key>> expressions_;
  Key nextKey_ = 0;
  std::vector<Known> known_, scoped_;
};

}  // namespace loom::arith
