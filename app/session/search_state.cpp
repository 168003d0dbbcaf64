#include "app/session/search_state.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/tune/search/median_error.h"

namespace loom::session {

std::optional<double> StrategySearch::errorAsWritten() const {
  return tune::medianError(schedules, &SearchedSchedule::asWritten);
}
std::optional<double> StrategySearch::errorAsCompiled() const {
  return tune::medianError(schedules, &SearchedSchedule::asCompiled);
}

std::vector<std::pair<double, double>> StrategySearch::bestSoFar() const {
  std::vector<std::pair<double, double>> all;
  for (const SearchedSchedule& s : schedules)
    if (s.measured && !s.death) all.emplace_back(s.deviceSeconds, *s.measured);
  std::ranges::sort(all);
  std::vector<std::pair<double, double>> best;
  for (const auto& one : all)
    if (best.empty() || one.second < best.back().second) best.push_back(one);
  return best;
}

std::map<std::string, std::pair<int, Message>> StrategySearch::deaths() const {
  std::map<std::string, std::pair<int, Message>> all;
  for (const SearchedSchedule& s : schedules) {
    if (!s.death) continue;
    auto& [count, message] = all[s.death->code];
    if (count++ == 0) message = s.death->message;
  }
  return all;
}

std::pair<const StrategySearch*, const SearchedSchedule*> SearchState::best() const {
  std::pair<const StrategySearch*, const SearchedSchedule*> best{nullptr, nullptr};
  const auto timeOf = [](const SearchedSchedule& s) { return s.measured ? s.measured : s.predicted(); };
  for (const auto& search : searches) {
    if (!search->best) continue;
    const SearchedSchedule& own = search->schedules[*search->best];
    const bool better = best.second == nullptr || own.measured.has_value() > best.second->measured.has_value() ||
                        (own.measured.has_value() == best.second->measured.has_value() &&
                         timeOf(own).value_or(HUGE_VAL) < timeOf(*best.second).value_or(HUGE_VAL));
    if (better) best = {search.get(), &own};
  }
  return best;
}

std::optional<SearchState::Vendor> SearchState::vendor() const {
  for (const auto& search : searches) {
    if (isOnCpu || !search->tally.vendor) continue;
    const gpu::VendorOutcome& outcome = search->tally.vendor->outcome;
    const auto comma = outcome.version.find(',');  // how it multiplies follows the version
    return Vendor{outcome.timing.median,
                  "cuBLASLt" + (comma == std::string::npos ? "" : outcome.version.substr(comma))};
  }
  return std::nullopt;
}

double SearchState::noiseOf(const std::map<std::string, double>& again) const {
  constexpr double kMost = 0.9;  // of the schedules: one may have been disturbed
  std::vector<double> differences;
  for (const auto& search : searches)
    for (const SearchedSchedule& s : search->schedules)
      if (const auto found = again.find(s.lines); found != again.end() && s.measured && !s.death)
        differences.push_back(std::abs(*s.measured / found->second - 1));
  if (differences.empty()) return 0;
  std::ranges::sort(differences);
  return differences[std::size_t(std::ceil(kMost * double(differences.size()))) - 1];
}

int SearchState::tiedWithBest(double noise) const {
  const SearchedSchedule* fastest = best().second;
  if (fastest == nullptr || !fastest->measured) return 0;
  std::set<std::string> tied;
  for (const auto& search : searches)
    for (const SearchedSchedule& s : search->schedules)
      if (s.measured && !s.death && *s.measured <= *fastest->measured * (1 + noise)) tied.insert(s.lines);
  tied.erase(fastest->lines);
  return int(tied.size());
}

}  // namespace loom::session
