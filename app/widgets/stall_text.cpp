#include "app/widgets/stall_text.h"

#include <fmt/format.h>
#include <imgui.h>

#include "app/notation/quantity_text.h"
#include "app/panels/performance/words.h"
#include "app/panels/stalls/words.h"
#include "app/session/session.h"
#include "app/ui/look.h"
#include "app/ui/quantity_text.h"
#include "app/ui/short_step.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::stalls;
using document::StallResult;
using notation::Tone;
using profile::StallCount;
using profile::StallReason;
using window::Look;

namespace {

// "sampled on NVIDIA H200 by ncu 2025.3.1.0, 2026-11-22"
std::string originOf(const Look& look, const profile::ProfileFile& file) {
  const std::string tool = look.tell(file.tool);
  if (file.device.empty()) return fmt::format("{}, {}", tool, file.date);
  return say(look, file.shipped ? words::kShippedOn : words::kSampledOn, file.device, tool, file.date);
}

std::string headOf(const Look& look, const StallResult& stalls) {
  constexpr std::size_t kMost = 4;
  const profile::StallCount& total = stalls.view->total;
  double none = 0;
  for (profile::StallReason reason : total.ranked())
    if (profile::couldIssue(reason)) none += total.share(reason);
  return say(look, words::kHead, stallsText(total, kMost), numberText(total.samples), originOf(look, *stalls.file),
             notation::shareText(none));
}

// Where stalls can be sampled.
void drawButton(PanelContext& context) {
  const Look& look = context.look;
  session::Session& session = *context.session;
  const Result<std::string>* sampler = session.stalls().sampler();
  if (!sampler || !*sampler) return;
  if (session.activity().kind == session::BackgroundStatus::Kind::kMeasuring) {
    if (window::smallButton((std::string(look.say(text::performance::kCancel)) + "###cancelstalls").c_str()))
      session.cancel();
    ImGui::SameLine();
    drawSecond(look, look.tell(session.activity().text));
    return;
  }
  if (window::smallButton((std::string(look.say(words::kSample)) + "###samplestalls").c_str()))
    session.stalls().sample(session.navigation().current());
  drawWrappedTip(look, say(look, words::kSampleWhat, **sampler));
}

}  // namespace

Tone toneOf(StallReason reason) {
  switch (reason) {
    case StallReason::kLongScoreboard:
    case StallReason::kLgThrottle:
    case StallReason::kTexThrottle: return Tone::kGlobal;
    case StallReason::kShortScoreboard:
    case StallReason::kMioThrottle: return Tone::kShared;
    case StallReason::kMathPipeThrottle:
    case StallReason::kGmma:
    case StallReason::kWarpgroupArrive: return Tone::kTensorCore;
    case StallReason::kBarrier:
    case StallReason::kMembar: return Tone::kWarning;
    case StallReason::kSelected:
    case StallReason::kNotSelected: return Tone::kOk;
    default: return Tone::kTextSecond;
  }
}

std::string stallsText(const StallCount& stalls, std::size_t most) {
  std::string text;
  for (StallReason reason : stalls.ranked()) {
    if (profile::couldIssue(reason)) continue;
    if (most-- == 0) return text + ", …";
    text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", profile::lettersOf(reason), profile::nameOf(reason),
                        notation::shareText(stalls.share(reason)));
  }
  return text.empty() ? "–" : text;
}

std::shared_ptr<const StallResult> shownStalls(const PanelContext& context) {
  auto stalls = context.session->stalls().of(context.session->navigation().current());
  return stalls && stalls->view ? stalls : nullptr;
}

std::shared_ptr<const StallResult> comparedStalls(const PanelContext& context) {
  session::Session& session = *context.session;
  if (context.beside || session.comparison().node() < 0 ||
      session.comparison().node() == session.navigation().current())
    return nullptr;
  auto stalls = session.stalls().of(session.comparison().node());
  return stalls && stalls->view ? stalls : nullptr;
}

bool StallRoom::kept(const session::Session& session, const StallResult* stalls) {
  if (opened_ != session.opened()) {
    opened_ = session.opened();
    lookedUp_ = sampled_ = false;
  }
  lookedUp_ = lookedUp_ || stalls != nullptr;
  sampled_ = sampled_ || (stalls != nullptr && stalls->view);
  const Result<std::string>* sampler = session.stalls().sampler();
  return sampled_ || !lookedUp_ || sampler == nullptr || *sampler;
}

void drawStallSummary(PanelContext& context) {
  const Look& look = context.look;
  const auto stalls = context.session->stalls().of(context.session->navigation().current());
  const bool shown = stalls && stalls->view;
  if (shown) {
    drawSecond(look, headOf(look, *stalls));
    const Message& how = stalls->file->how;
    drawWrappedTip(look, look.say(words::kHowItIs) + (how.empty() ? std::string() : " " + look.tell(how) + "."));
  }
  if (const auto other = comparedStalls(context)) drawComparedValue(context, headOf(look, *other));
  if (stalls && stalls->problem) {
    drawSecond(look, say(look, words::kProblem, look.tell(stalls->problem->message)));
    drawWrappedTip(look, stalls->problem->remedy);
  }
  // What the program ships can be sampled anew here.
  if (!shown || stalls->file->shipped) drawButton(context);
}

void drawStallRow(PanelContext& context) {
  const Look& look = context.look;
  const auto stalls = context.session->stalls().of(context.session->navigation().current());
  const Result<std::string>* sampler = context.session->stalls().sampler();
  const bool shown = stalls && stalls->view;
  const float below = ImGui::GetCursorPosY() + ImGui::GetTextLineHeight() + look.px(2);
  if (!shown || stalls->file->shipped) {
    const ImVec2 at = ImGui::GetCursorPos();
    drawButton(context);
    if (ImGui::GetCursorPosY() > at.y) ImGui::SameLine();
  }
  std::string text = look.say(words::kNotSampled), more;
  if (shown) {
    text = headOf(look, *stalls);
    more = look.say(words::kHowItIs) + (stalls->file->how.empty() ? "" : " " + look.tell(stalls->file->how) + ".");
  } else if (stalls && stalls->problem) {
    text = say(look, words::kProblem, look.tell(stalls->problem->message));
    more = stalls->problem->remedy;
  } else if (sampler && !*sampler) {
    text = say(look, words::kNoSampling, look.tell(sampler->error().message));
    more = sampler->error().remedy;
  }
  ImGui::PushFont(nullptr, window::kSecondarySize);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(window::Tone::kTextSecond));
  ImGui::TextUnformatted(ellipsized(text, ImGui::GetContentRegionAvail().x - 2).c_str());
  ImGui::PopStyleColor();
  ImGui::PopFont();
  drawWrappedTip(look, text + (more.empty() ? "" : "\n" + more));
  ImGui::SetCursorPosY(below);
  ImGui::Dummy({0, 0});
  if (const auto other = comparedStalls(context)) drawComparedValue(context, headOf(look, *other));
}

void drawWhyNoSampling(PanelContext& context) {
  const Look& look = context.look;
  const Result<std::string>* sampler = context.session->stalls().sampler();
  if (!sampler || *sampler) return;
  drawSecond(look, say(look, words::kNoSampling, look.tell(sampler->error().message)));
  drawWrappedTip(look, sampler->error().remedy);
}

}  // namespace loom::panels
