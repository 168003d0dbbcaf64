#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

#include "app/panels/loop_nest/boxes.h"
#include "app/panels/loop_nest/view/stages.h"
#include "app/panels/panel.h"
#include "core/tune/loop_chain.h"

namespace loom::panels {

/// Turns drags in the loop nest into schedule steps: dragging a loop's bar before or after another loop reorders the
/// loops, dropping it onto a neighbour fuses the two, and dragging the handle at the bar's right end splits the loop.
/// The text "stage 1" on a statement of a pipelined loop can be dragged to move the statement to another pipeline
/// stage. While the user drags, the session previews the step (session::Preview). Releasing the mouse button applies
/// the step, unless it is illegal or would move a statement to a stage with which the program can't be lowered to a
/// kernel any more; Escape cancels.
class NestGestures {
 public:
  /// Notes that the mouse button went down on a loop's bar, or on the handle of the bar. The drag begins once the mouse
  /// moves.
  void pressLoop(ir::Id loop);
  void pressHandle(ir::Id loop);
  /// Notes that the mouse button went down on the text that says a statement's pipeline stage. `statement` is an index
  /// into `body.statements`.
  void pressStage(session::StagedBody body, std::size_t statement);
  /// Handles the mouse and draws where the loop, or the statement of a pipelined loop, would go. To be called once a
  /// frame, after the bars were drawn. `origin` is the upper left corner of the bars' list, in pixels of the screen.
  /// `bars` must be those of the current state, even while the bars of a preview are drawn, so that a place keeps its
  /// meaning during a drag.
  void draw(PanelContext& context, const NestBars& bars, ImVec2 origin);

  bool dragging() const { return dragging_; }
  /// Returns the loop whose handle was clicked without being dragged since the last call; an empty id if there is none.
  ir::Id takeClickedHandle();

 private:
  enum class Kind { kNone, kMove, kSplit, kStage };

  void release(PanelContext& context);
  void propose(PanelContext& context, const std::optional<tune::StepForm>& step);
  /// Returns whether the bars on the screen are those of the previewed program.
  static bool isGhostShown(const PanelContext& context);
  void drawMove(PanelContext& context, const NestBars& bars, ImVec2 origin);
  void drawSplit(PanelContext& context, const NestBars& bars, ImVec2 origin);
  void drawStages(PanelContext& context, const NestBars& bars, ImVec2 origin);
  void proposeStage(PanelContext& context, int stage);
  /// Returns why the previewed change of stage isn't offered: the step is illegal, or its result can't be lowered to a
  /// kernel although the current state can. Returns nothing if it is offered.
  static std::optional<Error> stageProblem(PanelContext& context);
  void drawStageReason(PanelContext& context, int stage) const;
  /// Draws a tooltip beside the mouse: what the drag would do, and why it is refused if it is. `said` has the extents
  /// of a split ("128 × 8"), or says why the loop can't be split; otherwise it is empty. `refused` is a phrase such as
  /// "i can't go inside j: {}", whose `{}` becomes the reason.
  void drawReason(PanelContext& context, const std::string& said, const std::string& refused) const;

  Kind kind_ = Kind::kNone;
  ir::Id loop_, clicked_;
  int node_ = -1;  ///< the state in which the drag began
  bool dragging_ = false;
  session::StagedBody body_;   ///< for kStage: the body of the pipelined loop
  std::size_t statement_ = 0;  ///< for kStage: index of the dragged statement in `body_.statements`
  int stage_ = -1;             ///< for kStage: the stage that the mouse is over; -1: none
  std::string lines_;          ///< the step lines that are previewed; empty if letting go here would change nothing
};

/// Returns the divisors of `extent` other than 1 and itself, ascending: the inner factors that a split by dragging
/// offers. At most the first 64.
std::vector<std::int64_t> divisorsOf(std::int64_t extent);

}  // namespace loom::panels
