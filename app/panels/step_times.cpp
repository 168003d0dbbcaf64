#include "app/panels/step_times.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/panels/dot.h"
#include "app/panels/empty.h"
#include "app/panels/rich_text.h"
#include "app/panels/short_step.h"
#include "app/panels/side_labels.h"
#include "app/panels/state_text.h"
#include "app/panels/time_text.h"
#include "app/text/performance.h"
#include "app/window/layouts.h"
#include "app/window/look.h"
#include "app/workbench/workbench.h"

namespace loom::panels {

namespace words = text::performance;
using window::Tone;

namespace {

// A share of the vendor's throughput in percent; below a thousandth its digits say nothing.
std::string percent(double share) {
  return share * 100 < 0.001 ? "<0.001"
         : share * 100 < 1   ? fmt::format("{:.3f}", share * 100)
                             : figureText(share * 100);
}

// Did it outlast its deadline, so that only a bound is known?
bool isSlow(const document::Timed* timed) {
  return timed != nullptr && timed->result && timed->result->outcome.status == gpu::Outcome::Status::Deadline;
}

constexpr float kStateWidth = 108;

// A cell of a table, to the right.
void cell(const window::Look& look, const std::string& text) {
  ImGui::TableNextColumn();
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopFont();
}

}  // namespace

void StepTimes::draw(PanelContext& context) {
  follow(context);
  drawHead(context);
  if (listed_.empty() && vendor_ == 0) {
    drawEmpty(context, words::kNoTimes);
    return;
  }
  const window::Look& look = context.look;
  const ImVec2 space = ImGui::GetContentRegionAvail();
  const bool wide = space.x > look.px(760);
  const float plotWidth = wide ? space.x * 0.46F : space.x;
  // Where the panel is low, it scrolls: a plot without height says nothing.
  const float plotHeight = std::max(wide ? space.y : space.y * 0.5F, look.px(120));
  drawPlot(context, plotWidth, plotHeight);
  if (wide) {
    ImGui::SameLine();
  }
  drawTable(context);
}

void StepTimes::follow(PanelContext& context) {
  const workbench::Workbench& bench = *context.workbench;
  if (opened_ == bench.opened() && revision_ == bench.revision()) {
    return;
  }
  opened_ = bench.opened();
  revision_ = bench.revision();
  vendor_ = bench.vendor() && bench.vendor()->outcome.available ? bench.vendor()->outcome.timing.median : 0;
  flops_ = bench.matmul() ? bench.matmul()->flops() : 0;
  throughput_ = throughput_ && flops_ > 0;
  auto time = [&](int node) -> std::optional<double> {
    const document::Timed* timed = bench.timed(node);
    const bool measured =
        timed != nullptr && timed->result && timed->result->outcome.status == gpu::Outcome::Status::Measured;
    return measured ? std::optional(timed->result->outcome.timing.median) : std::nullopt;
  };
  rows_ = workbench::speedUps(bench.history(), time, vendor_);
  rowAt_.assign(bench.history().nodes().size(), -1);
  for (std::size_t i = 0; i < rows_.size(); ++i) rowAt_[static_cast<std::size_t>(rows_[i].node)] = static_cast<int>(i);
  removed_.clear();
  for (const document::Node& node : bench.history().nodes()) {  // a parent stands before its children
    removed_.push_back(node.deleted || (node.parent >= 0 && removed_[static_cast<std::size_t>(node.parent)]));
  }
  listed_.clear();
  for (std::size_t i = 0; i < rowAt_.size(); ++i) {
    if (!removed_[i] && (rowAt_[i] >= 0 || isSlow(bench.timed(static_cast<int>(i))))) {
      listed_.push_back(static_cast<int>(i));
    }
  }
  peaks_.clear();
  if (const auto device = bench.modelDevice(); device && *device) {
    for (workbench::Ceiling& c : workbench::ceilingsOf(**device, bench.matmul()))
      if (!c.traffic) peaks_.push_back(std::move(c));
  } else if (!device) {
    bench.stateModel(bench.current(), workbench::ModelDepth::kWritten);  // brings it
  }
  lastStep_ = 1;
  for (const document::Node& node : bench.history().nodes()) {
    lastStep_ = std::max(lastStep_, node.number);
  }
}

const workbench::SpeedUp* StepTimes::rowOf(int node) const {
  const auto at = static_cast<std::size_t>(node);
  return at < rowAt_.size() && rowAt_[at] >= 0 ? &rows_[static_cast<std::size_t>(rowAt_[at])] : nullptr;
}

void StepTimes::drawHead(PanelContext& context) {
  const window::Look& look = context.look;
  workbench::Workbench& bench = *context.workbench;
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);  // else the one not chosen is a blot
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {look.px(8), look.px(1)});
  if (flops_ > 0) {
    if (ImGui::RadioButton(window::windowName(look.say(words::kThroughput), "throughput").c_str(), throughput_)) {
      throughput_ = true;
    }
    ImGui::SameLine();
  }
  if (ImGui::RadioButton(window::windowName(look.say(words::kTime), "time").c_str(), !throughput_)) {
    throughput_ = false;
  }
  ImGui::PopStyleVar(2);
  ImGui::SameLine();
  const bool measuring = bench.activity().kind == workbench::Activity::Kind::kMeasuring;
  if (measuring) {
    if (ImGui::SmallButton(window::windowName(look.say(words::kCancel), "cancel").c_str())) {
      bench.cancel();
    }
    ImGui::SameLine();
  } else if (bench.device().here) {
    if (ImGui::SmallButton(window::windowName(look.say(words::kMeasure), "measure").c_str())) {
      bench.measure({});
    }
    ImGui::SameLine();
  }
  std::string note = look.say(words::kLegend);
  if (const document::Timed* timed = listed_.empty() ? nullptr : bench.timed(listed_.front())) {
    note = originText(look, *timed) + " · " + note;  // said before any number is read
  }
  if (measuring) {
    note = look.tell(bench.activity().text);
  } else if (bench.device().problem) {
    note += " · " + fmt::format(fmt::runtime(look.say(words::kNoDevice)), look.tell(bench.device().problem->message));
  }
  ImGui::PushFont(nullptr, window::kUnitSize);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextFaint));
  drawWrapped(note);
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void StepTimes::drawPlot(PanelContext& context, float width, float height) {
  const window::Look& look = context.look;
  workbench::Workbench& bench = *context.workbench;
  const document::History& history = bench.history();
  std::vector<double> values;  // of the whole history, so that the axes stay
  for (const workbench::SpeedUp& row : rows_) {
    values.push_back(shown(row.microseconds));
  }
  if (vendor_ > 0) {
    values.push_back(shown(vendor_));
  }
  decades_ = workbench::decadesAround(values);

  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton("###plot", {std::max(width, 1.0F), std::max(height, 1.0F)});
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  const float line = ImGui::GetTextLineHeight();
  const ImVec2 low{corner.x + look.px(44), corner.y + look.px(8)};
  const float labels = vendor_ > 0 || !peaks_.empty() ? look.px(104) : look.px(8);
  const ImVec2 high{corner.x + width - labels, corner.y + height - line - look.px(4)};
  const float stepWidth = (high.x - low.x) / static_cast<float>(lastStep_ + 1);
  auto x = [&](int step) { return low.x + stepWidth * (static_cast<float>(step) + 0.5F); };
  auto y = [&](double value) {
    const double share = (std::log10(value) - decades_.low) / (decades_.high - decades_.low);
    return high.y - static_cast<float>(share) * (high.y - low.y);
  };

  // The current step's column, the decades, the steps.
  const ImU32 faint = look.paint(Tone::kTextFaint);
  const int current = bench.current();
  const float half = std::max(stepWidth * 0.5F, look.px(4));
  draw.AddRectFilled({x(history.node(current).number) - half, low.y}, {x(history.node(current).number) + half, high.y},
                     look.paint(Tone::kHovered));
  for (int decade = decades_.low; decade <= decades_.high; ++decade) {
    const float at = y(std::pow(10.0, decade));
    draw.AddLine({low.x, at}, {high.x, at}, look.paint(Tone::kLine));
    const std::string label = fmt::format("{:g}", std::pow(10.0, decade));
    draw.AddText({low.x - ImGui::CalcTextSize(label.c_str()).x - look.px(6), at - line / 2}, faint, label.c_str());
  }
  const float labelWidth = ImGui::CalcTextSize("000").x + look.px(6);
  const int every = std::max(1, static_cast<int>(std::ceil(labelWidth / stepWidth)));
  for (int step = 0; step <= lastStep_; step += every) {
    const std::string label = std::to_string(step);
    draw.AddText({x(step) - ImGui::CalcTextSize(label.c_str()).x / 2, high.y + look.px(4)},
                 step == history.node(current).number ? look.paint(Tone::kText) : faint, label.c_str());
  }
  std::vector<SideLabel> beside;
  if (throughput_) {
    for (const workbench::Ceiling& peak : peaks_) {
      if (const double at = std::log10(peak.value); at > decades_.high || at < decades_.low) continue;
      draw.AddLine({low.x, y(peak.value)}, {high.x, y(peak.value)}, look.paint(Tone::kTextFaint, 0.7F));
      beside.push_back({y(peak.value), fmt::format("{} {:.0f}", peak.name.substr(0, peak.name.find(' ')), peak.value)});
    }
  }
  if (vendor_ > 0) {
    const float at = y(shown(vendor_));
    dashed(draw, {low.x, at}, high.x, look.paint(Tone::kText), look.px(6));
    beside.push_back({at, "cuBLASLt " + figureText(shown(vendor_)), Tone::kText});
  }

  drawSideLabels(look, high.x, labels, low.y, high.y + line, std::move(beside));

  // Lines along each branch from a measured state to the closest measured one before it; faint where states between
  // have no time.
  std::vector<bool> onPaths(history.nodes().size());
  for (int on : history.path(current)) onPaths[static_cast<std::size_t>(on)] = true;
  int nearest = -1;
  float nearestDistance = look.px(24) * look.px(24);
  const ImVec2 mouse = ImGui::GetMousePos();
  for (int index = 0; index < static_cast<int>(history.nodes().size()); ++index) {
    if (static_cast<std::size_t>(index) < removed_.size() && removed_[static_cast<std::size_t>(index)]) {
      continue;
    }
    const document::Node& node = history.node(index);
    const bool onPath = onPaths[static_cast<std::size_t>(index)];
    const workbench::SpeedUp* row = rowOf(index);
    const ImU32 colour = look.paint(onPath ? Tone::kText : Tone::kTextFaint);
    ImVec2 at{x(node.number), high.y - look.px(4)};
    if (row == nullptr && isSlow(bench.timed(index))) {
      // Beyond the slow end of the axis: it points there.
      const float out = look.px(throughput_ ? 3.0F : -3.0F);
      at.y = throughput_ ? at.y : low.y + look.px(4);
      draw.AddTriangleFilled({at.x - look.px(3), at.y - out}, {at.x + look.px(3), at.y - out}, {at.x, at.y + out},
                             colour);
    } else if (row == nullptr) {
      drawDot(look, draw, at, look.px(2.5F), colour, false);
    } else {
      at.y = y(shown(row->microseconds));
      int earlier = node.parent;
      while (earlier >= 0 && rowOf(earlier) == nullptr) earlier = history.node(earlier).parent;
      if (earlier >= 0) {
        const ImVec2 from{x(history.node(earlier).number), y(shown(rowOf(earlier)->microseconds))};
        const bool next = earlier == node.parent;
        draw.AddLine(from, at, next ? colour : look.paint(Tone::kTextFaint, 0.6F), next ? look.px(1.5F) : 1.0F);
      }
      drawDot(look, draw, at, look.px(index == current ? 5 : 3), colour);
    }
    const float distance = (mouse.x - at.x) * (mouse.x - at.x) + (mouse.y - at.y) * (mouse.y - at.y);
    if (distance < nearestDistance) {
      nearestDistance = distance;
      nearest = index;
    }
  }
  if (const workbench::SpeedUp* row = rowOf(current)) {
    const std::string label =
        throughput_ ? figureText(shown(row->microseconds)) + " TFLOP/s" : timeText(row->microseconds);
    const float wide = ImGui::CalcTextSize(label.c_str()).x;
    ImVec2 at{x(history.node(current).number) + look.px(8), y(shown(row->microseconds)) - line - look.px(7)};
    at.x = std::min(at.x, high.x - wide);
    at.y = std::max(at.y, low.y);
    draw.AddRectFilled({at.x - look.px(3), at.y}, {at.x + wide + look.px(3), at.y + line},
                       look.paint(Tone::kPanel, 0.85F));
    draw.AddText(at, look.paint(Tone::kText), label.c_str());
  }
  ImGui::PopFont();
  for (const workbench::Ceiling& peak : peaks_) {
    if (!hovered || nearest >= 0 || !throughput_ || std::abs(mouse.y - y(peak.value)) > look.px(4)) continue;
    ImGui::SetTooltip("%s: %.0f TFLOP/s (%s)\n%s", peak.name.c_str(), peak.value,
                      look.say(peak.measured ? words::kMeasuredRoof : words::kSheetRoof),
                      look.tell(peak.source).c_str());
  }
  if (hovered && nearest >= 0) {
    const document::Timed* timed = bench.timed(nearest);
    std::string tip = fmt::format("{}  {}", history.node(nearest).number, stateTitle(look, history.node(nearest)));
    if (timed != nullptr && rowOf(nearest) == nullptr) {
      const std::string why = timed->result    ? timed->result->outcome.message
                              : timed->problem ? timed->problem->message
                                               : std::string();
      tip += "\n" + look.tell(why) + (timed->result ? "\n" + originText(look, *timed) : "");
    } else if (timed != nullptr && timed->result) {
      const gpu::Timing& timing = timed->result->outcome.timing;
      tip += fmt::format("\n{}\n", timeText(timing.median)) +
             fmt::format(fmt::runtime(look.say(words::kQuartiles)), figureText(timing.low), figureText(timing.high),
                         timing.samples) +
             "\n" + originText(look, *timed);
    }
    ImGui::SetTooltip("%s", tip.c_str());
    if (clicked) {
      bench.select(nearest);
    }
  }
}

