#include "app/panels/step/panel.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <cfloat>
#include <chrono>
#include <utility>

#include "app/panels/step/words.h"
#include "app/session/session.h"
#include "app/ui/choice.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/option_time.h"
#include "app/widgets/preview_strip.h"
#include "app/widgets/refusal.h"

namespace loom::panels {

namespace words = text::step;
using schedule::ParameterType;
using schedule::Value;
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

// Is it read from a text field, beside what is offered?
bool isWritten(ParameterType type) {
  switch (type) {
    case ParameterType::Int:
    case ParameterType::String:
    case ParameterType::OptionalString:
    case ParameterType::Factors:
    case ParameterType::Annotation:
    case ParameterType::ThreadAxis:
    case ParameterType::StorageScope: return true;
    default: return false;
  }
}

const char* example(const schedule::Parameter& parameter) {
  switch (parameter.type) {
    case ParameterType::Factors: return "[None, 16]";
    case ParameterType::Int: return parameter.unit.empty() ? "0" : "16";  // an index, or a number of something
    case ParameterType::ThreadAxis: return "\"threadIdx.x\"";
    case ParameterType::StorageScope: return "\"shared\"";
    case ParameterType::OptionalString: return "None";
    default: return "\"…\"";
  }
}

void secondary(const window::Look& look, const char* text, Tone tone = Tone::kTextSecond, float width = 0) {
  ImGui::PushFont(nullptr, window::kSecondarySize);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(tone));
  drawWrapped(text, width);
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

const char* briefOf(const window::Look& look, const schedule::Instruction& row) {
  for (const words::Brief& brief : words::kBriefs) {
    if (brief.primitive == row.name) return look.say(brief.text);
  }
  return helpOf(look, row);
}

}  // namespace

StepPanel::~StepPanel() = default;

void StepPanel::draw(PanelContext& context) {
  if (!std::exchange(listed_, false)) times_.stop();
  if (!context.hasProgram()) {
    drawNoProgram(context);
    return;
  }
  follow(context);
  takeKeys();
  secondary(context.look, context.look.say(words::kChoose));  // with a form, too: the list keeps its place
  drawPrimitives(context);
  if (escaped_ && touched_) {
    choose(*form_.row);
  } else if (escaped_) {
    form_ = {};
    filter_.clear();
    stale_ = true;
  }
  if (form_.row == nullptr) return;
  ImGui::PushFont(context.look.fonts.code, window::kHeadingSize);
  ImGui::TextUnformatted(form_.row->name.data());
  ImGui::PopFont();
  secondary(context.look, helpOf(context.look, *form_.row));
  ImGui::Spacing();
  for (int i = 0; i < static_cast<int>(form_.values.size()); ++i) {
    ImGui::PushID(i);
    drawParameter(context, i);
    ImGui::PopID();
  }
  drawOutcome(context);
}

// Enter applies and Escape leaves, wherever in the panel the keyboard is. A field that is being written in takes these
// keys for itself and tells of them (`drawText`); an open list keeps them.
void StepPanel::takeKeys() {
  constexpr ImGuiPopupFlags kAny = ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel;
  entered_ = escaped_ = cleared_ = false;
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
    form_.values = proposed.values;
    touched_ = edited_ = true;
  }
  if (session.opened() != opened_ || session.navigation().current() != node_) {
    opened_ = session.opened();
    node_ = session.navigation().current();
    form_.forgetDead(session.navigation().node().state);
    offer_.reset();
    stale_ = true;
  }
  if (!stale_) return;
  stale_ = false;
  const std::string before = std::exchange(lines_, "");
  refusal_.reset();
  changes_.reset();
  if (form_.row != nullptr && form_.missing() < 0) complete(session);
  const bool edited = std::exchange(edited_, false);  // by the user: what was applied is not previewed once more
  if (edited && !lines_.empty()) {
    session.preview().show(lines_);
  } else if (session.preview().step() != nullptr && session.preview().step()->lines == before) {
    session.preview().end();
  }
}

