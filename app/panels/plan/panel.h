#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/panel.h"
#include "app/panels/plan/performance_lane.h"
#include "app/session/background_value.h"
#include "app/session/rule_steps.h"
#include "core/model/device.h"
#include "core/tune/tensorize/passes.h"

namespace loom::panels {

/// The panel Plan: what could be done next with the whole program. Its section "Rules" has the rules of
/// core/tune/rules, and "To tensor cores" the four passes of core/tune/tensorize, as rows that can be pressed.
class PlanPanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  void follow(PanelContext& context);
  void drawPasses(PanelContext& context);
  void drawPass(PanelContext& context, int pass);
  void drawPattern(PanelContext& context);
  void drawOperands(PanelContext& context);
  void drawWarps(PanelContext& context);
  void drawLoops(PanelContext& context);
  void apply(PanelContext& context, const std::string& lines, const document::FoldTitles& titles);
  void light(PanelContext& context, const std::vector<ir::Id>& ids);

  session::RuleSteps rules_;
  tune::TensorizeRequest request_;
  session::BackgroundValue<tune::Tensorization> asked_;
  std::optional<tune::Tensorization> found_;             ///< of the state and request below, or of those before
  std::shared_ptr<const Result<model::Device>> device_;  ///< null: none is known yet
  std::uint64_t opened_ = 0;
  int node_ = -1;
  PerformanceLane performance_;
  bool stale_ = true;                       ///< what was asked for isn't of the state and request
  std::optional<std::vector<ir::Id>> lit_;  ///< what was selected before the mouse came over a pass
  bool hovered_ = false;                    ///< whether the mouse is over a pass in this frame
};

}  // namespace loom::panels
