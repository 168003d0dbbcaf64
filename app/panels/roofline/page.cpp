#include "app/panels/roofline/page.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/panels/compare/view/figures.h"
#include "app/panels/performance/words.h"
#include "app/panels/roofline/ceiling_button.h"
#include "app/panels/thread_binding/view/statement.h"
#include "app/session/session.h"
#include "app/text/comparing.h"
#include "app/text/counts.h"
#include "app/ui/choice.h"
#include "app/ui/dot.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/quantity_text.h"
#include "app/ui/short_step.h"
#include "app/ui/side_labels.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::performance;
using window::Look;
using window::Tone;
using session::Ceiling;
using session::ModelBasis;
using session::Traffic;

namespace {

// FLOP/B that the axis begins at: a multiply-add whose operands, sum and result are wavefronts of 128 B each.
constexpr double kFewest = 2.0 / (4 * 128);

constexpr Tone kTones[] = {Tone::kGlobal, Tone::kL2, Tone::kShared};
constexpr int kDecades = 8;  // of TFLOP/s at most
const text::Text& nameOf(int traffic) {
  static const text::Text* const kNames[] = {&words::kMemoryBytes, &words::kL2Bytes, &words::kSharedBytes};
  return *kNames[traffic];
}

std::string rateText(const Ceiling& c) {
  return c.traffic ? fmt::format("{:.3g} TB/s", c.rate.value / 1000) : fmt::format("{:.0f} TFLOP/s", c.rate.value);
}

// What the chosen link's bytes are.
std::string countNote(const Look& look, Traffic traffic, bool compiled) {
  const char* how = look.say(compiled ? text::counts::kCompiled : text::counts::kWritten);
  switch (traffic) {
    case Traffic::kMemory: return say(look, words::kBytesCounted, look.say(text::counts::kDistinct));
    case Traffic::kL2: return say(look, words::kSectorsMissed, how, look.say(text::counts::kSectors));
    case Traffic::kShared: break;
  }
  return say(look, words::kBytesOfHow, how, look.say(text::counts::kWavefronts));
}

// Why a state may be faster than the link allows for the bytes that are counted.
const text::Text& aboveNote(Traffic traffic) {
  static const text::Text* const kNotes[] = {&words::kAboveMemory, &words::kAboveL2, &words::kAboveShared};
  return *kNotes[int(traffic)];
}

// In place of the dot of a point that lies above its roof.
void drawAbove(const Look& look, ImDrawList& draw, ImVec2 at, float radius, ImU32 colour) {
  const float reach = radius + look.px(1);
  draw.AddTriangle({at.x - reach, at.y + reach * 0.7F}, {at.x + reach, at.y + reach * 0.7F}, {at.x, at.y - reach},
                   colour, look.px(1.5F));
}

// All states: the current one and the one compared with first.
std::vector<int> inTurn(const session::Session& session, int states) {
  std::vector<int> order;
  for (int i = 0; i < states; ++i) order.push_back(i);
  std::stable_partition(order.begin(), order.end(), [&](int i) { return i == session.comparison().node(); });
  std::stable_partition(order.begin(), order.end(), [&](int i) { return i == session.navigation().current(); });
  return order;
}

float squared(ImVec2 a, ImVec2 b) { return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y); }

}  // namespace

struct Roofline::Plot {
  ImVec2 low, high;  // corners of the plane
  double lowX, highX, lowY, highY;
  float labels;  // room right of it
  float head;    // above it, for the unit

  float x(double intensity) const {
    return low.x + float((std::log10(intensity) - lowX) / (highX - lowX)) * (high.x - low.x);
  }
  // Of what is slower than the axis goes, at its edge.
  float y(double tflops) const {
    return high.y - float(std::max(0.0, std::log10(tflops) - lowY) / (highY - lowY)) * (high.y - low.y);
  }
  bool isBelow(double tflops) const { return std::log10(tflops) < lowY; }
  double intensityAt(float at) const { return std::pow(10, lowX + (at - low.x) / (high.x - low.x) * (highX - lowX)); }
};

bool Roofline::showsCompiled() const { return compiled_ && codeComes_; }

