#include "app/panels/search/panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/notation/quantity_text.h"
#include "app/panels/search/names.h"
#include "app/panels/search/plot.h"
#include "app/panels/search/tables.h"
#include "app/panels/search/words.h"
#include "app/panels/search/workers.h"
#include "app/session/session.h"
#include "app/ui/choice.h"
#include "app/ui/column_name.h"
#include "app/ui/labelled_id.h"
#include "app/ui/markdown.h"
#include "app/ui/number_field.h"
#include "app/ui/short_step.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/rule_text.h"

namespace loom::panels {

namespace words = text::search;
using session::SearchChoice;
using session::SearchedSchedule;
using session::SearchState;
using tune::Origin;
using tune::Strategy;
using window::Look;
using window::Tone;

namespace {

constexpr std::size_t kFastestRows = 8;
constexpr Strategy kStrategies[] = {Strategy::Funnel, Strategy::Evolution, Strategy::Coordinate, Strategy::Random,
                                    Strategy::Exhaustive};

double timeOf(const SearchedSchedule& schedule) {
  if (schedule.death) return HUGE_VAL;
  if (schedule.measured) return *schedule.measured;
  return schedule.predicted().value_or(HUGE_VAL);
}

bool isRace(const SearchState& state) { return state.searches.size() > 1; }

Tone dotTone(const SearchState& state, int search, const SearchedSchedule& schedule) {
  return isRace(state) ? toneOf(state.searches[std::size_t(search)]->strategy) : toneOf(schedule.origin);
}

// Of the user's own schedule, which is measured, or else predicted, once the winner is explained: in the measure of the
// plot's times only.
std::optional<double> ownTimeOf(const SearchState& state) {
  if (!state.winner || state.winner->path.isMeasured != state.hasDevice) return std::nullopt;
  const tune::WinnerPath& path = state.winner->path;
  return path.isFromOwn ? path.timeOf(0) : path.timeOfOwn();
}

template <class Add>
void eachSchedule(const SearchState& state, Add add) {
  for (std::size_t s = 0; s < state.searches.size(); ++s)
    for (std::size_t i = 0; i < state.searches[s]->schedules.size(); ++i)
      add(int(s), int(i), state.searches[s]->schedules[i]);
}

// Times by GPU seconds, with the best so far; without a device predicted times in the order of drawing.
SchedulePlot timesOf(const Look& look, const SearchState& state) {
  SchedulePlot plot;
  plot.xName = look.say(state.hasDevice ? words::kAxisGpu : words::kAxisDrawn);
  plot.empty = look.say(words::kNothingYet);
  if (const auto vendor = state.vendor(); vendor && state.hasDevice)
    plot.times.push_back({vendor->microseconds, vendor->name});
  if (const auto own = ownTimeOf(state)) plot.times.push_back({*own, look.say(words::kYourSchedule)});
  eachSchedule(state, [&](int search, int i, const SearchedSchedule& s) {
    if (s.death || !(state.hasDevice ? s.measured : s.predicted())) return;
    plot.dots.push_back({state.hasDevice ? s.deviceSeconds : i + 1, state.hasDevice ? *s.measured : *s.predicted(),
                         dotTone(state, search, s), state.hasDevice || s.asCompiled, s.origin == Origin::Construction,
                         search, i});
  });
  if (!state.hasDevice) return plot;
  for (const auto& search : state.searches)
    plot.stairs.push_back(
        {search->bestSoFar(), search->tally.measuring, isRace(state) ? toneOf(search->strategy) : Tone::kText});
  return plot;
}

SchedulePlot errorsOf(const Look& look, const SearchState& state) {
  SchedulePlot plot;
  plot.xName = look.say(words::kAxisPredicted);
  plot.empty = look.say(words::kNothingYet);
  plot.isDiagonal = true;
  eachSchedule(state, [&](int search, int i, const SearchedSchedule& s) {
    if (!s.death && s.measured && s.predicted())
      plot.dots.push_back({*s.predicted(), *s.measured, dotTone(state, search, s), s.asCompiled.has_value(),
                           s.origin == Origin::Construction, search, i});
  });
  return plot;
}

// What the colours say: where schedules come from, or in a race whose they are.
void drawLegend(const Look& look, const SearchState& state) {
  std::vector<std::pair<const text::Text*, Tone>> entries;
  if (isRace(state)) {
    for (const auto& search : state.searches) entries.emplace_back(&nameOf(search->strategy), toneOf(search->strategy));
  } else {
    for (const Origin origin :
         {Origin::Construction, Origin::Formula, Origin::Uniform, Origin::Child, Origin::Neighbour, Origin::Enumerated})
      entries.emplace_back(&nameOf(origin), toneOf(origin));
  }
  ImGui::PushFont(nullptr, window::kSecondarySize);
  bool first = true;
  for (const auto& [name, tone] : entries) {
    const std::string text = std::string(tone == Tone::kSelected && !isRace(state) ? "★ " : "● ") + look.say(*name);
    if (!first) flowOn(look, ImGui::CalcTextSize(text.c_str()).x + look.px(4));
    first = false;
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(tone));
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopStyleColor();
  }
  ImGui::PopFont();
}

}  // namespace

