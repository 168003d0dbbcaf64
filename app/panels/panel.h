#pragma once

#include <memory>
#include <span>

#include "app/text/text.h"
#include "app/widgets/context.h"

namespace loom::panels {

/// The contents of one dockable panel, drawn between ImGui::Begin and End. Keeps what the user set in it; whatever
/// belongs to the program lives in the document.
class Panel {
 public:
  virtual ~Panel() = default;
  virtual void draw(PanelContext& context) = 0;
  /// Does once what its first drawing would have to wait for. Between two frames; tests of other panels leave it out.
  virtual void warm() {}
  /// While two states are compared: whether what it shows now is of both anyway.
  virtual bool showsComparison() const { return false; }
  /// The panel of the same kind that draws the other state beside this one, before both are drawn: what the user has
  /// chosen in one since, how things are shown, holds for both.
  virtual void meet(Panel& /*twin*/) {}
};

/// Where a panel stands in the default layout.
enum class Dock { kLeftTop, kLeftBottom, kMiddleLeft, kMiddleRight, kRight, kBottomLeft, kBottomRight };

/// A row of the panel table.
struct PanelEntry {
  const char* id;           ///< stable: layouts and tests name the panel by it
  const text::Text& title;  ///< on its tab
  Dock dock;
  std::unique_ptr<Panel> (*make)();
};

/// All panels, in the order of their tabs and of Ctrl+1, Ctrl+2, …
std::span<const PanelEntry> panelTable();

}  // namespace loom::panels
