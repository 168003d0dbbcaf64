// Integer analysis and simplification. Results, but those of `simplifyOwn`, equal TVM's node for node, because the
// programs that schedule primitives produce depend on them.
// Source of the behaviour: TVM 0.22, arith::Analyzer and its sub-analyzers.
#pragma once
#include <cstdint>
#include <limits>
#include <memory>

#include "core/ir/build.h"

namespace loom::arith {

using ir::Expr;
using ir::Range;
using ir::Var;

inline constexpr std::int64_t kPosInf = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t kNegInf = -kPosInf;

// Bounds of an expression's value: min <= value <= max; kNegInf and kPosInf mean unbounded.
struct ConstIntBound {
  std::int64_t min = kNegInf, max = kPosInf;
  friend bool operator==(const ConstIntBound&, const ConstIntBound&) = default;
};

// The set { coeff * x + base | x integer } with 0 <= base < coeff; coeff 0 means the single value `base`, and {1, 0} is
// all integers.
struct ModularSet {
  std::int64_t coeff = 1, base = 0;
  friend bool operator==(const ModularSet&, const ModularSet&) = default;
};

// How hard a proof is tried. SymbolicBound also computes the symbolic interval (int_set.h) of a comparison's
// difference, and then throws std::domain_error for a division by the constant 0; schedule primitives use it, rewriting
// rules never do.
enum class Strength { Default, SymbolicBound };

// Optional, costlier rewrites; TVM's schedule primitives leave them off.
enum Extensions : unsigned {
  kNoExtensions = 0,
  kTransitivelyProveInequalities = 1,      // combine several known inequalities: a < c from a < b and b < c
  kApplyConstraintsToBooleanBranches = 4,  // in a && b, simplify a with b taken as true, and so on
};

// Facts about variables, and simplifications and proofs from them. A second, different binding of a variable throws
// std::logic_error unless `allowOverride`. From facts that contradict each other anything may follow.
class Analyzer {
 public:
  Analyzer();
  ~Analyzer();
  Analyzer(const Analyzer&) = delete;
  Analyzer& operator=(const Analyzer&) = delete;

  // Adds the fact range.min <= var < range.min + range.extent. With an extent of 1, var is replaced by range.min.
  void bind(const Var& var, const Range& range, bool allowOverride = false);
  // Adds the fact var == value; simplification replaces the variable by the value from now on.
  void bind(const Var& var, const Expr& value, bool allowOverride = false);
  // Adds the fact that `value`, of the form symbol · positive factor + constant, is never negative. The bounds of the
  // symbol, an int32 or int64 variable, become [-constant, kPosInf] whatever the factor is and whatever they were, as
  // in TVM. Does nothing for a value of another form.
  void markNonNegative(const Expr& value);

  // Simplifies: canonical form, then `steps` alternating passes of rewriting and canonical simplification (TVM's
  // Analyzer::Simplify).
  Expr simplify(const Expr& e, int steps = 2);
  // Simplifies as `simplify` does, in about two thirds of the time: a canonical form to which no rule applies isn't
  // brought to canonical form again. For a few expressions the result differs from TVM's, in the order of terms for
  // example, so this is only for expressions that no schedule primitive prints, such as offsets in a kernel's text.
  Expr simplifyOwn(const Expr& e);
  // Simplifies by the rewriting rules: one pass, and a second one if the first changes something.
  Expr rewriteSimplify(const Expr& e);
  // Brings an expression to canonical form: sums of products with constant factors.
  Expr canonicalSimplify(const Expr& e);

  // Return whether a condition is proven: `condition`, a == b, e >= lowerBound, or e < upperBound. False means "not
  // proven", not "false".
  bool canProve(const Expr& condition, Strength strength = Strength::Default);
  bool canProveEqual(const Expr& a, const Expr& b);
  bool canProveGreaterEqual(const Expr& e, std::int64_t lowerBound);
  bool canProveLess(const Expr& e, std::int64_t upperBound);
  // Returns whether a <= shape is proven, also if only a constant factor of the shape is known: n * 32 counts as at
  // least 32, since extents are taken to be positive.
  bool canProveLessEqualThanSymbolicShape(const Expr& a, const Expr& shape);

  // Return constant bounds of an expression, and a set of the form coeff * x + base that holds its values.
  ConstIntBound constIntBound(const Expr& e);
  ModularSet modularSet(const Expr& e);

  // Switches on the rewrites in a set of enum Extensions, and the others off.
  void setExtensions(unsigned extensions);

  // The scope of a condition that is taken as true, which ends when the object is destroyed. Scopes must end in the
  // reverse order of their beginning, and before the Analyzer is destroyed.
  class Constraint {
   public:
    Constraint(Constraint&& other) noexcept;
    Constraint& operator=(Constraint&&) = delete;
    ~Constraint();

   private:
    friend class Analyzer;
    struct Undo;
    explicit Constraint(std::unique_ptr<Undo> undo);
    std::unique_ptr<Undo> undo_;
  };
  // Takes `condition` as true for as long as the returned object lives.
  [[nodiscard]] Constraint enter(const Expr& condition);

 private:
  friend struct AnalyzerState;
  std::unique_ptr<struct AnalyzerState> state_;
};

}  // namespace loom::arith
