#include "app/panels/memory/buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/notation/memory_place.h"
#include "app/panels/memory/figures.h"
#include "app/panels/memory/labels.h"
#include "app/panels/memory/shares.h"
#include "app/panels/memory/view/box_figures.h"
#include "app/panels/memory/words.h"
#include "app/session/session.h"
#include "app/ui/axis_chip.h"
#include "app/ui/look.h"
#include "app/ui/quantity_text.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/widgets/lesson_highlight.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::memory;
using device::MemoryLevel;
using session::MemoryBuffer;
using window::Look;
using window::Tone;

namespace {

constexpr int kMostCards = 4;
constexpr float kNameShare = 0.6F;  // of the mbarriers' box
constexpr float kLeastName = 30;    // design px: room for "full" or "free"
constexpr float kLetterWidth = 7;   // design px
constexpr float kLettered = 26;     // design px: room for a letter and marks

// Of the mbarriers' box: its width between the margins.
float insideOf(const Look& look, ImVec2 from, ImVec2 to) { return to.x - from.x - look.px(7); }

// What stands before the marks of an mbarrier. A letter and "…" would say nothing, but where each name begins with
// another letter that one alone leads to the list below the picture.
enum class Naming : std::uint8_t { kNone, kLetter, kName };
Naming namingOf(const Look& look, const std::vector<session::MemoryMbarrier>& all, float inside) {
  if (inside * kNameShare >= look.px(kLeastName)) return Naming::kName;
  std::set<std::string> initials;
  for (const session::MemoryMbarrier& b : all) initials.insert(firstCharacter(b.name));
  return initials.size() == all.size() && inside >= look.px(kLettered) ? Naming::kLetter : Naming::kNone;
}

std::string shapeText(const std::vector<std::int64_t>& shape, const std::string& dtype) {
  std::string text;
  for (std::int64_t e : shape) text += (text.empty() ? "" : " × ") + std::to_string(e);
  return text + (text.empty() ? "" : " ") + dtype;
}

std::string lifeText(const Look& look, const MemoryBuffer& b) {
  if (b.level == MemoryLevel::kGlobal) return look.say(words::kOutlives);
  if (b.stages > 1) return say(look, words::kStages, b.stages);
  return b.life.empty() ? look.say(words::kWholeLife) : say(look, words::kRewritten, magnitudeText(b.lives), b.life);
}

std::string sharingText(const Look& look, const MemoryBuffer& b) {
  return say(look, words::kShares, fmt::format("{}", fmt::join(b.sharing, ", ")));
}

// Of a fragment what a warp has of it, of a thread's own memory what a thread has.
std::string sizeText(const Look& look, const MemoryBuffer& b) {
  return b.fragment && b.perThread > 0 ? say(look, words::kAWarp, bytesText(b.perThread))
         : b.perThread > 0             ? say(look, words::kAThread, bytesText(b.perThread))
         : b.stages > 1                ? say(look, words::kStageBytes, b.stages, bytesText(b.bytes / b.stages))
                                       : bytesText(b.bytes);
}

}  // namespace

// The upper left and the lower right corner of a buffer's box.
std::pair<ImVec2, ImVec2> MemoryBuffers::placeOf(std::size_t buffer) const {
  const Look& look = context_.look;
  const MemoryBuffer& b = shown_.view.buffers[buffer];
  const auto [left, width] = boxShare(look, shown_.view, buffer, bands_.columnWidth(), bands_.boxGap());
  const ImVec2 from{bands_.left(b.column) + left, bands_.top(int(b.level)) + look.px(4)};
  return {from, {from.x + width - look.px(3), bands_.bottom(int(b.level)) - look.px(4)}};
}

void MemoryBuffers::draw() const {
  const std::vector<MemoryBuffer>& all = shown_.view.buffers;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const MemoryBuffer& b = all[i];
    if (!hasBox(shown_.view, i)) continue;
    const bool changed = shown_.change.buffers[i];
    const auto [from, to] = placeOf(i);
    const MemoryBuffer* was = shown_.before && changed ? shown_.before->find(b.name, b.level) : nullptr;
    drawBox(b, changed, from, to);
    if (b.forSync) {
      drawMbarriers(from, to);
      continue;
    }
    drawTexts(b, was, from, to);
    drawItem(b, was, from, to);
  }
}

