#include "app/panels/loop_nest/bar_header.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "app/panels/loop_nest/boxes.h"
#include "app/panels/loop_nest/view/labels.h"
#include "app/panels/loop_nest/view/loop_roles.h"
#include "app/panels/loop_nest/words.h"
#include "app/ui/axis_chip.h"
#include "app/ui/look.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/widgets/state_text.h"
#include "core/model/timeline_position.h"

namespace loom::panels {

namespace words = text::loop_nest;
using session::NestRow;
using window::Look;
using window::Tone;

namespace {

// How warps share a block's work: "2 take turns · 1 in flight · warps 0–7"; empty where nothing is special.
std::string executionText(const Look& look, const NestRow& row) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " · ") + part; };
  if (row.turns > 1) add(say(look, words::kTakeTurns, row.turns));
  if (row.inFlight > 0) add(say(look, words::kInFlight, row.inFlight));
  if (!row.warps.empty()) add(say(look, row.warps.size() == 1 ? words::kByWarp : words::kByWarps, runsText(row.warps)));
  return text;
}

// The same with the warps of each group that takes turns, so that these aren't taken for the passes of a loop: "warps
// 0–3, 4–7 take turns · 1 in flight". Empty where none take turns.
std::string turnsText(const Look& look, const NestRow& row) {
  const std::vector<std::set<int>> groups = session::takingTurns(row);
  if (groups.empty()) return "";
  std::string warps;
  for (const std::set<int>& group : groups) warps += (warps.empty() ? "" : ", ") + runsText(group);
  const std::string turns = say(look, words::kWarpsTakeTurns, warps);
  return row.inFlight > 0 ? turns + " · " + say(look, words::kInFlight, row.inFlight) : turns;
}

}  // namespace

std::vector<NestChip> drawBarNames(const Look& look, const NestBars& bars, const NestBar& bar,
                                   const model::TimelinePosition* moment, ImVec2 at, float limit, float alpha,
                                   NestChip& stage) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  std::vector<NestChip> chips;
  float x = at.x;
  const bool chain = bar.line.first != bar.line.last;
  auto write = [&](ImFont* font, float size, const std::string& text, Tone tone, bool endsTell = false) {
    ImGui::PushFont(font, size);
    const float left = std::max(0.0F, limit - x);
    std::string shown = endsTell ? fittedAround(text, left) : ellipsized(text, left);
    if (shown.size() <= 4 && shown != text) shown.clear();  // a letter and dots say nothing
    const ImVec2 extent = ImGui::CalcTextSize(shown.c_str());
    draw->AddText({x, at.y - extent.y / 2}, look.paint(tone, alpha), shown.c_str());
    ImGui::PopFont();
    x += extent.x;
  };
  for (int i = bar.line.first; i <= bar.line.last; ++i) {
    const NestRow& row = bars.row(i);
    const float from = x;
    if (row.kind == NestRow::Kind::kLoop) {
      x += drawAxisChip(look, {x, at.y}, row.axis, session::lettersOf(row).c_str(), alpha) + look.px(chain ? 3 : 5);
      limit += chain ? look.px(1000) : 0;  // extents are never cut
      write(look.fonts.strong, window::kSecondarySize, row.extent < 0 ? "?" : std::to_string(row.extent), Tone::kText);
      limit -= chain ? look.px(1000) : 0;
      if (!chain) {
        x += look.px(7);
        write(look.fonts.code, window::kSecondarySize, row.name, Tone::kTextSecond);
        const model::TimelinePosition::Loop* loop = moment ? moment->find(row.id) : nullptr;
        if (loop != nullptr)
          write(look.fonts.code, window::kSecondarySize, " = " + std::to_string(loop->value), Tone::kSelected);
        if (row.sameThreads && x + look.px(80) < limit) {
          x += look.px(9);
          write(nullptr, window::kUnitSize, look.say(words::kSameThreads), Tone::kTextFaint);
        }
      }
    } else {
      x += drawBlockMark(look, {x, at.y}, alpha) + look.px(6);
      write(look.fonts.code, window::kSecondarySize, row.name,
            row.kind == NestRow::Kind::kInit ? Tone::kTextSecond : Tone::kText);
      if (row.kind == NestRow::Kind::kInit && x + look.px(40) < limit) {
        x += look.px(8);
        write(nullptr, window::kUnitSize, look.say(words::kInit), Tone::kTextFaint);
      }
      std::string execution = row.kind == NestRow::Kind::kBlock ? turnsText(look, row) : "";
      const auto fits = [&] {  // as a whole: "warps …" would say nothing
        ImGui::PushFont(nullptr, window::kUnitSize);
        const float wide = ImGui::CalcTextSize(execution.c_str()).x + look.px(8);
        ImGui::PopFont();
        return !execution.empty() && x + wide < limit;
      };
      if (row.kind == NestRow::Kind::kBlock && !fits()) execution = executionText(look, row);
      if (fits()) {
        x += look.px(8);
        write(nullptr, window::kUnitSize, execution, Tone::kTextSecond);
      }
      const float room = look.px(18);  // the number's gaps: it stays
      if (row.kind == NestRow::Kind::kBlock && !row.intrinsic.empty() && x + look.px(60) + room < limit) {
        x += look.px(8);
        limit -= room;
        write(look.fonts.code, window::kUnitSize, row.intrinsic, Tone::kTextFaint, true);
        limit += room;
      }
    }
    x += look.px(chain ? 7 : 0);
    chips.push_back({i, from, x});
  }
  const NestRow& first = bars.row(bar.line.first);
  stage = {-1, 0, 0};
  x += look.px(chain ? 2 : 9);
  const auto width = [&](const std::string& text) {
    ImGui::PushFont(nullptr, window::kUnitSize);
    const float wide = ImGui::CalcTextSize(text.c_str()).x;
    ImGui::PopFont();
    return wide + look.px(8);
  };
  std::string overlap = session::overlapText(first, look.say(words::kStages), look.say(words::kStage));
  if (x + width(overlap) > limit)
    overlap = session::overlapText(first, look.say(words::kShortStages), look.say(words::kShortStage));
  if (overlap.empty() || x + width(overlap) > limit) return chips;
  // What can be dragged to another stage has a frame.
  if (!first.staged.empty()) {
    stage = {bar.line.first, x, x + width(overlap)};
    const float half = look.px(8);
    draw->AddRect({stage.from, at.y - half}, {stage.to, at.y + half}, look.paint(Tone::kTextFaint, alpha), look.px(3));
  }
  x += look.px(4);
  write(nullptr, window::kUnitSize, overlap, Tone::kTextSecond);
  return chips;
}

