#pragma once

#include <optional>
#include <random>
#include <vector>

#include "core/tune/space/diagram.h"
#include "core/tune/space/pins.h"

namespace loom::tune {

/// Where draws get their chance from. The same seed draws the same schedules on every machine.
using Random = std::mt19937_64;

/// Returns a number below `bound`, each alike. `bound` is positive.
Count drawnBelow(Count bound, Random& random);

/// A diagram counted under pins: one sweep from the end to the root, over what the pins leave. Schedules have numbers
/// from 0 in the order of their values, first decision first. The diagram must outlive the counts.
class PinnedCounts {
 public:
  explicit PinnedCounts(const Diagram& diagram) : PinnedCounts(diagram, Pins(diagram.space())) {}
  PinnedCounts(const Diagram& diagram, Pins pins);

  /// Returns the number of schedules that the pins allow.
  Count count() const { return diagram_->root() < 0 ? 0 : completions_[static_cast<std::size_t>(diagram_->root())]; }
  /// Returns for every value of every decision how many of these schedules have it: one sweep back to the end. 0: dead.
  std::vector<std::vector<Count>> marginals() const;

  /// Returns schedule number `index`, which is below `count()`.
  Assignment at(Count index) const;
  /// Returns the number of a schedule; nothing if the assignment breaks a constraint or a pin.
  std::optional<Count> indexOf(const Assignment& assignment) const;
  /// Returns one of the schedules, each alike; nothing if there is none.
  std::optional<Assignment> draw(Random& random) const;

 private:
  friend class Families;
  friend class FamilyFinder;

  Assignment from(int node, Count index) const;  // the values of the decisions from the node's on

  const Diagram* diagram_;
  Pins pins_;
  std::vector<Count> completions_;  // by node; 0 also of nodes that the pins cut off
};

/// Draws in which values weigh: the chance of a schedule is in proportion to the product of the weights of its values.
class WeightedDraws {
 public:
  /// `weights` are by decision and value index, none negative; 0 forbids a value. The diagram must outlive the draws.
  WeightedDraws(const Diagram& diagram, std::vector<std::vector<double>> weights);
  /// Returns a schedule; nothing if all schedules weigh nothing.
  std::optional<Assignment> draw(Random& random) const;

 private:
  double weightOf(int node, Diagram::Edge edge) const;

  const Diagram* diagram_;
  std::vector<std::vector<double>> weights_;
  std::vector<double> completions_;  // by node: the weight of all that goes on from it
};

/// All schedules in a random order, each once: never one that came before, until all have come. Takes no memory for
/// what came: the order is a permutation of their numbers that is computed (a Feistel network, walked until within
/// range).
class ShuffledSchedules {
 public:
  /// The counts must outlive this object.
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
