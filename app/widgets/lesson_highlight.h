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

/// What a lesson points at: lit while the mouse is over its phrase, and outlined for a moment once the phrase is
/// clicked and its panel opened. A panel asks what is lit in it (`in`) and says where that stands (`mark`); what no
/// panel marks is outlined as a whole, or its tab where it is behind another.
class LessonHighlight {
 public:
  /// To be called once a frame, before all panels.
  void begin(double now);

  // --- the lesson's ----------------------------------------------------------------------------------------------
  void hover(const document::Pointer& pointer, const session::Session& session);
  /// Selects what it names, too.
  void open(const document::Pointer& pointer, session::Session& session);

  // --- the panels' -----------------------------------------------------------------------------------------------
  /// Null unless something in the panel, or the panel itself, is lit.
  const session::PointerTarget* in(std::string_view panel) const;
  /// Whether what is lit is to be brought into view; it stays so until `shown`.
  bool opened(std::string_view panel) const { return opening_ && place_ && place_->panel == panel; }
  void shown() { opening_ = false, stood_.reset(); }
  /// How far what was brought into view has moved in the content that scrolls, where it stands at `y` in this frame:
  /// what is above it may come later than it, and is to push it off the screen no more. 0 when it is called first.
  float movedTo(float y) { return y - std::exchange(stood_, y).value_or(y); }
  /// Where it stands on the screen, in this frame. Of several places, all together.
  void mark(ImVec2 from, ImVec2 to);

  // --- the window's ----------------------------------------------------------------------------------------------
  /// The panel to be brought to the front, once.
  std::optional<std::string> takePanel();
  /// Draws the outline; to be called after all panels. Returns true while an outline lasts that a click began: another
  /// frame is needed then.
  bool draw(const window::Look& look);
  /// Ends what was opened. What it selected stays so.
  void clear() { place_.reset(), opening_ = front_ = false, until_ = 0; }

 private:
  void light(const document::Pointer& pointer, const session::Session& session);

  std::optional<session::PointerTarget> place_;
  bool hovered_ = false, opening_ = false, front_ = false;
  double now_ = 0, until_ = 0;  ///< of the outline after a click
  bool marked_ = false;
  std::optional<float> stood_;
  ImVec2 from_, to_;
};

}  // namespace loom::panels