const model::Number& Roofline::bytesOf(const Point& point, int traffic) const {
  return (showsCompiled() ? point.bytes : point.written)[std::size_t(traffic)];
}

double Roofline::intensity(const Point& point, int traffic) const { return flops_ / bytesOf(point, traffic).value; }

bool Roofline::isAbove(const Point& point) const {
  const int t = int(traffic_);
  return bytesOf(point, t).value > 0 && std::any_of(ceilings_.begin(), ceilings_.end(), [&](const Ceiling& c) {
           return c.traffic == traffic_ && c.isBelow(intensity(point, t), point.tflops);
         });
}

void Roofline::follow(PanelContext& context) {
  session::Session& session = *context.session;
  if (opened_ == session.opened() && revision_ == session.revision()) return;
  opened_ = session.opened();
  revision_ = session.revision();
  points_.clear();
  flops_ = session.results().matmul() ? session.results().matmul()->flops() : 0;
  const std::vector<bool> hidden = session.navigation().history().hidden();
  others_.clear();
  codeComes_ = !session.compilations().problem();
  bool asked = false;  // of one state after another: what the user comes to meanwhile goes before the rest
  for (int i : inTurn(session, int(hidden.size()))) {
    const gpu::Outcome* measured = hidden[std::size_t(i)] ? nullptr : session.results().measured(i);
    if (!measured) continue;
    // Roofs of one device hold nothing of another's times: what the model predicts for it stands there.
    const bool predicted =
        session.results().areFromAnotherDevice() && !session.modelDevice().comparesWith(session.results().timed(i)->device);
    if (predicted) others_ = session.results().timed(i)->device;
    const bool code =
        (predicted || showsCompiled()) && session.compilations().of(i) && !session.models().isFinal(i, false) && !asked;
    asked |= code;
    const auto model = session.models().of(i, code ? ModelBasis::kMachineCode : ModelBasis::kSource);
    if (!model || !session::performanceOf(*model).kernel || (showsCompiled() && !session.models().isFinal(i, false)))
      continue;
    const std::optional<double> time =
        predicted ? session.models().modelledTime(i) : std::optional(measured->timing.median);
    if (!time) continue;
    // Of a product, what it computes; work done twice is no throughput.
    if (!session.results().matmul()) flops_ = std::max(flops_, session::performanceOf(*model).flops);
    Point p{i, flops_ / *time * 1e-6, predicted, {}, {}};
    for (std::size_t t = 0; t < session::kTraffics; ++t) {
      p.bytes[t] = session::performanceOf(*model).bytes[t].value_or(model::Number{});
      p.written[t] = session::performanceOf(*model).written[t].value_or(model::Number{});
    }
    if (p.tflops > 0) points_.push_back(std::move(p));
  }
  std::sort(points_.begin(), points_.end(), [](const Point& a, const Point& b) { return a.node < b.node; });
  ceilings_.clear();
  device_.clear();
  problem_ = {};
  if (const auto device = session.modelDevice().figures()) {
    if (*device) {
      ceilings_ = session::ceilingsOf(**device, session.results().matmul());
      device_ = (*device)->name;
    } else {
      problem_ = device->error().message;
    }
  } else {
    session.models().of(session.navigation().current(), session::ModelBasis::kSource);  // brings the device
  }
  vendor_ = session.results().vendor() && session.results().vendor()->outcome.available && flops_ > 0 &&
                    session.modelDevice().comparesWith(session.results().vendor()->device)
                ? flops_ / session.results().vendor()->outcome.timing.median * 1e-6
                : 0;
  findAxes(session);
}

