#include "app/panels/winner/panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/notation/quantity_text.h"
#include "app/panels/winner/words.h"
#include "app/session/session.h"
#include "app/text/comparing.h"
#include "app/ui/column_name.h"
#include "app/ui/labelled_id.h"
#include "app/ui/markdown.h"
#include "app/ui/number_field.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/advice_list.h"
#include "app/widgets/decision_text.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/rule_text.h"

namespace loom::panels {

namespace words = text::winner;
using tune::NeighbourValue;
using tune::PathState;
using tune::WinnerPath;
using window::Look;
using window::Tone;

namespace {

constexpr ImGuiTableFlags kPathTable = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg;
constexpr double kSameTime = 0.005;  // a share below which two predicted times are called the same
constexpr double kNoise = 0.01;      // and two measured ones at least
constexpr double kNoises = 2;        // of a gain that is clear: both of its times have some

Tone gainTone(double gain, double same) {
  return gain > 1 + same ? Tone::kOk : gain < 1 - same ? Tone::kError : Tone::kTextSecond;
}

ImVec2 tableSize(const Look& look) { return {std::min(ImGui::GetContentRegionAvail().x, look.px(kMostTable)), 0}; }

bool hasColumns(const Look& look) { return ImGui::GetContentRegionAvail().x > look.px(300); }

std::string gainText(double gain) { return fmt::format("{:.2f} ×", gain); }

void drawColumnHeads(const Look& look, std::initializer_list<const text::Text*> heads, int figuresFrom) {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  int column = 0;
  for (const text::Text* head : heads) {
    ImGui::TableSetColumnIndex(column);
    drawColumnName(look.say(*head), column++ >= figuresFrom);
  }
}

}  // namespace

std::string timesNote(const Look& look, const session::SearchState& state) {
  if (state.winner->path.isMeasured) return look.say(words::kMeasured);
  const std::string why = state.winner->unmeasured
                              ? say(look, words::kFailed, look.tell(state.winner->unmeasured->message))
                              : look.say(state.isOnCpu ? words::kOnCpu : words::kNoGpu);
  return say(look, state.winner->isByCode ? words::kPredictedByCode : words::kPredicted, state.device, why);
}

void WinnerPanel::draw(PanelContext& context) {
  if (!context.hasProgram()) return drawNoProgram(context);
  state_ = context.session->search().state();
  if (!state_) return drawEmpty(context, words::kNone);
  if (!state_->winner)
    return drawEmpty(context, state_->isRunning      ? words::kSearching
                              : state_->isExplaining ? words::kExplaining
                                                     : words::kNone);
  drawHead(context);
  drawWhy(context);
  drawOwn(context);
  drawPath(context);
  drawSideBySide(context);
  drawWorth(context);
  preview_.follow(context);
}

const tune::Sketch& WinnerPanel::sketch() const {
  return state_->prepared->plan.sketches[std::size_t(state_->winner->path.sketch)];
}

std::string WinnerPanel::valueText(const Look& look, int decision, const PathState& state) const {
  const auto d = std::size_t(decision);
  return decidedText(look, sketch().space.decisions[d].isYesOrNo, state.assignment[d]);
}

std::optional<double> WinnerPanel::timeOf(const PathState& state) const {
  return state_->winner->path.isMeasured ? state.measured : state.predicted;
}

std::string WinnerPanel::timeTextOf(const PathState& state) const {
  const auto time = timeOf(state);
  if (!time) return "–";
  return state_->winner->path.isMeasured ? timeText(*time) : predictedText(*time);
}

void WinnerPanel::drawHead(PanelContext& context) {
  const Look& look = context.look;
  const WinnerPath& path = state_->winner->path;
  const char* from = look.say(path.isFromOwn ? words::kOwn : words::kConstructed);
  const auto gain = path.gain();
  std::string heading = timeTextOf(path.states.back());
  if (gain && !path.steps.empty())
    heading = named(look, heading, say(look, words::kGain, fmt::format("{:.2f}", *gain), from));
  const auto own = path.timeOfOwn(), winner = path.timeOf(path.states.size() - 1);
  if (own && winner)
    heading = say(look, words::kNextGain, heading,
                  say(look, words::kGain, fmt::format("{:.2f}", *own / *winner), look.say(words::kOwn)));
  drawHeading(look, heading);
  if (path.steps.empty()) drawSecond(look, say(look, words::kSame, from));
  if (gain && path.isMeasured && !path.steps.empty() && !isClear(gain)) drawWrapped(say(look, words::kHardly, from));
  const bool isModelled = state_->winner->hasModels;
  if (state_->isRunning) {
    drawSecond(look, look.say(words::kSearching));
  } else if (state_->isExplaining && isModelled && !state_->winner->isSampling) {
    drawSecond(look, look.say(words::kExplaining));
  } else if (state_->isExplaining && !path.isMeasured && state_->hasDevice && !state_->isOnCpu &&
             !state_->winner->unmeasured) {
    drawSecond(look, look.say(words::kMeasuring));
  } else {
    drawSecond(look, timesNote(look, *state_) + otherTimes(look));
  }
  drawParts(look, sketch());
  if (window::smallButton(window::windowName(look.say(words::kApply), "apply").c_str()))
    branch(context, path.states.back());
  drawWrappedTip(look, look.say(words::kApplyTip));
  flowOn(look, ImGui::CalcTextSize(look.say(words::kFromHere)).x + look.px(16));
  ImGui::BeginDisabled(context.session->search().isRunning());
  if (window::smallButton(window::windowName(look.say(words::kFromHere), "fromhere").c_str()))
    context.session->search().explain();
  ImGui::EndDisabled();
  drawWrappedTip(look, look.say(words::kFromHereTip));
}

// What the model says of a measured winner, and what the search had measured: neither is what the head says.
std::string WinnerPanel::otherTimes(const Look& look) const {
  const WinnerPath& path = state_->winner->path;
  if (!path.isMeasured) return "";
  std::string text;
  const session::StateModel* model = modelOf(*path.states.back().kernel);
  if (model != nullptr && model->estimate() != nullptr)
    text += " " + say(look, words::kModelTime, predictedText(model->estimate()->microseconds));
  const session::SearchedSchedule* best = state_->best().second;
  if (best != nullptr && best->measured && timeText(*best->measured) != timeTextOf(path.states.back()))
    text += " " + say(look, words::kSearchTime, timeText(*best->measured));
  text += " " + say(look, words::kNoise, notation::significantText(100 * sameTime(), 2, 1));
  const int tied = state_->tiedWithBest(sameTime());
  return tied == 0 ? text : text + " " + say(look, words::kTied, tied);
}

// One kernel's times in two runs differ by as much as others', whatever their difference is called.
double WinnerPanel::sameTime() const {
  return state_->winner->path.isMeasured ? std::max(kNoise, state_->winner->noise) : kSameTime;
}

std::optional<double> WinnerPanel::measuredGain(std::optional<double> gain) const {
  const bool isKnown = state_->winner->path.isMeasured && gain && std::abs(*gain - 1) > sameTime();
  return isKnown ? gain : std::nullopt;
}

std::string WinnerPanel::unexplained(const Look& look, std::optional<double> gain, const document::KernelText& before,
                                     const document::KernelText& after) const {
  const session::StateModel *then = modelOf(before), *now = modelOf(after);
  if (!measuredGain(gain) || then == nullptr || now == nullptr || then->estimate() == nullptr ||
      now->estimate() == nullptr)
    return "";
  const double predicted = then->estimate()->microseconds / now->estimate()->microseconds;
  constexpr double kPart = 0.25;  // of the gain: less of it is no explanation
  if ((predicted - 1) / (*gain - 1) >= kPart) return "";
  return say(look, words::kUnexplained, fmt::format("{:.2f}", predicted));
}

const session::StateModel* WinnerPanel::modelOf(const document::KernelText& kernel) const {
  const auto found = state_->winner->models.find(kernel.key);
  return found == state_->winner->models.end() ? nullptr : found->second.get();
}

const session::SampledWarps* WinnerPanel::stallsOf(const document::KernelText& kernel) const {
  const auto found = state_->winner->stalls.find(kernel.key);
  return found == state_->winner->stalls.end() ? nullptr : &found->second;
}

bool WinnerPanel::isClear(std::optional<double> gain) const {
  return measuredGain(gain) && std::abs(*gain - 1) > kNoises * sameTime();
}

std::string WinnerPanel::because(const Look& look, std::optional<double> gain, const ExplainedKernel& before,
                                 const ExplainedKernel& after, bool stands) const {
  return isClear(gain) ? becauseText(look, before, after, stands) : "";
}

// What came with a decision on the path, such as the size of blocks, came with it otherwise there: a gain that is the
// same isn't that of what came along.
std::string WinnerPanel::elsewhere(const Look& look, std::size_t step) const {
  const session::SearchedWinner& winner = *state_->winner;
  const WinnerPath& path = winner.path;
  if (!path.isMeasured || path.steps[step].decisions.size() != 1 || step + 1 == path.steps.size()) return "";
  const int decision = path.steps[step].decisions.front();
  const std::int64_t before = path.states[step].assignment[std::size_t(decision)];
  const PathState& last = path.states.back();
  const auto worth = std::ranges::find(winner.worth, decision, &tune::DecisionWorth::decision);
  if (worth == winner.worth.end()) return "";
  const auto there = std::ranges::find(worth->values, before, &NeighbourValue::value);
  if (there == worth->values.end() || there->with >= 0 || !there->state || !there->state->measured || !last.measured)
    return "";
  const auto kernelsOf = [](const PathState& state) -> const auto& { return state.kernel->program->kernels; };
  if (kernelsOf(*there->state).size() != 1 || kernelsOf(last).size() != 1) return "";
  const auto threadsOf = [&](const PathState& state) { return kernelsOf(state).front().threads(); };
  const auto then = threadsOf(*there->state), now = threadsOf(last);
  return say(look, words::kElsewhere, then == now ? fmt::format("{}", now) : fmt::format("{} → {}", then, now),
             fmt::format("{:.2f}", *there->state->measured / *last.measured));
}

AccountColumn WinnerPanel::columnOf(const std::string& name, const PathState& state) const {
  AccountColumn column{name,
                       state_->winner->path.isMeasured ? state.measured : std::nullopt,
                       modelOf(*state.kernel),
                       {},
                       stallsOf(*state.kernel)};
  for (int d = 0; d < int(state.assignment.size()); ++d) column.decisions[d] = state.assignment[std::size_t(d)];
  return column;
}

void WinnerPanel::drawSideBySide(PanelContext& context) {
  const Look& look = context.look;
  const WinnerPath& path = state_->winner->path;
  ImGui::Spacing();
  drawHeading(look, look.say(words::kSideBySide));
  drawWrappedTip(look, look.say(words::kSideBySideTip));
  if (!state_->winner->hasModels) return drawSecond(look, look.say(words::kModelling));
  std::vector<AccountColumn> columns;
  if (path.construction) columns.push_back(columnOf(look.say(words::kConstructed), *path.construction));
  if (!path.steps.empty())
    columns.push_back(columnOf(look.say(path.isFromOwn ? words::kOwn : words::kConstructed), path.states.front()));
  if (path.own)
    columns.push_back({look.say(words::kOwn), path.isMeasured ? path.own->measured : std::nullopt,
                       modelOf(*path.own->kernel), path.own->values, stallsOf(*path.own->kernel)});
  columns.push_back(columnOf(look.say(words::kValue), path.states.back()));
  drawAccount(look, sketch(), columns);
  if (state_->winner->isSampling) drawSecond(look, look.say(words::kSampling));
  if (const auto& why = state_->winner->unsampled) {
    drawSecond(look, say(look, words::kNotSampled, look.tell(why->message)));
    drawWrappedTip(look, why->remedy);
  }
}

// What binds a schedule, and then what costs it most.
void WinnerPanel::drawBinds(const Look& look, const std::vector<model::Advice>& binds) {
  if (binds.empty()) return drawSecond(look, look.say(words::kNoReason));
  for (const model::Advice& advice : binds)
    if (advice.code == "busiest") drawWrapped(adviceText(look, advice));
  for (const model::Advice& advice : binds) {
    if (advice.code == "busiest") continue;
    drawSecond(look, adviceText(look, advice));
    break;
  }
}

void WinnerPanel::drawWhy(PanelContext& context) {
  const Look& look = context.look;
  ImGui::Spacing();
  drawHeading(look, look.say(words::kWhy));
  const session::SearchedSchedule* best = state_->best().second;
  if (const auto vendor = state_->vendor(); vendor && best != nullptr && best->measured)
    drawWrapped(say(look, words::kOfVendor, fmt::format("{:.1f} %", 100 * vendor->microseconds / *best->measured),
                    vendor->name, timeText(vendor->microseconds), timeText(*best->measured)));
  drawBinds(look, state_->winner->binds);
}

// A schedule of the user's that isn't on the path has its own limits, and a reason why it isn't.
void WinnerPanel::drawOwn(PanelContext& context) {
  const Look& look = context.look;
  const WinnerPath& path = state_->winner->path;
  const std::size_t last = path.states.size() - 1;
  const auto own = path.isFromOwn ? path.timeOf(0) : path.timeOfOwn(), winner = path.timeOf(last);
  const bool isSlower = own && winner && *own > *winner * (1 + sameTime());
  if (!path.own && !(path.isFromOwn && isSlower)) return;
  ImGui::Spacing();
  drawHeading(look, look.say(isSlower ? words::kYours : words::kYourSchedule));
  if (own && winner) {
    const std::string time = path.isMeasured ? timeText(*own) : predictedText(*own);
    drawWrapped(say(look, words::kYourTime, time, fmt::format("{:.2f}", *own / *winner)));
    const ExplainedKernel mine = path.own ? explained(*path.own) : explained(path.states[0]);
    const document::KernelText& kernel = path.own ? *path.own->kernel : *path.states[0].kernel;
    std::string without = unexplained(look, *own / *winner, kernel, *path.states[last].kernel);
    if (isSlower && !without.empty() && !state_->winner->bindsOwn.empty())
      without += std::string(" ") + look.say(words::kNotWhy);
    for (const std::string& text : {because(look, *own / *winner, explained(path.states[last]), mine, true), without})
      if (!text.empty()) drawWrapped(text);
  }
  if (!path.own) return;
  if (!path.own->failure.empty()) drawWrapped(say(look, words::kYourFailure, look.tell(path.own->failure)));
  drawBinds(look, state_->winner->bindsOwn);
  drawSecond(look, say(look, words::kNoPath, look.tell(path.own->why)));
}

void WinnerPanel::drawPath(PanelContext& context) {
  const Look& look = context.look;
  const WinnerPath& path = state_->winner->path;
  const tune::Space& space = sketch().space;
  if (path.steps.empty()) return;
  ImGui::Spacing();
  drawHeading(look, look.say(words::kPath));
  const bool isWide = hasColumns(look);
  if (isWide) {
    if (!ImGui::BeginTable("###path", 4, kPathTable, tableSize(look))) return;
    ImGui::TableSetupColumn("decision", ImGuiTableColumnFlags_WidthStretch);
    for (const char* column : {"change", "time", "gain"}) ImGui::TableSetupColumn(column);
    drawColumnHeads(look, {&words::kDecision, &words::kChange, &words::kTime, &words::kGained}, 1);
  }
  const PathState* clicked = nullptr;
  std::string product;
  for (std::size_t n = 0; n < path.states.size(); ++n) {
    const PathState& state = path.states[n];
    std::string names, changes;
    for (const int d : n == 0 ? std::vector<int>{} : path.steps[n - 1].decisions) {
      names += (names.empty() ? "" : "\n") + look.tell(space.decisions[std::size_t(d)].words);
      changes += fmt::format("{}{} → {}", changes.empty() ? "" : "\n", valueText(look, d, path.states[n - 1]),
                             valueText(look, d, state));
    }
    if (n == 0) names = look.say(path.isFromOwn ? words::kOwn : words::kConstructed);
    if (isWide) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
    }
    ImGui::PushID(int(n));
    const std::string wrap = wrapped(names, ImGui::GetContentRegionAvail().x);
    const float height =
        std::max(ImGui::CalcTextSize(wrap.c_str()).y, isWide ? ImGui::CalcTextSize(changes.c_str()).y : 0);
    const ImGuiSelectableFlags spans = isWide ? ImGuiSelectableFlags_SpanAllColumns : ImGuiSelectableFlags_None;
    if (ImGui::Selectable((wrap + "###state").c_str(), false, spans, {0, height})) clicked = &state;
    if (ImGui::IsItemHovered()) preview_.hover(state.lines);
    ImGui::PopID();
    const auto gain = n > 0 ? path.gainOf(n - 1) : std::nullopt;
    std::string moved;
    const auto tell = [&](const std::string& text) {
      if (!text.empty()) moved += (moved.empty() ? "" : "\n") + text;
    };
    if (n > 0) {
      const document::KernelText &before = *path.states[n - 1].kernel, &after = *state.kernel;
      if (!path.steps[n - 1].together.empty()) tell(say(look, words::kTogether, look.tell(path.steps[n - 1].together)));
      if (path.isMeasured && gain && !measuredGain(gain)) {
        tell(look.say(words::kWithinNoise));
      } else {
        const std::string why = because(look, gain, explained(path.states[n - 1]), explained(state));
        tell(why);
        tell(movedText(look, modelOf(before), modelOf(after), measuredGain(gain)));
        if (why.empty()) tell(movedWaitsText(look, stallsOf(before), stallsOf(after)));
        tell(unexplained(look, gain, before, after));
      }
      tell(elsewhere(look, n - 1));
    }
    if (!moved.empty() && isWide) drawSecond(look, moved);
    const std::string gained = gain ? gainText(*gain) : n > 0 ? "–" : "";
    const Tone tone = gain ? gainTone(*gain, path.isMeasured ? kNoises * sameTime() : sameTime()) : Tone::kTextFaint;
    if (isWide) {
      drawFigureCell(look, changes);
      drawFigureCell(look, timeTextOf(state));
      ImGui::PushStyleColor(ImGuiCol_Text, look.paint(tone));
      drawFigureCell(look, gained);
      ImGui::PopStyleColor();
    } else {
      std::ranges::replace(changes, '\n', ' ');
      ImGui::PushStyleColor(ImGuiCol_Text, look.paint(tone));
      drawWrapped(fmt::format("    {}  {}  {}", changes, timeTextOf(state), gained));
      ImGui::PopStyleColor();
      if (!moved.empty()) drawSecond(look, moved);
    }
    if (gain) product += fmt::format("{}{:.2f}", product.empty() ? "" : " × ", *gain);
  }
  if (isWide) ImGui::EndTable();
  if (const auto gain = path.gain(); gain && path.steps.size() > 1)
    drawSecond(look, say(look, words::kProduct, product, fmt::format("{:.2f}", *gain)));
  if (!path.isFromOwn && path.steps.size() > 1)
    if (const std::string why =
            because(look, path.gain(), explained(path.states.front()), explained(path.states.back()));
        !why.empty())
      drawWrapped(why);
  if (clicked != nullptr) branch(context, *clicked);
}

