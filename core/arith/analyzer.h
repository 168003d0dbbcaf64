// Integer analysis and simplification with TVM's results, node for node: what a primitive prints depends on them.
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

// min <= value <= max; kNegInf and kPosInf mean unbounded.
struct ConstIntBound {
  std::int64_t min = kNegInf, max = kPosInf;
  friend bool operator==(const ConstIntBound&, const ConstIntBound&) = default;
};

// { coeff * x + base | x integer }, 0 <= base < coeff; coeff 0 means the constant `base`.
struct ModularSet {
  std::int64_t coeff = 1, base = 0;
  friend bool operator==(const ModularSet&, const ModularSet&) = default;
};

// SymbolicBound also tries the symbolic interval of a difference; only for questions a primitive asks, never inside
// rules.
enum class Strength { Default, SymbolicBound };

// Optional, costlier rewrites; TVM's schedule primitives leave them off.
enum Extensions : unsigned {
  kNoExtensions = 0,
  kTransitivelyProveInequalities = 1,      // use chains of known inequalities
  kApplyConstraintsToBooleanBranches = 4,  // simplify a under b in a && b, and so on
};

// Facts about variables, and what follows from them. Facts are only added: a second, different binding of a variable is
// a broken invariant (std::logic_error) unless `allowOverride`.
class Analyzer {
 public:
  Analyzer();
  ~Analyzer();
  Analyzer(const Analyzer&) = delete;
  Analyzer& operator=(const Analyzer&) = delete;

  // Adds range.min <= var < range.min + range.extent. An extent of 1 fixes the value.
  void bind(const Var& var, const Range& range, bool allowOverride = false);
  // Adds var == value; the variable is replaced by the value from now on.
  void bind(const Var& var, const Expr& value, bool allowOverride = false);
  // Adds that `value` (symbol · positive factor + constant) is never negative, which bounds the symbol.
  void markNonNegative(const Expr& value);

  // Simplifies: canonical form, then `steps` alternating passes of rewriting and canonical simplification (TVM's
  // Analyzer::Simplify).
  Expr simplify(const Expr& e, int steps = 2);
  // Simplifies what no primitive prints, such as the offsets in a kernel's text: the same, but a canonical form to
  // which no rule applies is not brought to canonical form again. TVM does that, and of few expressions it makes
  // anything else: another order of terms that take one variable apart, say. It takes two thirds of the time.
  Expr simplifyOwn(const Expr& e);
  Expr rewriteSimplify(const Expr& e);
  Expr canonicalSimplify(const Expr& e);

  // Returns whether the condition is proven. False means "not proven", not "false".
  bool canProve(const Expr& condition, Strength strength = Strength::Default);
  bool canProveEqual(const Expr& a, const Expr& b);
  bool canProveGreaterEqual(const Expr& e, std::int64_t lowerBound);
  bool canProveLess(const Expr& e, std::int64_t upperBound);
  // Returns whether a <= shape is proven, also if only a constant factor of the shape is known (n * 32 counts as at
  // least 32).
  bool canProveLessEqualThanSymbolicShape(const Expr& a, const Expr& shape);

  ConstIntBound constIntBound(const Expr& e);
  ModularSet modularSet(const Expr& e);

  void setExtensions(unsigned extensions);

  // While it lives, `condition` is known to be true. Contexts end in the reverse order of their beginning.
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
  [[nodiscard]] Constraint enter(const Expr& condition);

 private:
  friend struct AnalyzerState;
  std::unique_ptr<struct AnalyzerState> state_;
};

}  // namespace loom::arith
