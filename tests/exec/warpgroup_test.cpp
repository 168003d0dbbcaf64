// Products of warpgroups whose factors the copy engine brings: they give the same whenever copies land and products are
// done, and nothing is found wrong with what lowering makes.
#include <gmock/gmock.h>

#include <array>

#include "tests/exec/warpgroup_programs.h"

namespace loom::exec::warpgroup_test {
namespace {

namespace dev = loom::device;
using testing::IsEmpty;

TEST(WarpgroupProducts, AreRightForAllRings) {
  for (bool transposed : {false, true}) {
    for (int groups : {1, 2}) {
      for (const char* stage : {"[0, 0, 0]", "[0, 0, 1]", "[0, 0, 3]"}) {
        for (const char* order : {"[0, 1, 2]", "[1, 2, 0]"}) {
          if (std::string(stage) == "[0, 0, 0]" && std::string(order) == "[1, 2, 0]") continue;
          for (int inFlight : {0, 1}) {
            WarpgroupProduct p;
            p.transposed = transposed;
            p.groups = groups;
            p.stage = stage;
            p.order = order;
            p.inFlight = inFlight;
            SCOPED_TRACE(p.lines());
            expectRight(p);
          }
        }
      }
    }
  }
}

// Warps of their own load, and hand slots to those that multiply.
TEST(WarpgroupProducts, AreRightWithLoaders) {
  for (int groups : {1, 2}) {
    for (int inFlight : {0, 1}) {
      WarpgroupProduct p{.k = 512, .groups = groups, .stage = "[0, 0, 3]", .inFlight = inFlight, .loaders = true};
      SCOPED_TRACE(p.lines());
      expectRight(p);
    }
  }
}

// A ring of one slot has none to fill while products read it: they are waited for, and the slot is handed back at once.
TEST(WarpgroupProducts, OfRingsOfAnyLengthHandSlotsBack) {
  for (const auto& [stage, order] : {std::pair{"[0, 0, 1]", "[1, 2, 0]"}, std::pair{"[0, 0, 1]", "[0, 1, 2]"},
                                     std::pair{"[0, 0, 4]", "[1, 2, 0]"}, std::pair{"[0, 0, 4]", "[0, 1, 2]"}}) {
    for (int early : {0, 1, 3, 9}) {
      WarpgroupProduct p{.k = 512, .stage = stage, .order = order, .loaders = true};
      p.early = early;
      SCOPED_TRACE(p.lines());
      expectRight(p);
    }
  }
}

// B's tile has two slabs of 64 columns by rows, and one of 128 lines by columns.
TEST(WarpgroupProducts, TakeTilesOfSeveralSlabs) {
  for (bool transposed : {false, true}) {
    WarpgroupProduct p;
    p.columns = 128;
    p.transposed = transposed;
    expectRight(p);
  }
}

// Threads copy the first factor: they fence it before tensor cores read it.
TEST(WarpgroupProducts, TakeWhatThreadsHaveCopied) {
  const WarpgroupProduct p{.copiedByThreads = true};
  expectRight(p);
  const std::string text = dev::print(p.program());
  EXPECT_THAT(text, testing::HasSubstr("\n    fence for the copy engine\n"));
}

// Each warp stores the rows that it has written itself: no barrier of the block stands between.
TEST(WarpgroupProducts, AreStoredByTheCopyEngine) {
  for (bool loaders : {false, true}) {
    for (const auto& [slab, slots, groups, tiles] :
         {std::array{32, 1, 1, 1}, std::array{32, 2, 2, 1}, std::array{16, 2, 1, 2}, std::array{32, 3, 1, 2}}) {
      WarpgroupProduct p{.m = 256, .groups = groups, .loaders = loaders};
      p.slab = slab;
      p.slots = slots;
      p.tiles = tiles;
      p.blocks = 2;
      SCOPED_TRACE(p.lines());
      expectRight(p);
      const std::string text = dev::print(p.program());
      EXPECT_THAT(text, testing::HasSubstr("tma.store"));
      EXPECT_THAT(text, testing::HasSubstr("barrier of the warp"));
      EXPECT_TRUE(p.program().remarks.empty());
      EXPECT_THAT(text, testing::HasSubstr("all but the latest " + std::to_string(slots - 1) + " groups"));
    }
  }
}

// While one warpgroup stores its sums, the other multiplies.
TEST(WarpgroupProducts, TakeTurns) {
  for (int tiles : {1, 2}) {
    for (const auto& [k, stage] : {std::pair{192, "[0, 0, 3]"}, {256, "[0, 0, 2]"}, {320, "[0, 0, 3]"}}) {
      WarpgroupProduct p{.m = 256, .n = 192, .k = k, .stage = stage, .loaders = true};
      p.slab = 32;
      p.tiles = tiles;
      p.blocks = 2;
      p.turns = 2;
      SCOPED_TRACE(p.lines());
      expectRight(p);
      EXPECT_EQ(p.program().kernels[0].block, (std::array<std::int64_t, 3>{128, 3, 1}));
    }
  }
}

// The thread that makes the mbarriers asks for copies of as many iterations as is said, of no more than there are slots;
// the warps that load go on from there, if anything is left.
TEST(WarpgroupProducts, LoadEarly) {
  for (int k : {128, 192, 256, 512}) {
    for (int groups : {1, 2}) {
      WarpgroupProduct p{.k = k, .groups = groups, .stage = "[0, 0, 2]", .loaders = true};
      p.early = k == 192 ? 3 : 1;
      SCOPED_TRACE(p.lines());
      expectRight(p);
      EXPECT_THAT(dev::print(p.program()), testing::HasSubstr("tma.load"));
    }
  }
}

// What of a box is outside of a matrix is zeros, and isn't stored: sizes need not be whole tiles.
TEST(WarpgroupProducts, NeedNoWholeTiles) {
  for (bool transposed : {false, true}) {
    for (const auto& [m, n, k] : {std::array{100, 72, 200}, std::array{64, 40, 136}, std::array{130, 136, 72}}) {
      WarpgroupProduct p{.m = m, .n = n, .k = k, .groups = 2, .transposed = transposed, .loaders = true};
      p.padded = true;
      SCOPED_TRACE(p.lines());
      expectRight(p);
      EXPECT_EQ(p.program().kernels[0].maps.size(), 3U);
    }
  }
}

TEST(WarpgroupProducts, AreCheckedWithinTheBudget) {
  WarpgroupProduct p{.m = 1024, .n = 1024, .k = 1024, .groups = 2, .columns = 128, .stage = "[0, 0, 3]"};
  const auto report = check(p.function(), p.scheduledFunction());
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(report->status, Report::Status::Partly) << describe(*report).english();
  EXPECT_THAT(report->findings, IsEmpty());
  EXPECT_GE(report->compared, 4096);
  RecordProperty("milliseconds", int(report->milliseconds));
}

// Nine tiles for each block, of which one warpgroup has five and the other four: those that are left out are left out
// by all roles.
TEST(WarpgroupProducts, ThatTakeTurnsAreCheckedWithinTheBudget) {
  WarpgroupProduct p{.m = 2304, .n = 512, .k = 1024, .stage = "[0, 0, 3]", .loaders = true};
  p.slab = 32, p.blocks = 32, p.turns = 2;
  Options how;
  how.budget = 0.2;
  auto checker = Checker::create(p.function(), how);
  ASSERT_TRUE(checker) << checker.error().message.english();
  const auto report = checker->check(p.scheduledFunction());
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(report->status, Report::Status::Partly) << describe(*report).english();
  EXPECT_THAT(describe(*report).english(), testing::HasSubstr("of 9 iterations"));
  EXPECT_THAT(report->findings, IsEmpty());
}

}  // namespace
}  // namespace loom::exec::warpgroup_test
