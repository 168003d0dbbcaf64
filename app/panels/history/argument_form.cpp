#include "app/panels/history/argument_form.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/panels/step/words.h"
#include "app/session/session.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/text.h"

namespace loom::panels {

namespace words = text::step;
using window::Look;
using window::Tone;

namespace {

constexpr float kNames = 150;    // design px: the longest of the parameters' names
constexpr float kRefusal = 420;  // design px that a reason is wrapped at

}  // namespace

void ArgumentForm::reset() {
  line_.clear();
  parts_.reset();
  texts_.clear();
  offers_.reset();
  problem_.reset();
  making_.drop();
}

void ArgumentForm::follow(const std::string& line) {
  if (line == line_ && !texts_.empty()) return;
  line_ = line;
  parts_ = tune::stepArguments(line);
  problem_.reset();
  texts_.clear();
  if (!parts_) return;
  for (const auto& argument : parts_->arguments) texts_.push_back(argument.isWritten ? argument.text : "");
}

void ArgumentForm::set(std::string& line, std::size_t index, const std::string& text) {
  auto changed = tune::withArgument(line, index, text);
  if (!changed) {
    problem_ = changed.error();
    return;
  }
  // The field keeps what is being written in it, blanks and all.
  const std::string written = texts_[index];
  line = *changed;
  follow(line);
  if (index < texts_.size()) texts_[index] = written;
  problem_.reset();
}

void ArgumentForm::draw(PanelContext& context, int node, std::string& line) {
  follow(line);
  if (!parts_) return;
  const Look& look = context.look;
  ImGui::PushStyleColor(ImGuiCol_FrameBg, look.paint(Tone::kPanel));  // popups have the fields' colour
  for (std::size_t i = 0; i < parts_->arguments.size(); ++i) {
    const tune::StepArguments::Argument argument = parts_->arguments[i];
    ImGui::PushID(static_cast<int>(i));
    ImGui::PushFont(look.fonts.code, window::kSecondarySize);
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(argument.isWritten ? Tone::kText : Tone::kTextSecond));
    ImGui::TextUnformatted(argument.parameter->name.data());
    ImGui::PopStyleColor();
    drawWrappedTip(look, helpOf(look, *argument.parameter));
    ImGui::SameLine(look.px(kNames));
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - ImGui::GetFrameHeight() - look.px(6));
    const std::string hint = argument.isWritten ? "" : argument.text;
    if (ImGui::InputTextWithHint("###value", hint.c_str(), &texts_[i])) set(line, i, texts_[i]);
    ImGui::PopFont();
    ImGui::SameLine(0, look.px(6));
    drawOffers(context, node, line, i);
    ImGui::PopID();
    if (!parts_ || i >= texts_.size()) break;
  }
  ImGui::PopStyleColor();
}

void ArgumentForm::drawOffers(PanelContext& context, int node, std::string& line, std::size_t index) {
  const Look& look = context.look;
  if (!ImGui::BeginCombo("###offers", "", ImGuiComboFlags_HeightLarge | ImGuiComboFlags_NoPreview)) return;
  if (!offers_ || offers_->line != line || offers_->index != index) {
    offers_.emplace();
    offers_->line = line;
    offers_->index = index;
    const session::Session& session = *context.session;
    making_.ask([history = session.navigation().history(), environment = session.documents().environment(), node, line,
                 index] { return tune::argumentOffers(history, node, line, index, environment); },
                context.wake);
  }
  if (auto made = making_.take()) {
    offers_->ready = std::move(*made);
    offers_->pending = false;
  }
  if (offers_->pending || offers_->ready.empty())
    drawSecond(look, look.say(offers_->pending ? words::kTrying : words::kNothing));
  std::optional<std::string> chosen;
  for (const tune::ArgumentOffer& offer : offers_->ready) {
    ImGui::PushID(offer.text.c_str());
    ImGui::BeginDisabled(offer.refusal.has_value());
    ImGui::PushFont(look.fonts.code, window::kSecondarySize);
    const bool same = offer.name.empty() || offer.name == offer.text;
    const std::string shown = (same ? offer.text : offer.text + "  (" + offer.name + ")") + "###offer";
    if (ImGui::Selectable(shown.c_str(), offer.text == parts_->arguments[index].text)) chosen = offer.text;
    ImGui::PopFont();
    ImGui::EndDisabled();
    if (offer.refusal) {
      ImGui::PushFont(nullptr, window::kSecondarySize);
      ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextFaint));
      drawWrapped(named(look, offer.refusal->code, look.tell(offer.refusal->message)), look.px(kRefusal));
      ImGui::PopStyleColor();
      ImGui::PopFont();
    }
    ImGui::PopID();
  }
  ImGui::EndCombo();
  if (!chosen) return;
  texts_[index] = *chosen;
  set(line, index, *chosen);
}

}  // namespace loom::panels
