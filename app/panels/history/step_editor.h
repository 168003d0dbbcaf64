#pragma once

#include <string>

#include "app/panels/history/argument_form.h"
#include "app/panels/panel.h"

namespace loom::panels {

/// The popup that edits a step (a call of a schedule primitive) that was applied before: the step's line as a whole,
/// its arguments one by one, and below these a report on which later states would change and which steps could no
/// longer be applied (session::StepEdit).
class StepEditor {
 public:
  /// Opens the popup for the step that led to `node`, the index of a state (the program after a step) in the history;
  /// not the start, to which no step led. The next `draw` shows it.
  void open(const session::Session& session, int node);
  /// Draws the popup while it is open, and applies the edited step if the user confirms it: in place of the old step,
  /// or as a new branch. To be called once a frame.
  void draw(PanelContext& context);

 private:
  void drawReport(PanelContext& context) const;

  int node_ = -1;     // the state whose step is edited; -1: none
  std::string line_;  // the step's line as it is edited
  ArgumentForm form_;
  bool open_ = false;    // whether the popup is open
  bool wanted_ = false;  // whether `draw` is to open it
};

}  // namespace loom::panels
