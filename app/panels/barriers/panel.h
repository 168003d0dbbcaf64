#pragma once

#include "app/panels/panel.h"
#include "app/session/shown_program.h"

namespace loom::panels {

/// The barriers of the kernel as a table: a row for each buffer that a barrier keeps in order. A click on a row selects
/// the barrier's line of CUDA.
class BarriersPanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  session::ShownProgram shown_;
};

}  // namespace loom::panels