// The axes hold every state and link, whatever is shown and however much of it the model has seen yet: the points move,
// the axes don't. Times are known at once, bytes come one state after another, so that only whole decades count.
void Roofline::findAxes(const session::Session& session) {
  double least = 1, fastest = 0, slowest = 1e300;
  const std::vector<bool> hidden = session.navigation().history().hidden();
  for (int i = 0; flops_ > 0 && i < int(hidden.size()); ++i) {
    const gpu::Outcome* measured = hidden[std::size_t(i)] ? nullptr : session.results().measured(i);
    if (measured && measured->timing.median > 0) least = std::min(least, flops_ / measured->timing.median * 1e-6);
  }
  for (const Ceiling& c : ceilings_) {
    if (c.traffic) slowest = std::min(slowest, c.rate.value);
    if (!c.traffic) fastest = std::max(fastest, c.rate.value);
  }
  highY_ = std::log10(std::max(10.0, 1.6 * fastest));
  // What is far slower stands at the edge: it would leave the others no room.
  lowY_ = std::max(std::floor(std::log10(least)), std::floor(highY_) - kDecades);
  lowX_ = std::log10(kFewest / 1.3);
  double highX = 100;
  if (fastest > 0 && slowest < 1e300) highX = std::max(highX, 1.5 * fastest / slowest * 1000);
  if (const auto& p = session.results().matmul()) {  // each element moved once
    const double bits = double(p->m * p->k + p->k * p->n) * p->input.bits + double(p->m * p->n) * p->output.bits;
    highX = std::max(highX, 1.6 * p->flops() / (bits / 8));
  }
  highX_ = std::log10(highX);
  for (const Point& p : points_) {
    for (int t = 0; t < session::kTraffics; ++t) {
      if (bytesOf(p, t).value <= 0) continue;
      const double reach = std::log10(intensity(p, t));
      if (reach < lowX_) lowX_ = std::floor(reach);
      if (reach > highX_) highX_ = std::ceil(reach);
    }
  }
}

double Roofline::predicted(PanelContext& context) const {
  const auto model = context.session->preview().step() ? context.session->preview().shownModel() : nullptr;
  return model && session::performanceOf(*model).estimate && flops_ > 0
             ? flops_ / session::performanceOf(*model).estimate->microseconds * 1e-6
             : 0;
}

// Below every state; lower only for a preview that is slower than all of them.
double Roofline::lowest(PanelContext& context) const {
  const double preview = predicted(context);
  const double low = preview > 0 ? std::min(lowY_, std::floor(std::log10(preview))) : lowY_;
  return std::max(low, std::floor(highY_) - kDecades);
}

// As the panel Memory hierarchy has it.
void Roofline::drawCounting(const PanelContext& context, float edge) {
  const Look& look = context.look;
  const char* written = look.say(text::counts::kWritten);
  const char* compiled = look.say(text::counts::kCompiled);
  const float needed = ImGui::CalcTextSize(written).x + ImGui::CalcTextSize(compiled).x +
                       2 * (ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().ItemSpacing.x) + look.px(12);
  if (edge - ImGui::GetItemRectMax().x > needed) ImGui::SameLine(0, look.px(12));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {look.px(8), look.px(1)});
  const bool was = compiled_;
  ImGui::BeginDisabled(!codeComes_);
  if (window::radioButton(look, written, !showsCompiled())) compiled_ = false;
  ImGui::SameLine();
  if (window::radioButton(look, compiled, showsCompiled())) compiled_ = true;
  ImGui::EndDisabled();
  ImGui::PopStyleVar();
  if (was != compiled_) revision_ = ~std::uint64_t{0};
}

