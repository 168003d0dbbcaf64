#include "app/panels/roofline/plot.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/panels/performance/words.h"
#include "app/panels/roofline/labels.h"
#include "app/session/session.h"
#include "app/text/comparing.h"
#include "app/ui/dot.h"
#include "app/ui/look.h"
#include "app/ui/quantity_text.h"
#include "app/ui/short_step.h"
#include "app/ui/side_labels.h"
#include "app/ui/text.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::performance;
using session::Ceiling;
using session::PerformanceView;
using session::RooflineView;
using session::Traffic;
using window::Look;
using window::Tone;

namespace {

// The plane between the axes, both logarithmic, in px of the screen.
struct Plane {
  ImVec2 low, high;                 // its upper left and its lower right corner
  double lowX, highX, lowY, highY;  // powers of ten at its edges: FLOP/B and TFLOP/s

  float x(double intensity) const {
    return low.x + float((std::log10(intensity) - lowX) / (highX - lowX)) * (high.x - low.x);
  }
  // What is slower than the axis goes stands at its edge.
  float y(double tflops) const {
    return high.y - float(std::max(0.0, std::log10(tflops) - lowY) / (highY - lowY)) * (high.y - low.y);
  }
  ImVec2 at(double intensity, double tflops) const { return {x(intensity), y(tflops)}; }
  bool isBelow(double tflops) const { return std::log10(tflops) < lowY; }
  double intensityAt(float at) const { return std::pow(10, lowX + (at - low.x) / (high.x - low.x) * (highX - lowX)); }
};

float squared(ImVec2 a, ImVec2 b) { return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y); }

class RooflinePlot {
 public:
  RooflinePlot(PanelContext& context, const RooflineView& view, const RooflineChoice& choice)
      : context_(context),
        look_(context.look),
        session_(*context.session),
        view_(view),
        link_(choice.link),
        isCompiled_(choice.isCompiled) {}

  void draw(const std::vector<std::string>& caption);

 private:
  double previewed() const;
  ImVec2 placeOf(const RooflineView::Point& point) const {
    return plane_.at(view_.intensity(point, link_), point.tflops);
  }
  void drawAxes() const;
  void drawUnits(ImVec2 corner, bool hasHead) const;
  void drawCaption(const std::vector<std::string>& parts, ImVec2 at) const;
  void drawCeilings(float labels) const;
  void drawDiagonal(const Ceiling& ceiling, const PerformanceView* current) const;
  void drawPeak(const Ceiling& ceiling, const PerformanceView* current, std::vector<SideLabel>& labels) const;
  const RooflineView::Point* drawPoints() const;
  void drawMark(const RooflineView::Point& point, bool isOnPath) const;
  void drawComparedPoint() const;
  void drawPreviewedPoint() const;
  void drawCurrent(const RooflineView::Point& point) const;
  void drawReasonForNone() const;
  void drawCeilingTip() const;

  PanelContext& context_;
  const Look& look_;
  session::Session& session_;
  const RooflineView& view_;
  Traffic link_;
  bool isCompiled_;
  Plane plane_{};
};

void RooflinePlot::draw(const std::vector<std::string>& caption) {
  const ImVec2 space = ImGui::GetContentRegionAvail();
  const ImVec2 size{std::max(space.x, 1.0F), std::max(space.y, look_.px(64))};
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton("###roofplot", size);
  const bool hovered = ImGui::IsItemHovered();
  ImGui::PushFont(look_.fonts.code, window::kUnitSize);
  const float line = ImGui::GetTextLineHeight();
  const float labels = std::min(look_.px(220), size.x * 0.34F);        // right of the plane
  const float head = size.y >= look_.px(84) ? line + look_.px(1) : 0;  // above it: the unit of TFLOP/s
  plane_ = {{corner.x + look_.px(44), corner.y + head + look_.px(6)},
            {corner.x + size.x - labels, corner.y + size.y - 2 * line - look_.px(5)},
            view_.lowX,
            view_.highX,
            view_.lowestWith(previewed()),
            view_.highY};
  drawAxes();
  drawUnits(corner, head > 0);
  drawCaption(caption, {corner.x, plane_.high.y + line + look_.px(4)});
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.PushClipRect({plane_.low.x, corner.y}, {corner.x + size.x, corner.y + size.y}, true);
  drawCeilings(labels);
  const RooflineView::Point* nearest = drawPoints();
  draw.PopClipRect();
  if (hovered && nearest) {
    showTip(look_, pointText(context_, view_, *nearest, link_));
    if (clicked) session_.navigation().select(nearest->node);
  } else if (hovered) {
    drawCeilingTip();
  }
  ImGui::PopFont();
}

