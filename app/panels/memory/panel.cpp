#include "app/panels/memory/panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "app/notation/memory_place.h"
#include "app/panels/compare/view/figures.h"
#include "app/panels/memory/figures.h"
#include "app/panels/memory/view/compiled_traffic.h"
#include "app/panels/memory/view/memory.h"
#include "app/panels/memory/words.h"
#include "app/session/session.h"
#include "app/text/counts.h"
#include "app/ui/axis_chip.h"
#include "app/ui/choice.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/quantity_text.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/lesson_highlight.h"
#include "app/widgets/preview_strip.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::memory;
using device::MemoryLevel;
using window::Look;
using window::Tone;
using session::MemoryBuffer;
using session::MemoryTraffic;

namespace {

constexpr float kTight = 270;           // design px: less holds short names of levels
constexpr float kRoomForFigures = 760;  // design px: the figures stand beside the levels

// Null: its letters are its name.
const text::Text* shortNameOf(int level) {
  switch (MemoryLevel(level)) {
    case MemoryLevel::kGlobal: return &words::kShortGlobal;
    case MemoryLevel::kL2: return nullptr;
    case MemoryLevel::kShared: return &words::kShortShared;
    case MemoryLevel::kRegisters: return &words::kShortRegisters;
    case MemoryLevel::kTensorCore: break;
  }
  return &words::kShortTensorCore;
}

// Arithmetic intensities, three significant digits each, so that they can be held against each other.
std::string intensityText(double value) { return value >= 99.95 ? countText(value) : fmt::format("{:#.3g}", value); }

float arrowWidth(const Look& look, double bytes) { return look.px(float(notation::arrowWidth(bytes))); }

// `whole`: what the hover says where the text has no room; empty: the text.
void line(const Look& look, ImVec2 at, float room, const std::string& text, Tone tone, ImFont* font, float size,
          const std::string& whole = "") {
  ImGui::PushFont(font, size);
  const std::string shown = ellipsized(text, room);
  ImGui::GetWindowDrawList()->AddText(at, look.paint(tone), shown.c_str());
  const ImVec2 end{at.x + ImGui::CalcTextSize(shown.c_str()).x, at.y + ImGui::GetFontSize()};
  ImGui::PopFont();
  if (shown != text && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, end))
    ImGui::SetTooltip("%s", whole.empty() ? text.c_str() : whole.c_str());
}

float widthOf(const Look& look, const std::string& text) {
  ImGui::PushFont(look.fonts.text, window::kUnitSize);
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  ImGui::PopFont();
  return width;
}

// "↑ 512 KiB" as "↑512KiB", then "512KiB", where there is no room for more: above is down, below is up.
std::string closeTo(const Look& look, std::string text, float room) {
  ImGui::PushFont(look.fonts.text, window::kUnitSize);
  auto fits = [&] { return ImGui::CalcTextSize(text.c_str()).x <= room; };
  if (!fits()) std::erase(text, ' ');
  const std::size_t digits = text.find_first_of("0123456789");
  if (!fits() && digits != std::string::npos) text.erase(0, digits);
  ImGui::PopFont();
  return text;
}

// An amount and its unit: in one line, without their blank where that is too long; one below the other where both are.
void drawAmount(const Look& look, ImVec2 at, float room, const std::string& text, Tone tone) {
  const std::size_t unit = text.rfind(' ');
  const float half = look.px(6);
  std::string close = text;
  if (unit != std::string::npos) close.erase(unit, 1);
  ImGui::PushFont(look.fonts.text, window::kUnitSize);
  const bool apart = ImGui::CalcTextSize(text.c_str()).x <= room, fits = ImGui::CalcTextSize(close.c_str()).x <= room;
  ImGui::PopFont();
  if (apart || fits || unit == std::string::npos) {
    line(look, at, room + 1, apart ? text : close, tone, look.fonts.text, window::kUnitSize);
    return;
  }
  line(look, {at.x, at.y - half}, room, text.substr(0, unit), tone, look.fonts.text, window::kUnitSize, text);
  line(look, {at.x, at.y + half}, room, text.substr(unit + 1), tone, look.fonts.text, window::kUnitSize, text);
}

