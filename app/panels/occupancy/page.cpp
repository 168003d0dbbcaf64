#include "app/panels/occupancy/page.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/panels/occupancy/clusters.h"
#include "app/panels/occupancy/parts.h"
#include "app/panels/performance/words.h"
#include "app/ui/look.h"
#include "app/ui/quantity_text.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/widgets/occupancy_text.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::performance;
using model::Limiter;
using model::OccupancyCurve;
using model::OccupancyResource;
using window::Look;
using window::Tone;

namespace {

const text::Text& wordOf(OccupancyResource want) {
  return want == OccupancyResource::Registers ? words::kRegistersAThread
         : want == OccupancyResource::Shared  ? words::kSharedABlock
                                              : words::kThreadsABlock;
}

// Several may allow as few blocks.
bool limits(const model::Occupancy& o, OccupancyResource want) {
  const int by = want == OccupancyResource::Registers ? o.byRegisters
                 : want == OccupancyResource::Shared  ? o.byShared
                                                      : o.byThreads;
  return by == o.blocks;
}

// 12.5 % is 13, as everywhere else.
std::string wholePercent(double share) { return std::to_string(std::lround(100 * share)); }

constexpr float kTwoLines = 104;  // design px of a curve that has room for a head of two lines

std::string amount(OccupancyResource want, std::int64_t value) {
  return want == OccupancyResource::Shared ? bytesText(double(value)) : numberText(value);
}

// `runs`: warps, where the grid has fewer than there is room for; else 0.
void drawCurve(const Look& look, const OccupancyCurve& c, bool limit, int runs, ImVec2 size,
               const OccupancyCurve* other) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::PushID(int(c.want));
  ImGui::InvisibleButton("###curve", size);
  const bool hovered = ImGui::IsItemHovered();
  ImGui::PopID();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  ImGui::PushFont(look.fonts.text, window::kUnitSize);
  const float line = ImGui::GetTextLineHeight();
  const bool known = c.want != OccupancyResource::Registers || c.now > 0;
  // Head: what it is, how much of it there is, whether it is the limit, and what another amount would give: in two
  // lines, or in one where the panel is low.
  const bool low = size.y < look.px(kTwoLines);
  std::string head = look.say(wordOf(c.want));
  if (known) head = named(look, head, amount(c.want, c.now));
  const text::Text& better = c.want == OccupancyResource::Threads ? words::kWouldGive : words::kAtMostWouldGive;
  const std::string second = !known                     ? look.say(words::kNotCompiled)
                             : c.better                 ? say(look, better, amount(c.want, *c.better), c.warpsBetter)
                             : c.warpsNow == c.maxWarps ? std::string(look.say(words::kMostAlready))
                             : c.want == OccupancyResource::Threads && c.gridThreads == 1
                                 ? std::string(look.say(words::kNothingBound))
                             : c.want == OccupancyResource::Threads ? say(look, words::kNoOtherSize, c.gridThreads)
                                                                    : std::string();
  const std::string axis = look.say(words::kWarpsAxis);
  const float axisWidth = ImGui::CalcTextSize(axis.c_str()).x;
  if (low && !second.empty()) head += " · " + second;
  const bool axisFits = low || ImGui::CalcTextSize(head.c_str()).x + axisWidth + look.px(10) < size.x;
  draw.AddText(corner, look.paint(limit ? Tone::kWarning : Tone::kText), ellipsized(head, size.x).c_str());
  if (!low) {
    draw.AddText({corner.x, corner.y + line}, look.paint(Tone::kTextSecond), ellipsized(second, size.x).c_str());
    if (axisFits) draw.AddText({corner.x + size.x - axisWidth, corner.y}, look.paint(Tone::kTextFaint), axis.c_str());
  }
  const ImVec2 least{corner.x + look.px(26), corner.y + (low ? 1.0F : 2.0F) * line + look.px(6)};
  const ImVec2 high{corner.x + size.x - look.px(8), corner.y + size.y - line - look.px(4)};
  // Amounts below the first that the curve knows (a block of 16 threads takes a whole warp) stand on the axis.
  const double from = c.want == OccupancyResource::Shared ? 0 : double(c.at.front()), to = double(c.at.back());
  auto x = [&](double at) {
    return least.x + float((std::clamp(at, from, to) - from) / (to - from)) * (high.x - least.x);
  };
  auto y = [&](double warps) { return high.y - float(warps / std::max(1, c.maxWarps)) * (high.y - least.y); };
  for (int quarter = 0; quarter <= 4; quarter += low ? 4 : 2) {
    const int warps = c.maxWarps * quarter / 4;
    draw.AddLine({least.x, y(warps)}, {high.x, y(warps)}, look.paint(Tone::kLine));
    const std::string label = std::to_string(warps);
    draw.AddText({least.x - ImGui::CalcTextSize(label.c_str()).x - look.px(8), y(warps) - line / 2},
                 look.paint(Tone::kTextFaint), label.c_str());
  }
  for (double at : {from, (from + to) / 2, to}) {
    const std::int64_t unit = c.want == OccupancyResource::Shared    ? 1024
                              : c.want == OccupancyResource::Threads ? 32
                                                                     : 1;
    const std::int64_t nearest = std::int64_t(at) / unit * unit;
    const std::string label = amount(c.want, nearest);
    const float width = ImGui::CalcTextSize(label.c_str()).x;
    draw.AddText({std::min(x(double(nearest)) - width / 2, high.x - width + look.px(8)), high.y + look.px(3)},
                 look.paint(Tone::kTextFaint), label.c_str());
  }
  std::vector<ImVec2> steps;  // level up to a value, then down: a point for each corner
  for (std::size_t i = 0; i < c.at.size(); ++i) {
    if (i > 0 && c.warps[i] != c.warps[i - 1]) {
      steps.push_back({x(double(c.at[i])), y(c.warps[i - 1])});
      steps.push_back({x(double(c.at[i])), y(c.warps[i])});
    } else if (i == 0 || i + 1 == c.at.size()) {
      steps.push_back({x(double(c.at[i])), y(c.warps[i])});
    }
  }
  draw.AddPolyline(steps.data(), int(steps.size()), look.paint(Tone::kTextSecond), 0, look.px(1.5F));
  // Of block sizes, those that this kernel's grid can be cut into.
  for (std::size_t i = 0; c.want == OccupancyResource::Threads && c.gridThreads > 0 && i < c.at.size(); ++i)
    if (c.divides(c.at[i]) && c.warps[i] > 0)
      draw.AddCircleFilled({x(double(c.at[i])), y(c.warps[i])}, look.px(2), look.paint(Tone::kTextSecond));
  if (known) {
    const ImVec2 at{x(double(c.now)), y(c.warpsNow)};
    draw.AddLine({at.x, least.y}, {at.x, high.y}, look.paint(limit ? Tone::kWarning : Tone::kTextFaint));
    // A full dot is what runs: where the grid gives less than there is room for, that is below the curve.
    const ImU32 ink = look.paint(limit ? Tone::kWarning : Tone::kText);
    if (runs > 0) draw.AddCircle(at, look.px(4), ink, 0, look.px(1.5F));
    draw.AddCircleFilled({at.x, runs > 0 ? y(runs) : at.y}, look.px(4), ink);
  }
  if (other && (other->want != OccupancyResource::Registers || other->now > 0)) {
    const ImVec2 at{x(double(other->now)), y(other->warpsNow)};
    draw.AddRect({at.x - look.px(4), at.y - look.px(4)}, {at.x + look.px(4), at.y + look.px(4)},
                 look.paint(Tone::kChanged), 0, 0, look.px(1.5F));
  }
  if (known && c.better) draw.AddCircle({x(double(*c.better)), y(c.warpsBetter)}, look.px(3), look.paint(Tone::kText));
  if (hovered) {
    const double at = from + double(ImGui::GetMousePos().x - least.x) / (high.x - least.x) * (to - from);
    auto value = std::lower_bound(c.at.begin(), c.at.end(), std::int64_t(std::max(at, from)));
    if (value == c.at.end()) --value;
    const auto i = std::size_t(value - c.at.begin());
    const char* name = look.say(wordOf(c.want));
    std::string tip = c.warps[i] > 0 ? say(look, words::kIfOther, name, amount(c.want, *value), c.warps[i])
                                     : say(look, words::kNoSuchBlock, name, amount(c.want, *value));
    if (!c.divides(*value)) tip += "\n" + say(look, words::kDoesNotDivide, c.gridThreads);
    showTip(look, tip);
  }
  ImGui::PopFont();
}

