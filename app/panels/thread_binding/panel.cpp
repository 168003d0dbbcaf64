#include "app/panels/thread_binding/panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/panels/thread_binding/words.h"
#include "app/session/session.h"
#include "app/text/panels.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/number_field.h"
#include "app/ui/short_step.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"
#include "app/ui/tone_heading.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/lesson_highlight.h"
#include "app/widgets/no_kernel.h"
#include "app/widgets/preview_strip.h"

namespace loom::panels {

namespace words = text::binding;
using session::BindingChoice;
using session::BoundStatement;
using window::Tone;

namespace {

constexpr float kLow = 420, kWide = 640;  // design px

std::string nameOf(const PanelContext& context, const session::ThreadBinding& binding, int number) {
  const auto& all = binding.accesses().accesses;
  const model::Access& access = all[std::size_t(number)];
  const std::string name =
      say(context.look, access.write ? words::kWrites : words::kReads, access.blockName, access.buffer->name);
  // A reduction's start value is written by the same block, where the loop begins.
  if (access.write && !access.guards.empty()) return name + " · " + context.look.say(words::kUnderCondition);
  // A pipeline's copies before its loop do the same as those in it.
  const auto alike = std::ranges::count_if(all, [&](const model::Access& other) {
    return other.blockName == access.blockName && other.buffer == access.buffer && other.write == access.write;
  });
  return alike > 1 ? name + " · " + say(context.look, words::kTimesRun, std::int64_t(binding.runsOf(number))) : name;
}

}  // namespace

void ThreadBindingPanel::draw(PanelContext& context) {
  if (!context.hasProgram()) {
    drawNoProgram(context);
    return;
  }
  if (!follow(context)) {
    drawPreviewLine(context);
    return;
  }
  followSelection(context);
  followTwin(context);
  takePointer(context);
  followMoment(context);
  parts_.waves.follow(context, shown_->binding, isCurrent());
  // Where the panel is low, the choice scrolls with the pictures: it would leave them no room.
  const bool low = ImGui::GetContentRegionAvail().y < context.look.px(kLow);
  const float strip = previewLineHeight(context);
  const ImVec2 size{0, strip > 0 ? -strip - ImGui::GetStyle().ItemSpacing.y : 0};
  if (low) ImGui::BeginChild("pictures", size);
  // What is shown of another state can't be chosen from; it looks as it did, for it is soon gone.
  ImGui::PushStyleVar(ImGuiStyleVar_DisabledAlpha, 1);
  ImGui::BeginDisabled(!isCurrent());
  drawChoice(context);
  ImGui::EndDisabled();
  ImGui::PopStyleVar();
  ImGui::Separator();
  if (!low) ImGui::BeginChild("pictures", size);
  if (scrollTo_) ImGui::SetScrollY(*std::exchange(scrollTo_, std::nullopt));
  scroll_ = std::round(ImGui::GetScrollY());
  PictureClicks use = drawStatementPictures(context, *shown_, choice_, isCurrent(), parts_);
  ImGui::EndChild();
  if (use.countedBy) {
    countedBy_ = *use.countedBy;
    choose(context, choice_, shown_->element);
  } else if (use.swizzle) {
    context.session->edits().apply(std::string(shown_->view.swizzled->step));
  } else if (use.pad) {
    context.session->edits().apply(std::string(shown_->view.padded->padding.step));
  } else if (use.wanted) {
    choose(context, std::move(*use.wanted), use.element);
  }
  drawPreviewLine(context);
}

// The statement that is looked for in the next state.
void ThreadBindingPanel::remember(const model::Access& access) {
  statement_ = {access.blockName, access.buffer->name, access.write};
}

void ThreadBindingPanel::shareOptions(Panel& other) {
  auto& twin = dynamic_cast<ThreadBindingPanel&>(other);
  twins_ = twin.twins_ = sharedStatement_.settle(statement_, twin.statement_);
  // The same picture stands in both halves, as far as what is above it is as high.
  scrollTo_ = twin.scrollTo_ = sharedScroll_.settle(scroll_, twin.scroll_);
}

// The same statement as beside, where this state has it.
void ThreadBindingPanel::followTwin(PanelContext& context) {
  const std::optional<Statement> wanted = std::exchange(twins_, std::nullopt);
  if (!wanted || *wanted == statement_ || wanted->block.empty() || !isCurrent()) return;
  BindingChoice choice = choice_;
  choice.access = shown_->binding->find(wanted->block, wanted->buffer, wanted->write);
  // Else another that does the same with the buffer: an intrinsic has taken its place, say.
  if (choice.access < 0) choice.access = shown_->binding->find("", wanted->buffer, wanted->write);
  if (choice.access < 0) return;
  choice.loops.clear();
  statement_ = *wanted;
  choose(context, std::move(choice));
}

// A statement that the lesson points at is chosen.
void ThreadBindingPanel::takePointer(PanelContext& context) {
  const auto* place = context.spotlight ? context.spotlight->in("threads") : nullptr;
  if (place == nullptr || !context.spotlight->opened("threads") || !isCurrent()) return;
  const auto& all = shown_->binding->accesses().accesses;
  const model::Access& now = all[std::size_t(choice_.access)];
  BindingChoice wanted = choice_;
  if (place->buffer.empty()) {
    wanted.access = accessWith(context, place->part);
  } else if (now.buffer->name != place->buffer || now.write != place->write) {
    wanted.access = shown_->binding->find("", place->buffer, place->write);
  }
  if (wanted.access < 0 || wanted.access == choice_.access) return;
  wanted.loops.clear();
  remember(all[std::size_t(wanted.access)]);
  choose(context, std::move(wanted));
}

// A statement that another panel has selected is chosen, by the first thing that it does: an arrow of Memory hierarchy,
// a line of the code.
void ThreadBindingPanel::followSelection(PanelContext& context) {
  const auto& selected = context.session->selection().ids();
  if (!isCurrent() || selected == selected_) return;
  selected_ = selected;
  const auto& all = shown_->binding->accesses().accesses;
  auto isSelected = [&](const model::Access& a) { return context.session->selection().has(a.block); };
  if (isSelected(all[std::size_t(choice_.access)])) return;
  const auto found = std::find_if(all.begin(), all.end(), isSelected);
  if (found == all.end()) return;
  BindingChoice wanted = choice_;
  wanted.access = int(found - all.begin());
  wanted.loops.clear();
  remember(*found);
  choose(context, std::move(wanted));
}

// The access to show where a part of the panel is pointed at: the chosen one, unless it has no such picture and another
// has.
int ThreadBindingPanel::accessWith(const PanelContext& context, std::string_view part) const {
  const device::Kernel& kernel = *shown_->binding->accesses().kernel;
  auto has = [&](const model::Access& a) {
    const bool shared = model::isShared(a.memory), global = a.memory == device::Memory::Global;
    return part == "banks"      ? shared
           : part == "sectors"  ? global
           : part == "fragment" ? model::fragmentKindOf(kernel, a).has_value()
                                : true;
  };
  const auto& all = shown_->binding->accesses().accesses;
  if (has(all[std::size_t(choice_.access)])) return choice_.access;
  if (const auto model = context.session->preview().shownModel(); model && part == "banks") {
    for (const model::Advice& advice : model->advice)  // the one with conflicts, if any
      if (advice.code == "bank_conflicts" && accessOf(advice) >= 0) return accessOf(advice);
  }
  const auto found = std::find_if(all.begin(), all.end(), has);
  return found == all.end() ? choice_.access : int(found - all.begin());
}

bool ThreadBindingPanel::follow(PanelContext& context) {
  session::Session& session = *context.session;
  const auto program = session.preview().shownProgram(shown_ ? asked_ : nullptr);
  const auto against = session.comparison().node() >= 0 ? session.programs().of(session.comparison().node()) : nullptr;
  const bool kernel = program && session::hasThreads(*program);
  if (program && (program != asked_ || against != against_)) {
    asked_ = program;
    against_ = against;
    if (kernel) {
      next_.ask(
          [program, against, wanted = choice_, statement = statement_, countedBy = countedBy_] {
            BoundStatement made;
            made.from = program;
            made.binding = session::bindingOf(program);
            // The same statement as before, where the state still has it.
            BindingChoice choice = wanted;
            const int same = made.binding->find(statement.block, statement.buffer, statement.write);
            choice.access = same >= 0 && !statement.block.empty() ? same : made.binding->firstAccess();
            made.choice = made.binding->takingPart(made.binding->clamped(std::move(choice)));
            made.against = against;
            made.countedBy = countedBy;
            made.work();
            return made;
          },
          session.options().wake);
    }
  }
  if (auto made = next_.take()) {
    shown_ = std::move(*made);
    choice_ = shown_->choice;
    const auto& all = shown_->binding->accesses().accesses;
    if (!all.empty()) remember(all[std::size_t(choice_.access)]);
  }
  if (program && !kernel) {
    shown_.reset();
    const std::string why = program->kernel.problem ? context.look.tell(program->kernel.problem->message) : "";
    drawNoKernel(context, say(context.look, words::kNoKernel, why), words::kHelp);
    return false;
  }
  if (!shown_) {
    drawEmpty(context, text::panels::kDeriving);
    return false;
  }
  if (shown_->binding->accesses().accesses.empty()) {
    drawEmpty(context, words::kNoAccess);
    return false;
  }
  return true;
}

// The statement and the values of loops that Playback stands on; what one chooses here holds until it goes on.
void ThreadBindingPanel::followMoment(PanelContext& context) {
  const model::TimelinePosition* moment = context.session->selection().position();
  if (moment == nullptr) followed_.reset();
  if (moment == nullptr || moment->touches.empty() || !isCurrent()) return;
  BindingChoice wanted = shown_->binding->ledTo(*moment, choice_);
  if (followed_ && followed_->access == wanted.access && followed_->loops == wanted.loops) return;
  followed_ = wanted;
  if (wanted.access != choice_.access || wanted.loops != choice_.loops) choose(context, std::move(wanted));
}

void ThreadBindingPanel::choose(PanelContext& context, BindingChoice choice,
                                std::optional<BoundStatement::Element> element) {
  if (!isCurrent()) return;  // another state is under way
  choice_ = shown_->binding->clamped(std::move(choice));
  // Of another statement the chosen warp may do nothing.
  if (choice_.access != shown_->choice.access) choice_ = shown_->binding->takingPart(choice_);
  // Whoever else is looked at, the element that was asked about stays.
  if (!element && choice_.access == shown_->choice.access) element = shown_->element;
  taken_ = {choice_.block, choice_.thread};
  context.session->selection().chooseThread(taken_);
  BoundStatement next;
  next.from = shown_->from;
  next.binding = shown_->binding;
  next.choice = choice_;
  next.element = element;
  next.countedBy = countedBy_;
  next.against = shown_->against;
  next.againstBinding = shown_->againstBinding;
  next_.ask(
      [next = std::move(next)]() mutable {
        next.work();
        return std::move(next);
      },
      context.session->options().wake);
}

// Which access an advice on lanes is about; −1: none of these, or it is about something else.
int ThreadBindingPanel::accessOf(const model::Advice& advice) const {
  const auto& all = shown_->binding->accesses().accesses;
  if (advice.code == "idle_lanes") {
    const auto of = std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.blockName == advice.subject; });
    return of == all.end() ? -1 : int(of - all.begin());
  }
  if (advice.code != "bank_conflicts" && advice.code != "scattered_access") return -1;
  // The model may speak of another kernel, whose accesses have other buffers.
  const auto at = std::size_t(advice.access);
  return advice.access >= 0 && at < all.size() && all[at].buffer->name == advice.subject ? advice.access : -1;
}