// TFLOP/s of the program of a preview, as the model sees it; 0: there is none.
double RooflinePlot::previewed() const {
  const auto model = session_.preview().step() ? session_.preview().shownModel() : nullptr;
  if (!model || view_.flops <= 0) return 0;
  const PerformanceView& performance = session::performanceOf(*model);
  return performance.estimate ? view_.flops / performance.estimate->microseconds * 1e-6 : 0;
}

// Lines and numbers of the powers of ten.
void RooflinePlot::drawAxes() const {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImU32 faint = look_.paint(Tone::kTextFaint), grid = look_.paint(Tone::kLine);
  const float line = ImGui::GetTextLineHeight();
  const int highest = int(std::floor(plane_.highY));
  const float decade = (plane_.high.y - plane_.low.y) / float(std::max(1e-3, plane_.highY - plane_.lowY));
  const int every = std::max(1, int(std::ceil(line / decade)));  // labels must not run into each other
  for (int d = int(std::ceil(plane_.lowY)); d <= highest; ++d) {
    const float y = plane_.y(std::pow(10.0, d));
    draw.AddLine({plane_.low.x, y}, {plane_.high.x, y}, grid);
    if ((highest - d) % every != 0) continue;
    const std::string label = axisText(std::pow(10.0, d));
    draw.AddText({plane_.low.x - ImGui::CalcTextSize(label.c_str()).x - look_.px(6), y - line / 2}, faint,
                 label.c_str());
  }
  float free = plane_.low.x;
  const float unit = plane_.high.x - ImGui::CalcTextSize("FLOP/B").x;
  for (int d = int(std::ceil(plane_.lowX)); d <= int(std::floor(plane_.highX)); ++d) {
    const float x = plane_.x(std::pow(10.0, d));
    draw.AddLine({x, plane_.low.y}, {x, plane_.high.y}, grid);
    const std::string label = axisText(std::pow(10.0, d));
    const float wide = ImGui::CalcTextSize(label.c_str()).x, left = std::max(x - wide / 2, plane_.low.x + look_.px(6));
    if (left < free || left + wide + look_.px(6) > unit) continue;
    draw.AddText({left, plane_.high.y + look_.px(4)}, faint, label.c_str());
    free = left + wide + look_.px(6);
  }
}

void RooflinePlot::drawUnits(ImVec2 corner, bool hasHead) const {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImU32 faint = look_.paint(Tone::kTextFaint);
  if (hasHead) draw.AddText(corner, faint, "TFLOP/s");
  draw.AddText({plane_.high.x - ImGui::CalcTextSize("FLOP/B").x, plane_.high.y + look_.px(4)}, faint, "FLOP/B");
}

void RooflinePlot::drawCaption(const std::vector<std::string>& parts, ImVec2 at) const {
  ImGui::PushFont(look_.fonts.text, window::kUnitSize);
  const float room = ImGui::GetItemRectSize().x;
  std::string caption;
  for (const std::string& part : parts) {
    const std::string more = caption + (caption.empty() || part.empty() ? "" : " · ") + part;
    if (caption.empty() || ImGui::CalcTextSize(more.c_str()).x <= room) caption = more;
  }
  ImGui::GetWindowDrawList()->AddText(at, look_.paint(Tone::kTextSecond), ellipsized(caption, room).c_str());
  ImGui::PopFont();
}

