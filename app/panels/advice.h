#pragma once

#include <vector>

#include "app/panels/panel.h"
#include "core/model/advice.h"

namespace loom::panels {

/// Each piece of advice with the number behind it, and the step that would help with a button that applies it. True
/// when one was applied: what was drawn belongs to another state then.
bool drawAdvice(PanelContext& context, const std::vector<model::Advice>& advice);

}  // namespace loom::panels