bool MemoryBuffers::haveLives() const {
  return std::any_of(shown_.view.buffers.begin(), shown_.view.buffers.end(),
                     [](const MemoryBuffer& b) { return !b.forSync && b.ends > b.begins; });
}

void MemoryBuffers::drawBox(const MemoryBuffer& b, bool changed, ImVec2 from, ImVec2 to) const {
  const Look& look = context_.look;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto* lit = context_.spotlight ? context_.spotlight->in("memory") : nullptr;
  const notation::LevelLook l = notation::lookOf(b.level);
  // The stages of a ring are a stack of cards, of which the first is in front.
  for (int card = std::min(b.stages, kMostCards) - 1; card > 0; --card) {
    const float off = look.px(2.5F) * float(card);
    const ImVec2 corner{from.x + off, from.y - off}, end{to.x + off, to.y - off};
    list->AddRectFilled(corner, end, look.paint(Tone::kPanel), look.px(2));
    list->AddRectFilled(corner, end, look.paint(l.tone, 0.28F), look.px(2));
    list->AddRect(corner, end, look.paint(l.tone), look.px(2));
  }
  if (b.stages > 1) list->AddRectFilled(from, to, look.paint(Tone::kPanel), look.px(2));
  list->AddRectFilled(from, to, look.paint(l.tone, 0.28F), look.px(2));
  if (lit && std::any_of(b.ids.begin(), b.ids.end(), [&](ir::Id id) { return lit->ids == std::vector{id}; })) {
    context_.spotlight->mark(from, to);
  }
  const bool chosen =
      std::any_of(b.ids.begin(), b.ids.end(), [&](ir::Id id) { return context_.session->selection().has(id); });
  if (shown_.isPreview && changed && !chosen) {
    drawDashed(look, from, to, look.paint(Tone::kChanged));
  } else {
    list->AddRect(from, to,
                  look.paint(chosen    ? Tone::kSelected
                             : changed ? Tone::kChanged
                                       : l.tone),
                  look.px(2), 0,
                  look.px(chosen    ? 2.0F
                          : changed ? 1.5F
                                    : 1.0F));
  }
  if (b.ends > b.begins && !b.forSync) drawLife(b, from, to);
  if (shown_.position && shown_.position->isTouched(b.name))
    list->AddRectFilled({from.x, to.y - look.px(3)}, to, look.paint(Tone::kSelected));
}

// `was`: the buffer in the state before, where it was another there; null: it was not there, or is unchanged. The name
// has the lines that figures leave it, but one in any case.
void MemoryBuffers::drawTexts(const MemoryBuffer& b, const MemoryBuffer* was, ImVec2 from, ImVec2 to) const {
  const Look& look = context_.look;
  const float room = to.x - from.x - look.px(7), textAt = from.x + look.px(4);
  const std::vector<session::BoxFigure> figures = figuresOf(b, was, room);
  const bool saysLife = bands_.isWide() && (b.ways > 1 || shown_.view.kernel);
  const int lines = bands_.nameLines(b.level) + (bands_.isWide() ? 2 : 1), below = int(figures.size()) + int(saysLife);
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  const auto names = nameLines(b.name, room, std::max(1, lines - below));
  ImGui::PopFont();
  // Lines come closer where there is one more than the level has room for.
  const int drawn = int(names.size()) + below;
  const float pitch = look.px(bands_.isWide() ? 16 : 13), foot = b.ends > b.begins ? look.px(4) : 0,
              height = to.y - from.y - foot - look.px(1 + window::kUnitSize),
              step = drawn <= lines ? pitch : std::min(pitch, height / float(drawn - 1));
  float y = from.y + look.px(1);
  for (const std::string& name : names) {
    drawLabel(look, {textAt, y}, room + 1, name, Tone::kText, look.fonts.code, window::kUnitSize);
    y += step;
  }
  // Red alone would be faint on the box: on the panel's own ground it isn't.
  const auto drawConflict = [&](ImVec2 at, const std::string& text) {
    ImGui::GetWindowDrawList()->AddRectFilled({at.x - look.px(2), at.y},
                                              {at.x + figureWidth(look, text) + look.px(2), at.y + look.px(12)},
                                              look.paint(Tone::kPanel), look.px(2));
    drawFigure(look, at, room, text, Tone::kError);
  };
  for (const session::BoxFigure& figure : figures) {
    drawFigure(look, {textAt, y}, room + 1, figure.text, Tone::kTextSecond);
    if (!figure.conflict.empty())
      drawConflict({figure.text.empty() ? textAt : textAt + room - figureWidth(look, figure.conflict), y},
                   figure.conflict);
    y += step;
  }
  if (!saysLife) return;
  if (b.ways > 1) {
    drawConflict({textAt, y}, ellipsized(say(look, words::kWays, b.ways), room));
  } else {
    drawFigure(look, {textAt, y}, room, b.sharing.empty() ? lifeText(look, b) : sharingText(look, b),
               Tone::kTextSecond);
  }
}

