#include "app/panels/space/rows.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/notation/quantity_text.h"
#include "app/panels/space/words.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/widgets/decision_text.h"

namespace loom::panels {

namespace words = text::space;
using session::SpaceModel;
using session::SpaceRow;
using session::SpaceValue;
using window::Look;
using window::Tone;

namespace {

constexpr std::size_t kShownReasons = 6;

std::string constraintText(const Look& look, const tune::Space& space, int constraint) {
  const tune::Constraint& c = space.constraints[static_cast<std::size_t>(constraint)];
  return named(look, provenanceText(look, c.words), tune::formulaOf(space, c));
}

std::string constraintsText(const Look& look, const tune::Space& space, const std::vector<int>& constraints) {
  if (constraints.empty()) return "";
  std::string text = fmt::format("\n{}", look.say(words::kNamedIn));
  for (const int c : constraints) text += "\n• " + constraintText(look, space, c);
  return text;
}

// Why a value is dead, or that it is being found out.
std::string reasonText(const Look& look, SpaceModel& model, int decision, std::int64_t value) {
  const tune::WhyDead* why = model.whyDead(decision, value);
  if (why == nullptr) return look.say(words::kLooking);
  const tune::Space& space = model.sketch()->sketch.space;
  std::vector<std::string> reasons;
  for (const int c : why->constraints) reasons.push_back(constraintText(look, space, c));
  for (const int d : why->pins) {
    reasons.push_back(say(look, words::kPin, look.tell(space.decisions[static_cast<std::size_t>(d)].words)));
  }
  const auto wordsOf = [&](int c) {
    return provenanceText(look, space.constraints[static_cast<std::size_t>(c)].words);
  };
  for (const auto& [a, b] : why->pairs) reasons.push_back(say(look, words::kBoth, wordsOf(a), wordsOf(b)));
  if (reasons.empty()) return look.say(why->isComplete ? words::kNoReason : words::kIncomplete);
  std::string text = look.say(why->pairs.empty() ? words::kAnyOne : words::kPairs);
  for (std::size_t r = 0; r < std::min(kShownReasons, reasons.size()); ++r) text += "\n• " + reasons[r];
  if (reasons.size() > kShownReasons) text += "\n" + say(look, words::kMore, reasons.size() - kShownReasons);
  return why->isComplete ? text : fmt::format("{}\n{}", text, look.say(words::kIncomplete));
}

std::string valueTip(const Look& look, SpaceModel& model, int decision, const SpaceValue& value) {
  const SpaceRow& row = model.view().rows[static_cast<std::size_t>(decision)];
  const std::string name = fmt::format("{} = {}", row.name, value.value);
  if (!value.schedules) {
    return say(look, words::kUncountedValue, name) +
           constraintsText(look, model.sketch()->sketch.space, row.constraints);
  }
  if (value.isDead()) {
    return say(look, words::kDead, name) + "\n" + reasonText(look, model, decision, value.value);
  }
  return say(look, *value.schedules == 1 ? words::kHasOne : words::kHas, name, session::exactText(*value.schedules),
             notation::shareText(value.share)) +
         constraintsText(look, model.sketch()->sketch.space, row.constraints);
}

// The width of a row's buttons, all alike so that values stand in columns.
float valueWidth(const Look& look, const SpaceRow& row) {
  float widest = 0;
  for (const SpaceValue& value : row.values)
    widest = std::max(widest, ImGui::CalcTextSize(decidedText(look, row.isYesOrNo, value.value).c_str()).x);
  return std::max(widest + look.px(12), look.px(30));
}

// A button with the value and, at its foot, the share of schedules that have it: of the row's largest share as long as
// the button. Returns true when it is clicked.
bool valueButton(const Look& look, const SpaceRow& row, const SpaceValue& value, double largest, float width) {
  const std::string label = decidedText(look, row.isYesOrNo, value.value);
  const ImVec2 text = ImGui::CalcTextSize(label.c_str());
  const ImVec2 size = {width, text.y + look.px(8)};
  const bool clicked = ImGui::InvisibleButton(fmt::format("###{}", value.value).c_str(), size);
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  auto* list = ImGui::GetWindowDrawList();
  const bool dead = value.isDead(), pinned = row.isPinned && value.isAllowed;
  const float round = look.px(3);
  if (pinned) {
    list->AddRectFilled(from, to, look.paint(Tone::kSelected, 0.3F), round);
  } else if (ImGui::IsItemHovered() && !dead) {
    list->AddRectFilled(from, to, look.paint(Tone::kHovered), round);
  }
  if (!dead) list->AddRect(from, to, look.paint(pinned ? Tone::kSelected : Tone::kLine), round, 0, look.px(1));
  const Tone tone = dead ? Tone::kTextFaint : value.isAllowed ? Tone::kText : Tone::kTextSecond;
  list->AddText({std::floor(from.x + (size.x - text.x) / 2), std::floor(from.y + look.px(2))}, look.paint(tone),
                label.c_str());
  if (value.share > 0) {
    // A value that few schedules have keeps a mark: it is alive.
    const float inset = look.px(3), room = size.x - 2 * inset;
    const float share = std::max(look.px(1.5F), room * static_cast<float>(value.share / largest));
    list->AddRectFilled({from.x + inset, to.y - look.px(5)}, {from.x + inset + share, to.y - look.px(2)},
                        look.paint(value.isAllowed ? Tone::kOk : Tone::kTextFaint));
  }
  return clicked;
}

// The values from the cursor on, in as many lines as they need.
void drawValues(PanelContext& context, SpaceModel& model, int decision) {
  const Look& look = context.look;
  const SpaceRow& row = model.view().rows[static_cast<std::size_t>(decision)];
  const float edge = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x, gap = look.px(3),
              width = valueWidth(look, row);
  double largest = 0;
  for (const SpaceValue& value : row.values) largest = std::max(largest, value.share);
  std::optional<std::int64_t> clicked;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
  for (const SpaceValue& value : row.values) {
    if (&value != &row.values.front() && ImGui::GetItemRectMax().x + gap + width <= edge) ImGui::SameLine(0, gap);
    if (valueButton(look, row, value, largest, width)) clicked = value.value;
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) {
      drawWrappedTip(look, valueTip(look, model, decision, value));
    }
  }
  ImGui::PopStyleVar();
  if (clicked) model.click(decision, *clicked, ImGui::GetIO().KeyCtrl);
}

// Where a count lies on a logarithmic scale from 1 to `most`: 0 to 1.
double logarithmicShare(tune::Count count, tune::Count most) {
  if (most <= 1 || count == 0) return 0;
  return std::log(static_cast<double>(count)) / std::log(static_cast<double>(most));
}

// The bar of a count on that scale.
void drawLogarithmic(const Look& look, tune::Count count, tune::Count most, Tone tone) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x, line = ImGui::GetTextLineHeight();
  ImGui::GetWindowDrawList()->AddRectFilled(
      {at.x, at.y + line * 0.2F},
      {at.x + room * static_cast<float>(logarithmicShare(count, most)), at.y + line * 0.85F}, look.paint(tone));
  ImGui::Dummy({room, line});
}

