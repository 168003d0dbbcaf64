#pragma once

#include <string>

#include "app/panels/panel.h"

namespace loom::panels {

/// Has the ceilings of the GPU here measured, where they are of `device`; what is known of them stands in its hint.
void drawCeilingButton(PanelContext& context, const std::string& device);
/// Returns the button's width in px, the gap before it included; 0 if there is nothing to measure.
float ceilingButtonWidth(PanelContext& context, const std::string& device);

}  // namespace loom::panels