void WinnerPanel::drawWorth(PanelContext& context) {
  const Look& look = context.look;
  const session::SearchedWinner& winner = *state_->winner;
  const auto best = timeOf(winner.path.states.back());
  if (winner.worth.empty() || !best) return;
  ImGui::Spacing();
  drawHeading(look, look.say(words::kWorth));
  drawWrappedTip(look, look.say(words::kWorthTip));
  // A narrow panel has no room for columns: there each decision is a line, and its neighbours the next.
  const bool isWide = hasColumns(look);
  if (isWide) {
    if (!ImGui::BeginTable("###worth", 4, kPathTable, tableSize(look))) return;
    ImGui::TableSetupColumn("decision", ImGuiTableColumnFlags_WidthStretch);
    for (const char* column : {"winner", "lower", "higher"}) ImGui::TableSetupColumn(column);
    drawColumnHeads(look, {&words::kDecision, &words::kValue, &words::kLower, &words::kHigher}, 1);
  }
  bool hasStars = false;
  for (const tune::DecisionWorth& worth : winner.worth) {
    const std::int64_t own = winner.path.states.back().assignment[std::size_t(worth.decision)];
    const NeighbourValue *lower = nullptr, *higher = nullptr;
    for (const NeighbourValue& value : worth.values) (value.value < own ? lower : higher) = &value;
    const std::string decision = look.tell(sketch().space.decisions[std::size_t(worth.decision)].words);
    const std::string shown = valueText(look, worth.decision, winner.path.states.back());
    ImGui::PushID(worth.decision);
    if (isWide) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      drawWrapped(decision);
      drawFigureCell(look, shown);
    } else {
      drawWrapped(named(look, decision, shown));
      ImGui::Dummy({look.px(8), ImGui::GetTextLineHeight()});
    }
    drawNeighbour(context, worth.decision, lower, *best, isWide);
    drawNeighbour(context, worth.decision, higher, *best, isWide);
    hasStars |= std::ranges::any_of(worth.values, [](const NeighbourValue& value) { return value.with >= 0; });
    ImGui::PopID();
  }
  if (isWide) ImGui::EndTable();
  if (hasStars) drawSecond(look, look.say(words::kStar));
}

