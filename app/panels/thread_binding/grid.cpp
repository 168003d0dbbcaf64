#include "app/panels/thread_binding/grid.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/panels/thread_binding/tiles.h"
#include "app/panels/thread_binding/words.h"
#include "app/ui/axis_chip.h"
#include "app/ui/cells.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"

namespace loom::panels::pictures {

namespace words = text::binding;
using window::Look;
using window::Tone;

namespace {

constexpr std::int64_t kMostCells = 4096;
constexpr std::int64_t kFold = 8;   // columns
constexpr std::int64_t kTall = 16;  // cells: a column of more has no room in a panel
constexpr float kHighest = 4;       // of the width: what is higher is drawn as an area
constexpr std::size_t kMostLookedAt = 1 << 20;
constexpr float kTold = 3;     // design px of a cell that is drawn by itself
constexpr float kHit = 6;      // design px of a cell that a mouse can hit
constexpr int kMostRuns = 52;  // rows and columns of an area whose cells aren't

// The first wave is lit; the last one, where it fills no device, has the colour of a warning.
float shareOf(const session::BlockWaves& waves, std::int64_t wave) {
  return waveShare(wave, waves.count(), waves.last() >= waves.slots);
}

Tone waveTone(const session::BlockWaves* waves, std::int64_t wave, Tone tone) {
  const bool tail = waves != nullptr && waves->last() < waves->slots && wave + 1 == waves->count();
  return tail && waves->count() > 1 ? Tone::kWarning : tone;
}

// What is seen of the things, in cells.
struct Seen {
  std::int64_t column = 0, row = 0, columns = 1, rows = 1;
};

// An area of w × h px.
struct Area {
  const session::Arrangement& things;
  float w, h;
  ImVec2 legible;  // px of a cell whose number can be read

  // How many are seen at a level; the longer side of flat cells is left alone until they are square.
  Seen at(int level) const {
    Seen seen{0, 0, things.columns, things.rows};
    for (int i = 0; i < level; ++i) {
      const float dx = w / float(seen.columns) / legible.x, dy = h / float(seen.rows) / legible.y;
      if (dy < 1 && dy <= 1.4F * dx) seen.rows = (seen.rows + 1) / 2;
      if (dx < 1 && dx <= 1.4F * dy) seen.columns = (seen.columns + 1) / 2;
    }
    return seen;
  }
  bool isLegible(const Seen& seen) const {
    return (w / float(seen.columns) >= legible.x || seen.columns == 1) &&
           (h / float(seen.rows) >= legible.y || seen.rows == 1);
  }
  int deepest() const {
    int level = 0;
    while (level < 64 && !isLegible(at(level))) ++level;
    return level;
  }
  Seen seenBy(const GridZoom& zoom) const {
    Seen seen = at(zoom.level);
    seen.column = std::clamp<std::int64_t>(zoom.column, 0, things.columns - seen.columns);
    seen.row = std::clamp<std::int64_t>(zoom.row, 0, things.rows - seen.rows);
    return seen;
  }
  // To a level, with what lies under the place (0 … 1 of the area) staying there.
  void go(GridZoom& zoom, int level, ImVec2 place) const {
    const Seen from = seenBy(zoom);
    zoom.level = std::clamp(level, 0, deepest());
    const Seen to = at(zoom.level);
    auto first = [](std::int64_t first, std::int64_t before, std::int64_t after, float share) {
      return std::llround(double(first) + double(share) * double(before - after));
    };
    zoom.column = first(from.column, from.columns, to.columns, place.x);
    zoom.row = first(from.row, from.rows, to.rows, place.y);
    const Seen kept = seenBy(zoom);
    zoom.column = kept.column;
    zoom.row = kept.row;
  }
};

// Things that can't be told apart: in one colour, or runs of a wave in as many rows as can be seen.
void drawRuns(const Canvas& c, const Look& look, const Area& area, const Seen& seen, std::int64_t count,
              const session::BlockWaves* waves, Tone tone) {
  if (waves == nullptr) {
    c.draw->AddRectFilled(c.at, {c.at.x + area.w, c.at.y + area.h}, look.paint(tone, 0.25F));
    return;
  }
  const std::int64_t rows = std::min<std::int64_t>(seen.rows, kMostRuns),
                     columns = std::min<std::int64_t>(seen.columns, kMostRuns);
  const float dy = area.h / float(rows), dx = area.w / float(columns);
  auto waveAt = [&](std::int64_t row, std::int64_t column) {
    const std::int64_t number =
        (seen.row + row * seen.rows / rows) * area.things.columns + seen.column + column * seen.columns / columns;
    return number < count ? waves->waveOf(area.things.numberAt(number)) : -1;
  };
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns;) {
      const std::int64_t wave = waveAt(row, column);
      std::int64_t end = column + 1;
      while (end < columns && waveAt(row, end) == wave) ++end;
      if (wave >= 0) {
        c.draw->AddRectFilled({c.at.x + float(column) * dx, c.at.y + float(row) * dy},
                              {c.at.x + float(end) * dx, c.at.y + float(row + 1) * dy},
                              look.paint(waveTone(waves, wave, tone), shareOf(*waves, wave)));
      }
      column = end;
    }
  }
}