void SearchPanel::draw(PanelContext& context) {
  if (!context.hasProgram()) return drawNoProgram(context);
  const Look& look = context.look;
  follow(context);
  drawControls(context);
  drawHeadline(context);
  if (!state_) {
    drawSecond(look, look.say(words::kIdle));
  } else if (state_->prepared) {
    drawPlots(context);
    drawFastest(context);
    ImGui::Spacing();
    drawTiers(look, *state_);
    ImGui::Spacing();
    drawDeaths(look, *state_);
  }
  if (const auto workers = context.session->search().workers()) {
    ImGui::Spacing();
    drawWorkers(look, *workers);
  }
  preview_.follow(context);
}

void SearchPanel::follow(PanelContext& context) {
  const auto state = context.session->search().state();
  if (state == state_ && language_ == context.look.language) return;
  state_ = state;
  language_ = context.look.language;
  rows_.clear();
  if (!state_ || !state_->prepared) return;
  eachSchedule(*state_, [&](int search, int, const SearchedSchedule& s) {
    if (timeOf(s) < HUGE_VAL && (s.measured || !state_->hasDevice)) rows_.push_back({search, &s, ""});
  });
  std::ranges::stable_sort(rows_, {}, [](const Row& row) { return timeOf(*row.schedule); });
  // What several strategies have found is there once.
  std::set<std::string> seen;
  std::erase_if(rows_, [&](const Row& row) { return !seen.insert(row.schedule->lines).second; });
  if (rows_.size() > kFastestRows) rows_.resize(kFastestRows);
  std::vector<const SearchedSchedule*> schedules;
  for (const Row& row : rows_) schedules.push_back(row.schedule);
  const auto texts = distinctTexts(context.look, state_->prepared->plan.sketches, schedules);
  for (std::size_t n = 0; n < rows_.size(); ++n) rows_[n].what = texts[n];
}