// `labels`: the room for names right of the plane, px.
void RooflinePlot::drawCeilings(float labels) const {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const auto model = session_.preview().shownModel(session::ModelBasis::kSource);
  const PerformanceView* current = model ? &session::performanceOf(*model) : nullptr;
  std::vector<SideLabel> beside;
  for (const Ceiling& c : view_.ceilings)
    if (c.traffic) drawDiagonal(c, current);
  for (const Ceiling& c : view_.ceilings)
    if (!c.traffic) drawPeak(c, current, beside);
  if (view_.vendor > 0) {
    const float y = plane_.y(view_.vendor);
    drawDashedLine(draw, {plane_.low.x, y}, {plane_.high.x, y}, look_.paint(Tone::kTextSecond), look_.px(6));
    beside.push_back({y, fmt::format("cuBLASLt {:.0f}", view_.vendor), Tone::kText});
  }
  drawSideLabels(look_, plane_.high.x, labels, plane_.low.y, plane_.high.y + ImGui::GetTextLineHeight(),
                 std::move(beside));
}

// A link's ceiling ends where it meets the highest peak. Those of other links are thin.
void RooflinePlot::drawDiagonal(const Ceiling& c, const PerformanceView* current) const {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const double left = std::pow(10, plane_.lowX), right = std::pow(10, plane_.highX), top = view_.highestPeak();
  const bool chosen = *c.traffic == link_;
  const Tone tone = toneOf(*c.traffic);
  const double from = std::max(left, std::pow(10, plane_.lowY) / c.rate.value * 1000);
  const double to = std::min(right, top > 0 ? top / c.rate.value * 1000 : right);
  if (to <= from) return;
  draw.AddLine(plane_.at(from, c.at(from)), plane_.at(to, c.at(to)), look_.paint(tone, chosen ? 1 : 0.55F),
               look_.px(chosen ? 2.0F : 1.0F));
  // Shared memory is each multiprocessor's own: what those with blocks have of it.
  if (c.traffic != Traffic::kShared || !current || current->share >= 1) return;
  const double rate = c.rate.value * current->share / 1000;
  const double end = std::min(right, top > 0 ? top / rate : right);
  drawDashedLine(draw, plane_.at(from, rate * from), plane_.at(end, rate * end), look_.paint(tone, chosen ? 1 : 0.7F),
                 look_.px(4));
}

// A peak begins where the chosen link's diagonal meets it: before that it can't be reached. Below that of the units
// that the current state uses, what its blocks and threads can have of them.
void RooflinePlot::drawPeak(const Ceiling& c, const PerformanceView* current, std::vector<SideLabel>& labels) const {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const double left = std::pow(10, plane_.lowX), right = std::pow(10, plane_.highX);
  const double meets = view_.ridge(link_, c.rate.value);
  const bool own = c.name == (current ? current->peak : "");
  const float y = plane_.y(c.rate.value);
  draw.AddLine({plane_.x(std::clamp(meets, left, right)), y}, {plane_.high.x, y},
               look_.paint(own ? Tone::kText : Tone::kTextFaint), look_.px(own ? 1.5F : 1.0F));
  labels.push_back({y, fmt::format("{} {:.0f} {}", c.name, c.rate.value, rateWord(look_, c.rate)),
                    own ? Tone::kText : Tone::kTextFaint});
  if (!own || current->share * current->filled >= 1) return;
  const double part = current->share * current->filled, reach = c.rate.value * part;
  constexpr double kFractionsBelow = 9.995;  // rounded to two places less than 10
  const std::string rate = reach < kFractionsBelow ? figureText(reach) : fmt::format("{:.0f}", reach);
  drawDashedLine(draw, plane_.at(std::max(left, meets * part), reach), {plane_.high.x, plane_.y(reach)},
                 look_.paint(Tone::kText), look_.px(4));
  labels.push_back({plane_.y(reach),
                    current->filled < 1 ? say(look_, words::kOnSomeThreads, current->busy, current->multiprocessors,
                                              percentText(current->filled), rate)
                                        : say(look_, words::kOnSome, current->busy, current->multiprocessors, rate),
                    Tone::kTextSecond});
}

