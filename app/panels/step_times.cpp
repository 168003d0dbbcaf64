#include "app/panels/step_times.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "app/panels/empty.h"
#include "app/panels/panel_text.h"
#include "app/panels/short_step.h"
#include "app/panels/state_text.h"
#include "app/panels/time_text.h"
#include "app/text/performance.h"
#include "app/window/layouts.h"
#include "app/window/look.h"
#include "app/window/small_button.h"
#include "app/workbench/workbench.h"

namespace loom::panels {

namespace words = text::performance;
using window::Tone;

namespace {

constexpr float kLeastState = 108;  // design px
constexpr float kMark = 7;          // left of a row: the current state, the one compared with

}  // namespace

bool StepTimes::isSlow(const document::Timed* timed) {
  return timed != nullptr && timed->result && timed->result->outcome.status == gpu::Outcome::Status::Deadline;
}

void StepTimes::draw(PanelContext& context) {
  follow(context);
  drawHead(context);
  if (listed_.empty() && vendor_ == 0) {
    drawEmpty(context, words::kNoTimes);
    return;
  }
  const window::Look& look = context.look;
  const ImVec2 space = ImGui::GetContentRegionAvail();
  // Beside each other also where the panel is low: one under the other neither would have height.
  const bool low = space.y < look.px(240);
  const bool wide = space.x > look.px(low ? 400 : 760);
  const float plotWidth = wide ? space.x * (space.x > look.px(760) ? 0.46F : 0.54F) : space.x;
  const float plotHeight = std::max(wide ? space.y : space.y * 0.5F, look.px(wide ? 76 : 120));
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
    const gpu::Outcome* measured = bench.measured(node);
    return measured ? std::optional(measured->timing.median) : std::nullopt;
  };
  rows_ = workbench::speedUps(bench.history(), time, vendor_);
  rowAt_.assign(bench.history().nodes().size(), -1);
  for (std::size_t i = 0; i < rows_.size(); ++i) rowAt_[static_cast<std::size_t>(rows_[i].node)] = static_cast<int>(i);
  hidden_ = bench.history().hidden();
  listed_.clear();
  for (std::size_t i = 0; i < rowAt_.size(); ++i) {
    if (!hidden_[i] && (rowAt_[i] >= 0 || isSlow(bench.timed(static_cast<int>(i))))) {
      listed_.push_back(static_cast<int>(i));
    }
  }
  // Rows that were looked up meanwhile have moved the current one; measured ones come while one reads.
  if (std::exchange(rowsSeen_, listed_.size()) != listed_.size() &&
      bench.activity().kind != workbench::Activity::Kind::kMeasuring) {
    scrolledTo_ = -1;
  }
  oneOrigin_ = haveOneOrigin(bench);
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
    if (window::smallButton(window::windowName(look.say(words::kCancel), "cancel").c_str())) {
      bench.cancel();
    }
    ImGui::SameLine();
  } else if (bench.device().here) {
    if (window::smallButton(window::windowName(look.say(words::kMeasure), "measure").c_str())) {
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
  fittedText(note, ImGui::GetContentRegionAvail().x);  // one line: what is below keeps its place
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void StepTimes::drawTableRow(PanelContext& context, int index) {
  const window::Look& look = context.look;
  workbench::Workbench& bench = *context.workbench;
  const document::Node& node = bench.history().node(index);
  const workbench::SpeedUp* row = rowOf(index);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushID(index);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + look.px(kMark));
  if (ImGui::Selectable(std::to_string(node.number).c_str(), index == bench.current(),
                        ImGuiSelectableFlags_SpanAllColumns)) {
    bench.select(index);
  }
  if (const std::string origin = tableOrigin(look, bench, index); !origin.empty()) {
    ImGui::SetItemTooltip("%s\n%s", stateTitle(look, node).c_str(), origin.c_str());
  }
  const bool other = index == bench.comparedWith();
  if (other || index == bench.current()) {
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    ImGui::GetWindowDrawList()->AddRectFilled(from, {from.x + look.px(3), to.y},
                                              look.paint(other ? Tone::kChanged : Tone::kSelected));
  }
  ImGui::PopID();
  ImGui::TableNextColumn();
  if (other) ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kChanged));
  fittedText(stateTitle(look, node), stateWidth_);
  if (other) ImGui::PopStyleColor();
  if (row == nullptr) {
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextFaint));
    drawFigureCell(look, look.say(words::kTooSlow));
    for (int column = 0; column < 4; ++column) drawFigureCell(look, "–");
    ImGui::PopStyleColor();
  } else {
    drawFigureCell(look, timeText(row->microseconds));
    drawFigureCell(look, flops_ > 0 ? figureText(flops_ / row->microseconds * 1e-6) : "–");
    drawFigureCell(look, row->overPrevious ? figureText(*row->overPrevious) : "–");
    drawFigureCell(look, figureText(row->overFirst));
    drawFigureCell(look, row->vendorShare ? percentText(*row->vendorShare) : "–");
  }
  if (oneOrigin_) return;
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(tableOrigin(look, bench, index).c_str());
}