void SearchPanel::drawControls(PanelContext& context) {
  const Look& look = context.look;
  session::SearchRun& search = context.session->search();
  const bool runs = state_ && state_->isRunning;
  const bool races = search.choice().strategies.size() > 1;
  const text::Text& label = runs ? words::kStop : races ? words::kRace : words::kStart;
  if (ImGui::Button(window::windowName(look.say(label), "run").c_str())) {
    if (runs) {
      search.stop();
    } else {
      search.start();
    }
  }
  drawWrappedTip(look, look.say(runs ? words::kStopTip : words::kStartTip));
  drawStrategies(context);
  // A number holds once it has been typed to its end: half of it could end the search.
  if (!isTyping_) typed_ = {search.choice().trials, int(std::lround(search.choice().deviceSeconds))};
  isTyping_ = false;
  bool isDone = false;
  const auto number = [&](const text::Text& name, const text::Text& tip, const char* id, int& value, float width) {
    const char* shown = look.say(name);
    flowOn(look, ImGui::CalcTextSize(shown).x + look.px(4 + width));
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(shown);
    ImGui::SameLine(0, look.px(4));
    ImGui::SetNextItemWidth(look.px(width));
    ImGui::InputInt(id, &value, 0, 0);
    isTyping_ |= ImGui::IsItemActive();
    isDone |= ImGui::IsItemDeactivatedAfterEdit();
    drawWrappedTip(look, look.say(tip));
  };
  number(words::kTrials, words::kTrialsTip, "###trials", typed_[0], 52);
  number(words::kSeconds, words::kSecondsTip, "###seconds", typed_[1], 44);
  drawWorkersField(context);
  if (!isDone) return;
  SearchChoice choice = search.choice();
  choice.trials = std::clamp(typed_[0], 1, 100000);
  choice.deviceSeconds = std::clamp(typed_[1], 1, 100000);
  search.choose(choice);
}

void SearchPanel::drawWorkersField(PanelContext& context) {
  const Look& look = context.look;
  session::SearchRun& search = context.session->search();
  const char* shown = look.say(words::kWorkersField);
  flowOn(look, ImGui::CalcTextSize(shown).x + look.px(4 + 150));
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(shown);
  ImGui::SameLine(0, look.px(4));
  ImGui::SetNextItemWidth(look.px(150));
  if (!isTypingWorkers_) {
    const std::size_t length = search.choice().workers.copy(typedWorkers_.data(), typedWorkers_.size() - 1);
    typedWorkers_[length] = 0;
  }
  ImGui::BeginDisabled(state_ && state_->isRunning);
  ImGui::InputTextWithHint("###workerscommand", look.say(words::kWorkersHint), typedWorkers_.data(),
                           typedWorkers_.size());
  isTypingWorkers_ = ImGui::IsItemActive();
  const bool isDone = ImGui::IsItemDeactivatedAfterEdit();
  ImGui::EndDisabled();
  drawWrappedTip(look, look.say(words::kWorkersTip));
  if (!isDone) return;
  SearchChoice choice = search.choice();
  choice.workers = typedWorkers_.data();
  search.choose(std::move(choice));
}

void SearchPanel::drawStrategies(PanelContext& context) {
  const Look& look = context.look;
  session::SearchRun& search = context.session->search();
  SearchChoice choice = search.choice();
  std::string shown;
  for (const Strategy strategy : choice.strategies)
    shown += (shown.empty() ? "" : ", ") + std::string(look.say(nameOf(strategy)));
  const float width = look.px(116);
  flowOn(look, width);
  ImGui::BeginDisabled(state_ && state_->isRunning);
  ImGui::SetNextItemWidth(width);
  const bool open = window::beginCombo("###strategies", shown);
  if (!open) drawWrappedTip(look, look.say(words::kStrategiesTip));
  if (open) {
    for (const Strategy strategy : kStrategies) {
      bool isOn = std::ranges::find(choice.strategies, strategy) != choice.strategies.end();
      const std::string id = fmt::format("strategy{}", int(strategy));
      if (window::checkbox(look, window::windowName(look.say(nameOf(strategy)), id.c_str()).c_str(), &isOn)) {
        std::erase(choice.strategies, strategy);
        if (isOn) choice.strategies.push_back(strategy);
        // In the order of the list, and never none.
        std::ranges::sort(choice.strategies);
        if (!choice.strategies.empty()) search.choose(choice);
      }
      drawWrappedTip(look, look.say(tipOf(strategy)));
    }
    ImGui::EndCombo();
  }
  ImGui::EndDisabled();
}

