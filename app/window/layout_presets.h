#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/panels/panel.h"
#include "app/text/text.h"

namespace loom::window {

/// Whether a window, measured by the size of its font, is too narrow for columns side by side or too low for rows.
struct DockRoom {
  bool narrow = false, low = false;
  bool operator==(const DockRoom&) const = default;
};

/// A layout preset: how the places of `panels::Dock` share the window, and which panels are elsewhere than the panel
/// table says.
struct Arrangement {
  struct Place {
    const char* panel;
    panels::Dock dock;
  };

  const char* id;           ///< stable: menus and tests name it
  const text::Text& name;   ///< in the menu
  const text::Text& brief;  ///< in the status line
  /// Shares of what is left after those before: the lower row of the window, its right part, and of the upper row the
  /// left column (the same in all, as the lesson keeps its place) and the right one. The rest is halved.
  float lower, lowerRight, left, right;
  std::vector<Place> places;  ///< in the order of their tabs, before the table's
};

/// Returns all presets, the default first.
std::span<const Arrangement> arrangements();
/// Returns the preset with that id; null if there is none.
const Arrangement* arrangementOf(std::string_view id);

/// Docks all panels of the table. To be called within a frame. `dockspace` is the id of the window's dock space,
/// `width` and `height` its size in ImGui's units.
void dock(const Arrangement& arrangement, unsigned dockspace, float width, float height, const DockRoom& room);

}  // namespace loom::window