void WinnerPanel::drawNeighbour(PanelContext& context, int decision, const NeighbourValue* value, double winner,
                                bool isCell) {
  const Look& look = context.look;
  if (isCell) ImGui::TableNextColumn();
  if (value == nullptr) return;
  const auto time = value->state ? timeOf(*value->state) : std::nullopt;
  std::string text;
  Tone tone = Tone::kTextFaint;
  if (time) {
    const double gain = winner / *time;
    const auto percent = [](double share) { return notation::significantText(100 * share, 2, 1); };
    tone = gainTone(gain, sameTime());
    text = tone == Tone::kOk      ? say(look, text::comparing::kLessTime, percent(1 - *time / winner))
           : tone == Tone::kError ? say(look, text::comparing::kMoreTime, percent(*time / winner - 1))
                                  : look.say(words::kEqual);
  } else {
    text = look.say(value->state ? words::kNoTime : words::kNotAlone);
  }
  const bool asks = sketch().space.decisions[std::size_t(decision)].isYesOrNo;
  text = named(look, decidedText(look, asks, value->value) + (value->with >= 0 ? "*" : ""), text);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(tone));
  if (isCell) {
    drawRight(text);
  } else {
    flowOn(look, ImGui::CalcTextSize(text.c_str()).x);
    ImGui::TextUnformatted(text.c_str());
  }
  ImGui::PopStyleColor();
  if (!ImGui::IsItemHovered()) return;
  if (value->state) preview_.hover(value->state->lines);
  std::string tip = value->state ? timeTextOf(*value->state) : std::string();
  if (value->with >= 0) {
    const auto with = std::size_t(value->with);
    tip += "\n" + say(look, words::kWith, look.tell(sketch().space.decisions[with].words),
                      valueText(look, value->with, state_->winner->path.states.back()),
                      valueText(look, value->with, *value->state));
  }
  if (!value->problem.empty()) tip += (tip.empty() ? "" : "\n") + look.tell(value->problem);
  showTip(look, tip);
}

void WinnerPanel::branch(PanelContext& context, const PathState& state) {
  preview_.branch(context, state.lines, named(context.look, context.look.say(words::kTitle), timeTextOf(state)),
                  message("A schedule on the way to the winner"));
}

}  // namespace loom::panels
