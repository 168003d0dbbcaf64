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

/// The panel Plan: schedule steps that could be applied next to the whole program. Its section "Rules" lists the rules
/// of core/tune/rules, each of which writes schedule steps for blocks of a certain form (as in TVM's MetaSchedule). Its
/// section "To tensor cores" lists four passes (core/tune/tensorize) that together make a matrix product run on tensor
/// cores. The button of a rule or a pass applies its step lines after those of the rules or passes before it.
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
  /// Applies step lines at the state that the passes start from. The history lists the new states under `titles`.
  void apply(PanelContext& context, const std::string& lines, const document::FoldTitles& titles);
  /// Selects blocks and loops while the mouse is over a pass.
  void light(PanelContext& context, const std::vector<ir::Id>& ids);

  session::RuleSteps rules_;
  tune::TensorizeRequest request_;                       ///< what the user has chosen, such as the tile
  session::BackgroundValue<tune::Tensorization> asked_;  ///< the passes, while they are worked out on another thread
  /// The passes shown, which may still be those of an earlier state or request; nothing: none have been found yet.
  std::optional<tune::Tensorization> found_;
  /// Figures of the device for which the passes were requested; null: not known yet.
  std::shared_ptr<const Result<model::Device>> device_;
  std::uint64_t opened_ = 0;  ///< Session::opened (number of the open program) for which the passes were requested
  int node_ = -1;             ///< the state, as an index in the history, for which they were requested; −1: none
  PerformanceLane performance_;
  bool stale_ = true;  ///< whether the passes have to be requested again, whatever the state
  /// What was selected before the mouse came over a pass; nothing: it isn't over any.
  std::optional<std::vector<ir::Id>> lit_;
  bool hovered_ = false;  ///< whether the mouse is over a pass in this frame
};

}  // namespace loom::panels
