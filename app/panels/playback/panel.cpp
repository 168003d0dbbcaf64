#include "app/panels/playback/panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "app/panels/memory/view/memory.h"
#include "app/panels/memory/words.h"
#include "app/panels/playback/bars.h"
#include "app/panels/playback/labels.h"
#include "app/panels/playback/pipeline_rows.h"
#include "app/panels/playback/role_rows.h"
#include "app/panels/playback/words.h"
#include "app/ui/axis_chip.h"
#include "app/ui/look.h"
#include "app/ui/quantity_text.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/widgets/advice_list.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/kernel_note.h"
#include "app/widgets/no_kernel.h"
#include "app/widgets/pipe_text.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::playback;
using model::TimelineAction;
using model::TimelineItem;
using model::Track;
using playback::clocksText;
using session::PlaybackBar;
using session::PlaybackWindow;
using window::Look;
using window::Tone;

namespace {

constexpr double kSecondsAStep = 3;  // at the speed 1
constexpr float kLow = 176;          // design px: with less, the words that rows say too and the axis are left out
constexpr double kSecondsAJump = 0.7;
constexpr double kSpeeds[] = {0.25, 1, 4, 16};
constexpr const char* kSpeedNames[] = {"¼×", "1×", "4×", "16×"};

// What tiles depend on.
std::string keyOf(const model::TimelinePosition& m) {
  std::string key;
  for (const auto& t : m.touches) key += fmt::format("{}.{} {} {};", t.block.step, t.block.ordinal, t.buffer, t.write);
  for (const auto& l : m.loops)
    if (!l.runs) key += fmt::format("{}.{}={};", l.id.step, l.id.ordinal, l.value);
  return key;
}

// Where loops inside the phases aren't drawn pass by pass, how many passes one bar stands for.
std::string sumsText(const Look& look, const session::Playback& playback, const PlaybackWindow& w) {
  std::int64_t most = 1;
  for (const auto& phase : w.phases)
    for (const PlaybackBar& b : playback.bars(phase.item)) most = std::max(most, b.passes);
  return most > 1 ? " · " + say(look, words::kSumOf, numberText(most)) : "";
}

}  // namespace

void PlaybackPanel::draw(PanelContext& context) {
  if (!context.hasProgram()) {
    drawNoProgram(context);
    return;
  }
  if (!follow(context)) return;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {context.look.px(6), context.look.px(3)});
  low_ = ImGui::GetContentRegionAvail().y < context.look.px(kLow);
  drawControls(context);
  drawBudget(context);
  drawOtherBudget(context);
  if (const session::RoleLanes& lanes = session::roleLanesOf(*model_); !lanes.empty()) {
    drawRoleLife(context, lanes);
    drawRoles(context, lanes);
  } else {
    drawLife(context);
    drawTracks(context);
  }
  drawNow(context);
  ImGui::PopStyleVar();
  takeKeys(context);
  advance(context);
}

bool PlaybackPanel::follow(PanelContext& context) {
  session::Session& session = *context.session;
  const Look& look = context.look;
  const auto program = session.preview().shown();
  const auto model = program ? session.preview().shownModel(session::ModelBasis::kMachineCode) : nullptr;
  if (opened_ != session.opened()) {
    opened_ = session.opened();
    model_ = nullptr;
    playback_.reset();
  }
  // What is shown of another state looks as it did, for it is soon gone, and does nothing.
  stale_ = !model;
  if (model && (model != model_ || program != from_)) {
    const double share = playback_ && playback_->clocks() > 0 ? at_ / playback_->clocks() : 0;
    const bool shown = session.selection().position() != nullptr;
    model_ = model;
    from_ = program;
    playback_.reset();
    tiles_.reset();
    tilesOf_.clear();
    if (model->timeline() && *model->timeline() && model->accesses())
      playback_.emplace(std::shared_ptr<const model::Timeline>(model->timeline(), &**model->timeline()),
                        model->accesses());
    at_ = playback_ ? share * playback_->clocks() : 0;
    if (!playback_) playing_ = false;
    if (shown && playback_) moveTo(context, at_);
  }
  if (!model_) {
    drawEmpty(context, words::kWorking);
    return false;
  }
  if (!model_->timeline()) {
    drawNoKernel(context, say(look, words::kNoKernel, look.tell(session::memoryOf(*model_).problem)), words::kHelp);
    return false;
  }
  if (!*model_->timeline()) {
    const Message& why = session::memoryOf(*model_).deviceProblem;
    drawSecond(look, say(look, words::kNoTime, look.tell(why.empty() ? model_->timeline()->error().message : why)));
    return false;
  }
  if (!playback_ || playback_->clocks() <= 0) {  // times without accesses are nothing to play, either
    drawEmpty(context, words::kNothing);
    return false;
  }
  return true;
}

