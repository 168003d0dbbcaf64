#pragma once

#include <string>
#include <vector>

#include "app/ui/palette.h"
#include "core/document/pointer.h"

namespace loom::window {

class Host;
class Workbench;

/// The options of pictures of single panels, which `tileloom screenshots --panels` writes. A state is the program after
/// some steps of its schedule, given by its index in the history.
struct PanelPictures {
  std::vector<document::Pointer> panels;  ///< panels, or parts of them, as lessons' texts name them; empty: no picture
  std::vector<int> states;  ///< indices of the states to show; empty: the ends of chapters, or else the current state
  Theme theme = Theme::kDark;
  int scalePercent = 100;  ///< scale of the window in percent
  int beside = -1;         ///< index of a state that panels draw beside each of `states`; −1: none
  /// Whether to look for defects of text (RenderingDefect); pictures are then written only of panels with a defect that
  /// certainly disturbs a reader (`isCertain`) or with a misuse of Dear ImGui.
  bool check = false;
  /// The schedules that a search from each state measures at most before its pictures, so that Search and Winner have
  /// something to show; without a device it only predicts. 0: no search.
  int trials = 0;
};

/// Writes FOLDER/PANEL_PART_STATE.png (PANEL_STATE.png for a whole panel) for each panel and state, making the folder
/// if it is missing, cut out of the window, in the window's size and language. The workbench, which draws in `host`,
/// must have a program open; its settings are changed. Parts that a state doesn't have (the banks if there are no
/// threads) are left out. With `check`, prints each defect of text on a line of stdout. Misuses of Dear ImGui are
/// always printed. Returns the exit status of the program: 0; 1 after a misuse, or if `check` finds a certain defect; 2
/// if there is no state of `states` or `beside`, or if the search fails; 74 if a picture can't be written.
int writePanelPictures(Host& host, Workbench& workbench, const PanelPictures& wanted, const std::string& folder);

}  // namespace loom::window
