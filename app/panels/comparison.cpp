#include "app/panels/comparison.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/panels/panel_text.h"
#include "app/panels/quantity_text.h"
#include "app/panels/state_text.h"
#include "app/panels/time_text.h"
#include "app/text/performance.h"
#include "app/window/look.h"
#include "app/workbench/workbench.h"

namespace loom::panels {

namespace words = text::performance;
using window::Look;
using window::Tone;
using workbench::ComparedFigure;
using workbench::ComparedRow;
using Kind = ComparedFigure::Kind;

namespace {

const text::Text& nameOf(Kind kind) {
  static const text::Text* const kNames[] = {
      &words::kMeasuredFigure, &words::kPredictedFigure, &words::kPipeFigure,        &words::kLaunchFigure,
      &words::kBlocksFigure,   &words::kThreadsFigure,   &words::kRegistersFigure,   &words::kSpillsFigure,
      &words::kSharedFigure,   &words::kOccupancyFigure, &words::kFitFigure,         &words::kWavesFigure,
      &words::kTrafficFigure,  &words::kIntensityFigure, &words::kLoadFigure,        &words::kStoreFigure,
      &words::kConflictFigure, &words::kWaysFigure,      &words::kInstructionsFigure};
  return *kNames[int(kind)];
}

std::string valueText(Kind kind, const std::optional<double>& value) {
  if (!value) return "–";
  switch (kind) {
    case Kind::kMeasured:
    case Kind::kPredicted:
    case Kind::kPipe:
    case Kind::kLaunch: return timeText(*value);
    case Kind::kSpills:
    case Kind::kShared:
    case Kind::kTraffic: return bytesText(*value);
    case Kind::kOccupancy: return fmt::format("{:.0f} %", *value);
    case Kind::kIntensity:
    case Kind::kLoadSectors:
    case Kind::kStoreSectors:
    case Kind::kWaves: return figureText(*value);
    default: return countText(*value);
  }
}

// "global → shared" is said part by part.
std::string labelText(const Look& look, const std::string& label) {
  constexpr std::string_view kArrow = " → ";
  if (const std::size_t at = label.find(kArrow); at != std::string::npos)
    return labelText(look, label.substr(0, at)) + std::string(kArrow) +
           labelText(look, label.substr(at + kArrow.size()));
  for (const words::FigureLabel& known : words::kFigureLabels)
    if (label == known.label) return look.say(known.words);
  return look.tell(label);
}

// How many times as much, or as little.
std::string factorText(double ratio) { return ratio < 1 ? "÷ " + figureText(1 / ratio) : "× " + figureText(ratio); }

bool isKernel(workbench::Workbench& bench, int node) {
  const auto derived = bench.derived(node);
  return derived && !derived->kernel.problem && !bench.history().node(node).deleted;
}

std::string named(const Look& look, const document::Node& node) {
  return fmt::format("{}  {}", node.number, stateTitle(look, node));
}

}  // namespace

void Comparison::choose(PanelContext& context) {
  workbench::Workbench& bench = *context.workbench;
  const Look& look = context.look;
  if (opened_ != bench.opened()) {
    opened_ = bench.opened();
    revision_ = ~std::uint64_t{0};
  }
  against_ = bench.comparedWith();
  if (against_ == bench.current()) against_ = -1;
  if (against_ < 0 || against_ >= int(bench.history().nodes().size())) {
    against_ = bench.node().parent;
    while (against_ >= 0 && !isKernel(bench, against_)) against_ = bench.history().node(against_).parent;
  }
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(look.say(words::kCompareWith));
  ImGui::SameLine();
  ImGui::SetNextItemWidth(std::min(look.px(280), ImGui::GetContentRegionAvail().x * 0.6F));
  const std::string shown =
      against_ >= 0 ? named(look, bench.history().node(against_)) : std::string(look.say(words::kNothingToCompare));
  if (ImGui::BeginCombo("###other", shown.c_str())) {
    for (int i = 0; i < int(bench.history().nodes().size()); ++i) {
      if (i == bench.current() || !isKernel(bench, i)) continue;
      ImGui::PushID(i);
      std::string label = named(look, bench.history().node(i));
      if (const auto* measured = bench.measured(i)) label += "   " + timeText(measured->timing.median);
      if (ImGui::Selectable((label + "###state").c_str(), i == against_)) bench.compareWith(against_ = i);
      ImGui::PopID();
    }
    ImGui::EndCombo();
  }
  ImGui::SameLine();
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
  ImGui::Checkbox(fmt::format("{}###different", look.say(words::kOnlyDifferent)).c_str(), &onlyDifferent_);
  ImGui::PopStyleVar();
}

void Comparison::follow(PanelContext& context) {
  workbench::Workbench& bench = *context.workbench;
  if (revision_ == bench.revision() && current_ == bench.current()) return;
  revision_ = bench.revision();
  current_ = bench.current();
  auto figures = [&](int node) {
    std::vector<ComparedFigure> all;
    if (const auto* measured = bench.measured(node))
      all.push_back({Kind::kMeasured, "", measured->timing.median, originText(context.look, *bench.timed(node))});
    if (const auto model = bench.stateModel(node, workbench::ModelDepth::kMachineCode)) {
      all.insert(all.end(), model->performance.figures.begin(), model->performance.figures.end());
    } else {
      waiting_ = true;
    }
    return all;
  };
  waiting_ = false;
  auto origin = [&](int node) -> std::optional<gpu::ResultOrigin> {
    if (!bench.measured(node)) return {};
    return bench.timed(node)->result->origin;
  };
  const auto then = origin(against_), now = origin(current_);
  const auto one = now ? now : then;
  timeName_ = (then && now && *then != *now)       ? &words::kTimeOf
              : one == gpu::ResultOrigin::Recorded ? &words::kRecordedFigure
                                                   : &words::kMeasuredFigure;
  rows_ = workbench::compared(figures(against_), figures(current_));
}

void Comparison::drawRow(const Look& look, const ComparedRow& row) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  std::string name = look.say(row.kind == Kind::kMeasured ? *timeName_ : nameOf(row.kind));
  if (!row.label.empty()) {
    const bool labelled = row.kind == Kind::kTraffic;
    name = labelled ? fmt::format("{}, {}", labelText(look, row.label), name) : name + " " + labelText(look, row.label);
  }
  const Tone tone = row.differs ? Tone::kText : Tone::kTextFaint;
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(tone));
  ImGui::TextUnformatted(name.c_str());
  if (!row.how.empty()) ImGui::SetItemTooltip("%s", look.tell(row.how).c_str());
  ImGui::TableNextColumn();
  drawRight(valueText(row.kind, row.before));
  ImGui::TableNextColumn();
  drawRight(valueText(row.kind, row.after));
  ImGui::PopStyleColor();
  ImGui::TableNextColumn();
  if (!row.differs) return;
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kChanged));
  const bool both = row.before && row.after && *row.before > 0 && *row.after > 0;
  drawRight(both                       ? factorText(*row.after / *row.before)
            : row.after && !row.before ? "+"
            : row.before && !row.after ? "−"
                                       : "~");
  ImGui::PopStyleColor();
}

