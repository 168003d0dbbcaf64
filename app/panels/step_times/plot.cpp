// The plot of StepTimes: a point for each state, by its step.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/notation/quantity_text.h"
#include "app/panels/performance/view/performance.h"
#include "app/panels/performance/words.h"
#include "app/panels/step_times/page.h"
#include "app/session/session.h"
#include "app/ui/dot.h"
#include "app/ui/label_spot.h"
#include "app/ui/look.h"
#include "app/ui/short_step.h"
#include "app/ui/side_labels.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::performance;
using window::Look;
using window::Tone;

constexpr float kLeastBeside = 40;  // right of the plane, for the names of lines

struct StepTimes::Plot {
  ImVec2 low, high;  // corners of the plane
  float labels;      // room right of it
  float stepWidth;
  document::Decades decades;

  float x(int step) const { return low.x + stepWidth * (static_cast<float>(step) + 0.5F); }
  float y(double value) const {
    const double share = (std::log10(value) - decades.low) / (decades.high - decades.low);
    return high.y - static_cast<float>(share) * (high.y - low.y);
  }
};

void StepTimes::drawPlot(PanelContext& context, float width, float height) {
  const Look& look = context.look;
  session::Session& session = *context.session;
  std::vector<double> values;  // of the whole history, so that the axes stay
  for (const document::TimeRow& row : rows_) values.push_back(shown(row.microseconds));
  for (const double predicted : predicted_)
    if (predicted > 0) values.push_back(shown(predicted));
  if (vendor_ > 0) values.push_back(shown(vendor_));
  if (const double ghost = previewed(session); ghost > 0) values.push_back(shown(ghost));

  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton("###plot", {std::max(width, 1.0F), std::max(height, 1.0F)});
  const bool hovered = ImGui::IsItemHovered();
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  const ImVec2 low{corner.x + look.px(44), corner.y + look.px(8)};
  const bool named = width >= look.px(300) && (vendor_ > 0 || !peaks_.empty());
  const float labels = look.px(named ? 104 : 8);
  const ImVec2 high{corner.x + width - labels, corner.y + height - ImGui::GetTextLineHeight() - look.px(4)};
  const float stepWidth = (high.x - low.x) / static_cast<float>(lastStep_ + 1);
  const Plot plot{low, high, labels, stepWidth, document::decadesAround(values)};
  drawAxes(context, plot);
  drawLevels(look, plot);
  const int nearest = drawStates(context, plot);
  drawCurrent(context, plot);
  drawPreviewed(context, plot);
  ImGui::PopFont();
  if (!hovered) return;
  if (nearest < 0) {
    drawPeakTip(look, plot);
    return;
  }
  showTip(context.look, stateTip(context, nearest));
  if (clicked) session.navigation().select(nearest);
}

// The current step's column, the decades, the steps.
void StepTimes::drawAxes(PanelContext& context, const Plot& plot) const {
  const Look& look = context.look;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImU32 faint = look.paint(Tone::kTextFaint);
  const int current = context.session->navigation().node().number;
  const float half = std::max(plot.stepWidth * 0.5F, look.px(4)), line = ImGui::GetTextLineHeight();
  draw.AddRectFilled({plot.x(current) - half, plot.low.y}, {plot.x(current) + half, plot.high.y},
                     look.paint(Tone::kHovered));
  const float apart =
      (plot.high.y - plot.low.y) / static_cast<float>(std::max(1, plot.decades.high - plot.decades.low));
  const int everyDecade = std::max(1, static_cast<int>(std::ceil(line / std::max(1.0F, apart))));
  for (int decade = plot.decades.low; decade <= plot.decades.high; ++decade) {
    const float at = plot.y(std::pow(10.0, decade));
    draw.AddLine({plot.low.x, at}, {plot.high.x, at}, look.paint(Tone::kLine));
    if ((plot.decades.high - decade) % everyDecade != 0) continue;
    const std::string label = notation::axisText(std::pow(10.0, decade));
    // The lowest one stays above the name of the steps.
    const float top = std::min(at - line / 2, plot.high.y + look.px(4) - line);
    draw.AddText({plot.low.x - ImGui::CalcTextSize(label.c_str()).x - look.px(6), top}, faint, label.c_str());
  }
  draw.AddText({plot.low.x - look.px(44), plot.high.y + look.px(4)}, faint,
               ellipsized(look.say(words::kStep), look.px(36)).c_str());
  const float labelWidth = ImGui::CalcTextSize("000").x + look.px(6);
  const int every = std::max(1, static_cast<int>(std::ceil(labelWidth / plot.stepWidth)));
  for (int step = 0; step <= lastStep_; step += every) {
    const std::string label = std::to_string(step);
    draw.AddText({plot.x(step) - ImGui::CalcTextSize(label.c_str()).x / 2, plot.high.y + look.px(4)},
                 step == current ? look.paint(Tone::kText) : faint, label.c_str());
  }
}

float StepTimes::vendorNameAt(const Look& look, const Plot& plot) const { return plot.y(shown(vendor_)) + look.px(1); }

