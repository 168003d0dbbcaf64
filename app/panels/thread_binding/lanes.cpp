#include "app/panels/thread_binding/lanes.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/ui/axis_chip.h"
#include "app/ui/cells.h"
#include "app/ui/look.h"
#include "app/ui/text.h"

namespace loom::panels::pictures {

using window::Look;
using window::Tone;

namespace {

// What names lanes in a cell, the fullest first: "0–7", "0, 16", "0, 8, …, 56", "0, …".
std::vector<std::string> laneLabels(const std::vector<int>& lanes) {
  if (lanes.empty()) return {};
  if (lanes.size() == 1) return {std::to_string(lanes.front())};
  bool run = true;
  for (std::size_t i = 1; i < lanes.size(); ++i) run = run && lanes[i] == lanes[i - 1] + 1;
  if (run) return {fmt::format("{}–{}", lanes.front(), lanes.back())};
  std::vector<std::string> labels;
  if (lanes.size() <= 4) labels.push_back(fmt::format("{}", fmt::join(lanes, ", ")));
  if (lanes.size() > 3) labels.push_back(fmt::format("{}, {}, …, {}", lanes[0], lanes[1], lanes.back()));
  labels.push_back(fmt::format("{}, …", lanes.front()));
  return labels;
}

float labelWidth(const Look& look, const std::string& label) {
  return look.fonts.code->CalcTextSizeA(look.px(window::kUnitSize), FLT_MAX, 0, label.c_str()).x + look.px(6);
}

// The fullest that a cell of that width holds.
std::string laneLabel(const Look& look, const std::vector<int>& lanes, float width) {
  const std::vector<std::string> labels = laneLabels(lanes);
  for (const std::string& label : labels)
    if (labelWidth(look, label) <= width) return label;
  return labels.empty() ? "" : labels.back();
}

// What all cells need to name their lanes in full, up to `most`; at least `least`.
float cellWidth(const Look& look, const std::vector<std::vector<int>>& cells, float least, float most) {
  float width = least;
  for (const std::vector<int>& lanes : cells) {
    if (width >= most) break;
    if (lanes.size() > 1) width = std::max(width, labelWidth(look, laneLabels(lanes).front()));
  }
  return std::min(width, most);
}

bool holds(const std::vector<int>& lanes, int lane) {
  return std::find(lanes.begin(), lanes.end(), lane) != lanes.end();
}

}  // namespace

std::optional<int> lanes(const Look& look, const char* id, std::uint32_t active, int chosen, std::uint32_t framed,
                         float width) {
  const float s = side(look, width, 8);
  const Canvas c = canvas(id, s * 8, s * 4);
  for (int lane = 0; lane < layout::kLanes; ++lane) {
    const bool lit = (active >> lane & 1) != 0;
    const bool mine = lane == chosen;
    cell(c, look, float(lane % 8) * s, float(lane / 8) * s, s, s,
         lit ? look.paint(Tone::kThreadX, mine ? 1.0F : 0.45F) : look.paint(Tone::kHovered), std::to_string(lane),
         lit && mine ? inkOn(look, Tone::kThreadX) : look.paint(lit ? Tone::kText : Tone::kTextFaint));
    if ((framed >> lane & 1) != 0)
      frame(c, look, float(lane % 8) * s, float(lane / 8) * s, s, s,
            mine ? inkOn(look, Tone::kThreadX) : look.paint(Tone::kText));
  }
  outline(c, look, float(chosen % 8) * s, float(chosen / 8) * s, s, s);
  if (!c.clicked) return std::nullopt;
  return std::clamp(int(c.mouse.y / s) * 8 + int(c.mouse.x / s), 0, layout::kLanes - 1);
}

namespace {

// What has one colour in a picture, in cells.
struct Coloured {
  ImU32 colour;
  int left, top, right, bottom;

  void take(int column, int end, int row) {
    left = std::min(left, column), right = std::max(right, end);
    top = std::min(top, row), bottom = std::max(bottom, row + 1);
  }
};

// Again what is too small to be seen, as a mark around its place: the larger first.
void markSmall(const Look& look, const Canvas& c, ImVec2 cell, ImVec2 size, std::vector<Coloured> all) {
  constexpr std::size_t kMost = 3;  // colours; a picture of more shows how often, and each that is touched once, too
  if (all.size() > kMost) return;
  auto area = [](const Coloured& one) { return (one.right - one.left) * (one.bottom - one.top); };
  std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return area(a) > area(b); });
  float least = look.px(3 + 2 * float(all.size() - 1));
  for (const Coloured& one : all) {
    const float width = float(one.right - one.left) * cell.x, height = float(one.bottom - one.top) * cell.y;
    const ImVec2 wanted{std::max(width, least), std::max(height, least)};
    const ImVec2 at{std::clamp(float(one.left) * cell.x, 0.0F, std::max(0.0F, size.x - wanted.x)),
                    std::clamp(float(one.top) * cell.y, 0.0F, std::max(0.0F, size.y - wanted.y))};
    if (width < least || height < least)
      c.draw->AddRectFilled({c.at.x + at.x, c.at.y + at.y}, {c.at.x + at.x + wanted.x, c.at.y + at.y + wanted.y},
                            one.colour);
    least -= look.px(2);
  }
}

