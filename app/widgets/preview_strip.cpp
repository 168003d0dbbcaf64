#include "app/widgets/preview_strip.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/session/session.h"
#include "app/text/comparing.h"
#include "app/ui/axis_chip.h"
#include "app/ui/look.h"
#include "app/ui/quantity_text.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/preview_words.h"

namespace loom::panels {

namespace words = text::preview;
using window::Look;
using window::Tone;

namespace {

constexpr float kHeight = 40;  // design px, the legend's of the loop nest: nothing moves where it takes its place

std::string ratioText(const Look& look, const session::PredictedEffect& effect) {
  const bool faster = effect.after <= effect.before;
  const double ratio = faster ? effect.before / effect.after : effect.after / effect.before;
  if (ratio < 1.01) return look.say(words::kAsFast);
  if (ratio < 1.1) {
    const double percent = 100 * std::abs(1 - effect.after / effect.before);
    return say(look, faster ? text::comparing::kLessTime : text::comparing::kMoreTime, fmt::format("{:.0f}", percent));
  }
  // A model has no more than two digits.
  const double unit = std::pow(10, std::floor(std::log10(ratio)) - 1);
  const std::string times =
      ratio < 100 ? notation::significantText(ratio, 2, 1) : countText(std::round(ratio / unit) * unit);
  return say(look, faster ? words::kFaster : words::kSlower, times);
}

}  // namespace

std::string effectText(const Look& look, const session::PredictedEffect& effect) {
  const bool compiled = effect.basis == session::ModelBasis::kMachineCode;
  return say(look, compiled ? words::kCompiledEffect : words::kEffect, timeText(effect.before), timeText(effect.after),
             ratioText(look, effect));
}

std::string previewOutcome(const Look& look, const session::Session& session) {
  const session::PreviewedStep& preview = *session.preview().step();
  if (preview.refusal) return look.tell(preview.refusal->message);
  if (!preview.program) return look.say(words::kWorking);
  const schedule::Changes& c = preview.changes;
  const std::size_t altered = c.altered().size();
  const bool same = c.added.empty() && c.removed.empty() && altered == 0;
  std::string text =
      same ? look.say(words::kSame) : say(look, words::kChanges, c.added.size(), c.removed.size(), altered);
  if (const auto effect = session.preview().effect()) {
    text += " · " + effectText(look, *effect);
  } else if (preview.compiling) {
    text += " · " + std::string(look.say(words::kCompiling));
  } else if (preview.program->kernel.problem) {
    text += " · " + say(look, words::kNoKernel, look.tell(preview.program->kernel.problem->message));
  }
  for (const lower::StepRemark& remark : preview.program->stepRemarks) text += " · ! " + look.tell(remark.text);
  return text;
}

namespace {

void takeKeys(session::Session& session, bool refused) {
  constexpr ImGuiPopupFlags kAny = ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel;
  if (ImGui::IsPopupOpen("", kAny) || ImGui::GetIO().WantTextInput) return;
  if (ImGui::Shortcut(ImGuiKey_Escape, ImGuiInputFlags_RouteGlobal)) {
    session.preview().end();
  } else if (!refused && (ImGui::Shortcut(ImGuiKey_Enter, ImGuiInputFlags_RouteGlobal) ||
                          ImGui::Shortcut(ImGuiKey_KeypadEnter, ImGuiInputFlags_RouteGlobal))) {
    session.edits().applyPreview();
  }
}

}  // namespace

float previewLineHeight(const PanelContext& context) {
  return context.session != nullptr && context.session->preview().step() != nullptr ? context.look.px(kHeight) : 0;
}

void drawPreviewLine(PanelContext& context) {
  const session::PreviewedStep* preview = context.session->preview().step();
  if (preview == nullptr) return;
  const Look& look = context.look;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const ImVec2 to{from.x + ImGui::GetContentRegionAvail().x, from.y + look.px(kHeight)};
  ImGui::InvisibleButton("###preview", {std::max(1.0F, to.x - from.x), to.y - from.y});
  const bool refused = preview->refusal.has_value();
  const Tone tone = refused ? Tone::kError : Tone::kGhost;
  drawDashed(look, {from.x + 1, from.y + look.px(2)}, {to.x - 1, to.y - look.px(1)}, look.paint(tone));
  const float left = from.x + look.px(8), right = to.x - look.px(8);
  const float first = from.y + look.px(5), second = from.y + look.px(21);
  auto write = [&](ImFont* font, float size, float x, float y, float room, const std::string& text, Tone colour) {
    ImGui::PushFont(font, size);
    const std::string shown = ellipsized(text, std::max(0.0F, room));
    draw->AddText({x, y}, look.paint(colour), shown.c_str());
    const float width = ImGui::CalcTextSize(shown.c_str()).x;
    ImGui::PopFont();
    return width;
  };
  const char* keys = look.say(refused ? words::kRefusedKeys : words::kKeys);
  ImGui::PushFont(nullptr, window::kUnitSize);
  const float keysAt = right - ImGui::CalcTextSize(keys).x;
  draw->AddText({keysAt, first}, look.paint(Tone::kTextSecond), keys);
  ImGui::PopFont();
  const float word =
      write(look.fonts.strong, window::kSecondarySize, left, first, keysAt - left, look.say(words::kPreview), tone);
  const float step = left + word + look.px(8);
  write(look.fonts.code, window::kSecondarySize, step, first, keysAt - look.px(8) - step,
        abbreviatedStep(preview->step()), Tone::kText);
  const std::string what = previewOutcome(look, *context.session);
  write(nullptr, window::kUnitSize, left, second, right - left, what, refused ? Tone::kError : Tone::kTextSecond);
  if (ImGui::BeginItemTooltip()) {
    ImGui::PushTextWrapPos(look.px(480));
    ImGui::TextUnformatted(preview->lines.c_str());
    ImGui::TextUnformatted(what.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }
  takeKeys(*context.session, refused);
}

void drawPreviewRow(PanelContext& context) {
  const session::PreviewedStep* preview = context.session->preview().step();
  if (preview == nullptr) return;
  const Look& look = context.look;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float height = look.px(20), right = from.x + ImGui::GetContentRegionAvail().x;
  ImGui::InvisibleButton("###previewrow", {std::max(1.0F, right - from.x), height});
  const Tone tone = preview->refusal ? Tone::kError : Tone::kGhost;
  drawDashed(look, {from.x + 1, from.y + 1}, {right - 1, from.y + height - 1}, look.paint(tone));
  ImGui::PushFont(nullptr, window::kUnitSize);
  const std::string what = previewOutcome(look, *context.session);
  const std::string text =
      fmt::format("{}  {} · {}", look.say(words::kPreview), abbreviatedStep(preview->step()), what);
  ImGui::GetWindowDrawList()->AddText({from.x + look.px(8), from.y + (height - ImGui::GetFontSize()) / 2},
                                      look.paint(tone), ellipsized(text, right - from.x - look.px(16)).c_str());
  ImGui::PopFont();
  setItemTip(look, preview->lines + "\n" + what);
  takeKeys(*context.session, preview->refusal.has_value());
}

}  // namespace loom::panels