// The size, what it was before and the shape, as far as there is room: the hover has everything. In a narrow box the
// conflict stands beside the size. Without room for what a stage has, what all have: the cards show how many there are;
// and without room for "/thread" or "/warp", bytes alone, since registers have no others.
std::vector<session::BoxFigure> MemoryBuffers::figuresOf(const MemoryBuffer& b, const MemoryBuffer* was,
                                                         float room) const {
  const Look& look = context_.look;
  const std::string size = sizeText(look, b), both = withPreviousValue(look, size, was ? sizeText(look, *was) : "");
  std::vector<std::string> texts{both, size};
  if (bands_.isWide()) {
    const std::string shape = ", " + shapeText(b.shape, b.dtype);
    texts = {both + shape, both, size + shape, size};
  }
  if (b.stages > 1) texts.push_back(bytesText(b.bytes));
  if (b.perThread > 0) texts.push_back(bytesText(b.perThread));
  const std::string ways = !bands_.isWide() && b.ways > 1 ? say(look, words::kWaysBrief, b.ways) : "";
  ImGui::PushFont(look.fonts.text, window::kUnitSize);
  auto figures = session::boxFigures(texts, ways, room, look.px(6), bands_.nameLines(b.level) + 1,
                                     [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; });
  ImGui::PopFont();
  return figures;
}

std::string MemoryBuffers::lettersNote() const {
  const std::vector<MemoryBuffer>& all = shown_.view.buffers;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].forSync || !hasBox(shown_.view, i)) continue;
    const auto [from, to] = placeOf(i);
    if (namingOf(context_.look, shown_.view.mbarriers, insideOf(context_.look, from, to)) != Naming::kLetter) continue;
    std::string letters, names;
    for (const session::MemoryMbarrier& b : shown_.view.mbarriers) {
      letters += (letters.empty() ? "" : ", ") + firstCharacter(b.name);
      names += (names.empty() ? "" : ", ") + b.name;
    }
    return say(context_.look, words::kLettersNote, letters, names);
  }
  return "";
}

// What is clicked and hovered.
void MemoryBuffers::drawItem(const MemoryBuffer& b, const MemoryBuffer* was, ImVec2 from, ImVec2 to) const {
  const Look& look = context_.look;
  ImGui::SetCursorScreenPos(from);
  ImGui::PushID(b.name.c_str());
  ImGui::InvisibleButton("buffer", {std::max(1.0F, to.x - from.x), to.y - from.y});
  selectOnClick(*context_.session, b.ids);
  std::string hint =
      fmt::format("{}\n{}, {}", b.name, shapeText(b.shape, b.dtype),
                  withPreviousValue(look, numberText(b.bytes) + " B", was ? numberText(was->bytes) + " B" : ""));
  if (!b.declared.empty())
    hint += "\n" + say(look, words::kDeclared, shapeText(b.declared, b.dtype), bytesText(b.declaredBytes));
  if (shown_.view.kernel) hint += "\n" + lifeText(look, b);
  if (!b.sharing.empty()) hint += "\n" + sharingText(look, b) + look.say(words::kSharesHint);
  if (b.stages > 1) hint += "\n" + say(look, words::kStageHint, b.stages, bytesText(b.bytes / b.stages));
  if (b.ends > b.begins)
    hint += "\n" + say(look, words::kLifeBar, int(std::lround(100 * b.begins)), int(std::lround(100 * b.ends)));
  if (b.ways > 1) hint += "\n" + say(look, words::kWays, b.ways) + ": " + look.say(words::kWaysHint);
  setItemTip(look, hint);
  ImGui::PopID();
}

