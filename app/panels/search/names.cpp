#include "app/panels/search/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "app/panels/search/words.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/decision_text.h"
#include "app/widgets/rule_text.h"

namespace loom::panels {

namespace words = text::search;
using tune::Origin;
using tune::Strategy;
using window::Tone;

namespace {

// Decisions, of `count`, by which the schedules with these indices are told apart beyond their texts: next always the
// one that makes the most kinds of them, until each is one of its own, none makes more, or kMostTold are found.
std::vector<std::size_t> tellingApart(const std::vector<const session::SearchedSchedule*>& schedules,
                                      const std::vector<std::string>& texts, const std::vector<std::size_t>& group,
                                      std::size_t count) {
  constexpr std::size_t kMostTold = 3;
  std::vector<std::size_t> told;
  const auto kindsWith = [&](std::optional<std::size_t> more) {
    std::set<std::pair<std::string_view, std::vector<std::int64_t>>> kinds;
    for (const std::size_t n : group) {
      std::vector<std::int64_t> kind;
      if (more) kind.push_back(schedules[n]->assignment[*more]);
      for (const std::size_t d : told) kind.push_back(schedules[n]->assignment[d]);
      kinds.emplace(texts[n], std::move(kind));
    }
    return kinds.size();
  };
  for (std::size_t kinds = kindsWith(std::nullopt); kinds < group.size() && told.size() < kMostTold;) {
    std::size_t best = count, most = kinds;
    for (std::size_t d = 0; d < count; ++d)
      if (const std::size_t made = kindsWith(d); made > most) best = d, most = made;
    if (best == count) break;
    told.push_back(best);
    kinds = most;
  }
  return told;
}

}  // namespace

const text::Text& nameOf(Strategy strategy) {
  switch (strategy) {
    case Strategy::Funnel: return words::kFunnel;
    case Strategy::Evolution: return words::kEvolution;
    case Strategy::Coordinate: return words::kCoordinate;
    case Strategy::Exhaustive: return words::kExhaustive;
    case Strategy::Random: break;
  }
  return words::kRandom;
}

const text::Text& tipOf(Strategy strategy) {
  switch (strategy) {
    case Strategy::Funnel: return words::kFunnelTip;
    case Strategy::Evolution: return words::kEvolutionTip;
    case Strategy::Coordinate: return words::kCoordinateTip;
    case Strategy::Exhaustive: return words::kExhaustiveTip;
    case Strategy::Random: break;
  }
  return words::kRandomTip;
}

Tone toneOf(Strategy strategy) {
  switch (strategy) {
    case Strategy::Funnel: return Tone::kSelected;
    case Strategy::Evolution: return Tone::kOk;
    case Strategy::Coordinate: return Tone::kWarning;
    case Strategy::Exhaustive: return Tone::kChanged;
    case Strategy::Random: break;
  }
  return Tone::kTextSecond;
}

const text::Text& nameOf(Origin origin) {
  switch (origin) {
    case Origin::Construction: return words::kConstruction;
    case Origin::Formula: return words::kFormula;
    case Origin::Uniform: return words::kUniform;
    case Origin::Child: return words::kChild;
    case Origin::Enumerated: return words::kEnumerated;
    case Origin::Neighbour: break;
  }
  return words::kNeighbour;
}

Tone toneOf(Origin origin) {
  switch (origin) {
    case Origin::Construction: return Tone::kSelected;
    case Origin::Formula: return Tone::kChanged;
    case Origin::Uniform: return Tone::kTextSecond;
    case Origin::Enumerated: return Tone::kTextFaint;
    case Origin::Child: return Tone::kOk;
    case Origin::Neighbour: break;
  }
  return Tone::kWarning;
}

std::string whatText(const window::Look& look, const tune::Sketch& sketch, const tune::Assignment& assignment) {
  const auto quantity = [&](const char* name) {
    return tune::quantityOf(sketch, name, assignment).value_or(std::int64_t(0));
  };
  std::string text;
  for (const char* name : {"tile.m", "tile.n", "tile.k"})
    if (const std::int64_t value = quantity(name); value > 0)
      text += fmt::format("{}{}", text.empty() ? "" : " × ", value);
  const auto add = [&](const text::Text& phrase, std::int64_t value) {
    if (value > 0) text += (text.empty() ? "" : " · ") + say(look, phrase, value);
  };
  add(words::kThreads, quantity("threads") + quantity("threads.loading"));
  const std::int64_t stages = quantity("stages");
  add(stages == 1 ? words::kStage : words::kStages, stages);
  return text.empty() ? sketchText(look, sketch.name) : text;
}

std::vector<std::string> distinctTexts(const window::Look& look, const std::vector<tune::Sketch>& sketches,
                                       const std::vector<const session::SearchedSchedule*>& schedules) {
  std::vector<std::string> texts;
  std::map<int, std::vector<std::size_t>> bySketch;
  for (const session::SearchedSchedule* s : schedules) {
    texts.push_back(whatText(look, sketches[std::size_t(s->sketch)], s->assignment));
    bySketch[s->sketch].push_back(texts.size() - 1);
  }
  for (const auto& [sketch, group] : bySketch) {
    const std::vector<tune::Decision>& decisions = sketches[std::size_t(sketch)].space.decisions;
    for (const std::size_t d : tellingApart(schedules, texts, group, decisions.size()))
      for (const std::size_t n : group)
        texts[n] += " · " + named(look, look.tell(decisions[d].words),
                                  decidedText(look, decisions[d].isYesOrNo, schedules[n]->assignment[d]));
  }
  return texts;
}

std::string bestTimeText(const session::SearchedSchedule& schedule) {
  if (schedule.measured) return timeText(*schedule.measured);
  return schedule.predicted() ? predictedText(*schedule.predicted()) : "–";
}

}  // namespace loom::panels
