#include "app/panels/step/panel.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <utility>

#include "app/notation/lower_case.h"
#include "app/panels/step/words.h"
#include "app/session/session.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/preview_strip.h"
#include "app/widgets/refusal.h"

namespace loom::panels {

namespace words = text::step;
using window::Tone;

namespace {

const text::Text& groupTitle(std::string_view group) {
  return group == "loops"       ? words::kGroupLoops
         : group == "bindings"  ? words::kGroupBindings
         : group == "memory"    ? words::kGroupMemory
         : group == "reduction" ? words::kGroupReduction
         : group == "blocks"    ? words::kGroupBlocks
                                : words::kGroupInspect;
}

// What changes the program comes before what only names things in it.
constexpr std::string_view kGroups[] = {"loops", "bindings", "memory", "reduction", "blocks", "inspect"};

std::string briefOf(const window::Look& look, const schedule::Instruction& row) {
  for (const words::Brief& brief : words::kBriefs) {
    if (brief.primitive == row.name) return look.say(brief.text);
  }
  // As the others, without the end of a sentence.
  std::string help = helpOf(look, row);
  for (const std::string_view stop : {".", "。"})
    if (help.ends_with(stop)) help.resize(help.size() - stop.size());
  return help;
}

}  // namespace

void StepPanel::draw(PanelContext& context) {
  fields_.beginFrame();
  if (!context.hasProgram()) {
    drawNoProgram(context);
    return;
  }
  follow(context);
  takeKeys();
  drawSecondary(context.look, context.look.say(words::kChoose));  // with a form, too: the list keeps its place
  drawPrimitives(context);
  if (escaped_ && fields_.isTouched()) {
    choose(*form().row);
  } else if (escaped_) {
    fields_.leave();
    filter_.clear();
    stale_ = true;
  }
  if (form().row == nullptr) return;
  ImGui::PushFont(context.look.fonts.code, window::kHeadingSize);
  ImGui::TextUnformatted(form().row->name.data());
  ImGui::PopFont();
  drawSecondary(context.look, helpOf(context.look, *form().row));
  ImGui::Spacing();
  if (fields_.draw(context)) {
    applyRefusal_.reset();
    stale_ = true;
  }
  drawOutcome(context);
}

// Enter applies and Escape leaves, wherever in the panel the keyboard is. A field that is being written in takes these
// keys for itself and tells of them (`StepFields`); an open list keeps them.
void StepPanel::takeKeys() {
  constexpr ImGuiPopupFlags kAny = ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel;
  entered_ = escaped_ = false;
  if (ImGui::IsPopupOpen("", kAny)) return;
  entered_ = ImGui::Shortcut(ImGuiKey_Enter) || ImGui::Shortcut(ImGuiKey_KeypadEnter);
  escaped_ = ImGui::Shortcut(ImGuiKey_Escape);
}

// A complete form shows what it would give, in all panels.
void StepPanel::follow(PanelContext& context) {
  session::Session& session = *context.session;
  if (context.formProposal != nullptr && context.formProposal->row != nullptr) {
    const tune::StepForm proposed = std::exchange(*context.formProposal, {});
    choose(*proposed.row);
    fields_.adopt(proposed);
  }
  if (session.opened() != opened_ || session.navigation().current() != node_) {
    opened_ = session.opened();
    node_ = session.navigation().current();
    fields_.moveTo(session.navigation().node().state);
    stale_ = true;
  }
  if (!stale_) return;
  stale_ = false;
  const std::string before = std::exchange(lines_, "");
  refusal_.reset();
  changes_.reset();
  if (form().row != nullptr && form().missing() < 0) complete(session);
  const bool edited = fields_.takeEdited();  // by the user: what was applied is not previewed once more
  if (edited && !lines_.empty()) {
    session.preview().show(lines_);
  } else if (session.preview().step() != nullptr && session.preview().step()->lines == before) {
    session.preview().end();
  }
}

// Whether it's legal is known at once: a try costs microseconds.
void StepPanel::complete(const session::Session& session) {
  auto lines = tune::stepLines(session.navigation().history(), node_, form());
  if (!lines) {
    refusal_ = lines.error();
    return;
  }
  lines_ = *lines;
  auto next = tune::previewLines(session.navigation().history(), node_, lines_, session.documents().environment());
  if (next) {
    changes_ = schedule::changes(session.navigation().node().state, *next);
  } else {
    refusal_ = next.error();
  }
}

void StepPanel::drawPrimitives(PanelContext& context) {
  const window::Look& look = context.look;
  ImGui::SetNextItemWidth(-1);
  const bool entered =
      ImGui::InputTextWithHint("###filter", look.say(words::kFilter), &filter_, ImGuiInputTextFlags_EnterReturnsTrue);
  escaped_ |= ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGuiKey_Escape, false);
  first_ = nullptr;
  const bool scrolls = std::exchange(scrolls_, false);  // to what was chosen in the frame before
  const float share = form().row == nullptr ? 1.0F : 0.3F;
  if (ImGui::BeginChild("###primitives", {0, ImGui::GetContentRegionAvail().y * share}, ImGuiChildFlags_Borders)) {
    bool any = false;
    const std::string filter = notation::lowerCase(filter_);
    for (const std::string_view group : kGroups) {
      bool titled = false;
      for (const schedule::Instruction& row : schedule::instructions()) {
        const char* help = helpOf(look, row);
        const bool wanted = row.name.find(filter) != std::string_view::npos ||
                            notation::lowerCase(help).find(filter) != std::string_view::npos;
        if (row.group != group || !wanted) {
          continue;
        }
        any = true;
        if (first_ == nullptr) first_ = &row;
        if (!titled) {
          titled = true;
          drawSecondary(look, look.say(groupTitle(group)), Tone::kTextFaint);
        }
        ImGui::PushFont(look.fonts.code, window::kSecondarySize);
        if (ImGui::Selectable(fmt::format("{}###{}", row.name, row.name).c_str(), form().row == &row)) {
          begin(*context.session, row);
        }
        ImGui::PopFont();
        if (form().row == &row && scrolls && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.5F);
        setItemTip(look, help);
        // Beside the name; in a narrow panel below it.
        const bool beside = ImGui::GetContentRegionAvail().x > look.px(142 + 130);
        if (beside) {
          ImGui::SameLine(look.px(142));
        } else {
          ImGui::SetCursorPosX(ImGui::GetCursorPosX() + look.px(10));
        }
        ImGui::PushFont(nullptr, beside ? window::kSecondarySize : window::kUnitSize);
        ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
        ImGui::TextUnformatted(ellipsized(briefOf(look, row), ImGui::GetContentRegionAvail().x).c_str());
        ImGui::PopStyleColor();
        ImGui::PopFont();
      }
    }
    if (!any) {
      drawSecondary(look, look.say(words::kNoMatch));
    }
  }
  ImGui::EndChild();
  if (entered && first_ != nullptr) begin(*context.session, *first_);
}

