#include <vector>

#include "app/panels/code.h"
#include "app/panels/console.h"
#include "app/panels/history.h"
#include "app/panels/iteration_space.h"
#include "app/panels/lesson.h"
#include "app/panels/loop_nest.h"
#include "app/panels/machine_code.h"
#include "app/panels/memory_hierarchy.h"
#include "app/panels/panel.h"
#include "app/panels/performance.h"
#include "app/panels/playback.h"
#include "app/panels/problems.h"
#include "app/panels/step.h"
#include "app/panels/thread_binding.h"
#include "app/text/binding.h"
#include "app/text/iteration.h"
#include "app/text/loop_nest.h"
#include "app/text/machine_code.h"
#include "app/text/memory.h"
#include "app/text/playback.h"
#include "app/text/window.h"

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
