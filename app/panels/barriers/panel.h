#pragma once

#include "app/panels/panel.h"
#include "app/session/shown_program.h"

namespace loom::panels {

/// The panel Barriers and waits: a table of the statements at which threads wait, in the kernel of the current state
/// (the program after the schedule steps applied so far) or of a previewed one. A barrier has a row for each buffer
/// whose accesses it keeps in order, and for each kind of order (read after write, …); another wait has one row, which
/// says what must have happened before threads go on. A click on a row selects the statement's line in the CUDA text.
/// If the state is no kernel, or has no such statement, a sentence stands there instead.
class BarriersPanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  session::ShownProgram shown_;  ///< the program of the current, or previewed, state
};

}  // namespace loom::panels
