#pragma once

#include <string>
#include <vector>

#include "app/panels/thread_binding/view/accesses.h"
#include "app/panels/thread_binding/view/touch_counts.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Returns which one of a scope is meant by the choice: "warp 3".
std::string scopeText(const window::Look& look, const session::BindingChoice& choice, model::Scope scope);

/// Returns lines on how often a scope accesses a buffer's elements, or its wmma fragments, and on which loops make it
/// access them again.
std::vector<std::string> touchLines(const window::Look& look, const session::TouchView& view, bool fragments);

}  // namespace loom::panels