void StepPanel::choose(const schedule::Instruction& row) {
  fields_.choose(row);
  applyRefusal_.reset();
  stale_ = scrolls_ = true;
}

// With what is selected already chosen.
void StepPanel::begin(const session::Session& session, const schedule::Instruction& row) {
  choose(row);
  fields_.take(session.navigation().node().state, session.selection().ids());
}

void StepPanel::drawOutcome(PanelContext& context) {
  const window::Look& look = context.look;
  ImGui::Separator();
  if (const int missing = form().missing(); missing >= 0) {
    const std::string_view name = form().row->parameters[static_cast<std::size_t>(missing)].name;
    drawSecondary(look, fmt::format(fmt::runtime(look.say(words::kMissing)), name).c_str());
  }
  if (!lines_.empty()) {
    ImGui::PushFont(look.fonts.code, window::kSecondarySize);
    drawWrapped(lines_);
    ImGui::PopFont();
  }
  const bool can = !lines_.empty() && !refusal_;
  ImGui::BeginDisabled(!can);
  const bool pressed = ImGui::Button(fmt::format("{}  ↵###apply", look.say(words::kApply)).c_str(), {look.px(120), 0});
  ImGui::EndDisabled();
  ImGui::SameLine();
  const bool clear = ImGui::Button(window::windowName(look.say(words::kClear), "clear").c_str());
  // Below the buttons, which keep their place whatever comes to be known.
  const session::PreviewedStep* preview = context.session->preview().step();
  if (preview != nullptr && preview->lines == lines_ && preview->program) {
    drawSecondary(look, previewOutcome(look, *context.session).c_str(), Tone::kChanged);
  } else if (changes_) {
    const std::size_t altered = changes_->altered().size();
    const bool same = changes_->added.empty() && changes_->removed.empty() && altered == 0;
    const std::string outcome = same ? look.say(words::kSame)
                                     : fmt::format(fmt::runtime(look.say(words::kOutcome)), changes_->added.size(),
                                                   changes_->removed.size(), altered);
    drawSecondary(look, outcome.c_str(), Tone::kChanged);
  }
  // What the step that was applied says and the kernel doesn't do; a preview's outcome has it already.
  const auto now =
      preview == nullptr ? context.session->programs().of(context.session->navigation().current()) : nullptr;
  if (now && context.session->navigation().current() > 0)
    for (const lower::StepRemark& remark : now->stepRemarks)
      drawSecondary(look, ("! " + look.tell(remark.text)).c_str(), Tone::kWarning);
  if (refusal_ || applyRefusal_) {
    drawRefusal(context, refusal_ ? *refusal_ : *applyRefusal_, lines_);
  }
  if (clear || fields_.isCleared()) {
    choose(*form().row);
  } else if (can && (pressed || entered_ || fields_.isEntered())) {
    apply(context);
  }
}

void StepPanel::apply(PanelContext& context) {
  applyRefusal_ = context.session->edits().apply(lines_).refusal;
  stale_ = true;
}

}  // namespace loom::panels
