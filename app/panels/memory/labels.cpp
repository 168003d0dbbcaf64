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

namespace {

// Half as wide as a blank; a number and its unit are never written as one word.
constexpr const char* kThinBlank = "\u2009";

// The unit is behind the last blank.
std::string withThinBlank(std::string text) {
  if (const std::size_t unit = text.rfind(' '); unit != std::string::npos) text.replace(unit, 1, kThinBlank);
  return text;
}

}  // namespace

std::string closeFigure(const Look& look, const std::string& text, float room, const std::string& beside) {
  // "↑ 512 KiB", then "↑512 KiB", then "512 KiB": each as `form` says it, 0 to 2.
  const auto formed = [](std::string figure, int form) {
    const std::size_t digits = figure.find_first_of("0123456789");
    if (form == 0 || digits == std::string::npos) return figure;
    figure = withThinBlank(figure);
    if (form == 2) return figure.substr(digits);
    std::erase(figure, ' ');  // behind the arrow
    return figure;
  };
  const auto fits = [&](const std::string& figure) { return figureWidth(look, figure) <= room; };
  int form = 0;
  while (form < 2 && !(fits(formed(text, form)) && fits(formed(beside, form)))) ++form;
  return formed(text, form);
}

void drawAmount(const Look& look, ImVec2 at, float room, const std::string& text, Tone tone) {
  const std::size_t unit = text.rfind(' ');
  const float half = look.px(6);
  const std::string close = withThinBlank(text);
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