// A line between neighbours of different clusters; `at` is a cell's corner, `right` and `below` whether its neighbours
// there are of others.
void drawBorders(const Canvas& c, const Look& look, ImVec2 at, ImVec2 size, bool right, bool below) {
  const bool small = std::min(size.x, size.y) < look.px(kNumberFrom);  // where lines are much of what is seen
  const ImU32 ink = look.paint(Tone::kText, small ? 0.35F : 0.8F);
  const float thick = std::max(1.0F, look.px(1));
  const ImVec2 from{c.at.x + at.x, c.at.y + at.y}, to{from.x + size.x, from.y + size.y};
  if (right) c.draw->AddRectFilled({to.x - thick, from.y}, {to.x, to.y}, ink);
  if (below) c.draw->AddRectFilled({from.x, to.y - thick}, {to.x, to.y}, ink);
}

// The same for a cell of things of which `count` are there.
void drawBorders(const Canvas& c, const Look& look, const session::Arrangement& things, std::int64_t cell,
                 std::int64_t count, ImVec2 at, ImVec2 size) {
  if (things.groups.empty()) return;
  const std::int64_t number = things.numberAt(cell);
  const auto parts = [&](std::int64_t other) {
    return other < count && !things.areGrouped(number, things.numberAt(other));
  };
  const bool last = (cell + 1) % things.columns == 0;
  drawBorders(c, look, at, size, !last && parts(cell + 1), parts(cell + things.columns));
}

void drawCells(const Canvas& c, const Look& look, const Area& area, const Seen& seen, std::int64_t count,
               std::int64_t chosen, const session::BlockWaves* waves, Tone tone) {
  const std::int64_t chosenCell = area.things.byResult ? area.things.cellOf(chosen) : -1, across = area.things.columns;
  const float dx = area.w / float(seen.columns), dy = area.h / float(seen.rows);
  for (std::int64_t row = 0; row < seen.rows; ++row) {
    for (std::int64_t column = 0; column < seen.columns; ++column) {
      const std::int64_t at = (seen.row + row) * area.things.columns + seen.column + column;
      if (at >= count) continue;
      const std::int64_t number = area.things.numberAt(at), wave = waves != nullptr ? waves->waveOf(number) : 0;
      // As below: the row and the column of the chosen one share operands with it.
      const bool kin = chosenCell >= 0 && (at / across == chosenCell / across || at % across == chosenCell % across);
      const float plain = kin ? 0.45F : 0.25F;
      cell(c, look, float(column) * dx, float(row) * dy, dx, dy,
           look.paint(waveTone(waves, wave, tone), waves != nullptr ? shareOf(*waves, wave) : plain),
           std::to_string(waves != nullptr ? wave + 1 : number), look.paint(Tone::kText));
      drawBorders(c, look, area.things, at, count, {float(column) * dx, float(row) * dy}, {dx, dy});
    }
  }
}

