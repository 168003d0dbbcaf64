#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/tune/space/space.h"

namespace loom::tune {

/// What is left of a constraint, as numbers in normal form: two partial assignments that leave the same form allow the
/// same values of what is open. What the numbers are is the reduction's own business.
using Form = std::vector<std::int64_t>;

/// A constraint after some of its decisions.
struct Reduced {
  enum class Verdict : std::uint8_t {
    Open,      ///< it depends on what is open, by `form`
    Holds,     ///< whatever becomes of what is open
    Broken,    ///< whatever becomes of what is open
    Overflow,  ///< its numbers do not fit in 62 bits, so that nothing exact can be said
  };
  Verdict verdict = Verdict::Open;
  Form form;
};

/// One kind of constraint while its decisions get their values, first to last: what of it is left to be satisfied.
class Reduction {
 public:
  virtual ~Reduction() = default;
  /// Returns the constraint before any decision.
  virtual Reduced start() const = 0;
  /// Returns what is left when the own decision number `step` gets `value`, after those before it left `form`.
  virtual Reduced next(int step, const Form& form, std::int64_t value) const = 0;
};

/// Returns the decisions that a constraint names, ascending, each once.
std::vector<int> decisionsOf(const Constraint& constraint);

/// Returns the reduction for the constraint's kind:
///   Equal    c·∏ = N      what the open product must be; broken as soon as no choice of open values gives that product
///   AtMost   Σ c·∏ ≤ L    like terms merged, constants moved to the right, all divided by their common divisor; broken
///                         or dropped by the bounds of the sum, in which negative terms count by their other end
///   Divides  x·∏ | y·∏    divided by the common divisor; of y only what the left side can need
///   Table    … ∈ rows     what the rows that still fit say of the open columns
std::unique_ptr<Reduction> reductionOf(const Space& space, const Constraint& constraint);

}  // namespace loom::tune