std::string shapeText(const std::vector<std::int64_t>& shape, const std::string& dtype) {
  std::string text;
  for (std::int64_t e : shape) text += (text.empty() ? "" : " × ") + std::to_string(e);
  return text + (text.empty() ? "" : " ") + dtype;
}

std::string lifeText(const Look& look, const MemoryBuffer& b) {
  if (b.level == MemoryLevel::kGlobal) return look.say(words::kOutlives);
  return b.life.empty() ? look.say(words::kWholeLife) : say(look, words::kRewritten, magnitudeText(b.lives), b.life);
}

// Between a buffer and the next column: where what passes its level goes by.
float boxGap(const Look& look, bool tight) { return look.px(tight ? 7 : 20); }

// How high each level is. By the width alone, so that a level keeps its place from state to state.
struct Bands {
  std::array<float, session::kMemoryLevels> height{};
  std::array<int, session::kMemoryLevels> nameLines{};  // that a buffer's name may take
};

Bands bandsOf(const Look& look, float columnWidth, bool wide, bool tight) {
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  const float room = columnWidth - boxGap(look, tight) - look.px(10);
  auto linesOf = [&](const char* name) { return int(nameLines(name, room, tight ? 4 : 3).size()); };
  const int shared = linesOf("X_shared"), fragment = linesOf("X_shared_wmma.matrix_a");
  ImGui::PopFont();
  Bands bands;
  for (int level = 0; level < session::kMemoryLevels; ++level) {
    const auto at = std::size_t(level);
    const bool empty = MemoryLevel(level) == MemoryLevel::kL2 || MemoryLevel(level) == MemoryLevel::kTensorCore;
    bands.nameLines[at] = MemoryLevel(level) == MemoryLevel::kRegisters ? fragment
                          : MemoryLevel(level) == MemoryLevel::kShared  ? shared
                                                                        : 1;
    bands.height[at] = empty  ? look.px(wide                                                      ? 40
                                        : tight && MemoryLevel(level) == MemoryLevel::kTensorCore ? 37
                                                                                                  : 26)
                       : wide ? look.px(float(64 + 16 * (bands.nameLines[at] - 1)))
                              : look.px(float(40 + 13 * (bands.nameLines[at] - 1)));
  }
  return bands;
}

}  // namespace

void MemoryHierarchyPanel::draw(PanelContext& context) {
  if (!context.hasProgram()) {
    drawNoProgram(context);
    return;
  }
  session::Session& session = *context.session;
  const Look& look = context.look;
  shown_.follow(session);
  if (!shown_.model()) {
    drawEmpty(context, words::kWorking);
    return;
  }
  // A preview is told against the state that it starts from. What stays on show meanwhile keeps its marks.
  const session::PreviewedStep* preview = session.preview().step();
  const bool previewed = preview != nullptr && preview->program != nullptr;
  if (shown_.model() == session.preview().shownModel()) {
    const int with = previewed ? session.navigation().current() : session.comparison().reference();
    const auto before = with >= 0 ? session.models().of(with) : shown_.model();
    ghost_ = previewed;
    if (model_ != shown_.model() || before_ != before) {
      model_ = shown_.model();
      before_ = before;
      mark();
    }
  }
  if (marked_ != showsCompiled()) mark();
  drawTrafficChoice(look);
  const session::MemoryView* other = comparesStates(session) && before_ ? &session::memoryOf(*before_) : nullptr;
  const float room = ImGui::GetContentRegionAvail().x;
  const bool wide = room >= look.px(kRoomForFigures);
  // A strip for what the advice previews would move its button away from the mouse.
  const float strip = advice_.previews(context) ? 0 : previewLineHeight(context);
  if (ImGui::BeginChild("levels", {wide ? room * 0.68F : 0, -strip})) {
    // As wide with a scroll bar as without: levels keep their place.
    drawLevels(context, ImGui::GetWindowWidth() - ImGui::GetStyle().ScrollbarSize, wide);
    if (!wide) drawMemoryFigures(context, shown_, advice_, other);
  }
  ImGui::EndChild();
  if (wide) {
    ImGui::SameLine();
    if (ImGui::BeginChild("figures", {0, -strip})) drawMemoryFigures(context, shown_, advice_, other);
    ImGui::EndChild();
  }
  if (strip > 0) drawPreviewLine(context);
}

