#include <vector>

#include "app/panels/code.h"
#include "app/panels/empty.h"
#include "app/panels/history.h"
#include "app/panels/lesson.h"
#include "app/panels/panel.h"
#include "app/text/window.h"

namespace loom::panels {

std::span<const PanelEntry> panelTable() {
  namespace words = text::window;
  static const std::vector<PanelEntry> table = {
      {"lesson", words::kLesson, Dock::kLeftTop, makeLesson},
      {"history", words::kHistory, Dock::kLeftBottom, makeHistory},
      {"tvmscript", words::kTvmScript, Dock::kMiddleLeft, makeTvmScript},
      {"cuda", words::kCuda, Dock::kMiddleRight, makeCuda},
      {"step", words::kStep, Dock::kRight, makeEmpty<words::kNoProgram>},
      {"performance", words::kPerformance, Dock::kBottomLeft, makeEmpty<words::kNoProgram>},
      {"problems", words::kProblems, Dock::kBottomRight, makeEmpty<words::kNoProgram>},
      {"console", words::kConsole, Dock::kBottomRight, makeEmpty<words::kNoProgram>},
  };
  return table;
}

}  // namespace loom::panels
