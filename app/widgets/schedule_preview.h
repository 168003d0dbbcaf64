#pragma once

#include <string>

#include "app/widgets/context.h"

namespace loom::panels {

/// Whole schedules of a list or a plot: the one under the mouse is previewed in all panels (session/preview.h), a
/// clicked one becomes a branch of the history. Schedules are step lines from the start.
class SchedulePreview {
 public:
  /// Notes that the mouse is over a schedule in this frame.
  void hover(const std::string& lines) { hovered_ = lines; }
  /// Previews what was hovered in this frame, or ends the preview of the frame before. To be called once a frame, after
  /// everything was drawn.
  void follow(PanelContext& context);
  /// Applies the steps to the start. The state at their end becomes current and gets `name`, if it has none yet.
  /// In the history the steps stand under `title`.
  void branch(PanelContext& context, const std::string& lines, const std::string& name, const Message& title);

 private:
  std::string hovered_;  ///< in this frame; empty: none
  std::string shown_;    ///< what is previewed; empty: nothing of ours
};

}  // namespace loom::panels