void MemoryHierarchyPanel::meet(Panel& other) {
  auto& twin = dynamic_cast<MemoryHierarchyPanel&>(other);
  if (const auto grid = metGrid_.lead(wholeGrid_, twin.wholeGrid_)) wholeGrid_ = twin.wholeGrid_ = *grid;
  if (const auto compiled = metCompiled_.lead(compiled_, twin.compiled_)) compiled_ = twin.compiled_ = *compiled;
}

bool MemoryHierarchyPanel::showsCompiled() const {
  return compiled_ && !session::memoryOf(*model_).compiledTraffic.empty();
}

// What is shown, and how it differs from the state before.
void MemoryHierarchyPanel::mark() {
  marked_ = showsCompiled();
  if (marked_) compiledView_ = session::withCompiledTraffic(session::memoryOf(*model_));
  view_ = marked_ ? &compiledView_ : &session::memoryOf(*model_);
  // Arrows of two kinds aren't held against each other.
  const session::StateModel& before = before_ ? *before_ : *model_;
  const bool alike = !marked_ || !session::memoryOf(before).compiledTraffic.empty();
  change_ = !marked_ ? session::memoryChange(session::memoryOf(before), *view_)
            : alike  ? session::memoryChange(session::withCompiledTraffic(session::memoryOf(before)), *view_)
                     : session::memoryChange(*view_, *view_);
}

