#include "app/panels/playback/view/role_lanes.h"

#include <gmock/gmock.h>

#include "tests/model/lesson_lines.h"
#include "tests/panels/warpgroup_kernel.h"

namespace loom::session::playback_role_lanes_view_test {
namespace {

using State = SlotSpan::State;
using Of = RoleLane::Of;

StateModel modelOf(const document::KernelText& text) {
  static const model::Device h200 = model::deviceNamed("h200");
  Known known;
  known.device = &h200;
  return stateModelOf(text, known);
}

// A lesson's state at the end of a chapter, as an H200 is predicted to run it.
const StateModel& stateOf(const std::string& lesson, const std::string& chapter) {
  static std::map<std::string, StateModel> all;
  const std::string key = lesson + " " + chapter;
  if (const auto found = all.find(key); found != all.end()) return found->second;
  const std::string function = model::readText("assets/lessons/" + lesson + "/function.py");
  const auto [state, calls] = model::unscheduled(function, model::linesTo(lesson, chapter));
  const auto end = schedule::replayToEnd(state, calls, schedule::Environment{&model::intrinsics()});
  if (end.refusal) throw std::runtime_error(end.refusal->message.english());
  return all.emplace(key, modelOf(document::makeKernel(end.last))).first->second;
}
const RoleLanes& lanesOf(const std::string& lesson, const std::string& chapter) {
  return roleLanesOf(stateOf(lesson, chapter));
}

std::vector<const RoleLane*> multiplying(const RoleLanes& lanes) {
  std::vector<const RoleLane*> all;
  for (const RoleLane& l : lanes.lanes)
    if (l.of == Of::kWarps && l.role.multiplies) all.push_back(&l);
  return all;
}
const RoleLane* laneOf(const RoleLanes& lanes, Of of) {
  for (const RoleLane& l : lanes.lanes)
    if (l.of == of) return &l;
  return nullptr;
}
double share(const RoleLanes& lanes, double clocks) { return clocks / lanes.clocks; }

// What every trace must be, whatever the kernel.
void expectWhole(const RoleLanes& lanes) {
  ASSERT_FALSE(lanes.empty());
  ASSERT_GT(lanes.clocks, 0);
  double exposed = 0;
  for (const double e : lanes.exposed) exposed += e;
  EXPECT_NEAR(lanes.tensorBusy + exposed, lanes.clocks, 1) << "tensor cores multiply or wait for something";
  double latest = 0;
  for (const RoleLane& l : lanes.lanes) {
    std::vector<double> end(std::size_t(l.rows), 0);
    double sum = 0;
    for (const RoleLane::Bar& b : l.bars) {
      ASSERT_LT(b.row, l.rows);
      EXPECT_LE(end[std::size_t(b.row)], b.from + 1e-6);
      EXPECT_LE(b.from, b.to);
      EXPECT_LE(b.to, lanes.clocks);
      end[std::size_t(b.row)] = b.to;
      sum += b.to - b.from;
    }
    if (l.of != Of::kWarps) continue;
    EXPECT_NEAR(sum, end[0], 0.5) << "bars follow each other from the block's begin to the warps' end";
    latest = std::max(latest, end[0]);
  }
  EXPECT_LE(latest, lanes.clocks);
  EXPECT_GT(latest, lanes.clocks - 2000) << "what follows is writes on their way";
  for (const BufferRing& ring : lanes.rings) {
    std::vector<double> free(std::size_t(ring.slots), 0);
    std::vector<std::int64_t> last(std::size_t(ring.slots), -1);
    ASSERT_FALSE(ring.spans.empty());
    for (const SlotSpan& s : ring.spans) {
      const auto slot = std::size_t(s.slot);
      EXPECT_GE(s.from, free[slot] - 1e-6) << "slot " << s.slot << " isn't filled while it is read, #" << s.step;
      EXPECT_EQ(s.step % ring.slots, s.slot);
      if (s.state == State::kInFlight) {
        EXPECT_GT(s.step, last[slot]);
      }
      free[slot] = s.to;
      last[slot] = s.step;
    }
  }
}

TEST(RoleLanes, ThereIsALaneForEachAgent) {
  const RoleLanes& l = lanesOf("hopper", "roles");
  ASSERT_EQ(l.lanes.size(), 5U);
  EXPECT_TRUE(l.lanes[0].role.multiplies);
  EXPECT_THAT(l.lanes[0].role.warps, testing::ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(l.lanes[1].role.warps, testing::ElementsAre(4, 5, 6, 7));
  EXPECT_TRUE(l.lanes[2].role.copies);
  EXPECT_THAT(l.lanes[2].role.warps, testing::ElementsAre(8)) << "the others of its group have nothing to do";
  EXPECT_EQ(l.lanes[3].of, Of::kCopyEngine);
  EXPECT_EQ(l.lanes[4].of, Of::kTensorCores);
  EXPECT_EQ(l.lanes[4].rows, 2) << "one for each warpgroup";
  ASSERT_EQ(l.rings.size(), 1U);
  EXPECT_EQ(l.rings[0].buffers.size(), 2U);
  EXPECT_EQ(l.steps().size(), 64U) << "4096 of k by 64";
}

TEST(RoleLanes, BarsAddUpAndSlotsAreFilledWhenFree) {
  for (const char* chapter :
       {"one", "large", "ring", "roles", "wide", "raster", "persistent", "staged", "turns", "in_flight"}) {
    SCOPED_TRACE(chapter);
    expectWhole(lanesOf("hopper", chapter));
  }
  for (const char* chapter : {"one", "tile", "ring", "in_flight", "roles", "staged", "early"}) {
    SCOPED_TRACE(chapter);
    expectWhole(lanesOf("hopper_1024", chapter));
  }
}

// A multiprocessor with one block: its life is the predicted time.
TEST(RoleLanes, OfABlockThatStaysTheLifeIsThePredictedTime) {
  for (const char* chapter : {"persistent", "staged", "turns", "in_flight"}) {
    const RoleLanes& l = lanesOf("hopper", chapter);
    EXPECT_EQ(l.blocks, 1);
    const model::Estimate& e = *stateOf("hopper", chapter).estimate();
    EXPECT_NEAR(l.nanoseconds(l.clocks) / 1000 + e.launchMicroseconds, e.microseconds, 0.01) << chapter;
    EXPECT_EQ(l.megahertz, e.megahertz);
  }
}

TEST(RoleLanes, ARingHidesWhatOneBufferExposes) {
  // With one buffer warps wait for each box, and other blocks fill in; with a ring, for a box now and then: loads of
  // this kernel take 15 % of its clocks on an H200 (RoleConstants::memoryLatency).
  const RoleLanes &one = lanesOf("hopper", "one"), &roles = lanesOf("hopper", "roles");
  EXPECT_EQ(one.rings.at(0).slots, 1);
  EXPECT_GT(one.resident, 1);
  EXPECT_GT(share(one, multiplying(one).at(0)->clocksOf(RoleDoes::kAwaitBox)), 0.3);
  EXPECT_LT(share(roles, multiplying(roles).at(0)->clocksOf(RoleDoes::kAwaitBox)), 0.2);
  const RoleLane& tensor = *laneOf(one, Of::kTensorCores);
  EXPECT_TRUE(std::ranges::any_of(tensor.bars, [](const RoleLane::Bar& b) { return !b.own && !b.idle; }));
}

// What keeps tensor cores is told by what made their next product late: with several blocks on a multiprocessor each
// waits for boxes while the others multiply, and what a wait costs after its box has landed isn't the reason.
TEST(RoleLanes, BlocksThatShareTensorCoresWaitForTheCopyEngine) {
  const RoleLanes& one = lanesOf("hopper", "one");
  const double idle = one.clocks - one.tensorBusy;
  EXPECT_GT(share(one, idle), 0.3);
  EXPECT_GT(one.exposed[std::size_t(RoleDoes::kAwaitBox)], 0.9 * idle);
  EXPECT_GT(share(one, laneOf(one, Of::kCopyEngine)->busy), 0.9) << "which is what Advice says, too";
  EXPECT_TRUE(std::ranges::any_of(laneOf(one, Of::kTensorCores)->bars, &RoleLane::Bar::late));
  // Alone, and with nothing to wait for, what a wait costs is the reason.
  const RoleLanes& waiting = lanesOf("hopper", "turns");
  EXPECT_GT(share(waiting, waiting.exposed[std::size_t(RoleDoes::kLook)]), 0.12);
  EXPECT_LT(share(waiting, waiting.exposed[std::size_t(RoleDoes::kInstructions)]), 0.08);
}

// A meeting of the cluster is nobody's role: one warp asks for boxes, as without clusters.
TEST(RoleLanes, OfAClusterOneWarpStillLoads) {
  const RoleLanes& l = lanesOf("hopper", "clusters");
  EXPECT_EQ(l.cluster, 2);
  EXPECT_EQ(lanesOf("hopper", "in_flight").cluster, 1);
  ASSERT_EQ(l.lanes.size(), 5U);
  EXPECT_THAT(l.lanes[2].role.warps, testing::ElementsAre(8));
}

// Both groups store at once, and the model lets one pass before the other: who waits doesn't write for longer.
TEST(RoleLanes, WritesBehindOthersAreWaits) {
  const RoleLanes& l = lanesOf("hopper", "persistent");
  const auto groups = multiplying(l);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0]->clocksOf(RoleDoes::kAwaitWrites), 0);
  EXPECT_GT(share(l, groups[1]->clocksOf(RoleDoes::kAwaitWrites)), 0.02);
  EXPECT_NEAR(groups[0]->clocksOf(RoleDoes::kWrite) / groups[1]->clocksOf(RoleDoes::kWrite), 1, 0.1);
  for (const RoleLane::Bar& b : groups[1]->bars) EXPECT_TRUE(b.does != RoleDoes::kAwaitWrites || b.by == 0);
  EXPECT_EQ(l.exposed[std::size_t(RoleDoes::kAwaitWrites)], 0) << "tensor cores are idle for writes";
  EXPECT_GT(share(l, l.exposed[std::size_t(RoleDoes::kWrite)]), 0.04);
}

// The loader is ahead by the ring's slots and no further: a box that comes late after the sums of a tile was asked for
// when the other group, which writes later, had handed its slot back.
TEST(RoleLanes, ABoxThatIsLateNamesWhoKeptItsSlot) {
  const RoleLanes& l = lanesOf("hopper", "persistent");
  const auto groups = multiplying(l);
  int kept = 0;
  for (const RoleLane::Bar& b : groups.at(0)->bars) {
    if (b.does != RoleDoes::kAwaitBox || b.by < 0) continue;
    EXPECT_EQ(b.by, 1) << "#" << b.step;
    const bool others = std::ranges::any_of(groups[1]->bars, [&](const RoleLane::Bar& other) {
      return other.does == RoleDoes::kWrite && other.from < b.to && other.to > b.from - 5000;
    });
    EXPECT_TRUE(others) << "#" << b.step;
    ++kept;
  }
  EXPECT_GT(kept, 0);
  // With one buffer and blocks beside it boxes are late by themselves.
  for (const RoleLane::Bar& b : multiplying(lanesOf("hopper", "one")).at(0)->bars)
    EXPECT_TRUE(b.does != RoleDoes::kAwaitBox || b.by < 0);
}

// Products that shared memory holds up keep tensor cores busy for longer than they would take alone.
TEST(RoleLanes, ProductsNeedNoMoreThanTheyTake) {
  for (const char* chapter : {"one", "large", "wide", "in_flight"}) {
    const RoleLanes& l = lanesOf("hopper", chapter);
    EXPECT_LE(l.tensorNeed, l.tensorBusy + 1) << chapter;
    EXPECT_TRUE(l.powerBound) << chapter;
    const model::Estimate& e = *stateOf("hopper", chapter).estimate();
    if (l.blocks == 1) {
      EXPECT_NEAR(l.tensorNeed, e.roles->use.tensor, 1) << chapter << ": the same as Advice's";
    }
  }
  const RoleLanes& one = lanesOf("hopper", "one");
  EXPECT_LT(one.tensorNeed, 0.9 * one.tensorBusy) << "both factors of 64 × 64 from shared memory";
}

// Ping-pong: while one warpgroup writes its sums, the other multiplies. That hides nothing where each product is
// waited for: tensor cores stand still between the products of a tile, which nobody else may fill.
TEST(RoleLanes, TurnsHideSumsBeneathProducts) {
  const RoleLanes &turns = lanesOf("hopper", "in_flight"), &waiting = lanesOf("hopper", "turns"),
                  &together = lanesOf("hopper", "staged");
  for (const RoleLane* l : multiplying(turns)) {
    double writes = 0;
    for (const RoleDoes does : {RoleDoes::kWork, RoleDoes::kWrite, RoleDoes::kAwaitStores}) writes += l->clocksOf(does);
    EXPECT_GT(writesBeneathProducts(turns, l->group), 0.65 * writes)
        << "but for what is before a group's first tile and after the last, group " << l->group;
    EXPECT_GT(l->clocksOf(RoleDoes::kAwaitTurn), 0);
  }
  for (const RoleLane* l : multiplying(together)) {
    EXPECT_EQ(l->clocksOf(RoleDoes::kAwaitTurn), 0);
    EXPECT_LT(writesBeneathProducts(together, l->group), 0.55 * writesBeneathProducts(turns, l->group));
  }
  const auto exposed = [](const RoleLanes& l, RoleDoes does) { return share(l, l.exposed[std::size_t(does)]); };
  EXPECT_GT(share(turns, turns.tensorBusy), 0.97);
  EXPECT_LT(share(waiting, waiting.tensorBusy), 0.75);
  EXPECT_GT(exposed(waiting, RoleDoes::kAwaitProducts) + exposed(waiting, RoleDoes::kLook) +
                exposed(waiting, RoleDoes::kInstructions),
            0.2)
      << "its own products' end, then the slot is handed back and the next one waited for";
  EXPECT_GT(exposed(waiting, RoleDoes::kAwaitProducts), 0.05) << "RoleConstants::productLatency of each 512 clocks";
  EXPECT_LT(exposed(turns, RoleDoes::kAwaitProducts), 0.02);
  EXPECT_GT(exposed(together, RoleDoes::kAwaitStores) + exposed(together, RoleDoes::kWork),
            2 * (exposed(turns, RoleDoes::kAwaitStores) + exposed(turns, RoleDoes::kWork)));
}

TEST(RoleLanes, AKernelWithoutRolesInTheModelHasNone) {
  EXPECT_FALSE(roleLanesOf(modelOf(warpgroupKernel(true))).empty());
  EXPECT_TRUE(roleLanesOf(warpgroupKernel(true).program->kernels.front(), {}).empty());
  const std::string path = "tests/oracle/cases/lessons/tensorcore";
  const StateModel wmma = modelOf(document::makeKernel(
      model::replayed(model::readText(path + ".func.py"), model::readText(path + ".sched.py")).last));
  EXPECT_TRUE(roleLanesOf(wmma).empty());
}

}  // namespace
}  // namespace loom::session::playback_role_lanes_view_test
