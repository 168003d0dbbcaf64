#include <vector>

#include "app/panels/code/machine_panels.h"
#include "app/panels/code/machine_words.h"
#include "app/panels/code/text_panels.h"
#include "app/panels/console/panel.h"
#include "app/panels/history/panel.h"
#include "app/panels/iteration_space/panel.h"
#include "app/panels/iteration_space/words.h"
#include "app/panels/lesson/panel.h"
#include "app/panels/loop_nest/panel.h"
#include "app/panels/loop_nest/words.h"
#include "app/panels/memory/panel.h"
#include "app/panels/memory/words.h"
#include "app/panels/panel.h"
#include "app/panels/performance/panel.h"
#include "app/panels/playback/panel.h"
#include "app/panels/playback/words.h"
#include "app/panels/problems/panel.h"
#include "app/panels/step/panel.h"
#include "app/panels/thread_binding/panel.h"
#include "app/panels/thread_binding/words.h"
#include "app/window/words.h"

namespace loom::panels {
namespace {

template <typename Kind>
std::unique_ptr<Panel> make() {
  return std::make_unique<Kind>();
}

}  // namespace

std::span<const PanelEntry> panelTable() {
  namespace words = text::window;
  static const std::vector<PanelEntry> table = {
      {"lesson", words::kLesson, Dock::kLeftTop, makeLesson},
      {"history", words::kHistory, Dock::kLeftBottom, makeHistory},
      {"tvmscript", words::kTvmScript, Dock::kMiddleLeft, makeTvmScript},
      {"cuda", words::kCuda, Dock::kMiddleRight, makeCuda},
      {"loopnest", text::loop_nest::kTitle, Dock::kRight, make<LoopNestPanel>},
      {"step", words::kStep, Dock::kRight, make<StepPanel>},
      {"performance", words::kPerformance, Dock::kBottomLeft, make<PerformancePanel>},
      {"problems", words::kProblems, Dock::kBottomRight, make<ProblemsPanel>},
      {"console", words::kConsole, Dock::kBottomRight, make<ConsolePanel>},
      {"threads", text::binding::kTitle, Dock::kRight, make<ThreadBindingPanel>},
      {"memory", text::memory::kTitle, Dock::kRight, make<MemoryHierarchyPanel>},
      {"playback", text::playback::kTitle, Dock::kBottomLeft, make<PlaybackPanel>},
      {"ptx", text::machine_code::kPtx, Dock::kMiddleRight, makePtx},
      {"sass", text::machine_code::kSass, Dock::kMiddleRight, makeSass},
      // Beside the loop nest, whose selection it shows.
      {"iterations", text::iteration::kTitle, Dock::kMiddleRight, make<IterationSpacePanel>},
  };
  return table;
}

}  // namespace loom::panels
