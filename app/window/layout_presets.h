#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/panels/panel.h"
#include "app/text/text.h"

namespace loom::window {

/// Whether a window, measured in sizes of its font (Layouts does that), is too narrow for columns side by side or too
/// low for rows.
struct DockRoom {
  bool narrow = false, low = false;
  bool operator==(const DockRoom&) const = default;
};

/// A layout preset: how the places of panels (`panels::Dock`) share the window, and which panels are docked elsewhere
/// than their rows of panels::panelTable say.
struct Arrangement {
  /// The place of a panel, by the panel's id.
  struct Place {
    const char* panel;
    panels::Dock dock;
  };

  const char* id;           ///< stable id, by which menus and tests name the preset
  const text::Text& name;   ///< name in the menu
  const text::Text& brief;  ///< what the preset is for, as the status line says it
  /// How the window is divided, in shares from 0 to 1. `lower`: height of the lower row, of the window's height.
  /// `lowerRight`: width of the lower row's right part, of the row. `left`: width of the upper row's left column, of
  /// the row; the same in all presets, so that the lesson keeps its place. `right`: width of the upper row's right
  /// column, of what the left column leaves. Between the two columns lie two more, equally wide.
  float lower, lowerRight, left, right;
  /// The panels that are docked elsewhere than panels::panelTable says, in the order of their tabs, which come before
  /// the tabs of the panels that the table has at the same place.
  std::vector<Place> places;
};

/// Returns all layout presets, the default first.
std::span<const Arrangement> arrangements();
/// Returns the preset with that id; null if there is none.
const Arrangement* arrangementOf(std::string_view id);

/// Docks all panels of panels::panelTable as the preset says. If `room` says that the window is narrow or low, fewer
/// places lie side by side, and panels share a place as tabs. To be called within a frame, once: what the user has
/// moved is lost. `dockspace` is the id of the window's dock space, `width` and `height` its size in ImGui's units.
void dock(const Arrangement& arrangement, unsigned dockspace, float width, float height, const DockRoom& room);

}  // namespace loom::window