void PlaybackPanel::moveTo(PanelContext& context, double clocks) {
  if (stale_) return;
  at_ = std::clamp(clocks, 0.0, playback_->clocks());
  session::Session& session = *context.session;
  model::TimelinePosition moment = playback_->momentAt(session.navigation().current(), at_);
  if (const std::string key = keyOf(moment); key != tilesOf_) {
    tilesOf_ = key;
    next_.ask(
        [from = from_, which = model_->which, binding = tiles_ ? tiles_->binding : nullptr, moment]() mutable {
          const device::Program& program = *from->kernel.program;
          if (!binding || &binding->kernel() != &program.kernels[which])
            binding = std::make_shared<const session::ThreadBinding>(
                std::shared_ptr<const device::Program>(from, &program), int(which));
          return Tiles{from, binding, session::tilesAt(*binding, moment, 0)};
        },
        session.options().wake);
  }
  session.selection().setPosition(std::move(moment));
}

// The next time at which something begins, or the one before; of a step of the ring, or a k step.
double PlaybackPanel::neighbour(bool step, bool forward) const {
  const session::RoleLanes& lanes = session::roleLanesOf(*model_);
  if (lanes.empty()) return step ? playback_->step(at_, forward) : playback_->boundary(at_, forward);
  const std::vector<double> all = step ? lanes.steps() : lanes.boundaries();
  const double now = roleClocks(), slack = lanes.clocks * 1e-9, scale = playback_->clocks() / lanes.clocks;
  if (forward) {
    const auto next = std::ranges::upper_bound(all, now + slack);
    return (next == all.end() ? lanes.clocks : *next) * scale;
  }
  const auto next = std::ranges::lower_bound(all, now - slack);
  return (next == all.begin() ? 0 : *(next - 1)) * scale;
}

void PlaybackPanel::end(PanelContext& context) {
  playing_ = false;
  context.session->selection().endPosition();
}

void PlaybackPanel::drawControls(PanelContext& context) {
  const Look& look = context.look;
  const float full = ImGui::GetContentRegionAvail().x;
  auto button = [&](const char* name, const char* hint) {
    const bool pressed = ImGui::Button(name);
    setItemTip(context.look, hint);
    ImGui::SameLine();
    return pressed;
  };
  if (button("|<###stepback", look.say(words::kStepBack))) moveTo(context, neighbour(true, false));
  if (button("<###back", look.say(words::kBack))) moveTo(context, neighbour(false, false));
  const float width =
      std::max(ImGui::CalcTextSize(look.say(words::kPlay)).x, ImGui::CalcTextSize(look.say(words::kPause)).x) +
      2 * ImGui::GetStyle().FramePadding.x;
  const std::string play = std::string(look.say(playing_ ? words::kPause : words::kPlay)) + "###play";
  if (ImGui::Button(play.c_str(), {width, 0})) {
    playing_ = !playing_;
    if (playing_) moveTo(context, at_ >= playback_->clocks() ? 0 : at_);
  }
  setItemTip(look, look.say(words::kPlayHint));
  ImGui::SameLine();
  if (button(">###forward", look.say(words::kForward))) moveTo(context, neighbour(false, true));
  if (button(">|###stepforward", look.say(words::kStepForward))) moveTo(context, neighbour(true, true));
  ImGui::SetNextItemWidth(look.px(64));
  ImGui::Combo("###speed", &speed_, kSpeedNames, int(std::size(kSpeedNames)));
  setItemTip(look, look.say(words::kSpeed));
  if (const session::RoleLanes& lanes = session::roleLanesOf(*model_); low_ && !lanes.empty()) {
    ImGui::SameLine();
    drawRoleChoice(look, lanes, roleWidth(look, full));
  }
}

