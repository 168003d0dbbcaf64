#include "core/document/step_remarks.h"

#include "core/lower/lower.h"

namespace loom::document {

std::vector<lower::StepRemark> remarksOnStep(const History& history, int node, bool lowered) {
  const Node& n = history.node(node);
  if (n.parent < 0) return {};
  const schedule::State& before = history.node(n.parent).state;
  if (!lowered || n.state.module().functions.size() != 1) return lower::remarksOnStep(before, n.state);
  auto then = lower::lower(before.module().functions.front()), now = lower::lower(n.state.module().functions.front());
  return lower::remarksOnStep(before, then ? &*then : nullptr, n.state, now ? &*now : nullptr);
}

}  // namespace loom::document
