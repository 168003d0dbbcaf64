#include "app/panels/loop_nest/legend.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <map>

#include "app/notation/axis.h"
#include "app/panels/loop_nest/view/labels.h"
#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/panels/loop_nest/words.h"
#include "app/ui/axis_chip.h"
#include "app/ui/quantity_text.h"
#include "app/ui/text.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::loop_nest;
using device::HardwareAxis;
using session::NestRow;
using window::Look;
using window::Tone;

void drawNestTitles(const Look& look, NestBars::Columns columns, float width) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushFont(nullptr, window::kUnitSize);
  const ImU32 colour = look.paint(Tone::kTextFaint);
  const float right = at.x + width - look.px(18);
  const float left = at.x + look.px(kNestGutter), first = ImGui::CalcTextSize(look.say(words::kLoops)).x;
  auto title = [&](const text::Text& words, float edge) {
    const float from = edge - ImGui::CalcTextSize(look.say(words)).x;
    if (from > left + first + look.px(6)) draw->AddText({from, at.y}, colour, look.say(words));
  };
  draw->AddText({left, at.y}, colour, look.say(words::kLoops));
  if (columns == NestBars::Columns::kOne) {
    title(words::kRunsMoved, right);
  } else {
    title(words::kMoved, right);
    if (columns == NestBars::Columns::kThree) title(words::kWork, right - look.px(128));
    title(words::kRuns, right - look.px(columns == NestBars::Columns::kThree ? 220 : 128));
  }
  ImGui::PopFont();
  ImGui::Dummy({1, look.px(kNestTitles) - ImGui::GetStyle().ItemSpacing.y});
}

int nestLegendRows(const Look& look, float height) {
  constexpr float kBar = 22;           // of a narrow nest
  constexpr int kAll = 3, kMany = 12;  // rows of the legend; bars that it must leave
  for (int rows : {kAll, 1}) {
    if (height - look.px(kNestTitles) - nestLegendHeight(look, rows) >= look.px(kMany * kBar)) return rows;
  }
  return 0;
}

float nestLegendHeight(const Look& look, int rows) { return rows > 0 ? look.px(float(rows) * kNestLegendRow + 8) : 0; }

void drawNestLegend(const Look& look, const NestBars& shown, float width, int rows) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = at.x + width, start = at.x + look.px(kNestGutter);
  float x = start, y = at.y + look.px(kNestLegendRow) / 2;
  ImGui::PushFont(nullptr, window::kUnitSize);
  std::map<std::pair<HardwareAxis, std::string>, int> used;
  std::array<bool, device::kMemoryLevels> levels{};  // that copies are told by
  bool splits = false;
  for (const NestBar& bar : shown.bars()) {
    for (int i = bar.line.first; i <= bar.line.last; ++i) {
      const NestRow& row = shown.row(i);
      if (row.kind == NestRow::Kind::kLoop) used[{row.axis, session::lettersOf(row)}] = i;
      if (row.copy) levels[std::size_t(row.source)] = levels[std::size_t(row.target)] = true;
      if (!row.copy && row.bytes >= 0)  // of what computes, the letters are its operands'
        for (const session::MovedBytes& moved : row.moved) levels[std::size_t(moved.level)] = true;
    }
    const NestRow& first = shown.row(bar.line.first);
    splits |= first.kind == NestRow::Kind::kLoop && bar.line.first == bar.line.last && first.extent > 1;
  }
  // Moves to the next row where this one has no room; false where there is none.
  int row = 0;
  auto next = [&](float needed) {
    if (x + needed > right && x > start) {
      x = start;
      y += look.px(kNestLegendRow);
      ++row;
    }
    return row < rows;  // full once it was: no later entry is drawn below the last row
  };
  for (const auto& [key, i] : used) {
    const NestRow& row = shown.row(i);
    std::string word = look.say(wordOf(row.axis));
    if (row.axis == HardwareAxis::kBlock && row.component != 0) word = std::string("blockIdx.") + row.component;
    if (row.axis >= HardwareAxis::kThreadX && row.axis <= HardwareAxis::kThreadZ)
      word = std::string("threadIdx.") + row.component;
    // A reduction that is unrolled, say, has its own letters, and so its own words.
    if (row.axis != HardwareAxis::kReduction && key.second.ends_with("Σ"))
      word += std::string(", ") + look.say(wordOf(HardwareAxis::kReduction));
    if (!next(look.px(30) + ImGui::CalcTextSize(word.c_str()).x)) break;
    x += drawAxisChip(look, {x, y}, key.first, key.second.c_str()) + look.px(5);
    draw->AddText({x, y - ImGui::GetFontSize() / 2}, look.paint(Tone::kTextSecond), word.c_str());
    x += ImGui::CalcTextSize(word.c_str()).x + look.px(12);
  }
  auto entry = [&](float sign, const char* word) {
    draw->AddText({x + sign, y - ImGui::GetFontSize() / 2}, look.paint(Tone::kTextSecond), word);
    x += sign + ImGui::CalcTextSize(word).x + look.px(12);
  };
  for (int level = 0; level < device::kMemoryLevels; ++level) {
    if (!levels[std::size_t(level)]) continue;
    const char* word = look.say(wordOf(device::MemoryLevel(level)));
    if (!next(look.px(14) + ImGui::CalcTextSize(word).x)) break;
    draw->AddText(look.fonts.code, ImGui::GetFontSize(), {x, y - ImGui::GetFontSize() / 2}, look.paint(Tone::kText),
                  letterOf(device::MemoryLevel(level)));
    entry(look.px(11), word);
  }
  if (splits && next(look.px(12) + ImGui::CalcTextSize(look.say(words::kHandleKey)).x)) {
    for (float line : {look.px(1), look.px(4)})
      draw->AddLine({x + line, y - look.px(5)}, {x + line, y + look.px(5)}, look.paint(Tone::kTextFaint),
                    std::max(1.0F, look.px(1)));
    entry(look.px(9), look.say(words::kHandleKey));
  }
  ImGui::PopFont();
  ImGui::Dummy({1, nestLegendHeight(look, rows)});
}

}  // namespace loom::panels