// All points and what belongs to them. Returns the one near the mouse; null: none is.
const RooflineView::Point* RooflinePlot::drawPoints() const {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 mouse = ImGui::GetMousePos();
  const session::Navigation& navigation = session_.navigation();
  std::vector<bool> onPath(navigation.history().nodes().size());
  for (int on : navigation.history().path(navigation.current())) onPath[std::size_t(on)] = true;
  const RooflineView::Point* nearest = nullptr;
  const RooflineView::Point* current = nullptr;
  float distance = look_.px(16) * look_.px(16);
  std::optional<ImVec2> before;
  bool any = false;
  for (const RooflineView::Point& p : view_.points) {
    if (!p.has(link_)) continue;
    any = true;
    const ImVec2 at = placeOf(p);
    const bool on = onPath[std::size_t(p.node)];
    if (on) {  // nodes of a path stand in its order
      draw.PushClipRect(plane_.low, plane_.high, true);
      if (before) draw.AddLine(*before, at, look_.paint(Tone::kTextSecond), 1.0F);
      draw.PopClipRect();
      before = at;
    }
    drawMark(p, on);
    if (p.node == navigation.current()) current = &p;
    if (squared(at, mouse) < distance) distance = squared(at, mouse), nearest = &p;
  }
  drawComparedPoint();
  drawPreviewedPoint();
  if (!any) {
    // On a ground of its own: roofs cross it.
    const char* empty = look_.say(words::kRooflineEmpty);
    const ImVec2 at{plane_.low.x + look_.px(8), (plane_.low.y + plane_.high.y) / 2}, size = ImGui::CalcTextSize(empty);
    draw.AddRectFilled({at.x - look_.px(3), at.y}, {at.x + size.x + look_.px(3), at.y + size.y},
                       look_.paint(Tone::kPanel), look_.px(2));
    draw.AddText(at, look_.paint(Tone::kTextSecond), empty);
  }
  if (current) {
    drawCurrent(*current);
  } else if (!session_.preview().step()) {
    drawReasonForNone();
  }
  return nearest;
}

// A dot; of what is above its roof, or below the plane, a triangle.
void RooflinePlot::drawMark(const RooflineView::Point& p, bool isOnPath) const {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 at = placeOf(p);
  const float radius = look_.px(p.node == session_.navigation().current() ? 5 : 3);
  const ImU32 ink = look_.paint(isOnPath ? Tone::kText : Tone::kTextFaint);
  if (view_.isAbove(p, link_)) {
    const float reach = radius + look_.px(1);
    draw.AddTriangle({at.x - reach, at.y + reach * 0.7F}, {at.x + reach, at.y + reach * 0.7F}, {at.x, at.y - reach},
                     ink, look_.px(1.5F));
  } else if (plane_.isBelow(p.tflops)) {
    draw.AddTriangleFilled({at.x - radius, at.y - 1.6F * radius}, {at.x + radius, at.y - 1.6F * radius}, at, ink);
  } else {
    drawDot(look_, draw, at, radius, ink, !p.isPredicted);
  }
}

void RooflinePlot::drawComparedPoint() const {
  const RooflineView::Point* other = view_.find(session_.comparison().node());
  if (!other || !other->has(link_)) return;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 at = placeOf(*other);
  draw.AddCircle(at, look_.px(7), look_.paint(Tone::kChanged), 0, look_.px(1.5F));
  draw.AddText({at.x + look_.px(9), at.y - ImGui::GetTextLineHeight()}, look_.paint(Tone::kChanged),
               look_.say(text::comparing::kOther));
}