void Comparison::draw(PanelContext& context) {
  const Look& look = context.look;
  workbench::Workbench& bench = *context.workbench;
  ImGui::PushFont(nullptr, window::kSecondarySize);
  const int before = against_;
  choose(context);
  if (before != against_) revision_ = ~std::uint64_t{0};
  if (against_ < 0) {
    ImGui::PopFont();
    return;
  }
  follow(context);
  constexpr ImGuiTableFlags kFlags =
      ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_ScrollX;
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  const float height = std::max(ImGui::GetContentRegionAvail().y, look.px(110));
  if (ImGui::BeginTable(fmt::format("###compared{:.0f}", look.scale * 100).c_str(), 4, kFlags, {0, height})) {
    ImGui::TableSetupScrollFreeze(0, 1);
    const std::string then = std::to_string(bench.history().node(against_).number);
    const std::string now = fmt::format("{} ({})", bench.node().number, look.say(words::kNow));
    ImGui::TableSetupColumn(look.say(words::kFigure), ImGuiTableColumnFlags_WidthFixed, look.px(250));
    ImGui::TableSetupColumn(then.c_str(), ImGuiTableColumnFlags_WidthFixed, look.px(110));
    ImGui::TableSetupColumn(now.c_str(), ImGuiTableColumnFlags_WidthFixed, look.px(110));
    ImGui::TableSetupColumn(look.say(words::kTimesColumn), ImGuiTableColumnFlags_WidthFixed, look.px(90));
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    for (const char* head : {look.say(words::kFigure), then.c_str(), now.c_str(), look.say(words::kTimesColumn)}) {
      ImGui::TableNextColumn();
      if (head == look.say(words::kFigure))
        ImGui::TextUnformatted(head);
      else
        drawRight(head);
    }
    for (const ComparedRow& row : rows_)
      if (row.differs || !onlyDifferent_) drawRow(look, row);
    ImGui::EndTable();
  }
  if (waiting_) drawSecond(look, look.say(words::kModelling));
  ImGui::PopFont();
  ImGui::PopFont();
}

}  // namespace loom::panels
