#pragma once

#include <span>
#include <vector>

#include "core/tune/space/count.h"
#include "core/tune/space/count_limits.h"
#include "core/tune/space/space.h"

namespace loom::tune {

/// All schedules of a space, which has decisions with finite domains and constraints between them, counted and kept as
/// a decision diagram: a node stands for all partial assignments after which every constraint demands the same of the
/// open decisions, an edge for a value of the node's decision, and every path from the root to the end is a schedule. A
/// diagram of 40,000 nodes holds 6·10⁸ schedules. Counting the schedules that pins (limits on the values of decisions)
/// allow, drawing one, and finding the i-th are walks along its edges.
///
///   auto diagram = Diagram::of(space);           // once, up to 1 s
///   PinnedCounts counts(*diagram, pins);         // pinned_counts.h: again after every pin, micro- to milliseconds
class Diagram {
 public:
  struct Edge {
    int value = 0;  ///< index in the values of the node's decision
    int child = 0;  ///< number of a node, less than the parent's
  };

  /// Counts a space, depth first. Fails with `TooManyNodes`, `TooLong` or `Stopped` at the limits, with
  /// `CountOverflow` where a constraint's numbers or the count itself are too large to be exact, and with `SpaceError`
  /// if the space is malformed. A space without schedules is no failure: its count is 0.
  static Result<Diagram> of(Space space, const CountLimits& limits = {});

  const Space& space() const { return space_; }
  /// Returns the number of schedules.
  Count count() const { return root_ < 0 ? 0 : completions_[static_cast<std::size_t>(root_)]; }

  /// Returns the node that all schedules begin with; -1 if there are no schedules. Node 0 is the end of all of them.
  int root() const { return root_; }
  /// Returns the number of nodes, the end included.
  int nodes() const { return static_cast<int>(decision_.size()); }
  /// Returns the number of edges.
  int edges() const { return static_cast<int>(edges_.size()); }
  /// Returns the index in Space::decisions of the decision that a node other than the end makes. Every path from the
  /// root makes all of them, in their order.
  int decisionOf(int node) const { return decision_[static_cast<std::size_t>(node)]; }
  /// Returns the edges that leave a node, by ascending value, each on the way to a schedule; none for the end.
  std::span<const Edge> edgesOf(int node) const {
    const auto n = static_cast<std::size_t>(node);
    return {edges_.data() + firstEdge_[n], edges_.data() + firstEdge_[n + 1]};
  }
  /// Returns how many paths lead from a node to the end: the completions of each partial assignment of the node.
  Count completionsOf(int node) const { return completions_[static_cast<std::size_t>(node)]; }

 private:
  friend class DiagramBuilder;

  Space space_;
  int root_ = -1;
  std::vector<int> decision_;       // by node: the decision that it makes
  std::vector<int> firstEdge_;      // by node, and one more: the index in edges_ at which its edges begin
  std::vector<Edge> edges_;         // children have smaller numbers than their parents
  std::vector<Count> completions_;  // by node: the number of paths to the end
};

}  // namespace loom::tune
