#pragma once

#include "app/panels/panel.h"
#include "app/session/shown_program.h"

namespace loom::panels {

/// The statements of the kernel at which threads wait, as a table: of a barrier a row for each buffer that it keeps in
/// order, of another wait a row that says what must have happened. A click on a row selects the line of CUDA.
class BarriersPanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  session::ShownProgram shown_;
};

}  // namespace loom::panels