void SearchPanel::drawHeadline(PanelContext& context) {
  const Look& look = context.look;
  if (!state_) return;
  const SearchState& state = *state_;
  if (state.problem) {
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kError));
    drawWrapped(say(look, words::kFailed, look.tell(state.problem->message)));
    ImGui::PopStyleColor();
  }
  const auto [search, best] = state.best();
  if (best != nullptr) {
    drawHeading(look, say(look, words::kBest, bestTimeText(*best)));
    if (const auto vendor = state.vendor(); vendor && best->measured)
      drawSecond(look,
                 say(look, words::kOfVendor, fmt::format("{:.1f} %", 100 * vendor->microseconds / *best->measured),
                     vendor->name, timeText(vendor->microseconds)));
    if (search->tally.tie) drawSecond(look, look.say(words::kTie));
  }
  if (!state.prepared) {
    const Message& progress = context.session->search().progress();
    if (state.isRunning) drawSecond(look, progress.empty() ? look.say(words::kPreparing) : look.tell(progress));
    return;
  }
  const auto shown =
      search != nullptr && best != nullptr ? best->sketch : state.prepared->built.front().construction.sketch;
  drawParts(look, state.prepared->plan.sketches[std::size_t(shown)]);
  if (!state.hasDevice) drawSecond(look, say(look, words::kNoDevice, state.device));
  if (state.isOnCpu) drawSecond(look, look.say(words::kOnCpu));
  for (const auto& one : state.searches)
    if (const auto share = one->tally.share())
      drawSecond(look, say(look, words::kSeen, notation::countText(double(one->tally.enumerated)),
                           notation::countText(double(*one->tally.schedules)), fmt::format("{:.3g}", 100 * *share)));
  if (!state.isRunning || state.searches.empty()) return;
  const auto& now = *state.searches.back();
  const SearchChoice& choice = context.session->search().choice();
  std::string text = state.hasDevice
                         ? say(look, words::kSpent, now.tally.measured, choice.trials,
                               fmt::format("{:.1f}", now.tally.measuring), fmt::format("{:g}", choice.deviceSeconds))
                         : say(look, words::kRanked, now.schedules.size());
  const Message& progress = context.session->search().progress();
  if (context.session->search().isStopping()) {
    text += std::string(" · ") + look.say(words::kStopping);
  } else if (!progress.empty()) {
    text += " · " + look.tell(progress);
  }
  drawSecond(look, text);
}

void SearchPanel::drawPlots(PanelContext& context) {
  const Look& look = context.look;
  const SearchState& state = *state_;
  const float room = ImGui::GetContentRegionAvail().x, gap = look.px(8), height = look.px(190);
  const bool isWide = room > look.px(640);
  const text::Text& times = state.hasDevice ? words::kBestSoFar : words::kRankedPlot;
  std::optional<PlotDot> hovered;
  bool clicked = false;
  const auto plot = [&](bool error, float width) {
    const auto [dot, click] = drawSchedulePlot(look, error ? "###errors" : "###times",
                                               error ? errorsOf(look, state) : timesOf(look, state), width, height);
    if (dot) hovered = dot;
    clicked |= click;
  };
  drawLegend(look, state);
  if (state.hasDevice && !isWide) {
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {look.px(2), look.px(1)});
    for (const bool error : {false, true}) {
      if (error) ImGui::SameLine();
      const char* name = look.say(error ? words::kError : times);
      if (window::radioButton(look, window::windowName(name, error ? "showerrors" : "showtimes").c_str(),
                              showsError_ == error))
        showsError_ = error;
      drawWrappedTip(look, look.say(error ? words::kErrorTip : words::kBestSoFarTip));
    }
    ImGui::PopStyleVar();
    plot(showsError_, room);
  } else if (state.hasDevice) {
    const float half = (room - gap) / 2;
    for (const bool error : {false, true}) {
      if (error) ImGui::SameLine(0, gap);
      ImGui::BeginGroup();
      ImGui::TextUnformatted(look.say(error ? words::kError : times));
      drawWrappedTip(look, look.say(error ? words::kErrorTip : words::kBestSoFarTip));
      plot(error, half);
      ImGui::EndGroup();
    }
  } else {
    ImGui::TextUnformatted(look.say(times));
    drawWrappedTip(look, look.say(words::kRankedTip));
    plot(false, room);
  }
  if (!hovered) return;
  const auto& schedule = state.searches[std::size_t(hovered->search)]->schedules[std::size_t(hovered->schedule)];
  const std::string what =
      whatText(look, state.prepared->plan.sketches[std::size_t(schedule.sketch)], schedule.assignment);
  const auto timeOrNone = [](const std::optional<double>& time) { return time ? timeText(*time) : std::string("–"); };
  showTip(look, say(look, words::kTip, what, look.say(nameOf(schedule.origin)), timeOrNone(schedule.measured),
                    timeOrNone(schedule.predicted())) +
                    "\n" + look.say(words::kClick));
  preview_.hover(schedule.lines);
  if (clicked) choose(context, schedule);
}

