#pragma once

#include <imgui.h>

namespace loom::window {

inline constexpr int kTriangle = 3;
inline constexpr int kPair = 2 * kTriangle;

/// Whether six indices are a rectangle as Dear ImGui writes glyphs and bars: corners a b c, a c d, clockwise from the
/// upper left, with upright sides.
inline bool isUprightRectangle(const ImDrawIdx* i, const ImDrawVert* vertices) {
  if (i[3] != i[0] || i[4] != i[2]) return false;
  const ImVec2 a = vertices[i[0]].pos, b = vertices[i[1]].pos, c = vertices[i[2]].pos, d = vertices[i[5]].pos;
  return a.y == b.y && b.x == c.x && c.y == d.y && d.x == a.x;
}

/// Calls `take(indices, count)` for the upright rectangles (six indices) of a command and for the triangles (three)
/// that are no part of one, in their order. `vertices`: those that the indices count from.
template <typename Take>
void forEachShape(const ImDrawCmd& command, const ImDrawList& list, const ImDrawVert* vertices, const Take& take) {
  const ImDrawIdx* at = list.IdxBuffer.Data + command.IdxOffset;
  const ImDrawIdx* end = at + command.ElemCount;
  while (at < end) {
    const int count = end - at >= kPair && isUprightRectangle(at, vertices) ? kPair : kTriangle;
    take(at, count);
    at += count;
  }
}

/// Pixels of the window, counted from its upper left corner; `right` and `bottom` are the first beyond.
struct Area {
  int left = 0, top = 0, right = 0, bottom = 0;

  bool operator==(const Area&) const = default;
  bool empty() const { return left >= right || top >= bottom; }
  bool meets(const Area& o) const { return left < o.right && o.left < right && top < o.bottom && o.top < bottom; }
  Area within(const Area& o) const {
    return {left > o.left ? left : o.left, top > o.top ? top : o.top, right < o.right ? right : o.right,
            bottom < o.bottom ? bottom : o.bottom};
  }
};

/// The pixels that a command can reach, as Dear ImGui's backend for OpenGL rounds its clip rectangle.
Area areaOf(const ImDrawCmd& command, const ImDrawData& data);
/// The pixels that a shape of forEachShape can reach.
Area areaOf(const ImDrawIdx* indices, const ImDrawVert* vertices, const ImDrawData& data);
/// All pixels of a frame.
Area wholeOf(const ImDrawData& data);

}  // namespace loom::window
