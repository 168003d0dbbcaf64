#include "app/ui/dot.h"

#include <algorithm>
#include <cmath>

#include "app/ui/look.h"

namespace loom::panels {

void drawDot(const window::Look& look, ImDrawList& list, ImVec2 centre, float radius, ImU32 colour, bool filled) {
  constexpr ImWchar kDisc = 0x25CF, kRing = 0x25CB;
  constexpr float kProbe = 32;  // px: how wide the glyph is for its size
  const ImWchar character = filled ? kDisc : kRing;
  ImFont* font = look.fonts.code;
  const ImFontGlyph* probe =
      font->IsGlyphInFont(character) ? font->GetFontBaked(kProbe)->FindGlyph(character) : nullptr;
  if (probe == nullptr || probe->X1 <= probe->X0) {
    filled ? list.AddCircleFilled(centre, radius, colour) : list.AddCircle(centre, radius, colour);
    return;
  }
  const float size = std::max(4.0F, std::round(kProbe * 2 * radius / (probe->X1 - probe->X0)));
  const ImFontGlyph* glyph = font->GetFontBaked(size)->FindGlyph(character);
  // A glyph lies on whole px; its corner is rounded here, not cut off by the font.
  const ImVec2 corner{std::round(centre.x - (glyph->X0 + glyph->X1) / 2),
                      std::round(centre.y - (glyph->Y0 + glyph->Y1) / 2)};
  font->RenderChar(&list, size, corner, colour, character);
}

void drawDashedLine(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float dash, float thickness) {
  const float dx = to.x - from.x, dy = to.y - from.y, length = std::max(1.0F, std::hypot(dx, dy));
  for (float at = 0; at < length; at += dash * 1.8F) {
    const float end = std::min(at + dash, length);
    list.AddLine({from.x + dx * at / length, from.y + dy * at / length},
                 {from.x + dx * end / length, from.y + dy * end / length}, colour, thickness);
  }
}

void drawStar(ImDrawList& list, ImVec2 centre, float radius, ImU32 colour) {
  constexpr int kPoints = 10;
  constexpr float kTurn = 3.14159265F / 5, kInner = 0.42F;
  ImVec2 points[kPoints];
  for (int i = 0; i < kPoints; ++i) {
    const float reach = i % 2 == 0 ? radius : radius * kInner, turn = float(i) * kTurn;
    points[i] = {centre.x + reach * std::sin(turn), centre.y - reach * std::cos(turn)};
  }
  list.AddConcavePolyFilled(points, kPoints, colour);
}

}  // namespace loom::panels
