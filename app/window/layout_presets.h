#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/panels/panel.h"
#include "app/text/text.h"

namespace loom::window {

/// Whether a window has too little room, for the size of its letters, for columns side by side or rows one over
/// another.
struct DockRoom {
  bool narrow = false, low = false;
  bool operator==(const DockRoom&) const = default;
};

/// A layout that the program brings along: how the places of `panels::Dock` share the window, and which panels stand
/// elsewhere than the panel table says.
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

/// The default first.
std::span<const Arrangement> arrangements();
/// Null: there is none of that id.
const Arrangement* arrangementOf(std::string_view id);

/// Docks all panels of the table. Within a frame; `dockspace` is the id of the workbench's dock space.
void dock(const Arrangement& arrangement, unsigned dockspace, float width, float height, const DockRoom& room);

}  // namespace loom::window
