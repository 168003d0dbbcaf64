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

  int node_ = -1;
  std::string line_;
  ArgumentForm form_;
  bool open_ = false, wanted_ = false;
};

}  // namespace loom::panels
