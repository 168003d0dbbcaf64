#include "app/panels/nest_bars.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/panels/axis_chip.h"
#include "app/panels/quantity_text.h"
#include "app/text/loop_nest.h"

namespace loom::panels {

namespace words = text::loop_nest;
using window::Look;
using workbench::NestRow;

NestBars::NestBars(const Look& look, std::shared_ptr<const workbench::LoopNest> shown, const std::vector<ir::Id>& open,
                   float width, float height)
    : nest_(std::move(shown)), width_(width) {
  columns_ = width >= look.px(640) ? Columns::kThree : width >= look.px(470) ? Columns::kTwo : Columns::kOne;
  const float header = look.px(columns_ == Columns::kOne ? 22 : 26);
  const workbench::LoopNest& nest = *nest_;
  const bool fold = float(nest.rows.size()) * header > height;
  std::vector<int> barOf(nest.rows.size(), -1);
  // A chain whose chips find no room is unfolded: it scrolls, nothing is cut.
  std::vector<workbench::NestLine> lines;
  for (const workbench::NestLine& line : workbench::nestLines(nest, fold, open)) {
    float needed = look.px(kNestGutter + 60) + indent(look) * float(row(line.first).depth);
    for (int i = line.first; i <= line.last; ++i) {
      if (row(i).kind == NestRow::Kind::kLoop) {
        needed += look.px(28.0F + 8.0F * float(std::to_string(row(i).extent).size()));
      }
    }
    if (needed <= width) {
      lines.push_back(line);
    } else {
      for (int i = line.first; i <= line.last; ++i) lines.push_back({i, i});
    }
  }
  for (const workbench::NestLine& line : lines) {
    NestBar bar;
    bar.line = line;
    const int parent = row(line.first).parent;
    bar.parent = parent >= 0 ? barOf[std::size_t(parent)] : -1;
    bar.depth = bar.parent >= 0 ? bars_[std::size_t(bar.parent)].depth + 1 : 0;
    for (int i = line.first; i <= line.last; ++i) barOf[std::size_t(i)] = int(bars_.size());
    fillTexts(look, bar);
    bar.header = header + (bar.warn.empty() ? 0 : look.px(kNestWarning));
    bars_.push_back(std::move(bar));
  }
  stack(look);
  if (total_ > height) width_ -= ImGui::GetStyle().ScrollbarSize;
}

float NestBars::left(const Look& look, const NestBar& bar) const {
  return look.px(kNestGutter) + float(bar.depth) * indent(look);
}

float NestBars::right(const Look& look) const { return width_ - look.px(kNestMargin); }

void NestBars::stack(const Look& look) {
  for (int i = int(bars_.size()) - 1; i >= 0; --i) {
    NestBar& bar = bars_[std::size_t(i)];
    bar.end = std::max(bar.end, i + 1);
    if (bar.parent >= 0) bars_[std::size_t(bar.parent)].end = std::max(bars_[std::size_t(bar.parent)].end, bar.end);
  }
  float y = 0;
  std::vector<int> around;
  auto close = [&](int before) {
    while (!around.empty() && bars_[std::size_t(around.back())].end <= before) {
      NestBar& bar = bars_[std::size_t(around.back())];
      if (bar.end > around.back() + 1) y += look.px(kNestClosing);
      bar.bottom = y;
      y += look.px(1);
      around.pop_back();
    }
  };
  for (int i = 0; i < int(bars_.size()); ++i) {
    close(i);
    bars_[std::size_t(i)].top = y;
    y += bars_[std::size_t(i)].header;
    around.push_back(i);
  }
  close(int(bars_.size()));
  total_ = y + look.px(4);
}

void NestBars::fillTexts(const Look& look, NestBar& bar) const {
  const NestRow& first = row(bar.line.first);
  const NestRow& last = row(bar.line.last);
  bar.item = fmt::format("###{}.{}{}", first.id.step, first.id.ordinal, first.kind == NestRow::Kind::kInit ? "i" : "");
  if (last.runs >= 0) bar.runs = columns_ == Columns::kThree ? grouped(last.runs) : countText(last.runs);
  if (last.flops >= 0) bar.work = flopsText(last.flops);
  if (last.bytes >= 0) {
    bar.moved = bytesText(last.bytes);
    if (last.copy) bar.moved += fmt::format("  {}→{}", letterOf(last.source), letterOf(last.target));
  }
  for (const workbench::Repetition& r : last.repeated) {
    if (!bar.warn.empty()) bar.warn += " · ";
    const auto& words = r.guarded ? words::kGuarded : last.flops > 0 ? words::kRepeatFlops : words::kRepeat;
    bar.warn +=
        fmt::format(fmt::runtime(look.say(words)), r.thread, r.extent,
                    flopsText(std::max(0.0, last.flops) * double(r.extent)), flopsText(std::max(0.0, last.flops)));
  }
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