// The budget in words, beside the buttons where there is room for it.
void PlaybackPanel::drawBudget(const PanelContext& context) const {
  const Look& look = context.look;
  const model::Timeline& t = playback_->timeline();
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  const bool beside = right - ImGui::GetItemRectMax().x > look.px(370);
  if (!beside && low_) return;  // the rows come first, and say it too
  if (beside) {
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
  }
  // One line: what is below keeps its place from state to state.
  const session::RoleLanes& lanes = session::roleLanesOf(*model_);
  const std::string only = kernelOf(*model_);
  const float room = ImGui::GetContentRegionAvail().x;
  using playback::RolesDetail;
  const auto told = [&](int reasons, RolesDetail detail) {
    const std::string text =
        lanes.empty() ? playback::budgetText(look, t) : playback::rolesText(look, lanes, reasons, detail);
    return only.empty() ? text : named(look, only, text);
  };
  // Of what tensor cores are idle for, as much as there is room for; rather a reason for a good part of it than how
  // long products would take, which their row says, too.
  const auto fitting = [&](RolesDetail detail) {
    int reasons = lanes.empty() ? 0 : 3;
    while (reasons > 0 && ImGui::CalcTextSize(told(reasons, detail).c_str()).x > room) --reasons;
    return reasons;
  };
  constexpr double kGoodPart = 0.25;
  RolesDetail detail = RolesDetail::kAll;
  int reasons = fitting(detail);
  for (const RolesDetail less : {RolesDetail::kClock, RolesDetail::kNone}) {
    if (lanes.empty() || (reasons > 0 && less == RolesDetail::kNone)) break;
    if (playback::leftOut(lanes, reasons) < kGoodPart || fitting(less) <= reasons) continue;
    detail = less;
    reasons = fitting(less);
  }
  if (!lanes.empty() && reasons == 0) detail = RolesDetail::kNone;
  const std::string budget = told(reasons, detail);
  const std::string binding = bindingText(look, model_->advice);
  const std::string both = binding.empty() ? budget : budget + " · " + binding;
  // What binds is said where all of it finds room; the hover has it anyway.
  const bool fits = ImGui::CalcTextSize(both.c_str()).x <= room;
  ImGui::TextUnformatted(ellipsized(fits ? both : budget, room).c_str());
  if (ImGui::IsItemHovered()) {
    const std::string roles =
        playback::rolesText(look, lanes, session::kRoleDoes) + "\n" + playback::rolesNote(look, lanes);
    const std::string total = (lanes.empty() ? "" : roles) + playback::totalText(look, t, !lanes.empty());
    drawWrappedTip(look, (binding.empty() ? "" : binding + "\n") + (lanes.empty() ? budget + "\n" : "") + total);
  }
}

// The same budget of the state compared with.
void PlaybackPanel::drawOtherBudget(const PanelContext& context) const {
  session::Session& session = *context.session;
  if (context.beside || !comparesStates(session)) return;
  const auto model = session.models().of(session.comparison().node(), session::ModelBasis::kMachineCode);
  if (!model || !model->timeline() || !*model->timeline()) return;
  const model::Timeline& t = **model->timeline();
  drawComparedValue(context, playback::budgetText(context.look, t));
  setItemTip(context.look, playback::totalText(context.look, t, !session::roleLanesOf(*model).empty()));
}