// What times are measured against: peaks of the device and the vendor's library.
void StepTimes::drawLevels(const Look& look, const Plot& plot) const {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  std::vector<SideLabel> beside;
  for (const session::Ceiling& peak : peaks_) {
    const double at = std::log10(peak.rate.value);
    if (!throughput_ || at > plot.decades.high || at < plot.decades.low) continue;
    const float y = plot.y(peak.rate.value);
    draw.AddLine({plot.low.x, y}, {plot.high.x, y}, look.paint(Tone::kTextFaint, 0.7F));
    beside.push_back({y, fmt::format("{} {:.0f}", peak.name.substr(0, peak.name.find(' ')), peak.rate.value)});
  }
  if (vendor_ > 0) {
    const float y = plot.y(shown(vendor_));
    drawDashedLine(draw, {plot.low.x, y}, {plot.high.x, y}, look.paint(Tone::kText), look.px(6));
    beside.push_back({y, "cuBLASLt " + figureText(shown(vendor_)), Tone::kText});
  }
  if (plot.labels < look.px(kLeastBeside)) {  // no room beside: the vendor's line is named in the plane
    if (vendor_ > 0) {
      const std::string& name = beside.back().text;
      draw.AddText({plot.low.x + look.px(4), vendorNameAt(look, plot)}, look.paint(Tone::kText), name.c_str());
    }
    return;
  }
  drawSideLabels(look, plot.high.x, plot.labels, plot.low.y, plot.high.y + ImGui::GetTextLineHeight(),
                 std::move(beside));
}

// Points, and lines along each branch from a measured state to the closest measured one before it; faint where states
// between have no time. Gives the state near the mouse; −1: none.
int StepTimes::drawStates(PanelContext& context, const Plot& plot) const {
  const Look& look = context.look;
  const session::Session& session = *context.session;
  const document::History& history = session.navigation().history();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  std::vector<bool> onPaths(history.nodes().size());
  for (int on : history.path(session.navigation().current())) onPaths[static_cast<std::size_t>(on)] = true;
  int nearest = -1;
  float nearestDistance = look.px(24) * look.px(24);
  const ImVec2 mouse = ImGui::GetMousePos();
  for (int index = 0; index < static_cast<int>(history.nodes().size()); ++index) {
    if (static_cast<std::size_t>(index) < hidden_.size() && hidden_[static_cast<std::size_t>(index)]) {
      continue;
    }
    const document::Node& node = history.node(index);
    const document::TimeRow* row = rowOf(index);
    const ImU32 colour = look.paint(onPaths[static_cast<std::size_t>(index)] ? Tone::kText : Tone::kTextFaint);
    ImVec2 at{plot.x(node.number), plot.high.y - look.px(4)};
    if (row == nullptr && isSlow(session.results().timed(index))) {
      // Beyond the slow end of the axis: it points there.
      const float out = look.px(throughput_ ? 3.0F : -3.0F);
      at.y = throughput_ ? at.y : plot.low.y + look.px(4);
      draw.AddTriangleFilled({at.x - look.px(3), at.y - out}, {at.x + look.px(3), at.y - out}, {at.x, at.y + out},
                             colour);
    } else if (row == nullptr) {
      if (const double predicted = predictedOf(index); predicted > 0) at.y = plot.y(shown(predicted));
      drawDot(look, draw, at, look.px(index == session.navigation().current() ? 4 : 2.5F), colour, false);
    } else {
      at.y = plot.y(shown(row->microseconds));
      int earlier = node.parent;
      while (earlier >= 0 && rowOf(earlier) == nullptr) earlier = history.node(earlier).parent;
      if (earlier >= 0) {
        const ImVec2 from{plot.x(history.node(earlier).number), plot.y(shown(rowOf(earlier)->microseconds))};
        const bool next = earlier == node.parent;
        if (next) {
          draw.AddLine(from, at, colour, look.px(1.5F));
        } else {
          // Over states that have no time: the dashes say that nothing is known there.
          drawDashedLine(draw, from, at, look.paint(Tone::kTextFaint, 0.8F), look.px(3), 1);
        }
      }
      if (index == best_) {  // in the dot's place: beside it, it would stand at another figure
        drawStar(draw, at, look.px(index == session.navigation().current() ? 8 : 6), look.paint(Tone::kText));
      } else {
        drawDot(look, draw, at, look.px(index == session.navigation().current() ? 5 : 3), colour);
      }
    }
    if (index == session.comparison().node()) {  // ringed as in Roofline
      draw.AddCircle(at, look.px(7), look.paint(Tone::kChanged), 0, look.px(1.5F));
    }
    const float distance = (mouse.x - at.x) * (mouse.x - at.x) + (mouse.y - at.y) * (mouse.y - at.y);
    if (distance < nearestDistance) {
      nearestDistance = distance;
      nearest = index;
    }
  }
  return nearest;
}

