#include "app/ui/tone_heading.h"

#include <imgui.h>

#include "app/ui/axis_chip.h"
#include "app/ui/text.h"

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

void drawToneChip(const window::Look& look, ImVec2 from, ImVec2 to, Tone tone) {
  const bool thread = tone == Tone::kThreadX || tone == Tone::kThreadY || tone == Tone::kThreadZ;
  const bool outlined = tone == Tone::kSerial || tone == Tone::kReduction;
  const float rounding = thread ? (to.y - from.y) / 2 : look.px(2);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(from, to, look.paint(tone, outlined ? 0.2F : 1), rounding);
  if (outlined) draw->AddRect(from, to, look.paint(tone), rounding);
  const char* letter = window::entryOf(tone).letter;
  const float size = look.px(window::kUnitSize);
  const ImVec2 extent = look.fonts.code->CalcTextSizeA(size, FLT_MAX, 0, letter);
  draw->AddText(look.fonts.code, size, {(from.x + to.x - extent.x) / 2, (from.y + to.y - size) / 2},
                outlined ? look.paint(Tone::kText) : inkOn(look, tone), letter);
}

void drawToneLetter(const window::Look& look, Tone tone) {
  const float size = look.px(window::kUnitSize);
  const ImVec2 extent = look.fonts.code->CalcTextSizeA(size, FLT_MAX, 0, window::entryOf(tone).letter);
  const float width = extent.x + look.px(8), height = ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  drawToneChip(look, at, {at.x + width, at.y + height}, tone);
  ImGui::Dummy({width, height});
  ImGui::SameLine();
}

void drawMarkedHeading(const window::Look& look, Tone tone, const std::string& text) {
  const float side = look.px(10), height = ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float top = at.y + (height - side) / 2;
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + side, top + side}, look.paint(tone));
  ImGui::Dummy({side, height});
  ImGui::SameLine();
  drawHeading(look, text);
}

void drawHeading(const window::Look& look, Tone tone, const std::string& text) {
  drawToneLetter(look, tone);
  drawHeading(look, text);
}

}  // namespace loom::panels
