#pragma once

#include <string>

#include "app/panels/history/argument_form.h"
#include "app/panels/panel.h"

namespace loom::panels {

/// The popup that edits a step of the past: its line, its arguments one by one, and below them a report on which states
/// would change and which steps would no longer apply (session::StepEdit).
class StepEditor {
 public:
  /// Opens the popup for the step that led to `node`. To be called within the window that calls `draw`.
  void open(const session::Session& session, int node);
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