void StepTimes::drawTableRow(PanelContext& context, int index) {
  const window::Look& look = context.look;
  workbench::Workbench& bench = *context.workbench;
  const document::Node& node = bench.history().node(index);
  const workbench::SpeedUp* row = rowOf(index);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushID(index);
  if (ImGui::Selectable(std::to_string(node.number).c_str(), index == bench.current(),
                        ImGuiSelectableFlags_SpanAllColumns)) {
    bench.select(index);
  }
  ImGui::PopID();
  ImGui::TableNextColumn();
  fittedText(stateTitle(look, node), look.px(kStateWidth));
  if (row == nullptr) {
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextFaint));
    cell(look, look.say(words::kTooSlow));
    for (int column = 0; column < 4; ++column) cell(look, "–");
    ImGui::PopStyleColor();
  } else {
    cell(look, timeText(row->microseconds));
    cell(look, flops_ > 0 ? figureText(flops_ / row->microseconds * 1e-6) : "–");
    cell(look, row->overPrevious ? figureText(*row->overPrevious) : "–");
    cell(look, figureText(row->overFirst));
    cell(look, row->vendorShare ? percent(*row->vendorShare) : "–");
  }
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(tableOrigin(look, bench, index).c_str());
}

// Where a row's time is from; before it, why there is none.
std::string StepTimes::tableOrigin(const window::Look& look, const workbench::Workbench& bench, int node) const {
  const document::Timed* timed = bench.timed(node);
  if (timed == nullptr || !timed->result) return "";
  const std::string why = rowOf(node) == nullptr ? look.tell(timed->result->outcome.message) + " · " : "";
  return why + originText(look, *timed);
}