void Roofline::draw(PanelContext& context) {
  const Look& look = context.look;
  follow(context);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {look.px(8), look.px(1)});
  const float edge = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  for (int t = 0; t < session::kTraffics; ++t) {
    static const char* const kIds[] = {"bymemory", "byl2", "byshared"};
    // The key of the diagonals: the colour of the link, its name and its rate.
    std::string name = look.say(nameOf(t));
    for (const Ceiling& c : ceilings_) {
      if (c.traffic == Traffic(t)) name += " " + rateText(c) + " " + rateWord(look, c.rate);
    }
    const float width = ImGui::GetFrameHeight() + ImGui::CalcTextSize(name.c_str()).x + look.px(18);
    if (t > 0 && ImGui::GetItemRectMax().x + width < edge) ImGui::SameLine();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({at.x + look.px(6), at.y});
    if (window::radioButton(look, window::windowName(name.c_str(), kIds[t]).c_str(), int(traffic_) == t))
      traffic_ = Traffic(t);
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + look.px(3), ImGui::GetItemRectMax().y},
                                              look.paint(kTones[t]));
  }
  ImGui::PopStyleVar();
  ImGui::PushFont(nullptr, window::kUnitSize);
  std::string note = !problem_.empty() ? say(look, words::kNoFigures, look.tell(problem_))
                                       : say(look, words::kRooflineNote, device_.empty() ? "…" : device_);
  if (const auto shown = context.session->preview().shownModel(session::ModelBasis::kSource);
      shown && !session::performanceOf(*shown).peakUnknown.empty() && problem_.empty())
    note = look.tell(session::performanceOf(*shown).peakUnknown) + " · " + note;
  if (!others_.empty())
    note = say(look, words::kPredictedPoints, device_.empty() ? "…" : device_, others_) + " · " + note;
  drawCounting(context, edge);
  const float measuring = ceilingButtonWidth(context, device_);
  if (measuring > 0 && edge - ImGui::GetItemRectMax().x - look.px(10) > measuring) {
    ImGui::SameLine();
    drawCeilingButton(context, device_);
  }
  const float room = edge - ImGui::GetItemRectMax().x - look.px(10);
  if (room > look.px(120)) {  // else the "?" of the panel says it
    ImGui::SameLine();
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextFaint));
    ImGui::TextUnformatted(ellipsized(note, room).c_str());
    ImGui::PopStyleColor();
    ImGui::SetItemTooltip("%s", note.c_str());
  }
  ImGui::PopFont();
  if (ceilings_.empty() && problem_.empty()) {  // the device is looked for: its roofs make the axes
    drawEmpty(context, words::kModelling);
    return;
  }
  drawFigures(context);

  const ImVec2 space = ImGui::GetContentRegionAvail();
  const ImVec2 size{std::max(space.x, 1.0F), std::max(space.y, look.px(64))};
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton("###roofplot", size);
  const bool hovered = ImGui::IsItemHovered();
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  const float line = ImGui::GetTextLineHeight();
  const float labels = std::min(look.px(220), size.x * 0.34F);
  const float head = size.y >= look.px(84) ? line + look.px(1) : 0;  // of the unit of TFLOP/s
  const Plot plot{{corner.x + look.px(44), corner.y + head + look.px(6)},
                  {corner.x + size.x - labels, corner.y + size.y - 2 * line - look.px(5)},
                  lowX_,
                  highX_,
                  lowest(context),
                  highY_,
                  labels,
                  head};
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImU32 faint = look.paint(Tone::kTextFaint), grid = look.paint(Tone::kLine);
  const float decade = (plot.high.y - plot.low.y) / float(std::max(1e-3, plot.highY - plot.lowY));
  const int every = std::max(1, int(std::ceil(line / decade)));  // labels must not run into each other
  for (int d = int(std::ceil(plot.lowY)); d <= int(std::floor(highY_)); ++d) {
    const float y = plot.y(std::pow(10.0, d));
    draw.AddLine({plot.low.x, y}, {plot.high.x, y}, grid);
    if ((int(std::floor(highY_)) - d) % every != 0) continue;
    const std::string label = fmt::format("{:g}", std::pow(10.0, d));
    draw.AddText({plot.low.x - ImGui::CalcTextSize(label.c_str()).x - look.px(6), y - line / 2}, faint, label.c_str());
  }
  float free = plot.low.x;
  const float unit = plot.high.x - ImGui::CalcTextSize("FLOP/B").x;
  for (int d = int(std::ceil(lowX_)); d <= int(std::floor(highX_)); ++d) {
    const float x = plot.x(std::pow(10.0, d));
    draw.AddLine({x, plot.low.y}, {x, plot.high.y}, grid);
    const std::string label = fmt::format("{:g}", std::pow(10.0, d));
    const float wide = ImGui::CalcTextSize(label.c_str()).x, left = std::max(x - wide / 2, plot.low.x + look.px(6));
    if (left < free || left + wide + look.px(6) > unit) continue;
    draw.AddText({left, plot.high.y + look.px(4)}, faint, label.c_str());
    free = left + wide + look.px(6);
  }
  if (head > 0) draw.AddText({corner.x, corner.y}, faint, "TFLOP/s");
  draw.AddText({unit, plot.high.y + look.px(4)}, faint, "FLOP/B");
  const bool above = std::any_of(points_.begin(), points_.end(), [&](const Point& p) { return isAbove(p); });
  const float captionRoom = size.x;
  ImGui::PushFont(look.fonts.text, window::kUnitSize);
  // The answer first, then the key, then what is counted: as far as there is room.
  std::string caption;
  for (const std::string& part : {nearestRoof(context), std::string(look.say(words::kMarks)),
                                  countNote(look, traffic_, showsCompiled()) +
                                      (above ? " · " + std::string(look.say(aboveNote(traffic_))) : "")}) {
    const std::string more = caption + (caption.empty() || part.empty() ? "" : " · ") + part;
    if (caption.empty() || ImGui::CalcTextSize(more.c_str()).x <= captionRoom) caption = more;
  }
  draw.AddText({corner.x, plot.high.y + line + look.px(4)}, look.paint(Tone::kTextSecond),
               ellipsized(caption, captionRoom).c_str());
  ImGui::PopFont();
  draw.PushClipRect({plot.low.x, corner.y}, {corner.x + size.x, corner.y + size.y}, true);
  drawCeilings(context, plot);
  drawPoints(context, plot, hovered, clicked);
  draw.PopClipRect();
  ImGui::PopFont();
}

