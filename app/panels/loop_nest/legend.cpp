#include "app/panels/loop_nest/legend.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <map>

#include "app/notation/axis.h"
#include "app/panels/loop_nest/words.h"
#include "app/ui/axis_chip.h"
#include "app/ui/quantity_text.h"
#include "app/ui/text.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::loop_nest;
using window::Look;
using window::Tone;
using workbench::Axis;
using workbench::NestRow;

namespace {

const text::Text& placeName(workbench::Level level) {
  return level == workbench::Level::kGlobal   ? words::kGlobal
         : level == workbench::Level::kShared ? words::kShared
                                              : words::kRegisters;
}

// "from k 1024 · split, step 3 → [64] · 16".
std::string ancestryLine(const Look& look, const workbench::Ancestry& from) {
  std::string line;
  for (const auto& source : from.sources) {
    line += (line.empty() ? "" : " × ") + source.name;
    if (source.extent >= 0) line += fmt::format(" {}", source.extent);
  }
  line += fmt::format("  {}, {} →", from.primitive, fmt::format(fmt::runtime(look.say(words::kStep)), from.step));
  for (std::size_t i = 0; i < from.results.size(); ++i) {
    const std::string extent = from.results[i] < 0 ? "?" : std::to_string(from.results[i]);
    line += (i == 0 ? " " : " · ") + (int(i) == from.mine ? "[" + extent + "]" : extent);
  }
  return line;
}

// "2.15 GFLOP · global 12 MiB · shared 96 MiB", shared out among `parts`.
std::string sumText(const Look& look, const NestRow::Below& below, double parts) {
  std::string text;
  auto add = [&](const std::string& part) { text += (text.empty() ? "" : " · ") + part; };
  if (below.flops > 0) add(flopsText(below.flops / parts));
  if (below.global > 0) add(std::string(look.say(words::kGlobal)) + " " + bytesText(below.global / parts));
  if (below.shared > 0) add(std::string(look.say(words::kShared)) + " " + bytesText(below.shared / parts));
  return text.empty() ? "0" : text;
}

// What the blocks below a loop do, and which bars are outlined with it.
void drawBelow(const Look& look, const NestRow& loop) {
  if (!loop.below.known) {
    ImGui::TextUnformatted(look.say(words::kBelowUnknown));
  } else {
    ImGui::TextUnformatted(say(look, words::kBelow, sumText(look, loop.below, 1)).c_str());
    if (loop.runs > 0)
      ImGui::TextUnformatted(
          say(look, words::kBelowEach, grouped(loop.runs), sumText(look, loop.below, loop.runs)).c_str());
  }
  if (loop.kin.empty()) return;
  const auto siblings = std::ranges::count_if(loop.kin, [](const NestRow::RelatedLoops& kin) { return kin.sibling; });
  ImGui::TextUnformatted(say(look, words::kKin, siblings, std::ptrdiff_t(loop.kin.size()) - siblings).c_str());
}

}  // namespace

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

namespace {
// As a figure of the state compared with reads; empty where it has none.
template <typename Write>
std::string wasOf(double value, Write write) {
  return value < 0 ? "" : write(value);
}
}  // namespace

