#pragma once

#include <string>

#include "app/widgets/context.h"

namespace loom::session {
struct PredictedEffect;
class Session;
}  // namespace loom::session

namespace loom::panels {

/// The times before and after, by which model, and how many times as fast.
std::string effectText(const window::Look& look, const session::PredictedEffect& effect);

/// What the step would change, the time that the model predicts, or why it is refused.
std::string previewOutcome(const window::Look& look, const session::Session& session);

/// Height of the strip below a panel's contents that `drawPreviewLine` fills; 0 while no step is in the making.
float previewLineHeight(const PanelContext& context);

/// Says that what stands above is a preview, of which step, what it would change, the time the model predicts, or why
/// it is refused. Enter applies it and Escape discards it, unless what has the focus takes these keys for itself.
void drawPreviewLine(PanelContext& context);

/// The same in one row, above what a low panel draws; nothing without a preview.
void drawPreviewRow(PanelContext& context);

}  // namespace loom::panels
