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

/// Returns the title of the fold that a row stands for.
std::string titleText(const window::Look& look, const session::Session& session, const document::HistoryRow& row);

/// Draws, within a tooltip, the whole title of a fold and its steps, the first 12 of them.
void drawTitleHover(const window::Look& look, const session::Session& session, const document::HistoryRow& row);

/// Returns a sentence with the predicted and the measured time of the closest state before `node` that was measured,
/// because a prediction is to be compared with predictions. Returns "" if no state before was measured or predicted.
std::string predictedBase(const window::Look& look, const session::Session& session, int node);

/// Returns how many states the folded branch of a row has, and which of them is the fastest. `times` are those of
/// session::measuredTimes: µs by node, 0 or less for a state that wasn't measured.
std::string foldedText(const window::Look& look, const document::History& history, const document::HistoryRow& row,
                       const std::vector<double>& times);

/// Draws the tooltip of a row: the title of its fold, its state, then `notes` in grey and `warnings` in the colour of
/// warnings. Both may be empty.
void drawRowHover(const window::Look& look, const session::Session& session, const document::HistoryRow& row,
                  const std::string& notes, const std::string& warnings);

}  // namespace loom::panels
