#include "app/panels/memory/arrows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/notation/memory_place.h"
#include "app/panels/memory/labels.h"
#include "app/panels/memory/view/passing_label.h"
#include "app/panels/memory/words.h"
#include "app/panels/performance/view/performance.h"
#include "app/text/counts.h"
#include "app/ui/look.h"
#include "app/ui/quantity_text.h"
#include "app/ui/text.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::memory;
using device::Agent;
using device::MemoryLevel;
using session::MemoryTraffic;
using window::Look;
using window::Tone;

namespace {

// Arithmetic intensities, three significant digits each, so that they can be held against each other.
std::string intensityText(double value) { return value >= 99.95 ? countText(value) : fmt::format("{:#.3g}", value); }

// The first two parts of an operation's name: "ldmatrix.x4", "tma.load"; of asynchronous copies what they are in PTX.
std::string instructionOf(const MemoryTraffic& t) {
  if (t.agent == Agent::AsyncCopy) return "cp.async";
  if (t.by.size() != 1) return "";
  const std::string& name = t.by.front();
  return name.substr(0, name.find('.', name.find('.') + 1));
}

// How an agent moves data past the registers of the threads; null: it doesn't.
const text::Text* pastRegisters(Agent agent) {
  switch (agent) {
    case Agent::Threads: break;
    case Agent::AsyncCopy: return &words::kPastRegisters;
    case Agent::CopyEngine: return &words::kByCopyEngine;
    case Agent::TensorCore: return &words::kByTensorCores;
  }
  return nullptr;
}

float arrowWidth(const Look& look, double bytes) { return look.px(float(notation::arrowWidth(bytes))); }

}  // namespace

// Where an arrow is; px of the screen.
struct MemoryArrows::Arrow {
  bool down;                    // from a level to one below it
  bool passes;                  // a level between: it keeps to its column's edge, free of the buffers there
  int upper, lower;             // levels
  float y0, y1;                 // between them
  float x;                      // its middle
  float width, wing;            // of the shaft, and of the head on either side
  float downAt, upAt;           // of arrows that pass no level, from the left edge of the column
  float edge, apart;            // of those that pass one: where they are, and how far two of a column are apart
  const MemoryTraffic* beside;  // that other one; null: there is none
};

MemoryArrows::Arrow MemoryArrows::placeOf(const MemoryTraffic& t) const {
  const Look& look = context_.look;
  const bool wide = bands_.isWide(), tight = bands_.isTight();
  Arrow a{};
  a.down = t.from < t.to;
  a.upper = int(a.down ? t.from : t.to);
  a.lower = int(a.down ? t.to : t.from);
  a.passes = a.lower - a.upper > 1;
  a.downAt = look.px(wide ? 16 : tight ? 7 : 10);
  a.upAt = look.px(wide ? 34 : tight ? 19 : 25);
  a.y0 = bands_.bottom(a.upper) + look.px(1);
  a.y1 = bands_.top(a.lower) - look.px(1);
  a.width = arrowWidth(look, bytesOf(t));
  a.wing = std::max(a.width / 2 + look.px(3), look.px(5));
  // Of two that pass in one column, the one down goes left of the one up.
  a.beside = a.passes ? passingBeside(t) : nullptr;
  a.edge = bands_.left(t.column + 1) - look.px(9);
  a.apart = a.beside ? (a.width + arrowWidth(look, bytesOf(*a.beside))) / 2 + look.px(4) : 0;
  a.x = !a.passes ? bands_.left(t.column) + (a.down ? a.downAt : a.upAt) : a.down ? a.edge - a.apart : a.edge;
  return a;
}

void MemoryArrows::draw() const {
  for (std::size_t i = 0; i < shown_.view.traffic.size(); ++i)
    drawArrow(shown_.view.traffic[i], shown_.change.traffic[i], shown_.change.trafficBefore[i]);
}