void Roofline::drawCeilings(PanelContext& context, const Plot& plot) {
  const Look& look = context.look;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float line = ImGui::GetTextLineHeight();
  double top = 0;
  for (const Ceiling& c : ceilings_)
    if (!c.traffic) top = std::max(top, c.rate.value);
  const double left = std::pow(10, plot.lowX), right = std::pow(10, plot.highX);
  const auto current = context.session->preview().shownModel(session::ModelBasis::kSource);
  const std::string peak = current ? session::performanceOf(*current).peak : "";
  std::vector<SideLabel> labels;
  // Diagonals end where they meet the highest peak. Those of other links are thin.
  for (const Ceiling& c : ceilings_) {
    if (!c.traffic) continue;
    const bool chosen = *c.traffic == traffic_;
    const Tone tone = kTones[int(*c.traffic)];
    const double from = std::max(left, std::pow(10, plot.lowY) / c.rate.value * 1000);
    const double to = std::min(right, top > 0 ? top / c.rate.value * 1000 : right);
    if (to <= from) continue;
    draw.AddLine({plot.x(from), plot.y(c.at(from))}, {plot.x(to), plot.y(c.at(to))},
                 look.paint(tone, chosen ? 1 : 0.55F), look.px(chosen ? 2.0F : 1.0F));
    // Shared memory is each multiprocessor's own: what those with blocks have of it.
    if (c.traffic == Traffic::kShared && current && session::performanceOf(*current).share < 1) {
      const double rate = c.rate.value * session::performanceOf(*current).share / 1000;
      const double end = std::min(right, top > 0 ? top / rate : right);
      drawDashedLine(draw, {plot.x(from), plot.y(rate * from)}, {plot.x(end), plot.y(rate * end)},
                     look.paint(tone, chosen ? 1 : 0.7F), look.px(4));
    }
  }
  for (const Ceiling& c : ceilings_) {
    if (c.traffic) continue;
    double meets = left;  // the chosen link's diagonal: before it this peak can't be reached
    for (const Ceiling& d : ceilings_)
      if (d.traffic == traffic_) meets = c.rate.value / d.rate.value * 1000;
    const bool own = c.name == peak;
    const float y = plot.y(c.rate.value);
    draw.AddLine({plot.x(std::clamp(meets, left, right)), y}, {plot.high.x, y},
                 look.paint(own ? Tone::kText : Tone::kTextFaint), look.px(own ? 1.5F : 1.0F));
    labels.push_back({y, fmt::format("{} {:.0f} {}", c.name, c.rate.value, rateWord(look, c.rate)),
                      own ? Tone::kText : Tone::kTextFaint});
    if (own && session::performanceOf(*current).share * session::performanceOf(*current).filled < 1) {
      const session::PerformanceView& view = session::performanceOf(*current);
      const double part = view.share * view.filled, reach = c.rate.value * part;
      const std::string rate = reach < 10 ? figureText(reach) : fmt::format("{:.0f}", reach);
      drawDashedLine(draw, {plot.x(std::max(left, meets * part)), plot.y(reach)}, {plot.high.x, plot.y(reach)},
                     look.paint(Tone::kText), look.px(4));
      labels.push_back({plot.y(reach),
                        view.filled < 1 ? say(look, words::kOnSomeThreads, view.busy, view.multiprocessors,
                                              percentText(view.filled), rate)
                                        : say(look, words::kOnSome, view.busy, view.multiprocessors, rate),
                        Tone::kTextSecond});
    }
  }
  if (vendor_ > 0) {
    drawDashedLine(draw, {plot.low.x, plot.y(vendor_)}, {plot.high.x, plot.y(vendor_)}, look.paint(Tone::kTextSecond),
                   look.px(6));
    labels.push_back({plot.y(vendor_), fmt::format("cuBLASLt {:.0f}", vendor_), Tone::kText});
  }
  drawSideLabels(look, plot.high.x, plot.labels, plot.low.y, plot.high.y + line, std::move(labels));
}

