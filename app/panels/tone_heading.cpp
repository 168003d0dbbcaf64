#include "app/panels/tone_heading.h"

#include <imgui.h>

#include "app/panels/panel_text.h"

namespace loom::panels {

using window::Tone;

Tone toneOf(device::Memory memory) {
  switch (memory) {
    case device::Memory::Global: return Tone::kGlobal;
    case device::Memory::Shared:
    case device::Memory::SharedDynamic: return Tone::kShared;
    default: return Tone::kFragment;
  }
}

void drawToneLetter(const window::Look& look, Tone tone) {
  const char* letter = window::entryOf(tone).letter;
  const float size = look.px(window::kUnitSize);
  const ImVec2 extent = look.fonts.code->CalcTextSizeA(size, FLT_MAX, 0, letter);
  const float pad = look.px(4), height = ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + extent.x + 2 * pad, at.y + height}, look.paint(tone),
                                            look.px(2));
  ImGui::GetWindowDrawList()->AddText(look.fonts.code, size, {at.x + pad, at.y + (height - size) / 2},
                                      look.paint(Tone::kPanel), letter);
  ImGui::Dummy({extent.x + 2 * pad, height});
  ImGui::SameLine();
}

void drawHeading(const window::Look& look, Tone tone, const std::string& text) {
  drawToneLetter(look, tone);
  drawHeading(look, text);
}

}  // namespace loom::panels