// What a label must not hide: the points, the way to the current one, and the vendor's line.
std::vector<ImVec2> StepTimes::curveOf(PanelContext& context, const Plot& plot) const {
  const document::History& history = context.session->navigation().history();
  auto at = [&](int node) {
    const document::TimeRow* row = rowOf(node);
    const double time = row != nullptr ? row->microseconds : predictedOf(node);
    const float y = time > 0 ? plot.y(shown(time)) : plot.high.y - context.look.px(4);
    return ImVec2{plot.x(history.node(node).number), y};
  };
  std::vector<ImVec2> points;
  for (int node : listed_) points.push_back(at(node));
  for (float x = plot.low.x; vendor_ > 0 && x < plot.high.x; x += context.look.px(10))
    points.push_back({x, plot.y(shown(vendor_))});
  ImVec2 before{};
  bool joined = false;
  for (int node : history.path(context.session->navigation().current())) {
    if (rowOf(node) == nullptr) continue;
    const ImVec2 here = at(node);
    constexpr int kBetween = 24;
    for (int i = 1; joined && i < kBetween; ++i) {
      const float t = float(i) / kBetween;
      points.push_back({before.x + (here.x - before.x) * t, before.y + (here.y - before.y) * t});
    }
    before = here;
    joined = true;
  }
  return points;
}

// The current state's figure beside its point.
void StepTimes::drawCurrent(PanelContext& context, const Plot& plot) const {
  const Look& look = context.look;
  const int current = context.session->navigation().current();
  const document::TimeRow* row = rowOf(current);
  const double time = row != nullptr ? row->microseconds : predictedOf(current);
  if (time <= 0) return;
  const std::string label =
      (row != nullptr ? "" : "≈ ") + (throughput_ ? figureText(shown(time)) + " TFLOP/s" : timeText(time));
  const float wide = ImGui::CalcTextSize(label.c_str()).x, line = ImGui::GetTextLineHeight();
  const ImVec2 point{plot.x(context.session->navigation().node().number), plot.y(shown(time))};
  ImVec2 at = placeLabel(point, {wide, line}, look.px(7), plot.low, plot.high, curveOf(context, plot));
  if (plot.labels < look.px(kLeastBeside) && vendor_ > 0) {  // the vendor's name is in the plane, too
    const float name = vendorNameAt(look, plot);
    if (std::abs(at.y - name) < line) at.y = name + line;
  }
  at.y = std::clamp(at.y, plot.low.y, plot.high.y - line);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled({at.x - look.px(3), at.y}, {at.x + wide + look.px(3), at.y + line},
                     look.paint(Tone::kPanel, 0.85F));
  draw.AddText(at, look.paint(Tone::kText), label.c_str());
}

double StepTimes::previewed(const session::Session& session) {
  const auto effect = session.preview().effect();
  return effect && !session.results().areFromAnotherDevice() ? effect->after : 0;
}

// Where the model sees the program of a preview: a ring in its colour, one step on, joined to the current state.
void StepTimes::drawPreviewed(PanelContext& context, const Plot& plot) const {
  const Look& look = context.look;
  session::Session& session = *context.session;
  const double time = previewed(session);
  if (time <= 0) return;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImU32 ghost = look.paint(Tone::kGhost);
  const ImVec2 at{std::min(plot.x(session.navigation().node().number + 1), plot.high.x), plot.y(shown(time))};
  const document::TimeRow* row = rowOf(session.navigation().current());
  const double now = row != nullptr ? row->microseconds : predictedOf(session.navigation().current());
  if (now > 0) draw.AddLine({plot.x(session.navigation().node().number), plot.y(shown(now))}, at, ghost);
  drawDot(look, draw, at, look.px(5), ghost, false);
}

void StepTimes::drawPeakTip(const Look& look, const Plot& plot) const {
  for (const session::Ceiling& peak : peaks_) {
    if (!throughput_ || std::abs(ImGui::GetMousePos().y - plot.y(peak.rate.value)) > look.px(4)) continue;
    showTip(look, fmt::format("{}: {:.0f} TFLOP/s ({})\n{}", peak.name, peak.rate.value, rateWord(look, peak.rate),
                              peak.rate.source));
  }
}

std::string StepTimes::stateTip(const PanelContext& context, int node) const {
  const Look& look = context.look;
  const session::Session& session = *context.session;
  const document::KnownTime* timed = session.results().timed(node);
  const std::string tip = stateLabel(look, session.navigation().history(), node);
  if (predictedOf(node) > 0) return tip + "\n" + predictionText(look, session, node);
  if (timed == nullptr) return tip;
  if (rowOf(node) == nullptr) {
    const Message why = timed->result    ? timed->result->outcome.message
                        : timed->problem ? timed->problem->message
                                         : Message();
    return tip + "\n" + look.tell(why) + (timed->result ? "\n" + originText(look, *timed) : "");
  }
  if (!timed->result) return tip;
  const gpu::Timing& timing = timed->result->outcome.timing;
  return tip + fmt::format("\n{}\n", timeText(timing.median)) +
         fmt::format(fmt::runtime(look.say(words::kQuartiles)), figureText(timing.low), figureText(timing.high),
                     timing.samples) +
         "\n" + originText(look, *timed);
}

}  // namespace loom::panels
