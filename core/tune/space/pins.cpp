#include "core/tune/space/pins.h"

#include <algorithm>

namespace loom::tune {

Pins::Pins(const Space& space) {
  for (const Decision& decision : space.decisions) {
    values_.push_back(decision.values);
    allowed_.emplace_back(decision.values.size(), 1);
  }
}

void Pins::limitTo(int decision, const std::vector<std::int64_t>& values) {
  const auto d = static_cast<std::size_t>(decision);
  for (std::size_t v = 0; v < values_[d].size(); ++v) {
    allowed_[d][v] = std::find(values.begin(), values.end(), values_[d][v]) != values.end() ? 1 : 0;
  }
}

void Pins::release(int decision) {
  auto& allowed = allowed_[static_cast<std::size_t>(decision)];
  std::fill(allowed.begin(), allowed.end(), char{1});
}

bool Pins::isPinned(int decision) const {
  const auto& allowed = allowed_[static_cast<std::size_t>(decision)];
  return std::find(allowed.begin(), allowed.end(), 0) != allowed.end();
}

std::vector<int> Pins::pinned() const {
  std::vector<int> all;
  for (int d = 0; d < static_cast<int>(allowed_.size()); ++d) {
    if (isPinned(d)) all.push_back(d);
  }
  return all;
}

std::optional<Space> restricted(const Space& space, const Pins& pins) {
  Space smaller = space;
  for (std::size_t d = 0; d < smaller.decisions.size(); ++d) {
    auto& values = smaller.decisions[d].values;
    values.clear();
    for (std::size_t v = 0; v < space.decisions[d].values.size(); ++v) {
      if (pins.allows(static_cast<int>(d), static_cast<int>(v))) values.push_back(space.decisions[d].values[v]);
    }
    if (values.empty()) return std::nullopt;
  }
  return smaller;
}

}  // namespace loom::tune
