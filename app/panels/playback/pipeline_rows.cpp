#include "app/panels/playback/pipeline_rows.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/panels/playback/bars.h"
#include "app/panels/playback/words.h"
#include "app/ui/axis_chip.h"
#include "app/ui/quantity_text.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"

namespace loom::panels::playback {

namespace words = text::playback;
using session::BufferRing;
using session::CopyGroup;
using session::PipelineView;
using session::Playback;
using session::PlaybackBar;
using session::PlaybackWindow;
using session::SlotSpan;
using window::Look;
using window::Tone;

namespace {

// "A_shared, B_shared".
std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& n : names) text += (text.empty() ? "" : ", ") + n;
  return text;
}

// "kt = 5": the iteration whose values these are; a number alone where no pipelined loop counts them.
std::string stepText(const std::string& loop, std::int64_t step) {
  return loop.empty() ? fmt::format("#{}", step) : fmt::format("{} = {}", loop, step);
}

Tone toneOf(const BufferRing& ring) {
  return ring.level == device::MemoryLevel::kShared ? Tone::kShared : Tone::kFragment;
}

const text::Text& wordOf(SlotSpan::State state) {
  switch (state) {
    case SlotSpan::State::kInFlight: return words::kSlotInFlight;
    case SlotSpan::State::kLanded: return words::kSlotLanded;
    case SlotSpan::State::kRead: break;
  }
  return words::kSlotRead;
}

// The ring and the slot of a row below that of the copies; null: none.
std::pair<const BufferRing*, int> slotAt(const PipelineView& view, int row) {
  row -= view.groups.empty() ? 0 : 1;
  for (const BufferRing& r : view.rings) {
    if (row >= 0 && row < r.slots) return {&r, row};
    row -= r.slots;
  }
  return {nullptr, -1};
}

// The waits for global memory of a window: while they last nothing hides the copies.
std::vector<std::pair<double, double>> exposedIn(const Playback& p, const PlaybackWindow& w) {
  std::vector<std::pair<double, double>> all;
  for (const auto& phase : w.phases)
    for (const PlaybackBar& b : p.bars(phase.item))
      if (b.wait && b.track == model::Track::Copy) all.emplace_back(phase.from + b.from, phase.from + b.to);
  return all;
}

// Text of a row's name or figures, in small type.
void drawSmall(const Look& look, ImVec2 at, const std::string& text, float room, Tone tone) {
  ImGui::PushFont(nullptr, window::kUnitSize);
  ImGui::GetWindowDrawList()->AddText(at, look.paint(tone), ellipsized(text, room).c_str());
  ImGui::PopFont();
}

// Draws the rows, one after the other.
class Rows {
 public:
  Rows(const Look& look, const Playback& p, const PlaybackWindow& w, const PipelineRows& rows, double now)
      : look_(look), p_(p), w_(w), rows_(rows), now_(now), y_(rows.from.y) {}

  void draw() {
    if (!p_.pipeline().groups.empty()) drawCopies();
    for (const BufferRing& ring : p_.pipeline().rings)
      for (int slot = 0; slot < ring.slots; ++slot) drawSlot(ring, slot);
  }

 private:
  float x(double clocks) const {
    const double share = std::clamp(clocks / std::max(1e-9, w_.clocks), 0.0, 1.0);
    return rows_.from.x + float(share) * (rows_.right - rows_.from.x);
  }
  float textAt() const { return y_ + rows_.row / 2 - look_.px(7); }
  void name(const char* letter, Tone tone, const std::string& text) const {
    const float left = rows_.from.x - rows_.title;
    ImGui::PushFont(look_.fonts.code, window::kUnitSize);
    ImGui::GetWindowDrawList()->AddText({left, textAt()}, inkOf(look_, tone), letter);
    ImGui::PopFont();
    drawSmall(look_, {left + look_.px(16), textAt()}, text, rows_.title - look_.px(20), Tone::kText);
  }
  void figures(const std::string& text) const {
    if (rows_.figures > 0)
      drawSmall(look_, {rows_.right + look_.px(8), textAt()}, text, rows_.figures - look_.px(8), Tone::kTextSecond);
  }
  void next() {
    y_ += rows_.row;
    ImGui::GetWindowDrawList()->AddLine({rows_.from.x, y_}, {rows_.right, y_}, look_.paint(Tone::kLine));
  }
  bool isNow(double from, double to) const { return now_ >= from && now_ < to; }

  // Groups that are on their way together share the row's height; what isn't hidden has a dashed frame.
  void drawCopies() {
    const PipelineView& view = p_.pipeline();
    ImDrawList* list = ImGui::GetWindowDrawList();
    name("→", Tone::kGlobal, look_.say(words::kOnTheirWay));
    const float top = y_ + look_.px(2), each = (rows_.row - look_.px(3)) / float(std::max(1, view.lanes));
    for (const CopyGroup& g : view.groups) {
      const double from = g.from - w_.from, to = g.to - w_.from;
      if (to <= 0 || from >= w_.clocks) continue;
      const ImVec2 a{x(from), top + each * float(g.lane)};
      const ImVec2 b{std::max(a.x + 1, x(to) - look_.px(1)), a.y + each - look_.px(view.lanes > 1 ? 1.0F : 2.0F)};
      list->AddRectFilled(a, b, look_.paint(Tone::kGlobal, isNow(from, to) ? 0.75F : 0.45F));
      if (each >= look_.px(12)) drawBarLabel(look_, a, b, stepText(g.loop, g.step), Tone::kText);
    }
    double exposed = 0;
    for (const auto& [from, to] : exposedIn(p_, w_)) {
      exposed += to - from;
      if (x(to) - x(from) >= look_.px(4))
        drawDashed(look_, {x(from), top}, {x(to), y_ + rows_.row - look_.px(2)}, look_.paint(Tone::kText));
    }
    figures(!p_.timeline().asCompiled ? look_.say(words::kExposedUnknown)
                                      : say(look_, words::kExposed, view.lanes, clocksText(exposed)));
    next();
  }

