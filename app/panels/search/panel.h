#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/panels/panel.h"
#include "app/session/search_run.h"
#include "app/widgets/schedule_preview.h"

namespace loom::panels {

/// A search over the schedules that rules make of the open program, while it runs and afterwards: controls, two plots,
/// the fastest schedules, what each tier cost, and what candidates died of.
class SearchPanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  /// A row of the fastest schedules.
  struct Row {
    int search = 0;  ///< index in SearchState::searches
    const session::SearchedSchedule* schedule = nullptr;
    std::string what;  ///< its tile, threads and stages
  };

  void follow(PanelContext& context);
  void drawControls(PanelContext& context);
  void drawWorkersField(PanelContext& context);
  void drawStrategies(PanelContext& context);
  void drawHeadline(PanelContext& context);
  void drawPlots(PanelContext& context);
  void drawFastest(PanelContext& context);
  void choose(PanelContext& context, const session::SearchedSchedule& schedule);

  std::shared_ptr<const session::SearchState> state_;   ///< that `rows_` are of; null: no search yet
  text::Language language_ = text::Language::kEnglish;  ///< of the rows' words
  std::vector<Row> rows_;
  SchedulePreview preview_;
  std::array<int, 2> typed_{};             ///< candidates and seconds, as they stand in their fields
  bool isTyping_ = false;                  ///< whether one of the fields is being written in
  std::array<char, 1024> typedWorkers_{};  ///< commands, as they stand in their field, with a 0 behind them
  bool isTypingWorkers_ = false;
  bool showsError_ = false;  ///< whether a narrow panel shows predicted against measured
};

}  // namespace loom::panels
