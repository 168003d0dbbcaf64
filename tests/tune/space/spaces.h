// Spaces that tests count: small random ones, which plain enumeration counts too, and that of a matrix product.
#pragma once

#include "core/tune/space/pins.h"
#include "core/tune/space/space.h"

namespace loom::tune::spaces {

/// Returns a space that is made by adding decisions and constraints by name.
class SpaceMaker {
 public:
  SpaceMaker& decision(const std::string& name, std::vector<std::int64_t> values);
  /// A product is written `{coefficient, {"name", …}}`.
  struct Term {
    std::int64_t coefficient;
    std::vector<std::string> decisions;
  };
  SpaceMaker& equal(const std::string& name, const Term& product, std::int64_t limit);
  SpaceMaker& atMost(const std::string& name, const std::vector<Term>& sum, std::int64_t limit);
  SpaceMaker& divides(const std::string& name, const Term& left, const Term& right);
  SpaceMaker& table(const std::string& name, const std::vector<std::string>& columns,
                    std::vector<std::vector<std::int64_t>> rows);
  const Space& space() const { return space_; }

 private:
  Product product(const Term& term) const;
  SpaceMaker& add(Constraint constraint, const std::string& name);
  Space space_;
};

/// Returns the divisors of a number, ascending, up to `largest`.
std::vector<std::int64_t> divisors(std::int64_t number, std::int64_t largest = INT64_MAX);

/// Returns a space of up to six decisions of up to five values with all four kinds of constraints: negative
/// coefficients, decisions that stand twice in a product, zeros, tables that name a decision twice.
Space randomSpace(std::uint64_t seed);

/// Returns all schedules of a small space, by trying every combination of values, in the order of `PinnedCounts`.
std::vector<Assignment> enumerated(const Space& space, const Pins& pins);
std::vector<Assignment> enumerated(const Space& space);

/// Returns the space of a float16 matrix product on tensor cores: 21 decisions, 12 constraints.
Space productSpace(std::int64_t m, std::int64_t n, std::int64_t k);

}  // namespace loom::tune::spaces
