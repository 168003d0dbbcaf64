#pragma once

#include <string>
#include <vector>

#include "core/document/branches.h"

namespace loom::session {
class Session;
}
namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Returns the title of the fold (consecutive schedule steps that the list shows as one row) that a row stands for. The
/// row must be a title's (document::HistoryRow::fold isn't −1).
std::string titleText(const window::Look& look, const session::Session& session, const document::HistoryRow& row);

/// Draws, within a tooltip that the caller has opened, the whole title of the fold that a row stands for, and the first
/// 12 of its steps. The row must be a title's.
void drawTitleHover(const window::Look& look, const session::Session& session, const document::HistoryRow& row);

/// Returns a sentence that names the closest measured state (program after a step) on the path before the state with
/// the index `node`, with its predicted and its measured time: beside a state that has only a prediction, it tells how
/// far predictions are off there. Returns "" if no state before was measured, or if the one that was has no prediction.
std::string predictedBase(const window::Look& look, const session::Session& session, int node);

/// Returns a text on the folded branch that a row stands for: how many states the branch has, and which of them is the
/// fastest, with its time; the latter only if any was measured. `times` are those of session::measuredTimes: µs by
/// node, 0 or less for a state that wasn't measured.
std::string foldedText(const window::Look& look, const document::History& history, const document::HistoryRow& row,
                       const std::vector<double>& times);

/// Opens and draws the tooltip of a row: the title of its fold if it stands for one, its state, then `notes` in grey
/// and `warnings` in the colour of warnings. Both may be empty. The caller asks first whether the mouse is over the
/// row.
void drawRowHover(const window::Look& look, const session::Session& session, const document::HistoryRow& row,
                  const std::string& notes, const std::string& warnings);

}  // namespace loom::panels