void PlaybackPanel::drawLife(PanelContext& context) {
  const Look& look = context.look;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = std::max(look.px(40), ImGui::GetContentRegionAvail().x);
  const ImVec2 to{from.x + width, from.y + look.px(low_ ? 18 : 22)};
  ImGui::InvisibleButton("life", {width, to.y - from.y});
  const double under = std::clamp(double(ImGui::GetIO().MousePos.x - from.x) / width, 0.0, 1.0) * playback_->clocks();
  if (ImGui::IsItemActive()) {
    playing_ = false;
    moveTo(context, under);
  } else if (ImGui::IsItemHovered()) {
    const PlaybackWindow w = playback_->windowAt(under);
    std::string text = playback::pieceText(*playback_, under);
    text += fmt::format("\n{} / {}", clocksText(under), clocksText(playback_->clocks()));
    if (w.pass >= 0)
      text += "\n" + say(look, words::kPass, playback_->item(w.item).var->name, w.pass, w.pass + 1, w.passes);
    showTip(look, text);
  }
  playback::drawLifeStrip(look, *playback_, from, to);
  if (context.session->selection().position())
    playback::drawCursor(look, from.x + float(at_ / playback_->clocks()) * width, from.y, to.y);
}

void PlaybackPanel::drawTracks(PanelContext& context) {
  const Look& look = context.look;
  const model::Timeline& t = playback_->timeline();
  // Without a cursor, the first k step: it is what the panel is about. Of a block without steps, what takes longest.
  const model::TimelinePosition* moment = context.session->selection().position();
  double shown = at_;
  if (!moment) {
    double longest = 0;
    for (const auto& piece : playback_->pieces()) {
      const bool hasStep = piece.item <= t.step && t.step < playback_->item(piece.item).end;
      if (t.step >= 0 ? !hasStep : piece.clocks <= longest) continue;
      shown = piece.from, longest = piece.clocks;
    }
  }
  const PlaybackWindow w = playback_->windowAt(shown);
  if (w.clocks <= 0) return;
  const model::Budget budget = model::budgetOf(t, w.item);
  const float full = ImGui::GetContentRegionAvail().x;
  const bool wide = full > look.px(640);
  const int more = playback::pipelineRows(playback_->pipeline());
  const float title = look.px(wide ? 100 : 76), figures = wide ? look.px(214) : 0,
              row = std::clamp(
                  (ImGui::GetContentRegionAvail().y - look.px(low_ ? 26 : 62)) / float(model::kTracks + more),
                  look.px(low_       ? 12.0F
                          : more > 0 ? 13.0F
                                     : 19.0F),
                  look.px(34));
  drawSecond(look,
             (w.pass >= 0 ? say(look, words::kPass, playback_->item(w.item).var->name, w.pass, w.pass + 1, w.passes)
                          : std::string(look.say(words::kBefore))) +
                 " · " + say(look, words::kClocks, clocksIn(budget, budget.clocks)) + " · " +
                 look.say(t.asCompiled ? words::kCompiled : words::kWritten) + sumsText(look, *playback_, w) +
                 (t.resident > 1 ? " · " + say(look, words::kShared, t.resident) : ""));
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const ImVec2 from{origin.x + title, origin.y}, to{origin.x + full - figures, origin.y + row * model::kTracks};
  ImDrawList* list = ImGui::GetWindowDrawList();
  const model::TrackClocks added = session::addedClocks(budget);
  for (int i = 0; i < model::kTracks; ++i) {
    const auto l = lookOf(t, Track(i));
    const float y = origin.y + row * (float(i) + 0.5F) - look.px(7);
    ImGui::PushFont(look.fonts.code, window::kUnitSize);
    list->AddText({origin.x, y}, inkOf(look, l.tone), l.letter);
    ImGui::PopFont();
    ImGui::PushFont(nullptr, window::kUnitSize);
    list->AddText({origin.x + look.px(16), y}, look.paint(Tone::kText),
                  ellipsized(look.say(l.name), title - look.px(20)).c_str());
    if (wide) {
      const std::string text = busyText(look, budget, added, std::size_t(i));
      list->AddText({to.x + look.px(8), y}, look.paint(Tone::kTextSecond),
                    ellipsized(text, figures - look.px(8)).c_str());
    }
    ImGui::PopFont();
  }
  if (wide) {
    ImGui::SetCursorScreenPos({to.x, from.y});
    ImGui::Dummy({figures, to.y - from.y});
    drawWrappedTip(look, look.say(text::memory::kAddsHint));
  }
  ImGui::SetCursorScreenPos(from);
  ImGui::InvisibleButton("tracks", {std::max(1.0F, to.x - from.x), to.y - from.y});
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const double under = std::clamp(double((mouse.x - from.x) / (to.x - from.x)), 0.0, 1.0) * w.clocks;
  const PlaybackBar* over = nullptr;
  const model::TimelinePhase* overPhase = nullptr;
  const int track = int((mouse.y - from.y) / row);
  for (const auto& phase : w.phases) {
    for (const PlaybackBar& b : playback_->bars(phase.item)) {
      if (int(b.track) != track || under < phase.from + b.from || under >= phase.from + b.to) continue;
      over = &b;
      overPhase = &t.phases[std::size_t(playback_->item(phase.item).index)];
    }
  }
  if (ImGui::IsItemClicked() && over && over->action >= 0) {
    const TimelineAction& a = t.actions[std::size_t(over->action)];
    if (a.block && !stale_) context.session->selection().select({a.block});
  }
  const bool hovered = ImGui::IsItemHovered();
  if (ImGui::IsItemActive()) {
    playing_ = false;
    moveTo(context, std::min(w.from + under, w.from + w.clocks * (1 - 1e-9)));
  } else if (hovered && over) {
    playback::drawBarHint(look, t, *over, *overPhase);
  }
  const float bottom = to.y + float(more) * row;
  playback::drawBars(look, *playback_, w, from, to, bottom, row, moment ? at_ - w.from : -1,
                     context.session->selection().ids());
  if (more > 0) drawPipeline(context, w, {{from.x, to.y}, to.x, title, figures, row}, moment ? at_ - w.from : -1);
  if (moment) playback::drawCursor(look, from.x + float((at_ - w.from) / w.clocks) * (to.x - from.x), from.y, bottom);
  if (low_) return;
  ImGui::SetCursorScreenPos({origin.x, bottom});
  ImGui::Dummy({full, playback::drawAxis(look, w.clocks, from.x, to.x, bottom)});
}

