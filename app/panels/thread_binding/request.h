#pragma once

#include "app/panels/panel.h"
#include "app/panels/thread_binding/banks.h"
#include "app/panels/thread_binding/view/statement.h"

namespace loom::panels {

/// Which of the steps that the part names was clicked in this frame.
struct RequestClicks {
  bool pad = false;      ///< the step that pads the rows of the buffer (BindingView::padded)
  bool swizzle = false;  ///< the step that swizzles them (BindingView::swizzled)
};

/// Returns whether the memory request of the chosen warp is one to shared memory, whose cost is counted in banks; else
/// it is counted in sectors of global memory, or the access makes no request.
bool isOfBanks(const session::BindingView& view);

/// Draws what the memory request of the chosen warp costs, in a column `width` px wide: its sectors of global memory;
/// its wavefronts in the banks of shared memory, and what padding or swizzling would make of them; the swizzled lines
/// that the copy engine or the tensor cores take; or a sentence why the access makes no request. `current` says whether
/// the statement is of the state that steps are applied to: only then the steps can be clicked.
RequestClicks drawRequestCost(PanelContext& context, const session::BoundStatement& shown, float width, bool current,
                              pictures::BankReplay& replay);

}  // namespace loom::panels
