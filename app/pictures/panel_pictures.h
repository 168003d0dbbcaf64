#pragma once

#include <string>
#include <vector>

#include "app/ui/palette.h"
#include "core/document/pointer.h"

namespace loom::window {

class Host;
class Workbench;

/// Pictures of single panels: what `tileloom screenshots --panels` writes.
struct PanelPictures {
  std::vector<document::Pointer> panels;  ///< and parts of panels, as a lesson's text points at them
  std::vector<int> states;                ///< of the program's history; empty: where its chapters end
  Theme theme = Theme::kDark;
  int scalePercent = 100;
  int beside = -1;     ///< state that stands beside each in every panel; −1: none
  bool check = false;  ///< look for faults instead, and write the pictures that have some
};

/// Writes FOLDER/PANEL_PART_STATE.png for each panel and state, cut out of the window, in the window's size and
/// language. What a state doesn't have (the banks where there are no threads) is left out. With `check`, prints what is
/// cut, lies on one another or is faint (`RenderingDefect`), a line each. An exit status: 1 where there is such a
/// fault.
int writePanelPictures(Host& host, Workbench& workbench, const PanelPictures& wanted, const std::string& folder);

}  // namespace loom::window
