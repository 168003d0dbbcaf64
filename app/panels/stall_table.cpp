#include "app/panels/stall_table.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/notation/quantity_text.h"
#include "app/panels/panel_text.h"
#include "app/panels/short_step.h"
#include "app/panels/stall_column.h"
#include "app/panels/state_text.h"
#include "app/text/performance.h"
#include "app/text/stalls.h"
#include "app/window/look.h"
#include "app/window/small_button.h"
#include "app/workbench/workbench.h"

namespace loom::panels {

namespace words = text::stalls;
using notation::Tone;
using profile::StallCount;
using profile::StallReason;
using window::Look;
using workbench::KnownStalls;

namespace {

void drawTip(const Look& look, const std::string& text) {
  if (!ImGui::IsItemHovered() || !ImGui::BeginTooltip()) return;
  ImGui::PushTextWrapPos(look.px(420));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

std::shared_ptr<const KnownStalls> known(PanelContext& context) {
  return context.workbench->stalls(context.workbench->current());
}

// Of the state compared with; null: there is none, or it has no samples.
std::shared_ptr<const KnownStalls> ofOther(PanelContext& context) {
  workbench::Workbench& bench = *context.workbench;
  if (bench.comparedWith() < 0 || bench.comparedWith() == bench.current()) return nullptr;
  auto other = bench.stalls(bench.comparedWith());
  return other && other->view ? other : nullptr;
}

// The button, where stalls can be sampled.
void drawButton(PanelContext& context) {
  const Look& look = context.look;
  workbench::Workbench& bench = *context.workbench;
  const Result<std::string>* sampler = bench.stallSampler();
  if (!sampler || !*sampler) return;
  const bool measuring = bench.activity().kind == workbench::Activity::Kind::kMeasuring;
  if (measuring) {
    if (window::smallButton((std::string(look.say(text::performance::kCancel)) + "###cancelstalls").c_str()))
      bench.cancel();
    ImGui::SameLine();
    drawSecond(look, look.tell(bench.activity().text));
    return;
  }
  if (window::smallButton((std::string(look.say(words::kSample)) + "###samplestalls").c_str()))
    bench.sampleStalls(bench.current());
  drawTip(look, say(look, words::kSampleWhat, **sampler));
}

std::string headOf(const Look& look, const KnownStalls& stalls) {
  constexpr std::size_t kMost = 4;
  return say(look, words::kHead, stallsText(stalls.view->total, kMost), stallOrigin(look, stalls));
}

// A share with a bar behind it.
void drawShare(const Look& look, double share, double most, Tone tone) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x, line = ImGui::GetTextLineHeight();
  ImGui::GetWindowDrawList()->AddRectFilled(
      {at.x, at.y + line}, {at.x + room * float(most > 0 ? share / most : 0), at.y + line + look.px(2)},
      look.paint(tone));
  drawRight(share > 0 ? notation::shareText(share) : "–");
}

double unissuedOf(const StallCount& all, StallReason r) {
  return all.notIssued > 0 ? double(all.unissued[std::size_t(r)]) / double(all.notIssued) : 0;
}

// The state's reasons, then those that only the other one has.
std::vector<StallReason> rowsOf(const StallCount& all, const StallCount* other) {
  std::vector<StallReason> rows = all.ranked();
  if (other == nullptr) return rows;
  for (StallReason r : other->ranked())
    if (std::find(rows.begin(), rows.end(), r) == rows.end()) rows.push_back(r);
  return rows;
}

}  // namespace

std::string stallOrigin(const Look& look, const KnownStalls& known) {
  const profile::ProfileFile& file = *known.file;
  const std::string tool = look.tell(file.tool);
  if (file.device.empty()) return fmt::format("{}, {}", tool, file.date);
  return say(look, file.shipped ? words::kShippedOn : words::kSampledOn, file.device, tool, file.date);
}

void drawStallSummary(PanelContext& context) {
  const Look& look = context.look;
  const auto stalls = known(context);
  if (stalls && stalls->view) {
    drawSecond(look, headOf(look, *stalls));
    const std::string& how = stalls->file->how;
    drawTip(look, how.empty() ? look.say(words::kHowItIs) : look.say(words::kHowItIs) + (" " + look.tell(how)) + ".");
  }
  if (const auto other = ofOther(context)) drawOther(context, headOf(look, *other));
  if (stalls && stalls->problem) {
    drawSecond(look, say(look, words::kProblem, look.tell(stalls->problem->message)));
    if (!stalls->problem->remedy.empty()) drawTip(look, stalls->problem->remedy);
  }
  // What the program ships can be sampled anew here.
  if (!stalls || !stalls->view || stalls->file->shipped) drawButton(context);
}

bool hasStallTable(PanelContext& context) {
  const auto stalls = known(context);
  return stalls && stalls->view;
}

void drawNoStalls(PanelContext& context) {
  const Look& look = context.look;
  const auto stalls = known(context);
  if (stalls && stalls->problem) {
    drawSecond(look, say(look, words::kProblem, look.tell(stalls->problem->message)));
    if (!stalls->problem->remedy.empty()) drawSecond(look, stalls->problem->remedy);
  }
  const Result<std::string>* sampler = context.workbench->stallSampler();
  if (sampler && !*sampler) {
    drawSecond(look, say(look, words::kNoSampling, look.tell(sampler->error().message)));
    drawTip(look, sampler->error().remedy.empty() ? look.tell(sampler->error().message) : sampler->error().remedy);
  } else {
    drawButton(context);
  }
}

void drawStallTable(PanelContext& context, float width) {
  const Look& look = context.look;
  const auto stalls = known(context);
  const auto other = ofOther(context);
  const StallCount& all = stalls->view->total;
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg;
  const float height = std::max(ImGui::GetContentRegionAvail().y, look.px(110));
  const std::string id = fmt::format("###stalls{:.0f}{}", look.scale * 100, other ? "c" : "");
  if (!ImGui::BeginTable(id.c_str(), other ? 5 : 4, kFlags, {width, height})) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  auto column = [&](const text::Text& head, float size) {
    ImGui::TableSetupColumn(look.say(head), ImGuiTableColumnFlags_WidthFixed, look.px(size));
  };
  column(words::kReasonHead, 132);
  column(words::kShareHead, 62);
  column(words::kUnissuedHead, 62);
  if (other) column(words::kOtherHead, 62);
  ImGui::TableSetupColumn(look.say(words::kMeansHead), ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableHeadersRow();
  if (ImGui::TableSetColumnIndex(2)) drawTip(look, look.say(words::kUnissuedWhat));
  const std::vector<StallReason> rows = rowsOf(all, other ? &other->view->total : nullptr);
  double most = 0, mostUnissued = 0, mostOther = 0;
  for (StallReason r : rows) {
    most = std::max(most, all.share(r));
    mostUnissued = std::max(mostUnissued, unissuedOf(all, r));
    if (other) mostOther = std::max(mostOther, other->view->total.share(r));
  }
  for (StallReason r : rows) {
    const words::Reason* reason = words::reasonOf(profile::nameOf(r));
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(toneOf(r)));
    ImGui::TextUnformatted(profile::lettersOf(r));
    ImGui::PopStyleColor();
    ImGui::SameLine();
    ImGui::TextUnformatted(profile::nameOf(r));
    ImGui::TableNextColumn();
    drawShare(look, all.share(r), most, toneOf(r));
    ImGui::TableNextColumn();
    drawShare(look, unissuedOf(all, r), mostUnissued, toneOf(r));
    if (other) {
      ImGui::TableNextColumn();
      drawShare(look, other->view->total.share(r), mostOther, toneOf(r));
    }
    ImGui::TableNextColumn();
    if (reason == nullptr) continue;
    fittedText(look.say(reason->means), ImGui::GetContentRegionAvail().x);
    drawTip(look, look.say(reason->means) + ("\n" + say(look, words::kHelps, look.say(reason->helps))));
  }
  ImGui::EndTable();
}

}  // namespace loom::panels
