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

/// A list of the model's advice for a state: each piece with its cost, and the fastest step found against it
/// (session/proposals.h) with the predicted time and a button that applies it. While the mouse is on the button, the
/// step is previewed in all panels; the list stays that of the state.
class AdviceList {
 public:
  /// Returns whether the step that is previewed is that of one of the list's buttons.
  bool previews(const PanelContext& context) const;
  /// Draws the advice of the model that is shown. Steps can be applied only if it is the current state's. Returns true
  /// if one was applied, after which the rest of the frame belongs to another state. With `helps`, the list also says
  /// which primitive would help, which pipe is the busiest, and when no step that was tried helps.
  bool draw(PanelContext& context, const session::ShownModel& shown, bool helps = false);
  /// Draws the fastest step of all that were tried, or says that none is faster. Returns as `draw` does.
  bool drawFastest(PanelContext& context, const session::ShownModel& shown);
  /// Ends the list's preview. To be called in a frame in which the list isn't drawn.
  void leave(PanelContext& context);

 private:
  bool isOfState(const PanelContext& context, const session::ShownModel& shown) const;
  bool isHelped(const PanelContext& context, const session::ShownModel& shown, const model::Advice& advice) const;
  bool drawTogether(PanelContext& context, const session::ShownModel& shown);
  bool drawHelp(PanelContext& context, const session::ShownModel& shown, const model::Advice& advice, bool helps);
  bool drawProposal(PanelContext& context, const session::ShownModel& shown, const session::Proposal& proposal);
  bool drawButton(PanelContext& context, const session::Proposal& proposal);
  void follow(PanelContext& context);
  bool wasTold(int proposal);

  std::shared_ptr<const session::StateModel> model_;  ///< the model whose advice is drawn
  std::vector<int> told_;                             ///< proposals that this frame has drawn
  std::optional<tune::CandidateStep> hovered_;        ///< step of the button under the mouse, in this frame
  std::string lines_;                                 ///< lines that the list previews; empty: none
  std::optional<std::string> outside_;                ///< lines that were previewed before, to be shown again
  float x_ = 0, y_ = 0;                               ///< the mouse, when it came to the button
};

/// Returns a piece of advice as a sentence with its cost: "X_shared: 8-way bank conflicts: about 34.8 µs of 86.5 µs".
std::string adviceText(const window::Look& look, const model::Advice& advice);

}  // namespace loom::panels
