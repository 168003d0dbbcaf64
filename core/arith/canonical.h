// The canonical form of integer sums: a constant plus scaled pieces ((index % upper) // lower) * scale. Internal to
// core/arith; others use Analyzer. Constants and equal pieces are merged wherever they stand in a sum. A sum that is
// written as an expression again has its pieces in the order of descending scale.
#pragma once
#include <cstdint>
#include <limits>
#include <variant>
#include <vector>

#include "core/arith/rewriter.h"

namespace loom::arith {

class Analyzer;

// How a division rounds: toward zero, or toward negative infinity.
enum class Rounding : std::uint8_t { Trunc, Floor };

// Return the kind of a division's and of a remainder's node with this rounding.
inline ir::ExprKind divKind(Rounding r) { return r == Rounding::Trunc ? ir::ExprKind::Div : ir::ExprKind::FloorDiv; }
inline ir::ExprKind modKind(Rounding r) { return r == Rounding::Trunc ? ir::ExprKind::Mod : ir::ExprKind::FloorMod; }

// SplitTerm::upper of a term without remainder.
inline constexpr std::int64_t kNoUpper = std::numeric_limits<std::int64_t>::max();

// The term ((index % upper) / lower) * scale, where % and / round as `rounding` says. `upper` is a multiple of `lower`,
// or kNoUpper: the term is (index / lower) * scale.
struct SplitTerm {
  Expr index;
  std::int64_t lower = 1, upper = kNoUpper, scale = 1;
  Rounding rounding = Rounding::Trunc;

  // Returns the term, multiplied by `times`, as an expression.
  Expr normalize(std::int64_t times = 1) const;
  // Returns whether the term means the same with rounding `r`: it has that rounding, or neither division nor remainder.
  bool fits(Rounding r) const { return rounding == r || (lower == 1 && upper == kNoUpper); }
  // Returns whether every intermediate result of the term is proven to fit in `dtype`.
  bool canCastTo(ir::DType dtype, Analyzer& analyzer) const;
};

// The sum of terms and a constant, `base`. Terms with the same index are neighbours, by descending `lower`.
struct TermSum {
  ir::DType dtype;
  std::vector<SplitTerm> terms;
  std::int64_t base = 0;

  bool isZero() const { return base == 0 && terms.empty(); }
  // Returns the sum as an expression, its terms by descending scale.
  Expr normalize() const;
  void scaleBy(std::int64_t factor);  // multiplies every scale and the constant by `factor`
  // Divides every scale and the constant by a factor that divides them all.
  void divideBy(std::int64_t factor);
  // Add a term or another sum, multiplied by `times`. Numbers that overflow aren't caught, here and in `scaleBy`.
  void add(SplitTerm term, std::int64_t times);
  void add(const TermSum& other, std::int64_t times);
  // Returns two sums: what of this one `factor` divides (terms by their scale, and the constant), and the rest.
  std::pair<TermSum, TermSum> separate(std::int64_t factor) const;
  // Returns whether every intermediate result of the sum is proven to fit in `dtype`.
  bool canCastTo(ir::DType dtype, Analyzer& analyzer) const;
};

// An expression during canonical simplification: any expression, a single term, or a sum of terms.
using Canonical = std::variant<Expr, SplitTerm, TermSum>;

// Brings expressions to TVM's canonical form: sums of terms ((index % upper) / lower) * scale and a constant.
class CanonicalSimplifier : public Rewriter {
 public:
  using Rewriter::Rewriter;
  // Returns the expression in canonical form; expressions without one are simplified by the rewriting rules.
  Expr visit(const Expr& e) override;

  // Returns how many results of this object so far are likely to change if they are simplified again: those in which a
  // sum, product or quotient is kept as a whole inside a term, and those that rewriting rules have changed.
  int unsettled() const { return unsettled_; }

 private:
  Canonical mutate(const Expr& e);
  // Returns what the rewriting rules make of an expression whose kind has no canonical form.
  Expr byRules(const Expr& e);
  SplitTerm toTerm(Canonical c);
  TermSum toSum(Canonical c, ir::DType dtype);
  Canonical addition(const Expr& e, int sign);
  Canonical product(const Expr& e);
  Canonical quotient(const Expr& e, Rounding r);
  Canonical remainder(const Expr& e, Rounding r);
  Canonical conversion(const Expr& e);
  Canonical less(const Expr& e);
  Canonical divideSum(TermSum sum, std::int64_t divisor, Rounding r);
  Canonical remainderOfSum(TermSum sum, std::int64_t divisor, Rounding r);
  SplitTerm divideTerm(SplitTerm t, std::int64_t divisor, Rounding r);
  SplitTerm remainderOfTerm(SplitTerm t, std::int64_t divisor, Rounding r);

  int unsettled_ = 0;
};

}  // namespace loom::arith
