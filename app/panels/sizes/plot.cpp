// The plot of Sizes: throughput by size, a line for each state.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/notation/quantity_text.h"
#include "app/panels/sizes/page.h"
#include "app/panels/sizes/words.h"
#include "app/session/session.h"
#include "app/ui/dot.h"
#include "app/ui/look.h"
#include "app/ui/side_labels.h"
#include "app/ui/text.h"
#include "app/widgets/state_text.h"
#include "core/document/time_rows.h"
#include "core/tune/size_sweep.h"

namespace loom::panels {

namespace words = text::sizes;
using tune::Sweep;
using tune::SweptSize;
using tune::SweptState;
using window::Look;
using window::Tone;

namespace {

// 1, 2 or 5 times a power of ten: some four of them make up `most`.
double niceStep(double most) {
  const double about = most / 4, unit = std::pow(10, std::floor(std::log10(about)));
  for (double times : {1.0, 2.0, 5.0})
    if (times * unit >= about) return times * unit;
  return 10 * unit;
}

// TFLOP/s; 0: not known, or of another device than the model's.
double vendorOf(const Sweep& sweep, const SweptSize& size) {
  const double time = vendorTime(size);
  return time > 0 && (sweep.device.empty() || size.vendor->device == sweep.device) ? size.tflops(time) : 0;
}

}  // namespace

struct Sizes::Plot {
  const Sweep* sweep;
  ImVec2 low, high;  // corners of the plane
  float labels;      // room right of it
  bool logarithmic;
  double least, most;  // TFLOP/s at its bottom and top
  ImVec2 mouse;
  bool hovered;

  // What the mouse is nearest to, of what has been drawn.
  mutable const SweptSize* size = nullptr;
  mutable const SweptState* state = nullptr;
  mutable float nearest = 0;

  float x(std::size_t size) const {
    return low.x + (float(size) + 0.5F) * (high.x - low.x) / float(sweep->sizes.size());
  }
  float y(double tflops) const {
    const double share =
        logarithmic ? (std::log10(tflops) - std::log10(least)) / (std::log10(most) - std::log10(least)) : tflops / most;
    return high.y - float(share) * (high.y - low.y);
  }
  void offer(ImVec2 at, const SweptSize& of, const SweptState& one) const {
    const float distance = std::hypot(mouse.x - at.x, mouse.y - at.y);
    if (!hovered || distance >= nearest) return;
    nearest = distance;
    size = &of;
    state = &one;
  }
};

// Would a state's whole line lie on the axis otherwise?
bool Sizes::needsDecades(const Sweep& sweep) {
  constexpr double kFlat = 1.0 / 30;  // of the plot's height
  double most = 0;
  std::vector<double> best(sweep.request.nodes.size(), 0);
  for (const SweptSize& size : sweep.sizes) {
    most = std::max(most, vendorOf(sweep, size));
    for (std::size_t i = 0; i < size.states.size() && i < best.size(); ++i) {
      const SweptThroughput of = modelledOf(sweep, size, size.states[i]);
      best[i] = std::max({best[i], of.measured.value_or(0), of.predicted.value_or(0)});
    }
  }
  for (const double tflops : best) most = std::max(most, tflops);
  return std::any_of(best.begin(), best.end(), [&](double tflops) { return tflops > 0 && tflops < kFlat * most; });
}

void Sizes::drawPlot(PanelContext& context, const Sweep& sweep, float width, float height) const {
  const Look& look = context.look;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton("###sizesplot", {std::max(width, 1.0F), std::max(height, 1.0F)});
  std::vector<double> values;
  for (const SweptSize& size : sweep.sizes) {
    if (const double vendor = vendorOf(sweep, size); vendor > 0) values.push_back(vendor);
    for (const SweptState& state : size.states) {
      const SweptThroughput of = modelledOf(sweep, size, state);
      for (const auto& one : {of.measured, of.predicted})
        if (one && *one > 0) values.push_back(*one);
    }
  }
  const document::Decades decades = document::decadesAround(values);
  const double most = values.empty() ? 1 : *std::max_element(values.begin(), values.end());
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  const float labels = look.px(width >= look.px(300) ? 104 : 8);
  const float line = ImGui::GetTextLineHeight();
  Plot plot{&sweep,
            {corner.x + look.px(40), corner.y + look.px(8)},
            {corner.x + width - labels, corner.y + height - line - look.px(4)},
            labels,
            isLogarithmic_,
            isLogarithmic_ ? std::pow(10.0, decades.low) : 0,
            isLogarithmic_ ? std::pow(10.0, decades.high) : std::ceil(most * 1.02 / niceStep(most)) * niceStep(most),
            ImGui::GetMousePos(),
            ImGui::IsItemHovered()};
  plot.nearest = look.px(20);
  drawAxes(context, plot);
  drawVendor(context, plot);
  // The current state over the others.
  const auto& nodes = sweep.request.nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i] != context.session->navigation().current()) drawState(context, plot, i);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i] == context.session->navigation().current()) drawState(context, plot, i);
  std::vector<SideLabel> beside;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    // At its last point.
    for (std::size_t s = sweep.sizes.size(); s-- > 0;) {
      const SweptSize& size = sweep.sizes[s];
      const auto last = size.states.size() > i ? modelledOf(*plot.sweep, size, size.states[i]).best() : std::nullopt;
      if (!last) continue;
      beside.push_back({plot.y(*last), stateLabel(look, context.session->navigation().history(), nodes[i]),
                        toneOf(*context.session, nodes[i])});
      break;
    }
  }
  for (std::size_t s = sweep.sizes.size(); s-- > 0;) {
    if (const double vendor = vendorOf(sweep, sweep.sizes[s]); vendor > 0) {
      beside.push_back({plot.y(vendor), "cuBLASLt", Tone::kTextSecond});
      break;
    }
  }
  if (labels > look.px(40)) drawSideLabels(look, plot.high.x, labels, plot.low.y, plot.high.y + line, beside);
  ImGui::PopFont();
  if (plot.state == nullptr) return;
  showTip(context.look, sweptTip(context, sweep, *plot.size, *plot.state));
  if (clicked) context.session->navigation().select(plot.state->node);
}

