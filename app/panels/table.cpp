#include <vector>

#include "app/panels/empty.h"
#include "app/panels/panel.h"
#include "app/text/window.h"

namespace loom::panels {

std::span<const PanelEntry> panelTable() {
  namespace words = text::window;
  static const std::vector<PanelEntry> table = {
      {"lesson", words::kLesson, Dock::kLeftTop, makeEmpty<words::kNoProgram>},
      {"history", words::kHistory, Dock::kLeftBottom, makeEmpty<words::kNoProgram>},
      {"tvmscript", words::kTvmScript, Dock::kMiddleLeft, makeEmpty<words::kNoProgram>},
      {"cuda", words::kCuda, Dock::kMiddleRight, makeEmpty<words::kNoProgram>},
      {"step", words::kStep, Dock::kRight, makeEmpty<words::kNoProgram>},
      {"performance", words::kPerformance, Dock::kBottomLeft, makeEmpty<words::kNoProgram>},
      {"problems", words::kProblems, Dock::kBottomRight, makeEmpty<words::kNoProgram>},
      {"console", words::kConsole, Dock::kBottomRight, makeEmpty<words::kNoProgram>},
  };
  return table;
}

}  // namespace loom::panels
