#pragma once

#include <optional>

#include "app/panels/panel.h"
#include "app/panels/thread_binding/fragment.h"
#include "app/panels/thread_binding/grid.h"
#include "app/panels/thread_binding/owners.h"
#include "app/panels/thread_binding/request.h"
#include "app/panels/thread_binding/view/statement.h"
#include "app/panels/thread_binding/waves.h"

namespace loom::panels {

/// What was clicked in the pictures of a statement in this frame. The members for which nothing was clicked are empty
/// or false.
struct PictureClicks {
  std::optional<session::BindingChoice> wanted;  ///< the choice that is to be shown
  /// The element for which the threads that access it are to be shown; set only together with `wanted`. Empty beside
  /// `wanted`: the element shown so far stays, unless `wanted` has another access; then no element is shown.
  std::optional<session::BoundStatement::Element> element;
  /// The scope whose accesses are to be counted for each element. The inner optional is empty if the user chose the
  /// picture that counts nothing.
  std::optional<std::optional<model::Scope>> countedBy;
  bool pad = false;      ///< whether the caller is to apply the step `shown.view.padded->padding.step`
  bool swizzle = false;  ///< whether the caller is to apply the step `shown.view.swizzled->step`
};

/// The parts of the pictures that keep state from frame to frame: what was chosen or zoomed in them.
struct StatementParts {
  BlockWavesPart waves;
  FragmentPart fragment;
  OwnersPart owners;
  pictures::BankReplay replay;
  pictures::GridZoom zoom;
};

/// Draws the pictures of a statement in as many columns as have room: the grid, the thread block, the elements that the
/// chosen thread accesses, those of the statement's other buffers, the lanes, the fragment, and what the memory request
/// costs. A click on a block, a warp, a lane or a buffer returns a copy of `asked` with that changed; `asked` is the
/// choice made last, which may be ahead of the one in `shown`. `current` says whether the statement belongs to the
/// state that steps are applied to; if not, `pad` and `swizzle` stay false, since their buttons are disabled. Requires
/// that the kernel has an access, and that BlockWavesPart::follow was called with the shown binding in this frame.
PictureClicks drawStatementPictures(PanelContext& context, const session::BoundStatement& shown,
                                    const session::BindingChoice& asked, bool current, StatementParts& parts);

}  // namespace loom::panels