void Sizes::drawAxes(const PanelContext& context, const Plot& plot) const {
  const Look& look = context.look;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImU32 faint = look.paint(Tone::kTextFaint);
  const float line = ImGui::GetTextLineHeight();
  float free = plot.high.y + line;  // labels that would run into each other are left out
  auto level = [&](double value) {
    const float at = plot.y(value);
    draw.AddLine({plot.low.x, at}, {plot.high.x, at}, look.paint(Tone::kLine));
    if (at + line / 2 > free) return;
    const std::string label = notation::axisText(value);
    draw.AddText({plot.low.x - ImGui::CalcTextSize(label.c_str()).x - look.px(6), at - line / 2}, faint, label.c_str());
    free = at - line / 2;
  };
  if (plot.logarithmic) {
    for (double value = plot.least; value <= plot.most * 1.0001; value *= 10) level(value);
  } else {
    const double step = niceStep(plot.most);
    for (int i = 0; i * step <= plot.most * 1.0001; ++i) level(i * step);
  }
  float next = plot.low.x - look.px(40);
  for (std::size_t i = 0; i < plot.sweep->sizes.size(); ++i) {
    const gpu::Matmul& p = plot.sweep->sizes[i].product;
    const std::string label = gpu::sizeText({p.m, p.n, p.k, {}, {}});
    const float wide = ImGui::CalcTextSize(label.c_str()).x, at = plot.x(i) - wide / 2;
    draw.AddLine({plot.x(i), plot.high.y}, {plot.x(i), plot.high.y + look.px(3)}, look.paint(Tone::kLine));
    if (at < next || at + wide > plot.high.x + plot.labels) continue;
    draw.AddText({at, plot.high.y + look.px(4)}, faint, label.c_str());
    next = at + wide + look.px(8);
  }
}

// The vendor's library from size to size.
void Sizes::drawVendor(const PanelContext& context, const Plot& plot) const {
  const Look& look = context.look;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImU32 ink = look.paint(Tone::kTextSecond);
  std::optional<ImVec2> last;
  for (std::size_t i = 0; i < plot.sweep->sizes.size(); ++i) {
    const double vendor = vendorOf(*plot.sweep, plot.sweep->sizes[i]);
    if (vendor <= 0) continue;
    const ImVec2 at{plot.x(i), plot.y(vendor)};
    if (last) drawDashedLine(draw, *last, at, ink, look.px(6));
    draw.AddLine({at.x - look.px(5), at.y}, {at.x + look.px(5), at.y}, ink, look.px(1.5F));
    last = at;
  }
}

// A state's line: through what was measured where it was, else through what is predicted. Where it is neither, since it
// is refused or wrong there, a cross on the axis.
void Sizes::drawState(const PanelContext& context, const Plot& plot, std::size_t at) const {
  const Look& look = context.look;
  const session::Session& session = *context.session;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const auto& nodes = plot.sweep->request.nodes;
  const bool current = nodes[at] == session.navigation().current();
  const ImU32 ink = look.paint(toneOf(session, nodes[at]));
  std::optional<ImVec2> last;
  for (std::size_t i = 0; i < plot.sweep->sizes.size(); ++i) {
    const SweptSize& size = plot.sweep->sizes[i];
    if (size.states.size() <= at) continue;
    const SweptState& state = size.states[at];
    if (fails(state)) {
      // Those of several states beside each other.
      const ImVec2 c{plot.x(i) + (float(at) - float(nodes.size() - 1) / 2) * look.px(9), plot.high.y};
      const float r = look.px(3);
      draw.AddLine({c.x - r, c.y - r}, {c.x + r, c.y + r}, ink, look.px(1.5F));
      draw.AddLine({c.x - r, c.y + r}, {c.x + r, c.y - r}, ink, look.px(1.5F));
      plot.offer(c, size, state);
      last.reset();
      continue;
    }
    const SweptThroughput of = modelledOf(*plot.sweep, size, state);
    if (!of.best()) continue;
    const ImVec2 point{plot.x(i), plot.y(*of.best())};
    if (last) draw.AddLine(*last, point, ink, look.px(current ? 1.5F : 1));
    if (of.measured && of.predicted) {
      const ImVec2 guess{point.x, plot.y(*of.predicted)};
      drawDot(look, draw, guess, look.px(3), look.paint(Tone::kTextFaint), false);
      plot.offer(guess, size, state);
    }
    drawDot(look, draw, point, look.px(current ? 4 : 3), ink, of.measured.has_value());
    plot.offer(point, size, state);
    last = point;
  }
}

}  // namespace loom::panels
