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
  const text::Text& brief;  ///< what it is for, in the status line
  /// How the window is divided, by shares from 0 to 1: the height of the lower row, of the window's; the width of that
  /// row's right part, of the row's; the width of the upper row's left column, of the row's, the same in all presets so
  /// that the lesson keeps its place; and that of its right column, of what the left one leaves. The middle is halved.
  float lower, lowerRight, left, right;
  /// The panels that are elsewhere, in the order of their tabs: before those that the panel table has at that place.
  std::vector<Place> places;
};

/// Returns all presets, the default first.
std::span<const Arrangement> arrangements();
/// Returns the preset with that id; null if there is none.
const Arrangement* arrangementOf(std::string_view id);

/// Docks all panels of the table as the preset says. Where `room` says that there is little, fewer places lie side by
/// side, and panels share them as tabs. To be called within a frame. `dockspace` is the id of the window's dock space,
/// `width` and `height` its size in ImGui's units.
void dock(const Arrangement& arrangement, unsigned dockspace, float width, float height, const DockRoom& room);

}  // namespace loom::window
