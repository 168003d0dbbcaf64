#pragma once

#include <string>
#include <vector>

#include "app/panels/lesson/view/chapter_times.h"
#include "app/panels/space/view/space_model.h"
#include "app/widgets/context.h"

namespace loom::panels {

/// A lesson's question which of a chapter's configurations is the fastest: the reader pins decisions, sees how many
/// schedules are left and what is predicted of them, and of a single one learns what was measured.
class Guess {
 public:
  /// Draws the question and what was guessed so far; nothing for a chapter that doesn't ask. `model` shows the
  /// chapter's space.
  void draw(PanelContext& context, const session::SpaceModel& model, const session::ChapterTimes& chapter);

 private:
  struct Made {
    tune::Assignment values;
    int node = 0;  ///< its state
  };
  std::string of_;  ///< the chapter that was guessed in
  std::vector<Made> made_;
};

}  // namespace loom::panels
