#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/look.h"
#include "core/tune/rules/sketch.h"

namespace loom::session {
struct SampledWarps;
struct StateModel;
}  // namespace loom::session

namespace loom::panels {

/// The width of the panel's tables at most, in design px: wider, and figures stand too far from what they are of.
inline constexpr float kMostTable = 760;

/// A schedule that a table sets beside others.
struct AccountColumn {
  std::string name;
  std::optional<double> measured;                 ///< µs; nothing: not measured
  const session::StateModel* model = nullptr;     ///< null: not modelled
  std::map<int, std::int64_t> decisions;          ///< values by index in Space::decisions, as far as they are known
  const session::SampledWarps* stalls = nullptr;  ///< what its warps waited for; null: not sampled
};

/// Draws a table of schedules side by side: first the decisions of `sketch` (a schedule with open decisions) whose
/// values are known to differ, then their times and the figures that account for them (accountOf), and last how much
/// of the measured time their warps did what (timesOf), or else shares of samples (waitsOf), with what each reason
/// means. If the panel is narrow, each row is a line of text. Nothing
/// is drawn without columns.
void drawAccount(const window::Look& look, const tune::Sketch& sketch, const std::vector<AccountColumn>& columns);

/// Returns which stall reasons' shares moved most from one kernel to the next (movedWaits) as text: "barrier
/// 17 % → 2 %"; empty if one is null, or if none moved by much.
std::string movedWaitsText(const window::Look& look, const session::SampledWarps* before,
                           const session::SampledWarps* after);

/// Returns what moved most from one kernel to the next (whatMoved) as text, what the model says on a line before what
/// is counted: "by the model: tensor alone 4.1 → 3.2 µs", "blocks 130 → 65"; empty if a model is null, if only one of
/// them is of machine code, or if nothing moved by much. `gain` is that of whatMoved.
std::string movedText(const window::Look& look, const session::StateModel* before, const session::StateModel* after,
                      std::optional<double> gain);

}  // namespace loom::panels