// `was`: bytes over the grid in the state before; below 0: there were none.
void MemoryArrows::drawArrow(const MemoryTraffic& t, bool changed, double was) const {
  const Look& look = context_.look;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Arrow a = placeOf(t);
  const float head = std::min(look.px(7), (a.y1 - a.y0) / 2);
  const ImU32 paint = look.paint(changed ? Tone::kChanged : notation::lookOf(t.from).tone);
  const float tip = a.down ? a.y1 : a.y0, base = a.down ? a.y1 - head : a.y0 + head, foot = a.down ? a.y0 : a.y1;
  const float left = a.x - a.width / 2, right = a.x + a.width / 2;
  if (t.agent != Agent::Threads && !t.throughRegisters) {
    // A pipe of its own: two walls, with what flows between them.
    const float wall = look.px(1.5F);
    list->AddRectFilled({left - wall, std::min(base, foot)}, {right + wall, std::max(base, foot)},
                        look.paint(changed ? Tone::kChanged : notation::lookOf(t.from).tone, 0.35F));
    list->AddRectFilled({left - 2 * wall, std::min(base, foot)}, {left - wall, std::max(base, foot)}, paint);
    list->AddRectFilled({right + wall, std::min(base, foot)}, {right + 2 * wall, std::max(base, foot)}, paint);
  } else {
    list->AddRectFilled({left, std::min(base, foot)}, {right, std::max(base, foot)}, paint);
  }
  list->AddTriangleFilled({a.x - a.wing, base}, {a.x + a.wing, base}, {a.x, tip}, paint);
  if (isMoving(t))
    list->AddRect({a.x - a.wing - look.px(2), a.y0}, {a.x + a.wing + look.px(2), a.y1}, look.paint(Tone::kSelected),
                  look.px(2), 0, look.px(2));
  ImGui::SetCursorScreenPos({a.x - a.wing, a.y0});
  ImGui::PushID(fmt::format("traffic {} {} {}", int(t.from), int(t.to), t.column).c_str());
  ImGui::InvisibleButton("arrow", {2 * a.wing, a.y1 - a.y0});
  selectOnClick(*context_.session, t.ids);
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) showTip(look, hintOf(t, changed ? was : -1));
  ImGui::PopID();
  std::string text = bytesText(bytesOf(t));
  if (bands_.isWide() && changed && was >= 0)
    text = withPreviousValue(look, text, bytesText(isOfGrid(t) ? was : was / double(shown_.view.blocks)));
  drawBytes(t, a, text, changed ? Tone::kChanged : Tone::kText);
}

// The bytes beside an arrow.
void MemoryArrows::drawBytes(const MemoryTraffic& t, const Arrow& a, std::string text, Tone ink) const {
  const Look& look = context_.look;
  const bool wide = bands_.isWide(), tight = bands_.isTight();
  const float left = bands_.left(t.column);
  const float lower = look.px(wide ? 8 : 6);  // beside the arrow down of the same column: one line lower
  // What passes is named where nothing else of its column is; without such a place the hover names it.
  const int gap = a.passes ? session::gapOfPassingLabel(shown_.view, t) : a.upper;
  if (gap < 0) return;
  const float named = a.passes ? bands_.bottom(gap) : a.y0;
  const float at = named + bands_.gap() / 2 - look.px(8) + (!a.down && !a.passes ? lower : 0);
  const MemoryTraffic* back = a.passes ? nullptr : shown_.view.find(t.to, t.from, t.column);
  if (a.beside || (back && !tight)) text = (a.down ? "↓ " : "↑ ") + text;
  if (a.passes) {
    const float end =
        a.beside ? a.edge - (a.down ? a.apart + a.width / 2 : a.apart + arrowWidth(look, bytesOf(*a.beside)) / 2) -
                       look.px(4)
                 : a.x - a.wing - look.px(2);
    if (!tight) {
      const float room = std::min(end - left + look.px(2), figureWidth(look, text));
      drawFigure(look, {end - room, at}, room + 1, text, ink);
    } else if (!a.beside) {
      drawAmount(look, {left, at}, end - left, text, ink);
    }
    return;
  }
  const float last = a.down && back ? std::max(arrowWidth(look, bytesOf(*back)) / 2 + look.px(3), look.px(5)) : a.wing;
  const float shift =
      (!a.down || back ? a.upAt : a.downAt) + (tight ? look.px(8) : std::max(look.px(12), last + look.px(4)));
  if (tight) {
    // Of two that are side by side the first is told; the hover tells both.
    if (a.down) drawAmount(look, {left + shift, at}, bands_.columnWidth() - shift, text, ink);
    return;
  }
  const float room = bands_.columnWidth() - shift - look.px(12);
  // Below the bytes, what moves them, where it is one operation and nothing else stands there.
  const std::string by = back ? "" : instructionOf(t);
  const bool told = !by.empty() && figureWidth(look, by) <= room && bands_.gap() >= look.px(28);
  const float up = a.down && back ? lower : told ? look.px(7) : 0;
  const std::string other = back ? (a.down ? "↑ " : "↓ ") + bytesText(bytesOf(*back)) : "";
  drawFigure(look, {left + shift, at - up}, room, closeFigure(look, text, room, other), ink);
  // What neighbours of the cluster bring as well says more than the instruction.
  const std::string others =
      t.byOthers > 0 && !shown_.isWholeGrid ? say(look, words::kOthersBring, bytesText(t.byOthers)) : "";
  if (told)
    drawFigure(look, {left + shift, at - up + look.px(13)}, room, others.empty() ? by : others,
               others.empty() ? Tone::kTextSecond : Tone::kShared);
}