// Both choices are there in every state: the levels keep their place.
void MemoryHierarchyPanel::drawTrafficChoice(const Look& look) {
  ImGui::BeginDisabled(!view_->kernel);
  if (window::radioButton(look, look.say(words::kPerBlock), !wholeGrid_)) wholeGrid_ = false;
  ImGui::SameLine();
  if (window::radioButton(look, look.say(words::kWholeGrid), wholeGrid_)) wholeGrid_ = true;
  ImGui::EndDisabled();
  const char* written = look.say(text::counts::kWritten);
  const char* compiled = look.say(text::counts::kCompiled);
  const float needed = ImGui::CalcTextSize(written).x + ImGui::CalcTextSize(compiled).x +
                       2 * (ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().ItemSpacing.x);
  ImGui::SameLine(0, look.px(16));
  if (ImGui::GetContentRegionAvail().x < needed) ImGui::NewLine();
  ImGui::BeginDisabled(session::memoryOf(*model_).compiledTraffic.empty());
  if (window::radioButton(look, written, !showsCompiled())) compiled_ = false;
  ImGui::SameLine();
  if (window::radioButton(look, compiled, showsCompiled())) compiled_ = true;
  ImGui::EndDisabled();
  if (session::memoryOf(*model_).compiledTraffic.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    ImGui::SetTooltip("%s", look.say(words::kNotCompiledHint));
}

// An arrow's bytes and how they were obtained; of the machine code its instructions by width, and what they cost.
// `was`: bytes over the grid in the state before; below 0: as many, or none.
std::string MemoryHierarchyPanel::hintOf(const Look& look, const MemoryTraffic& t, double was) const {
  std::string hint = fmt::format("{} B / {}\n", grouped(t.perBlock),
                                 withPreviousValue(look, grouped(t.bytes) + " B", was >= 0 ? grouped(was) + " B" : ""));
  for (const auto& [width, n] : t.widths) hint += say(look, words::kWidthsHint, grouped(n), width) + "\n";
  if (t.moved > 0) {
    const bool l2 = t.from == MemoryLevel::kL2 || t.to == MemoryLevel::kL2;
    hint += say(look, l2 ? words::kSectorsCarried : words::kWavefrontsCarried, grouped(t.moved)) + "\n";
  }
  return hint + provenanceText(look, t.how);
}

// At the moment that Playback stands on. What comes from and goes to global memory belongs to no statement: to its
// operand.
bool MemoryHierarchyPanel::isMoving(const model::TimelinePosition& moment, const MemoryTraffic& t) const {
  if (std::any_of(t.ids.begin(), t.ids.end(), [&](ir::Id id) { return moment.isMoved(id, t.from, t.to); })) return true;
  if (!t.ids.empty()) return false;
  return std::any_of(view_->traffic.begin(), view_->traffic.end(), [&](const MemoryTraffic& on) {
    const bool next = t.from == MemoryLevel::kGlobal ? on.from == t.to : on.to == t.from;
    return next && !on.ids.empty() && on.column == t.column && isMoving(moment, on);
  });
}

// Whether the bytes beside an arrow are the whole grid's: those of global memory are, since blocks share L2.
bool MemoryHierarchyPanel::ofGrid(const MemoryTraffic& t) const {
  return wholeGrid_ || t.from == MemoryLevel::kGlobal || t.to == MemoryLevel::kGlobal;
}

double MemoryHierarchyPanel::bytesOf(const MemoryTraffic& t) const { return ofGrid(t) ? t.bytes : t.perBlock; }

// What passes levels in the same column, the other way; null: nothing.
const MemoryTraffic* MemoryHierarchyPanel::passingBeside(const MemoryTraffic& t) const {
  for (const MemoryTraffic& other : view_->traffic) {
    const bool passes = std::abs(int(other.from) - int(other.to)) > 1;
    if (passes && other.column == t.column && (other.from < other.to) != (t.from < t.to)) return &other;
  }
  return nullptr;
}

void MemoryHierarchyPanel::drawLevels(PanelContext& context, float width, bool wide) {
  const Look& look = context.look;
  const session::MemoryView& v = *view_;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const model::TimelinePosition* moment = context.session->selection().position();  // that Playback stands on
  const auto* lit = context.spotlight ? context.spotlight->in("memory") : nullptr;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const bool tight = width < look.px(kTight);  // then a level's short name stands below its letter
  livesDrawn_ = false;
  const float title = look.px(wide ? 130 : tight ? 46 : 92), gap = look.px(wide ? 46 : tight ? 34 : 30);
  int columns = 1;
  for (const MemoryBuffer& b : v.buffers) columns = std::max(columns, b.column + 1);
  const float columnWidth = std::max(look.px(tight ? 40 : 64), (width - title) / float(columns));
  const Bands bands = bandsOf(look, columnWidth, wide, tight);
  auto top = [&](int level) {
    float y = origin.y;
    for (int above = 0; above < level; ++above) y += bands.height[std::size_t(above)] + gap;
    return y;
  };
  auto bottom = [&](int level) { return top(level) + bands.height[std::size_t(level)]; };
  auto left = [&](int column) { return origin.x + title + float(column) * columnWidth; };
  const float right = left(columns);

  for (int level = 0; level < session::kMemoryLevels; ++level) {
    const notation::LevelLook l = notation::lookOf(MemoryLevel(level));
    const ImVec2 from{origin.x, top(level)}, to{right, bottom(level)};
    static const char* const kNames[] = {"global", "l2", "shared", "registers", "tensorcore"};
    if (lit && lit->part == kNames[level]) context.spotlight->mark(from, to);
    list->AddRectFilled(from, to, look.paint(l.tone, 0.13F), look.px(3));
    list->AddRectFilled(from, {from.x + look.px(3), to.y}, look.paint(l.tone));
    const char* letter = window::entryOf(l.tone).letter;
    const float size = look.px(window::kUnitSize);
    const ImVec2 extent = look.fonts.code->CalcTextSizeA(size, FLT_MAX, 0, letter);
    // A short name stands below; L2's letters are its name.
    const text::Text* below = tight ? shortNameOf(level) : nullptr;
    const ImVec2 chip{from.x + look.px(8),
                      from.y + (below ? look.px(2) : std::min(look.px(8), (to.y - from.y - look.px(18)) / 2))};
    list->AddRectFilled(chip, {chip.x + extent.x + look.px(8), chip.y + look.px(18)}, look.paint(l.tone), look.px(2));
    list->AddText(look.fonts.code, size, {chip.x + look.px(4), chip.y + look.px(3)}, inkOn(look, l.tone), letter);
    if (tight) {
      if (below)
        line(look, {chip.x - look.px(3), chip.y + look.px(20)}, title - look.px(5), look.say(*below), Tone::kText,
             look.fonts.text, window::kUnitSize);
      ImGui::SetCursorScreenPos(from);
      ImGui::Dummy({title, to.y - from.y});
      ImGui::SetItemTooltip("%s", look.say(l.name));
      continue;
    }
    const float nameAt = chip.x + extent.x + look.px(12);
    line(look, {nameAt, chip.y + look.px(1)}, origin.x + title - nameAt, look.say(l.name), Tone::kText, look.fonts.text,
         window::kSecondarySize);
    if (wide && level == int(MemoryLevel::kRegisters) && v.registers > 0)
      line(look, {chip.x, chip.y + look.px(24)}, title - look.px(10),
           say(look, words::kAThread, std::to_string(v.registers)), Tone::kTextSecond, look.fonts.text,
           window::kUnitSize);
  }
  if (v.tiles > 0)
    line(look, {left(0) + look.px(6), (top(4) + bottom(4)) / 2 - look.px(8)}, right - left(0) - look.px(12),
         say(look, words::kTiles, magnitudeText(v.tiles)), Tone::kTextSecond, look.fonts.text, window::kSecondarySize);

  auto pick = [&](const std::vector<ir::Id>& ids) {
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    return ImGui::IsItemClicked() && !ids.empty();
  };
  for (std::size_t i = 0; i < v.traffic.size(); ++i) {
    const MemoryTraffic& t = v.traffic[i];
    const double bytes = bytesOf(t);
    const bool down = t.from < t.to;
    const int upper = int(down ? t.from : t.to), lower = int(down ? t.to : t.from);
    // One that passes a level keeps to its column's edge, free of the buffers there.
    const bool passes = lower - upper > 1;
    const float downAt = look.px(wide ? 16 : tight ? 7 : 10), upAt = look.px(wide ? 34 : tight ? 19 : 25);
    const float y0 = bottom(upper) + look.px(1), y1 = top(lower) - look.px(1);
    const float w = arrowWidth(look, bytes);
    // Of two that pass in one column, the one down goes left of the one up.
    const MemoryTraffic* beside = passes ? passingBeside(t) : nullptr;
    const float edge = left(t.column + 1) - look.px(9);
    const float apart = beside ? (w + arrowWidth(look, bytesOf(*beside))) / 2 + look.px(4) : 0;
    const float x = !passes ? left(t.column) + (down ? downAt : upAt) : down ? edge - apart : edge;
    const float head = std::min(look.px(7), (y1 - y0) / 2);
    const Tone tone = change_.traffic[i] ? Tone::kChanged : notation::lookOf(t.from).tone;
    const float tip = down ? y1 : y0, base = down ? y1 - head : y0 + head;
    list->AddRectFilled({x - w / 2, std::min(base, down ? y0 : y1)}, {x + w / 2, std::max(base, down ? y0 : y1)},
                        look.paint(tone));
    const float wing = std::max(w / 2 + look.px(3), look.px(5));
    list->AddTriangleFilled({x - wing, base}, {x + wing, base}, {x, tip}, look.paint(tone));
    const bool moving = moment && isMoving(*moment, t);
    if (moving)
      list->AddRect({x - wing - look.px(2), y0}, {x + wing + look.px(2), y1}, look.paint(Tone::kSelected), look.px(2),
                    0, look.px(2));
    ImGui::SetCursorScreenPos({x - wing, y0});
    ImGui::PushID(fmt::format("traffic {} {} {}", int(t.from), int(t.to), t.column).c_str());
    ImGui::InvisibleButton("arrow", {2 * wing, y1 - y0});
    if (pick(t.ids)) context.session->selection().select(t.ids);
    const double was = change_.trafficBefore[i];
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip))
      ImGui::SetTooltip("%s", hintOf(look, t, change_.traffic[i] ? was : -1).c_str());
    ImGui::PopID();
    std::string text = bytesText(bytes);
    if (wide && change_.traffic[i] && was >= 0)
      text = withPreviousValue(look, text, bytesText(ofGrid(t) ? was : was / double(v.blocks)));
    const Tone ink = change_.traffic[i] ? Tone::kChanged : Tone::kText;
    const bool both = !down && !passes;  // beside the arrow down of the same column: one line lower
    // What passes is named where it starts, where nothing else of its column does.
    const float named = !passes ? y0 : down ? bottom(upper) : top(lower) - gap;
    const float at = named + gap / 2 - look.px(8) + (both ? look.px(wide ? 8 : 6) : 0);
    const MemoryTraffic* back = passes ? nullptr : v.find(t.to, t.from, t.column);
    const bool two = back != nullptr;
    if (beside || (two && !tight)) text = (down ? "↓ " : "↑ ") + text;
    if (passes) {
      ImGui::PushFont(look.fonts.text, window::kUnitSize);
      const float end =
          beside ? edge - (down ? apart + w / 2 : apart + arrowWidth(look, bytesOf(*beside)) / 2) - look.px(4)
                 : x - wing - look.px(2);
      const float room = std::min(end - left(t.column) + look.px(2), ImGui::CalcTextSize(text.c_str()).x);
      ImGui::PopFont();
      if (tight) {
        if (!beside) drawAmount(look, {left(t.column), at}, end - left(t.column), text, ink);
      } else {
        line(look, {end - room, at}, room + 1, text, ink, look.fonts.text, window::kUnitSize);
      }
    } else {
      const bool beyond = !down || two;
      const float lift = down && two ? look.px(wide ? 8 : 6) : 0;
      const float last = down && two ? std::max(arrowWidth(look, bytesOf(*back)) / 2 + look.px(3), look.px(5)) : wing;
      const float shift = (beyond ? upAt : downAt) + (tight ? look.px(8) : std::max(look.px(12), last + look.px(4)));
      if (tight) {
        // Of two that are side by side the first is told; the hover tells both.
        if (down) drawAmount(look, {left(t.column) + shift, at}, columnWidth - shift, text, ink);
        continue;
      }
      const float room = columnWidth - shift - look.px(12);
      line(look, {left(t.column) + shift, at - lift}, room, closeTo(look, text, room), ink, look.fonts.text,
           window::kUnitSize);
    }
  }

  for (std::size_t i = 0; i < v.buffers.size(); ++i) {
    const MemoryBuffer& b = v.buffers[i];
    int place = 0, sharing = 0;
    for (std::size_t j = 0; j < v.buffers.size(); ++j) {
      if (v.buffers[j].level != b.level || v.buffers[j].column != b.column) continue;
      place += j < i;
      ++sharing;
    }
    const notation::LevelLook l = notation::lookOf(b.level);
    const float each = (columnWidth - boxGap(look, tight)) / float(sharing);
    const ImVec2 from{left(b.column) + float(place) * each, top(int(b.level)) + look.px(4)};
    const ImVec2 to{from.x + each - look.px(3), bottom(int(b.level)) - look.px(4)};
    list->AddRectFilled(from, to, look.paint(l.tone, 0.28F), look.px(2));
    if (lit && std::any_of(b.ids.begin(), b.ids.end(), [&](ir::Id id) { return lit->ids == std::vector{id}; })) {
      context.spotlight->mark(from, to);
    }
    const bool chosen =
        std::any_of(b.ids.begin(), b.ids.end(), [&](ir::Id id) { return context.session->selection().has(id); });
    if (ghost_ && change_.buffers[i] && !chosen) {
      drawDashed(look, from, to, look.paint(Tone::kChanged));
    } else {
      list->AddRect(from, to,
                    look.paint(chosen               ? Tone::kSelected
                               : change_.buffers[i] ? Tone::kChanged
                                                    : l.tone),
                    look.px(2), 0,
                    look.px(chosen               ? 2.0F
                            : change_.buffers[i] ? 1.5F
                                                 : 1.0F));
    }
    if (b.ends > b.begins) drawLife(look, b, from, to), livesDrawn_ = true;
    if (moment && moment->isTouched(b.name))
      list->AddRectFilled({from.x, to.y - look.px(3)}, to, look.paint(Tone::kSelected));
    const float room = to.x - from.x - look.px(7), textAt = from.x + look.px(4), step = look.px(wide ? 16 : 13);
    float y = from.y + look.px(1);
    ImGui::PushFont(look.fonts.code, window::kUnitSize);
    const auto names = nameLines(b.name, room, bands.nameLines[std::size_t(b.level)]);
    ImGui::PopFont();
    for (const std::string& name : names) {
      line(look, {textAt, y}, room + 1, name, Tone::kText, look.fonts.code, window::kUnitSize);
      y += step;
    }
    const auto sizeOf = [&](const MemoryBuffer& of) {
      return of.fragment && of.perThread > 0 ? say(look, words::kAWarp, bytesText(of.perThread))
             : of.perThread > 0              ? say(look, words::kAThread, bytesText(of.perThread))
                                             : bytesText(of.bytes);
    };
    const std::string size = sizeOf(b);
    const MemoryBuffer* otherBuffer =
        before_ && change_.buffers[i] ? session::memoryOf(*before_).find(b.name, b.level) : nullptr;
    const std::string sizeWas = otherBuffer ? sizeOf(*otherBuffer) : "";
    // In a narrow box the conflict stands beside the size, which gives way to it; the hover has both.
    const std::string ways = !wide && b.ways > 1 ? say(look, words::kWaysBrief, b.ways) : "";
    const std::string shape = wide ? ", " + shapeText(b.shape, b.dtype) : "",
                      both = withPreviousValue(look, size, sizeWas);
    ImGui::PushFont(look.fonts.text, window::kUnitSize);
    // Where there is room, what it was comes before the shape; else the hover says it.
    const auto fits = [&](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x <= room; };
    const std::string told = fits(both + shape) ? both + shape : both != size && fits(both) ? both : size + shape;
    ImGui::PopFont();
    const bool conflict = b.ways > 1;
    const float taken = ways.empty() ? 0 : widthOf(look, ways) + look.px(6);
    line(look, {textAt, y}, room - taken, taken > 0 ? closeTo(look, size, room - taken) : told, Tone::kTextSecond,
         look.fonts.text, window::kUnitSize);
    // Red alone would be faint on the box: on the panel's own ground it isn't.
    const auto onGround = [&](ImVec2 at, const std::string& text) {
      list->AddRectFilled({at.x - look.px(2), at.y}, {at.x + widthOf(look, text) + look.px(2), at.y + look.px(12)},
                          look.paint(Tone::kPanel), look.px(2));
    };
    if (taken > 0) onGround({textAt + room - taken + look.px(6), y}, ways);
    if (taken > 0)
      line(look, {textAt + room - taken + look.px(6), y}, taken, ways, Tone::kError, look.fonts.text,
           window::kUnitSize);
    if (wide && conflict) onGround({textAt, y + step}, ellipsized(say(look, words::kWays, b.ways), room));
    if (wide)
      line(look, {textAt, y + step}, room,
           conflict        ? say(look, words::kWays, b.ways)
           : view_->kernel ? lifeText(look, b)
                           : "",
           conflict ? Tone::kError : Tone::kTextSecond, look.fonts.text, window::kUnitSize);
    ImGui::SetCursorScreenPos(from);
    ImGui::PushID(b.name.c_str());
    ImGui::InvisibleButton("buffer", {std::max(1.0F, to.x - from.x), to.y - from.y});
    if (pick(b.ids)) context.session->selection().select(b.ids);
    std::string hint = fmt::format(
        "{}\n{}, {}", b.name, shapeText(b.shape, b.dtype),
        withPreviousValue(look, grouped(b.bytes) + " B", otherBuffer ? grouped(otherBuffer->bytes) + " B" : ""));
    if (!b.declared.empty())
      hint += "\n" + say(look, words::kDeclared, shapeText(b.declared, b.dtype), bytesText(b.declaredBytes));
    if (view_->kernel) hint += "\n" + lifeText(look, b);
    if (b.ends > b.begins)
      hint += "\n" + say(look, words::kLifeBar, int(std::lround(100 * b.begins)), int(std::lround(100 * b.ends)));
    if (conflict) hint += "\n" + say(look, words::kWays, b.ways);
    ImGui::SetItemTooltip("%s", hint.c_str());
    ImGui::PopID();
  }
  for (int level = 0; v.kernel && !tight && level + 1 < session::kMemoryLevels; ++level)
    drawIntensity(look, {origin.x + look.px(8), bottom(level)}, {title - look.px(12), gap}, level);
  ImGui::SetCursorScreenPos({origin.x, bottom(4) + look.px(6)});
  ImGui::Dummy({0, 0});
  if (v.draft) drawSecond(look, say(look, words::kDraft, look.tell(v.problem)));
  std::string note = v.kernel ? say(look, marked_ ? words::kScaleCompiled : words::kScale,
                                    look.say(marked_ ? text::counts::kCompiled : text::counts::kWritten),
                                    look.say(text::counts::kDistinct))
                              : say(look, v.allocated ? words::kNoKernel : words::kOnlyDeclared, look.tell(v.problem));
  if (livesDrawn_) note += std::string(" ") + look.say(words::kLifeNote);
  drawSecond(look, note);
}

