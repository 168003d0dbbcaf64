#include "app/panels/compare/page.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "app/notation/origin_text.h"
#include "app/panels/compare/view/advice_difference.h"
#include "app/panels/performance/view/performance.h"
#include "app/panels/performance/words.h"
#include "app/session/session.h"
#include "app/text/comparing.h"
#include "app/ui/choice.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/quantity_text.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/advice_list.h"
#include "app/widgets/figure_text.h"
#include "app/widgets/occupancy_text.h"
#include "app/widgets/state_text.h"
#include "core/document/branches.h"
#include "core/document/chapter_order.h"

namespace loom::panels {

namespace words = text::performance;
using session::ComparedFigure;
using session::ComparedRow;
using window::Look;
using window::Tone;
using Kind = ComparedFigure::Kind;

namespace {

constexpr double kNoise = 0.02;  // between two runs of one kernel
constexpr double kTold = 0.05;   // of two predictions, which may each be as far from the truth

// How many times as much, or as little.
std::string factorText(double ratio) { return ratio < 1 ? "÷ " + figureText(1 / ratio) : "× " + figureText(ratio); }

// How the time of the second state is to that of the first.
std::string ratioText(const Look& look, const ComparedRow& time) {
  const double ratio = time.change();
  if (!time.differs) return look.say(words::kAsFast);
  if (std::abs(ratio - 1) < kNoise)
    return say(look, ratio > 1 ? text::comparing::kMoreTime : text::comparing::kLessTime,
               fmt::format("{:.1f}", 100 * std::abs(ratio - 1)));
  return say(look, ratio > 1 ? words::kSlowerBecause : words::kFasterBecause, figureText(std::max(ratio, 1 / ratio)));
}

// What the model finds wrong with one of the two only. Too few warps are no longer told of where something else limits
// them further: that is no gain.
std::vector<std::string> reasonsOf(const Look& look, const session::StateModel& before, const session::StateModel& now,
                                   const std::string& other) {
  std::vector<std::string> reasons;
  for (const model::Advice& a : session::adviceOnlyIn(now.advice, before.advice))
    reasons.push_back(say(look, words::kNewReason, adviceText(look, a)));
  const auto &then = session::performanceOf(before).occupancy, &fit = session::performanceOf(now).occupancy;
  for (const model::Advice& a : session::adviceOnlyIn(before.advice, now.advice)) {
    const bool fewer = a.code == "few_warps" && then && fit && fit->warps < then->warps;
    reasons.push_back(
        fewer ? say(look, words::kFewerWarps, fit->warps, fit->maxWarps, limitersText(look, *fit), then->warps, other)
              : say(look, words::kGoneReason, adviceText(look, a), other));
  }
  return reasons;
}

// Of a change to `ratio` times the figure: what is less time, waste or work is better, what is neither is just another.
Tone changeTone(Kind kind, double ratio) {
  constexpr double kTrifle = 0.01;
  if (std::abs(ratio - 1) < (kind == Kind::kMeasured ? kNoise : kTrifle)) return Tone::kTextFaint;
  switch (kind) {
    case Kind::kMeasured:
    case Kind::kPredicted:
    case Kind::kPipe:
    case Kind::kSpills:
    case Kind::kTraffic:
    case Kind::kLoadSectors:
    case Kind::kStoreSectors:
    case Kind::kConflicts:
    case Kind::kWays:
    case Kind::kInstructions: return ratio < 1 ? Tone::kOk : Tone::kWarning;
    case Kind::kProducts:
    case Kind::kOccupancy:
    case Kind::kIntensity: return ratio > 1 ? Tone::kOk : Tone::kWarning;
    default: return Tone::kChanged;
  }
}

// The states between the two that aren't kernels: what they do is in the difference as well. Empty where `to` doesn't
// come of `from`, or there are none.
std::string passedOver(const Look& look, const session::Session& session, int from, int to) {
  const std::vector<int> path = session.navigation().history().path(to);
  auto at = std::find(path.begin(), path.end(), from);
  if (at == path.end()) return "";
  int first = -1, last = -1;
  for (++at; at != path.end() && *at != to; ++at) {
    const auto program = session.programs().of(*at);
    if (!program || !program->kernel.problem) return "";  // kernels are among them: the user chose so far a state
    last = session.navigation().history().node(*at).number;
    if (first < 0) first = last;
  }
  if (first < 0) return "";
  return first == last ? say(look, words::kNoKernelBetween, first) : say(look, words::kNoKernelsBetween, first, last);
}

// Whether the lesson's text compares the current state with this one.
bool isLessons(const session::Session& session, int node) {
  return node >= 0 && node == document::comparedEnd(*session.documents().target(), session.navigation().current());
}

}  // namespace

void ComparePage::choose(PanelContext& context) {
  session::Session& session = *context.session;
  const Look& look = context.look;
  if (opened_ != session.opened()) {
    opened_ = session.opened();
    revision_ = ~std::uint64_t{0};
  }
  against_ = session.comparison().node();
  if (against_ == session.navigation().current()) against_ = -1;
  if (against_ < 0 || against_ >= int(session.navigation().history().nodes().size())) {
    against_ = comparedByDefault(session, session.navigation().current());
  }
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(look.say(words::kCompareWith));
  ImGui::SameLine();
  const float width = std::min(look.px(280), ImGui::GetContentRegionAvail().x * 0.6F);
  ImGui::SetNextItemWidth(width);
  const std::string shown = against_ >= 0 ? comparedLabel(look, session, against_) : "–";
  const bool open =
      ImGui::BeginCombo("###other", ellipsized(shown, width - look.px(34)).c_str(), ImGuiComboFlags_HeightLargest);
  if (!open)
    setItemTip(look,
               shown + (isLessons(session, against_) ? "\n" + std::string(look.say(words::kLessonCompares)) : ""));
  if (open) {
    const int chosen = finder_.draw(
        context, [&](int node) { return node == against_; }, against_, session.navigation().current());
    if (chosen >= 0) {
      session.comparison().with(against_ = chosen);
      ImGui::CloseCurrentPopup();
    }
    ImGui::EndCombo();
  }
  ImGui::SameLine();
  window::checkbox(look, fmt::format("{}###different", look.say(words::kOnlyDifferent)).c_str(), &onlyDifferent_);
  const auto program = session.programs().of(session.navigation().current());
  const bool none = program && program->kernel.problem, lessons = isLessons(session, against_);
  if (against_ < 0 || (!waiting_ && !none && !lessons)) return;
  ImGui::SameLine(0, look.px(16));  // beside: a line that comes and goes would move the rows
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
  fittedText(none       ? say(look, words::kNoFiguresNow, session.navigation().node().number)
             : waiting_ ? std::string(look.say(words::kModelling))
                        : std::string(look.say(words::kAsLesson)),
             ImGui::GetContentRegionAvail().x);
  if (!none && !waiting_) setItemTip(look, look.say(words::kLessonCompares));
  ImGui::PopStyleColor();
}

// Over a column of figures: the state by its number and step, or by its chapter; where both have one number, its time
// tells them apart.
std::pair<std::string, std::string> ComparePage::headOf(const Look& look, session::Session& session, int node,
                                                        float width) const {
  const bool now = node == session.navigation().current();
  const std::string last = now ? fmt::format(" ({})", look.say(words::kNow)) : "";
  const auto shortened = [&](const std::string& head) {
    return std::pair(ellipsized(head, width - ImGui::CalcTextSize(last.c_str()).x) + last, head + last);
  };
  if (document::chapterEndingAt(*session.documents().target(), node) >= 0)
    return shortened(comparedLabel(look, session, node));
  const auto& history = session.navigation().history();
  std::string head = std::to_string(history.node(node).number) + " ";
  const auto* measured = session.results().measured(node);
  if (measured && history.node(against_).number == session.navigation().node().number)
    head += "· " + timeText(measured->timing.median) + " ";
  if (const int branch = document::firstOfBranch(history, node); branch >= 0)
    head += say(look, words::kAfter, history.node(history.node(branch).parent).number) + " ";
  return shortened(head + comparedTitle(look, session, node));
}

void ComparePage::follow(PanelContext& context) {
  session::Session& session = *context.session;
  if (revision_ == session.revision() && current_ == session.navigation().current()) return;
  revision_ = session.revision();
  current_ = session.navigation().current();
  // Figures of a program as written stand beside none of machine code: both models are to be as deep as they get. Both
  // are asked, so that both are made.
  const bool thereFinal = session.models().isFinal(against_), hereFinal = session.models().isFinal(current_);
  waiting_ = !thereFinal || !hereFinal;
  // Times of two devices aren't set against each other, nor against what the model says of a third: each has its row.
  const bool both = session.results().measured(against_) && session.results().measured(current_);
  const bool others = session.results().areFromAnotherDevice() ||
                      (both && session.results().timed(against_)->device != session.results().timed(current_)->device);
  auto figures = [&](int node) {
    std::vector<ComparedFigure> all;
    if (const auto* measured = session.results().measured(node))
      all.push_back({Kind::kMeasured, others ? session.results().timed(node)->device : "", measured->timing.median,
                     verbatim(originText(context.look, *session.results().timed(node)))});
    if (waiting_) return all;
    const auto model = session.models().of(node, session::ModelBasis::kMachineCode);
    all.insert(all.end(), session::performanceOf(*model).figures.begin(), session::performanceOf(*model).figures.end());
    return all;
  };
  auto origin = [&](int node) -> std::optional<gpu::ResultOrigin> {
    if (!session.results().measured(node)) return {};
    return session.results().timed(node)->result->origin;
  };
  const auto then = origin(against_), now = origin(current_);
  const bool mixed = then && now && *then != *now;
  timeOrigin_ = mixed ? gpu::ResultOrigin::Measured : now.value_or(then.value_or(gpu::ResultOrigin::Measured));
  timeName_ = mixed ? &words::kTimeOf : &notation::ofOrigin(words::kTimeFigures, timeOrigin_);
  rows_ = session::compared(figures(against_), figures(current_));
  // What reads the same isn't told as different.
  for (ComparedRow& row : rows_) row.differs &= figureValue(row.kind, row.before) != figureValue(row.kind, row.after);
  reasons_.clear();
  farOff_.clear();
  between_ = passedOver(context.look, session, against_, current_);
  if (waiting_) return;
  const auto before = session.models().of(against_, session::ModelBasis::kMachineCode);
  const auto other = session.models().of(current_, session::ModelBasis::kMachineCode);
  reasons_ = reasonsOf(context.look, *before, *other, stateNumber(context.look, session, against_));
  for (const auto& [node, model] : {std::pair(against_, before), std::pair(current_, other)}) {
    const std::string far = modelErrorText(context.look, session::performanceOf(*model),
                                           session.results().measured(node) ? session.results().timed(node) : nullptr);
    if (far.empty()) continue;
    std::string of = named(context.look, stateNumber(context.look, session, node), far);
    of.front() = char(std::toupper(static_cast<unsigned char>(of.front())));
    farOff_ += (farOff_.empty() ? "" : " ") + of;
  }
}

// How much faster or slower, and what the model finds wrong with one of the two only.
void ComparePage::drawReasons(const Look& look) const {
  const std::string text = headlineOf(look);
  if (text.empty()) return;
  // A line each, where that leaves the table its room.
  const bool lines =
      float(reasons_.size() + 1) * ImGui::GetTextLineHeightWithSpacing() < 0.4F * ImGui::GetContentRegionAvail().y;
  drawWrapped(between_.empty() ? text : text + " · " + between_);
  std::string all;
  for (const std::string& reason : reasons_) {
    if (lines) drawSecond(look, reason);
    all += (all.empty() ? "" : " · ") + reason;
  }
  if (!lines) drawSecond(look, all);
  // Of small predictions the headline says as much.
  if (const auto disputed = session::disputedChange(rows_, kNoise);
      disputed && (!disputed->isUsual() || std::abs(disputed->predicted - 1) > kTold))
    drawSecond(look,
               say(look, disputed->isUsual() ? words::kDisputedAsUsual : words::kDisputed,
                   fmt::format("{:.0f}", 100 * disputed->by()), fmt::format("{:.0f}", 100 * session::kUsualError)));
  if (!farOff_.empty()) drawSecond(look, farOff_);
}

// How the times of the two are to each other. What the model predicts is told, too, where it is something else: one
// mustn't take a small gain for what the model explains.
std::string ComparePage::headlineOf(const Look& look) const {
  // A time with a label is another device's: what the model finds explains nothing of it.
  const ComparedRow *known = session::comparedTime(rows_, Kind::kMeasured),
                    *predicted = session::comparedTime(rows_, Kind::kPredicted);
  if (known == nullptr && predicted == nullptr) return "";
  if (known == nullptr) return say(look, words::kByPredicted, ratioText(look, *predicted));
  std::string text = ratioText(look, *known);
  if (known->differs && std::abs(known->change() - 1) < kNoise) text = say(look, words::kWithinNoise, text);
  text = say(look, notation::ofOrigin(words::kByOrigin, timeOrigin_), text);
  if (predicted == nullptr || std::abs(predicted->change() / known->change() - 1) < kNoise) return text;
  const bool told = std::abs(predicted->change() - 1) > kTold;
  return text + " · " + say(look, told ? words::kModelSays : words::kModelGuesses, ratioText(look, *predicted));
}

void ComparePage::drawRow(const Look& look, const ComparedRow& row, bool isKernel) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const std::string name = row.kind == Kind::kMeasured ? look.say(*timeName_) : figureName(look, row.kind, row.label);
  const Tone tone = row.differs ? Tone::kText : Tone::kTextFaint;
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(tone));
  ImGui::TextUnformatted(ellipsized(name, ImGui::GetContentRegionAvail().x).c_str());
  if (!row.how.empty()) setItemTip(look, provenanceText(look, row.how));
  ImGui::TableNextColumn();
  drawRight(figureValue(row.kind, row.before));
  ImGui::TableNextColumn();
  drawRight(figureValue(row.kind, row.after));
  ImGui::PopStyleColor();
  ImGui::TableNextColumn();
  if (!row.differs) return;
  const bool both = row.before && row.after && *row.before > 0 && *row.after > 0;
  // The same work at another clock rate is no merit of the step's, and no fault.
  const Tone change = !both         ? Tone::kChanged
                      : row.byClock ? Tone::kTextSecond
                                    : changeTone(row.kind, *row.after / *row.before);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(change));
  drawRight(both                                   ? factorText(*row.after / *row.before)
            : isKernel && row.after && !row.before ? look.say(words::kOnlyNow)
            : isKernel && row.before && !row.after ? look.say(words::kOnlyThen)
                                                   : "–");
  if (row.byClock) setItemTip(look, look.say(words::kByClock));
  ImGui::PopStyleColor();
}