// The warps that are resident, and by what they are limited. Requires an occupancy.
std::string headOf(const Look& look, const session::PerformanceView& view) {
  const model::Occupancy& o = *view.occupancy;
  if (!view.registersKnown) return say(look, words::kAtMost, o.warps, o.maxWarps);
  return say(look, words::kResident, o.warps, o.maxWarps, wholePercent(o.fraction())) + " · " +
         say(look, words::kLimitedBy, limitersText(look, o));
}

}  // namespace

void drawOccupancy(PanelContext& context, const session::PerformanceView& view, const session::PerformanceView* other) {
  const Look& look = context.look;
  if (!view.occupancy || view.curves.empty()) {
    drawSecond(look, say(look, words::kNoFigures, look.tell(view.deviceProblem)));
    return;
  }
  const model::Occupancy& o = *view.occupancy;
  // Where multiprocessors are left without a block, more room on the others changes nothing either.
  const bool gridLimits = view.warpsRun > 0 && (view.warpsRun < o.warps || view.busy < view.multiprocessors);
  std::string head;
  if (gridLimits) {
    head = say(look, words::kGridRuns, view.warpsRun, o.maxWarps,
               wholePercent(double(view.warpsRun) / std::max(1, o.maxWarps))) +
           " · ○ ";
  }
  head += headOf(look, view);
  if (view.multiprocessors > view.busy) head += " · " + say(look, words::kGridGives, view.busy, view.multiprocessors);
  drawSecond(look, head + " · " + view.device);
  setItemTip(look, look.say(words::kHowOccupancy));
  const bool both = other && other->occupancy && other->curves.size() == view.curves.size();
  if (both) drawComparedValue(context, headOf(look, *other));
  drawSecond(look, say(look, words::kBlocksBy, o.byThreads, o.byBlocks,
                       view.registersKnown ? std::to_string(o.byRegisters) : "–",
                       view.parts.shared.empty() ? "–" : std::to_string(o.byShared)));
  setItemTip(look, look.say(words::kHowOccupancy));
  drawOccupancyParts(look, view.parts, ImGui::GetContentRegionAvail().x);
  if (view.waves) drawActiveClusters(look, *view.waves, ImGui::GetContentRegionAvail().x);
  const ImVec2 space = ImGui::GetContentRegionAvail();
  const bool beside = space.x > look.px(400);
  const float gap = look.px(14);
  // Below the parts there may be little room: the page scrolls then, and heads keep their two lines.
  const float least = look.px(beside ? kTwoLines : 110);
  const ImVec2 size{beside ? (space.x - 2 * gap) / 3 : space.x, std::max(beside ? space.y : 0.0F, least)};
  for (std::size_t i = 0; i < view.curves.size(); ++i) {
    if (beside && i > 0) ImGui::SameLine(0, gap);
    // Where the grid has fewer blocks than fit, what an SM has isn't what limits.
    const bool limit = view.registersKnown && !gridLimits && limits(o, view.curves[i].want);
    drawCurve(look, view.curves[i], limit, gridLimits ? view.warpsRun : 0, size, both ? &other->curves[i] : nullptr);
  }
}

}  // namespace loom::panels
