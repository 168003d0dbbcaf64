#include "app/panels/loop_nest/panel.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <utility>

#include "app/panels/loop_nest/bar_header.h"
#include "app/panels/loop_nest/legend.h"
#include "app/panels/loop_nest/stage_menu.h"
#include "app/panels/loop_nest/view/labels.h"
#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/panels/loop_nest/view/stages.h"
#include "app/panels/loop_nest/words.h"
#include "app/text/panels.h"
#include "app/ui/axis_chip.h"
#include "app/ui/look.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/lesson_highlight.h"
#include "app/widgets/loop_tooltip.h"
#include "app/widgets/make_fast_offer.h"
#include "app/widgets/preview_strip.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::loop_nest;
using device::HardwareAxis;
using session::NestChange;
using session::NestRow;
using window::Look;
using window::Tone;

namespace {

constexpr float kGlide = 0.18F;  // seconds
constexpr float kFade = 0.08F;
constexpr float kLeastForOffer = 180;      // design px: a lower panel has room for loops alone
constexpr std::size_t kMostGliding = 400;  // bars; more of them jump

float eased(float t) { return 1 - (1 - t) * (1 - t) * (1 - t); }

}  // namespace

void LoopNestPanel::draw(PanelContext& context) {
  if (!context.hasProgram()) {
    shown_.reset();
    drawEmpty(context, words::kEmpty);
    return;
  }
  const Look& look = context.look;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const int legend = nestLegendRows(look, room.y);
  const float strip = previewLineHeight(context);  // takes the legend's place
  const float offer = strip == 0 && isPlain() && room.y > look.px(kLeastForOffer) ? makeFastLineHeight(look) : 0;
  const float height = room.y - look.px(kNestTitles) - std::max(strip, nestLegendHeight(look, legend)) - offer;
  follow(context, room.x, height);
  if (!shown_) {
    drawEmpty(context, text::panels::kDeriving);
    return;
  }
  drawNestTitles(look, bars_.columns(), room.x);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  const bool drawn = ImGui::BeginChild("###nest", {0, height}, 0, ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar(2);  // not of the tooltips and menus that open from here
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  if (drawn) {
    takeKeys(*context.session);
    const float now = float(ImGui::GetTime() - started_);
    const bool gliding = !before_.empty() && now < kGlide;
    if (!gliding) before_.clear();
    if (gliding) context.wake();
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float from = ImGui::GetScrollY(), to = from + ImGui::GetWindowHeight();
    if (!gestures_.dragging()) held_.reset();
    ImGui::Dummy({1, std::max(bars_.total(), held_ ? held_->total() : 0)});
    // Bars begin in order, so what can be seen is a stretch of them and the bars around its first.
    std::size_t first = 0;
    if (!gliding) {
      first = std::size_t(std::partition_point(bars_.bars().begin(), bars_.bars().end(),
                                               [&](const NestBar& bar) { return bar.top + bar.header < from; }) -
                          bars_.bars().begin());
    }
    std::vector<int> around;
    for (int at = first < bars_.bars().size() ? bars_.bars()[first].parent : -1; at >= 0;
         at = bars_.bars()[std::size_t(at)].parent) {
      around.push_back(at);
    }
    for (auto at = around.rbegin(); at != around.rend(); ++at) {
      drawBar(context, bars_.bars()[std::size_t(*at)], origin, now);
    }
    for (std::size_t i = first; i < bars_.bars().size() && (gliding || bars_.bars()[i].top < to); ++i) {
      drawBar(context, bars_.bars()[i], origin, now);
    }
    gestures_.draw(context, held_ ? *held_ : bars_, origin);
    if (gestures_.dragging() && !held_) held_ = bars_;  // the state's: what a drag proposes isn't there yet
    if (under_ != lit_) context.wake();
    lit_ = std::exchange(under_, ir::Id{});
    if (const ir::Id split = gestures_.takeClickedHandle()) menu_.openChoices(context, split, "split");
    if (bound_) menu_.openChoices(context, std::exchange(bound_, {}), "bind");
    if (wanted_) openMenu(context, std::exchange(wanted_, {}));
    menu_.draw(context);
    if (scrollToSelected_) {
      scrollToSelected_ = false;
      for (const NestBar& bar : bars_.bars()) {
        const auto row = rowOf(bar.line.first);
        if (selected_.empty() || !context.session->selection().has(row.id)) continue;
        if (bar.top < from || bar.top + bar.header > to) {
          ImGui::SetScrollY(std::max(0.0F, bar.top - ImGui::GetWindowHeight() * 0.3F));
        }
        break;
      }
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  if (offer > 0) drawMakeFastLine(context);
  if (strip > 0) {
    drawPreviewLine(context);
  } else if (legend > 0) {
    drawNestLegend(look, bars_, room.x, legend);
  }
}

// Whether no loop of what is shown is bound to threads or blocks.
bool LoopNestPanel::isPlain() const {
  if (!shown_) return false;
  const auto& rows = session::nestOf(*shown_).rows;
  return std::ranges::none_of(rows,
                              [](const NestRow& row) { return row.axis <= device::HardwareAxis::kVirtualThread; });
}

// Takes over what is there of the current state. Until it is there, the state before stays: nothing flickers.
void LoopNestPanel::follow(PanelContext& context, float width, float height) {
  const session::Session& session = *context.session;
  const Look& look = context.look;
  if (session.opened() != opened_) {
    opened_ = session.opened();
    shown_.reset();
    before_.clear();
    foldedAt_ = -1;
  }
  // Until a preview is worked out, what was there stays.
  const session::PreviewedStep* preview = session.preview().step();
  const bool waits = preview != nullptr && !preview->program && !preview->refusal;
  const auto program = waits && shown_ ? shown_ : session.preview().shown();
  ghost_ = preview != nullptr && program && (program == preview->program || (waits && ghost_));
  const bool fresh = program && program != shown_;
  const bool chosen = selected_ != session.selection().ids();
  const bool other = width != width_ || height != height_ || look.scale != scale_ || look.language != language_;
  if (!fresh && !(shown_ && (chosen || other))) return;
  std::map<NestBars::Key, Place> before;
  if (shown_ && fresh && !look.reducedMotion && !other && before_.empty() && bars_.bars().size() <= kMostGliding) {
    for (const NestBar& bar : bars_.bars()) before[bars_.keyOf(bar)] = {bar.top, bar.bottom};
  }
  if (fresh) shown_ = program;
  if (chosen) {
    selected_ = session.selection().ids();
    scrollToSelected_ = true;
  }
  if (fresh || other) before_ = std::move(before);
  if (!before_.empty() && fresh) started_ = ImGui::GetTime();
  width_ = width;
  height_ = height;
  scale_ = look.scale;
  language_ = look.language;
  keepFolds(session, other);
  session::NestFolds tried = folds_;  // a preview that goes leaves no fold behind
  bars_ = NestBars(look, {shown_, &session::nestOf(*shown_)}, ghost_ ? tried : folds_, selected_, width, height);
}

// Folds are kept on a walk: from a state to its neighbours, and on to what was made of it. Elsewhere room decides anew.
void LoopNestPanel::keepFolds(const session::Session& session, bool anew) {
  const int now = session.navigation().current(), before = foldedAt_;
  foldedAt_ = now;
  const document::History& history = session.navigation().history();
  const bool known = before >= 0 && before < int(history.nodes().size()) && !anew;
  if (known && (before == now || history.node(before).parent == now)) return;
  int above = known ? now : -1;
  while (above > before) above = history.node(above).parent;  // a state's number is above its parent's
  if (!known || above != before) folds_ = {};
}

LoopNestPanel::Place LoopNestPanel::placeOf(const NestBar& bar, float time) const {
  const Place there{bar.top, bar.bottom};
  if (before_.empty()) return there;
  auto at = before_.find(bars_.keyOf(bar));
  if (at == before_.end()) return there;
  const float t = eased(std::clamp(time / kGlide, 0.0F, 1.0F));
  return {at->second.top + (there.top - at->second.top) * t,
          at->second.bottom + (there.bottom - at->second.bottom) * t};
}

void LoopNestPanel::drawBar(PanelContext& context, const NestBar& bar, ImVec2 origin, float time) {
  const Look& look = context.look;
  session::Session& session = *context.session;
  const NestRow& row = rowOf(bar.line.first);
  const Place place = placeOf(bar, time);
  const bool isNew = !before_.empty() && before_.count(bars_.keyOf(bar)) == 0;
  const float fade = isNew ? std::clamp((time - (kGlide - kFade)) / kFade, 0.0F, 1.0F) : 1;
  const float indent = bars_.indent(look);
  const float left = origin.x + bars_.left(look, bar);
  const float right = origin.x + bars_.right(look);
  const float top = origin.y + place.top, under = top + bar.header, bottom = origin.y + place.bottom;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  bool selected = false;
  NestChange change = NestChange::kNone;
  for (int i = bar.line.first; i <= bar.line.last; ++i) {
    selected |= row.kind != NestRow::Kind::kInit && session.selection().has(rowOf(i).id);
    change = std::max(change, rowOf(i).change);
  }
  // Of a ghost, what stays as it is steps back.
  const float alpha = fade * (ghost_ && change == NestChange::kNone ? 0.5F : 1.0F);
  const bool seen = under > ImGui::GetWindowPos().y && top < ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
  if (seen) {
    ImGui::SetCursorScreenPos({left, top});
    ImGui::InvisibleButton(bar.item.c_str(), {std::max(1.0F, right - left), bar.header},
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  }
  const bool hovered = seen && ImGui::IsItemHovered();

  // The header, the strip that holds what is inside, and the edge: nothing is painted twice.
  if (row.kind == NestRow::Kind::kLoop) {
    const Tone tone = toneOf(row.axis);
    const ImU32 tint = look.paint(tone, (hovered ? 0.18F : 0.09F) * alpha);
    draw->AddRectFilled({left, top}, {right, under}, selected ? look.paint(Tone::kHovered, alpha) : tint);
    if (bottom > under) {
      draw->AddRectFilled({left, under}, {left + indent, bottom}, tint);
      draw->AddRectFilled({left + indent, bottom - look.px(kNestClosing)}, {right, bottom}, tint);
    }
    draw->AddLine({left, top}, {right, top}, look.paint(tone, 0.3F * alpha));
    draw->AddRectFilled({left, top}, {left + look.px(3), bottom}, look.paint(tone, alpha));
  } else {
    draw->AddRectFilled({left, top + 1}, {right, under - 1},
                        look.paint(selected || hovered ? Tone::kHovered : Tone::kStrip, alpha));
    draw->AddRect({left, top + 1}, {right, under - 1}, look.paint(Tone::kLine, alpha), look.px(2));
  }
  if (!seen) return;
  if (const auto* lit = context.spotlight ? context.spotlight->in("loopnest") : nullptr; lit && !lit->ids.empty()) {
    context.spotlight->shown();  // selected, it is scrolled to
    for (int i = bar.line.first; i <= bar.line.last; ++i) {
      if (rowOf(i).id == lit->ids.front()) context.spotlight->mark({left, top}, {right, under});
    }
  }
  const ImVec2 frameFrom{left + look.px(1), top + 1}, frameTo{right - look.px(1), under - 1};
  if (change != NestChange::kNone) {
    if (ghost_) {
      drawDashed(look, frameFrom, frameTo, look.paint(Tone::kChanged, alpha));
    } else {
      draw->AddRect(frameFrom, frameTo, look.paint(Tone::kChanged, alpha), look.px(2), 0, look.px(1.5F));
    }
    ImGui::PushFont(look.fonts.code, window::kSecondarySize);
    draw->AddText({origin.x + look.px(2), top + look.px(4)}, look.paint(Tone::kChanged, alpha),
                  change != NestChange::kNew                    ? "~"
                  : context.session->comparison().isOtherSide() ? "−"
                                                                : "+");
    ImGui::PopFont();
  }
  const ImU32 kinInk[] = {look.paint(Tone::kText, 0.35F * alpha), look.paint(Tone::kText, 0.8F * alpha)};
  const bool whole = bar.line.first == bar.line.last;
  if (const int kin = whole ? kinshipOf(bar.line.first) : 0; kin > 0)
    draw->AddRect(frameFrom, frameTo, kinInk[kin - 1], look.px(2), 0, look.px(1.5F));
  if (selected) {
    draw->AddRect(frameFrom, frameTo, look.paint(Tone::kSelected, alpha), look.px(2), 0, look.px(2));
  }

  const float line = bar.header - float(bar.warn.size()) * look.px(kNestWarning);
  const float middle = top + line / 2, text = left + look.px(9);
  const float numbers = bars_.columns() == NestBars::Columns::kThree ? look.px(330)
                        : bars_.columns() == NestBars::Columns::kTwo ? look.px(215)
                                                                     : look.px(14) + bars_.numberWidth(look, bar);
  // Numbers stand where the names leave room for them; names of single loops and blocks give way first.
  const model::TimelinePosition* moment = ghost_ ? nullptr : session.selection().position();
  NestChip stage{};
  const std::vector<NestChip> chips = drawBarNames(look, bars_, bar, moment, {text, middle},
                                                   std::max(text + look.px(50), right - numbers), alpha, stage);
  drawBarNumbers(look, bars_, bar, middle, std::max(chips.back().to, stage.to) + look.px(4), right - look.px(6), alpha);
  if (moment) drawMoment(look, *moment, bar, {left, under}, right);
  ImGui::PushFont(nullptr, window::kUnitSize);
  for (std::size_t i = 0; i < bar.warn.size(); ++i) {
    const std::string warn = ellipsized(bar.warn[i], right - text - look.px(6));
    draw->AddText({text, top + line - look.px(3) + float(i) * look.px(kNestWarning)}, look.paint(Tone::kWarning, alpha),
                  warn.c_str());
  }
  ImGui::PopFont();

  for (const NestChip& chip : chips) {
    const int kin = whole ? 0 : kinshipOf(chip.row);
    if (kin > 0)
      draw->AddRect({chip.from - look.px(2), top + look.px(3)}, {chip.to - look.px(3), top + line - look.px(3)},
                    kinInk[kin - 1], look.px(2), 0, look.px(1.5F));
  }
  int over = bar.line.first;
  const float mouse = ImGui::GetIO().MousePos.x;
  for (const NestChip& chip : chips) {
    if (mouse >= chip.from && mouse < chip.to) over = chip.row;
  }
  const bool onStage = stage.row >= 0 && mouse >= stage.from && mouse < stage.to;
  if (onStage && hovered) {
    over = stage.row;
    if (!gestures_.dragging()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    draw->AddRect({stage.from, middle - look.px(8)}, {stage.to, middle + look.px(8)},
                  look.paint(Tone::kSelected, alpha), look.px(3), 0, look.px(1.5F));
  }
  if (hovered && (ImGui::IsItemClicked(ImGuiMouseButton_Left) || ImGui::IsItemClicked(ImGuiMouseButton_Right))) {
    const bool menu = ImGui::IsItemClicked(ImGuiMouseButton_Right);
    const bool more = ImGui::GetIO().KeyCtrl;
    if (!menu || !session.selection().has(rowOf(over).id)) select(session, rowOf(over), more);
    const bool loop = rowOf(over).kind == NestRow::Kind::kLoop;
    if (!ghost_ && menu) wanted_ = rowOf(over).id;
    if (!ghost_ && !menu && !more && onStage) {
      pressStage(stage.row);
    } else if (!ghost_ && loop && !menu && !more) {
      gestures_.pressLoop(rowOf(over).id);
    }
    if (!ghost_ && loop && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) bound_ = rowOf(over).id;
  }
  if (hovered && !gestures_.dragging() && rowOf(over).kind == NestRow::Kind::kLoop) under_ = rowOf(over).id;
  if (hovered && !gestures_.dragging() && ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) {
    // Left of the panel where there is room: over the bars it would hide those that are outlined.
    const float beside = ImGui::GetWindowPos().x - look.px(10);
    if (beside - ImGui::GetMainViewport()->WorkPos.x > look.px(420))
      ImGui::SetNextWindowPos({beside, top}, ImGuiCond_Always, {1, 0});
    ImGui::BeginTooltip();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {look.px(8), look.px(3)});
    if (onStage) {
      ImGui::TextUnformatted(look.say(words::kStageHandle));
    } else {
      drawLoopTooltip(look, rowOf(over));
    }
    ImGui::PopStyleVar();
    ImGui::EndTooltip();
  }
  drawHandle(look, session, bar, {right, top}, line, alpha);
}

// The mouse went down on the word of a row's stage.
void LoopNestPanel::pressStage(int row) {
  auto body = session::stagedBodyOf(session::nestOf(*shown_), row);
  if (!body) return;
  const auto at = std::ranges::find(body->statements, row, &session::StagedBody::Statement::row);
  if (at == body->statements.end()) return;
  const auto statement = std::size_t(at - body->statements.begin());
  gestures_.pressStage(std::move(*body), statement);
}

// 2: made by the step that made the loop under the mouse; 1: related to it; 0: not.
int LoopNestPanel::kinshipOf(int row) const {
  const int under = lit_ ? session::nestOf(*shown_).find(lit_) : -1;
  if (under < 0 || rowOf(under).kind != NestRow::Kind::kLoop) return 0;
  for (const NestRow::RelatedLoops& kin : rowOf(under).kin)
    if (kin.row == row) return kin.sibling ? 2 : 1;
  return 0;
}

// Where Playback stands: how far each loop has come, and the blocks that run.
void LoopNestPanel::drawMoment(const Look& look, const model::TimelinePosition& moment, const NestBar& bar, ImVec2 foot,
                               float right) const {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float high = look.px(3);
  for (int i = bar.line.first; i <= bar.line.last; ++i) {
    const NestRow& row = rowOf(i);
    if (row.kind != NestRow::Kind::kLoop) {
      if (row.kind == NestRow::Kind::kBlock && moment.isRunning(row.id))
        draw->AddRectFilled({foot.x, foot.y - high}, {right, foot.y}, look.paint(Tone::kSelected));
      continue;
    }
    const model::TimelinePosition::Loop* loop = moment.find(row.id);
    if (loop == nullptr || loop->extent <= 0) continue;
    // Loops that share a bar share its foot, one piece each.
    const float all = (right - foot.x) / float(bar.line.last - bar.line.first + 1);
    const float from = foot.x + float(i - bar.line.first) * all;
    const float each = all / float(loop->extent), at = from + float(loop->value) * each;
    draw->AddRectFilled({from, foot.y - look.px(1)}, {from + all, foot.y}, look.paint(Tone::kSelected, 0.4F));
    draw->AddRectFilled({at, foot.y - high}, {std::max(at + each, at + look.px(2)), foot.y},
                        look.paint(Tone::kSelected, loop->runs ? 0.6F : 1.0F));
  }
}

// Of the loops in a bar the one that its handle splits: the selected one, else the innermost. −1: none can be.
int LoopNestPanel::splitOf(const session::Session& session, const NestBar& bar) const {
  int found = -1;
  for (int i = bar.line.last; i >= bar.line.first; --i) {
    if (rowOf(i).kind != NestRow::Kind::kLoop || rowOf(i).extent <= 1) continue;
    if (session.selection().has(rowOf(i).id)) return i;
    if (found < 0) found = i;
  }
  return found;
}

// At the bar's end: what splits the loop.
void LoopNestPanel::drawHandle(const Look& look, const session::Session& session, const NestBar& bar, ImVec2 at,
                               float height, float alpha) {
  const int split = splitOf(session, bar);
  if (split < 0 || ghost_) return;
  const NestRow& row = rowOf(split);
  ImGui::SetCursorScreenPos({at.x + look.px(1), at.y});
  ImGui::InvisibleButton((bar.item + "split").c_str(), {look.px(kNestMargin - 2), height});
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) gestures_.pressHandle(row.id);
  const bool one = bar.line.first == bar.line.last;
  if (!gestures_.dragging()) setItemTip(look, one ? look.say(words::kHandle) : say(look, words::kHandleOf, row.name));
  const ImU32 colour = look.paint(hovered ? Tone::kSelected : Tone::kTextFaint, alpha);
  const float middle = at.y + height / 2, half = look.px(5);
  for (float x : {at.x + look.px(4), at.x + look.px(7)}) {
    ImGui::GetWindowDrawList()->AddLine({x, middle - half}, {x, middle + half}, colour, std::max(1.0F, look.px(1)));
  }
}

void LoopNestPanel::select(session::Session& session, const NestRow& row, bool more) {
  std::vector<ir::Id> ids = more ? session.selection().ids() : std::vector<ir::Id>{};
  if (auto at = std::find(ids.begin(), ids.end(), row.id); at != ids.end()) {
    ids.erase(at);
  } else {
    ids.push_back(row.id);
  }
  session.selection().select(std::move(ids));
}

// Of all loops that are selected where the one asked for is one of them.
void LoopNestPanel::openMenu(PanelContext& context, ir::Id id) {
  const session::Session& session = *context.session;
  std::vector<ir::Id> ids{id};
  if (session.selection().has(id) && session.selection().ids().size() > 1) ids = session.selection().ids();
  std::erase_if(ids, [&](ir::Id one) { return session::nestOf(*shown_).find(one) < 0; });
  std::vector<tune::MenuEntry> stages;
  if (ids.size() <= 1) stages = stageMenu(context.look, session::nestOf(*shown_), id);
  menu_.open(context, ids.empty() ? std::vector<ir::Id>{id} : ids, std::move(stages));
}

// Up and down go from line to line, as in a list; Escape ends a preview, then selects nothing.
void LoopNestPanel::takeKeys(session::Session& session) {
  if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) || bars_.bars().empty()) return;
  const int step = ImGui::Shortcut(ImGuiKey_DownArrow, ImGuiInputFlags_Repeat) ? 1
                   : ImGui::Shortcut(ImGuiKey_UpArrow, ImGuiInputFlags_Repeat) ? -1
                                                                               : 0;
  if (ImGui::Shortcut(ImGuiKey_Menu) && !session.selection().ids().empty() &&
      session::nestOf(*shown_).find(session.selection().ids().front()) >= 0) {
    wanted_ = session.selection().ids().front();
  }
  if (session.preview().step() != nullptr) {
    if (!gestures_.dragging() && ImGui::Shortcut(ImGuiKey_Escape)) session.preview().end();
  } else if (!session.selection().ids().empty() && ImGui::Shortcut(ImGuiKey_Escape)) {
    session.selection().select({});
  }
  if (step == 0) return;
  int at = -1;
  for (int i = 0; i < int(bars_.bars().size()); ++i) {
    const NestBar& bar = bars_.bars()[std::size_t(i)];
    for (int row = bar.line.first; row <= bar.line.last; ++row) {
      if (at < 0 && rowOf(row).kind != NestRow::Kind::kInit && session.selection().has(rowOf(row).id)) at = i;
    }
  }
  int next = at < 0 ? (step > 0 ? 0 : int(bars_.bars().size()) - 1) : at + step;
  while (next >= 0 && next < int(bars_.bars().size()) &&
         rowOf(bars_.bars()[std::size_t(next)].line.first).kind == NestRow::Kind::kInit)
    next += step;
  if (next >= 0 && next < int(bars_.bars().size())) {
    session.selection().select({rowOf(bars_.bars()[std::size_t(next)].line.first).id});
  }
}

}  // namespace loom::panels