// Copies on their way and the slots of rings; dragging moves the cursor, as in the rows above.
void PlaybackPanel::drawPipeline(PanelContext& context, const PlaybackWindow& w, const playback::PipelineRows& rows,
                                 double now) {
  const Look& look = context.look;
  const float width = std::max(1.0F, rows.right - rows.from.x);
  ImGui::SetCursorScreenPos(rows.from);
  ImGui::InvisibleButton("pipeline", {width, rows.row * float(playback::pipelineRows(playback_->pipeline()))});
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const double under = std::clamp(double((mouse.x - rows.from.x) / width), 0.0, 1.0) * w.clocks;
  std::vector<ir::Id> blocks;
  const std::string hint =
      playback::pipelineHint(look, *playback_, w, int((mouse.y - rows.from.y) / rows.row), under, blocks);
  if (ImGui::IsItemClicked() && !blocks.empty() && !stale_) context.session->selection().select(blocks);
  if (ImGui::IsItemActive()) {
    playing_ = false;
    moveTo(context, std::min(w.from + under, w.from + w.clocks * (1 - 1e-9)));
  } else {
    drawWrappedTip(look, hint);
  }
  playback::drawPipelineRows(look, *playback_, w, rows, now);
}

void PlaybackPanel::drawNow(const PanelContext& context) {
  const Look& look = context.look;
  const session::RoleLanes& lanes = session::roleLanesOf(*model_);
  if (auto made = next_.take(); made && made->from == from_) tiles_ = std::move(*made);
  const model::TimelinePosition* m = context.session->selection().position();
  if (!lanes.empty()) {
    if (m)
      drawSecond(look, say(look, words::kNow, playback::rolesNowText(look, lanes, roleClocks())));
    else if (!low_)
      playback::drawRoleKey(look, lanes);
    return;
  }
  if (!m) {
    constexpr int kWarp = 32;
    const bool several = model_->accesses()->kernel->threads() > kWarp;
    if (!low_) drawSecond(look, look.say(words::kScrubHint) + std::string(several ? look.say(words::kAllWarps) : ""));
    return;
  }
  std::span<const session::TouchedTile> tiles;
  if (tiles_) tiles = tiles_->tiles;
  std::string text = playback::momentText(look, playback_->timeline(), *m, tiles);
  if (const std::string slots = playback::slotsText(look, *playback_, at_); !slots.empty()) text += " · " + slots;
  drawSecond(look, say(look, words::kNow, text));
}