// At the foot of a buffer's box: the kernel's statements from left to right, lit from its first use to its last, with
// a notch where a barrier stands.
void MemoryHierarchyPanel::drawLife(const Look& look, const MemoryBuffer& b, ImVec2 from, ImVec2 to) const {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float left = from.x + look.px(3), width = to.x - from.x - look.px(6), top = to.y - look.px(3.5F);
  if (width < look.px(12)) return;
  const ImU32 tone = look.paint(notation::lookOf(b.level).tone);
  list->AddRectFilled({left, top + look.px(1)}, {left + width, top + look.px(1.5F)},
                      look.paint(Tone::kTextFaint, 0.7F));
  list->AddRectFilled({left + width * float(b.begins), top},
                      {left + std::max(look.px(2), width * float(b.ends)), top + look.px(2.5F)}, tone);
  for (const double barrier : view_->barriersAt) {
    const float x = left + width * float(barrier);
    list->AddLine({x, top - look.px(2)}, {x, top + look.px(2.5F)}, look.paint(Tone::kText), std::max(1.0F, look.px(1)));
  }
}

// Between two levels: of what the bytes beside the arrows are, and the arithmetic for each byte that crosses.
void MemoryHierarchyPanel::drawIntensity(const Look& look, ImVec2 at, ImVec2 size, int level) const {
  // What passes shared memory by belongs to L2.
  double crossing = 0, passing = 0;
  for (const MemoryTraffic& t : view_->traffic) {
    const int near = std::min(int(t.from), int(t.to)), far = std::max(int(t.from), int(t.to));
    if (near > level || level >= far) continue;
    (near < level && level == int(MemoryLevel::kShared) ? passing : crossing) += t.bytes;
  }
  if (crossing + passing <= 0) return;
  const double flops = crossing > 0 ? session::performanceOf(*model_).flops : 0;
  const std::string each = look.say(wholeGrid_ || level == int(MemoryLevel::kGlobal) ? words::kInAll : words::kOfBlock);
  // Roofline asks what the link carries for them, which is more where requests are scattered or banks conflict.
  const bool memory = level == int(MemoryLevel::kGlobal);
  const int link = level == int(MemoryLevel::kL2) ? int(session::Traffic::kL2) : int(session::Traffic::kShared);
  const auto& all = marked_ ? session::performanceOf(*model_).bytes : session::performanceOf(*model_).written;
  const double carried =
      !memory && level <= int(MemoryLevel::kShared) && all[std::size_t(link)] ? all[std::size_t(link)]->value : 0;
  constexpr double kApart = 1.05;
  const bool tellsCarried =
      flops > 0 && carried > 0 && (carried > kApart * crossing || crossing > kApart * carried) && size.y > look.px(40);
  const float step = look.px(13);
  const float y = at.y + size.y / 2 - (tellsCarried ? 1.5F * step : flops > 0 ? step : step / 2) - look.px(1);
  // Global memory is whole even where the links below are told by block.
  const bool apart = level == int(MemoryLevel::kGlobal) && !wholeGrid_;
  line(look, {at.x, y}, size.x, each, apart ? Tone::kText : Tone::kTextFaint, look.fonts.text, window::kUnitSize);
  if (flops <= 0) return;
  line(look, {at.x, y + step}, size.x, say(look, words::kFlopPerByte, intensityText(flops / crossing)),
       Tone::kTextSecond, look.fonts.text, window::kUnitSize);
  if (tellsCarried)
    line(look, {at.x, y + 2 * step}, size.x, say(look, words::kCarriedPerByte, intensityText(flops / carried)),
         Tone::kTextSecond, look.fonts.text, window::kUnitSize);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(size);
  std::string hint = say(look, words::kFlopPerByteHint, flopsText(flops), bytesText(crossing),
                         look.say(memory    ? text::counts::kDistinct
                                  : marked_ ? text::counts::kCompiled
                                            : text::counts::kWritten),
                         each);
  if (carried > 0)
    hint += say(look, words::kRooflineCounts,
                look.say(level == int(MemoryLevel::kL2) ? text::counts::kSectors : text::counts::kWavefronts),
                intensityText(flops / carried));
  ImGui::SetItemTooltip("%s", hint.c_str());
}

}  // namespace loom::panels
