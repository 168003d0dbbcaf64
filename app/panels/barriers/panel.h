#pragma once

#include "app/panels/panel.h"
#include "app/session/shown_program.h"

namespace loom::panels {

/// The panel Barriers and waits: a table of the kernel's statements at which threads wait. A barrier has a row for each
/// buffer whose accesses it keeps in order, and for each kind of order (read after write, …); another wait has one row,
/// which says what must have happened before threads go on. A click on a row selects the statement's line in the CUDA
/// text.
class BarriersPanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  session::ShownProgram shown_;  ///< the program of the current, or previewed, state
};

}  // namespace loom::panels
