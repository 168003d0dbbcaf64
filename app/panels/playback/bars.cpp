#include "app/panels/playback/bars.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/panels/playback/words.h"
#include "app/ui/axis_chip.h"
#include "app/ui/quantity_text.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/widgets/pipe_text.h"

namespace loom::panels::playback {

namespace words = text::playback;
using model::TimelineItem;
using model::Track;
using session::Playback;
using session::PlaybackBar;
using window::Look;
using window::Tone;

namespace {

// The pipe that most of the clocks go to, waits for it included.
Track costliest(const model::Budget& b) {
  int most = 0;
  for (int i = 1; i < model::kTracks; ++i) {
    const auto n = std::size_t(i), m = std::size_t(most);
    if (b.exposed[n] + b.waits[n] > b.exposed[m] + b.waits[m]) most = i;
  }
  return Track(most);
}

// A frame; of a bar too narrow for one, its head and foot, so that many in a row are no blot.
void drawChosen(const Look& look, ImVec2 from, ImVec2 to) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 ink = look.paint(Tone::kSelected);
  const float thick = look.px(1.5F);
  if (to.x - from.x >= look.px(7)) {
    list->AddRect(from, to, ink, 0, 0, thick);
    return;
  }
  list->AddRectFilled(from, {to.x, from.y + thick}, ink);
  list->AddRectFilled({from.x, to.y - thick}, to, ink);
}

// On a bar, before the name of what it is of.
const text::Text& actionWord(model::TimelineAction::Kind kind) {
  using Kind = model::TimelineAction::Kind;
  switch (kind) {
    case Kind::Start: return words::kStart;
    case Kind::Copy: return words::kCopyBar;
    case Kind::Load: return words::kLoadBar;
    case Kind::Multiply: return words::kMultiplyBar;
    case Kind::Store: return words::kStoreBar;
    case Kind::Barrier: break;
  }
  return words::kBarrier;
}

bool fitsIn(const Look& look, const std::string& text, float left, float right) {
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  const bool fits = ImGui::CalcTextSize(text.c_str()).x <= right - left - look.px(8);
  ImGui::PopFont();
  return fits;
}

// Does a phase begin with a barrier, does it end with one?
std::pair<bool, bool> barriersOf(const Playback& p, int phase) {
  bool opens = false, closes = false, any = false;
  for (int i = phase + 1; i < p.item(phase).end; ++i) {
    if (p.item(i).kind != TimelineItem::Kind::Action) continue;
    const auto& a = p.timeline().actions[std::size_t(p.item(i).index)];
    closes = a.kind == model::TimelineAction::Kind::Barrier;
    opens |= closes && !any;
    any = true;
  }
  return {opens, closes};
}

// Where all warps of the block wait for each other: two bars on the line, and the word in the lowest row that has
// room: what issues is what a barrier holds up. `free`: from where on no other barrier's word stands.
template <typename X>
void drawBarrier(const Look& look, const Playback& p, const session::PlaybackWindow& w, double clocks, const X& x,
                 float top, float bottom, float rowHeight, float& free) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float at = std::floor(x(clocks)), thick = std::max(1.0F, look.px(1));
  const ImU32 ink = look.paint(Tone::kTextSecond);
  list->AddRectFilled({at, top}, {at + thick, bottom}, ink);
  list->AddRectFilled({at + look.px(3), top}, {at + look.px(3) + thick, top + look.px(6)}, ink);
  const std::string word = look.say(words::kBarrier);
  ImGui::PushFont(nullptr, window::kUnitSize);
  const ImVec2 size = ImGui::CalcTextSize(word.c_str());
  const float from = at + look.px(8), to = from + size.x + look.px(2);
  for (int row = model::kTracks - 1; row >= 0 && to < x(w.clocks) && from >= free; --row) {
    const bool taken = std::any_of(w.phases.begin(), w.phases.end(), [&](const auto& phase) {
      const auto& bars = p.bars(phase.item);
      return std::any_of(bars.begin(), bars.end(), [&](const PlaybackBar& b) {
        return int(b.track) == row && x(phase.from + b.from) < to && x(phase.from + b.to) > at;
      });
    });
    if (taken) continue;
    list->AddText({from, top + float(row) * rowHeight + (rowHeight - size.y) / 2}, ink, word.c_str());
    free = to;
  }
  ImGui::PopFont();
}

