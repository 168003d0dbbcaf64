#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/panels/panel.h"
#include "app/session/search_run.h"
#include "app/widgets/schedule_preview.h"

namespace loom::panels {

/// The panel Search: a search over the schedules that rules make of the open program, while it runs and afterwards. It
/// has controls, two plots, the fastest schedules, what each tier (model, compiler, device) cost, and why candidates
/// (schedules that the search looked at) were rejected.
class SearchPanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  /// A row of the table of the fastest schedules.
  struct Row {
    int search = 0;                                       ///< index in SearchState::searches
    const session::SearchedSchedule* schedule = nullptr;  ///< never null in `rows_`
    std::string what;  ///< text with the tile, the threads of a block and the pipeline stages of the schedule
  };

  void follow(PanelContext& context);
  void drawControls(PanelContext& context);
  void drawWorkersField(PanelContext& context);
  void drawStrategies(PanelContext& context);
  void drawHeadline(PanelContext& context);
  void drawPlots(PanelContext& context);
  void drawFastest(PanelContext& context);
  /// Adds a schedule to the history (the tree of the program's states), as a branch from the first state.
  void choose(PanelContext& context, const session::SearchedSchedule& schedule);

  /// The searches that `rows_` was made from; it owns Row::schedule. Null: no search yet.
  std::shared_ptr<const session::SearchState> state_;
  text::Language language_ = text::Language::kEnglish;  ///< the language of the text in `rows_`
  /// The fastest schedules, at most eight, the fastest first; only measured ones if there is a device.
  std::vector<Row> rows_;
  SchedulePreview preview_;
  std::array<int, 2> typed_{};             ///< numbers of candidates and of GPU seconds, as the two fields show them
  bool isTyping_ = false;                  ///< whether one of the fields is being written in
  std::array<char, 1024> typedWorkers_{};  ///< the workers' commands, as their field shows them, 0-terminated
  bool isTypingWorkers_ = false;           ///< whether the field of commands is being written in
  /// In a narrow panel, which shows one plot: whether that is the one of predicted against measured time.
  bool showsError_ = false;
};

}  // namespace loom::panels