  void drawSlot(const BufferRing& ring, int slot) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    name(window::entryOf(toneOf(ring)).letter, toneOf(ring), say(look_, words::kSlot, slot));
    const float top = y_ + look_.px(2), bottom = y_ + rows_.row - look_.px(2);
    for (const SlotSpan& s : ring.spans) {
      const double from = s.from - w_.from, to = s.to - w_.from;
      if (s.slot != slot || to <= 0 || from >= w_.clocks) continue;
      const ImVec2 a{x(from), top}, b{std::max(a.x + 1, x(to) - look_.px(1)), bottom};
      const bool flight = s.state == SlotSpan::State::kInFlight, read = s.state == SlotSpan::State::kRead;
      const bool lit = isNow(from, to);
      list->AddRectFilled(a, b,
                          look_.paint(flight ? Tone::kGlobal : toneOf(ring),
                                      read ? (lit ? 0.75F : 0.55F) : (lit ? 0.4F : 0.22F)));
      if (flight && b.x - a.x > look_.px(14)) drawDashed(look_, a, b, look_.paint(Tone::kGlobal));
      const std::string step = stepText(ring.loop, s.step), whole = say(look_, wordOf(s.state), step);
      drawBarLabel(look_, a, b, fits(whole, a.x, b.x) ? whole : step, Tone::kText);
    }
    if (slot == 0) figures(joined(ring.buffers));
    if (slot == 1) figures(say(look_, words::kSlotBytes, ring.slots, bytesText(ring.slotBytes)));
    next();
  }

  bool fits(const std::string& text, float left, float right) const {
    ImGui::PushFont(look_.fonts.code, window::kUnitSize);
    const bool room = ImGui::CalcTextSize(text.c_str()).x <= right - left - look_.px(8);
    ImGui::PopFont();
    return room;
  }

  const Look& look_;
  const Playback& p_;
  const PlaybackWindow& w_;
  const PipelineRows& rows_;
  const double now_;
  float y_;
};

}  // namespace

int pipelineRows(const PipelineView& view) {
  int rows = view.groups.empty() ? 0 : 1;
  for (const BufferRing& r : view.rings) rows += r.slots;
  return rows;
}

void drawPipelineRows(const Look& look, const Playback& p, const PlaybackWindow& w, const PipelineRows& rows,
                      double now) {
  Rows(look, p, w, rows, now).draw();
}

std::string pipelineHint(const Look& look, const Playback& p, const PlaybackWindow& w, int row, double clocks,
                         std::vector<ir::Id>& blocks) {
  const PipelineView& view = p.pipeline();
  const double at = w.from + clocks;
  if (row == 0 && !view.groups.empty()) {
    std::string text;
    for (const CopyGroup& g : view.groups) {
      if (at < g.from || at >= g.to) continue;
      if (blocks.empty()) blocks = g.blocks;
      text += (text.empty() ? "" : "\n") + say(look, words::kGroupHint, joined(g.buffers),
                                               stepText(g.loop, g.step), clocksText(g.to - g.from));
    }
    return text.empty() ? look.say(words::kNoGroupHint) : text + "\n" + look.say(words::kGroupNote);
  }
  const auto [ring, slot] = slotAt(view, row);
  if (!ring) return "";
  const std::string head = say(look, words::kSlotOf, slot, joined(ring->buffers)) + "\n";
  for (const SlotSpan& s : ring->spans) {
    if (s.slot != slot || at < s.from || at >= s.to) continue;
    const text::Text& note = s.state == SlotSpan::State::kInFlight ? words::kInFlightNote
                             : s.state == SlotSpan::State::kLanded ? words::kLandedNote
                                                                   : words::kReadNote;
    return head + say(look, wordOf(s.state), stepText(ring->loop, s.step)) + " · " +
           say(look, words::kClocks, clocksText(s.to - s.from)) + "\n" + look.say(note);
  }
  return head + look.say(words::kFreeNote);
}

std::string slotsText(const Look& look, const Playback& p, double clocks) {
  std::string text;
  for (const BufferRing& ring : p.pipeline().rings) {
    std::string slots;
    for (int slot = 0; slot < ring.slots; ++slot) {
      std::string holds = look.say(words::kSlotFree);
      for (const SlotSpan& s : ring.spans)
        if (s.slot == slot && clocks >= s.from && clocks < s.to)
          holds = say(look, wordOf(s.state), stepText(ring.loop, s.step));
      slots += (slots.empty() ? "" : ", ") + holds;
    }
    text += (text.empty() ? "" : " · ") + joined(ring.buffers) + ": " + slots;
  }
  return text;
}

}  // namespace loom::panels::playback
