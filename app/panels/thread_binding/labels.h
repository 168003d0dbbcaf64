#pragma once

#include <string>
#include <vector>

#include "app/panels/thread_binding/view/accesses.h"
#include "app/panels/thread_binding/view/touch_counts.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// "warp 3": who that is, of the choice.
std::string scopeText(const window::Look& look, const session::BindingChoice& choice, model::Scope scope);

/// How often a scope touches a buffer's elements, or its wmma fragments, and which loops make it touch them again: a
/// line each.
std::vector<std::string> touchLines(const window::Look& look, const session::TouchView& view, bool fragments);

}  // namespace loom::panels
