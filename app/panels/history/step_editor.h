#pragma once

#include <string>

#include "app/panels/history/argument_form.h"
#include "app/panels/panel.h"

namespace loom::panels {

/// The popup that edits a step of the past: its line and its arguments one by one, and below them what would change and
/// break, before it does.
class StepEditor {
 public:
  /// In the window that draws it.
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
