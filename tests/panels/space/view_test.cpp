// A small space: i.warps · i.rest = 8, at most 4 warps, stages 1 to 3 that must fit 8 units of memory.
#include <gmock/gmock.h>

#include <chrono>
#include <set>
#include <thread>

#include "app/panels/space/view/space_model.h"

namespace loom::session::space_view_test {
namespace {

using testing::ElementsAre;
using testing::Pair;

tune::Sketch smallSketch() {
  tune::Sketch sketch;
  sketch.lines = {{"l1, l2 = sch.split(l0, factors=[None, ?i.warps])", ""},
                  {"sch.annotate(l1, \"stages\", ?stages)", ""}};
  auto& space = sketch.space;
  space.decisions = {{"i.warps", verbatim("warps along i"), {1, 2, 4, 8}},
                     {"i.rest", verbatim("rest along i"), {1, 2, 4, 8}},
                     {"stages", verbatim("stages"), {1, 2, 3}}};
  tune::Constraint factors, threads, memory;
  factors.kind = tune::Constraint::Kind::Equal;
  factors.name = "factors", factors.words = verbatim("factors of i");
  factors.terms = {{1, {0, 1}}};
  factors.limit = 8;
  threads.kind = memory.kind = tune::Constraint::Kind::AtMost;
  threads.name = "threads", threads.words = verbatim("threads");
  threads.terms = {{32, {0}}};
  threads.limit = 128;
  memory.name = "memory", memory.words = verbatim("shared memory");
  memory.terms = {{1, {1, 2}}};
  memory.limit = 8;
  space.constraints = {factors, threads, memory};
  return sketch;
}

// How many schedules have each value of a row.
std::vector<int> schedulesOf(const SpaceRow& row) {
  std::vector<int> all;
  for (const SpaceValue& value : row.values) all.push_back(static_cast<int>(value.schedules.value()));
  return all;
}

TEST(SpaceView, CountsEveryValue) {
  const CountedSketch counted(smallSketch());
  const SpaceView view = spaceViewOf(counted, tune::Pins(counted.sketch.space));
  EXPECT_TRUE(*view.schedules == 6);
  EXPECT_THAT(schedulesOf(view.rows[0]), ElementsAre(1, 2, 3, 0));
  EXPECT_TRUE(view.rows[0].values[3].isDead());
  EXPECT_DOUBLE_EQ(view.rows[0].values[2].share, 0.5);
  EXPECT_THAT(view.rows[0].constraints, ElementsAre(0, 1));
  EXPECT_THAT(view.rows[2].constraints, ElementsAre(2));
}

TEST(SpaceView, CountsTheOtherValuesOfAPinnedDecisionAsIfItWereFree) {
  const CountedSketch counted(smallSketch());
  tune::Pins pins(counted.sketch.space);
  pins.limitTo(0, {4});
  const SpaceView view = spaceViewOf(counted, pins);
  EXPECT_TRUE(*view.schedules == 3);
  EXPECT_TRUE(view.rows[0].isPinned);
  EXPECT_THAT(schedulesOf(view.rows[0]), ElementsAre(1, 2, 3, 0));
  EXPECT_FALSE(view.rows[0].values[0].isAllowed);
  EXPECT_THAT(schedulesOf(view.rows[1]), ElementsAre(0, 3, 0, 0));
}

TEST(SpaceView, WritesCountsAsTheyAreRead) {
  EXPECT_EQ(schedulesText(7), "7");
  EXPECT_EQ(schedulesText(4096), "4096");
  EXPECT_EQ(schedulesText(106'176), "106\u2009176");
  EXPECT_EQ(schedulesText(9'999'999), "9\u2009999\u2009999");
  EXPECT_EQ(schedulesText(130'579'888), "1.306·10⁸");
  EXPECT_EQ(schedulesText(99'999'999), "1.000·10⁸");
  EXPECT_EQ(schedulesText(tune::kMaxCount), "3.403·10³⁸");
  EXPECT_EQ(exactText(130'579'888), "130\u2009579\u2009888");
}

class ExploredSpace : public testing::Test {
 protected:
  ExploredSpace() { explore(smallSketch()); }

  void explore(const tune::Sketch& sketch) {
    model_.explore([sketch] { return std::vector{sketch, sketch}; }, {});
    EXPECT_TRUE(becomes([&] { return !model_.isExploring(); }));
  }
  // Polls until it holds, at most for ten seconds.
  template <typename Condition>
  bool becomes(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    for (model_.poll(); !condition() && std::chrono::steady_clock::now() < end; model_.poll()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return condition();
  }
  std::string schedules() const { return exactText(*model_.view().schedules); }

  SpaceModel model_;
};

TEST_F(ExploredSpace, PinsWhatIsClicked) {
  EXPECT_EQ(schedules(), "6");
  model_.click(0, 2, false);
  EXPECT_EQ(schedules(), "2");
  model_.click(0, 1, true);
  EXPECT_EQ(schedules(), "3");
  model_.click(0, 4, false);  // alone
  EXPECT_EQ(schedules(), "3");
  model_.click(0, 8, false);  // no schedule has it
  EXPECT_EQ(schedules(), "3");
  model_.click(2, 3, false);
  EXPECT_EQ(schedules(), "1");
  model_.click(0, 4, false);  // again: released
  EXPECT_EQ(schedules(), "1");
  EXPECT_THAT(model_.pins().pinned(), ElementsAre(2));
  model_.releaseAll();
  EXPECT_EQ(schedules(), "6");
  EXPECT_EQ(model_.sketches().size(), 2U);
  model_.click(2, 3, false);
  model_.choose(1);
  EXPECT_EQ(schedules(), "6") << "another sketch is not pinned";
}

TEST_F(ExploredSpace, FindsOutWhyAValueIsDead) {
  EXPECT_TRUE(becomes([&] { return model_.whyDead(0, 8) != nullptr; }));
  EXPECT_THAT(model_.whyDead(0, 8)->constraints, ElementsAre(1));
  model_.click(0, 1, false);
  EXPECT_TRUE(becomes([&] { return model_.whyDead(2, 3) != nullptr; }));
  EXPECT_THAT(model_.whyDead(2, 3)->constraints, ElementsAre(0, 2));
  EXPECT_THAT(model_.whyDead(2, 3)->pins, ElementsAre(0));
}

TEST_F(ExploredSpace, CountsTheWaterfall) {
  EXPECT_TRUE(becomes([&] { return model_.waterfall() != nullptr; }));
  std::vector<int> after;
  for (const auto& row : model_.waterfall()->rows) after.push_back(static_cast<int>(*row.after));
  EXPECT_THAT(after, ElementsAre(12, 9, 6));
}

TEST_F(ExploredSpace, KnowsWhetherOnesOwnScheduleIsInside) {
  model_.setOwn({"l1, l2 = sch.split(l0, factors=[None, 4])", "sch.annotate(l1, \"stages\", 3)"});
  EXPECT_TRUE(becomes([&] { return model_.own() != nullptr; }));
  EXPECT_TRUE(model_.own()->membership.isMember.value());
  model_.pinToOwn();
  EXPECT_EQ(schedules(), "1");
  model_.setOwn({"l1, l2 = sch.split(l0, factors=[None, 16])", "sch.annotate(l1, \"stages\", 2)"});
  EXPECT_TRUE(becomes([&] { return model_.own() != nullptr; }));
  EXPECT_THAT(model_.own()->values, ElementsAre(Pair("i.warps", 16), Pair("stages", 2)));
  EXPECT_EQ(model_.own()->membership.exclusions.front().words, "warps along i 16 is not in {1, 2, 4, 8}");
  model_.pinToOwn();
  EXPECT_THAT(model_.pins().pinned(), ElementsAre(2)) << "what the space has";
  model_.setOwn({"sch.parallel(l0)"});
  EXPECT_TRUE(becomes([&] { return model_.own() != nullptr; }));
  EXPECT_TRUE(model_.own()->values.empty());
}

TEST_F(ExploredSpace, DrawsEveryScheduleOnce) {
  std::set<tune::Assignment> drawn;
  while (const auto schedule = *model_.draw()) EXPECT_TRUE(drawn.insert(*schedule).second);
  EXPECT_EQ(drawn.size(), 6U);
  model_.click(0, 4, false);
  EXPECT_TRUE(model_.draw()->has_value()) << "other pins, other draws";
}

TEST_F(ExploredSpace, OfASpaceThatIsNotCountedStillDraws) {
  tune::Sketch large = smallSketch();
  for (int d = 0; d < 60; ++d)
    large.space.decisions.push_back({"d" + std::to_string(d), verbatim("d"), {1, 2, 3, 4, 5}});
  explore(large);
  EXPECT_EQ(model_.sketch()->diagram.error().code, "CountOverflow");
  EXPECT_FALSE(model_.view().schedules);
  model_.click(0, 4, false);
  const auto drawn = model_.draw();
  ASSERT_TRUE(drawn && *drawn);
  EXPECT_EQ((**drawn)[0], 4);
}

TEST_F(ExploredSpace, SaysWhyThereAreNoSketches) {
  model_.explore([]() -> Result<std::vector<tune::Sketch>> { return fail("NoRule", verbatim("none fits")); }, {});
  EXPECT_TRUE(becomes([&] { return model_.problem().has_value(); }));
  EXPECT_EQ(model_.sketch(), nullptr);
  EXPECT_EQ(model_.problem()->message, "none fits");
}

TEST_F(ExploredSpace, AMistakeIsAProblemAndEndsTheExploring) {
  model_.explore([]() -> Result<std::vector<tune::Sketch>> { throw std::logic_error("no such loop"); }, {});
  EXPECT_TRUE(becomes([&] { return !model_.isExploring(); }));
  EXPECT_EQ(model_.sketch(), nullptr);
  ASSERT_TRUE(model_.problem());
  EXPECT_NE(model_.problem()->message.english().find("no such loop"), std::string::npos);
}

}  // namespace
}  // namespace loom::session::space_view_test
