#include "app/panels/code/issue_columns.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/panels/code/code_drawing.h"
#include "app/panels/code/machine_words.h"
#include "app/ui/look.h"
#include "app/ui/text.h"

namespace loom::panels {

namespace words = text::machine_code;
using session::IssueColumns;
using window::Look;
using window::Tone;

namespace {

constexpr int kAliveDigits = 4, kStallDigits = 3;

// A barrier's lane stands below its digit of the head.
float laneWidth() { return characterWidth(); }

// ColumnEdges from the left, as wide as their figures and their heads; 0 wide where it isn't known.
struct ColumnEdges {
  float alive = 0, stall = 0, lanes = 0, end = 0;
};

ColumnEdges columnsOf(const Look& look, const IssueColumns& margin, int without) {
  auto wide = [&](int digits, const text::Text& head) {
    return std::max(float(digits) * characterWidth(), ImGui::CalcTextSize(look.say(head)).x) + look.px(5);
  };
  ColumnEdges c;
  if (!margin.alive.empty() && without < 1) c.stall = c.lanes = c.end = wide(kAliveDigits, words::kAliveHead);
  if (margin.control.empty()) return c;
  if (without < 2) c.lanes = c.end = c.stall + wide(kStallDigits, words::kStallHead);
  if (without < 3) c.end = c.lanes + float(sass::kScoreboards) * laneWidth() + look.px(5);
  return c;
}

// Six lanes of a line that is `whole` high, with its marks on its first row.
void drawLanes(const Look& look, const IssueColumns& margin, std::size_t line, ImVec2 at, float height, float whole) {
  const auto& control = margin.control[line];
  const std::uint8_t pending = margin.pending[line];
  if (pending == 0 && !control) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float lane = laneWidth(), thin = std::max(1.0F, look.px(1)), half = std::max(2.0F, look.px(2));
  const float middle = at.y + height / 2;
  for (int b = 0; b < sass::kScoreboards; ++b) {
    const auto bit = std::uint8_t(1U << b);
    const bool waits = control && (control->waits & bit) != 0;
    const bool writes = control && control->writeBarrier == b, reads = control && control->readBarrier == b;
    const bool before = (pending & bit) != 0, after = (before && !waits) || writes || reads;
    const float x = at.x + (float(b) + 0.5F) * lane;
    if (before || after)
      list->AddRectFilled({x - thin / 2, before ? at.y : middle}, {x + thin / 2, after ? at.y + whole : middle},
                          look.paint(Tone::kTextFaint));
    if (waits)
      list->AddRectFilled({x - lane / 2 + thin / 2, middle - half - thin},
                          {x + lane / 2 - thin / 2, middle - half + thin}, look.paint(Tone::kWarning));
    if (writes) list->AddRectFilled({x - half, middle - half}, {x + half, middle + half}, look.paint(Tone::kText));
    if (reads && !writes) {
      list->AddRectFilled({x - half, middle - half}, {x + half, middle + half}, look.paint(Tone::kTextSecond));
      list->AddRectFilled({x - half + thin, middle - half + thin}, {x + half - thin, middle + half - thin},
                          look.paint(Tone::kPanel));
    }
  }
}

std::string barriersOf(std::uint8_t mask) {
  std::string all;
  for (int b = 0; b < sass::kScoreboards; ++b)
    if ((mask >> b & 1) != 0) all += (all.empty() ? "" : ", ") + std::to_string(b);
  return all;
}

}  // namespace

float issueColumnsWidth(const Look& look, const IssueColumns& margin, int without) {
  return columnsOf(look, margin, without).end;
}

void drawIssueLine(const Look& look, const IssueColumns& margin, int without, std::size_t line, ImVec2 at, float height,
                   float whole) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ColumnEdges columns = columnsOf(look, margin, without);
  if (columns.stall > columns.alive && line < margin.alive.size() && margin.alive[line] >= 0) {
    const int alive = margin.alive[line];
    const float room = float(kAliveDigits) * characterWidth(), width = room * float(alive) / float(margin.peak);
    const bool peak = alive == margin.peak;
    list->AddRectFilled({at.x + room - width, at.y + height - std::max(1.0F, look.px(2))}, {at.x + room, at.y + height},
                        look.paint(peak ? Tone::kWarning : Tone::kTextFaint));
    list->AddText(at, look.paint(peak ? Tone::kWarning : Tone::kTextSecond),
                  fmt::format("{:{}}", alive, kAliveDigits).c_str());
  }
  if (line >= margin.control.size()) return;
  if (const auto& control = margin.control[line]; control && columns.lanes > columns.stall) {
    const std::string stall = fmt::format("{:2}{}", control->stall, control->yield ? "y" : "");
    list->AddText({at.x + columns.stall, at.y}, look.paint(control->stall >= 8 ? Tone::kText : Tone::kTextFaint),
                  stall.c_str());
  }
  if (columns.end > columns.lanes) drawLanes(look, margin, line, {at.x + columns.lanes, at.y}, height, whole);
}

void drawIssueHeads(const Look& look, const IssueColumns& margin, int without, ImVec2 at) {
  const ColumnEdges columns = columnsOf(look, margin, without);
  auto head = [&](float from, float to, const text::Text& word, const text::Text& what) {
    if (to > from) drawColumnHead(look, {at.x + from, at.y}, to - from, look.say(word), what);
  };
  head(columns.alive, columns.stall, words::kAliveHead, words::kAliveWhat);
  head(columns.stall, columns.lanes, words::kStallHead, words::kStallWhat);
  head(columns.lanes, columns.end, words::kBarriersHead, words::kBarriersWhat);
}

std::string issueTip(const Look& look, const IssueColumns& margin, const std::vector<std::string>& lines,
                     std::size_t line) {
  std::string tip;
  auto add = [&](const std::string& what) { tip += (tip.empty() ? "" : "\n") + what; };
  if (line < margin.alive.size() && margin.alive[line] >= 0)
    add(say(look, line == std::size_t(margin.peakLine) ? words::kAlivePeak : words::kAlive, margin.alive[line]));
  if (line >= margin.control.size() || !margin.control[line]) return tip;
  const sass::IssueControl& c = *margin.control[line];
  add(say(look, c.yield ? words::kStallYields : words::kStall, c.stall));
  if (c.writeBarrier >= 0) add(say(look, words::kSetsWrite, c.writeBarrier));
  if (c.readBarrier >= 0) add(say(look, words::kSetsRead, c.readBarrier));
  if (c.waits != 0) add(say(look, words::kWaits, barriersOf(c.waits)));
  constexpr std::size_t kMost = 4;
  const auto& from = margin.waitsFor[line];
  for (std::size_t n = 0; n < std::min(from.size(), kMost); ++n) {
    const std::string& setter = lines[std::size_t(from[n])];
    add(fmt::format("    {}: {}", from[n] + 1, setter.substr(std::min(setter.find_first_not_of(' '), setter.size()))));
  }
  if (from.size() > kMost) add("    " + say(look, words::kMore, from.size() - kMost));
  if (c.reuse != 0) add(say(look, words::kReuse, barriersOf(c.reuse)));
  return tip;
}

}  // namespace loom::panels
