#include "core/tune/space/partial_assignment.h"

namespace loom::tune {

PartialAssignment::PartialAssignment(const Space& space, KnownResiduals* known)
    : touched_(space.decisions.size()), underway_(space.decisions.size() + 1) {
  residuals_.reserve(space.constraints.size());
  for (std::size_t c = 0; c < space.constraints.size(); ++c) {
    residuals_.push_back(known ? known->of(space, c) : std::make_shared<Residual>(space, space.constraints[c]));
    const Residual& residual = *residuals_.back();
    states_.push_back(residual.start());
    if (residual.start() == Residual::kOverflow) start_ = Verdict::Overflow;
    if (residual.start() == Residual::kBroken && start_ == Verdict::Possible) start_ = Verdict::Broken;
    if (residual.start() < 0) continue;
    const auto& own = residual.decisions();
    for (const int d : own) touched_[static_cast<std::size_t>(d)].push_back(static_cast<int>(c));
    for (int depth = own.front() + 1; depth <= own.back(); ++depth) {
      underway_[static_cast<std::size_t>(depth)].push_back(static_cast<int>(c));
    }
  }
}

PartialAssignment::Verdict PartialAssignment::decide(int valueIndex) {
  const auto& touched = touched_[chosen_.size()];
  for (const int c : touched) saved_.push_back(states_[static_cast<std::size_t>(c)]);
  chosen_.push_back(valueIndex);
  auto verdict = Verdict::Possible;
  for (const int c : touched) {
    int& state = states_[static_cast<std::size_t>(c)];
    if (state == Residual::kHolds) continue;
    const int next = residuals_[static_cast<std::size_t>(c)]->after(state, valueIndex);
    if (next == Residual::kBroken) {
      verdict = Verdict::Broken;  // no matter what another one cannot say
      break;
    }
    if (next == Residual::kOverflow) {
      verdict = Verdict::Overflow;
    } else {
      state = next;
    }
  }
  if (verdict != Verdict::Possible) undo();
  return verdict;
}

void PartialAssignment::undo() {
  chosen_.pop_back();
  const auto& touched = touched_[chosen_.size()];
  const std::size_t mark = saved_.size() - touched.size();
  for (std::size_t i = 0; i < touched.size(); ++i) states_[static_cast<std::size_t>(touched[i])] = saved_[mark + i];
  saved_.resize(mark);
}

void PartialAssignment::appendKey(std::vector<int>& key) const {
  for (const int c : underway_[chosen_.size()]) key.push_back(states_[static_cast<std::size_t>(c)]);
}

}  // namespace loom::tune
