#include "app/session/search_run.h"

#include <gmock/gmock.h>

#include "tests/session/with_workbench.h"

namespace loom::session::search_run_test {
namespace {

using tune::Strategy;

// Without a device: rules and models alone.
class ASearch : public WithWorkbench {
 protected:
  ASearch() : WithWorkbench({.m = 32, .n = 32, .k = 16, .input = "float32", .output = "float32"}, 90000) {}
  SearchRun& search() { return bench_.search(); }
  const SearchState& state() { return *search().state(); }
  bool done() {
    return wait([&] { return search().state() && !search().isRunning(); });
  }
};

TEST_F(ASearch, WithoutADeviceRanksByTheModelsAndExplainsItsWinner) {
  EXPECT_EQ(search().state(), nullptr);
  search().choose({{Strategy::Funnel}, 2, 60});
  search().start();
  EXPECT_TRUE(search().isRunning());
  bench_.poll();
  EXPECT_EQ(bench_.activity().kind, BackgroundStatus::Kind::kSearching);
  ASSERT_TRUE(done());
  ASSERT_FALSE(state().problem) << state().problem->message;
  EXPECT_FALSE(state().hasDevice);
  ASSERT_TRUE(state().prepared);
  ASSERT_EQ(state().searches.size(), 1u);
  const auto [found, best] = state().best();
  ASSERT_NE(best, nullptr);
  EXPECT_GT(found->schedules.size(), 4u);
  for (const SearchedSchedule& s : found->schedules) {
    EXPECT_FALSE(s.measured);
    if (s.predicted() && !s.death) {
      EXPECT_GE(*s.predicted(), *best->predicted());
    }
  }
  EXPECT_TRUE(found->bestSoFar().empty());
  ASSERT_TRUE(state().winner);
  EXPECT_FALSE(state().winner->path.isMeasured);
  EXPECT_FALSE(state().winner->worth.empty());
  EXPECT_EQ(state().winner->path.states.back().lines, best->lines);
  // The winner's steps, applied: the path from there has no steps.
  bench_.edits().apply(best->lines);
  ASSERT_TRUE(wait([&] { return bench_.programs().of(bench_.navigation().current()) != nullptr; }));
  search().explain();
  ASSERT_TRUE(done());
  EXPECT_TRUE(state().winner->path.isFromOwn);
  EXPECT_TRUE(state().winner->path.steps.empty());
  // Another program: nothing of it is left.
  bench_.documents().openMatmul({.m = 48, .n = 48, .k = 48});
  ASSERT_TRUE(wait([&] { return search().state() == nullptr; }));
}

TEST_F(ASearch, RacesStrategiesOneAfterAnotherAndStops) {
  search().choose({{Strategy::Funnel, Strategy::Random}, 1, 60});
  search().start();
  ASSERT_TRUE(done());
  ASSERT_EQ(state().searches.size(), 2u);
  EXPECT_EQ(state().searches[1]->strategy, Strategy::Random);
  // Stopped at once: what is there then stays.
  search().choose({{Strategy::Funnel}, 100000, 60});
  search().start();
  search().stop();
  EXPECT_TRUE(search().isStopping());
  ASSERT_TRUE(done());
  EXPECT_FALSE(state().problem);
}

}  // namespace
}  // namespace loom::session::search_run_test