// Of a cell: the shape of what it stands for, as far as it can be seen.
template <typename Picture>
ImVec2 cellSize(const Look& look, const Picture& picture, float width) {
  const auto rows = float(picture.rows), columns = float(picture.columns);
  const float high = rows * float(picture.cellRows), wide = columns * float(picture.cellColumns);
  const float element = width / std::max(high, wide);
  const float most = look.px(kMostCell), least = look.px(6);
  auto side = [&](float elements, float cells) {
    return std::max({1.0F, least / cells, std::min(element * elements, most)});
  };
  return {side(float(picture.cellColumns), columns), side(float(picture.cellRows), rows)};
}

// A buffer drawn small. Runs of cells of one colour are one rectangle; 0 leaves the ground. `tip` says more of the cell
// under the mouse.
template <typename Picture, typename Colour, typename Tip>
std::optional<std::pair<std::int64_t, std::int64_t>> drawCells(const Look& look, const char* id, const Picture& picture,
                                                               const std::optional<Element>& chosen, float width,
                                                               Colour colourAt, Tip tip) {
  if (picture.columns == 0) return std::nullopt;
  const ImVec2 s = cellSize(look, picture, width);
  const ImVec2 size{s.x * float(picture.columns), s.y * float(picture.rows)};
  const Canvas c = canvas(id, size.x, size.y);
  c.draw->AddRectFilled(c.at, {c.at.x + size.x, c.at.y + size.y}, look.paint(Tone::kStrip));
  // Below the cells: a row or a column of them may be a pixel wide.
  c.draw->AddRect(c.at, {c.at.x + size.x, c.at.y + size.y}, look.paint(Tone::kLine));
  std::vector<Coloured> coloured;
  for (int r = 0; r < picture.rows; ++r) {
    for (int k = 0; k < picture.columns;) {
      const ImU32 colour = colourAt(r, k);
      int end = k + 1;
      while (end < picture.columns && colourAt(r, end) == colour) ++end;
      if (colour != 0) {
        c.draw->AddRectFilled({c.at.x + float(k) * s.x, c.at.y + float(r) * s.y},
                              {c.at.x + float(end) * s.x, c.at.y + float(r + 1) * s.y}, colour);
        const auto same =
            std::find_if(coloured.begin(), coloured.end(), [&](auto& one) { return one.colour == colour; });
        if (same == coloured.end())
          coloured.push_back({colour, k, r, end, r + 1});
        else
          same->take(k, end, r);
      }
      k = end;
    }
  }
  if (!coloured.empty()) markSmall(look, c, s, size, std::move(coloured));
  if (std::min(s.x, s.y) >= look.px(12)) {  // where they have room for it, cells can be counted
    const ImU32 line = look.paint(Tone::kStrip);
    for (int k = 1; k < picture.columns; ++k)
      c.draw->AddLine({c.at.x + float(k) * s.x, c.at.y}, {c.at.x + float(k) * s.x, c.at.y + size.y}, line);
    for (int r = 1; r < picture.rows; ++r)
      c.draw->AddLine({c.at.x, c.at.y + float(r) * s.y}, {c.at.x + size.x, c.at.y + float(r) * s.y}, line);
  }
  if (chosen) {  // seen also where a cell is a point
    const ImVec2 most{std::max(s.x, look.px(4)), std::max(s.y, look.px(4))};
    outline(c, look, float(chosen->second / picture.cellColumns) * s.x - (most.x - s.x) / 2,
            float(chosen->first / picture.cellRows) * s.y - (most.y - s.y) / 2, most.x, most.y);
  }
  const int row = std::clamp(int(c.mouse.y / s.y), 0, picture.rows - 1);
  const int column = std::clamp(int(c.mouse.x / s.x), 0, picture.columns - 1);
  const std::pair<std::int64_t, std::int64_t> first{row * picture.cellRows, column * picture.cellColumns};
  if (c.hovered) showTip(look, fmt::format("[{}, {}]{}", first.first, first.second, tip(row, column)));
  if (!c.clicked) return std::nullopt;
  return first;
}

}  // namespace

unsigned touchedColour(const Look& look, session::TouchedPicture::Level level) {
  switch (level) {
    case session::TouchedPicture::kNone: break;
    case session::TouchedPicture::kBlock: return look.paint(Tone::kBlock, 0.45F);
    case session::TouchedPicture::kWarp: return look.paint(Tone::kThreadY);
    case session::TouchedPicture::kLane: return look.paint(Tone::kThreadX);
  }
  return 0;
}

std::optional<std::pair<std::int64_t, std::int64_t>> touched(const Look& look, const char* id,
                                                             const session::TouchedPicture& picture,
                                                             const std::optional<Element>& chosen, float width) {
  using Picture = session::TouchedPicture;
  ImU32 colours[4];
  for (const auto level : {Picture::kNone, Picture::kBlock, Picture::kWarp, Picture::kLane})
    colours[level] = touchedColour(look, level);
  return drawCells(
      look, id, picture, chosen, width,
      [&](int row, int column) { return colours[picture.levels[std::size_t(row * picture.columns + column)]]; },
      [](int, int) { return std::string(); });
}