// Names the statement whose lanes cost the most, unless it is the chosen one. Gives it when it is clicked; −1: not. Of
// what is no kernel yet nothing costs: that is said instead.
int ThreadBindingPanel::drawWorst(PanelContext& context) {
  const window::Look& look = context.look;
  if (const auto& problem = shown_->from->kernel.problem) {
    ImGui::SameLine(0, look.px(12));
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(look.paint(Tone::kTextSecond)), "%s",
                       ellipsized(look.say(words::kDraft), ImGui::GetContentRegionAvail().x).c_str());
    setItemTip(look, say(look, words::kDraftHelp, look.tell(problem->message)));
    return -1;
  }
  const auto model = isCurrent() ? context.session->preview().shownModel() : nullptr;
  if (!model || !context.session->preview().shownIsFinal()) return -1;
  const auto& all = shown_->binding->accesses().accesses;
  for (const model::Advice& advice : model->advice) {
    const int access = accessOf(advice);
    if (access < 0) continue;
    const bool idle = advice.code == "idle_lanes";
    const auto& chosen = all[std::size_t(choice_.access)];
    if (access == choice_.access || (idle && chosen.blockName == advice.subject)) return -1;
    auto number = [&](const char* key) { return fmt::format("{:.3g}", advice.numbers.at(key)); };
    const std::string text =
        idle ? say(look, words::kIdleElsewhere, advice.subject, number("lanes"))
        : advice.code == "bank_conflicts"
            ? say(look, words::kConflictsElsewhere, advice.subject, number("ways"))
            : say(look, words::kScatteredElsewhere, advice.subject, number("sectors"), number("needed"));
    // In the row that is there without it, too.
    ImGui::SameLine(0, look.px(12));
    const float room = ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().FramePadding.x - 2;
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kWarning));
    const bool clicked = window::smallButton(window::windowName(ellipsized(text, room).c_str(), "worst").c_str());
    ImGui::PopStyleColor();
    setItemTip(look, text + "\n" + look.say(words::kElsewhereHelp));
    return clicked ? access : -1;
  }
  return -1;
}

