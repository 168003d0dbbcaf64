#include "app/panels/winner/view/causes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

#include "app/panels/winner/view/account.h"

namespace loom::session {

namespace {

using Kind = ComparedFigure::Kind;
using profile::StallReason;

constexpr double kLeastPart = 1 / 6.0;  // of the whole difference
constexpr std::size_t kMost = 3, kMostFigures = 2;

// A count of which more makes warps wait longer, or shorter, for a reason.
struct Link {
  std::optional<StallReason> reason;  // nothing: there is no warp
  Kind kind;
  std::string_view label = {};  // of the count; empty: any
  bool isInverse = false;       // whether more of it means shorter
};

// After NVIDIA's words on each reason (Nsight Compute, Profiling Guide, "Warp Stall Reasons"). Those before others are
// told first.
constexpr Link kLinks[] = {
    {std::nullopt, Kind::kWaves},
    {std::nullopt, Kind::kBlocks, "", true},
    {StallReason::kBarrier, Kind::kTraffic, "registers → shared"},
    {StallReason::kBarrier, Kind::kThreads},
    {StallReason::kShortScoreboard, Kind::kTraffic, "shared → registers"},
    {StallReason::kShortScoreboard, Kind::kConflicts},
    {StallReason::kMioThrottle, Kind::kTraffic, "shared → registers"},
    {StallReason::kMioThrottle, Kind::kTraffic, "registers → shared"},
    {StallReason::kMioThrottle, Kind::kConflicts},
    {StallReason::kLongScoreboard, Kind::kTraffic, "l2 → registers"},
    {StallReason::kLongScoreboard, Kind::kTraffic, "l2 → shared"},
    {StallReason::kLongScoreboard, Kind::kTraffic, "global → l2"},
    {StallReason::kLongScoreboard, Kind::kSpills},
    {StallReason::kLongScoreboard, Kind::kOccupancy, "", true},
    {StallReason::kLgThrottle, Kind::kTraffic, "l2 → registers"},
    {StallReason::kLgThrottle, Kind::kTraffic, "l2 → shared"},
    {StallReason::kLgThrottle, Kind::kTraffic, "registers → l2"},
    {StallReason::kLgThrottle, Kind::kInstructions},
    {StallReason::kDrain, Kind::kTraffic, "registers → l2"},
    {StallReason::kWait, Kind::kInstructions},
    {StallReason::kBranchResolving, Kind::kInstructions},
    {StallReason::kNoInstruction, Kind::kInstructions},
    {StallReason::kDispatch, Kind::kInstructions},
    {StallReason::kMathPipeThrottle, Kind::kInstructions},
    {StallReason::kMathPipeThrottle, Kind::kOccupancy},
};

// Blocks that don't fill their last turn on the multiprocessors leave places empty: how many turns for one that counts.
double turnsForOne(double waves) { return waves > 0 ? std::ceil(waves) / waves : 1; }

bool explains(const Link& link, const ComparedRow& row, bool isMore) {
  if (link.kind != row.kind || (!link.label.empty() && row.label != link.label) || !row.before || !row.after)
    return false;
  if (row.kind == Kind::kWaves) {
    const double then = turnsForOne(*row.before), now = turnsForOne(*row.after);
    return then != now && (now > then) == isMore;
  }
  return ((*row.after > *row.before) != link.isInverse) == isMore;
}

// A warp that issues, or could but for others, waits for nothing: more warps make less of it for each.
bool isIssuing(const std::optional<StallReason>& reason) { return reason && profile::couldIssue(*reason); }

double movedTime(const Cause& cause) { return std::abs(*cause.time.microseconds[1] - *cause.time.microseconds[0]); }

}  // namespace

bool accountsFor(double part, double whole) { return std::abs(part) >= kLeastPart * std::abs(whole) && part != 0; }

Causes causesOf(const TimedSamples& before, const TimedSamples& after, const StateModel* modelBefore,
                const StateModel* modelAfter) {
  Causes causes;
  if (!before.microseconds || !after.microseconds) return causes;
  const double whole = *after.microseconds - *before.microseconds;
  std::vector<ComparedRow> counts;
  if (modelBefore && modelAfter) counts = movedCounts(*modelBefore, *modelAfter);
  for (TimeRow& time : timesOf({before, after})) {
    if (!time.microseconds[0] || !time.microseconds[1]) return {};
    const double by = *time.microseconds[1] - *time.microseconds[0];
    if (!accountsFor(by, whole)) continue;
    // A share that stays grows and shrinks with the time, and is no reason of it.
    const double then = *time.microseconds[0] / *before.microseconds, now = *time.microseconds[1] / *after.microseconds;
    if (isIssuing(time.reason) || then == now || (now > then) != (by > 0)) continue;
    Cause cause{std::move(time), {}};
    for (const Link& link : kLinks) {
      if (link.reason != cause.time.reason) continue;
      for (const ComparedRow& row : counts)
        if (cause.figures.size() < kMostFigures && explains(link, row, by > 0)) cause.figures.push_back(row);
    }
    ((by > 0) == (whole > 0) ? causes.with : causes.against).push_back(std::move(cause));
  }
  for (auto* side : {&causes.with, &causes.against}) {
    std::ranges::stable_sort(*side, std::greater(), movedTime);
    side->resize(std::min(side->size(), kMost));
  }
  return causes;
}

}  // namespace loom::session
