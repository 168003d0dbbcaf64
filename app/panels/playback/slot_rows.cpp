#include "app/panels/playback/slot_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>

#include "app/panels/playback/bars.h"
#include "app/panels/playback/words.h"
#include "app/ui/axis_chip.h"
#include "app/ui/quantity_text.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"

namespace loom::panels::playback {

namespace words = text::playback;
using session::BufferRing;
using session::SlotSpan;
using window::Look;
using window::Tone;

namespace {

constexpr float kLeastNumber = 7;  // design px: a smaller one isn't read

// Text of a row's name or figures, in small type.
void drawSmall(const Look& look, ImVec2 at, const std::string& text, float room, Tone tone) {
  ImGui::PushFont(nullptr, window::kUnitSize);
  ImGui::GetWindowDrawList()->AddText(at, look.paint(tone), ellipsized(text, room).c_str());
  ImGui::PopFont();
}

float textAt(const Look& look, const PipelineRows& rows, float y) { return y + rows.row / 2 - look.px(7); }

bool fits(const Look& look, const std::string& text, float left, float right) {
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  const bool room = ImGui::CalcTextSize(text.c_str()).x <= right - left - look.px(8);
  ImGui::PopFont();
  return room;
}

}  // namespace

Tone toneOf(const BufferRing& ring) {
  return ring.level == device::MemoryLevel::kShared ? Tone::kShared : Tone::kFragment;
}

float xOf(const PipelineRows& rows, const ShownTime& shown, double clocks) {
  const double share = std::clamp(clocks / std::max(1e-9, shown.clocks), 0.0, 1.0);
  return rows.from.x + float(share) * (rows.right - rows.from.x);
}

void drawRowName(const Look& look, const PipelineRows& rows, float y, const char* letter, Tone tone,
                 const std::string& text) {
  const float left = rows.from.x - rows.title;
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  ImGui::GetWindowDrawList()->AddText({left, textAt(look, rows, y)}, inkOf(look, tone), letter);
  ImGui::PopFont();
  drawSmall(look, {left + look.px(16), textAt(look, rows, y)}, text, rows.title - look.px(20), Tone::kText);
}

void drawRowFigures(const Look& look, const PipelineRows& rows, float y, const std::string& text) {
  if (rows.figures > 0)
    drawSmall(look, {rows.right + look.px(8), textAt(look, rows, y)}, text, rows.figures - look.px(8),
              Tone::kTextSecond);
}

void drawRowEnd(const Look& look, const PipelineRows& rows, float y) {
  ImGui::GetWindowDrawList()->AddLine({rows.from.x, y}, {rows.right, y}, look.paint(Tone::kLine));
}

void drawSlotBars(const Look& look, const PipelineRows& rows, float y, const ShownTime& shown, const BufferRing& ring,
                  int slot) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float edge = std::min(look.px(2), rows.row / 6);
  const bool words = rows.row >= look.px(kWordRow);
  const float top = y + edge, bottom = y + rows.row - edge;
  for (const SlotSpan& s : ring.spans) {
    const double from = s.from - shown.from, to = s.to - shown.from;
    if (s.slot != slot || to <= 0 || from >= shown.clocks) continue;
    const ImVec2 a{xOf(rows, shown, from), top};
    const ImVec2 b{std::max(a.x + 1, xOf(rows, shown, to) - look.px(1)), bottom};
    const bool flight = s.state == SlotSpan::State::kInFlight, read = s.state == SlotSpan::State::kRead;
    const bool lit = shown.isNow(from, to);
    // Neighbours differ in strength, but what is read is stronger than what isn't in either.
    const float strength = (read ? (lit ? 0.68F : 0.5F) : (lit ? 0.36F : 0.2F)) * (slot % 2 == 1 ? 1.45F : 1);
    list->AddRectFilled(a, b, look.paint(flight ? Tone::kGlobal : toneOf(ring), strength));
    if (!words) continue;
    const std::string step = stepText(ring.loop, s.step), whole = slotText(look, ring, s);
    const std::string& text = fits(look, whole, a.x, b.x) ? whole : step;
    if (flight && b.x - a.x > look.px(14)) {
      drawDashedBar(look, a, b, look.paint(Tone::kGlobal), text, Tone::kText);
    } else {
      drawBarLabel(look, a, b, text, Tone::kText);
    }
  }
}

void drawSlotNumbers(const Look& look, const PipelineRows& rows, float y, const BufferRing& ring) {
  // In two columns by turns: a number has the height of two rows.
  const float size = std::min(look.px(window::kUnitSize), 2 * rows.row);
  if (ring.slots < 2 || size < look.px(kLeastNumber)) return;
  ImFont* font = look.fonts.code;
  const float digit = font->CalcTextSizeA(size, FLT_MAX, 0, "0").x;
  const float column = digit * float(std::to_string(ring.slots - 1).size()) + look.px(3);
  for (int slot = 0; slot < ring.slots; ++slot) {
    const std::string number = std::to_string(slot);
    const float right = rows.from.x - look.px(3) - (slot % 2 == 0 ? column : 0);
    ImGui::GetWindowDrawList()->AddText(
        font, size, {right - digit * float(number.size()), y + (float(slot) + 0.5F) * rows.row - size / 2},
        look.paint(slot % 2 == 1 ? Tone::kText : Tone::kTextSecond), number.c_str());
  }
}

void drawSlotRow(const Look& look, const PipelineRows& rows, float y, const ShownTime& shown, const BufferRing& ring,
                 int slot) {
  drawRowName(look, rows, y, window::entryOf(toneOf(ring)).letter, toneOf(ring), say(look, words::kSlot, slot));
  drawSlotBars(look, rows, y, shown, ring, slot);
  if (slot == 0) drawRowFigures(look, rows, y, joined(ring.buffers));
  if (slot == 1) drawRowFigures(look, rows, y, say(look, words::kSlotBytes, ring.slots, bytesText(ring.slotBytes)));
}

std::string slotHint(const Look& look, const BufferRing& ring, int slot, double clocks) {
  const std::string head = say(look, words::kSlotOf, slot, joined(ring.buffers)) + "\n" +
                           say(look, words::kSlotBytes, ring.slots, bytesText(ring.slotBytes)) + "\n";
  for (const SlotSpan& s : ring.spans) {
    if (s.slot != slot || clocks < s.from || clocks >= s.to) continue;
    const text::Text& note = s.state == SlotSpan::State::kInFlight
                                 ? (ring.byEngine ? words::kInFlightNote : words::kNotAwaitedNote)
                             : s.state == SlotSpan::State::kLanded ? words::kLandedNote
                                                                   : words::kReadNote;
    return head + slotText(look, ring, s) + " · " + say(look, words::kClocks, clocksText(s.to - s.from)) + "\n" +
           look.say(note);
  }
  return head + look.say(words::kFreeNote);
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& n : names) text += (text.empty() ? "" : ", ") + n;
  return text;
}

std::string stepText(const std::string& loop, std::int64_t step) {
  return loop.empty() ? fmt::format("#{}", step) : fmt::format("{} = {}", loop, step);
}

std::string slotText(const Look& look, const BufferRing& ring, const SlotSpan& span) {
  const text::Text& word = span.state == SlotSpan::State::kInFlight
                               ? (ring.byEngine ? words::kSlotInFlight : words::kSlotNotAwaited)
                           : span.state == SlotSpan::State::kLanded ? words::kSlotLanded
                                                                    : words::kSlotRead;
  return say(look, word, stepText(ring.loop, span.step));
}

}  // namespace loom::panels::playback