// An arrow's bytes and how they were obtained; of the machine code its instructions by width, and what they cost.
// `was`: bytes over the grid in the state before; below 0: as many, or none.
std::string MemoryArrows::hintOf(const MemoryTraffic& t, double was) const {
  const Look& look = context_.look;
  // Of some blocks that stand for all: the last digits would be made up.
  std::string hint = say(look, words::kMovedBytes, bytesText(t.perBlock),
                         withPreviousValue(look, bytesText(t.bytes), was >= 0 ? bytesText(was) : "")) +
                     "\n";
  for (const auto& [width, n] : t.widths) hint += say(look, words::kWidthsHint, numberText(n), width) + "\n";
  if (t.moved > 0) {
    const bool l2 = t.from == MemoryLevel::kL2 || t.to == MemoryLevel::kL2;
    hint += say(look, l2 ? words::kSectorsCarried : words::kWavefrontsCarried, numberText(t.moved)) + "\n";
  }
  std::string names;
  for (const std::string& name : t.by) names += (names.empty() ? "" : ", ") + name;
  if (!names.empty()) hint += say(look, words::kMovedBy, names) + "\n";
  if (t.byOthers > 0) hint += say(look, words::kOthersBringHint, numberText(t.byOthers)) + "\n";
  if (const text::Text* past = pastRegisters(t.agent)) hint += std::string(look.say(*past)) + "\n";
  if (t.throughRegisters) hint += std::string(look.say(words::kThroughRegisters)) + "\n";
  return hint + provenanceText(look, t.how);
}

// At the moment that Playback stands on. What comes from and goes to global memory belongs to no statement: to its
// operand.
bool MemoryArrows::isMoving(const MemoryTraffic& t) const {
  if (shown_.position == nullptr) return false;
  if (std::any_of(t.ids.begin(), t.ids.end(), [&](ir::Id id) { return shown_.position->isMoved(id, t.from, t.to); }))
    return true;
  if (!t.ids.empty()) return false;
  return std::any_of(shown_.view.traffic.begin(), shown_.view.traffic.end(), [&](const MemoryTraffic& on) {
    const bool next = t.from == MemoryLevel::kGlobal ? on.from == t.to : on.to == t.from;
    return next && !on.ids.empty() && on.column == t.column && isMoving(on);
  });
}

// Whether the bytes beside an arrow are the whole grid's: those of global memory are, since blocks share L2.
bool MemoryArrows::isOfGrid(const MemoryTraffic& t) const {
  return shown_.isWholeGrid || t.from == MemoryLevel::kGlobal || t.to == MemoryLevel::kGlobal;
}

double MemoryArrows::bytesOf(const MemoryTraffic& t) const { return isOfGrid(t) ? t.bytes : t.perBlock; }

// What passes levels in the same column, the other way; null: nothing.
const MemoryTraffic* MemoryArrows::passingBeside(const MemoryTraffic& t) const {
  for (const MemoryTraffic& other : shown_.view.traffic) {
    const bool passes = std::abs(int(other.from) - int(other.to)) > 1;
    if (passes && other.column == t.column && (other.from < other.to) != (t.from < t.to)) return &other;
  }
  return nullptr;
}

// The bytes that cross from a level to the next one, and those that only pass it by.
std::pair<double, double> MemoryArrows::crossingAt(int level) const {
  double crossing = 0, passing = 0;
  for (const MemoryTraffic& t : shown_.view.traffic) {
    const int near = std::min(int(t.from), int(t.to)), far = std::max(int(t.from), int(t.to));
    if (near > level || level >= far) continue;
    (near < level && level == int(MemoryLevel::kShared) ? passing : crossing) += t.bytes;
  }
  return {crossing, passing};
}

// Roofline asks what the link carries for them: more where requests are scattered, banks conflict or the copy engine
// writes what others read; less where L2 serves several blocks together. 0: as much as crosses, or not known.
double MemoryArrows::carriedAt(int level) const {
  if (level != int(MemoryLevel::kL2) && level != int(MemoryLevel::kShared)) return 0;
  const auto link = std::size_t(level == int(MemoryLevel::kL2) ? session::Traffic::kL2 : session::Traffic::kShared);
  const session::PerformanceView& performance = session::performanceOf(shown_.model);
  const auto& carried = (shown_.isCompiled ? performance.bytes : performance.written)[link];
  const double together = level == int(MemoryLevel::kL2) ? performance.servedTogether : 0;
  return carried ? carried->value - together : 0;
}

