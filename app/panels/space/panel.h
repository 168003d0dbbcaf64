#pragma once

#include "app/panels/lesson/view/chapter_times.h"
#include "app/panels/panel.h"
#include "app/panels/space/guess.h"
#include "app/panels/space/view/space_model.h"

namespace loom::panels {

/// The schedules that rules make of the open program, counted: a row a decision, a button a value with the share of
/// schedules that have it. Values can be pinned; dead ones say why; a schedule can be drawn into the history. Where a
/// lesson's chapter compares configurations, their space comes first, and may be guessed in.
class SpacePanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  void follow(PanelContext& context);
  void drawHead(const PanelContext& context);
  void drawSketchChoice(PanelContext& context);
  void drawButtons(PanelContext& context);
  void drawMembership(const PanelContext& context);
  void drawOne(PanelContext& context);

  session::SpaceModel model_;
  session::ChapterTimes chapter_;
  Guess guess_;
  bool showsWaterfall_ = false;
  std::string of_;       ///< what the sketches were asked for: target, device, its figures
  Message drawProblem_;  ///< why the last draw gave nothing; empty: it gave a schedule
};

}  // namespace loom::panels
