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

/// A list of the performance model's advice for a state, that is, the program after some schedule steps: each piece of
/// advice with what the bottleneck costs in time, and below these the schedule steps that a search in the background
/// has found against them (session/proposals.h), each with its predicted time and a button that applies it. While the
/// search runs, further steps are added at the end, so that no button moves. While the mouse is on a button, all panels
/// preview its step; the list itself must go on showing the advice for the state without that step, so before `draw`
/// its owner passes `previews` as `held` to ShownModel::follow.
class AdviceList {
 public:
  /// Returns whether the session previews the step of a button of this list: of the one that had the mouse when the
  /// list was last drawn.
  bool previews(const PanelContext& context) const;
  /// Draws the advice of the model `shown`; while no model is ready, or machine code is still awaited, says so instead.
  /// Steps can be applied only if `shown` is the model of the current state. Returns true if the user applied a step:
  /// the session then has another current state, so the caller must not draw more of the old one. With `helps`, the
  /// list also explains which primitive would help, what binds the kernel, how far the search is, and the fastest of
  /// all steps that were tried.
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
    std::string against;  ///< a sentence on the finding that the step helps against; empty: against no single one
  };
  /// Identifies the state, the device and the language for which steps were collected.
  struct Of {
    std::uint64_t opened = 0;  ///< Session::opened of the target
    int node = -1;             ///< number of the state; −1: none
    std::string device;        ///< name of the device
    text::Language language = text::Language::kEnglish;
    bool operator==(const Of&) const = default;
  };
  std::shared_ptr<const session::StateModel> model_;  ///< the model whose advice is drawn
  std::vector<Found> found_;                          ///< in the order in which they were found
  Of of_;                                             ///< what `found_` is for
  std::optional<tune::CandidateStep> hovered_;        ///< step of the button under the mouse, in this frame
  std::string lines_;                                 ///< step lines that the list previews; empty: none
  std::optional<std::string> outside_;                ///< step lines that another panel previewed, to be shown again
  float x_ = 0, y_ = 0;                               ///< place of the mouse when it came to the button, in px
};

/// Draws what binds the kernel (`bindingText`) on one line, shortened with "…" where it doesn't fit. Draws nothing if
/// that text is empty.
void drawBinding(const window::Look& look, const std::vector<model::Advice>& advice);

/// Returns the number that the list pushes on Dear ImGui's id stack for the step with these step lines (calls of
/// schedule primitives). The button that applies the step has the label id "###apply" below it. The number is at least
/// 0.
int adviceStepId(const std::string& lines);

/// Returns a sentence on what binds the kernel, that is, which resource limits its time (model::Binding). Returns "" if
/// `advice` has no such piece.
std::string bindingText(const window::Look& look, const std::vector<model::Advice>& advice);

/// Returns a piece of advice as a sentence, with what it costs of the predicted time if that is at least 0.05 µs:
/// "X_shared: 8-way bank conflicts: about 34.8 µs of 86.5 µs". For a kind of advice (model::Advice::code) without words
/// of its own, returns the model's message in English.
std::string adviceText(const window::Look& look, const model::Advice& advice);

}  // namespace loom::panels
