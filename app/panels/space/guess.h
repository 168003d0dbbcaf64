#pragma once

#include <string>
#include <vector>

#include "app/panels/lesson/view/chapter_times.h"
#include "app/panels/space/view/space_model.h"
#include "app/widgets/context.h"

namespace loom::panels {

/// The question of a lesson which of a chapter's configurations (schedules that differ in a few decisions, such as tile
/// sizes) is the fastest. The reader pins decisions to values, sees how many schedules are left and their predicted
/// times, and once a single one is left, can guess it and see its measured time. A guess adds the schedule to the
/// history and has it measured.
class Guess {
 public:
  /// Draws the question and the guesses so far, which end with the chapter; nothing for a chapter without the question;
  /// only a sentence while the chapter's times are being made, and if they can't be. `model` has the pins on the
  /// decisions; it must show the sketch (the schedule with open decisions) that the chapter's configurations are of,
  /// its first one.
  void draw(PanelContext& context, const session::SpaceModel& model, const session::ChapterTimes& chapter);

 private:
  /// A guess of the reader.
  struct Made {
    tune::Assignment values;  ///< the values of the decisions
    int node = 0;             ///< index, in the history, of the state with this configuration
  };
  std::string of_;          ///< identifier of the chapter that the guesses are for
  std::vector<Made> made_;  ///< the guesses, in the order in which they were made
};

}  // namespace loom::panels