// Of the current state beside those of the state compared with.
void Roofline::drawFigures(const PanelContext& context) const {
  const Look& look = context.look;
  if (!comparesStates(*context.session)) return;
  const int t = int(traffic_);
  std::string now, was;
  for (const Point& p : points_) {
    if (bytesOf(p, t).value <= 0) continue;
    const std::string text = say(look, words::kAtIntensity, figureText(p.tflops), figureText(intensity(p, t)));
    if (p.node == context.session->navigation().current()) now = text;
    if (p.node == context.session->comparison().node()) was = text;
  }
  if (now.empty() || was.empty()) return;
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kChanged));
  ImGui::PushFont(nullptr, window::kSecondarySize);
  drawWrapped(withPreviousValue(look, now, was));
  ImGui::PopFont();
  ImGui::PopStyleColor();
}

// Whichever link is chosen: what the current state comes closest to, on the multiprocessors that have blocks.
std::string Roofline::nearestRoof(const PanelContext& context) const {
  const Look& look = context.look;
  const session::Session& session = *context.session;
  const auto point = std::find_if(points_.begin(), points_.end(),
                                  [&](const Point& p) { return p.node == session.navigation().current(); });
  const auto model = session.preview().shownModel(session::ModelBasis::kSource);
  if (point == points_.end() || !model || point->tflops <= 0) return "";
  const double share = session::performanceOf(*model).share;
  double nearest = 0, allowed = 0;
  std::string name;
  for (const Ceiling& c : ceilings_) {
    const bool own = !c.traffic && c.name == session::performanceOf(*model).peak;
    if (!own && (!c.traffic || bytesOf(*point, int(*c.traffic)).value <= 0)) continue;
    // Memory and L2 serve however many ask; the rest is each multiprocessor's own.
    const double part = own                             ? share * session::performanceOf(*model).filled
                        : c.traffic == Traffic::kShared ? share
                                                        : 1;
    const double roof = part * (own ? c.rate.value : c.at(intensity(*point, int(*c.traffic))));
    if (roof <= 0 || point->tflops / roof <= nearest) continue;
    nearest = point->tflops / roof;
    allowed = roof;
    name = own ? c.name : look.say(nameOf(int(*c.traffic)));
  }
  if (name.empty()) return "";
  constexpr double kHeldBack = 0.1;  // of the nearest roof: below, something else is what takes the time
  return say(look, nearest < kHeldBack ? words::kFarFromRoofs : words::kNearestRoof, name,
             fmt::format(fmt::runtime(nearest < 0.1 ? "{:.2g}" : "{:.0f}"), 100 * nearest), figureText(allowed));
}

