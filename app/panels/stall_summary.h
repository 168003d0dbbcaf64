#pragma once

#include <memory>

#include "app/panels/panel.h"

namespace loom::workbench {
struct KnownStalls;
}

namespace loom::panels {

/// The samples of the current state, and of the one that it is compared with; null: not known, or of other machine
/// code.
std::shared_ptr<const workbench::KnownStalls> shownStalls(const PanelContext& context);
std::shared_ptr<const workbench::KnownStalls> comparedStalls(const PanelContext& context);

/// The current state's stalls with their shares and their origin, and those of the state compared with; what is wrong;
/// a button that samples where that can be and is needed. Nothing where there is none of it.
void drawStallSummary(PanelContext& context);
/// The same of the current state in one row that is always there, as high whatever is known; the hover says all of it.
void drawStallRow(PanelContext& context);
/// Why nothing can be sampled here; nothing where it can, or isn't known yet.
void drawWhyNoSampling(PanelContext& context);

}  // namespace loom::panels