std::string nameOf(const Playback& p, int item) {
  const TimelineItem& x = p.item(item);
  if (x.kind == TimelineItem::Kind::Loop) return fmt::format("{} = 0 … {}", x.var->name, x.extent - 1);
  std::string name;
  for (int i = item + 1; i < x.end; ++i) {
    if (p.item(i).kind != TimelineItem::Kind::Action) continue;
    const auto& a = p.timeline().actions[std::size_t(p.item(i).index)];
    if (a.name.empty() || name.find(a.name) != std::string::npos) continue;
    name += (name.empty() ? "" : ", ") + a.name;
  }
  return name;
}

}  // namespace

ImVec2 drawBarLabel(const Look& look, ImVec2 from, ImVec2 to, const std::string& text, Tone tone) {
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  const float room = to.x - from.x - look.px(8);
  const std::string shown = room > look.px(14) ? ellipsized(text, room) : "";
  const ImVec2 size = ImGui::CalcTextSize(shown.c_str());
  const bool says = !shown.empty() && (shown == text || shown.size() > 5);
  const ImVec2 at{from.x + look.px(4), (from.y + to.y - size.y) / 2};
  if (says) ImGui::GetWindowDrawList()->AddText(at, look.paint(tone), shown.c_str());
  ImGui::PopFont();
  return {at.x, at.x + (says ? size.x : 0)};
}

void drawDashedBar(const Look& look, ImVec2 from, ImVec2 to, ImU32 colour, const std::string& text, Tone tone) {
  const ImVec2 words = drawBarLabel(look, from, to, text, tone);
  const bool crosses = words.y > words.x && to.y - from.y < look.px(window::kUnitSize) + look.px(4);
  const float air = crosses ? look.px(2) : 0;
  drawDashed(look, from, to, colour, crosses ? ImVec2{words.x - air, words.y + air} : ImVec2{});
}

std::string pieceText(const Playback& p, double clocks) {
  const auto& pieces = p.pieces();
  for (std::size_t i = pieces.size(); i-- > 0;)
    if (clocks >= pieces[i].from) return nameOf(p, pieces[i].item);
  return "";
}

std::string clocksText(double clocks) {
  return clocks > 0 && clocks < 9.95 ? fmt::format("{:.1f}", clocks) : countText(std::round(clocks));
}

void drawLifeStrip(const Look& look, const Playback& p, ImVec2 from, ImVec2 to) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const double all = std::max(1e-9, p.clocks());
  const float width = to.x - from.x;
  auto x = [&](double clocks) { return from.x + float(clocks / all) * width; };
  for (const auto& piece : p.pieces()) {
    const TimelineItem& item = p.item(piece.item);
    const bool loop = item.kind == TimelineItem::Kind::Loop;
    const Tone tone = lookOf(p.timeline(), costliest(model::budgetOf(p.timeline(), piece.item))).tone;
    const float left = x(piece.from), right = std::max(left + look.px(2), x(piece.from + piece.clocks));
    list->AddRectFilled({left, from.y}, {right, to.y}, look.paint(tone, 0.22F));
    list->AddRectFilled({left, from.y}, {left + look.px(1.5F), to.y}, look.paint(tone));
    const float pass = (right - left) / float(item.extent);
    if (loop && pass >= look.px(5))
      for (std::int64_t i = 1; i < item.extent; ++i)
        list->AddLine({left + float(i) * pass, to.y - look.px(6)}, {left + float(i) * pass, to.y},
                      look.paint(tone, 0.8F));
    drawBarLabel(look, {left, from.y}, {right, to.y - look.px(2)}, nameOf(p, piece.item), Tone::kText);
  }
}

