#pragma once

#include <string>
#include <vector>

#include "app/panels/thread_binding/view/accesses.h"
#include "app/panels/thread_binding/view/touch_counts.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Returns the name of the chosen lane, warp or block, by `scope`: "warp 3". For the scope of the grid, returns the
/// word for the grid.
std::string scopeText(const window::Look& look, const session::BindingChoice& choice, model::Scope scope);

/// Returns the lines below the picture of access counts: how many elements of a buffer (wmma fragments if `fragments`
/// is true) the scope of `view` (a lane, warp, block or the grid) accesses, how often each, and, a line for each, the
/// loops that make it access the same ones again; of more than four loops, those that do so most often. Returns one
/// line with the reason if the accesses can't be counted.
std::vector<std::string> touchLines(const window::Look& look, const session::TouchView& view, bool fragments);

}  // namespace loom::panels
