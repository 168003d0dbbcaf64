#include "core/sass/barriers.h"

#include <algorithm>

#include "core/sass/flow.h"

namespace loom::sass {
namespace {

std::uint8_t setBy(const IssueControl& c) {
  return std::uint8_t((c.writeBarrier >= 0 ? 1U << c.writeBarrier : 0) |
                      (c.readBarrier >= 0 ? 1U << c.readBarrier : 0));
}

}  // namespace

Result<std::vector<BarrierState>> barrierStates(const Kernel& sass) {
  const auto& code = sass.instructions;
  for (const Instruction& i : code)
    if (!i.control)
      return fail("NoControl", message("the control bits of the instructions aren't known"), Forbids::Input);
  auto flow = successorsOf(sass);
  if (!flow) return Failure(flow.error());
  std::vector<BarrierState> states(code.size());
  std::vector<std::vector<int>> from(code.size());
  for (std::size_t n = 0; n < code.size(); ++n) {
    const Successors& s = (*flow)[n];
    for (int to : {s.next, s.target, s.calls})
      if (to >= 0) from[std::size_t(to)].push_back(int(n));
  }
  // A return leads back behind each call, and what is set before the call may be pending there by `next`.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t n = 0; n < code.size(); ++n) {
      std::uint8_t before = 0;
      for (int p : from[n]) {
        const IssueControl& c = *code[std::size_t(p)].control;
        before |= std::uint8_t((states[std::size_t(p)].pending & ~c.waits) | setBy(c));
      }
      changed = changed || before != states[n].pending;
      states[n].pending = before;
    }
  }
  // Backwards from each wait to what set the barrier, past nothing that waited for it already.
  for (std::size_t n = 0; n < code.size(); ++n) {
    const std::uint8_t waits = code[n].control->waits;
    for (int b = 0; b < kScoreboards; ++b) {
      const auto bit = std::uint8_t(1U << b);
      if ((waits & bit) == 0) continue;
      std::vector<int> waiting = from[n];
      std::vector<bool> seen(code.size());
      while (!waiting.empty()) {
        const auto at = std::size_t(waiting.back());
        waiting.pop_back();
        if (seen[at]) continue;
        seen[at] = true;
        const IssueControl& c = *code[at].control;
        if ((setBy(c) & bit) != 0) states[n].waitsFor.push_back(int(at));
        if ((c.waits & bit) == 0) waiting.insert(waiting.end(), from[at].begin(), from[at].end());
      }
    }
    auto& all = states[n].waitsFor;
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }
  return states;
}

}  // namespace loom::sass
