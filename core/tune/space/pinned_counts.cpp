#include "core/tune/space/pinned_counts.h"

namespace loom::tune {

PinnedCounts::PinnedCounts(const Diagram& diagram, Pins pins)
    : diagram_(&diagram), pins_(std::move(pins)), completions_(static_cast<std::size_t>(diagram.nodes()), 0) {
  if (diagram.root() < 0) return;
  // Children have smaller numbers: downward finds what the pins leave in reach, upward counts it.
  std::vector<char> inReach(completions_.size(), 0);
  inReach[static_cast<std::size_t>(diagram.root())] = 1;
  for (int node = diagram.root(); node > 0; --node) {
    if (inReach[static_cast<std::size_t>(node)] == 0) continue;
    const int decision = diagram.decisionOf(node);
    for (const auto [value, child] : diagram.edgesOf(node)) {
      if (pins_.allows(decision, value)) inReach[static_cast<std::size_t>(child)] = 1;
    }
  }
  completions_[0] = 1;
  for (int node = 1; node <= diagram.root(); ++node) {
    if (inReach[static_cast<std::size_t>(node)] == 0) continue;
    const int decision = diagram.decisionOf(node);
    Count completions = 0;  // cannot overflow: it is no more than without pins
    for (const auto [value, child] : diagram.edgesOf(node)) {
      if (pins_.allows(decision, value)) completions += completions_[static_cast<std::size_t>(child)];
    }
    completions_[static_cast<std::size_t>(node)] = completions;
  }
}

std::vector<std::vector<Count>> PinnedCounts::marginals() const {
  std::vector<std::vector<Count>> marginals;
  for (const Decision& decision : diagram_->space().decisions) marginals.emplace_back(decision.values.size(), 0);
  if (count() == 0) return marginals;
  // The schedules through an edge: ways that arrive at its node, times ways that go on from its child.
  std::vector<Count> arrivals(completions_.size(), 0);
  arrivals[static_cast<std::size_t>(diagram_->root())] = 1;
  for (int node = diagram_->root(); node > 0; --node) {
    const Count arriving = arrivals[static_cast<std::size_t>(node)];
    if (arriving == 0) continue;
    const int decision = diagram_->decisionOf(node);
    auto& ofValues = marginals[static_cast<std::size_t>(decision)];
    for (const auto [value, child] : diagram_->edgesOf(node)) {
      const Count leaving = completions_[static_cast<std::size_t>(child)];
      if (leaving == 0 || !pins_.allows(decision, value)) continue;
      arrivals[static_cast<std::size_t>(child)] += arriving;
      ofValues[static_cast<std::size_t>(value)] += arriving * leaving;
    }
  }
  return marginals;
}

Assignment PinnedCounts::at(Count index) const { return from(diagram_->root(), index); }

Assignment PinnedCounts::from(int node, Count index) const {
  Assignment assignment;
  while (node > 0) {
    const int decision = diagram_->decisionOf(node);
    const auto& values = diagram_->space().decisions[static_cast<std::size_t>(decision)].values;
    for (const auto [value, child] : diagram_->edgesOf(node)) {
      if (!pins_.allows(decision, value)) continue;
      const Count completions = completions_[static_cast<std::size_t>(child)];
      if (index < completions) {
        assignment.push_back(values[static_cast<std::size_t>(value)]);
        node = child;
        break;
      }
      index -= completions;
    }
  }
  return assignment;
}

std::optional<Count> PinnedCounts::indexOf(const Assignment& assignment) const {
  if (count() == 0) return std::nullopt;
  Count index = 0;
  for (int node = diagram_->root(); node > 0;) {
    const int decision = diagram_->decisionOf(node);
    const auto d = static_cast<std::size_t>(decision);
    const int wanted = valueIndexOf(diagram_->space().decisions[d], assignment[d]);
    int next = -1;
    for (const auto [value, child] : diagram_->edgesOf(node)) {
      if (!pins_.allows(decision, value)) continue;
      if (value == wanted) next = child;
      if (value >= wanted) break;
      index += completions_[static_cast<std::size_t>(child)];
    }
    if (next < 0) return std::nullopt;
    node = next;
  }
  return index;
}

std::optional<Assignment> PinnedCounts::draw(Random& random) const {
  if (count() == 0) return std::nullopt;
  return at(drawnBelow(count(), random));
}

}  // namespace loom::tune
