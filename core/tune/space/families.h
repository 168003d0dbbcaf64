#pragma once

#include <vector>

#include "core/tune/space/pinned_counts.h"

namespace loom::tune {

/// The schedules of a space by what they make of some quantities: products of decisions, such as the block's rows
/// `m·i.warps·i.fragments`, or single decisions. A formula that only reads these quantities need be evaluated once for
/// each family, and a draw that takes a family first is not swamped by families with many alike: of all schedules of a
/// product two fifths may have one warp, because one warp leaves most choices to the rest.
class Families {
 public:
  struct Family {
    std::vector<std::int64_t> values;  ///< of each quantity
    Count schedules = 0;
  };

  /// Finds all families. Fails as `Diagram::of` does: `limits.nodes` bounds the partial families. The diagram must
  /// outlive this.
  static Result<Families> of(const Diagram& diagram, const Pins& pins, std::vector<Product> quantities,
                             const CountLimits& limits = {});

  /// Returns the families, ascending by their values.
  const std::vector<Family>& all() const { return families_; }
  /// Returns schedule number `index` of a family, which is below its `schedules`. The order is fixed.
  Assignment at(std::size_t family, Count index) const;
  /// Returns a schedule of a family, each alike.
  Assignment draw(std::size_t family, Random& random) const;
  /// Returns a schedule of a family that is drawn first, each alike; nothing if there is none.
  std::optional<Assignment> draw(Random& random) const;

 private:
  friend class FamilyFinder;

  // All partial assignments that arrive at one node with one value of each quantity so far.
  struct Arrival {
    int node = 0;
    Count ways = 0;
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
  std::vector<std::vector<int>> ends_;  // by family: arrivals after which no quantity changes
};

}  // namespace loom::tune
