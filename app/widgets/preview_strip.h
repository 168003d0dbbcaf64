#pragma once

#include <string>

#include "app/widgets/context.h"

namespace loom::session {
struct PredictedEffect;
class Session;
}  // namespace loom::session

namespace loom::panels {

// A preview is a step, or several, that isn't applied yet; while there is one, panels show the program after the step.

/// Returns the predicted times before and after a step as text, with their basis (the program as written, or its
/// machine code) and their ratio.
std::string effectText(const window::Look& look, const session::PredictedEffect& effect);

/// Returns what the previewed step would do, on one line: the numbers of loops and blocks that it adds, removes and
/// alters; as far as they are known, its predicted times, or that it is being compiled or gives no kernel; and remarks
/// on the step. For a refused step, returns why it is refused. There must be a preview.
std::string previewOutcome(const window::Look& look, const session::Session& session);

/// Returns the height, in px, of the strip that `drawPreviewLine` draws below a panel's contents; 0 without a preview.
float previewLineHeight(const PanelContext& context);

/// Draws the strip, in the `previewLineHeight` that the panel's contents leave free, that says that a preview is shown:
/// which step it is of, what the step would change, and its predicted time or why it is refused. Draws nothing without
/// a preview. Enter applies the step, if it isn't refused, and Escape ends the preview, unless the focused control uses
/// these keys.
void drawPreviewLine(PanelContext& context);

/// Draws what `drawPreviewLine` draws in one row, above the contents of a panel of little height, and obeys the same
/// keys; nothing without a preview.
void drawPreviewRow(PanelContext& context);

}  // namespace loom::panels
