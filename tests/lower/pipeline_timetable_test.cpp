// When the statements of a pipeline are executed, and how many groups of copies each wait may leave pending.
#include "core/lower/pipeline_timetable.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

namespace loom::lower::pipeline_timetable_test {
namespace {

using Step = Timetable::Step;
using testing::ElementsAre;

// Waits of a turn, "step:allow".
std::vector<std::string> waits(const Timetable::Turn& turn) {
  std::vector<std::string> all;
  for (const Timetable::Act& act : turn)
    if (act.wait) all.push_back(std::to_string(act.step) + ":" + std::to_string(act.wait->allow));
  return all;
}

// Two copies and their reader, three stages. Steps stand in their order.
TEST(Timetable, LeavesAsManyGroupsPendingAsStagesLieBetween) {
  const Timetable readerFirst({{2, 2, 0, false}, {0, 0, 1, true}, {1, 0, 2, true}}, {{1, 2}, {}, {}}, 16);
  EXPECT_THAT(waits(readerFirst.first(0)), ElementsAre());
  EXPECT_THAT(waits(readerFirst.steady()), ElementsAre("0:1"));
  EXPECT_THAT(waits(readerFirst.last(0)), ElementsAre("0:1"));
  EXPECT_THAT(waits(readerFirst.last(1)), ElementsAre("0:0"));
  const Timetable copiesFirst({{0, 0, 0, true}, {1, 0, 1, true}, {2, 2, 2, false}}, {{}, {}, {0, 1}}, 16);
  EXPECT_THAT(waits(copiesFirst.steady()), ElementsAre("2:2"));
  EXPECT_THAT(waits(copiesFirst.last(0)), ElementsAre("2:1"));
  EXPECT_THAT(waits(copiesFirst.last(1)), ElementsAre("2:0"));
}

// TVM's own example: a reader between two copies of one stage, which are groups of their own.
TEST(Timetable, CountsGroupsOnBothSidesOfAReader) {
  const Timetable t({{0, 0, 0, true}, {1, 3, 1, false}, {2, 0, 2, true}}, {{}, {0, 2}, {}}, 16);
  EXPECT_THAT(waits(t.steady()), ElementsAre("1:5"));
  EXPECT_EQ(t.steady()[0].commit, true);
  EXPECT_EQ(t.steady()[2].commit, true);
}

// Copies that two steps of different stages read are waited for once, before the first of them.
TEST(Timetable, WaitsOnceForWhatIsReadInSeveralTurns) {
  const Timetable t({{0, 2, 0, false}, {1, 1, 1, false}, {2, 0, 2, true}}, {{2}, {2}, {}}, 16);
  EXPECT_THAT(waits(t.steady()), ElementsAre("1:0"));
  EXPECT_THAT(t.steady()[1].wait->uses,
              testing::UnorderedElementsAre(Timetable::Use{2, 1, 0}, Timetable::Use{2, 0, 1}));
  EXPECT_THAT(waits(t.last(1)), ElementsAre());
}

// What is waited for before anything but other copies runs isn't covered.
TEST(Timetable, KnowsCopiesThatNothingCovers) {
  // {part, stage, order, async}, in their order; who needs whom.
  const Timetable oneSlot({{2, 1, 0, false}, {0, 0, 1, true}, {1, 0, 2, true}}, {{1, 2}, {}, {}}, 16);
  EXPECT_FALSE(oneSlot.isCovered(1));
  EXPECT_FALSE(oneSlot.isCovered(2));
  const Timetable twoSlots({{0, 0, 0, true}, {1, 0, 1, true}, {2, 1, 2, false}}, {{}, {}, {0, 1}}, 16);
  EXPECT_TRUE(twoSlots.isCovered(0));
  EXPECT_TRUE(twoSlots.isCovered(1));
  const Timetable noOverlap({{0, 0, 0, true}, {1, 0, 1, false}}, {{}, {0}}, 16);
  EXPECT_FALSE(noOverlap.isCovered(0));
  const Timetable another({{0, 0, 0, true}, {1, 0, 1, false}, {2, 0, 2, false}}, {{}, {}, {0}}, 16);
  EXPECT_TRUE(another.isCovered(0)) << "by the statement between";
  const Timetable secondReader({{0, 0, 0, true}, {1, 0, 1, false}, {2, 1, 2, false}}, {{}, {0}, {0}}, 16);
  EXPECT_FALSE(secondReader.isCovered(0)) << "the first reader waits at once";
}

// Every timetable of three steps, of which one or two read what the others copy, up to three stages and eight
// iterations: each step is executed once for each iteration, in turns that follow one another; and a wait leaves
// pending exactly the groups that were made after the one it is for.
TEST(Timetable, ExecutesEachStepOnceAndCountsGroupsRightly) {
  for (int stages = 0; stages < 64; ++stages) {
    for (int async = 0; async < 4; ++async) {
      const int stage[3] = {stages % 4, stages / 4 % 4, stages / 16};
      std::vector<int> at{0, 1, 2};
      do {
        std::vector<Step> steps;
        for (int p : at) steps.push_back({p, stage[p], int(steps.size()), p < 2 && (async >> p & 1) != 0});
        std::vector<std::vector<int>> needs(3);
        bool legal = true;
        for (int reader = 0; reader < 3; ++reader) {
          const Step& reading = steps[std::size_t(reader)];
          if (reading.async || reading.part == 0) continue;
          for (int s = 0; s < 3; ++s) {
            const Step& writing = steps[std::size_t(s)];
            if (!writing.async) continue;
            legal &= writing.stage < reading.stage || (writing.stage == reading.stage && s < reader);
            needs[std::size_t(reader)].push_back(s);
          }
        }
        if (!legal) continue;
        const int last = std::max({stage[0], stage[1], stage[2]});
        for (std::int64_t extent = 1; extent < 8; ++extent) {
          const Timetable t(steps, needs, extent);
          std::vector<Timetable::Turn> turns;
          for (int n = 0; n < last; ++n) turns.push_back(t.first(n));
          for (std::int64_t n = last; n < extent; ++n) turns.push_back(t.steady());
          for (int n = 0; n < last; ++n) {
            if (extent + n >= last)
              turns.push_back(t.last(n));
            else
              EXPECT_TRUE(t.last(n).empty());
          }
          std::vector<std::int64_t> groups;                     // by group: the turn
          std::map<std::pair<int, std::int64_t>, int> groupOf;  // by step and iteration
          std::vector<std::pair<int, std::int64_t>> open;       // what is started and in no group yet
          std::int64_t executed[3] = {};
          int landed = 0;  // groups that are known to have landed
          for (std::size_t turn = 0; turn < turns.size(); ++turn) {
            for (const Timetable::Act& act : turns[turn]) {
              const Step& step = steps[std::size_t(act.step)];
              const std::int64_t iteration = std::int64_t(turn) - step.stage;
              if (act.wait) landed = std::max(landed, int(groups.size()) - act.wait->allow);
              if (act.active) {
                ASSERT_EQ(executed[act.step]++, iteration);
                for (int writer : needs[std::size_t(act.step)]) {
                  const auto group = groupOf.find({writer, iteration});
                  ASSERT_NE(group, groupOf.end());
                  ASSERT_LT(group->second, landed) << "read before it has landed";
                }
                if (act.wait && needs[std::size_t(act.step)].size() == 1) {
                  EXPECT_EQ(groupOf.at({needs[std::size_t(act.step)][0], iteration}), landed - 1)
                      << "waits for too many";
                }
                if (step.async) open.emplace_back(act.step, iteration);
              }
              if (act.commit) {
                for (const auto& o : open) groupOf[o] = int(groups.size());
                open.clear();
                groups.push_back(std::int64_t(turn));
              }
            }
          }
          for (int s = 0; s < 3; ++s) EXPECT_EQ(executed[s], extent);
          EXPECT_TRUE(open.empty());
        }
      } while (std::ranges::next_permutation(at).found);
    }
  }
}

}  // namespace
}  // namespace loom::lower::pipeline_timetable_test
