#pragma once

#include <string>

#include "app/panels/panel.h"

namespace loom::panels {

/// Draws a button that measures the ceilings (bandwidths and FLOP/s) of this machine's GPU, whose name
/// (DeviceInfo::name) must be `device`, and a "!" after it if that failed. A click starts the measurement in the
/// background; while it goes on, the button is grey and shows the progress. The tooltip says when they were measured
/// last. To be called only if `ceilingButtonWidth` isn't 0.
void drawCeilingButton(PanelContext& context, const std::string& device);
/// Returns the width in px of that button (without the "!") and the gap before it; 0 if this machine has no GPU, or
/// another one than `device`, or while that isn't known.
float ceilingButtonWidth(PanelContext& context, const std::string& device);

}  // namespace loom::panels
