// A search as it is run: budgets, stopping, deaths, and what an observer is told.
#include "core/tune/search/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tune/search/small_product.h"

namespace loom::tune::run_test {
namespace {

Search searchBy(Strategy strategy) {
  const PreparedSearch& p = smallProduct();
  return {p.plan, p.counted, smallStart(), p.device, document::environment(), strategy, 1};
}

TEST(RunSearch, LimitsMayChangeWhileItRuns) {
  Search search = searchBy(Strategy::Funnel);
  FormulaMeasurer measurer;
  SearchLimits limits{3, 60};
  std::vector<std::size_t> rounds;
  const auto tally = runSearch(search, measurer, [&] { return limits; }, {{}, {}, [&](const SearchTally& now) {
                                                                            rounds.push_back(now.measured);
                                                                            limits.trials = 5;
                                                                          }});
  ASSERT_TRUE(tally);
  EXPECT_THAT(rounds, testing::ElementsAre(3, 5, 5)) << "the last one after the finalists";
  EXPECT_EQ(tally->finalists.size(), 4u);
  EXPECT_EQ(measurer.measured, 5u + 4u);
  EXPECT_DOUBLE_EQ(tally->measuring, 0.5 * 9);
  double seconds = 0;
  for (std::size_t i : search.fastest(5)) seconds = std::max(seconds, search.candidates()[i].deviceSeconds);
  EXPECT_DOUBLE_EQ(seconds, 2.5) << "when the last of them was measured";
}

TEST(RunSearch, EndsWithTheSecondsAndWithAStop) {
  Search search = searchBy(Strategy::Random);
  FormulaMeasurer measurer;
  SearchLimits limits{2, 0.5};
  const SearchObserver more{{}, {}, [&](const SearchTally&) { limits.trials = 100; }};
  const auto spent = runSearch(
      search, measurer, [&] { return limits; }, more);
  ASSERT_TRUE(spent);
  EXPECT_EQ(spent->measured, 2u) << "a round that has begun is finished";
  std::stop_source stop;
  limits = {4, 60};
  const SearchObserver stops{{}, {}, [&](const SearchTally&) {
                               limits.trials = 100;
                               stop.request_stop();
                             }};
  const auto stopped = runSearch(
      search, measurer, [&] { return limits; }, stops, stop.get_token());
  ASSERT_TRUE(stopped);
  EXPECT_EQ(stopped->measured, 4u);
  EXPECT_FALSE(stopped->finalists.empty());
}

TEST(RunSearch, TellsOfDeathsAndMeasuresTheLivingAgain) {
  Search search = searchBy(Strategy::Funnel);
  FormulaMeasurer measurer;
  int asked = 0;
  measurer.dies = [&](const document::KernelText&) { return ++asked <= 2; };
  std::vector<std::size_t> looked;
  const auto tally = runSearch(search, measurer,
                               [] {
                                 return SearchLimits{4, 60};
                               },
                               {[&](std::size_t i) { looked.push_back(i); }, {}, {}});
  ASSERT_TRUE(tally);
  EXPECT_EQ(looked.size(), 4u);
  int dead = 0;
  for (std::size_t i : looked) dead += search.candidates()[i].death.has_value();
  EXPECT_EQ(dead, 2);
  EXPECT_EQ(tally->finalists.size(), 2u);
}

// What dies while it is compiled leaves its place in the round to others.
TEST(RunSearch, MeasuresAsManyAsItMayWhereSomeCannotBeCompiled) {
  Search search = searchBy(Strategy::Funnel);
  FormulaMeasurer measurer;
  int asked = 0;
  measurer.failsToCompile = [&](const document::KernelText&) { return ++asked <= 6; };
  const auto tally = runSearch(search, measurer, [] { return SearchLimits{4, 60}; }, {});
  ASSERT_TRUE(tally);
  EXPECT_EQ(tally->measured, 4u);
}

TEST(RunSearch, WithoutADeviceOnlyRanks) {
  Search search = searchBy(Strategy::Evolution);
  FormulaMeasurer measurer;
  measurer.device = false;
  const auto tally = runSearch(search, measurer, [] { return SearchLimits{4, 60}; }, {});
  ASSERT_TRUE(tally);
  EXPECT_EQ(measurer.calls, 0u);
  EXPECT_EQ(tally->measured, 0u);
  EXPECT_GT(tally->compiled, 0u);
  ASSERT_TRUE(search.best());
  EXPECT_FALSE(search.candidates()[*search.best()].measured);
}

}  // namespace
}  // namespace loom::tune::run_test