void PlaybackPanel::takeKeys(PanelContext& context) {
  if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows)) return;
  const session::RoleLanes& lanes = session::roleLanesOf(*model_);
  const double little =
      lanes.empty() ? playback_->windowAt(at_).clocks / 100 : part_.clocks / 100 / lanes.clocks * playback_->clocks();
  constexpr ImGuiInputFlags kRepeat = ImGuiInputFlags_Repeat;
  auto pressed = [](ImGuiKeyChord chord, ImGuiInputFlags flags = 0) { return ImGui::Shortcut(chord, flags); };
  if (pressed(ImGuiKey_RightArrow, kRepeat)) moveTo(context, at_ + little);
  if (pressed(ImGuiKey_LeftArrow, kRepeat)) moveTo(context, at_ - little);
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_RightArrow, kRepeat)) moveTo(context, neighbour(false, true));
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_LeftArrow, kRepeat)) moveTo(context, neighbour(false, false));
  if (pressed(ImGuiKey_PageDown, kRepeat)) moveTo(context, neighbour(true, true));
  if (pressed(ImGuiKey_PageUp, kRepeat)) moveTo(context, neighbour(true, false));
  if (pressed(ImGuiKey_Home)) moveTo(context, 0);
  if (pressed(ImGuiKey_End)) moveTo(context, playback_->clocks());
  if (!ImGui::IsAnyItemActive() && pressed(ImGuiKey_Space)) {
    playing_ = !playing_;
    if (playing_) moveTo(context, at_ >= playback_->clocks() ? 0 : at_);
  }
  if (context.session->selection().position() && pressed(ImGuiKey_Escape)) end(context);
}

// A k step takes the same time whatever its clocks; with reduced motion the cursor goes from action to action.
void PlaybackPanel::advance(PanelContext& context) {
  if (!playing_ || stale_) return;
  if (!context.session->selection().position()) {
    playing_ = false;
    return;
  }
  const double seconds = std::min(0.1, double(ImGui::GetIO().DeltaTime)) * kSpeeds[speed_];
  if (context.look.reducedMotion) {
    waited_ += seconds;
    if (waited_ >= kSecondsAJump) {
      waited_ = 0;
      moveTo(context, neighbour(false, true));
    }
  } else {
    const model::Timeline& t = playback_->timeline();
    const session::RoleLanes& lanes = session::roleLanesOf(*model_);
    const double pace = !lanes.empty() ? part_.clocks / lanes.clocks * t.clocks / (2 * kSecondsAStep)
                        : t.step >= 0  ? playback_->item(t.step).clocks / kSecondsAStep
                                       : t.clocks / (4 * kSecondsAStep);
    moveTo(context, at_ + seconds * pace);
  }
  if (at_ >= playback_->clocks()) playing_ = false;
  context.wake();
}

}  // namespace loom::panels