void drawWaterfallRow(const Look& look, const std::string& name, const Result<tune::Count>& count, tune::Count most,
                      Tone tone, const std::string& tip) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(ellipsized(name, ImGui::GetContentRegionAvail().x).c_str());  // the hover begins with it
  drawWrappedTip(look, tip);
  ImGui::TableNextColumn();
  drawLogarithmic(look, count.value_or(most), most, count ? tone : Tone::kLine);
  drawWrappedTip(look, tip);
  ImGui::TableNextColumn();
  drawFigureCell(look, count ? session::schedulesText(*count) : "?");
}

std::string waterfallTip(const Look& look, const std::string& constraint, const tune::Waterfall& waterfall,
                         std::size_t at) {
  const tune::Waterfall::Row& row = waterfall.rows[at];
  const Result<tune::Count>& before = at == 0 ? waterfall.raw : waterfall.rows[at - 1].after;
  std::string tip = constraint;
  if (!row.after) tip += "\n" + look.tell(row.after.error().message);
  if (row.after && before && *row.after == *before) tip += fmt::format("\n{}", look.say(words::kTakesNothing));
  if (row.after && before && *row.after<*before&& * row.after> 0) {
    const double ratio = static_cast<double>(*before) / static_cast<double>(*row.after);
    tip += "\n" + say(look, words::kLeaves, session::exactText(*row.after), notation::ratioText(ratio));
  }
  if (row.alone && waterfall.raw && *row.alone == *waterfall.raw) {
    tip += fmt::format("\n{}", look.say(words::kAloneTakesNothing));
  } else if (row.alone && waterfall.raw) {
    tip += "\n" + say(look, words::kAlone, session::schedulesText(*row.alone), session::schedulesText(*waterfall.raw));
  }
  return tip;
}

// A column for all combinations and one for what each constraint leaves, on a logarithmic scale.
void drawStrip(const Look& look, const SpaceModel& model, const tune::Waterfall& waterfall) {
  const float width = std::min(ImGui::GetContentRegionAvail().x, look.px(360)), height = look.px(34);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("###strip", {width, height});
  auto* list = ImGui::GetWindowDrawList();
  const std::size_t columns = waterfall.rows.size() + 1;
  const float step = width / static_cast<float>(columns), gap = look.px(2), baseline = at.y + height;
  list->AddLine({at.x, baseline}, {at.x + width, baseline}, look.paint(Tone::kLine), look.px(1));
  const int hovered = ImGui::IsItemHovered() ? static_cast<int>((ImGui::GetMousePos().x - at.x) / step) : -1;
  for (std::size_t c = 0; c < columns; ++c) {
    const Result<tune::Count>& count = c == 0 ? waterfall.raw : waterfall.rows[c - 1].after;
    const float high = height * static_cast<float>(logarithmicShare(count.value_or(*waterfall.raw), *waterfall.raw));
    const Tone tone = !count             ? Tone::kLine
                      : c + 1 == columns ? Tone::kOk
                      : c == 0           ? Tone::kTextFaint
                                         : Tone::kTextSecond;
    const float left = at.x + static_cast<float>(c) * step;
    list->AddRectFilled({left, baseline - std::max(high, look.px(1))}, {left + step - gap, baseline},
                        look.paint(tone, hovered == static_cast<int>(c) ? 1 : 0.75F));
  }
  if (hovered < 0) return;
  const tune::Space& space = model.sketch()->sketch.space;
  const auto c = static_cast<std::size_t>(std::min(hovered, static_cast<int>(columns) - 1));
  drawWrappedTip(look,
                 c == 0 ? named(look, look.say(words::kRaw), session::exactText(*waterfall.raw))
                        : waterfallTip(look, constraintText(look, space, static_cast<int>(c) - 1), waterfall, c - 1));
}