// Whether it's legal is known at once: a try costs microseconds.
void StepPanel::complete(const session::Session& session) {
  auto lines = tune::stepLines(session.navigation().history(), node_, form_);
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
  const float share = form_.row == nullptr ? 1.0F : 0.3F;
  if (ImGui::BeginChild("###primitives", {0, ImGui::GetContentRegionAvail().y * share}, ImGuiChildFlags_Borders)) {
    bool any = false;
    for (const std::string_view group : kGroups) {
      bool titled = false;
      for (const schedule::Instruction& row : schedule::instructions()) {
        const char* help = helpOf(look, row);
        const bool wanted = row.name.find(filter_) != std::string_view::npos ||
                            std::string_view(help).find(filter_) != std::string_view::npos;
        if (row.group != group || !wanted) {
          continue;
        }
        any = true;
        if (first_ == nullptr) first_ = &row;
        if (!titled) {
          titled = true;
          secondary(look, look.say(groupTitle(group)), Tone::kTextFaint);
        }
        ImGui::PushFont(look.fonts.code, window::kSecondarySize);
        if (ImGui::Selectable(fmt::format("{}###{}", row.name, row.name).c_str(), form_.row == &row)) {
          begin(*context.session, row);
        }
        ImGui::PopFont();
        if (form_.row == &row && scrolls && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.5F);
        ImGui::SetItemTooltip("%s", help);
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
      secondary(look, look.say(words::kNoMatch));
    }
  }
  ImGui::EndChild();
  if (entered && first_ != nullptr) begin(*context.session, *first_);
}

// With what is selected already chosen.
void StepPanel::begin(const session::Session& session, const schedule::Instruction& row) {
  choose(row);
  edited_ = form_.take(session.navigation().node().state, session.selection().ids());
}

void StepPanel::choose(const schedule::Instruction& row) {
  form_ = tune::StepForm(row);
  texts_.assign(form_.values.size(), "");
  textProblems_.assign(form_.values.size(), "");
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    const auto& value = form_.values[i];
    const bool plain = value && (value->isNone() || value->as<std::int64_t>() || value->as<std::string>());
    texts_[i] = !plain                      ? ""
                : value->isNone()           ? "None"
                : value->as<std::int64_t>() ? std::to_string(*value->as<std::int64_t>())
                                            : *value->as<std::string>();
  }
  offer_.reset();
  applied_.reset();
  touched_ = edited_ = false;
  stale_ = scrolls_ = true;
}

void StepPanel::set(int index, std::optional<Value> value) {
  form_.values[static_cast<std::size_t>(index)] = std::move(value);
  if (offer_) offer_->lines.clear();
  applied_.reset();
  touched_ = edited_ = true;
  stale_ = true;
}

void StepPanel::drawParameter(PanelContext& context, int index) {
  const window::Look& look = context.look;
  const schedule::Parameter& parameter = form_.row->parameters[static_cast<std::size_t>(index)];
  auto& value = form_.values[static_cast<std::size_t>(index)];
  const char* help = helpOf(look, parameter);
  if (parameter.type == ParameterType::Bool) {
    bool flag = value && value->as<bool>() != nullptr && *value->as<bool>();
    ImGui::PushFont(look.fonts.code, window::kSecondarySize);
    if (window::checkbox(look, fmt::format("{}###value", parameter.name).c_str(), &flag)) {
      set(index, Value{flag});
    }
    ImGui::PopFont();
    secondary(look, help, Tone::kTextFaint);
    return;
  }
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  ImGui::TextUnformatted(parameter.name.data());
  ImGui::PopFont();
  secondary(look, help, Tone::kTextFaint);
  if (isWritten(parameter.type)) {
    drawText(context, index);
    if (parameter.type != ParameterType::Annotation && parameter.type != ParameterType::String &&
        parameter.type != ParameterType::OptionalString) {
      ImGui::SameLine();
      drawChoices(context, index);
    }
  } else {
    drawChoices(context, index);
  }
  if (const std::string& problem = textProblems_[static_cast<std::size_t>(index)]; !problem.empty()) {
    secondary(look, problem.c_str(), Tone::kError);
  }
}

