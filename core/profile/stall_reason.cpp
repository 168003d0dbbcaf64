#include "core/profile/stall_reason.h"

namespace loom::profile {

namespace {

constexpr std::array<StallReasonRow, kStallReasons> kRows = {{
    {StallReason::kSelected, "selected", "", "selected"},
    {StallReason::kNotSelected, "not_selected", "", "not selected"},
    {StallReason::kLongScoreboard, "long_sb", "long_scoreboard", "long scoreboard"},
    {StallReason::kShortScoreboard, "short_sb", "short_scoreboard", "short scoreboard"},
    {StallReason::kWait, "wait", "", "wait"},
    {StallReason::kBarrier, "barrier", "", "barrier"},
    {StallReason::kMathPipeThrottle, "math", "math_pipe_throttle", "math pipe throttle"},
    {StallReason::kMioThrottle, "mio", "mio_throttle", "MIO throttle"},
    {StallReason::kLgThrottle, "lg", "lg_throttle", "LG throttle"},
    {StallReason::kTexThrottle, "tex", "tex_throttle", "TEX throttle"},
    {StallReason::kGmma, "gmma", "", "GMMA"},
    {StallReason::kWarpgroupArrive, "warpgroup_arrive", "", "warpgroup arrive"},
    {StallReason::kMembar, "membar", "", "membar"},
    {StallReason::kNoInstruction, "no_inst", "no_instruction", "no instruction"},
    {StallReason::kBranchResolving, "branch_resolving", "branch_resolve", "branch resolving"},
    {StallReason::kImcMiss, "imc", "imc_miss", "IMC miss"},
    {StallReason::kDispatch, "dispatch", "dispatch_stall", "dispatch"},
    {StallReason::kDrain, "drain", "", "drain"},
    {StallReason::kSleeping, "sleep", "sleeping", "sleeping"},
    {StallReason::kMisc, "misc", "", "misc"},
    {StallReason::kUnknown, "", "", "other"},
}};

constexpr bool inOrder() {
  for (std::size_t i = 0; i < kRows.size(); ++i)
    if (kRows[i].reason != StallReason(i)) return false;
  return true;
}
static_assert(inOrder());

}  // namespace

std::span<const StallReasonRow, kStallReasons> stallReasons() { return kRows; }

const char* nameOf(StallReason reason) { return kRows[std::size_t(reason)].name; }

std::optional<StallReason> stallReasonOf(std::string_view word) {
  if (word.empty()) return std::nullopt;
  for (const StallReasonRow& row : kRows)
    if (word == row.column || word == row.other || word == row.name) return row.reason;
  return std::nullopt;
}

}  // namespace loom::profile