void drawBarNumbers(const Look& look, const NestBars& bars, const NestBar& bar, float y, float from, float right,
                    float alpha) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  // With what the state compared with has, where there is room; else its colour says that the hover has it.
  auto write = [&](const std::string& number, const std::string& was, float edge, float width, Tone tone) {
    const std::string both = withPreviousValue(look, number, was);
    const std::string& text = ImGui::CalcTextSize(both.c_str()).x <= width ? both : number;
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    draw->AddText({edge - size.x, y - size.y / 2}, look.paint(was.empty() ? tone : Tone::kChanged, alpha),
                  text.c_str());
  };
  // Left of what stands there, where it has no column of its own.
  auto writeWork = [&](float edge) {
    if (bar.work.empty() || edge - ImGui::CalcTextSize(bar.work.c_str()).x < from) return;
    write(bar.work, bar.workWas, edge, edge - from, Tone::kTextSecond);
  };
  if (bars.columns() == NestBars::Columns::kOne) {
    const bool block = &bars.oneNumber(bar) == &bar.moved;
    const std::string& number = bars.oneNumber(bar);
    const std::string& was = block ? bar.movedWas : bar.runsWas;
    const float width = ImGui::CalcTextSize(number.c_str()).x;
    if (right - width >= from) {
      write(number, was, right, right - from, block ? Tone::kText : Tone::kTextSecond);
      if (was.empty()) writeWork(right - width - look.px(10));
    }
  } else {
    const bool three = bars.columns() == NestBars::Columns::kThree;
    const float runs = right - look.px(three ? 220 : 128);
    write(bar.moved, bar.movedWas, right, look.px(120), Tone::kText);
    if (three) write(bar.work, bar.workWas, right - look.px(128), look.px(86), Tone::kText);
    write(bar.runs, bar.runsWas, runs, std::max(0.0F, runs - from), Tone::kTextSecond);
    if (!three && bar.runsWas.empty()) writeWork(runs - ImGui::CalcTextSize(bar.runs.c_str()).x - look.px(10));
  }
  ImGui::PopFont();
}

}  // namespace loom::panels
