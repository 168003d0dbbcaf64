#include "core/tune/space/descent.h"

#include <memory>
#include <numeric>

#include "core/tune/space/partial_assignment.h"
#include "core/tune/space/reduction.h"
#include "core/tune/space/row_table.h"

namespace loom::tune {

class Descent::Walk {
 public:
  Walk(Space space, KnownResiduals* known) : space_(std::move(space)), partial_(space_, known) {
    for (int d = 0; d < static_cast<int>(space_.decisions.size()); ++d) {
      dead_.push_back(std::make_unique<RowTable<int>>(partial_.keyWidth(d)));
      isDead_.emplace_back();
    }
  }

  // `random` null: values in their order, never anew from the root.
  Result<std::optional<Assignment>> run(Random* random, const CountLimits& limits) {
    if (partial_.start() == PartialAssignment::Verdict::Overflow) return countOverflow();
    if (partial_.start() == PartialAssignment::Verdict::Broken) return std::nullopt;
    random_ = random;
    const LimitWatch watch(limits);
    watch_ = &watch;
    failure_.reset();
    for (;;) {
      deadEnds_ = 0;
      const Outcome outcome = visit();
      std::optional<Assignment> found;
      if (outcome == Outcome::Found) found = assignmentOf(space_, partial_.chosen());
      while (partial_.depth() > 0) partial_.undo();
      if (outcome == Outcome::Failed) return Failure(*failure_);
      if (outcome != Outcome::Anew) return found;
    }
  }

 private:
  enum class Outcome : std::uint8_t { Found, Dead, Anew, Failed };

  Outcome visit() {
    const auto depth = static_cast<std::size_t>(partial_.depth());
    if (depth == space_.decisions.size()) return Outcome::Found;
    std::vector<int> key;
    partial_.appendKey(key);
    const auto [id, isNew] = dead_[depth]->idOf(key);
    if (isNew) {
      isDead_[depth].push_back(0);
      if (++visited_ % 256 == 0) {
        failure_ = watch_->reached(visited_);
        if (failure_) return Outcome::Failed;
      }
    } else if (isDead_[depth][static_cast<std::size_t>(id)] != 0) {
      return Outcome::Dead;
    }
    for (const int v : order(space_.decisions[depth].values.size())) {
      const auto verdict = partial_.decide(v);
      if (verdict == PartialAssignment::Verdict::Broken) continue;
      if (verdict == PartialAssignment::Verdict::Overflow) {
        failure_ = countOverflow().value();
        return Outcome::Failed;
      }
      const Outcome outcome = visit();
      if (outcome != Outcome::Dead) return outcome;  // what was found stays decided
      partial_.undo();
    }
    isDead_[depth][static_cast<std::size_t>(id)] = 1;
    constexpr int kDeadEnds = 2000;
    return random_ && depth > 0 && ++deadEnds_ >= kDeadEnds ? Outcome::Anew : Outcome::Dead;
  }

  std::vector<int> order(std::size_t values) const {
    std::vector<int> order(values);
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t left = values; random_ && left > 1; --left) {
      std::swap(order[left - 1], order[static_cast<std::size_t>(drawnBelow(left, *random_))]);
    }
    return order;
  }

  const Space space_;
  PartialAssignment partial_;
  std::vector<std::unique_ptr<RowTable<int>>> dead_;  // by depth: keys that were visited
  std::vector<std::vector<char>> isDead_;             // by depth and key: no schedule goes on from it
  std::size_t visited_ = 0;                           // keys, in all runs
  Random* random_ = nullptr;
  const LimitWatch* watch_ = nullptr;
  int deadEnds_ = 0;
  std::optional<Error> failure_;
};

Descent::Descent(const Space& space, const Pins& pins, KnownResiduals* known) {
  auto smaller = restricted(space, pins);
  if (smaller && !isPlainlyBroken(*smaller)) walk_ = std::make_unique<Walk>(std::move(*smaller), known);
}
Descent::Descent(Descent&&) noexcept = default;
Descent::~Descent() = default;

Result<std::optional<Assignment>> Descent::draw(Random& random, const CountLimits& limits) {
  if (!walk_) return std::nullopt;
  return walk_->run(&random, limits);
}

Result<std::optional<Assignment>> Descent::first(const CountLimits& limits) {
  if (!walk_) return std::nullopt;
  return walk_->run(nullptr, limits);
}

}  // namespace loom::tune