// More than can be told apart.
std::optional<std::int64_t> area(const Look& look, const char* id, const session::Arrangement& things,
                                 std::int64_t count, std::int64_t chosen, Tone tone, float w,
                                 const std::vector<std::int64_t>& framed, const session::BlockWaves* waves,
                                 GridZoom& zoom) {
  const float h = std::max(look.px(20), w * std::min(1.0F, float(things.rows) / float(things.columns)));
  const std::string largest = std::to_string(std::max<std::int64_t>(0, count - 1));
  const float wide = look.fonts.code->CalcTextSizeA(look.px(window::kUnitSize), FLT_MAX, 0, largest.c_str()).x;
  const Area area{things, w, h, {wide + look.px(4), look.px(18)}};
  if (zoom.columns != things.columns || zoom.rows != things.rows) zoom = {things.columns, things.rows};
  const int deepest = area.deepest();
  const Canvas c = canvas(id, w, h);
  const ImVec2 place{std::clamp(c.mouse.x / w, 0.0F, 1.0F), std::clamp(c.mouse.y / h, 0.0F, 1.0F)};
  ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);  // the panel doesn't scroll
  if (const float wheel = ImGui::GetIO().MouseWheel; c.hovered && wheel != 0)
    area.go(zoom, zoom.level + (wheel > 0 ? 1 : -1), place);
  const bool chooses = zoom.level == deepest;
  if (c.clicked && !chooses) area.go(zoom, deepest, place);

  const Seen seen = area.seenBy(zoom);
  const float dx = w / float(seen.columns), dy = h / float(seen.rows);
  const ImVec2 end{c.at.x + w, c.at.y + h};
  c.draw->PushClipRect({c.at.x - 2, c.at.y - 2}, {end.x + 2, end.y + 2}, true);
  if (dx >= look.px(kTold) && dy >= look.px(kTold)) {
    drawCells(c, look, area, seen, count, chosen, waves, tone);
  } else {
    drawRuns(c, look, area, seen, count, waves, tone);
    // The row and the column of the chosen one, as of cells.
    const std::int64_t cell = things.byResult && waves == nullptr ? things.cellOf(chosen) : -1;
    const std::int64_t row = cell / things.columns - seen.row, column = cell % things.columns - seen.column;
    if (cell >= 0 && row >= 0 && row < seen.rows)
      c.draw->AddRectFilled({c.at.x, c.at.y + float(row) * dy},
                            {c.at.x + w, c.at.y + float(row) * dy + std::max(2.0F, dy)}, look.paint(tone, 0.25F));
    if (cell >= 0 && column >= 0 && column < seen.columns)
      c.draw->AddRectFilled({c.at.x + float(column) * dx, c.at.y},
                            {c.at.x + float(column) * dx + std::max(2.0F, dx), c.at.y + h}, look.paint(tone, 0.25F));
  }
  // Where each is found by looking through all of them, not too many.
  auto seenCell = [&](std::int64_t number) -> std::optional<ImVec2> {
    const std::int64_t at = things.cellOf(number), column = at % things.columns - seen.column,
                       row = at / things.columns - seen.row;
    if (column < 0 || row < 0 || column >= seen.columns || row >= seen.rows) return std::nullopt;
    return ImVec2{float(column) * dx, float(row) * dy};
  };
  if (things.numbers.empty() || framed.size() * things.numbers.size() < kMostLookedAt) {
    for (const std::int64_t number : framed) {
      const auto at = seenCell(number);
      if (!at) continue;
      if (std::min(dx, dy) >= look.px(8)) {
        frame(c, look, at->x, at->y, dx, dy, look.paint(Tone::kText));
      } else {
        c.draw->AddRectFilled({c.at.x + at->x, c.at.y + at->y},
                              {c.at.x + at->x + std::max(2.0F, dx), c.at.y + at->y + std::max(2.0F, dy)},
                              look.paint(Tone::kText));
      }
    }
  }
  if (const auto at = seenCell(chosen)) {
    const float mw = std::max(look.px(5), dx), mh = std::max(look.px(5), dy);
    outline(c, look, std::clamp(at->x + (dx - mw) / 2, 0.0F, w - mw), std::clamp(at->y + (dy - mh) / 2, 0.0F, h - mh),
            mw, mh);
  }
  c.draw->PopClipRect();

  const std::int64_t under =
      (seen.row + std::min(seen.rows - 1, std::int64_t(place.y * float(seen.rows)))) * things.columns + seen.column +
      std::min(seen.columns - 1, std::int64_t(place.x * float(seen.columns)));
  if (c.hovered && under < count)
    showTip(look, say(look, words::kScopeBlock, things.numberAt(under)) + "\n" +
                      look.say(chooses ? words::kZoomOutHint : words::kZoomHint));
  const bool escaped = zoom.level > 0 &&
                       ((c.hovered && ImGui::IsKeyPressed(ImGuiKey_Escape, false)) || ImGui::Shortcut(ImGuiKey_Escape));
  ImGui::BeginDisabled(zoom.level == 0);
  const bool back = window::smallButton(window::windowName(look.say(words::kWholeGrid), "wholegrid").c_str());
  ImGui::EndDisabled();
  if (back || escaped) zoom.level = 0;
  return c.clicked && chooses && under < count ? std::optional(things.numberAt(under)) : std::nullopt;
}

}  // namespace