void drawWaterfallTable(const Look& look, const SpaceModel& model, const tune::Waterfall& waterfall) {
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_SizingFixedFit;
  if (!ImGui::BeginTable(fmt::format("###waterfall{:.0f}", look.scale * 100).c_str(), 3, kFlags)) return;
  ImGui::TableSetupColumn("###constraint", ImGuiTableColumnFlags_WidthFixed, ImGui::GetContentRegionAvail().x * 0.45F);
  ImGui::TableSetupColumn("###bar", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("###count", ImGuiTableColumnFlags_WidthFixed, look.px(74));
  const tune::Count most = *waterfall.raw;
  drawWaterfallRow(look, look.say(words::kRaw), waterfall.raw, most, Tone::kTextFaint, session::exactText(most));
  const tune::Space& space = model.sketch()->sketch.space;
  for (std::size_t c = 0; c < waterfall.rows.size(); ++c) {
    const bool last = c + 1 == waterfall.rows.size();
    drawWaterfallRow(look, provenanceText(look, space.constraints[c].words), waterfall.rows[c].after, most,
                     last ? Tone::kOk : Tone::kTextSecond,
                     waterfallTip(look, constraintText(look, space, static_cast<int>(c)), waterfall, c));
  }
  ImGui::EndTable();
}

}  // namespace

void drawDecisions(PanelContext& context, SpaceModel& model) {
  const Look& look = context.look;
  const bool narrow = ImGui::GetContentRegionAvail().x < look.px(320);  // words above the values
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_BordersInnerH;
  if (!ImGui::BeginTable(fmt::format("###decisions{:.0f}", look.scale * 100).c_str(), narrow ? 1 : 2, kFlags)) return;
  if (!narrow) {
    float widest = look.px(80);
    for (const SpaceRow& row : model.view().rows) {
      widest = std::max(widest, ImGui::CalcTextSize(look.tell(row.words).c_str()).x + look.px(8));
    }
    ImGui::TableSetupColumn("###words", ImGuiTableColumnFlags_WidthFixed,
                            std::min(widest, ImGui::GetContentRegionAvail().x * 0.42F));
  }
  ImGui::TableSetupColumn("###values", ImGuiTableColumnFlags_WidthStretch);
  for (int d = 0; d < static_cast<int>(model.view().rows.size()); ++d) {
    const SpaceRow& row = model.view().rows[static_cast<std::size_t>(d)];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushID(row.name.c_str());
    if (!narrow) ImGui::SetCursorPosY(ImGui::GetCursorPosY() + look.px(2));
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(row.isPinned ? Tone::kSelected : Tone::kText));
    const std::string words = look.tell(row.words);
    ImGui::BeginGroup();
    drawWrapped(words);
    ImGui::EndGroup();
    ImGui::PopStyleColor();
    drawWrappedTip(look,
                   words + "\n" + row.name + constraintsText(look, model.sketch()->sketch.space, row.constraints));
    if (!narrow) ImGui::TableNextColumn();
    drawValues(context, model, d);
    ImGui::PopID();
  }
  ImGui::EndTable();
}

void drawWaterfall(PanelContext& context, SpaceModel& model, bool& isOpen) {
  const Look& look = context.look;
  const tune::Waterfall* waterfall = model.waterfall();
  if (waterfall == nullptr) return drawSecond(look, look.say(words::kCounting));
  if (!waterfall->raw) return drawSecond(look, look.tell(waterfall->raw.error().message));
  drawStrip(look, model, *waterfall);
  if (ImGui::IsItemClicked()) isOpen = !isOpen;
  const tune::Space& space = model.sketch()->sketch.space;
  const std::string label =
      say(look, words::kWaterfall, session::schedulesText(*waterfall->raw), space.constraints.size());
  ImGui::PushFont(nullptr, window::kSecondarySize);
  ImGui::SetNextItemOpen(isOpen);
  isOpen = ImGui::TreeNodeEx(window::windowName(label.c_str(), "waterfall").c_str(),
                             ImGuiTreeNodeFlags_NoTreePushOnOpen | ImGuiTreeNodeFlags_SpanAvailWidth);
  drawWrappedTip(look, look.say(words::kWaterfallTip));
  if (isOpen) drawWaterfallTable(look, model, *waterfall);
  ImGui::PopFont();
}

}  // namespace loom::panels