float StepTimes::originWidth(const window::Look& look, const workbench::Workbench& bench) const {
  float width = 0;
  for (const int node : listed_) {
    width = std::max(width, ImGui::CalcTextSize(tableOrigin(look, bench, node).c_str()).x);
  }
  return width;
}

void StepTimes::drawTable(PanelContext& context) {
  const window::Look& look = context.look;
  workbench::Workbench& bench = *context.workbench;
  constexpr ImGuiTableFlags kFlags =
      ImGuiTableFlags_ScrollY | ImGuiTableFlags_ScrollX | ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit;
  ImGui::PushFont(nullptr, window::kSecondarySize);
  const ImVec2 space = ImGui::GetContentRegionAvail();
  // Widths are kept by name: those of another scale do not fit.
  const std::string name = fmt::format("###speedups{:.0f}", look.scale * 100);
  if (ImGui::BeginTable(name.c_str(), 8, kFlags, {space.x, std::max(space.y, look.px(110))})) {
    ImGui::TableSetupScrollFreeze(0, 1);
    const std::string share = fmt::format(fmt::runtime(look.say(words::kVendorShare)), "cuBLASLt");
    const char* names[] = {look.say(words::kStep),
                           look.say(words::kState),
                           look.say(words::kTimeOf),
                           "TFLOP/s",
                           look.say(words::kPrevious),
                           look.say(words::kFirst),
                           share.c_str(),
                           look.say(words::kOrigin)};
    // Widths don't follow the rows in view: only those are drawn, and columns must not jump.
    const float figures = ImGui::CalcTextSize("0.000000").x;
    for (int column = 0; column < 8; ++column) {
      const float width = column == 0   ? 0
                          : column == 1 ? look.px(kStateWidth)
                          : column == 7 ? originWidth(look, bench)
                                        : std::max(figures, ImGui::CalcTextSize(names[column]).x);
      ImGui::TableSetupColumn(names[column], ImGuiTableColumnFlags_WidthFixed, width);
    }
    ImGui::TableHeadersRow();
    const auto now = std::find(listed_.begin(), listed_.end(), bench.current());
    const bool scroll = scrolledTo_ != bench.current() && now != listed_.end();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(listed_.size()));
    if (scroll) clipper.IncludeItemByIndex(static_cast<int>(now - listed_.begin()));
    while (clipper.Step()) {
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
        const int node = listed_[static_cast<std::size_t>(i)];
        drawTableRow(context, node);
        if (scroll && node == bench.current()) ImGui::SetScrollHereY(0.5F);
      }
    }
    scrolledTo_ = bench.current();
    if (vendor_ > 0) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(fmt::format("cuBLASLt {}", bench.vendor()->outcome.version).c_str());
      const std::string throughput = flops_ > 0 ? figureText(flops_ / vendor_ * 1e-6) : "–";
      for (const std::string& figures :
           {timeText(vendor_), throughput, std::string("–"), std::string("–"), std::string("100")}) {
        cell(look, figures);
      }
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(
          originText(look, bench.vendor()->origin, bench.vendor()->device, bench.vendor()->date).c_str());
    }
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

}  // namespace loom::panels
