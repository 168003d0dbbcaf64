#pragma once

#include <string>

#include "app/panels/panel.h"

namespace loom::panels {

/// Draws a button that measures the ceilings of this machine's GPU, whose name must be `device`. Its tooltip says which
/// of them have been measured. To be called only if `ceilingButtonWidth` isn't 0.
void drawCeilingButton(PanelContext& context, const std::string& device);
/// Returns the width in px of that button and the gap before it; 0 if this machine has no GPU, or another one than
/// `device`.
float ceilingButtonWidth(PanelContext& context, const std::string& device);

}  // namespace loom::panels
