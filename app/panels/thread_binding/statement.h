#pragma once

#include <optional>

#include "app/panels/panel.h"
#include "app/panels/thread_binding/banks.h"
#include "app/panels/thread_binding/fragment.h"
#include "app/panels/thread_binding/grid.h"
#include "app/panels/thread_binding/owners.h"
#include "app/panels/thread_binding/view/statement.h"
#include "app/panels/thread_binding/waves.h"

namespace loom::panels {

/// What was clicked in the pictures of a statement.
struct PictureClicks {
  std::optional<session::BindingChoice> wanted;
  std::optional<session::BoundStatement::Element> element;  ///< whose owners are wanted with it
  /// Whose touches are to be counted; none within: nobody's.
  std::optional<std::optional<model::Scope>> countedBy;
  bool pad = false;      ///< the step that the padded picture names
  bool swizzle = false;  ///< the step of `BindingView::swizzled` is wanted
};

/// Parts of the pictures that keep what was chosen in them.
struct StatementParts {
  BlockWavesPart waves;
  FragmentPart fragment;
  OwnersPart owners;
  pictures::BankReplay replay;
  pictures::GridZoom zoom;
};

/// The pictures of a statement in as many columns as have room: grid, block, elements, lanes or fragment, and what the
/// request costs as sectors or banks. `asked` is the choice that a click changes one thing of. `current`: the statement
/// is of the state that steps are applied to.
PictureClicks drawStatementPictures(PanelContext& context, const session::BoundStatement& shown,
                                    const session::BindingChoice& asked, bool current, StatementParts& parts);

}  // namespace loom::panels
