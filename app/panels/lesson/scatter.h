#pragma once

#include "app/panels/lesson/view/chapter_times.h"
#include "app/widgets/context.h"

namespace loom::panels {

/// The configurations of a chapter as dots: measured times over predicted ones, or over the values of a decision. A
/// dot says under the mouse which schedule it is; a click makes it a branch.
class Scatter {
 public:
  /// Draws it in the width that is left. Nothing is drawn for a chapter without configurations, or one that has the
  /// reader guess them.
  void draw(PanelContext& context, const session::ChapterTimes& chapter);

 private:
  int over_ = -1;  ///< the decision that the dots are drawn over; −1: predicted times
};

}  // namespace loom::panels
