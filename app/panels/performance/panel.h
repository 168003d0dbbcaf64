#pragma once

#include <imgui.h>

#include <span>

#include "app/panels/compare/page.h"
#include "app/panels/panel.h"
#include "app/panels/roofline/page.h"
#include "app/panels/sizes/page.h"
#include "app/panels/stalls/page.h"
#include "app/panels/step_times/page.h"
#include "app/session/shown_model.h"
#include "app/session/state_model.h"
#include "app/widgets/advice_list.h"
#include "app/widgets/shared_option.h"

namespace loom::panels {

/// A page of the panel Performance. A lesson refers to the page as `performance/ID`, with its `id` for ID.
struct PerformanceTab {
  const text::Text& name;  ///< title of the page
  const char* id;          ///< stable identifier
};
/// Returns all pages, in the order of their tabs.
std::span<const PerformanceTab> performanceTabs();

/// The panel Performance: how fast states (a state is the program after some schedule steps) are and why. Each page is
/// a folder beside this one: step_times, roofline, occupancy, instructions, stalls, compare, sizes; the page of advice
/// is a widget. The view model of these pages is performance/view/performance.h; points and axes of the page Roofline
/// are in roofline/view/roofline.h.
class PerformancePanel : public Panel {
 public:
  void draw(PanelContext& context) override;
  bool showsComparison() const override;
  void shareOptions(Panel& twin) override;

 private:
  /// Returns the model of the state to show, made from what `basis` names: the source or the machine code, say. Returns
  /// null, and draws why, if there is none, or if the state is no kernel.
  const session::StateModel* modelOrWhy(PanelContext& context, session::ModelBasis basis);

  StepTimes times_;
  Roofline roofline_;
  ComparePage compare_;
  AdviceList advice_;
  Sizes sizes_;
  Stalls stalls_;
  int shown_ = 0;    // index of the tab that is shown
  int wanted_ = -1;  // index of the tab to open in the next frames; −1: the tab stays
  ImGuiID bar_ = 0;  // ImGui id of the tab bar, which changes when the panel is drawn beside its twin
  SharedOption<int> sharedTab_;
  session::ShownModel model_;
};

}  // namespace loom::panels