// Where the model sees the program of a preview.
void RooflinePlot::drawPreviewedPoint() const {
  const double tflops = previewed();
  if (tflops <= 0) return;
  const auto model = session_.preview().shownModel();
  const PerformanceView& performance = session::performanceOf(*model);
  const auto& bytes = (isCompiled_ ? performance.bytes : performance.written)[std::size_t(link_)];
  if (!bytes || bytes->value <= 0) return;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 at = plane_.at(view_.flops / bytes->value, tflops);
  draw.AddCircle(at, look_.px(5), look_.paint(Tone::kGhost), 0, look_.px(1.5F));
  const std::string label = say(look_, words::kPredictedPoint, figureText(tflops));
  const float x = std::min(at.x + look_.px(9), plane_.high.x - ImGui::CalcTextSize(label.c_str()).x);
  draw.AddText({x, at.y - ImGui::GetTextLineHeight()}, look_.paint(Tone::kGhost), label.c_str());
}

// Ringed and with its throughput; and on the other links, as squares: how far each roof is.
void RooflinePlot::drawCurrent(const RooflineView::Point& p) const {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 at = placeOf(p);
  for (int other = 0; other < session::kTraffics; ++other) {
    if (other == int(link_) || !p.has(Traffic(other))) continue;
    const float x = plane_.x(view_.intensity(p, Traffic(other))), half = look_.px(3);
    draw.AddLine(at, {x, at.y}, look_.paint(Tone::kLine));
    draw.AddRectFilled({x - half, at.y - half}, {x + half, at.y + half}, look_.paint(toneOf(Traffic(other))));
  }
  if (!view_.isAbove(p, link_) && !plane_.isBelow(p.tflops))
    drawDot(look_, draw, at, look_.px(5), look_.paint(Tone::kText), !p.isPredicted);
  draw.AddCircle(at, look_.px(7), look_.paint(toneOf(link_)), 0, look_.px(1.5F));
  const std::string label = (p.isPredicted ? "≈ " : "") + figureText(p.tflops) + " TFLOP/s";
  const float width = ImGui::CalcTextSize(label.c_str()).x, line = ImGui::GetTextLineHeight();
  const ImVec2 corner{std::min(at.x + look_.px(10), plane_.high.x - width),
                      std::min(at.y + look_.px(4), plane_.high.y - line)};
  draw.AddRectFilled(corner, {corner.x + width, corner.y + line}, look_.paint(Tone::kPanel, 0.85F));
  draw.AddText(corner, look_.paint(Tone::kText), label.c_str());
}

// Why the current state has no point.
void RooflinePlot::drawReasonForNone() const {
  const auto program = session_.programs().of(session_.navigation().current());
  if (!program) return;
  const bool kernel = !program->kernel.problem;
  const bool comes = kernel && session_.results().measured(session_.navigation().current()) && isCompiled_;
  const std::string why =
      comes ? std::string(look_.say(words::kDisassembling))
            : say(look_, kernel ? words::kNoPointYet : words::kNoPoint, session_.navigation().node().number);
  ImGui::GetWindowDrawList()->AddText({plane_.high.x - ImGui::CalcTextSize(why.c_str()).x - look_.px(6),
                                       plane_.high.y - ImGui::GetTextLineHeight() - look_.px(3)},
                                      look_.paint(Tone::kTextSecond), why.c_str());
}

// Of the ceiling near the mouse; right of the plane, where the labels are, only peaks have one.
void RooflinePlot::drawCeilingTip() const {
  const ImVec2 mouse = ImGui::GetMousePos();
  const Ceiling* near = nullptr;
  float gap = look_.px(7);
  for (const Ceiling& c : view_.ceilings) {
    if (mouse.x > plane_.high.x && c.traffic) continue;
    const float y = plane_.y(c.at(plane_.intensityAt(mouse.x)));
    if (std::abs(mouse.y - y) < gap) gap = std::abs(mouse.y - y), near = &c;
  }
  if (near)
    showTip(look_, named(look_, near->name,
                         fmt::format("{} ({})\n{}{}{}", rateText(*near), rateWord(look_, near->rate), near->rate.source,
                                     near->rate.other.empty() ? "" : "\n", near->rate.other)));
}

}  // namespace

void drawRooflinePlot(PanelContext& context, const RooflineView& view, const RooflineChoice& choice,
                      const std::vector<std::string>& caption) {
  RooflinePlot(context, view, choice).draw(caption);
}

}  // namespace loom::panels
