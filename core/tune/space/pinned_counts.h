#pragma once

#include <optional>
#include <random>
#include <vector>

#include "core/tune/space/diagram.h"
#include "core/tune/space/pins.h"

namespace loom::tune {

/// The random generator for drawing schedules. The same seed draws the same schedules on every machine.
using Random = std::mt19937_64;

/// Returns a random number from 0 to `bound` − 1, all equally likely. `bound` must be positive.
Count drawnBelow(Count bound, Random& random);

/// The schedules of a counted space that pins (limits on the values of decisions) allow. A schedule is a value for each
/// decision of the space that breaks no constraint. The schedules are numbered from 0 in lexicographic order of the
/// indices of their values in the decisions' domains. The pins must be of the diagram's space, and the diagram must
/// outlive the counts.
class PinnedCounts {
 public:
  /// Counts all schedules of the diagram.
  explicit PinnedCounts(const Diagram& diagram) : PinnedCounts(diagram, Pins(diagram.space())) {}
  /// Counts the schedules that the pins allow, in one sweep over the diagram's edges.
  PinnedCounts(const Diagram& diagram, Pins pins);

  /// Returns the number of schedules that the pins allow.
  Count count() const { return diagram_->root() < 0 ? 0 : completions_[static_cast<std::size_t>(diagram_->root())]; }
  /// Returns, by decision and value index, how many of the allowed schedules have the value; 0 for a value that is in
  /// none of them.
  std::vector<std::vector<Count>> marginals() const;

  /// Returns the schedule with number `index`, which must be less than `count()`.
  Assignment at(Count index) const;
  /// Returns the number of a schedule; nothing if the assignment breaks a constraint or a pin.
  std::optional<Count> indexOf(const Assignment& assignment) const;
  /// Returns a random schedule that the pins allow, all equally likely; nothing if there is none.
  std::optional<Assignment> draw(Random& random) const;

 private:
  friend class Families;
  friend class FamilyFinder;

  Assignment from(int node, Count index) const;  // values of the node's decision and all later ones

  const Diagram* diagram_;
  Pins pins_;
  std::vector<Count> completions_;  // by node: number of allowed paths to the end; 0 for nodes that the pins cut off
};

/// A random draw of schedules with weighted values: the probability of a schedule is proportional to the product of the
/// weights of its values.
class WeightedDraws {
 public:
  /// `weights` are by decision and value index, none negative; 0 forbids a value. The diagram must outlive the draws.
  WeightedDraws(const Diagram& diagram, std::vector<std::vector<double>> weights);
  /// Returns a random schedule; nothing if the weight of every schedule is 0.
  std::optional<Assignment> draw(Random& random) const;

 private:
  double weightOf(int node, Diagram::Edge edge) const;

  const Diagram* diagram_;
  std::vector<std::vector<double>> weights_;
  std::vector<double> completions_;  // by node: the sum of the weights of all paths from it to the end
};

/// An enumeration of all schedules in a random order, each once. The enumeration doesn't store which schedules it has
/// returned: the order is a computed permutation of their numbers (a Feistel network, applied until the result is in
/// range).
class ShuffledSchedules {
 public:
  /// Begins an enumeration of the schedules of `counts`, which must outlive this object. `seed` determines the order.
  ShuffledSchedules(const PinnedCounts& counts, std::uint64_t seed);
  /// Returns the next schedule; nothing after the last one.
  std::optional<Assignment> next();

 private:
  Count shuffled(Count number) const;

  const PinnedCounts* counts_;
  std::uint64_t keys_[4];
  int halfBits_ = 1;
  Count next_ = 0;
};

}  // namespace loom::tune
