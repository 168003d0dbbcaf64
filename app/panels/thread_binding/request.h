#pragma once

#include "app/panels/panel.h"
#include "app/panels/thread_binding/banks.h"
#include "app/panels/thread_binding/view/statement.h"

namespace loom::panels {

/// Which of the schedule steps offered by `drawRequestCost` was clicked in this frame; the caller applies it.
struct RequestClicks {
  bool pad = false;      ///< the step that pads the rows of the buffer (BindingView::padded)
  bool swizzle = false;  ///< the step that swizzles the rows of the buffer (BindingView::swizzled)
};

/// Returns whether `drawRequestCost` shows how the chosen access falls on the banks of shared memory: by a request of
/// the chosen warp, or by swizzled lines that the copy engine or tensor cores access. Returns false for requests to
/// global memory, whose cost is counted in sectors, and for accesses without a request, such as to local memory and
/// wmma fragments.
bool isOfBanks(const session::BindingView& view);

/// Draws what the memory request of the chosen warp costs, in a column `width` px wide: the sectors of global memory
/// that it touches; or its wavefronts over the banks of shared memory, and those after padding or swizzling the buffer;
/// or the swizzled lines that the copy engine (TMA) or tensor cores access; or a sentence on why the access makes no
/// request. `shown` is the statement with the chosen access and thread. If two states (programs after different
/// schedule steps) are compared, a line below has the cost of the same statement in the other state. `current` says
/// whether the statement belongs to the state that steps are applied to; only then the steps can be clicked. `replay`
/// keeps the position in the replay of wavefronts from frame to frame.
RequestClicks drawRequestCost(PanelContext& context, const session::BoundStatement& shown, float width, bool current,
                              pictures::BankReplay& replay);

}  // namespace loom::panels
