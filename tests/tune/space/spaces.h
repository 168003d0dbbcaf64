// Spaces for tests of counting. A space is a set of decisions with their values, and constraints on them; its schedules
// are the combinations of values that satisfy all constraints.
#pragma once

#include "core/tune/space/pins.h"
#include "core/tune/space/space.h"

namespace loom::tune::spaces {

/// Builds a space by adding decisions and constraints, each with a name. Decisions must be added before constraints
/// name them: an unknown name gives an invalid space. The functions return the object itself, so that calls can be
/// chained.
class SpaceMaker {
 public:
  /// Adds a decision with these values.
  SpaceMaker& decision(const std::string& name, std::vector<std::int64_t> values);
  /// A product of a coefficient and of decisions, by name: `{2, {"a", "b"}}` is 2·a·b. A decision may occur twice.
  struct Term {
    std::int64_t coefficient;
    std::vector<std::string> decisions;
  };
  /// Adds the constraint product = limit.
  SpaceMaker& equal(const std::string& name, const Term& product, std::int64_t limit);
  /// Adds the constraint that the sum of the products is at most `limit`.
  SpaceMaker& atMost(const std::string& name, const std::vector<Term>& sum, std::int64_t limit);
  /// Adds the constraint that `left` divides `right`.
  SpaceMaker& divides(const std::string& name, const Term& left, const Term& right);
  /// Adds the constraint that the values of the decisions `columns` are, together, one of `rows`.
  SpaceMaker& table(const std::string& name, const std::vector<std::string>& columns,
                    std::vector<std::vector<std::int64_t>> rows);
  /// Returns the space so far, which lives as long as the object.
  const Space& space() const { return space_; }

 private:
  Product product(const Term& term) const;
  SpaceMaker& add(Constraint constraint, const std::string& name);
  Space space_;
};

/// Returns the positive divisors of a number, ascending, up to `largest`; none for a number below 1.
std::vector<std::int64_t> divisors(std::int64_t number, std::int64_t largest = INT64_MAX);

/// Returns a random space of four to six decisions of up to five values, with up to five constraints of the four kinds,
/// among them negative coefficients, decisions that occur twice in a product, zeros, and tables that name a decision
/// twice; equal for equal seeds. Few of these spaces are empty.
Space randomSpace(std::uint64_t seed);

/// Returns all schedules (the values of the decisions) of a small space that `pins`, if given, allow, by trying every
/// combination of values. They are in lexicographic order of the values' places in their domains, as PinnedCounts
/// numbers schedules.
std::vector<Assignment> enumerated(const Space& space, const Pins& pins);
std::vector<Assignment> enumerated(const Space& space);

/// Returns the space of a float16 matrix product on tensor cores: 21 decisions, 12 constraints.
Space productSpace(std::int64_t m, std::int64_t n, std::int64_t k);

}  // namespace loom::tune::spaces