std::string Roofline::pointTip(PanelContext& context, const Point& point) const {
  const Look& look = context.look;
  session::Session& session = *context.session;
  const int t = int(traffic_);
  const model::Number& bytes = bytesOf(point, t);
  std::string tip = stateLabel(look, session.navigation().history(), point.node) + "\n";
  tip += say(look, words::kAtIntensity, figureText(point.tflops), figureText(intensity(point, t))) + "\n";
  if (point.predicted)
    tip += predictionText(look, session, point.node) + "\n";
  else if (const document::KnownTime* timed = session.results().timed(point.node); timed && timed->result)
    tip += timeText(timed->result->outcome.timing.median) + ", " + originText(look, *timed) + "\n";
  tip += say(look, words::kBytesOver, grouped(flops_), grouped(bytes.value), look.say(nameOf(t))) + "\n  " +
         provenanceText(look, bytes.how);
  if (isAbove(point)) tip += std::string("\n  ") + look.say(aboveNote(traffic_));
  for (const Ceiling& c : ceilings_) {
    if (c.traffic != traffic_) continue;
    const double allowed = c.at(intensity(point, t));
    tip += "\n" + say(look, words::kAllowed, look.say(nameOf(t)), figureText(allowed),
                      fmt::format("{:.3g}", 100 * point.tflops / allowed));
  }
  return tip;
}

// The state compared with, and where the model sees the program of a preview.
void Roofline::drawOthers(PanelContext& context, const Plot& plot) {
  const Look& look = context.look;
  const session::Session& session = *context.session;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const int t = int(traffic_);
  for (const Point& p : points_) {
    if (p.node != session.comparison().node() || bytesOf(p, t).value <= 0) continue;
    const ImVec2 at{plot.x(intensity(p, t)), plot.y(p.tflops)};
    draw.AddCircle(at, look.px(7), look.paint(Tone::kChanged), 0, look.px(1.5F));
    draw.AddText({at.x + look.px(9), at.y - ImGui::GetTextLineHeight()}, look.paint(Tone::kChanged),
                 look.say(text::comparing::kOther));
  }
  const double tflops = predicted(context);
  if (tflops <= 0) return;
  const auto model = session.preview().shownModel();
  const auto& bytes = (showsCompiled() ? session::performanceOf(*model).bytes
                                       : session::performanceOf(*model).written)[std::size_t(t)];
  if (!bytes || bytes->value <= 0) return;
  const ImVec2 at{plot.x(flops_ / bytes->value), plot.y(tflops)};
  draw.AddCircle(at, look.px(5), look.paint(Tone::kGhost), 0, look.px(1.5F));
  const std::string label = say(look, words::kPredictedPoint, figureText(tflops));
  const float x = std::min(at.x + look.px(9), plot.high.x - ImGui::CalcTextSize(label.c_str()).x);
  draw.AddText({x, at.y - ImGui::GetTextLineHeight()}, look.paint(Tone::kGhost), label.c_str());
}

