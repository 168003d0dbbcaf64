#include "app/panels/search/plot.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/notation/quantity_text.h"
#include "app/ui/dot.h"
#include "app/ui/text.h"

namespace loom::panels {

using window::Look;
using window::Tone;

namespace {

// Both ends of an axis. A logarithmic one has room beyond its values, a linear one begins at 0.
struct TimeAxis {
  double least = 1, most = 10;
  bool isLogarithmic = true;

  double share(double value) const {
    if (!isLogarithmic) return value / most;
    return std::log(value / least) / std::log(most / least);
  }
  // 1, 2 and 5 times powers of ten; fewer where that are many, more where that are two or three.
  std::vector<double> ticks() const {
    std::vector<double> all;
    if (!isLogarithmic) {
      const double about = most / 4, unit = std::pow(10, std::floor(std::log10(about)));
      const double step = about <= unit ? unit : unit * (about <= 2 * unit ? 2 : about <= 5 * unit ? 5 : 10);
      for (int i = 0; i * step <= most * 1.0001; ++i) all.push_back(i * step);
      return all;
    }
    const double range = most / least;
    const std::vector<double> steps = range > 200 ? std::vector{1.0}
                                      : range > 8 ? std::vector{1.0, 2.0, 5.0}
                                                  : std::vector{1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0};
    for (double unit = std::pow(10, std::floor(std::log10(least))); unit <= most; unit *= 10)
      for (const double times : steps)
        if (const double at = times * unit; at >= least && at <= most) all.push_back(at);
    return all;
  }
};

TimeAxis logarithmic(const std::vector<double>& values) {
  if (values.empty()) return {};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  // At least so much that two ticks are in it.
  const double room = std::max(1.08, std::sqrt(4 / (*high / *low)));
  return {*low / room, *high * room, true};
}

struct TimePlane {
  ImVec2 low, high;  // upper left and lower right corner
  TimeAxis x, y;
  ImVec2 at(double px, double py) const {
    return {low.x + float(x.share(px)) * (high.x - low.x), high.y - float(y.share(py)) * (high.y - low.y)};
  }
};

TimePlane planeOf(const SchedulePlot& plot, ImVec2 low, ImVec2 high) {
  std::vector<double> times, xs;
  double most = 0;
  for (const PlotDot& dot : plot.dots) {
    times.push_back(dot.y);
    xs.push_back(dot.x);
    most = std::max(most, dot.x);
  }
  for (const PlotStairs& stairs : plot.stairs) most = std::max(most, stairs.end);
  for (const PlotTime& time : plot.times) times.push_back(time.time);
  if (plot.isDiagonal) times.insert(times.end(), xs.begin(), xs.end());
  const TimeAxis y = logarithmic(times);
  return {low, high, plot.isDiagonal ? y : TimeAxis{0, most > 0 ? most * 1.03 : 1, false}, y};
}

void drawAxes(const Look& look, const SchedulePlot& plot, const TimePlane& plane) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 faint = look.paint(Tone::kTextFaint), grid = look.paint(Tone::kLine);
  const float line = ImGui::GetTextLineHeight();
  list.AddText({plane.low.x - ImGui::CalcTextSize("µs").x - look.px(6), plane.low.y - line - look.px(3)}, faint, "µs");
  float free = plane.high.y + line;
  for (const double value : plane.y.ticks()) {
    const float y = plane.at(plane.x.least, value).y;
    list.AddLine({plane.low.x, y}, {plane.high.x, y}, grid);
    if (y + line / 2 > free) continue;
    const std::string label = notation::axisText(value);
    list.AddText({plane.low.x - ImGui::CalcTextSize(label.c_str()).x - look.px(6), y - line / 2}, faint, label.c_str());
    free = y - line / 2;
  }
  const float name = ImGui::CalcTextSize(plot.xName.c_str()).x;
  list.AddText({plane.high.x - name, plane.high.y + look.px(4)}, faint, plot.xName.c_str());
  float next = plane.low.x - look.px(20);
  for (const double value : plane.x.ticks()) {
    const std::string label = notation::axisText(value);
    const float x = plane.at(value, plane.y.least).x, wide = ImGui::CalcTextSize(label.c_str()).x;
    list.AddLine({x, plane.high.y}, {x, plane.high.y + look.px(3)}, grid);
    if (x - wide / 2 < next || x + wide / 2 > plane.high.x - name - look.px(8)) continue;
    list.AddText({x - wide / 2, plane.high.y + look.px(4)}, faint, label.c_str());
    next = x + wide / 2 + look.px(8);
  }
  list.AddRect(plane.low, plane.high, grid);
}

// Their names stand at the right end, the next one left of the last where lines lie close together.
void drawTimes(const Look& look, const SchedulePlot& plot, const TimePlane& plane) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 ink = look.paint(Tone::kTextSecond);
  float end = plane.high.x - look.px(4);
  float last = -1;  // the y of the last name
  for (const PlotTime& time : plot.times) {
    const float y = plane.at(plane.x.least, time.time).y;
    drawDashedLine(list, {plane.low.x, y}, {plane.high.x, y}, ink, look.px(6));
    const ImVec2 size = ImGui::CalcTextSize(time.name.c_str());
    const float above = y - size.y - look.px(2), top = above > plane.low.y ? above : y + look.px(2);
    if (last < 0 || std::abs(top - last) > size.y) end = plane.high.x - look.px(4);
    list.AddText({end - size.x, top}, ink, time.name.c_str());
    end -= size.x + look.px(16);
    last = top;
  }
}

