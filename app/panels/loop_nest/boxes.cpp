#include "app/panels/loop_nest/boxes.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/notation/axis.h"
#include "app/panels/loop_nest/view/labels.h"
#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/panels/loop_nest/view/repetition_text.h"
#include "app/ui/axis_chip.h"
#include "app/ui/quantity_text.h"

namespace loom::panels {

using session::NestRow;
using window::Look;

namespace {

// Of a loop in a chain: its chip, its extent and the gap after it.
float chipWidth(const Look& look, const NestRow& loop) {
  ImGui::PushFont(look.fonts.strong, window::kUnitSize);
  const float letters = std::max(look.px(18), ImGui::CalcTextSize(session::lettersOf(loop).c_str()).x + look.px(8));
  ImGui::PopFont();
  ImGui::PushFont(look.fonts.strong, window::kSecondarySize);
  const float extent = ImGui::CalcTextSize(loop.extent < 0 ? "?" : std::to_string(loop.extent).c_str()).x;
  ImGui::PopFont();
  return letters + look.px(3) + extent + look.px(7) + (loop.axis == device::HardwareAxis::kUnrolled ? look.px(3) : 0);
}

}  // namespace

NestBars::NestBars(const Look& look, std::shared_ptr<const session::LoopNest> shown, session::NestFolds& folds,
                   const std::vector<ir::Id>& open, float width, float height)
    : nest_(std::move(shown)), width_(width) {
  columns_ = width >= look.px(640) ? Columns::kThree : width >= look.px(470) ? Columns::kTwo : Columns::kOne;
  const session::LoopNest& nest = *nest_;
  const auto lines = folds.lines(nest, open, [&](const std::vector<session::NestLine>& some) {
    auto frames = session::nestFrames(nest, uncut(look, some));
    return stack(look, frames) <= height;
  });
  std::vector<session::NestFrame> frames = session::nestFrames(nest, uncut(look, lines));
  total_ = stack(look, frames);
  for (const session::NestFrame& frame : frames) {
    NestBar bar;
    static_cast<session::NestFrame&>(bar) = frame;
    fillTexts(bar);
    bar.warn = warningOf(look, frame.line);
    bars_.push_back(std::move(bar));
  }
  if (total_ > height) width_ -= ImGui::GetStyle().ScrollbarSize;
}

// Nothing is cut: a chain whose chips find no room is unfolded, a block whose name finds none behind the chips of its
// loops has a line of its own.
std::vector<session::NestLine> NestBars::uncut(const Look& look, const std::vector<session::NestLine>& folded) const {
  std::vector<session::NestLine> lines;
  for (const session::NestLine& line : folded) {
    if (line.first == line.last) {
      lines.push_back(line);
      continue;
    }
    const float room = width_ - look.px(kNestGutter + kNestMargin) - indent(look) * float(row(line.first).depth);
    const bool block = row(line.last).kind == NestRow::Kind::kBlock;
    float chips = look.px(9);
    for (int i = line.first; i <= line.last; ++i) {
      if (row(i).kind == NestRow::Kind::kLoop) chips += chipWidth(look, row(i));
    }
    if (chips + (block ? nameWidth(look, line.last) : look.px(60)) <= room) {
      lines.push_back(line);
    } else if (block && line.last - line.first > 1 && chips + look.px(60) <= room) {
      lines.push_back({line.first, line.last - 1});
      lines.push_back({line.last, line.last});
    } else {
      for (int i = line.first; i <= line.last; ++i) lines.push_back({i, i});
    }
  }
  return lines;
}

// Gives the frames their heights and places; the height of all.
float NestBars::stack(const Look& look, std::vector<session::NestFrame>& frames) const {
  const float header = look.px(columns_ == Columns::kOne ? 22 : 26);
  for (session::NestFrame& frame : frames) {
    const std::size_t warned = warningOf(look, frame.line).size();
    frame.header = header + float(warned) * look.px(kNestWarning);
  }
  return session::stackFrames(frames, 0, look.px(kNestClosing), look.px(1)) + look.px(4);
}

// A block's mark, name and number.
float NestBars::nameWidth(const Look& look, int block) const {
  NestBar bar;
  bar.line = {block, block};
  fillTexts(bar);
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  const float width = ImGui::CalcTextSize(row(block).name.c_str()).x;
  ImGui::PopFont();
  const float numbers = columns_ == Columns::kThree ? look.px(330)
                        : columns_ == Columns::kTwo ? look.px(215)
                                                    : look.px(14) + numberWidth(look, bar);
  return look.px(9 + 6 + 1) + width + numbers;
}

float NestBars::left(const Look& look, const NestBar& bar) const {
  return look.px(kNestGutter) + float(bar.depth) * indent(look);
}

float NestBars::right(const Look& look) const { return width_ - look.px(kNestMargin); }

void NestBars::fillTexts(NestBar& bar) const {
  const NestRow& first = row(bar.line.first);
  const NestRow& last = row(bar.line.last);
  bar.item = fmt::format("###{}.{}{}", first.id.step, first.id.ordinal, first.kind == NestRow::Kind::kInit ? "i" : "");
  if (last.runs >= 0) bar.runs = columns_ == Columns::kThree ? numberText(last.runs) : countText(last.runs);
  if (last.flops >= 0) bar.work = flopsText(last.flops);
  if (last.bytes >= 0) {
    bar.moved = bytesText(last.bytes);
    if (const std::string route = session::routeText(last); !route.empty()) bar.moved += "  " + route;
  }
  if (!last.was) return;
  const session::PreviousFigures& was = *last.was;
  if (was.runs >= 0 && was.runs != last.runs)
    bar.runsWas = columns_ == Columns::kThree ? numberText(was.runs) : countText(was.runs);
  if (was.flops >= 0 && was.flops != last.flops) bar.workWas = flopsText(was.flops);
  if (was.bytes >= 0 && was.bytes != last.bytes) bar.movedWas = bytesText(was.bytes);
}

// Each in two lines where one is too short; the scroll bar's room is kept, so that it changes nothing when it comes.
std::vector<std::string> NestBars::warningOf(const Look& look, const session::NestLine& line) const {
  std::vector<std::string> texts;
  if (std::string text = notation::repetitionText(row(line.last), look.language); !text.empty())
    texts.push_back(std::move(text));
  for (int i = line.first; i <= line.last; ++i)
    for (const Message& sentence : row(i).unheeded) texts.push_back(look.tell(sentence));
  const float room = right(look) - look.px(kNestGutter) - indent(look) * float(row(line.first).depth) - look.px(9 + 6) -
                     ImGui::GetStyle().ScrollbarSize;
  std::vector<std::string> lines;
  ImGui::PushFont(nullptr, window::kUnitSize);
  for (std::string text : texts) {
    text = "! " + text;
    const bool fits = ImGui::CalcTextSize(text.c_str()).x <= room;
    const char* end =
        ImGui::GetFont()->CalcWordWrapPosition(ImGui::GetFontSize(), text.data(), text.data() + text.size(), room);
    const auto cut = std::size_t(end - text.data());
    const std::size_t rest =
        fits || cut == 0 || cut >= text.size() ? std::string::npos : text.find_first_not_of(' ', cut);
    if (rest == std::string::npos) {
      lines.push_back(text);
    } else {
      lines.push_back(text.substr(0, cut));
      lines.push_back(text.substr(rest));
    }
  }
  ImGui::PopFont();
  return lines;
}

NestBars::Key NestBars::keyOf(const NestBar& bar) const {
  return {first(bar).id, first(bar).kind == NestRow::Kind::kInit};
}

const std::string& NestBars::oneNumber(const NestBar& bar) const {
  return row(bar.line.last).kind != NestRow::Kind::kLoop && !bar.moved.empty() ? bar.moved : bar.runs;
}

float NestBars::numberWidth(const Look& look, const NestBar& bar) const {
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  const float width = ImGui::CalcTextSize(oneNumber(bar).c_str()).x;
  ImGui::PopFont();
  return width;
}

}  // namespace loom::panels
