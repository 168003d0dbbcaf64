#include "app/panels/memory/bands.h"

#include <algorithm>
#include <cfloat>

#include "app/notation/memory_place.h"
#include "app/panels/memory/figures.h"
#include "app/panels/memory/labels.h"
#include "app/panels/memory/shares.h"
#include "app/panels/memory/words.h"
#include "app/session/session.h"
#include "app/ui/axis_chip.h"
#include "app/ui/look.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/widgets/lesson_highlight.h"

namespace loom::panels {

namespace words = text::memory;
using device::MemoryLevel;
using window::Look;
using window::Tone;

namespace {

constexpr float kTight = 270;  // design px: less holds short names of levels

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

// Of a level in the narrow picture, design px: in shared memory a size, a conflict and the bar of a buffer's life stand
// below each other where a box is too narrow for them side by side.
int leastHeight(int level) { return MemoryLevel(level) == MemoryLevel::kShared ? 47 : 0; }

}  // namespace

MemoryBands::MemoryBands(const Look& look, const session::MemoryView& view, ImVec2 origin, float width, bool isWide)
    : wide_(isWide),
      tight_(width < look.px(kTight)),
      origin_(origin),
      title_(look.px(wide_    ? 130
                     : tight_ ? 46
                              : 92)),
      gap_(look.px(wide_    ? 46
                   : tight_ ? 34
                            : 30)),
      boxGap_(look.px(tight_ ? 7 : 20)) {
  for (const session::MemoryBuffer& b : view.buffers) columns_ = std::max(columns_, b.column + 1);
  columnWidth_ = std::max(look.px(tight_ ? 40 : 64), (width - title_) / float(columns_));
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  const float room = columnWidth_ - boxGap_ - look.px(10);
  auto linesOf = [&](const char* name) { return int(panels::nameLines(name, room, tight_ ? 4 : 3).size()); };
  // Of a kernel whose shared memory is dynamic, names are longer.
  const bool isDynamic = std::ranges::any_of(view.buffers, [](const auto& b) { return b.name.ends_with(".dyn"); });
  int shared = linesOf(isDynamic ? "X_shared.dyn" : "X_shared");
  const int fragment = linesOf("X_shared_wmma.matrix_a");
  // Where boxes share a column, they are too narrow for that.
  for (std::size_t i = 0; i < view.buffers.size(); ++i) {
    const session::MemoryBuffer& b = view.buffers[i];
    const BoxShare share = boxShare(look, view, i, columnWidth_, boxGap_);
    if (b.level != MemoryLevel::kShared || b.forSync || share.width > 0.8F * columnWidth_) continue;
    const auto lines = panels::nameLines(b.name, share.width - look.px(10), tight_ ? 4 : 3);
    shared = std::max(shared, int(lines.size()) + int(b.ways > 1 && !wide_));
  }
  ImGui::PopFont();
  for (int level = 0; level < session::kMemoryLevels; ++level) {
    const auto at = std::size_t(level);
    const bool empty = MemoryLevel(level) == MemoryLevel::kL2 || MemoryLevel(level) == MemoryLevel::kTensorCore;
    nameLines_[at] = MemoryLevel(level) == MemoryLevel::kRegisters ? fragment
                     : MemoryLevel(level) == MemoryLevel::kShared  ? shared
                                                                   : 1;
    heights_[at] = empty   ? look.px(wide_                                                      ? 40
                                     : tight_ && MemoryLevel(level) == MemoryLevel::kTensorCore ? 37
                                                                                                : 26)
                   : wide_ ? look.px(float(64 + 16 * (nameLines_[at] - 1)))
                           : look.px(float(std::max(40 + 13 * (nameLines_[at] - 1), leastHeight(level))));
  }
  float y = origin.y;
  for (int level = 0; level < session::kMemoryLevels; ++level) {
    tops_[std::size_t(level)] = y;
    y += heights_[std::size_t(level)] + gap_;
  }
}

void MemoryBands::draw(PanelContext& context, const session::MemoryView& view) const {
  const Look& look = context.look;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto* lit = context.spotlight ? context.spotlight->in("memory") : nullptr;
  for (int level = 0; level < session::kMemoryLevels; ++level) {
    const notation::LevelLook l = notation::lookOf(MemoryLevel(level));
    const ImVec2 from{origin_.x, top(level)}, to{right(), bottom(level)};
    static const char* const kNames[] = {"global", "l2", "shared", "registers", "tensorcore"};
    if (lit && lit->part == kNames[level]) context.spotlight->mark(from, to);
    list->AddRectFilled(from, to, look.paint(l.tone, 0.13F), look.px(3));
    list->AddRectFilled(from, {from.x + look.px(3), to.y}, look.paint(l.tone));
    drawName(look, view, level);
  }
  if (view.tiles > 0)
    drawLabel(look, {left(0) + look.px(6), (top(4) + bottom(4)) / 2 - look.px(8)}, right() - left(0) - look.px(12),
              say(look, words::kTiles, magnitudeText(view.tiles)), Tone::kTextSecond, look.fonts.text,
              window::kSecondarySize);
}

// The letter and the name of a level; of registers how many a thread has.
void MemoryBands::drawName(const Look& look, const session::MemoryView& view, int level) const {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const notation::LevelLook l = notation::lookOf(MemoryLevel(level));
  const ImVec2 from{origin_.x, top(level)}, to{right(), bottom(level)};
  const char* letter = window::entryOf(l.tone).letter;
  const float size = look.px(window::kUnitSize);
  const ImVec2 extent = look.fonts.code->CalcTextSizeA(size, FLT_MAX, 0, letter);
  // A short name stands below; L2's letters are its name.
  const text::Text* below = tight_ ? shortNameOf(level) : nullptr;
  const ImVec2 chip{from.x + look.px(8),
                    from.y + (below ? look.px(2) : std::min(look.px(8), (to.y - from.y - look.px(18)) / 2))};
  list->AddRectFilled(chip, {chip.x + extent.x + look.px(8), chip.y + look.px(18)}, look.paint(l.tone), look.px(2));
  list->AddText(look.fonts.code, size, {chip.x + look.px(4), chip.y + look.px(3)}, inkOn(look, l.tone), letter);
  if (tight_) {
    if (below)
      drawFigure(look, {chip.x - look.px(3), chip.y + look.px(20)}, title_ - look.px(5), look.say(*below), Tone::kText);
    ImGui::SetCursorScreenPos(from);
    ImGui::Dummy({title_, to.y - from.y});
    setItemTip(look, look.say(l.name));
    return;
  }
  const float nameAt = chip.x + extent.x + look.px(12);
  drawLabel(look, {nameAt, chip.y + look.px(1)}, origin_.x + title_ - nameAt, look.say(l.name), Tone::kText,
            look.fonts.text, window::kSecondarySize);
  if (level == int(MemoryLevel::kShared) && view.cluster > 1)
    drawFigure(look, {chip.x, chip.y + look.px(22)}, title_ - look.px(10),
               say(look, words::kClusterBlocks, view.cluster), Tone::kTextSecond);
  if (wide_ && level == int(MemoryLevel::kRegisters) && view.registers > 0)
    drawFigure(look, {chip.x, chip.y + look.px(24)}, title_ - look.px(10),
               say(look, words::kAThread, std::to_string(view.registers)), Tone::kTextSecond);
}

void selectOnClick(session::Session& session, const std::vector<ir::Id>& ids) {
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (ImGui::IsItemClicked() && !ids.empty()) session.selection().select(ids);
}

}  // namespace loom::panels
