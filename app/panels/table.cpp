#include <utility>
#include <vector>

#include "app/panels/barriers/panel.h"
#include "app/panels/barriers/words.h"
#include "app/panels/code/machine_panels.h"
#include "app/panels/code/machine_words.h"
#include "app/panels/code/text_panels.h"
#include "app/panels/code/words.h"
#include "app/panels/console/panel.h"
#include "app/panels/console/words.h"
#include "app/panels/history/panel.h"
#include "app/panels/history/words.h"
#include "app/panels/iteration_space/panel.h"
#include "app/panels/iteration_space/words.h"
#include "app/panels/lesson/panel.h"
#include "app/panels/lesson/words.h"
#include "app/panels/loop_nest/panel.h"
#include "app/panels/loop_nest/words.h"
#include "app/panels/memory/panel.h"
#include "app/panels/memory/words.h"
#include "app/panels/panel.h"
#include "app/panels/performance/panel.h"
#include "app/panels/performance/words.h"
#include "app/panels/plan/panel.h"
#include "app/panels/plan/words.h"
#include "app/panels/playback/panel.h"
#include "app/panels/playback/words.h"
#include "app/panels/problems/panel.h"
#include "app/panels/problems/words.h"
#include "app/panels/search/panel.h"
#include "app/panels/search/words.h"
#include "app/panels/space/panel.h"
#include "app/panels/space/words.h"
#include "app/panels/step/panel.h"
#include "app/panels/step/words.h"
#include "app/panels/thread_binding/panel.h"
#include "app/panels/thread_binding/words.h"
#include "app/panels/winner/panel.h"
#include "app/panels/winner/words.h"
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
  using Parts = document::PanelParts;
  constexpr bool kState = true, kNoState = false;
  static const std::vector<PanelEntry> table = {
      {"lesson", words::kLesson, text::lesson::kHelp, Dock::kLeftTop, makeLesson, kNoState},
      // Marks both of two states itself.
      {"history", words::kHistory, text::history::kHelp, Dock::kLeftBottom, makeHistory, kNoState},
      {"tvmscript", words::kTvmScript, text::code::kScriptHelp, Dock::kMiddleLeft, makeTvmScript, kState, Parts::kName},
      {"cuda", words::kCuda, text::code::kCudaHelp, Dock::kMiddleRight, makeCuda, kState, Parts::kName},
      {"loopnest", text::loop_nest::kTitle, text::loop_nest::kHelp, Dock::kRight, make<LoopNestPanel>, kState,
       Parts::kName},
      {"step", words::kStep, text::step::kHelp, Dock::kRight, make<StepPanel>, kNoState},
      {"performance", words::kPerformance, text::performance::kHelp, Dock::kBottomLeft, make<PerformancePanel>, kState,
       Parts::kPage},
      {"problems", words::kProblems, text::problems::kHelp, Dock::kBottomRight, make<ProblemsPanel>, kNoState},
      {"console", words::kConsole, text::console::kHelp, Dock::kBottomRight, make<ConsolePanel>, kNoState},
      {"threads", text::binding::kTitle, text::binding::kHelp, Dock::kRight, make<ThreadBindingPanel>, kState,
       Parts::kPicture},
      {"memory", text::memory::kTitle, text::memory::kHelp, Dock::kRight, make<MemoryHierarchyPanel>, kState,
       Parts::kName},
      {"playback", text::playback::kTitle, text::playback::kHelp, Dock::kBottomLeft, make<PlaybackPanel>},
      {"ptx", text::machine_code::kPtx, text::machine_code::kPtxHelp, Dock::kMiddleRight, makePtx},
      {"sass", text::machine_code::kSass, text::machine_code::kSassHelp, Dock::kMiddleRight, makeSass},
      {"barriers", text::barriers::kTitle, text::barriers::kHelp, Dock::kBottomRight, make<BarriersPanel>},
      // Where TVMScript is: what they apply is seen beside them, in the loop nest and in the kernel.
      {"plan", text::plan::kTitle, text::plan::kHelp, Dock::kMiddleLeft, make<PlanPanel>, kNoState},
      {"space", text::space::kTitle, text::space::kHelp, Dock::kMiddleLeft, make<SpacePanel>, kNoState},
      {"search", text::search::kTitle, text::search::kHelp, Dock::kMiddleLeft, make<SearchPanel>, kNoState},
      {"winner", text::winner::kTitle, text::winner::kHelp, Dock::kMiddleLeft, make<WinnerPanel>, kNoState},
      // Beside the loop nest, whose selection it shows.
      {"iterations", text::iteration::kTitle, text::iteration::kHelp, Dock::kMiddleRight, make<IterationSpacePanel>},
  };
  return table;
}

void declarePointablePanels() {
  std::vector<document::PointablePanel> panels;
  for (const PanelEntry& panel : panelTable()) panels.push_back({panel.id, panel.parts});
  document::setPointablePanels(std::move(panels));
}

}  // namespace loom::panels
