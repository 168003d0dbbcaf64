#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// The page Stalls of the panel Performance, on the samples that the GPU took of the warps of a kernel. One table has
/// the stall reasons with their shares of the samples, their meaning, and the shares in the state compared with (the
/// program after other schedule steps). The other one says where warps stall: by line of the CUDA source, by the
/// schedule step that a line comes from, or by loop of the machine code.
class Stalls {
 public:
  /// Draws the page; without samples, why there are none, or a button that takes them.
  void draw(PanelContext& context);

 private:
  /// Draws the table that says where warps stall. If `brief` is true, reasons are abbreviated to their letters.
  /// Requires samples.
  void drawPlaces(PanelContext& context, bool brief);

  /// What a row of that table stands for: a line of the CUDA source, a schedule step, or a loop of the machine code.
  enum class By { kLine, kStep, kLoop };
  By by_ = By::kLine;
};

}  // namespace loom::panels