void SearchPanel::drawFastest(PanelContext& context) {
  const Look& look = context.look;
  if (rows_.empty()) return;
  ImGui::Spacing();
  drawHeading(look, look.say(words::kFastest));
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg;
  const bool isWide = ImGui::GetContentRegionAvail().x > look.px(290);
  std::vector<const text::Text*> heads{&words::kTime, &words::kOfBest};
  if (isWide) heads.push_back(&words::kOrigin);
  heads.push_back(&words::kWhat);
  if (!ImGui::BeginTable("###fastest", int(heads.size()), kFlags)) return;
  for (const text::Text* head : heads)
    ImGui::TableSetupColumn(
        look.say(*head), head == &words::kWhat ? ImGuiTableColumnFlags_WidthStretch : ImGuiTableColumnFlags_WidthFixed);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int i = 0; i < int(heads.size()); ++i) {
    ImGui::TableSetColumnIndex(i);
    drawColumnName(look.say(*heads[std::size_t(i)]), i < 2);
  }
  const double best = timeOf(*rows_.front().schedule);
  const SearchedSchedule* clicked = nullptr;
  for (std::size_t n = 0; n < rows_.size(); ++n) {
    const Row& row = rows_[n];
    const SearchedSchedule& schedule = *row.schedule;
    ImGui::TableNextRow();
    ImGui::TableSetColumnIndex(int(heads.size()) - 1);
    const float height =
        ImGui::CalcTextSize(row.what.c_str(), nullptr, false, std::max(1.0F, ImGui::GetContentRegionAvail().x)).y;
    ImGui::TableSetColumnIndex(0);
    ImGui::PushID(int(n));
    if (ImGui::Selectable("###schedule", false, ImGuiSelectableFlags_SpanAllColumns, {0, height})) clicked = &schedule;
    if (ImGui::IsItemHovered()) {
      preview_.hover(schedule.lines);
      showTip(look, row.what + "\n" + look.say(words::kClick));
    }
    ImGui::PopID();
    ImGui::SameLine(0, 0);
    ImGui::PushFont(look.fonts.code, window::kSecondarySize);
    drawRight(bestTimeText(schedule));
    ImGui::PopFont();
    drawFigureCell(look, notation::shareText(best / timeOf(schedule)));
    const char* origin = look.say(isRace(*state_) ? nameOf(state_->searches[std::size_t(row.search)]->strategy)
                                                  : nameOf(schedule.origin));
    if (isWide) {
      ImGui::TableNextColumn();
      ImGui::PushStyleColor(ImGuiCol_Text, look.paint(dotTone(*state_, row.search, schedule)));
      ImGui::TextUnformatted(origin);
      ImGui::PopStyleColor();
    }
    ImGui::TableNextColumn();
    drawWrapped(row.what);
  }
  ImGui::EndTable();
  if (clicked != nullptr) choose(context, *clicked);
}

void SearchPanel::choose(PanelContext& context, const SearchedSchedule& schedule) {
  preview_.branch(context, schedule.lines, say(context.look, words::kName, bestTimeText(schedule)),
                  message("A schedule of the search"));
}

}  // namespace loom::panels
