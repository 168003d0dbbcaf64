#pragma once

#include <memory>
#include <span>

#include "app/text/help.h"
#include "app/widgets/context.h"
#include "core/document/pointer.h"

namespace loom::panels {

/// The contents of one dockable panel. A panel object holds mostly how the user has set the panel up; what is known of
/// the program is read from the session (PanelContext). A state is the program after some steps of its schedule; the
/// user can compare two.
class Panel {
 public:
  virtual ~Panel() = default;
  /// Draws the panel into the current window; the caller has called ImGui::Begin and will call End. Must not wait.
  virtual void draw(PanelContext& context) = 0;
  /// Does ahead of time, between two frames, the slow work that the first `draw` would otherwise do.
  virtual void warm() {}
  /// Returns whether the panel, as it is now, shows both states of a comparison by itself. If not, the window draws a
  /// second panel of this kind, the twin, beside it; PanelContext says which state a panel draws.
  virtual bool showsComparison() const { return false; }
  /// Copies display options between this panel and its twin: what the user has changed in either then holds for both.
  /// Called once per frame, on one of the two, before both are drawn.
  virtual void shareOptions(Panel& /*twin*/) {}
};

/// The place of a panel in the default layout of the window.
enum class Dock { kLeftTop, kLeftBottom, kMiddleLeft, kMiddleRight, kRight, kBottomLeft, kBottomRight };

/// An entry of the table of panels, which describes one kind of panel.
struct PanelEntry {
  const char* id;                    ///< identifier by which layouts, lessons and tests name the panel; never changes
  const text::Text& title;           ///< title on the panel's tab
  const text::PanelHelp& help;       ///< help shown by the panel's button "?"
  Dock dock;                         ///< where the panel is in the default layout
  std::unique_ptr<Panel> (*make)();  ///< makes a panel of this kind
  /// Whether the panel shows one state of the program. If so, a strip at its foot names both states while two are
  /// compared.
  bool showsState = true;
  document::PanelParts parts = document::PanelParts::kNothing;  ///< what a lesson can point at in the panel
};

/// Returns all panels, in the order of their tabs. Ctrl+1 to Ctrl+9 show the first nine.
std::span<const PanelEntry> panelTable();

/// Tells the code that reads lessons which panels, and which of their parts, a lesson can point at
/// (`document::setPointablePanels`). To be called once, when the program starts.
void declarePointablePanels();

}  // namespace loom::panels
