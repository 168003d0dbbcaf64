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

inline constexpr float kMostCell = 26;    ///< the largest side of a cell, in px at 100 % scale
inline constexpr float kNumberFrom = 15;  ///< the smallest height, in px at 100 % scale, at which `cell` draws a label

/// The area that a picture is drawn in.
struct Canvas {
  ImVec2 at;              ///< upper left corner on the screen
  ImDrawList* draw;       ///< of the current window
  bool clicked, hovered;  ///< whether the user clicked the picture in this frame; whether the mouse is over it
  ImVec2 mouse;           ///< position of the mouse relative to `at`, in px

  /// Returns whether the mouse is over a rectangle, given by its corner, width and height in px from `at`.
  bool isOver(float x, float y, float w, float h) const {
    return mouse.x >= x && mouse.x < x + w && mouse.y >= y && mouse.y < y + h;
  }
};
/// Reserves an area of `width` × `height` px at the cursor, under the Dear ImGui id `id`, and returns it with the state
/// of the mouse.
Canvas canvas(const char* id, float width, float height);

/// Returns the side, in whole px, of square cells of which `columns` fit into `width` px: at least 1, and at most
/// kMostCell at the current scale.
float side(const window::Look& look, float width, std::int64_t columns);

/// Draws a cell filled with `fill`, and `label` in the colour `ink` in its middle if there is room for the label.
void cell(const Canvas& c, const window::Look& look, float x, float y, float w, float h, ImU32 fill,
          const std::string& label, ImU32 ink);

/// Draws an outline around a cell in the colour of the selection: it marks the chosen cell.
void outline(const Canvas& c, const window::Look& look, float x, float y, float w, float h);

/// Draws a frame inside a cell: it marks a block, warp or lane that accesses the clicked element.
void frame(const Canvas& c, const window::Look& look, float x, float y, float w, float h, ImU32 ink);

}  // namespace loom::panels::pictures