void drawStairs(const Look& look, const PlotStairs& stairs, const TimePlane& plane) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 ink = look.paint(stairs.tone);
  for (std::size_t n = 0; n < stairs.corners.size(); ++n) {
    const auto [x, time] = stairs.corners[n];
    const double end = n + 1 < stairs.corners.size() ? stairs.corners[n + 1].first : stairs.end;
    list.AddLine(plane.at(x, time), plane.at(end, time), ink, look.px(1.5F));
    if (n + 1 < stairs.corners.size())
      list.AddLine(plane.at(end, time), plane.at(end, stairs.corners[n + 1].second), ink, look.px(1.5F));
  }
}

}  // namespace

std::pair<std::optional<PlotDot>, bool> drawSchedulePlot(const Look& look, const char* id, const SchedulePlot& plot,
                                                         float width, float height) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(id, {std::max(width, 1.0F), std::max(height, 1.0F)});
  const bool isHovered = ImGui::IsItemHovered();
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  const float line = ImGui::GetTextLineHeight();
  const TimePlane plane = planeOf(plot, {corner.x + look.px(44), corner.y + line + look.px(6)},
                                  {corner.x + width - look.px(8), corner.y + height - line - look.px(8)});
  std::optional<PlotDot> found;
  if (plot.dots.empty()) {
    ImGui::GetWindowDrawList()->AddRect(plane.low, plane.high, look.paint(Tone::kLine));
    const ImVec2 size = ImGui::CalcTextSize(plot.empty.c_str());
    ImGui::GetWindowDrawList()->AddText(
        {(plane.low.x + plane.high.x - size.x) / 2, (plane.low.y + plane.high.y - size.y) / 2},
        look.paint(Tone::kTextFaint), plot.empty.c_str());
  } else {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    drawAxes(look, plot, plane);
    list.PushClipRect(plane.low, plane.high, true);
    if (plot.isDiagonal)
      list.AddLine({plane.low.x, plane.high.y}, {plane.high.x, plane.low.y}, look.paint(Tone::kTextFaint));
    list.PopClipRect();
    drawTimes(look, plot, plane);
    for (const PlotStairs& stairs : plot.stairs) drawStairs(look, stairs, plane);
    float nearest = look.px(10);
    const ImVec2 mouse = ImGui::GetMousePos();
    for (const PlotDot& dot : plot.dots) {
      const ImVec2 at = plane.at(dot.x, dot.y);
      if (dot.isStar) {
        drawStar(list, at, look.px(6), look.paint(dot.tone));
      } else {
        drawDot(look, list, at, look.px(3), look.paint(dot.tone), dot.isFilled);
      }
      const float distance = std::hypot(mouse.x - at.x, mouse.y - at.y);
      if (!isHovered || distance >= nearest) continue;
      nearest = distance;
      found = dot;
    }
    if (found) drawDot(look, list, plane.at(found->x, found->y), look.px(7), look.paint(Tone::kText), false);
  }
  ImGui::PopFont();
  return {found, clicked && found};
}

}  // namespace loom::panels
