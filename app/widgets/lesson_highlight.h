#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/panels/lesson/view/pointer_target.h"

namespace loom::window {
struct Look;
}
namespace loom::session {
class Session;
}

namespace loom::panels {

/// The thing in a panel (a loop, buffer, line of code, …) that a phrase of a lesson's text points at. The thing is
/// highlighted while the mouse is over the phrase. A click on the phrase opens the panel and outlines the thing for a
/// moment. A panel queries what to highlight with `in`, and reports the place of the thing on the screen with `mark`.
/// If no panel reports a place, or the program on show lacks the thing, the whole panel is outlined, or its tab if the
/// panel is hidden behind another; nothing is outlined if the panel is closed.
class LessonHighlight {
 public:
  /// Begins a frame. To be called once a frame, before all panels are drawn. `now` is in seconds.
  void begin(double now);

  // --- the lesson's ----------------------------------------------------------------------------------------------
  /// Highlights what a phrase points at, because the mouse is over the phrase. Panels that were drawn earlier in this
  /// frame show it in the next one.
  void hover(const document::Pointer& pointer, const session::Session& session);
  /// Opens the panel that a clicked phrase points at, outlines the thing for a moment, and selects what the phrase
  /// names.
  void open(const document::Pointer& pointer, session::Session& session);

  // --- the panels' -----------------------------------------------------------------------------------------------
  /// Returns what is highlighted in the panel with the id `panel`; null if nothing is. Valid until the next call of
  /// `begin`, `hover`, `open` or `clear`. `shown`, `movedTo` and `mark` are for a panel for which this isn't null.
  const session::PointerTarget* in(std::string_view panel) const;
  /// Returns whether the panel with the id `panel` must scroll to what is highlighted: true from the click on the
  /// phrase until the panel calls `shown`, or the outline ends.
  bool opened(std::string_view panel) const { return opening_ && place_ && place_->panel == panel; }
  /// Notes that the panel has scrolled to what is highlighted.
  void shown() { opening_ = false, stood_.reset(); }
  /// Returns by how many px the thing has moved within the scrolled content since the last call, now that it is `y` px
  /// below the content's top; 0 in the first call after `shown`. A panel scrolls by as much, so that content which
  /// appears above the thing later doesn't push it off the screen.
  float movedTo(float y) { return y - std::exchange(stood_, y).value_or(y); }
  /// Reports the rectangle of the thing in this frame, in px of the screen: `from` is the upper left corner, `to` the
  /// lower right one. The outline encloses all rectangles that are reported in one frame.
  void mark(ImVec2 from, ImVec2 to);

  // --- the window's ----------------------------------------------------------------------------------------------
  /// Returns the id of the panel that `open` has requested to bring to the front, once; nothing if there is no request.
  std::optional<std::string> takePanel();
  /// Draws the outline; to be called after all panels. Returns whether another frame is needed, because the outline is
  /// shown for a moment.
  bool draw(const window::Look& look);
  /// Ends the outline. The selection stays.
  void clear() { place_.reset(), opening_ = front_ = false, until_ = 0, frames_ = 0; }

 private:
  void light(const document::Pointer& pointer, const session::Session& session);

  std::optional<session::PointerTarget> place_;
  bool hovered_ = false, opening_ = false, front_ = false;
  double now_ = 0, until_ = 0;  ///< time of this frame, and when the outline after a click ends; in seconds
  int frames_ = 0;              ///< frames for which the outline is still drawn, even if its time is over
  bool marked_ = false;         ///< whether `mark` was called in this frame
  std::optional<float> stood_;  ///< `y` of the last call of `movedTo` since `shown`, in px; nothing: there was none
  ImVec2 from_, to_;            ///< corners of the rectangle that encloses what was marked in this frame
};

}  // namespace loom::panels
