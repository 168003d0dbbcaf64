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
  /// The element for which the threads that access it are to be shown with `wanted`.
  std::optional<session::BoundStatement::Element> element;
  /// The scope whose accesses are to be counted for each element. The inner optional is empty if the user chose the
  /// picture that counts nothing.
  std::optional<std::optional<model::Scope>> countedBy;
  bool pad = false;      ///< the step that pads the rows of the buffer
  bool swizzle = false;  ///< the step that swizzles the rows of the buffer
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
/// state that steps are applied to. Requires that the kernel has an access, and that `parts.waves` has been told of the
/// shown binding in this frame (BlockWavesPart::follow).
PictureClicks drawStatementPictures(PanelContext& context, const session::BoundStatement& shown,
                                    const session::BindingChoice& asked, bool current, StatementParts& parts);

}  // namespace loom::panels