// A line each: the name, and a mark for each slot of the ring.
void MemoryBuffers::drawMbarriers(ImVec2 from, ImVec2 to) const {
  const Look& look = context_.look;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::vector<session::MemoryMbarrier>& all = shown_.view.mbarriers;
  const float left = from.x + look.px(4), right = left + insideOf(look, from, to);
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  float names = 0;
  for (const session::MemoryMbarrier& b : all) names = std::max(names, ImGui::CalcTextSize(b.name.c_str()).x);
  ImGui::PopFont();
  const Naming naming = namingOf(look, all, right - left);
  const bool named = naming == Naming::kName, lettered = naming == Naming::kLetter;
  names = named ? std::min(names, (right - left) * kNameShare) : lettered ? look.px(kLetterWidth) : 0;
  // Marks without a name beside them stand in rows, those of one mbarrier close to each other.
  const auto inARow = [&](const session::MemoryMbarrier& b) { return named ? b.slots : marksInARow(b.slots); };
  int rows = 0;
  for (const session::MemoryMbarrier& b : all) rows += (b.slots + inARow(b) - 1) / inARow(b);
  const float least = look.px(named ? bands_.isWide() ? 16 : 14 : lettered ? 11 : 9);
  const float step = std::min(least, (to.y - from.y - look.px(2)) / float(rows));
  std::string hint;
  float y = from.y + look.px(1);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const float high = std::min(look.px(6), step - 1), lower = named ? look.px(4) : look.px(lettered ? 3 : 1);
    if (names > 0)
      drawLabel(look, {left, lettered ? y - look.px(2) : y}, names + 1,
                named ? all[i].name : firstCharacter(all[i].name), Tone::kText, look.fonts.code, window::kUnitSize);
    const float marks = left + (names > 0 ? names + look.px(named ? 4 : 1) : 0),
                each = std::min(look.px(7), (right - marks) / float(inARow(all[i])));
    const float size = std::max(1.0F, each - std::max(1.0F, look.px(1.5F)));
    for (int slot = 0; slot < all[i].slots; ++slot) {
      const ImVec2 at{marks + float(slot % inARow(all[i])) * each, y + float(slot / inARow(all[i])) * step + lower};
      list->AddRectFilled(at, {at.x + size, at.y + high}, look.paint(notation::lookOf(MemoryLevel::kShared).tone));
    }
    y += step * float((all[i].slots + inARow(all[i]) - 1) / inARow(all[i]));
    hint += (hint.empty() ? "" : "\n") + mbarrierText(look, all[i]);
  }
  ImGui::SetCursorScreenPos(from);
  ImGui::PushID("mbarriers");
  ImGui::Dummy({std::max(1.0F, to.x - from.x), to.y - from.y});
  setItemTip(look, (hint + "\n" + look.say(words::kMbarriersHint)));
  ImGui::PopID();
}

// At the foot of a buffer's box: the kernel's statements from left to right, lit from its first use to its last, with
// a notch where a barrier stands.
void MemoryBuffers::drawLife(const MemoryBuffer& b, ImVec2 from, ImVec2 to) const {
  const Look& look = context_.look;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float left = from.x + look.px(3), width = to.x - from.x - look.px(6), top = to.y - look.px(3.5F);
  if (width < look.px(12)) return;
  const ImU32 tone = look.paint(notation::lookOf(b.level).tone);
  list->AddRectFilled({left, top + look.px(1)}, {left + width, top + look.px(1.5F)},
                      look.paint(Tone::kTextFaint, 0.7F));
  list->AddRectFilled({left + width * float(b.begins), top},
                      {left + std::max(look.px(2), width * float(b.ends)), top + look.px(2.5F)}, tone);
  for (const double barrier : shown_.view.barriersAt) {
    const float x = left + width * float(barrier);
    list->AddLine({x, top - look.px(2)}, {x, top + look.px(2.5F)}, look.paint(Tone::kText), std::max(1.0F, look.px(1)));
  }
}

}  // namespace loom::panels