void StepPanel::drawText(PanelContext& context, int index) {
  const window::Look& look = context.look;
  const schedule::Parameter& parameter = form_.row->parameters[static_cast<std::size_t>(index)];
  std::string& text = texts_[static_cast<std::size_t>(index)];
  const std::string hint = fmt::format(fmt::runtime(look.say(words::kWrite)), example(parameter));
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - look.px(36));
  const bool edited = ImGui::InputTextWithHint("###value", hint.c_str(), &text);
  ImGui::PopFont();
  if (ImGui::IsItemDeactivated()) {
    entered_ |= ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
    cleared_ |= ImGui::IsKeyPressed(ImGuiKey_Escape, false);
  }
  if (!edited) {
    return;
  }
  touched_ = true;
  std::string& problem = textProblems_[static_cast<std::size_t>(index)];
  problem.clear();
  const bool words = parameter.type == ParameterType::String || parameter.type == ParameterType::ThreadAxis ||
                     parameter.type == ParameterType::StorageScope ||
                     (parameter.type == ParameterType::OptionalString && text != "None");
  if (text.empty()) {
    set(index, parameter.fallback);
  } else if (words && text.front() != '"') {
    set(index, Value{text});  // quotes may be left out where only a string fits
  } else if (auto read = tune::parseValue(text)) {
    set(index, std::move(*read));
  } else {
    problem = look.tell(read.error().message);
    set(index, std::nullopt);
  }
}

const StepPanel::Offer* StepPanel::offer(PanelContext& context, int index) {
  auto given = form_.before(index);
  if (!given) {
    return nullptr;
  }
  std::string key = fmt::format("{} {} {} {}", opened_, node_, form_.row->name, index);
  for (const Value& value : *given) {
    key += " " + tune::printValue(context.session->navigation().node().state, value);
  }
  if (!offer_ || offer_->key != key) {
    offer_.emplace();
    offer_->key = key;
    offer_->pending =
        std::async(std::launch::async,
                   [state = context.session->navigation().node().state, row = form_.row, given = std::move(*given),
                    environment = context.session->documents().environment(), wake = context.wake] {
                     auto found = schedule::candidates(state, *row, given, environment);
                     wake();
                     return found;
                   });
  }
  if (offer_->pending.valid() && offer_->pending.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    offer_->ready = offer_->pending.get();
  }
  return &*offer_;
}

// The time predicted for the step with that value; empty where it isn't complete by it.
std::string StepPanel::timeOf(PanelContext& context, int index, const schedule::Candidate& candidate) {
  if (candidate.refusal) return "";
  tune::StepForm form = form_;
  form.values[static_cast<std::size_t>(index)] = candidate.value;
  if (form.missing() >= 0) return "";
  auto [lines, isNew] = offer_->lines.emplace(candidate.text, "");
  if (isNew) lines->second = tune::stepLines(context.session->navigation().history(), node_, form).value_or("");
  return optionTimeText(context.look, times_, *context.session, lines->second);
}

