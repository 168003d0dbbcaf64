#pragma once

#include <optional>
#include <string>

#include "app/panels/panel.h"
#include "app/panels/thread_binding/view/statement.h"

namespace loom::panels {

/// The threads that access an element which was clicked, or typed: their names, each of which can be clicked.
class OwnersPart {
 public:
  struct Use {
    std::optional<session::BoundStatement::Element> element;  ///< that was written
    std::optional<model::AccessingThread> owner;              ///< that was clicked
  };
  /// Draws the part, `width` px wide.
  Use draw(const PanelContext& context, const session::BoundStatement& shown, float width);

 private:
  void drawField(const PanelContext& context, const session::BoundStatement& shown, Use& use);
  void drawList(const PanelContext& context, const session::BoundStatement& shown, float width, Use& use);

  std::optional<session::BoundStatement::Element> of_;  // that the text and the list are of
  std::string text_;
  bool refused_ = false;   // the text names no element
  std::size_t first_ = 0;  // of the list
};

}  // namespace loom::panels