void ComparePage::draw(PanelContext& context) {
  const Look& look = context.look;
  session::Session& session = *context.session;
  ImGui::PushFont(nullptr, window::kSecondarySize);
  const int before = against_;
  choose(context);
  if (before != against_) revision_ = ~std::uint64_t{0};
  if (against_ < 0) {
    ImGui::PopFont();
    drawSecond(look, look.say(words::kNothingToCompare));
    return;
  }
  follow(context);
  drawReasons(look);
  constexpr ImGuiTableFlags kFlags =
      ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_ScrollX;
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  const float below = std::max(ImGui::GetContentRegionAvail().y, look.px(60));
  // No row is cut at the lower edge.
  const float row = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y,
              height = row * std::floor(below / row);
  if (ImGui::BeginTable(fmt::format("###compared{:.0f}", look.scale * 100).c_str(), 4, kFlags, {0, height})) {
    ImGui::TableSetupScrollFreeze(0, 1);
    // Another pair begins with its times.
    if (std::exchange(scrolled_, {against_, session.navigation().current()}) !=
        std::pair(against_, session.navigation().current()))
      ImGui::SetScrollY(0);
    const float room =
        ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize - 8 * ImGui::GetStyle().CellPadding.x;
    const float factor = look.px(64), figure = std::clamp(0.36F * room, look.px(130), look.px(250));
    const float figures = std::clamp((room - figure - factor) / 2, look.px(70), look.px(400));
    const auto then = headOf(look, session, against_, figures),
               now = headOf(look, session, session.navigation().current(), figures);
    ImGui::TableSetupColumn(look.say(words::kFigure), ImGuiTableColumnFlags_WidthFixed, figure);
    ImGui::TableSetupColumn("###then", ImGuiTableColumnFlags_WidthFixed, figures);
    ImGui::TableSetupColumn("###now", ImGuiTableColumnFlags_WidthFixed, figures);
    ImGui::TableSetupColumn(look.say(words::kTimesColumn), ImGuiTableColumnFlags_WidthFixed, factor);
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(look.say(words::kFigure));
    for (const auto& [head, whole] : {then, now}) {
      ImGui::TableNextColumn();
      drawRight(head);
      if (head != whole) setItemTip(look, whole);
    }
    ImGui::TableNextColumn();
    drawRight(look.say(words::kTimesColumn));
    const auto program = session.programs().of(session.navigation().current());
    const bool isKernel = !program || !program->kernel.problem;
    for (const ComparedRow& row : rows_)
      if (row.differs || !onlyDifferent_) drawRow(look, row, isKernel);
    ImGui::EndTable();
  }
  ImGui::PopFont();
  ImGui::PopFont();
}

}  // namespace loom::panels
