// Known inequalities between pairs of expressions, in addition to the bounds that the analyzer keeps of single ones.
// Internal to core/arith.
#pragma once
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::arith {

using ir::Expr;

// The result of comparing two integers, as the set of the outcomes {equal, less, greater} that are still possible.
enum class Outcome : unsigned { Inconsistent = 0, EQ = 1, LT = 2, LE = 3, GT = 4, GE = 5, NE = 6, Unknown = 7 };
// Returns the outcomes that are in both sets.
inline Outcome operator&(Outcome a, Outcome b) {
  return static_cast<Outcome>(static_cast<unsigned>(a) & static_cast<unsigned>(b));
}

// Returns the kind of the comparison with swapped operands: LT becomes GT, because a < b is b > a. Kinds other than LT,
// LE, GT and GE are returned as they are.
ir::ExprKind swappedComparison(ir::ExprKind kind);

// Collects known comparisons `a op b + offset` of integers and derives from them how two expressions compare.
class Comparisons {
 public:
  // Adds that `var` lies in `range`. With allowOverride this replaces an earlier, different range; without it, a
  // second, different range is a std::logic_error.
  void bind(const ir::Var& var, const ir::Range& range, bool allowOverride);
  // Adds the comparisons among the conjuncts of a condition and returns a mark. `leave(mark)` removes them again, with
  // all that were added after them. A condition that reads memory or has side effects adds none.
  std::size_t enter(const Expr& condition);
  void leave(std::size_t mark) { scoped_.erase(scoped_.begin() + static_cast<std::ptrdiff_t>(mark), scoped_.end()); }

  // Returns how `a` compares to `b`, by single known comparisons, or with `chains` also by several in a row (a < c and
  // c < b). Unknown if nothing is known.
  Outcome compare(const Expr& a, const Expr& b, bool chains) const;

 private:
  using Key = int;  // stands for a variable, or for another expression without a constant summand
  // The fact `lhs outcome rhs + offset`, where `outcome` is never LT or GT (LE or GE with another offset says the
  // same).
  struct Known {
    Key lhs, rhs;
    std::int64_t offset;
    Outcome outcome;
    Known(Key l, Key r, std::int64_t o, Outcome c);
    // Returns the same fact with `key` on its left side, by swapping sides if need be; nothing if it isn't about `key`.
    std::optional<Known> withLhs(Key key) const;
    // Returns whether `other`, a fact about the same two keys, follows from this one.
    bool implies(const Known& other) const;
  };

  std::optional<Key> find(const Expr& e) const;
  Key keyOf(const Expr& e);
  // Returns the fact that `a kind b` states; nothing if it is no comparison, or one of two constants.
  std::optional<Known> knownOf(ir::ExprKind kind, const Expr& a, const Expr& b);
  void add(const Expr& condition, std::vector<Known>& to);
  // Adds the fact `variable outcome other`, which stays; does nothing if `other` isn't pure.
  void addOf(Key variable, Outcome outcome, const Expr& other);
  // Returns the facts about `lhs` and `rhs` that follow from chains of known facts over other keys.
  std::vector<Known> chainsFrom(Key lhs, Key rhs) const;
  template <class F>
  void forEachKnown(const F& f) const {
    for (const Known& k : known_) f(k);
    for (const Known& k : scoped_) f(k);
  }

  struct Variable {
    ir::Var var;  // held so that its address isn't reused
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