void StepPanel::drawChoices(PanelContext& context, int index) {
  const window::Look& look = context.look;
  const schedule::Parameter& parameter = form_.row->parameters[static_cast<std::size_t>(index)];
  const auto& value = form_.values[static_cast<std::size_t>(index)];
  const bool beside = isWritten(parameter.type);
  const schedule::State& state = context.session->navigation().node().state;
  const std::string shown = beside ? "" : value ? tune::printValue(state, *value) : look.say(words::kChooseValue);
  if (!beside) {
    ImGui::SetNextItemWidth(-1);
  }
  // Of an arrow alone the list would be as narrow.
  if (beside) ImGui::SetNextWindowSizeConstraints({look.px(240), 0}, {FLT_MAX, look.px(420)});
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  const bool open = ImGui::BeginCombo("###choices", shown.c_str(),
                                      ImGuiComboFlags_HeightLarge | (beside ? ImGuiComboFlags_NoPreview : 0));
  ImGui::PopFont();
  if (!open) {
    return;
  }
  listed_ = true;
  const Offer* found = offer(context, index);
  if (found == nullptr || found->pending.valid() || found->ready.empty()) {
    secondary(look, look.say(found == nullptr         ? words::kFirst
                             : found->pending.valid() ? words::kTrying
                                                      : words::kNothing));
  } else {
    std::vector<tune::NamedNode> nodes = tune::namedNodes(state);
    for (std::size_t i = 0; i < found->ready.size(); ++i) {
      const schedule::Candidate& candidate = found->ready[i];
      std::string label = candidate.text;
      if (const auto* handle = candidate.value.as<schedule::Handle>()) {
        for (const tune::NamedNode& node : nodes) {
          const auto* block = std::get_if<schedule::BlockRef>(handle);
          const auto* loop = std::get_if<schedule::LoopRef>(handle);
          if ((block != nullptr && block->id == node.id) || (loop != nullptr && loop->id == node.id)) {
            label = std::string(static_cast<std::size_t>(node.depth) * 2, ' ') + node.name +
                    (node.isBlock ? "" : " · " + node.annotation);
          }
        }
      }
      ImGui::PushID(static_cast<int>(i));
      ImGui::BeginDisabled(candidate.refusal.has_value());
      ImGui::PushFont(look.fonts.code, window::kSecondarySize);
      const std::string time = timeOf(context, index, candidate);
      const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
      const float top = ImGui::GetCursorScreenPos().y;
      if (!time.empty()) label += "  " + std::string(time.size(), ' ');  // its room
      const bool taken = ImGui::Selectable(fmt::format("{}###{}", label, candidate.text).c_str());
      if (!time.empty())
        ImGui::GetWindowDrawList()->AddText({right - ImGui::CalcTextSize(time.c_str()).x, top},
                                            look.paint(Tone::kTextSecond), time.c_str());
      if (taken) {
        set(index, candidate.value);
        const auto* word = candidate.value.as<std::string>();
        texts_[static_cast<std::size_t>(index)] = word != nullptr ? *word : candidate.text;
        textProblems_[static_cast<std::size_t>(index)].clear();
      }
      ImGui::PopFont();
      ImGui::EndDisabled();
      if (candidate.refusal) {
        secondary(look, (candidate.refusal->code + ": " + look.tell(candidate.refusal->message)).c_str(),
                  Tone::kTextFaint, look.px(420));
      }
      ImGui::PopID();
    }
  }
  ImGui::EndCombo();
}

void StepPanel::drawOutcome(PanelContext& context) {
  const window::Look& look = context.look;
  ImGui::Separator();
  if (const int missing = form_.missing(); missing >= 0) {
    const std::string_view name = form_.row->parameters[static_cast<std::size_t>(missing)].name;
    secondary(look, fmt::format(fmt::runtime(look.say(words::kMissing)), name).c_str());
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
    secondary(look, previewOutcome(look, *context.session).c_str(), Tone::kChanged);
  } else if (changes_) {
    const std::size_t altered = changes_->altered().size();
    const bool same = changes_->added.empty() && changes_->removed.empty() && altered == 0;
    const std::string outcome = same ? look.say(words::kSame)
                                     : fmt::format(fmt::runtime(look.say(words::kOutcome)), changes_->added.size(),
                                                   changes_->removed.size(), altered);
    secondary(look, outcome.c_str(), Tone::kChanged);
  }
  // What the step that was applied says and the kernel doesn't do; a preview's outcome has it already.
  const auto now =
      preview == nullptr ? context.session->programs().of(context.session->navigation().current()) : nullptr;
  if (now && context.session->navigation().current() > 0)
    for (const lower::StepRemark& remark : now->stepRemarks)
      secondary(look, ("! " + look.tell(remark.text)).c_str(), Tone::kWarning);
  if (refusal_ || applied_) {
    drawRefusal(context, refusal_ ? *refusal_ : *applied_, lines_);
  }
  if (clear || cleared_) {
    choose(*form_.row);
  } else if (can && (pressed || entered_)) {
    apply(context);
  }
}

void StepPanel::apply(PanelContext& context) {
  applied_ = context.session->edits().apply(lines_).refusal;
  stale_ = true;
}

}  // namespace loom::panels