void Roofline::drawPoints(PanelContext& context, const Plot& plot, bool hovered, bool clicked) {
  const Look& look = context.look;
  session::Session& session = *context.session;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const int t = int(traffic_);
  const ImVec2 mouse = ImGui::GetMousePos();
  std::vector<bool> onPath(session.navigation().history().nodes().size());
  for (int on : session.navigation().history().path(session.navigation().current())) onPath[std::size_t(on)] = true;
  const Point* nearest = nullptr;
  const Point* shown = nullptr;
  float distance = look.px(16) * look.px(16);
  ImVec2 before{};
  bool joined = false, any = false;
  for (const Point& p : points_) {
    if (bytesOf(p, t).value <= 0) continue;
    any = true;
    const ImVec2 at{plot.x(intensity(p, t)), plot.y(p.tflops)};
    const bool on = onPath[std::size_t(p.node)];
    if (on) {  // nodes of a path stand in its order
      draw.PushClipRect(plot.low, plot.high, true);
      if (joined) draw.AddLine(before, at, look.paint(Tone::kTextSecond), 1.0F);
      draw.PopClipRect();
      before = at;
      joined = true;
    }
    const float radius = look.px(p.node == session.navigation().current() ? 5 : 3);
    const ImU32 ink = look.paint(on ? Tone::kText : Tone::kTextFaint);
    if (isAbove(p))
      drawAbove(look, draw, at, radius, ink);
    else if (plot.isBelow(p.tflops))
      draw.AddTriangleFilled({at.x - radius, at.y - 1.6F * radius}, {at.x + radius, at.y - 1.6F * radius}, at, ink);
    else
      drawDot(look, draw, at, radius, ink, !p.predicted);
    if (p.node == session.navigation().current()) shown = &p;
    if (squared(at, mouse) < distance) distance = squared(at, mouse), nearest = &p;
  }
  drawOthers(context, plot);
  if (!any) {
    draw.AddText({plot.low.x + look.px(8), (plot.low.y + plot.high.y) / 2}, look.paint(Tone::kTextFaint),
                 look.say(words::kRooflineEmpty));
  }
  if (!shown && !session.preview().step()) {
    const auto program = session.programs().of(session.navigation().current());
    const bool kernel = program && !program->kernel.problem;
    const bool comes = kernel && session.results().measured(session.navigation().current()) && showsCompiled();
    const std::string why =
        comes ? std::string(look.say(words::kDisassembling))
              : say(look, kernel ? words::kNoPointYet : words::kNoPoint, session.navigation().node().number);
    if (program)
      draw.AddText({plot.high.x - ImGui::CalcTextSize(why.c_str()).x - look.px(6),
                    plot.high.y - ImGui::GetTextLineHeight() - look.px(3)},
                   look.paint(Tone::kTextSecond), why.c_str());
  }
  if (shown) {
    // The same state on the other links: how far each roof is.
    for (int other = 0; other < session::kTraffics; ++other) {
      if (other == t || bytesOf(*shown, other).value <= 0) continue;
      const ImVec2 at{plot.x(intensity(*shown, other)), plot.y(shown->tflops)};
      draw.AddLine({plot.x(intensity(*shown, t)), at.y}, at, look.paint(Tone::kLine));
      draw.AddRectFilled({at.x - look.px(3), at.y - look.px(3)}, {at.x + look.px(3), at.y + look.px(3)},
                         look.paint(kTones[other]));
    }
    if (!isAbove(*shown) && !plot.isBelow(shown->tflops))
      drawDot(look, draw, {plot.x(intensity(*shown, t)), plot.y(shown->tflops)}, look.px(5), look.paint(Tone::kText),
              !shown->predicted);
    draw.AddCircle({plot.x(intensity(*shown, t)), plot.y(shown->tflops)}, look.px(7), look.paint(kTones[t]), 0,
                   look.px(1.5F));
    std::string label = (shown->predicted ? "≈ " : "") + figureText(shown->tflops) + " TFLOP/s";
    const float width = ImGui::CalcTextSize(label.c_str()).x, line = ImGui::GetTextLineHeight();
    ImVec2 at{plot.x(intensity(*shown, t)) + look.px(10), plot.y(shown->tflops) + look.px(4)};
    at.x = std::min(at.x, plot.high.x - width);
    at.y = std::min(at.y, plot.high.y - line);
    draw.AddRectFilled(at, {at.x + width, at.y + line}, look.paint(Tone::kPanel, 0.85F));
    draw.AddText(at, look.paint(Tone::kText), label.c_str());
  }
  if (!hovered) return;
  if (nearest) {
    ImGui::SetTooltip("%s", pointTip(context, *nearest).c_str());
    if (clicked) session.navigation().select(nearest->node);
    return;
  }
  const Ceiling* near = nullptr;
  float gap = look.px(7);
  for (const Ceiling& c : ceilings_) {
    const bool right = mouse.x > plot.high.x;  // labels: only peaks stand there
    if (right && c.traffic) continue;
    const float y = plot.y(c.at(plot.intensityAt(mouse.x)));
    if (std::abs(mouse.y - y) < gap) gap = std::abs(mouse.y - y), near = &c;
  }
  if (near)
    ImGui::SetTooltip("%s: %s (%s)\n%s%s%s", near->name.c_str(), rateText(*near).c_str(), rateWord(look, near->rate),
                      near->rate.source.c_str(), near->rate.other.empty() ? "" : "\n",
                      near->rate.other.c_str());
}

}  // namespace loom::panels
