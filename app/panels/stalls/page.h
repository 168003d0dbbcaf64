#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// The page Stalls of Performance: what warps wait for, by reason with what it means, beside the state compared with;
/// and where: by line of the CUDA text, by the step that made it, or by loop of the machine code.
class Stalls {
 public:
  void draw(PanelContext& context);

 private:
  void drawPlaces(PanelContext& context, bool brief);

  enum class By { kLine, kStep, kLoop };
  By by_ = By::kLine;
};

}  // namespace loom::panels
