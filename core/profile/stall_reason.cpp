#include "core/profile/stall_reason.h"

namespace loom::profile {

namespace {

constexpr std::array<StallReasonRow, kStallReasons> kRows = {{
    {StallReason::kSelected, "selected", "", "SE", "selected"},
    {StallReason::kNotSelected, "not_selected", "", "NS", "not selected"},
    {StallReason::kLongScoreboard, "long_sb", "long_scoreboard", "LS", "long scoreboard"},
    {StallReason::kShortScoreboard, "short_sb", "short_scoreboard", "SS", "short scoreboard"},
    {StallReason::kWait, "wait", "", "WA", "wait"},
    {StallReason::kBarrier, "barrier", "", "BA", "barrier"},
    {StallReason::kMathPipeThrottle, "math", "math_pipe_throttle", "MP", "math pipe throttle"},
    {StallReason::kMioThrottle, "mio", "mio_throttle", "MI", "MIO throttle"},
    {StallReason::kLgThrottle, "lg", "lg_throttle", "LG", "LG throttle"},
    {StallReason::kTexThrottle, "tex", "tex_throttle", "TX", "TEX throttle"},
    {StallReason::kGmma, "gmma", "", "GM", "GMMA"},
    {StallReason::kWarpgroupArrive, "warpgroup_arrive", "", "WG", "warpgroup arrive"},
    {StallReason::kMembar, "membar", "", "MB", "membar"},
    {StallReason::kNoInstruction, "no_inst", "no_instruction", "NI", "no instruction"},
    {StallReason::kBranchResolving, "branch_resolving", "branch_resolve", "BR", "branch resolving"},
    {StallReason::kImcMiss, "imc", "imc_miss", "IC", "IMC miss"},
    {StallReason::kDispatch, "dispatch", "dispatch_stall", "DI", "dispatch"},
    {StallReason::kDrain, "drain", "", "DR", "drain"},
    {StallReason::kSleeping, "sleep", "sleeping", "SL", "sleeping"},
    {StallReason::kMisc, "misc", "", "MC", "misc"},
    {StallReason::kUnknown, "", "", "OT", "other"},
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

const char* lettersOf(StallReason reason) { return kRows[std::size_t(reason)].letters; }

std::optional<StallReason> stallReasonOf(std::string_view word) {
  if (word.empty()) return std::nullopt;
  for (const StallReasonRow& row : kRows)
    if (word == row.column || word == row.other || word == row.name) return row.reason;
  return std::nullopt;
}

}  // namespace loom::profile
