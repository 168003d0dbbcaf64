#include "app/session/search_state.h"

#include <gtest/gtest.h>

namespace loom::session::search_state_test {
namespace {

// However many strategies have found a schedule, it counts once, and one that is wrong counts for nothing.
TEST(SearchState, SchedulesAsFastAsTheBestWithinTheNoiseAreCounted) {
  const auto measured = [](const std::string& lines, double microseconds) {
    SearchedSchedule s;
    s.lines = lines;
    s.measured = microseconds;
    return s;
  };
  StrategySearch one, other;
  one.schedules = {measured("a", 100), measured("b", 101), measured("c", 103)};
  other.schedules = {measured("b", 100.5), measured("d", 100.2), measured("wrong", 90)};
  other.schedules.back().death = fail("WrongResult", message("its result is wrong"), Forbids::Program).value();
  one.best = 0, other.best = 1;
  SearchState state;
  state.searches = {std::make_shared<const StrategySearch>(one), std::make_shared<const StrategySearch>(other)};
  EXPECT_EQ(state.tiedWithBest(0.015), 2);
  EXPECT_EQ(state.tiedWithBest(0), 0);
  EXPECT_EQ(SearchState().tiedWithBest(1), 0);
}

// Nine of ten schedules that were measured again say how much is noise; one that is wrong says nothing.
TEST(SearchState, NoiseIsWhatTimesOfOneScheduleDifferBy) {
  StrategySearch search;
  std::map<std::string, double> again{{"wrong", 1}, {"unknown", 5}};
  for (int n = 0; n < 10; ++n) {
    SearchedSchedule s;
    s.lines = std::string(1, char('a' + n));
    s.measured = 100;
    search.schedules.push_back(s);
    again[s.lines] = n == 9 ? 50 : 100 / (1 + 0.001 * n);
  }
  search.schedules.push_back(search.schedules.front());
  search.schedules.back().lines = "wrong";
  search.schedules.back().death = fail("WrongResult", message("its result is wrong"), Forbids::Program).value();
  SearchState state;
  state.searches = {std::make_shared<const StrategySearch>(search)};
  EXPECT_NEAR(state.noiseOf(again), 0.008, 1e-9);
  EXPECT_NEAR(state.noiseOf({{"b", 99}}), 1.0 / 99, 1e-9) << "a single one says it alone";
  EXPECT_EQ(state.noiseOf({{"unknown", 5}}), 0);
}

}  // namespace
}  // namespace loom::session::search_state_test
