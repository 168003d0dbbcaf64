#include "app/panels/memory/labels.h"

#include "app/panels/memory/words.h"
#include "app/ui/look.h"
#include "app/ui/quantity_text.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/widgets/role_text.h"

namespace loom::panels {

using window::Look;
using window::Tone;

void drawLabel(const Look& look, ImVec2 at, float room, const std::string& text, Tone tone, ImFont* font, float size,
               const std::string& whole) {
  ImGui::PushFont(font, size);
  const std::string shown = ellipsized(text, room);
  ImGui::GetWindowDrawList()->AddText(at, look.paint(tone), shown.c_str());
  const ImVec2 end{at.x + ImGui::CalcTextSize(shown.c_str()).x, at.y + ImGui::GetFontSize()};
  ImGui::PopFont();
  if (shown != text && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, end))
    showTip(look, whole.empty() ? text.c_str() : whole);
}

void drawFigure(const Look& look, ImVec2 at, float room, const std::string& text, Tone tone) {
  drawLabel(look, at, room, text, tone, look.fonts.text, window::kUnitSize);
}

float figureWidth(const Look& look, const std::string& text) {
  ImGui::PushFont(look.fonts.text, window::kUnitSize);
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  ImGui::PopFont();
  return width;
}

std::string closeFigure(const Look& look, std::string text, float room) {
  ImGui::PushFont(look.fonts.text, window::kUnitSize);
  auto fits = [&] { return ImGui::CalcTextSize(text.c_str()).x <= room; };
  if (!fits()) std::erase(text, ' ');
  const std::size_t digits = text.find_first_of("0123456789");
  if (!fits() && digits != std::string::npos) text.erase(0, digits);
  ImGui::PopFont();
  return text;
}

void drawAmount(const Look& look, ImVec2 at, float room, const std::string& text, Tone tone) {
  const std::size_t unit = text.rfind(' ');
  const float half = look.px(6);
  std::string close = text;
  if (unit != std::string::npos) close.erase(unit, 1);
  ImGui::PushFont(look.fonts.text, window::kUnitSize);
  const bool apart = ImGui::CalcTextSize(text.c_str()).x <= room, fits = ImGui::CalcTextSize(close.c_str()).x <= room;
  ImGui::PopFont();
  if (apart || fits || unit == std::string::npos) {
    drawFigure(look, at, room + 1, apart ? text : close, tone);
    return;
  }
  drawLabel(look, {at.x, at.y - half}, room, text.substr(0, unit), tone, look.fonts.text, window::kUnitSize, text);
  drawLabel(look, {at.x, at.y + half}, room, text.substr(unit + 1), tone, look.fonts.text, window::kUnitSize, text);
}

std::string mbarrierText(const Look& look, const session::MemoryMbarrier& b) {
  namespace words = text::memory;
  const std::string arrivals = b.arrivals == 1
                                   ? look.say(words::kOneThread)
                                   : say(look, b.ofCluster ? words::kClusterThreads : words::kSomeThreads, b.arrivals);
  std::string filled;
  for (const std::string& name : b.filled) filled += (filled.empty() ? "" : ", ") + name;
  std::string text = b.bytes > 0
                         ? say(look, words::kMbarrierLands, b.name, b.slots, arrivals, bytesText(b.bytes), filled)
                         : say(look, words::kMbarrierArrives, b.name, b.slots, arrivals);
  if (b.fedByCluster) text += look.say(words::kMbarrierOthers);
  if (b.phases > 0) text += say(look, words::kMbarrierPhases, countText(b.phases));
  return text + say(look, words::kMbarrierWarps, warpsText(look, b.waiting), warpsText(look, b.arriving));
}

}  // namespace loom::panels