bool MemoryArrows::tellsCarried(int level) const {
  constexpr double kApart = 1.05;
  const double crossing = crossingAt(level).first, carried = carriedAt(level);
  return session::performanceOf(shown_.model).flops > 0 && crossing > 0 && carried > 0 &&
         (carried > kApart * crossing || crossing > kApart * carried);
}

std::string MemoryArrows::carriedNote() const {
  if (bands_.isTight()) return "";
  const Look& look = context_.look;
  const bool l2 = tellsCarried(int(MemoryLevel::kL2)), shared = tellsCarried(int(MemoryLevel::kShared));
  const session::PerformanceView& performance = session::performanceOf(shown_.model);
  const bool together = performance.servedTogether > 0, boxes = performance.fillShare < 1;
  std::string how;
  if (l2) how = look.say(together ? words::kCarriedTogether : words::kCarriedByL2);
  if (shared) {
    how += l2 ? look.say(words::kCarriedBoth) : "";
    how += boxes ? say(look, words::kCarriedByBoxes, fmt::format("{:g}", performance.fillShare))
                 : std::string(look.say(words::kCarriedByShared));
  }
  return how.empty() ? "" : say(look, words::kCarriedNote, how);
}

void MemoryArrows::drawIntensities() const {
  if (bands_.isTight()) return;
  const Look& look = context_.look;
  for (int level = 0; level + 1 < session::kMemoryLevels; ++level)
    drawIntensity(level, {bands_.origin().x + look.px(8), bands_.bottom(level)},
                  {bands_.titleWidth() - look.px(12), bands_.gap()});
}

// Between two levels: of what the bytes beside the arrows are, and the arithmetic for each byte that crosses.
void MemoryArrows::drawIntensity(int level, ImVec2 at, ImVec2 size) const {
  const Look& look = context_.look;
  // What passes shared memory by belongs to L2.
  const auto [crossing, passing] = crossingAt(level);
  if (crossing + passing <= 0) {
    // The kernel reads global memory, but nobody can say which bytes of it.
    const bool below = std::ranges::any_of(shown_.view.traffic, [](const MemoryTraffic& t) {
      return t.from == MemoryLevel::kL2 || t.to == MemoryLevel::kL2;
    });
    if (level != int(MemoryLevel::kGlobal) || !below) return;
    drawFigure(look, {at.x, at.y + size.y / 2 - look.px(7)}, size.x, look.say(words::kNotCounted), Tone::kTextSecond);
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy(size);
    setItemTip(look, look.say(words::kNotCountedHint));
    return;
  }
  const double flops = crossing > 0 ? session::performanceOf(shown_.model).flops : 0;
  const std::string each =
      look.say(shown_.isWholeGrid || level == int(MemoryLevel::kGlobal) ? words::kInAll : words::kOfBlock);
  const bool memory = level == int(MemoryLevel::kGlobal);
  const double carried = carriedAt(level);
  const bool tells = flops > 0 && tellsCarried(level), roomy = size.y > look.px(40);
  const float step = look.px(13);
  // With room for two lines alone, both figures: of what they are stands above and below them.
  const int lines = flops <= 0 ? 1 : tells && roomy ? 3 : 2;
  float y = at.y + size.y / 2 - float(lines) * step / 2 - look.px(1);
  // Global memory is whole even where the links below are told by block.
  const bool apart = level == int(MemoryLevel::kGlobal) && !shown_.isWholeGrid;
  if (!tells || roomy) {
    drawFigure(look, {at.x, y}, size.x, each, apart ? Tone::kText : Tone::kTextFaint);
    y += step;
  }
  if (flops <= 0) return;
  drawFigure(look, {at.x, y}, size.x, say(look, words::kFlopPerByte, intensityText(flops / crossing)),
             Tone::kTextSecond);
  if (tells)
    drawFigure(look, {at.x, y + step}, size.x, say(look, words::kCarriedPerByte, intensityText(flops / carried)),
               Tone::kTextSecond);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(size);
  std::string hint = say(look, words::kFlopPerByteHint, flopsText(flops), bytesText(crossing),
                         look.say(memory              ? text::counts::kDistinct
                                  : shown_.isCompiled ? text::counts::kCompiled
                                                      : text::counts::kWritten),
                         each);
  if (carried > 0)
    hint += say(look, words::kRooflineCounts,
                look.say(level == int(MemoryLevel::kL2) ? text::counts::kSectors : text::counts::kWavefronts),
                intensityText(flops / carried));
  setItemTip(look, hint);
}

}  // namespace loom::panels
