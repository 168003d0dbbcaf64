#pragma once

#include "app/panels/lesson/view/chapter_times.h"
#include "app/panels/panel.h"
#include "app/panels/space/guess.h"
#include "app/panels/space/view/space_model.h"

namespace loom::panels {

/// The panel Space: the schedules that rules make of the open program, counted. A rule writes schedule steps for blocks
/// of a certain form, and leaves decisions open. It has a row for each decision (a tile size, say), with a button for
/// each value that shows the share of schedules with it. The user can pin decisions to values, learn why a value is
/// left without schedules, and have a schedule drawn at random and added to the history. If a lesson's chapter compares
/// configurations (some schedules), the space of these stands before the rules' sketches in the list of spaces and is
/// the one that is chosen at first; the panel may then ask the reader to guess the fastest.
class SpacePanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  void follow(PanelContext& context);
  void drawHead(const PanelContext& context);
  void drawSketchChoice(PanelContext& context);
  void drawButtons(PanelContext& context);
  // Draws a line that says whether the user's schedule is one of the space.
  void drawMembership(const PanelContext& context);
  // Adds a random schedule to the history, or sets `drawProblem_`.
  void drawOne(PanelContext& context);

  session::SpaceModel model_;
  session::ChapterTimes chapter_;
  Guess guess_;
  bool showsWaterfall_ = false;  ///< whether the rows of constraints are open
  std::string of_;               ///< key of what `model_` was made for: program, device and its figures, chapter
  Message drawProblem_;          ///< why the last random draw gave no schedule; empty: it gave one
};

}  // namespace loom::panels