std::optional<std::pair<std::int64_t, std::int64_t>> heat(const Look& look, const char* id,
                                                          const session::TouchView& view, Tone tone,
                                                          const std::optional<Element>& chosen, float width) {
  constexpr float kLeast = 0.2F;  // of the hue: touched once is seen, too
  const double most = std::max(1.0, double(view.counts.most));
  return drawCells(
      look, id, view.heat, chosen, width,
      [&](int row, int column) {
        const double mean = view.heat.at(row, column).mean;
        return mean > 0 ? look.paint(tone, kLeast + (1 - kLeast) * float(mean / most)) : 0;
      },
      [&](int row, int column) {
        const session::TouchHeatmap::Cell& here = view.heat.at(row, column);
        return here.least == here.most ? fmt::format("  × {}", here.most)
                                       : fmt::format("  × {} … {}", here.least, here.most);
      });
}

std::optional<int> laneElements(const Look& look, const char* id, const session::LanePicture& picture, int chosen,
                                float width) {
  if (picture.rows.empty()) return std::nullopt;
  const float label = look.px(44), head = look.px(14);
  const float w = std::clamp((width - label) / float(picture.columns.size()), look.px(6),
                             cellWidth(look, picture.lanes, look.px(40), look.px(96)));
  const float h = look.px(18);
  const Canvas c = canvas(id, label + w * float(picture.columns.size()), head + h * float(picture.rows.size()));
  const ImU32 faint = look.paint(Tone::kTextFaint);
  const float small = look.px(window::kUnitSize - 1);
  const auto wide = [&](auto column) {
    return look.fonts.code->CalcTextSizeA(small, FLT_MAX, 0, std::to_string(column).c_str()).x;
  };
  // Those that would run into each other or over the edge are left out, so that the others stand equally far apart.
  std::size_t every = 1;
  while (float(every) * w < wide(picture.columns.back()) + look.px(4)) every *= 2;
  for (std::size_t k = 0; k < picture.columns.size(); k += every) {
    const float x = label + float(k) * w;
    if (x + wide(picture.columns[k]) > label + w * float(picture.columns.size())) break;
    c.draw->AddText(look.fonts.code, small, {c.at.x + x + 1, c.at.y}, faint,
                    std::to_string(picture.columns[k]).c_str());
  }
  std::optional<int> clicked;
  for (std::size_t r = 0; r < picture.rows.size(); ++r) {
    const float y = head + float(r) * h;
    c.draw->AddText(look.fonts.code, small, {c.at.x, c.at.y + y + (h - small) / 2}, faint,
                    std::to_string(picture.rows[r]).c_str());
    for (std::size_t k = 0; k < picture.columns.size(); ++k) {
      const auto& here = picture.lanes[r * picture.columns.size() + k];
      if (here.empty()) continue;
      const bool mine = holds(here, chosen);
      cell(c, look, label + float(k) * w, y, w, h, look.paint(Tone::kThreadX, mine ? 1.0F : 0.4F),
           laneLabel(look, here, w), mine ? inkOn(look, Tone::kThreadX) : look.paint(Tone::kText));
      if (c.clicked && c.mouse.y >= y && c.mouse.y < y + h && c.mouse.x >= label + float(k) * w &&
          c.mouse.x < label + float(k + 1) * w) {
        clicked = here.front();
      }
    }
  }
  return clicked;
}

int sectors(const Look& look, const char* id, const session::RequestPicture& request, int chosen, float width) {
  constexpr std::size_t kMostLines = 16;
  const std::size_t shown = std::min(request.lines.size(), kMostLines);
  const float label = look.px(64);
  std::vector<std::vector<int>> cells;
  for (std::size_t i = 0; i < shown; ++i)
    cells.insert(cells.end(), request.lines[i].sectors.begin(), request.lines[i].sectors.end());
  const float w = std::clamp((width - label) / 4, look.px(20), cellWidth(look, cells, look.px(56), look.px(110)));
  const float h = look.px(18);
  const Canvas c = canvas(id, label + 4 * w, h * float(shown));
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& line = request.lines[i];
    c.draw->AddText(look.fonts.code, look.px(window::kUnitSize - 1), {c.at.x, c.at.y + float(i) * h + 3},
                    look.paint(Tone::kTextFaint), fmt::format("{:#x}", line.offset).c_str());
    for (std::size_t k = 0; k < 4; ++k) {
      const auto& here = line.sectors[k];
      const bool mine = holds(here, chosen);
      cell(c, look, label + float(k) * w, float(i) * h, w, h,
           here.empty() ? look.paint(Tone::kStrip) : look.paint(Tone::kGlobal, mine ? 1.0F : 0.6F),
           laneLabel(look, here, w), mine ? inkOn(look, Tone::kGlobal) : look.paint(Tone::kText));
      if (mine) outline(c, look, label + float(k) * w, float(i) * h, w - 1, h - 1);
    }
  }
  return int(request.lines.size() - shown);
}

}  // namespace loom::panels::pictures
