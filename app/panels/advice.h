#pragma once

#include <string>
#include <vector>

#include "app/panels/panel.h"
#include "core/model/advice.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Each piece of advice with the number behind it, and the step that would help with a button that applies it. True
/// when one was applied: what was drawn belongs to another state then.
/// `helps`: the primitive that would help is told in words, too, and what is busiest.
bool drawAdvice(PanelContext& context, const std::vector<model::Advice>& advice, bool helps = false);

/// What it finds, with what that costs: "X_shared: 8-way bank conflicts: about 34.8 µs of 86.5 µs".
std::string adviceText(const window::Look& look, const model::Advice& advice);

}  // namespace loom::panels
