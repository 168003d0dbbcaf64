#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/widgets/context.h"
#include "core/model/advice.h"
#include "core/tune/candidate_steps.h"

namespace loom::window {
struct Look;
}
namespace loom::session {
class ShownModel;
struct Proposal;
struct Proposals;
struct StateModel;
}  // namespace loom::session

namespace loom::panels {

/// Each piece of advice with the number behind it, and the fastest step that was tried against it
/// (workbench/proposals.h) with what the model predicts and a button that applies it. While the mouse is on the button,
/// all panels show what that step would give; the advice stays that of the state.
class AdviceList {
 public:
  /// Whether what is previewed is the step of one of its buttons.
  bool previews(const PanelContext& context) const;
  /// The advice of what is shown; its steps can be applied where that is the current state's. True when some was
  /// applied: what was drawn belongs to another state then. `helps`: the primitive that would help is told in words,
  /// too, and what is busiest, and that nothing tried helps.
  bool draw(PanelContext& context, const session::ShownModel& shown, bool helps = false);
  /// The fastest of all that was tried, or that nothing is faster. As `draw`.
  bool drawFastest(PanelContext& context, const session::ShownModel& shown);
  /// Ends its preview. For a frame in which it isn't drawn.
  void leave(PanelContext& context);

 private:
  bool isOfState(const PanelContext& context, const session::ShownModel& shown) const;
  bool drawTogether(PanelContext& context, const session::ShownModel& shown);
  bool drawHelp(PanelContext& context, const session::ShownModel& shown, const model::Advice& advice, bool helps);
  bool drawProposal(PanelContext& context, const session::ShownModel& shown, const session::Proposal& proposal);
  bool drawButton(PanelContext& context, const session::Proposal& proposal);
  void follow(PanelContext& context);
  bool wasTold(int proposal);

  std::shared_ptr<const session::StateModel> model_;  ///< drawn
  std::vector<int> told_;                               ///< proposals that this frame has drawn
  std::optional<tune::CandidateStep> hovered_;          ///< of the button under the mouse, in this frame
  std::string lines_;                                   ///< previewed; empty: none
  std::optional<std::string> outside_;                  ///< what was previewed before
  float x_ = 0, y_ = 0;                                 ///< the mouse, when it came to the button
};

/// What it finds, with what that costs: "X_shared: 8-way bank conflicts: about 34.8 µs of 86.5 µs".
std::string adviceText(const window::Look& look, const model::Advice& advice);

}  // namespace loom::panels