void drawNestHover(const Look& look, const NestRow& row) {
  ImGui::PushFont(look.fonts.code, window::kTextSize);
  ImGui::TextUnformatted((row.handle.empty() ? row.name : row.name + "  " + row.handle).c_str());
  ImGui::PopFont();
  ImGui::PushFont(nullptr, window::kSecondarySize);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
  if (row.kind == NestRow::Kind::kLoop) {
    std::string kind = look.say(wordOf(row.axis));
    if (row.reduction && row.axis != Axis::kReduction) kind += fmt::format(", {}", look.say(words::kReduction));
    if (row.extent >= 0) kind += " · " + fmt::format(fmt::runtime(look.say(words::kExtent)), row.extent);
    if (row.was && row.was->extent >= 0)
      kind = withPreviousValue(look, kind, row.was->extent == row.extent ? "" : grouped(double(row.was->extent)));
    ImGui::TextUnformatted(kind.c_str());
  }
  const std::string runs =
      row.runs < 0
          ? look.say(words::kUnknownRuns)
          : fmt::format(fmt::runtime(look.say(words::kRunsOf)),
                        withPreviousValue(look, grouped(row.runs), wasOf(row.was ? row.was->runs : -1, grouped)));
  ImGui::TextUnformatted(runs.c_str());
  for (const workbench::Ancestry& from : row.from) ImGui::TextUnformatted(ancestryLine(look, from).c_str());
  if (row.kind == NestRow::Kind::kLoop) drawBelow(look, row);
  if (!row.intrinsic.empty())
    ImGui::TextUnformatted(fmt::format(fmt::runtime(look.say(words::kIntrinsic)), row.intrinsic).c_str());
  if (row.flops >= 0)
    ImGui::TextUnformatted(
        withPreviousValue(look, flopsText(row.flops), wasOf(row.was ? row.was->flops : -1, flopsText)).c_str());
  if (row.bytes >= 0 && row.was && row.was->bytes >= 0 && row.was->bytes != row.bytes)
    ImGui::TextUnformatted(withPreviousValue(look, bytesText(row.bytes), bytesText(row.was->bytes)).c_str());
  for (const workbench::MovedBytes& moved : row.moved) {
    const std::string what = moved.name + (moved.bytes < 0 ? "" : " (" + bytesText(moved.bytes) + ")");
    ImGui::TextUnformatted(fmt::format(fmt::runtime(look.say(moved.write ? words::kWrites : words::kReads)), what,
                                       look.say(placeName(moved.level)))
                               .c_str());
  }
  if (row.copy) {
    ImGui::TextUnformatted(fmt::format("{}: {} → {}", notation::routeText(row), look.say(placeName(row.source)),
                                       look.say(placeName(row.target)))
                               .c_str());
  } else if (const std::string route = notation::routeText(row); !route.empty()) {
    ImGui::TextUnformatted(fmt::format(fmt::runtime(look.say(words::kComputedRoute)), route).c_str());
  }
  if (!row.moved.empty()) ImGui::TextUnformatted(look.say(words::kAsWritten));
  ImGui::PopStyleColor();
  for (const std::string& sentence : row.unheeded)
    ImGui::TextColored(look.colour(Tone::kWarning), "! %s", look.tell(sentence).c_str());
  ImGui::PopFont();
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
  std::map<std::pair<Axis, std::string>, int> used;
  std::array<bool, 3> levels{};  // that copies are told by
  bool splits = false;
  for (const NestBar& bar : shown.bars()) {
    for (int i = bar.line.first; i <= bar.line.last; ++i) {
      const NestRow& row = shown.row(i);
      if (row.kind == NestRow::Kind::kLoop) used[{row.axis, lettersOf(row)}] = i;
      if (row.copy) levels[std::size_t(row.source)] = levels[std::size_t(row.target)] = true;
      if (!row.copy && row.bytes >= 0)  // of what computes, the letters are its operands'
        for (const workbench::MovedBytes& moved : row.moved) levels[std::size_t(moved.level)] = true;
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
    if (row.axis == Axis::kBlock) word = std::string("blockIdx.") + row.component;
    if (row.axis >= Axis::kThreadX && row.axis <= Axis::kThreadZ) word = std::string("threadIdx.") + row.component;
    if (!next(look.px(30) + ImGui::CalcTextSize(word.c_str()).x)) break;
    x += drawAxisChip(look, {x, y}, key.first, key.second.c_str()) + look.px(5);
    draw->AddText({x, y - ImGui::GetFontSize() / 2}, look.paint(Tone::kTextSecond), word.c_str());
    x += ImGui::CalcTextSize(word.c_str()).x + look.px(12);
  }
  auto entry = [&](float sign, const char* word) {
    draw->AddText({x + sign, y - ImGui::GetFontSize() / 2}, look.paint(Tone::kTextSecond), word);
    x += sign + ImGui::CalcTextSize(word).x + look.px(12);
  };
  for (int level = 0; level < 3; ++level) {
    if (!levels[std::size_t(level)]) continue;
    const char* word = look.say(placeName(workbench::Level(level)));
    if (!next(look.px(14) + ImGui::CalcTextSize(word).x)) break;
    draw->AddText(look.fonts.code, ImGui::GetFontSize(), {x, y - ImGui::GetFontSize() / 2}, look.paint(Tone::kText),
                  letterOf(workbench::Level(level)));
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
