// The lists of values that parameters of a step's form can take (class StepFields; fields.cpp has the fields
// themselves).
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <chrono>
#include <limits>
#include <numeric>
#include <utility>

#include "app/panels/step/fields.h"
#include "app/panels/step/parameter_text.h"
#include "app/panels/step/words.h"
#include "app/session/session.h"
#include "app/ui/choice.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"
#include "app/widgets/option_time.h"
#include "core/schedule/annotation_keys.h"

namespace loom::panels {

namespace words = text::step;
using schedule::ParameterType;
using schedule::Value;
using window::Tone;

namespace {

// What an intrinsic wants, a line each with ✓ or ✗.
void drawChecklist(const window::Look& look, const tune::IntrinsicChecklist& list) {
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  ImGui::TextUnformatted(list.intrinsic.c_str());
  ImGui::PopFont();
  for (const tune::IntrinsicCheck& check : list.checks) {
    const text::Text& name = words::kChecks[std::size_t(check.what)];
    const std::string text = check.ok ? say(look, words::kFits, look.say(name), check.wanted)
                                      : say(look, words::kLacks, look.say(name), check.wanted, check.found);
    drawSecondary(look, text.c_str(), check.ok ? Tone::kOk : Tone::kError, look.px(420));
  }
}

}  // namespace

const StepFields::Offer* StepFields::offer(PanelContext& context, int index) {
  auto given = form_.before(index);
  if (!given) {
    return nullptr;
  }
  const session::Session& session = *context.session;
  const schedule::State& now = session.navigation().node().state;
  std::string key =
      fmt::format("{} {} {} {}", session.opened(), session.navigation().current(), form_.row->name, index);
  for (const Value& value : *given) {
    key += " " + tune::printValue(now, value);
  }
  if (!offer_ || offer_->key != key) {
    offer_.emplace();
    offer_->key = key;
    const auto* tile = given->empty() ? nullptr : given->front().as<schedule::Handle>();
    const intrin::Library* library = session.documents().environment().intrinsics;
    if (form_.row->parameters[static_cast<std::size_t>(index)].type == ParameterType::Intrinsic && tile && library) {
      const auto* loop = std::get_if<schedule::LoopRef>(tile);
      const auto* block = std::get_if<schedule::BlockRef>(tile);
      if (loop || block) offer_->lists = tune::intrinsicChecklists(now, loop ? loop->id : block->id, *library);
    }
    offer_->pending =
        std::async(std::launch::async, [state = now, row = form_.row, given = std::move(*given),
                                        environment = session.documents().environment(), wake = context.wake] {
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
std::string StepFields::timeOf(PanelContext& context, int index, const schedule::Candidate& candidate) {
  if (candidate.refusal) return "";
  tune::StepForm form = form_;
  form.values[static_cast<std::size_t>(index)] = candidate.value;
  if (form.missing() >= 0) return "";
  auto [lines, isNew] = offer_->lines.emplace(candidate.text, "");
  const session::Navigation& at = context.session->navigation();
  if (isNew) lines->second = tune::stepLines(at.history(), at.current(), form).value_or("");
  return optionTimeText(context.look, times_, *context.session, lines->second);
}

void StepFields::drawChoices(PanelContext& context, int index) {
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
    drawSecondary(look, look.say(found == nullptr         ? words::kFirst
                                 : found->pending.valid() ? words::kTrying
                                                          : words::kNothing));
  } else {
    drawCandidates(context, index, *found);
  }
  ImGui::EndCombo();
}

// The values that the primitive accepts, and behind them those that it refuses, each with the reason.
void StepFields::drawCandidates(PanelContext& context, int index, const Offer& offer) {
  if (!offer.lists.empty()) return drawIntrinsics(context, index, offer);
  if (const tune::WaveHints* hints = waves(context, index)) return drawByWaves(context, index, offer, *hints);
  for (std::size_t i = 0; i < offer.ready.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const schedule::Candidate& candidate = offer.ready[i];
    drawCandidate(context, index, candidate, candidate.refusal ? "" : clustersText(context, index, candidate.value));
    ImGui::PopID();
  }
}

// Factors of a tile: those that warpgroups take, the best by waves first, and then the others as ever.
void StepFields::drawByWaves(PanelContext& context, int index, const Offer& offer, const tune::WaveHints& hints) {
  std::vector<std::size_t> order(offer.ready.size());
  std::iota(order.begin(), order.end(), 0);
  const auto cost = [&](std::size_t i) {
    const auto inner = offer.ready[i].refusal ? std::nullopt : innerFactor(offer.ready[i].value);
    return inner && hints.takes(*inner) ? hints.costOf(*inner) : std::numeric_limits<std::int64_t>::max();
  };
  std::ranges::stable_sort(order, {}, cost);
  for (const std::size_t i : order) {
    const auto inner = innerFactor(offer.ready[i].value);
    ImGui::PushID(static_cast<int>(i));
    drawCandidate(context, index, offer.ready[i],
                  inner && hints.takes(*inner) ? wavesText(context.look, hints, *inner) : "");
    ImGui::PopID();
  }
}

// Tensor intrinsics: those that are accepted; of the others the nearest, with what it lacks, and the rest folded. Those
// of other elements are counted alone, since no step leads there.
void StepFields::drawIntrinsics(PanelContext& context, int index, const Offer& offer) {
  const window::Look& look = context.look;
  const auto refused = [&](const std::string& name) {
    const auto found = std::find_if(offer.ready.begin(), offer.ready.end(), [&](const schedule::Candidate& candidate) {
      const auto* word = candidate.value.as<std::string>();
      return word != nullptr && *word == name;
    });
    return found != offer.ready.end() && found->refusal.has_value();
  };
  bool accepted = false;
  for (std::size_t i = 0; i < offer.ready.size(); ++i) {
    if (offer.ready[i].refusal) continue;
    accepted = true;
    ImGui::PushID(static_cast<int>(i));
    drawCandidate(context, index, offer.ready[i]);
    ImGui::PopID();
  }
  std::vector<const tune::IntrinsicChecklist*> near;
  for (const tune::IntrinsicChecklist& list : offer.lists)
    if (list.couldFit() && refused(list.intrinsic)) near.push_back(&list);
  const std::size_t others =
      static_cast<std::size_t>(std::count_if(offer.ready.begin(), offer.ready.end(),
                                             [](const schedule::Candidate& c) { return c.refusal.has_value(); })) -
      near.size();
  if (!accepted && !near.empty()) {
    drawSecondary(look, look.say(words::kNearest));
    drawChecklist(look, *near.front());
  }
  const std::size_t shown = accepted ? 0 : 1;
  if (near.size() > shown &&
      ImGui::TreeNode("###near", "%s", say(look, words::kAlike, std::int64_t(near.size() - shown)).c_str())) {
    for (std::size_t n = shown; n < near.size(); ++n) drawChecklist(look, *near[n]);
    ImGui::TreePop();
  }
  if (others > 0) drawSecondary(look, say(look, words::kOfOthers, std::int64_t(others)).c_str(), Tone::kTextFaint);
  if (!accepted && window::smallButton(window::windowName(look.say(words::kOpenPlan), "plan").c_str())) {
    ImGui::CloseCurrentPopup();
    ImGui::SetWindowFocus(window::windowName("", "plan").c_str());
  }
}

void StepFields::drawCandidate(PanelContext& context, int index, const schedule::Candidate& candidate,
                               const std::string& note) {
  const window::Look& look = context.look;
  const schedule::State& state = context.session->navigation().node().state;
  std::string label = candidate.text;
  if (const auto* handle = candidate.value.as<schedule::Handle>()) {
    for (const tune::NamedNode& node : tune::namedNodes(state)) {
      const auto* block = std::get_if<schedule::BlockRef>(handle);
      const auto* loop = std::get_if<schedule::LoopRef>(handle);
      if ((block != nullptr && block->id == node.id) || (loop != nullptr && loop->id == node.id)) {
        label = std::string(static_cast<std::size_t>(node.depth) * 2, ' ') + node.name +
                (node.isBlock ? "" : " · " + node.annotation);
      }
    }
  }
  ImGui::BeginDisabled(candidate.refusal.has_value());
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  const std::string time = timeOf(context, index, candidate);
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  const float top = ImGui::GetCursorScreenPos().y;
  if (!time.empty()) label += "  " + std::string(time.size(), ' ');  // its room
  if (!note.empty()) label += "  " + note;
  const bool taken = ImGui::Selectable(fmt::format("{}###{}", label, candidate.text).c_str());
  if (!time.empty())
    ImGui::GetWindowDrawList()->AddText({right - ImGui::CalcTextSize(time.c_str()).x, top},
                                        look.paint(Tone::kTextSecond), time.c_str());
  if (taken) {
    set(index, candidate.value);
    const auto* word = candidate.value.as<std::string>();
    texts_[static_cast<std::size_t>(index)] = word != nullptr ? *word : candidate.text;
    problems_[static_cast<std::size_t>(index)].clear();
  }
  ImGui::PopFont();
  ImGui::EndDisabled();
  // What an annotation asks for.
  const auto* word = candidate.value.as<std::string>();
  const schedule::AnnotationKey* key = word != nullptr ? schedule::findAnnotationKey(*word) : nullptr;
  if (key != nullptr && !candidate.refusal)
    drawSecondary(look, std::string(look.language == text::Language::kChinese ? key->zh : key->en).c_str(),
                  Tone::kTextFaint, look.px(420));
  if (candidate.refusal) {
    drawSecondary(look, named(look, candidate.refusal->code, look.tell(candidate.refusal->message)).c_str(),
                  Tone::kTextFaint, look.px(420));
  }
}

}  // namespace loom::panels
