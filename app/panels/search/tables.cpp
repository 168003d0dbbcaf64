#include "app/panels/search/tables.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/panels/search/words.h"
#include "app/panels/space/view/space_view.h"
#include "app/ui/column_name.h"
#include "app/ui/markdown.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"

namespace loom::panels {

namespace words = text::search;
using session::SearchedSchedule;
using session::SearchState;
using window::Look;
using window::Tone;

namespace {

constexpr float kMostTiers = 620;  // design px: wider, and figures stand too far from the tiers' names
constexpr ImGuiTableFlags kTierTable = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg;

// Over all searches, of one model.
template <class Error>
std::optional<double> errorOf(const SearchState& state, Error error) {
  std::vector<double> all;
  for (const auto& search : state.searches)
    if (const auto one = error(*search)) all.push_back(*one);
  if (all.empty()) return std::nullopt;
  std::ranges::nth_element(all, all.begin() + std::ptrdiff_t(all.size() / 2));
  return all[all.size() / 2];
}

struct Tier {
  const text::Text& name;
  std::string count;
  double many = 0, seconds = 0;
  std::optional<double> error;
};

// Without `isWide`, what each schedule took is left out.
void drawTier(const Look& look, const Tier& tier, bool isWide) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  drawWrapped(look.say(tier.name));
  drawFigureCell(look, tier.count);
  drawFigureCell(look, tier.seconds > 0 ? timeText(tier.seconds * 1e6) : "–");
  if (isWide) drawFigureCell(look, tier.seconds > 0 && tier.many > 0 ? timeText(tier.seconds * 1e6 / tier.many) : "–");
  drawFigureCell(look, tier.error ? fmt::format("{:.0f} %", 100 * *tier.error) : "–");
}

}  // namespace

void drawTiers(const Look& look, const SearchState& state) {
  drawHeading(look, look.say(words::kTiers));
  tune::SearchTally sum;
  std::size_t families = 0;
  double ranking = 0;
  for (const auto& search : state.searches) {
    const tune::SearchTally& tally = search->tally;
    families = std::max(families, search->families);
    ranking += search->formulaSeconds;
    sum.drawn += search->schedules.size();
    sum.compiled += tally.compiled;
    sum.measured += tally.measured;
    sum.drawing += tally.drawing;
    sum.compiling += tally.compiling;
    sum.measuring += tally.measuring;
  }
  const bool isWide = ImGui::GetContentRegionAvail().x > look.px(290);
  std::vector<const text::Text*> heads{&words::kTier, &words::kCount, &words::kCost};
  if (isWide) heads.push_back(&words::kEach);
  heads.push_back(&words::kOffBy);
  const float width = std::min(ImGui::GetContentRegionAvail().x, look.px(kMostTiers));
  if (!ImGui::BeginTable("###tiers", int(heads.size()), kTierTable, {width, 0})) return;
  for (const text::Text* head : heads)
    ImGui::TableSetupColumn(
        look.say(*head), head == &words::kTier ? ImGuiTableColumnFlags_WidthStretch : ImGuiTableColumnFlags_WidthFixed);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int i = 0; i < int(heads.size()); ++i) {
    ImGui::TableSetColumnIndex(i);
    drawColumnName(look.say(*heads[std::size_t(i)]), i > 0);
  }
  drawWrappedTip(look, look.say(words::kOffByTip));
  const auto counted = state.prepared->schedules();
  const auto tier = [&](const Tier& row) { drawTier(look, row, isWide); };
  tier({words::kSpaceTier,
        counted ? session::schedulesText(*counted) : look.say(words::kUncounted),
        0,
        state.preparing,
        {}});
  tier({words::kFormulaTier, formattedForPhrase(families), double(families), ranking,
        errorOf(state, [](const session::StrategySearch& s) { return s.formulaError; })});
  tier({words::kProgramTier, formattedForPhrase(sum.drawn), double(sum.drawn), sum.drawing,
        errorOf(state, [](const session::StrategySearch& s) { return s.errorAsWritten(); })});
  tier({words::kCodeTier, formattedForPhrase(sum.compiled), double(sum.compiled), sum.compiled > 0 ? sum.compiling : 0,
        errorOf(state, [](const session::StrategySearch& s) { return s.errorAsCompiled(); })});
  tier({words::kDeviceTier, formattedForPhrase(sum.measured), double(sum.measured), sum.measuring, {}});
  ImGui::EndTable();
}

void drawDeaths(const Look& look, const SearchState& state) {
  drawHeading(look, look.say(words::kDeaths));
  std::map<std::string, std::pair<int, Message>> all;
  for (const auto& search : state.searches)
    for (const auto& [code, death] : search->deaths()) {
      all[code].first += death.first;
      all[code].second = death.second;
    }
  if (all.empty()) return drawSecond(look, look.say(words::kNoDeaths));
  if (!ImGui::BeginTable("###deaths", 3, kTierTable)) return;
  ImGui::TableSetupColumn("count");
  ImGui::TableSetupColumn("code");
  ImGui::TableSetupColumn("why", ImGuiTableColumnFlags_WidthStretch);
  for (const auto& [code, death] : all) {
    ImGui::TableNextRow();
    drawFigureCell(look, formattedForPhrase(death.first));
    ImGui::TableNextColumn();
    ImGui::PushFont(look.fonts.code, window::kSecondarySize);
    ImGui::TextUnformatted(code.c_str());
    ImGui::PopFont();
    ImGui::TableNextColumn();
    drawSecond(look, look.tell(death.second));
  }
  ImGui::EndTable();
}

}  // namespace loom::panels
