#pragma once

#include "app/panels/lesson/view/chapter_times.h"
#include "app/widgets/context.h"

namespace loom::panels {

/// A scatter plot of the configurations of a lesson's chapter: schedules made from the same step lines, which leave
/// open some decisions, such as tile sizes. Each dot is a schedule whose kernel was measured; its y is the measured
/// time in µs, on a logarithmic scale. Its x is, as the user chooses, the predicted time in µs, also on a logarithmic
/// scale (schedules without a prediction are left out), or the value of a decision of the schedule. A dot's tooltip
/// names the schedule; a click on a dot applies its steps to the unscheduled program, as a new branch of the history.
class Scatter {
 public:
  /// Draws the plot in the available width, or a sentence that says why there is none, for instance an error. Below the
  /// plot are the fastest schedule and, if times were predicted, the one predicted to be the fastest. Draws nothing for
  /// a chapter without configurations, and for one that asks the reader to guess the fastest.
  void draw(PanelContext& context, const session::ChapterTimes& chapter);

 private:
  int over_ = -1;  ///< index of the decision whose values are on the x axis; −1: the predicted time is
};

}  // namespace loom::panels
