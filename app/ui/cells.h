#pragma once

#include <imgui.h>

#include <cstdint>
#include <string>

namespace loom::window {
struct Look;
}

/// Pictures made of cells: grids of blocks, threads, elements or banks. Coordinates of cells are in px from the upper
/// left corner of the picture.
namespace loom::panels::pictures {

inline constexpr float kMostCell = 26;    ///< the largest side of a cell, in design px
inline constexpr float kNumberFrom = 15;  ///< the smallest side, in px, of a cell that has room for its number

/// The area that a picture is drawn in.
struct Canvas {
  ImVec2 at;         ///< upper left corner on the screen
  ImDrawList* draw;  ///< of the current window
  bool clicked, hovered;
  ImVec2 mouse;  ///< position of the mouse from `at`

  /// Returns whether the mouse is over a rectangle of the picture.
  bool isOver(float x, float y, float w, float h) const {
    return mouse.x >= x && mouse.x < x + w && mouse.y >= y && mouse.y < y + h;
  }
};
/// Reserves an area of that size (px) at the cursor, and returns it with the state of the mouse.
Canvas canvas(const char* id, float width, float height);

/// Returns the side, in px, of square cells of which `columns` fit into the width; at most kMostCell.
float side(const window::Look& look, float width, std::int64_t columns);

/// Draws a filled cell, and `label` in its middle if there is room for it.
void cell(const Canvas& c, const window::Look& look, float x, float y, float w, float h, ImU32 fill,
          const std::string& label, ImU32 ink);

/// Draws the outline of the chosen cell.
void outline(const Canvas& c, const window::Look& look, float x, float y, float w, float h);

/// Draws a frame inside a cell: it marks those that access the element under the mouse.
void frame(const Canvas& c, const window::Look& look, float x, float y, float w, float h, ImU32 ink);

}  // namespace loom::panels::pictures
