#pragma once

#include <optional>
#include <string>

#include "app/panels/panel.h"
#include "app/panels/thread_binding/view/statement.h"

namespace loom::panels {

/// The part of the panel Thread binding that lists the threads that access the clicked or typed element of a buffer. It
/// only reports what the user does; the caller shows the typed element or the clicked thread.
class OwnersPart {
 public:
  /// What the user has done in this frame.
  struct Use {
    std::optional<session::BoundStatement::Element> element;  ///< the element that was typed; nothing: none
    std::optional<model::AccessingThread> owner;              ///< the thread that was clicked; nothing: none
  };
  /// Draws the part for a statement and its element (`shown.element`), `width` px wide; without an element, a sentence
  /// that asks for one. Returns what the user has done; a typed text that names no element is only marked as wrong.
  Use draw(const PanelContext& context, const session::BoundStatement& shown, float width);

 private:
  void drawField(const PanelContext& context, const session::BoundStatement& shown, Use& use);
  void drawList(const PanelContext& context, const session::BoundStatement& shown, float width, Use& use);

  std::optional<session::BoundStatement::Element> of_;  // the element that `text_` and the list are for
  std::string text_;                                    // contents of the field for an element
  bool refused_ = false;                                // whether the text names no element of the buffer
  std::size_t first_ = 0;                               // index of the first thread of the list that is shown
};

}  // namespace loom::panels
