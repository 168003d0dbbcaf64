#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/proposals.h"
#include "app/text/text.h"
#include "app/widgets/context.h"
#include "core/model/advice.h"
#include "core/tune/candidate_steps.h"

namespace loom::window {
struct Look;
}
namespace loom::session {
class ShownModel;
struct StateModel;
}  // namespace loom::session

namespace loom::panels {

/// A list of the model's advice for a state: each piece with its cost, and below all of them the steps found against
/// them (session/proposals.h), each with the predicted time and a button that applies it. While a search runs, what it
/// finds comes below what is there, and nothing moves. While the mouse is on a button, the step is previewed in all
/// panels; the list stays that of the state.
class AdviceList {
 public:
  /// Returns whether the step that is previewed is that of one of the list's buttons.
  bool previews(const PanelContext& context) const;
  /// Draws the advice of the model that is shown. Steps can be applied only if it is the current state's. Returns true
  /// if one was applied, after which the rest of the frame belongs to another state. With `helps`, the list also says
  /// which primitive would help, what binds the kernel, how far the search is, and the fastest steps of all that were
  /// tried.
  bool draw(PanelContext& context, const session::ShownModel& shown, bool helps = false);
  /// Ends the list's preview. To be called in a frame in which the list isn't drawn.
  void leave(PanelContext& context);

 private:
  bool isOfState(const PanelContext& context, const session::ShownModel& shown) const;
  void collect(const PanelContext& context, const session::ShownModel& shown, const std::vector<model::Advice>& advice,
               bool helps);
  static std::string againstText(const window::Look& look, const model::Advice& advice);
  std::string trialText(const PanelContext& context, const model::Advice& advice) const;
  bool drawFound(PanelContext& context, const session::ShownModel& shown, bool helps);
  bool drawProposal(PanelContext& context, const session::ShownModel& shown, const session::Proposal& proposal);
  bool drawButton(PanelContext& context, const session::Proposal& proposal);
  void follow(PanelContext& context);

  struct Found {
    session::Proposal proposal;
    std::string against;  ///< a sentence; empty: it helps against no single finding
  };
  struct Of {
    std::uint64_t opened = 0;
    int node = -1;
    std::string device;
    text::Language language = text::Language::kEnglish;
    bool operator==(const Of&) const = default;
  };
  std::shared_ptr<const session::StateModel> model_;  ///< the model whose advice is drawn
  std::vector<Found> found_;                          ///< in the order in which they were found
  Of of_;                                             ///< what `found_` is for
  std::optional<tune::CandidateStep> hovered_;        ///< step of the button under the mouse, in this frame
  std::string lines_;                                 ///< lines that the list previews; empty: none
  std::optional<std::string> outside_;                ///< lines that were previewed before, to be shown again
  float x_ = 0, y_ = 0;                               ///< the mouse, when it came to the button
};

/// Draws that sentence on one line, cut where there is no room for all of it. Draws nothing without one.
void drawBinding(const window::Look& look, const std::vector<model::Advice>& advice);

/// Returns the id under which lists have the buttons of a step with these lines.
int adviceStepId(const std::string& lines);

/// Returns what binds the kernel, one sentence that all panels share (model::Binding); empty where the model has none.
std::string bindingText(const window::Look& look, const std::vector<model::Advice>& advice);

/// Returns a piece of advice as a sentence with its cost: "X_shared: 8-way bank conflicts: about 34.8 µs of 86.5 µs".
std::string adviceText(const window::Look& look, const model::Advice& advice);

}  // namespace loom::panels
