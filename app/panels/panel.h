#pragma once

#include <memory>
#include <span>

#include "app/text/help.h"
#include "app/widgets/context.h"
#include "core/document/pointer.h"

namespace loom::panels {

/// The contents of one dockable panel. A panel object holds only how the user has set the panel up; everything about
/// the program is read from the session (PanelContext).
class Panel {
 public:
  virtual ~Panel() = default;
  /// Draws the panel into the current window; the caller has called ImGui::Begin and will call End. Must not wait.
  virtual void draw(PanelContext& context) = 0;
  /// Does ahead of time, between two frames, the slow work that the first `draw` would otherwise do.
  virtual void warm() {}
  /// Returns whether the panel, as it is now, shows both states of a comparison by itself. If not, the window draws it
  /// twice.
  virtual bool showsComparison() const { return false; }
  /// Copies display options between this panel and its twin, the panel of the same kind that draws the other state of a
  /// comparison: what the user has changed in either then holds for both. Called once per frame, before both are drawn.
  virtual void shareOptions(Panel& /*twin*/) {}
};

/// The place of a panel in the default layout.
enum class Dock { kLeftTop, kLeftBottom, kMiddleLeft, kMiddleRight, kRight, kBottomLeft, kBottomRight };

/// A row of the panel table: all that the program knows of a panel beside what the panel itself does.
struct PanelEntry {
  const char* id;               ///< stable: layouts, lessons and tests name the panel by it
  const text::Text& title;      ///< on its tab
  const text::PanelHelp& help;  ///< behind its "?"
  Dock dock;
  std::unique_ptr<Panel> (*make)();
  /// Whether the panel shows one state of the program. While two are compared, a strip at its foot then names both.
  bool showsState = true;
  document::PanelParts parts = document::PanelParts::kNothing;  ///< what a lesson can point at in it
};

/// Returns all panels, in the order of their tabs and of Ctrl+1, Ctrl+2, …
std::span<const PanelEntry> panelTable();

/// Tells the readers of lessons which panels there are (`document::setPointablePanels`). To be called once, when the
/// program starts.
void declarePointablePanels();

}  // namespace loom::panels