void ThreadBindingPanel::drawChoice(PanelContext& context) {
  const window::Look& look = context.look;
  const session::ThreadBinding& binding = *shown_->binding;
  const auto& all = binding.accesses().accesses;
  BindingChoice wanted = choice_;
  bool changed = false;
  // Another panel has chosen someone else.
  if (const auto& chosen = context.session->selection().thread(); chosen != taken_ && isCurrent()) {
    taken_ = chosen;
    wanted.block = chosen.block;
    wanted.thread = chosen.thread;
    changed = wanted.block != choice_.block || wanted.thread != choice_.thread;
  }

  // As many rows whatever the state: what is below keeps its place.
  const bool wide = ImGui::GetContentRegionAvail().x >= look.px(kWide);
  const float width = wide ? look.px(340) : ImGui::GetContentRegionAvail().x;
  const std::string name = nameOf(context, binding, choice_.access);
  const std::string shown = ellipsized(name, width - ImGui::GetFrameHeight() - 2 * ImGui::GetStyle().FramePadding.x);
  ImGui::SetNextItemWidth(width);
  const bool open = ImGui::BeginCombo("##statement", shown.c_str());
  if (!open && shown != name) setItemTip(look, name);
  if (open) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      ImGui::PushID(int(i));
      drawToneLetter(context.look, toneOf(all[i].memory));
      if (ImGui::Selectable(nameOf(context, binding, int(i)).c_str(), int(i) == choice_.access)) {
        wanted.access = int(i);
        wanted.loops.clear();
        changed = true;
        context.session->selection().select({all[i].block});
      }
      ImGui::PopID();
    }
    ImGui::EndCombo();
  }
  auto drawLoopsAndWorst = [&] {
    changed |= drawLoops(context, wanted);
    const int worst = drawWorst(context);
    if (worst < 0) return;
    wanted.access = worst;
    wanted.loops.clear();
    changed = true;
  };
  if (wide) {
    ImGui::SameLine(0, look.px(12));
    drawLoopsAndWorst();
  }
  changed |=
      drawNumber(context.look, "##block", look.say(words::kBlock), wanted.block, 0, binding.kernel().blocks(), 68);
  std::int64_t warp = wanted.thread / layout::kLanes, lane = wanted.thread % layout::kLanes;
  auto number = [&](const char* id, const char* label, std::int64_t& value, std::int64_t count) {
    constexpr float kWidth = 60;
    flowOn(context.look, ImGui::CalcTextSize(label).x + look.px(4 + kWidth));
    return drawNumber(context.look, id, label, value, 0, count, kWidth);
  };
  bool moved = number("##warp", look.say(words::kWarp), warp, binding.warpCount());
  moved |= number("##lane", look.say(words::kLane), lane, layout::kLanes);
  if (moved) {
    wanted.thread = warp * layout::kLanes + lane;
    changed = true;
  }
  if (!wide) drawLoopsAndWorst();
  if (changed) choose(context, std::move(wanted));
}

