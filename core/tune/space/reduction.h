#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/tune/space/space.h"

namespace loom::tune {

/// The demand of a constraint of a space on the decisions that are still open, as numbers in a normal form: two partial
/// assignments (values of the first decisions of the space) that lead to the same form allow the same values of the
/// open decisions. Each kind of constraint gives the numbers a meaning of its own.
using Form = std::vector<std::int64_t>;

/// A constraint after some of its decisions have got values.
struct Reduced {
  enum class Verdict : std::uint8_t {
    Open,      ///< whether the constraint holds depends on the open decisions, as `form` says
    Holds,     ///< the constraint holds, whatever values the open decisions get
    Broken,    ///< the constraint is broken, whatever values the open decisions get
    Overflow,  ///< the constraint's numbers do not fit in 62 bits, so that no exact answer is possible
  };
  Verdict verdict = Verdict::Open;
  Form form;  ///< only with Open
};

/// The stepwise evaluation of a constraint while the decisions that it names get their values, first to last.
class Reduction {
 public:
  virtual ~Reduction() = default;
  /// Returns the constraint before any decision has a value.
  virtual Reduced start() const = 0;
  /// Returns the constraint after the decision with index `step` in `decisionsOf` gets `value`. `form` is the form that
  /// `start` (for step 0) or `next` (for the step before) has returned with the verdict Open; after another verdict
  /// there is no next step.
  virtual Reduced next(int step, const Form& form, std::int64_t value) const = 0;
};

/// Returns the indices in Space::decisions of the decisions that a constraint names, ascending, each once.
std::vector<int> decisionsOf(const Constraint& constraint);

/// Returns the reduction for a constraint of the space, which copies what it needs of both, by the constraint's kind,
/// where ∏ is a product of decisions, Σ a sum of such terms, and the other letters are constants:
///   Equal    c·∏ = N      The form is the required product of the open decisions. The constraint is broken as soon as
///                         no choice of open values gives that product.
///   AtMost   Σ c·∏ ≤ L    Like terms are merged, constants moved to the right, and all coefficients divided by their
///                         common divisor. The constraint holds or is broken once the least and the greatest possible
///                         sum say so.
///   Divides  x·∏ | y·∏    Both sides are divided by their common divisor; of y only factors that x can need are kept.
///   Table    … ∈ rows     The form is the values of the open columns in the rows that still fit.
std::unique_ptr<Reduction> reductionOf(const Space& space, const Constraint& constraint);

/// Returns whether some constraint of the space can't hold, as far as that is seen at once, in far less time than a
/// reduction takes: one whose decisions have one value each, or a sum that is above its limit at the least. If not, the
/// space may still have no schedule.
bool isPlainlyBroken(const Space& space);

}  // namespace loom::tune
