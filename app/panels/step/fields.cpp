#include "app/panels/step/fields.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/panels/step/parameter_text.h"
#include "app/panels/step/words.h"
#include "app/session/model_device.h"
#include "app/session/session.h"
#include "app/ui/choice.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/text.h"
#include "core/schedule/annotation_keys.h"
#include "core/tune/cluster_hints.h"

namespace loom::panels {

namespace words = text::step;
using schedule::ParameterType;
using schedule::Value;
using window::Tone;

void drawSecondary(const window::Look& look, const char* text, Tone tone, float width) {
  ImGui::PushFont(nullptr, window::kSecondarySize);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(tone));
  drawWrapped(text, width);
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void StepFields::choose(const schedule::Instruction& row) {
  show(tune::StepForm(row));
  touched_ = edited_ = false;
}

void StepFields::show(tune::StepForm form) {
  form_ = std::move(form);
  texts_.assign(form_.values.size(), "");
  problems_.assign(form_.values.size(), "");
  areTextsOld_ = true;
  offer_.reset();
}

// As one would type them.
void StepFields::writeTexts(const schedule::State& state) {
  for (std::size_t i = 0; i < texts_.size(); ++i)
    if (const auto& value = form_.values[i]) texts_[i] = typedText(form_.row->parameters[i], *value, state);
}

void StepFields::take(const schedule::State& state, const std::vector<ir::Id>& selected) {
  edited_ |= form_.take(state, selected);
}

void StepFields::adopt(const tune::StepForm& form) {
  show(form);
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
  if (std::exchange(areTextsOld_, false)) writeTexts(context.session->navigation().node().state);
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
  if (text.empty()) {
    set(index, parameter.fallback);
  } else if (isPlainWord(parameter, text)) {
    set(index, Value{text});
  } else if (auto read = tune::parseValue(text)) {
    set(index, std::move(*read));
  } else {
    problem = look.tell(read.error().message);
    set(index, std::nullopt);
  }
}

}  // namespace loom::panels
