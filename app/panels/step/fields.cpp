#include "app/panels/step/fields.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cfloat>
#include <chrono>
#include <limits>
#include <numeric>
#include <utility>

#include "app/panels/step/words.h"
#include "app/session/model_device.h"
#include "app/session/session.h"
#include "app/ui/choice.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"
#include "app/widgets/option_time.h"
#include "core/schedule/annotation_keys.h"
#include "core/tune/cluster_hints.h"

namespace loom::panels {

namespace words = text::step;
using schedule::ParameterType;
using schedule::Value;
using window::Tone;

namespace {

// Is it read from a text field, beside what is offered?
bool isWritten(ParameterType type) {
  switch (type) {
    case ParameterType::Int:
    case ParameterType::String:
    case ParameterType::OptionalString:
    case ParameterType::Factors:
    case ParameterType::Annotation:
    case ParameterType::Integers:
    case ParameterType::Floats:
    case ParameterType::OptionalInt:
    case ParameterType::OptionalIntegers:
    case ParameterType::IndexMap:
    case ParameterType::PadValue:
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
    case ParameterType::Integers: return "[16, 16]";
    case ParameterType::Floats: return "[0.5, 0.5]";
    case ParameterType::OptionalInt: return "0";
    case ParameterType::OptionalIntegers: return "[4, 4, 16]";
    case ParameterType::IndexMap: return "lambda i, j: (j, i)";
    case ParameterType::PadValue: return "0.0";
    default: return "\"…\"";
  }
}

// The last of two factors that a split is given: [None, 128].
std::optional<std::int64_t> innerFactor(const Value& factors) {
  const auto* list = factors.as<schedule::List>();
  if (list == nullptr || list->size() != 2) return std::nullopt;
  const auto* inner = list->back().as<std::int64_t>();
  return inner != nullptr && *inner > 0 ? std::optional(*inner) : std::nullopt;
}

// "1024 tiles, 8 waves, 1024"
std::string wavesText(const window::Look& look, const tune::WaveHints& hints, std::int64_t inner) {
  const tune::WaveFit fit = hints.fitOf(inner);
  return say(look, words::kWaves, fit.tiles, fit.waves, fit.waves * inner);
}

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

void drawSecondary(const window::Look& look, const char* text, Tone tone, float width) {
  ImGui::PushFont(nullptr, window::kSecondarySize);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(tone));
  drawWrapped(text, width);
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void StepFields::choose(const schedule::Instruction& row) {
  form_ = tune::StepForm(row);
  texts_.assign(form_.values.size(), "");
  problems_.assign(form_.values.size(), "");
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    const auto& value = form_.values[i];
    const bool plain = value && (value->isNone() || value->as<std::int64_t>() || value->as<std::string>());
    texts_[i] = !plain                      ? ""
                : value->isNone()           ? "None"
                : value->as<std::int64_t>() ? std::to_string(*value->as<std::int64_t>())
                                            : *value->as<std::string>();
  }
  offer_.reset();
  touched_ = edited_ = false;
}

void StepFields::take(const schedule::State& state, const std::vector<ir::Id>& selected) {
  edited_ = form_.take(state, selected);
}

void StepFields::adopt(const tune::StepForm& form) {
  choose(*form.row);
  form_.values = form.values;
  touched_ = edited_ = true;
}

void StepFields::leave() { form_ = {}; }

void StepFields::moveTo(const schedule::State& state) {
  form_.forgetDead(state);
  offer_.reset();
}

void StepFields::beginFrame() {
  if (!std::exchange(listed_, false)) times_.stop();
  entered_ = cleared_ = false;
}

bool StepFields::draw(PanelContext& context) {
  changed_ = false;
  for (int i = 0; i < static_cast<int>(form_.values.size()); ++i) {
    ImGui::PushID(i);
    drawField(context, i);
    ImGui::PopID();
  }
  return changed_;
}

void StepFields::set(int index, std::optional<Value> value) {
  form_.values[static_cast<std::size_t>(index)] = std::move(value);
  if (offer_) offer_->lines.clear();
  touched_ = edited_ = changed_ = true;
}

void StepFields::drawField(PanelContext& context, int index) {
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
    drawSecondary(look, help, Tone::kTextFaint);
    return;
  }
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  ImGui::TextUnformatted(parameter.name.data());
  ImGui::PopFont();
  drawSecondary(look, help, Tone::kTextFaint);
  if (isWritten(parameter.type)) {
    drawText(context, index);
    const bool free = parameter.type == ParameterType::OptionalString ||
                      (parameter.type == ParameterType::String && parameter.name != "ann_key");
    if (!free) {
      ImGui::SameLine();
      drawChoices(context, index);
    }
  } else {
    drawChoices(context, index);
  }
  if (const std::string& problem = problems_[static_cast<std::size_t>(index)]; !problem.empty()) {
    drawSecondary(look, problem.c_str(), Tone::kError);
  }
  if (const tune::WaveHints* hints = waves(context, index)) {
    const auto inner = value ? innerFactor(*value) : std::nullopt;
    const std::string rule = say(look, hints->isOfColumns() ? words::kWavesOfColumns : words::kWavesOfRows,
                                 hints->multiprocessors(), hints->other());
    drawSecondary(look,
                  inner ? say(look, words::kWavesNow, rule, wavesText(look, *hints, *inner)).c_str() : rule.c_str());
  }
  if (const std::string clusters = value ? clustersText(context, index, *value) : ""; !clusters.empty())
    drawSecondary(look, clusters.c_str());
}

