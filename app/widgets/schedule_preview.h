#pragma once

#include <string>

#include "app/widgets/context.h"

namespace loom::panels {

/// Preview of the whole schedules of a list or a plot. The schedule under the mouse is previewed: all panels show its
/// program. A clicked one becomes a branch of the history (the tree of the program's states). A schedule is given by
/// its step lines, one per step, which apply to the first state.
class SchedulePreview {
 public:
  /// Notes that the mouse is over the schedule with these step lines in this frame.
  void hover(const std::string& lines) { hovered_ = lines; }
  /// Previews the schedule hovered in this frame; if there is none, ends the preview that was made here. To be called
  /// once a frame, after everything was drawn.
  void follow(PanelContext& context);
  /// Applies the step lines to the first state; to be called when a schedule is clicked. The state after the last step
  /// becomes current and gets the name `name`, if it has none yet. In the history, the steps are listed under `title`.
  /// If a line is refused, the lines before it stay applied, and the panel Problems lists the refusal.
  void branch(PanelContext& context, const std::string& lines, const std::string& name, const Message& title);

 private:
  std::string hovered_;  ///< step lines of the schedule hovered in this frame; empty: none
  std::string shown_;    ///< step lines of the schedule previewed here; empty: none
};

}  // namespace loom::panels
