#pragma once

#include "app/panels/panel.h"

namespace loom::workbench {
struct KnownStalls;
}

namespace loom::panels {

/// Where a state's samples come from: "sampled on NVIDIA H200 by ncu 2025.3.1, 2026-11-22". Requires a file.
std::string stallOrigin(const window::Look& look, const workbench::KnownStalls& known);

/// The line over the SASS: the current state's reasons and their origin, that of the state compared with, and a button
/// that samples where that can be. Nothing where there is neither.
void drawStallSummary(PanelContext& context);

/// Whether `drawStallTable` has rows to show.
bool hasStallTable(PanelContext& context);
/// What warps wait for, by reason, with what it means; beside it the same of the state compared with. `width` px; to
/// the bottom of the room there is.
void drawStallTable(PanelContext& context, float width);
/// Why the table isn't there, and the button that samples.
void drawNoStalls(PanelContext& context);

}  // namespace loom::panels
