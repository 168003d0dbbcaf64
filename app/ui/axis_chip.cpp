#include "app/ui/axis_chip.h"

#include <algorithm>
#include <map>
#include <utility>

#include "app/notation/palette.h"

namespace loom::panels {

using device::HardwareAxis;
using window::Look;
using window::Theme;
using window::Tone;

ImU32 inkOn(const Look& look, Tone ground, float alpha) {
  constexpr unsigned kBlack = 0x101216, kWhite = 0xffffff;
  const unsigned under = window::rgb(ground, look.theme);
  const bool black = notation::contrastRatio(kBlack, under) > notation::contrastRatio(kWhite, under);
  return black ? IM_COL32(16, 18, 22, int(alpha * 255)) : IM_COL32(255, 255, 255, int(alpha * 255));
}

ImU32 inkOf(const Look& look, Tone tone) {
  constexpr double kReadable = 4.5;  // WCAG 2.2, for text
  static std::map<std::pair<Theme, Tone>, ImU32> known;
  const auto [at, fresh] = known.try_emplace({look.theme, tone}, 0);
  if (!fresh) return at->second;
  const unsigned hue = window::rgb(tone, look.theme), text = window::rgb(Tone::kText, look.theme);
  const unsigned panel = window::rgb(Tone::kPanel, look.theme);
  for (unsigned share = look.theme == Theme::kLight ? 20 : 35;; share += 5) {
    unsigned ink = 0;
    for (unsigned shift = 0; shift < 24; shift += 8)
      ink |= ((hue >> shift & 0xffU) * (100 - share) + (text >> shift & 0xffU) * share) / 100 << shift;
    if (share < 90 && notation::contrastRatio(ink, panel) < kReadable) continue;
    return at->second = IM_COL32(ink >> 16, ink >> 8 & 0xff, ink & 0xff, 255);
  }
}

float drawAxisChip(const Look& look, ImVec2 at, HardwareAxis axis, const char* letters, float alpha) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Tone tone = toneOf(axis);
  ImGui::PushFont(look.fonts.strong, window::kUnitSize);
  const ImVec2 text = ImGui::CalcTextSize(letters);
  const float width = std::max(look.px(18), text.x + look.px(8)), half = look.px(7);
  const ImVec2 from{at.x, at.y - half}, to{at.x + width, at.y + half};
  ImU32 ink = inkOn(look, tone, alpha);
  switch (axis) {
    case HardwareAxis::kThreadX:
    case HardwareAxis::kThreadY:
    case HardwareAxis::kThreadZ: draw->AddRectFilled(from, to, look.paint(tone, alpha), half); break;
    case HardwareAxis::kVirtualThread:
      draw->AddRectFilled(from, to, look.paint(tone, 0.25F * alpha), half);
      drawDashed(look, from, to, look.paint(tone, alpha));
      ink = look.paint(Tone::kText, alpha);
      break;
    case HardwareAxis::kSerial:
    case HardwareAxis::kReduction:
      draw->AddRectFilled(from, to, look.paint(tone, 0.2F * alpha), look.px(2));
      draw->AddRect(from, to, look.paint(tone, alpha), look.px(2));
      ink = look.paint(Tone::kText, alpha);
      break;
    default: draw->AddRectFilled(from, to, look.paint(tone, alpha), look.px(1)); break;
  }
  if (axis == HardwareAxis::kVectorized) {
    for (int i = 0; i < 4; ++i) {
      const float x = from.x + (float(i) + 0.5F) * width / 4;
      draw->AddLine({x, to.y - look.px(2.5F)}, {x, to.y}, ink, std::max(1.0F, look.px(1)));
    }
  }
  if (axis == HardwareAxis::kUnrolled) {
    const float x = to.x + look.px(2);
    draw->AddLine({x, from.y}, {x, to.y}, look.paint(tone, alpha), look.px(1.5F));
  }
  draw->AddText(
      {from.x + (width - text.x) / 2, at.y - text.y / 2 - (axis == HardwareAxis::kVectorized ? look.px(0.5F) : 0)}, ink,
      letters);
  ImGui::PopFont();
  return width + (axis == HardwareAxis::kUnrolled ? look.px(3) : 0);
}

float drawBlockMark(const Look& look, ImVec2 at, float alpha) {
  const float side = look.px(9);
  ImGui::GetWindowDrawList()->AddRect({at.x, at.y - side / 2}, {at.x + side, at.y + side / 2},
                                      look.paint(Tone::kText, alpha), 0, 0, std::max(1.0F, look.px(1.2F)));
  return side;
}

void drawDashed(const Look& look, ImVec2 from, ImVec2 to, ImU32 colour, ImVec2 gap) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float on = look.px(5), period = look.px(9), thick = std::max(1.0F, look.px(1.2F));
  const auto dash = [&](float left, float right) {
    if (right <= left) return;
    draw->AddLine({left, from.y}, {right, from.y}, colour, thick);
    draw->AddLine({left, to.y}, {right, to.y}, colour, thick);
  };
  for (float x = from.x; x < to.x; x += period) {
    const float end = std::min(x + on, to.x);
    if (gap.y <= x || gap.x >= end) {
      dash(x, end);
      continue;
    }
    dash(x, gap.x);
    dash(gap.y, end);
  }
  for (float y = from.y; y < to.y; y += period) {
    const float end = std::min(y + on, to.y);
    draw->AddLine({from.x, y}, {from.x, end}, colour, thick);
    draw->AddLine({to.x, y}, {to.x, end}, colour, thick);
  }
}

}  // namespace loom::panels
