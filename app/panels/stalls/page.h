#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// The page Stalls of the panel Performance. One table has the stall reasons of warps with their shares, their meaning,
/// and the shares in the state compared with. The other one says where warps stall: by line of the CUDA source, by the
/// schedule step that a line comes from, or by loop of the machine code.
class Stalls {
 public:
  void draw(PanelContext& context);

 private:
  /// Draws the table of places. `brief`: reasons are abbreviated to their letters.
  void drawPlaces(PanelContext& context, bool brief);

  /// What a row of the table of places stands for.
  enum class By { kLine, kStep, kLoop };
  By by_ = By::kLine;
};

}  // namespace loom::panels
