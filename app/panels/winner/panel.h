#pragma once

#include <memory>
#include <string>

#include "app/panels/panel.h"
#include "app/panels/winner/account_table.h"
#include "app/panels/winner/cause_text.h"
#include "app/session/search_run.h"
#include "app/widgets/schedule_preview.h"

namespace loom::panels {

/// Returns a sentence that says whether the times of the explained winner of a search are measured, or predicted and
/// why they couldn't be measured. Requires `state.winner`.
std::string timesNote(const window::Look& look, const session::SearchState& state);

/// The panel Winner: the fastest schedule of the last search, explained. It shows what limits the schedule, the path of
/// decisions (such as tile sizes) that leads to it with the gain in time of each, and how much slower or faster it
/// would be with neighbouring values of each decision. Side by side stand the figures that account for the times of the
/// path's ends and the user's schedule, and what their warps waited for. The panel says how much slower the user's own
/// schedule is and why, and if the path can't begin at it, why not, and what limits it. The path is a sequence of
/// schedules (`tune::PathState`) up to the winner.
class WinnerPanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  void drawHead(PanelContext& context);
  void drawPath(PanelContext& context);
  void drawWorth(PanelContext& context);
  /// Draws a neighbouring value of a decision and how much slower or faster it is than the winner's, which takes
  /// `winner` µs; no text if `value` is null. If `isCell` is true, begins a column of a table.
  void drawNeighbour(PanelContext& context, int decision, const tune::NeighbourValue* value, double winner,
                     bool isCell);
  void drawWhy(PanelContext& context);
  void drawOwn(PanelContext& context);
  void drawSideBySide(PanelContext& context);
  /// Draws what limits a schedule, and what costs it most: the first advice with and without the code "busiest".
  static void drawBinds(const window::Look& look, const std::vector<model::Advice>& binds);
  /// Adds a schedule of the path to the history, as a branch from the first state.
  void branch(PanelContext& context, const tune::PathState& state);

  /// Returns the model of a kernel of the path; null if there is none (yet).
  const session::StateModel* modelOf(const document::KernelText& kernel) const;
  /// Returns what the warps of a kernel of the path waited for; null: not sampled (yet).
  const session::SampledWarps* stallsOf(const document::KernelText& kernel) const;
  /// Returns whether a gain was measured and is at least twice the noise (`sameTime`).
  bool isClear(std::optional<double> gain) const;
  /// Returns sentences that say why a kernel of the path takes another measured time than another one (becauseText);
  /// "" unless `isClear(gain)`, where `gain` is how many times as fast `after` is, or if samples or times are missing.
  /// `stands` is that of becauseText.
  std::string because(const window::Look& look, std::optional<double> gain, const ExplainedKernel& before,
                      const ExplainedKernel& after, bool stands = false) const;
  /// Returns a schedule of the path with its time and samples.
  template <typename State>
  ExplainedKernel explained(const State& state) const {
    return {{stallsOf(*state.kernel), state.measured}, modelOf(*state.kernel)};
  }
  /// Returns what `drawAccount` draws of a schedule of the path called `name`.
  AccountColumn columnOf(const std::string& name, const tune::PathState& state) const;
  /// Returns the sketch (schedule with open decisions) that the winner was made from.
  const tune::Sketch& sketch() const;
  /// Returns the value that a schedule of the path has for a decision, given by its index in the sketch, as text.
  std::string valueText(const window::Look& look, int decision, const tune::PathState& state) const;
  /// Returns the time in µs of a schedule of the path: measured if the path was, else predicted; nothing: not known.
  std::optional<double> timeOf(const tune::PathState& state) const;
  /// Returns the share by which two times of the path may differ and still be called the same.
  double sameTime() const;
  /// Returns a gain if it was measured and is beyond the noise (`sameTime`); else nothing.
  std::optional<double> measuredGain(std::optional<double> gain) const;
  /// Returns a sentence that the model doesn't explain a measured gain from one kernel to another, of which it predicts
  /// less than a quarter or the reverse; "" if it does, the gain isn't measured or is noise, or there are no models.
  std::string unexplained(const window::Look& look, std::optional<double> gain, const document::KernelText& before,
                          const document::KernelText& after) const;
  /// Returns a sentence on what the one decision that the step with this index changes gains if all others are as in
  /// the winner; "" if several change, if this is the last step, or if it wasn't measured.
  std::string elsewhere(const window::Look& look, std::size_t step) const;
  /// Returns sentences on the model's prediction for a measured winner, on the time that the search measured if that is
  /// another, on the noise of measured times, and on schedules that are as fast within it, each after a space; "" if
  /// nothing is measured.
  std::string otherTimes(const window::Look& look) const;
  /// Returns the time that `timeOf` returns as text with its unit; "–" if it isn't known.
  std::string timeTextOf(const tune::PathState& state) const;

  std::shared_ptr<const session::SearchState> state_;  ///< the search as it is in this frame; null: none yet
  SchedulePreview preview_;
};

}  // namespace loom::panels
