// The reasons why a warp issues no instruction, by the names of Nsight Compute (ncu).
//
// Source: NVIDIA, Nsight Compute Documentation, "Profiling Guide", metrics reference, "Warp Stall Reasons" and "Warp
// Stall Reasons (Not Issued)".
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace loom::profile {

// Why a warp doesn't issue, or that it does, as ncu classifies samples ("Warp stall reasons" in its documentation).
enum class StallReason : std::uint8_t {
  kSelected,     // not a stall: it issues
  kNotSelected,  // could issue; the scheduler took another warp
  kLongScoreboard,
  kShortScoreboard,
  kWait,
  kBarrier,
  kMathPipeThrottle,
  kMioThrottle,
  kLgThrottle,
  kTexThrottle,
  kGmma,
  kWarpgroupArrive,
  kMembar,
  kNoInstruction,
  kBranchResolving,
  kImcMiss,
  kDispatch,
  kDrain,
  kSleeping,
  kMisc,
  kUnknown,  // samples that a newer ncu gives another name, or none of the above
};
inline constexpr std::size_t kStallReasons = std::size_t(StallReason::kUnknown) + 1;

// The names of a reason.
struct StallReasonRow {
  StallReason reason;
  const char* column;   // "long_sb": ncu's column is "stall_long_sb"; "" for kUnknown
  const char* other;    // another spelling that ncu uses; "" for none
  const char* letters;  // "LS", an abbreviation that is shown beside the reason's colour
  const char* name;     // "long scoreboard", as ncu's pages call it, in lower case; also in JSON and files
};

// Returns a row for each reason, in the order of the enumeration.
std::span<const StallReasonRow, kStallReasons> stallReasons();
// Returns StallReasonRow::name of a reason.
const char* nameOf(StallReason reason);
// Returns StallReasonRow::letters of a reason.
const char* lettersOf(StallReason reason);
// Returns the reason that has this word as `column`, `other` or `name`: kLongScoreboard for "long_sb" and "long
// scoreboard"; nothing for any other word, so also for "stall_long_sb".
std::optional<StallReason> stallReasonOf(std::string_view word);
// Returns whether the warp could have issued: kSelected and kNotSelected.
constexpr bool couldIssue(StallReason r) { return r == StallReason::kSelected || r == StallReason::kNotSelected; }

}  // namespace loom::profile
