#pragma once

#include <imgui.h>

#include <cstdint>
#include <string>

namespace loom::window {
struct Look;
}

/// What pictures of cells are made of.
namespace loom::panels::pictures {

inline constexpr float kMostCell = 26;    ///< design px of a cell that is larger than it need be
inline constexpr float kNumberFrom = 15;  ///< px of a cell from which its number is written

/// The ground of a picture: takes room at the cursor, finds the mouse.
struct Canvas {
  ImVec2 at;
  ImDrawList* draw;
  bool clicked, hovered;
  ImVec2 mouse;  ///< from `at`

  bool isOver(float x, float y, float w, float h) const {
    return mouse.x >= x && mouse.x < x + w && mouse.y >= y && mouse.y < y + h;
  }
};
Canvas canvas(const char* id, float width, float height);

/// The side of square cells, `columns` of them across the width.
float side(const window::Look& look, float width, std::int64_t columns);

/// A filled cell with a label in its middle, where it has room for that. Places are counted from the canvas' corner.
void cell(const Canvas& c, const window::Look& look, float x, float y, float w, float h, ImU32 fill,
          const std::string& label, ImU32 ink);

/// The outline of what is chosen.
void outline(const Canvas& c, const window::Look& look, float x, float y, float w, float h);

/// A frame within a cell: who touches the element that was asked about.
void frame(const Canvas& c, const window::Look& look, float x, float y, float w, float h, ImU32 ink);

}  // namespace loom::panels::pictures
