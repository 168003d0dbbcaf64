#include "app/panels/plan/lanes.h"

#include <imgui.h>

#include <algorithm>

#include "app/panels/plan/words.h"
#include "app/ui/look.h"
#include "app/ui/text.h"

namespace loom::panels {

namespace words = text::plan;
using window::Look;
using window::Tone;

namespace {

// A picture of rows × columns cells below its caption; `paint` gives a cell's colour.
template <class Paint>
void drawCells(const Look& look, const text::Text& caption, std::int64_t rows, std::int64_t columns, float cell,
               Paint paint) {
  ImGui::BeginGroup();
  ImGui::TextUnformatted(look.say(caption));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float gap = cell >= look.px(4) ? look.px(1) : 0;
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t column = 0; column < columns; ++column) {
      const ImVec2 from{at.x + float(column) * cell, at.y + float(row) * cell};
      list->AddRectFilled(from, {from.x + cell - gap, from.y + cell - gap}, paint(row, column));
    }
  ImGui::Dummy({float(columns) * cell, float(rows) * cell});
  ImGui::EndGroup();
}

}  // namespace

void drawLanes(const Look& look, const tune::ThreadTiles& before, const device::ProductTile& tile) {
  const std::int64_t rows = before.warpI, columns = before.warpJ;
  if (rows <= 0 || columns <= 0 || rows * columns > 1 << 14) return;
  std::vector<int> owner(std::size_t(rows * columns), -1);
  for (std::size_t lane = 0; lane < before.lanes.size(); ++lane)
    for (const auto& [row, column] : before.lanes[lane]) owner[std::size_t(row * columns + column)] = int(lane);
  const float room = ImGui::GetContentRegionAvail().x;
  const float gap = look.px(16);
  const float cell = std::clamp((room - gap) / 2 / float(columns), look.px(2), look.px(8));
  // Side by side where the captions have room, too.
  const bool beside = 2 * float(columns) * cell + gap <= room &&
                      (room - gap) / 2 >= std::max(ImGui::CalcTextSize(look.say(words::kBefore)).x,
                                                   ImGui::CalcTextSize(look.say(words::kAfter)).x);
  const float left = ImGui::GetCursorPosX();
  drawCells(look, words::kBefore, rows, columns, cell, [&](std::int64_t row, std::int64_t column) {
    const int lane = owner[std::size_t(row * columns + column)];
    // One lane stands out; the others have two shades in turn.
    const std::int64_t x = lane % before.warpX, y = lane / before.warpX;
    return lane == 0 ? look.paint(Tone::kThreadX) : look.paint(Tone::kThreadX, (x + y) % 2 == 0 ? 0.25F : 0.45F);
  });
  if (beside) ImGui::SameLine(left + (room + gap) / 2);
  drawCells(look, words::kAfter, rows, columns, cell, [&](std::int64_t row, std::int64_t column) {
    const std::int64_t m = tile.m > 0 ? tile.m : rows, n = tile.n > 0 ? tile.n : columns;
    const bool first = row % m == 0 && column % n == 0;
    return first ? look.paint(Tone::kTensorCore)
                 : look.paint(Tone::kTensorCore, (row / m + column / n) % 2 == 0 ? 0.35F : 0.5F);
  });
}

}  // namespace loom::panels