void drawBars(const Look& look, const Playback& p, const session::PlaybackWindow& w, ImVec2 from, ImVec2 to, float foot,
              float rowHeight, double now, const std::vector<ir::Id>& selected) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const double all = std::max(1e-9, w.clocks);
  auto x = [&](double clocks) { return from.x + float(clocks / all) * (to.x - from.x); };
  for (int track = 1; track <= model::kTracks; ++track)
    list->AddLine({from.x, from.y + float(track) * rowHeight}, {to.x, from.y + float(track) * rowHeight},
                  look.paint(Tone::kLine));
  float free = from.x;  // of barriers' words, from there on
  for (const auto& phase : w.phases) {
    const auto [opens, closes] = barriersOf(p, phase.item);
    if (opens) drawBarrier(look, p, w, phase.from, x, from.y, foot, rowHeight, free);
    if (closes) drawBarrier(look, p, w, phase.from + phase.clocks, x, from.y, foot, rowHeight, free);
    for (const PlaybackBar& b : p.bars(phase.item)) {
      const TrackLook t = lookOf(p.timeline(), b.track);
      const float top = from.y + float(int(b.track)) * rowHeight + look.px(3);
      const float bottom = top + rowHeight - look.px(5);
      const float left = x(phase.from + b.from), right = std::max(left + 1, x(phase.from + b.to) - look.px(1));
      const bool lit = now >= phase.from + b.from && now < phase.from + b.to;
      if (b.wait) {
        // Dashes need some length; what is narrower is an outline.
        if (x(phase.from + b.to) - left < 2) continue;
        if (right - left <= look.px(14)) {
          list->AddRect({left, top}, {right, bottom}, look.paint(t.tone, 0.6F));
        } else {
          drawDashedBar(look, {left, top}, {right, bottom}, look.paint(t.tone), look.say(words::kWait),
                        Tone::kTextSecond);
        }
        continue;
      }
      const auto& a = p.timeline().actions[std::size_t(b.action)];
      const bool chosen = a.block && std::find(selected.begin(), selected.end(), a.block) != selected.end();
      const float strength = b.track == Track::Issue ? (lit ? 0.4F : 0.2F) : lit ? 0.55F : 0.28F;
      list->AddRectFilled({left, top}, {right, bottom}, look.paint(t.tone, strength));
      if (chosen && b.track != Track::Issue) drawChosen(look, {left, top}, {right, bottom});
      const bool barrier = a.kind == model::TimelineAction::Kind::Barrier;
      if (b.track == Track::Issue && !barrier) continue;
      // What is done, where that is no multiplication and the name leaves room.
      const bool conversion = b.track == Track::Arithmetic && converts(p.timeline());
      const bool operands = a.kind == model::TimelineAction::Kind::Multiply && b.track != Track::Arithmetic;
      const std::string does = look.say(actionWord(a.kind));
      const std::string whole = barrier || a.name.empty() ? does
                                : conversion              ? say(look, words::kConvertFor, a.name)
                                : operands                ? say(look, words::kLoadFor, a.name)
                                : b.before                ? "… " + does + " " + a.name
                                                          : does + " " + a.name;
      drawBarLabel(look, {left, top}, {right, bottom},
                   fitsIn(look, whole, left, right) ? whole
                   : barrier                        ? does
                                                    : a.name,
                   Tone::kText);
    }
  }
}

float drawAxis(const Look& look, double clocks, float left, float right, float top) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  const ImU32 ink = look.paint(Tone::kTextFaint);
  const std::string unit = look.say(words::kClocksAxis);
  // 1, 2 or 5 times a power of ten: about as many as have room for their numbers.
  const double most = std::max(2.0, double((right - left) / look.px(90)));
  double step = std::pow(10, std::floor(std::log10(std::max(clocks, 1e-3) / most)));
  for (const double times : {2.0, 2.5, 2.0}) {
    if (clocks / step <= most) break;
    step *= times;
  }
  for (int i = 0; double(i) * step <= clocks * 1.0001; ++i) {
    const double at = double(i) * step;
    const float x = left + float(at / clocks) * (right - left);
    list->AddLine({x, top}, {x, top + look.px(3)}, ink);
    // One unit for the whole axis: "50 k" beside "100 k".
    const std::string label = step < 1                              ? fmt::format("{:.3g}", at)
                              : clocks >= 1e5 && at > 0 && at < 1e6 ? fmt::format("{:g} k", at / 1000)
                                                                    : clocksText(at);
    const float wide = ImGui::CalcTextSize(label.c_str()).x;
    list->AddText({i == 0 ? x : std::min(x - wide / 2, right - wide), top + look.px(3)}, ink,
                  i == 0 ? "0" : label.c_str());
  }
  const float line = ImGui::GetTextLineHeight();
  ImGui::PopFont();
  ImGui::PushFont(nullptr, window::kUnitSize);
  list->AddText({std::max(left - ImGui::CalcTextSize(unit.c_str()).x - look.px(8), 0.0F), top + look.px(3)}, ink,
                unit.c_str());
  ImGui::PopFont();
  return line + look.px(3);
}

void drawCursor(const Look& look, float x, float top, float bottom) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float half = look.px(4);
  list->AddLine({x, top}, {x, bottom}, look.paint(Tone::kSelected), look.px(1.5F));
  list->AddTriangleFilled({x - half, top - half}, {x + half, top - half}, {x, top + half}, look.paint(Tone::kSelected));
}

}  // namespace loom::panels::playback