// What so many blocks in a cluster do to the waves of the grid; empty for other annotations and fields.
std::string StepFields::clustersText(PanelContext& context, int index, const Value& value) const {
  if (form_.row->name != "annotate" || form_.row->parameters[std::size_t(index)].name != "ann_val") return "";
  const auto* blocks = value.as<std::int64_t>();
  const auto key = std::ranges::find(form_.row->parameters, "ann_key", &schedule::Parameter::name);
  const auto& named = form_.values[std::size_t(key - form_.row->parameters.begin())];
  const auto* word = named ? named->as<std::string>() : nullptr;
  if (blocks == nullptr || word == nullptr) return "";
  const auto model = context.session->preview().shownModel(session::ModelBasis::kSource);
  if (!model || !model->isKernel() || !model->device) return "";
  const auto hints = tune::ClusterHints::of(*model->kernel, *model->device, *word);
  const auto waves = hints ? hints->wavesOf(*blocks) : std::nullopt;
  if (!waves) return "";
  const model::ActiveClusters& c = waves->clusters;
  const std::int64_t without = c.wavesWithout(waves->blocks);
  if (waves->count() > without)
    return say(context.look, words::kClustersCost, c.clusters, c.size, c.blocks(), c.places(), waves->count(), without);
  return say(context.look, words::kClusters, c.clusters, c.size, waves->count());
}

// Of the split of a loop over rows or columns of a product; null for other forms.
const tune::WaveHints* StepFields::waves(PanelContext& context, int index) {
  if (form_.row->name != "split" || index != 1 || !form_.values[0]) return nullptr;
  const auto* handle = form_.values[0]->as<schedule::Handle>();
  const auto* loop = handle ? std::get_if<schedule::LoopRef>(handle) : nullptr;
  if (loop == nullptr) return nullptr;
  const session::Session& session = *context.session;
  const session::DeviceStatus& device = session.modelDevice().status();
  const schedule::State& state = session.navigation().node().state;
  const std::string name = device.known ? session::modelledDevice(device) : "";
  const std::string key = fmt::format("{} {} {} {}", session.opened(), session.navigation().current(), name,
                                      tune::printValue(state, *form_.values[0]));
  if (wavesOf_ != key) {
    wavesOf_ = key;
    const auto figures = name.empty() ? nullptr : session.modelDevice().cache()->of(name);
    waves_ = figures && *figures ? tune::WaveHints::of(state, loop->id, **figures) : std::nullopt;
  }
  return waves_ ? &*waves_ : nullptr;
}

void StepFields::drawText(PanelContext& context, int index) {
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
  std::string& problem = problems_[static_cast<std::size_t>(index)];
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
    drawSecondary(look, (candidate.refusal->code + ": " + look.tell(candidate.refusal->message)).c_str(),
                  Tone::kTextFaint, look.px(420));
  }
}

}  // namespace loom::panels
