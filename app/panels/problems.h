#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// What was refused, is wrong or cannot be a kernel, and why.
class ProblemsPanel : public Panel {
 public:
  void draw(PanelContext& context) override;
};

}  // namespace loom::panels
