#include "core/tune/space/residual.h"

namespace loom::tune {

Residual::Residual(const Space& space, const Constraint& constraint)
    : reduction_(reductionOf(space, constraint)), decisions_(decisionsOf(constraint)) {
  for (const int d : decisions_) values_.push_back(space.decisions[static_cast<std::size_t>(d)].values);
  known_.resize(decisions_.size() + 1);
  start_ = stateOf(0, reduction_->start());
}

int Residual::after(int state, int valueIndex) {
  const auto s = static_cast<std::size_t>(state), v = static_cast<std::size_t>(valueIndex);
  if (states_[s].after[v] == kUnknown) {
    const int step = states_[s].step;
    const std::int64_t value = values_[static_cast<std::size_t>(step)][v];
    const int next = stateOf(step + 1, reduction_->next(step, states_[s].form, value));
    states_[s].after[v] = next;
  }
  return states_[s].after[v];
}

int Residual::stateOf(int step, const Reduced& reduced) {
  switch (reduced.verdict) {
    case Reduced::Verdict::Holds: return kHolds;
    case Reduced::Verdict::Broken: return kBroken;
    case Reduced::Verdict::Overflow: return kOverflow;
    case Reduced::Verdict::Open: break;
  }
  const auto s = static_cast<std::size_t>(step);
  const auto [at, isNew] = known_[s].emplace(reduced.form, static_cast<int>(states_.size()));
  if (isNew) states_.push_back({step, reduced.form, std::vector<int>(values_[s].size(), kUnknown)});
  return at->second;
}

std::shared_ptr<Residual> KnownResiduals::of(const Space& space, std::size_t constraint) {
  std::vector<std::int64_t> key = {std::int64_t(constraint)};
  for (const int d : decisionsOf(space.constraints[constraint])) {
    const auto& values = space.decisions[static_cast<std::size_t>(d)].values;
    key.push_back(std::int64_t(values.size()));
    key.insert(key.end(), values.begin(), values.end());
  }
  std::shared_ptr<Residual>& known = known_[std::move(key)];
  if (!known) known = std::make_shared<Residual>(space, space.constraints[constraint]);
  return known;
}

}  // namespace loom::tune
