#pragma once

#include <string>

#include "app/widgets/context.h"

namespace loom::panels {

/// Preview of the whole schedules of a list or a plot. The schedule under the mouse is previewed in all panels; a
/// clicked one becomes a branch of the history. A schedule is given by its step lines, which apply to the first state.
class SchedulePreview {
 public:
  /// Notes that the mouse is over a schedule in this frame.
  void hover(const std::string& lines) { hovered_ = lines; }
  /// Previews the schedule hovered in this frame; if there is none, ends the preview that was made here. To be called
  /// once a frame, after everything was drawn.
  void follow(PanelContext& context);
  /// Applies the step lines to the first state. The state after the last step becomes current and gets the name `name`,
  /// if it has none yet. In the history, the steps are listed under `title`.
  void branch(PanelContext& context, const std::string& lines, const std::string& name, const Message& title);

 private:
  std::string hovered_;  ///< the schedule hovered in this frame; empty: none
  std::string shown_;    ///< the schedule previewed here; empty: none
};

}  // namespace loom::panels
