#pragma once

#include <vector>

#include "core/tune/space/pinned_counts.h"

namespace loom::tune {

/// The schedules of a space (values for its decisions that break none of its constraints), grouped by the values of
/// some quantities: products of decisions, such as the rows `m·i.warps·i.fragments` that a thread block computes, or
/// single decisions. The schedules with the same values of all quantities are a family. A formula that only reads these
/// quantities need be evaluated once for each family. Drawing a family first and then a schedule of it keeps large
/// families from prevailing: two fifths of all schedules of a matrix product may have one warp, because one warp leaves
/// most choices to the other decisions.
class Families {
 public:
  struct Family {
    std::vector<std::int64_t> values;  ///< value of each quantity, in the order given to `of`
    Count schedules = 0;               ///< number of schedules of the family
  };

  /// Finds all families of the schedules that `pins` (the allowed values) allow; there are none if no schedule is
  /// allowed, and one if `quantities` is empty. Fails with `TooManyNodes`, `TooLong` or `Stopped` at the limits, where
  /// `limits.nodes` bounds how many pairs there are of a node and the partial values of the quantities with which it is
  /// reached, and with `CountOverflow` if a quantity does not fit in 64 bits. The diagram, which holds all schedules,
  /// must outlive this object.
  static Result<Families> of(const Diagram& diagram, const Pins& pins, std::vector<Product> quantities,
                             const CountLimits& limits = {});

  /// Returns the families, ascending by their values.
  const std::vector<Family>& all() const { return families_; }
  /// Returns the schedule with number `index`, less than Family::schedules, of the family with index `family` in
  /// `all()`. The order of schedules is fixed.
  Assignment at(std::size_t family, Count index) const;
  /// Returns a random schedule of the family with index `family`; all are equally likely.
  Assignment draw(std::size_t family, Random& random) const;
  /// Draws a family, all equally likely, and returns a random schedule of it; nothing if there are no families.
  std::optional<Assignment> draw(Random& random) const;

 private:
  friend class FamilyFinder;

  // All partial assignments that arrive at one node of the diagram with the same partial value of each quantity.
  struct Arrival {
    int node = 0;
    Count ways = 0;      // number of these partial assignments
    int firstStep = -1;  // in steps_; -1: at the root
  };
  struct Step {
    int from = 0;   // index of an arrival
    int value = 0;  // index in the decision's values
    int next = -1;  // another step that ends in the same arrival; -1: the last one
  };

  explicit Families(PinnedCounts counts) : counts_(std::move(counts)) {}

  PinnedCounts counts_;
  std::vector<Arrival> arrivals_;
  std::vector<Step> steps_;
  std::vector<Family> families_;
  std::vector<std::vector<int>> ends_;  // by family: indices of the arrivals after which no quantity changes
};

}  // namespace loom::tune
