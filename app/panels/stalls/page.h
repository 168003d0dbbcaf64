#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// The page Stalls of the panel Performance. One table has the stall reasons of warps with their shares of the samples,
/// their meaning, and the shares in the state compared with (the program after other schedule steps). The other table
/// says where warps stall: by line of the CUDA source, by the schedule step that a line comes from, or by loop of the
/// machine code.
class Stalls {
 public:
  /// Draws the page; without samples, why there are none, or a button to sample.
  void draw(PanelContext& context);

 private:
  /// Draws the table of places. `brief`: reasons are abbreviated to their letters.
  void drawPlaces(PanelContext& context, bool brief);

  /// What a row of the table of places stands for.
  enum class By { kLine, kStep, kLoop };
  By by_ = By::kLine;
};

}  // namespace loom::panels
