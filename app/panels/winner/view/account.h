#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/panels/performance/view/performance.h"

namespace loom::session {

/// A figure of several kernels side by side. `kind` and `label` together identify it, as in ComparedFigure.
struct AccountRow {
  ComparedFigure::Kind kind = ComparedFigure::Kind::kPredicted;
  std::string label;
  std::vector<std::optional<double>> values;  ///< by kernel, in the unit of the kind; nothing: it has no such figure
};

/// Returns the figures that account for the times of kernels, side by side: the predicted time, what each pipe takes of
/// it, the grid and its waves, what a block asks of a multiprocessor, what travels between memories, and instructions.
/// Pipes that are busy for less than a tenth of each kernel's predicted time are left out, and so are the clock rate
/// and traffic that are the same for all of several kernels, and spills and bank conflicts if no kernel has any.
/// `models` are the models of the kernels; null: nothing is known of one. Empty if nothing is known of any.
std::vector<AccountRow> accountOf(const std::vector<const StateModel*>& models);

/// Returns the counts (blocks, registers, bytes moved, …) that differ between two kernels by a tenth or more, those
/// whose ratios are largest first, and before them the waves if their number rounded up is another. Bytes, bank
/// conflicts and spills that only one kernel has count as 0 for the other.
std::vector<ComparedRow> movedCounts(const StateModel& before, const StateModel& after);

/// Returns the figures that tell most of why the second of two kernels takes another time than the first: the share of
/// time that products take, if it differs by two percent of the time; of their pipes at most two, those whose times
/// differ most and by at least a thirtieth of the longer predicted time; then at most five of `movedCounts`. `gain`
/// says how many times as fast the second one was measured to be (nothing: not measured, or the same within the noise):
/// pipes whose predicted times move against it account for nothing and are left out. Empty if nothing differs by as
/// much.
std::vector<ComparedRow> whatMoved(const StateModel& before, const StateModel& after,
                                   std::optional<double> gain = std::nullopt);

}  // namespace loom::session
