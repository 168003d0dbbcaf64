#pragma once

#include <memory>
#include <string>

#include "app/panels/panel.h"
#include "app/session/search_run.h"
#include "app/widgets/schedule_preview.h"

namespace loom::panels {

/// Returns what the times of an explained winner are: measured, or predicted and why. Requires `state.winner`.
std::string timesNote(const window::Look& look, const session::SearchState& state);

/// The winner of the last search, explained: the path to it with the gain of each decision, what each decision is
/// worth, and what binds it.
class WinnerPanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  void drawHead(PanelContext& context);
  void drawPath(PanelContext& context);
  void drawWorth(PanelContext& context);
  void drawNeighbour(PanelContext& context, int decision, const tune::NeighbourValue* value, double winner,
                     bool isCell);
  void drawWhy(PanelContext& context);
  void branch(PanelContext& context, const tune::PathState& state);

  const tune::Sketch& sketch() const;
  /// What a state decides, by the decision's index in the space.
  std::string valueText(const window::Look& look, int decision, const tune::PathState& state) const;
  std::optional<double> timeOf(const tune::PathState& state) const;
  std::string timeTextOf(const tune::PathState& state) const;

  std::shared_ptr<const session::SearchState> state_;  ///< of this frame
  SchedulePreview preview_;
};

}  // namespace loom::panels
