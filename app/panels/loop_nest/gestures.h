#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

#include "app/panels/loop_nest/boxes.h"
#include "app/panels/panel.h"
#include "core/tune/loop_chain.h"

namespace loom::panels {

/// A bar that is dragged: to another place or onto a neighbour, or its handle, to split it. What it would do is the
/// workbench's preview; letting go applies it where it is legal, Escape gives up.
class NestGestures {
 public:
  /// The mouse button went down on a loop's bar, or on its handle.
  void pressLoop(ir::Id loop);
  void pressHandle(ir::Id loop);
  /// Once a frame, after the bars, whose list begins at `origin`. Draws where it would go. `bars` are the state's, also
  /// where a preview's are on show: what a place means doesn't change while one drags.
  void draw(PanelContext& context, const NestBars& bars, ImVec2 origin);

  bool dragging() const { return dragging_; }
  /// The loop whose handle was clicked, not dragged, since the last call.
  ir::Id takeClickedHandle();

 private:
  enum class Kind { kNone, kMove, kSplit };

  void release(PanelContext& context);
  void propose(PanelContext& context, const std::optional<tune::StepForm>& step);
  /// Whether the bars on show are those of what is proposed.
  static bool isGhostShown(const PanelContext& context);
  void drawMove(PanelContext& context, const NestBars& bars, ImVec2 origin);
  void drawSplit(PanelContext& context, const NestBars& bars, ImVec2 origin);
  /// `said`: the extents of a proposed split; without a proposal why there is none, else empty.
  /// `refused`: what can't be done, with a place for the reason.
  void drawReason(PanelContext& context, const std::string& said, const std::string& refused) const;

  Kind kind_ = Kind::kNone;
  ir::Id loop_, clicked_;
  int node_ = -1;
  bool dragging_ = false;
  std::string lines_;  ///< previewed; empty: it would change nothing
};

/// Factors that divide the extent, without 1 and itself: what a split offers. At most the first 64.
std::vector<std::int64_t> divisorsOf(std::int64_t extent);

}  // namespace loom::panels