session::Arrangement folded(const Look& look, const session::Arrangement& given, float width) {
  session::Arrangement things = given;
  const bool wide = given.rows == 1 && given.columns > kFold && given.columns % kFold == 0 &&
                    given.columns <= kFold * kFold && width < look.px(kNumberFrom) * float(given.columns);
  if (wide) {
    things.columns = kFold;
  } else if (given.columns == 1 && given.rows > kTall) {
    things.columns = std::int64_t(std::ceil(std::sqrt(double(given.rows)) / double(kFold))) * kFold;
  } else {
    return things;
  }
  things.rows = session::ceilDivide(given.columns * given.rows, things.columns);
  things.byResult = false;
  return things;
}

std::optional<std::int64_t> numbers(const Look& look, const char* id, const session::Arrangement& given,
                                    std::int64_t count, std::int64_t chosen, Tone tone, float width,
                                    const std::vector<std::int64_t>& framed, const session::BlockWaves* waves,
                                    GridZoom* zoom) {
  const session::Arrangement things = folded(look, given, width);
  const std::int64_t chosenCell = things.cellOf(chosen);
  const std::int64_t row = chosenCell / things.columns, column = chosenCell % things.columns;
  const float s = side(look, width, things.columns);
  const bool small = zoom != nullptr && s<look.px(kHit), high = s * float(things.rows)> kHighest * width;
  if (small || high || things.columns * things.rows > kMostCells || float(things.columns) > width / 2) {
    GridZoom whole;
    return area(look, id, things, count, chosen, tone, std::min(width, look.px(208)), framed, waves,
                zoom != nullptr ? *zoom : whole);
  }
  const Canvas c = canvas(id, s * float(things.columns), s * float(things.rows));
  // All numbers have room, or none is written.
  const float size = std::min(look.px(window::kUnitSize), s - 2);
  const std::string largest = std::to_string(std::max<std::int64_t>(0, waves != nullptr ? waves->count() : count - 1));
  const bool numbered = look.fonts.code->CalcTextSizeA(size, FLT_MAX, 0, largest.c_str()).x <= s - 2;
  for (std::int64_t i = 0; i < things.columns * things.rows; ++i) {
    if (i >= given.columns * given.rows || (things.numbers.empty() && i >= count)) break;
    const std::int64_t r = i / things.columns, k = i % things.columns;
    // The row and the column of the chosen one share operands with it.
    const bool kin = things.byResult && (r == row || k == column);
    const std::int64_t wave = waves != nullptr ? waves->waveOf(things.numberAt(i)) : 0;
    const float share = waves != nullptr ? shareOf(*waves, wave) : kin ? 0.45F : 0.22F;
    const bool mine = waves == nullptr && i == chosenCell;
    cell(c, look, float(k) * s, float(r) * s, s, s, look.paint(waveTone(waves, wave, tone), mine ? 1.0F : share),
         numbered ? std::to_string(waves != nullptr ? wave + 1 : things.numberAt(i)) : "",
         mine ? inkOn(look, waveTone(waves, wave, tone)) : look.paint(Tone::kText));
    drawBorders(c, look, things, i, count, {float(k) * s, float(r) * s}, {s, s});
    if (std::binary_search(framed.begin(), framed.end(), things.numberAt(i)))
      frame(c, look, float(k) * s, float(r) * s, s, s,
            mine ? inkOn(look, waveTone(waves, wave, tone)) : look.paint(Tone::kText));
  }
  outline(c, look, float(column) * s, float(row) * s, s, s);
  if (!c.clicked) return std::nullopt;
  const auto at = std::int64_t(c.mouse.y / s) * things.columns + std::int64_t(c.mouse.x / s);
  return at >= 0 && at < count ? std::optional(things.numberAt(at)) : std::nullopt;
}

}  // namespace loom::panels::pictures