bool StepTimes::haveOneOrigin(const workbench::Workbench& bench) const {
  using Origin = std::tuple<gpu::ResultOrigin, std::string, std::string>;
  std::set<Origin> origins;
  for (const int node : listed_) {
    const document::Timed* timed = bench.timed(node);
    if (timed != nullptr && timed->result) origins.emplace(timed->result->origin, timed->device, timed->result->date);
  }
  if (vendor_ > 0) origins.emplace(bench.vendor()->origin, bench.vendor()->device, bench.vendor()->date);
  return origins.size() <= 1;
}

// Names of figures stand over them, to the right.
void StepTimes::drawTableHead(const char* const* names, int columns) const {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int column = 0; column < columns; ++column) {
    if (!ImGui::TableSetColumnIndex(column)) continue;
    const bool figure = column >= 2 && column < 7;
    const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(names[column]).x;
    if (figure) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room));
    ImGui::TableHeader(names[column]);
  }
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
  const int columns = oneOrigin_ ? 7 : 8;
  if (ImGui::BeginTable(name.c_str(), columns, kFlags, {space.x, std::max(space.y, look.px(76))})) {
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
    float widths[8] = {}, taken = 0;
    for (int column = 0; column < columns; ++column) {
      const float word = ImGui::CalcTextSize(names[column]).x;
      widths[column] = column == 0   ? std::max(word, ImGui::CalcTextSize("000").x + look.px(kMark))
                       : column == 1 ? 0
                       : column == 7 ? originWidth(look, bench)
                                     : std::max(figures, word);
      taken += widths[column] + 2 * ImGui::GetStyle().CellPadding.x;
    }
    stateWidth_ = std::max(look.px(kLeastState), space.x - taken - ImGui::GetStyle().ScrollbarSize - look.px(2));
    widths[1] = stateWidth_;
    for (int column = 0; column < columns; ++column) {
      ImGui::TableSetupColumn(names[column], ImGuiTableColumnFlags_WidthFixed, widths[column]);
    }
    drawTableHead(names, columns);
    const auto now = std::find(listed_.begin(), listed_.end(), bench.current());
    const bool scroll = scrolledTo_ != bench.current() && now != listed_.end();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(listed_.size()));
    if (scroll) clipper.IncludeItemByIndex(static_cast<int>(now - listed_.begin()));
    while (clipper.Step()) {
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
        const int node = listed_[static_cast<std::size_t>(i)];
        drawTableRow(context, node);
      }
    }
    if (scroll && clipper.ItemsHeight > 0) {  // to the middle, whole rows below the head
      const float row = clipper.ItemsHeight, at = float(now - listed_.begin());
      const float above = std::floor((ImGui::GetWindowHeight() / row - 2) / 2);
      ImGui::SetScrollY(std::max(0.0F, at - above) * row);
    }
    if (now != listed_.end()) scrolledTo_ = bench.current();
    if (vendor_ > 0) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(fmt::format("cuBLASLt {}", bench.vendor()->outcome.version).c_str());
      const std::string throughput = flops_ > 0 ? figureText(flops_ / vendor_ * 1e-6) : "–";
      for (const std::string& figures :
           {timeText(vendor_), throughput, std::string("–"), std::string("–"), std::string("100")}) {
        drawFigureCell(look, figures);
      }
      if (!oneOrigin_) {
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(
            originText(look, bench.vendor()->origin, bench.vendor()->device, bench.vendor()->date).c_str());
      }
    }
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

}  // namespace loom::panels
