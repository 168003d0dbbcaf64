// The canonical form of integer sums: a constant plus scaled pieces ((index % upper) // lower) * scale. Internal; the
// way in is Analyzer. Constants and equal pieces merge wherever they stand; the terms come out by descending scale.
#pragma once
#include <cstdint>
#include <limits>
#include <variant>
#include <vector>

#include "core/arith/rewriter.h"

namespace loom::arith {

class Analyzer;

enum class Rounding : std::uint8_t { Trunc, Floor };

inline ir::ExprKind divKind(Rounding r) { return r == Rounding::Trunc ? ir::ExprKind::Div : ir::ExprKind::FloorDiv; }
inline ir::ExprKind modKind(Rounding r) { return r == Rounding::Trunc ? ir::ExprKind::Mod : ir::ExprKind::FloorMod; }

inline constexpr std::int64_t kNoUpper = std::numeric_limits<std::int64_t>::max();

// ((index % upper) / lower) * scale; upper is a multiple of lower, kNoUpper means there is no remainder.
struct SplitTerm {
  Expr index;
  std::int64_t lower = 1, upper = kNoUpper, scale = 1;
  Rounding rounding = Rounding::Trunc;

  Expr normalize(std::int64_t times = 1) const;
  bool fits(Rounding r) const { return rounding == r || (lower == 1 && upper == kNoUpper); }
  bool canCastTo(ir::DType dtype, Analyzer& analyzer) const;
};

// The sum of the terms and a constant. Terms of one index are neighbours, by descending lower.
struct TermSum {
  ir::DType dtype;
  std::vector<SplitTerm> terms;
  std::int64_t base = 0;

  bool isZero() const { return base == 0 && terms.empty(); }
  Expr normalize() const;
  void scaleBy(std::int64_t factor);
  void divideBy(std::int64_t factor);  // exact
  void add(SplitTerm term, std::int64_t times);
  void add(const TermSum& other, std::int64_t times);
  // Returns the terms and the constant that `factor` divides, and the others.
  std::pair<TermSum, TermSum> separate(std::int64_t factor) const;
  bool canCastTo(ir::DType dtype, Analyzer& analyzer) const;
};

// An expression on its way through canonical simplification.
using Canonical = std::variant<Expr, SplitTerm, TermSum>;

// Brings expressions to TVM's canonical form: sums of splits of a variable with coefficients.
class CanonicalSimplifier : public Rewriter {
 public:
  using Rewriter::Rewriter;
  Expr visit(const Expr& e) override;

  // Returns how often a form has been made, since there is this object, whose own canonical form is likely to be
  // another: one with a sum, product or quotient that only stands as a whole in it, or one that rules have changed.
  int unsettled() const { return unsettled_; }

 private:
  Canonical mutate(const Expr& e);
  // What the rules make of an expression whose kind has no canonical form.
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
