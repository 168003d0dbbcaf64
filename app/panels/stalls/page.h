#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// The page Stalls of the panel Performance. One table has the stall reasons of warps with their shares of the samples,
/// their meaning, and, while states are compared, the shares in the other state (the program after other schedule
/// steps). The other table says where warps stall: by line of the CUDA source, by the schedule step that a line comes
/// from, or by loop of the machine code.
class Stalls {
 public:
  /// Draws the page; without samples, why there are none, or a button to sample.
  void draw(PanelContext& context);

 private:
  /// Draws the table of places. `brief`: a letter stands for each reason instead of its name.
  void drawPlaces(PanelContext& context, bool brief);

  /// What a row of the table of places stands for.
  enum class By { kLine, kStep, kLoop };  ///< of the CUDA source; of the schedule; of the machine code
  By by_ = By::kLine;
};

}  // namespace loom::panels
