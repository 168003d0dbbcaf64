#include "core/tune/space/diagram.h"

#include <memory>
#include <optional>

#include "core/tune/space/partial_assignment.h"
#include "core/tune/space/row_table.h"

namespace loom::tune {
namespace {

constexpr int kDead = -1;   // a node from which no schedule goes on: it is not kept
constexpr int kEnded = -2;  // a limit was reached

}  // namespace

// Visits partial assignments depth first and makes a node of each new key. The memo of each depth is a table of keys.
class DiagramBuilder {
 public:
  DiagramBuilder(Space space, const CountLimits& limits) : watch_(limits), partial_(space) {
    diagram_.space_ = std::move(space);
    const int depths = static_cast<int>(diagram_.space_.decisions.size());
    for (int d = 0; d <= depths; ++d) {
      memo_.push_back(std::make_unique<RowTable<int>>(partial_.keyWidth(d)));
      nodeOf_.emplace_back();
    }
    appendNode(depths, 0);
    diagram_.completions_[0] = 1;
  }

  Result<Diagram> build() {
    if (partial_.start() == PartialAssignment::Verdict::Overflow) return countOverflow();
    if (partial_.start() == PartialAssignment::Verdict::Possible) diagram_.root_ = visit();
    if (failure_) return Failure(*failure_);
    diagram_.firstEdge_.push_back(diagram_.edges());
    return std::move(diagram_);
  }

 private:
  // Returns the node of the partial assignment, kDead or kEnded.
  int visit() {
    const auto depth = static_cast<std::size_t>(partial_.depth());
    if (depth == memo_.size() - 1) return 0;
    key_.clear();
    partial_.appendKey(key_);
    const auto [id, isNew] = memo_[depth]->idOf(key_);
    if (!isNew) return nodeOf_[depth][static_cast<std::size_t>(id)];
    nodeOf_[depth].push_back(kDead);
    if (isOverLimit()) return kEnded;

    const std::size_t mark = pending_.size();
    const int values = static_cast<int>(diagram_.space_.decisions[depth].values.size());
    for (int v = 0; v < values; ++v) {
      const auto verdict = partial_.decide(v);
      if (verdict == PartialAssignment::Verdict::Broken) continue;
      if (verdict == PartialAssignment::Verdict::Overflow) return end(countOverflow().value());
      const int child = visit();
      partial_.undo();
      if (child == kEnded) return kEnded;
      if (child != kDead) pending_.push_back({v, child});
    }
    if (pending_.size() == mark) return kDead;
    const int node = appendNode(static_cast<int>(depth), mark);
    nodeOf_[depth][static_cast<std::size_t>(id)] = node;
    return node;
  }

  // Makes a node of the pending edges from `mark` on.
  int appendNode(int decision, std::size_t mark) {
    const int node = diagram_.nodes();
    Count completions = 0;
    diagram_.decision_.push_back(decision);
    diagram_.firstEdge_.push_back(diagram_.edges());
    for (std::size_t e = mark; e < pending_.size(); ++e) {
      diagram_.edges_.push_back(pending_[e]);
      if (!add(completions, diagram_.completionsOf(pending_[e].child))) end(countOverflow().value());
    }
    pending_.resize(mark);
    diagram_.completions_.push_back(completions);
    return node;
  }

  bool isOverLimit() {
    ++visited_;
    if (visited_ % 256 == 0) {
      if (auto limit = watch_.reached(visited_)) end(std::move(*limit));
    }
    return failure_.has_value();
  }
  int end(Error error) {
    if (!failure_) failure_ = std::move(error);
    return kEnded;
  }

  const LimitWatch watch_;
  PartialAssignment partial_;
  Diagram diagram_;
  std::vector<std::unique_ptr<RowTable<int>>> memo_;  // by depth: keys
  std::vector<std::vector<int>> nodeOf_;              // by depth and key: the node, or kDead
  std::vector<int> key_;
  std::vector<Diagram::Edge> pending_;  // of the nodes under way
  std::size_t visited_ = 0;
  std::optional<Error> failure_;
};

Result<Diagram> Diagram::of(Space space, const CountLimits& limits) {
  if (auto problem = problemOf(space)) return Failure(std::move(*problem));
  return DiagramBuilder(std::move(space), limits).build();
}

}  // namespace loom::tune
