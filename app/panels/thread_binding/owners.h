#pragma once

#include <optional>
#include <string>

#include "app/panels/panel.h"
#include "app/panels/thread_binding/view/statement.h"

namespace loom::panels {

/// Who touches an element that was clicked or written: their names, each a click away.
class OwnersPart {
 public:
  struct Use {
    std::optional<session::BoundStatement::Element> element;  ///< that was written
    std::optional<model::AccessingThread> owner;                ///< that was clicked
  };
  /// Into the room `width`.
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