// The loops around the statement: "all", or the values that are chosen of some; a row a loop when it is open.
bool ThreadBindingPanel::drawLoops(PanelContext& context, BindingChoice& wanted) const {
  const window::Look& look = context.look;
  const model::KernelAccesses& accesses = shown_->binding->accesses();
  std::vector<int> loops;
  std::string chosen;
  for (int loop : accesses.accesses[std::size_t(choice_.access)].loops) {
    const model::LoopInfo& info = accesses.loops[std::size_t(loop)];
    if (info.extent <= 1) continue;
    loops.push_back(loop);
    if (auto fixed = wanted.loops.find(loop); fixed != wanted.loops.end())
      chosen += fmt::format("{}{} = {}", chosen.empty() ? "" : ", ", info.var->name, fixed->second);
  }
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(look.say(words::kLoops));
  ImGui::SameLine(0, look.px(4));
  const float width = look.px(110), room = width - ImGui::GetFrameHeight() - 2 * ImGui::GetStyle().FramePadding.x;
  const std::string shown = loops.empty() ? "–" : chosen.empty() ? look.say(words::kAll) : chosen;
  ImGui::SetNextItemWidth(width);
  ImGui::BeginDisabled(loops.empty());
  const bool open = ImGui::BeginCombo("##loops", ellipsized(shown, room).c_str(), ImGuiComboFlags_HeightLargest);
  ImGui::EndDisabled();
  if (!open) {
    setItemTip(look, shown + "\n" + look.say(words::kLoopsHint));
    return false;
  }
  bool changed = false;
  for (int loop : loops) {
    const model::LoopInfo& info = accesses.loops[std::size_t(loop)];
    auto fixed = wanted.loops.find(loop);
    std::int64_t value = fixed == wanted.loops.end() ? -1 : fixed->second;
    ImGui::PushID(loop);
    if (drawNumber(context.look, "##loop", info.var->name.c_str(), value, -1, info.extent, 70)) {
      if (value < 0) {
        wanted.loops.erase(loop);
      } else {
        wanted.loops[loop] = value;
      }
      changed = true;
    }
    setItemTip(look, look.say(words::kLoopHint));
    ImGui::PopID();
  }
  ImGui::EndCombo();
  return changed;
}

}  // namespace loom::panels
