// Products of warpgroups whose factors the copy engine brings: they give the same whenever copies land and products are
// done, and nothing is found wrong with what lowering makes.
#include <gmock/gmock.h>

#include "tests/exec/warpgroup_programs.h"

namespace loom::exec {
namespace {

namespace dev = loom::device;
using testing::IsEmpty;

void expectRight(const WarpgroupProduct& p) {
  const dev::Program program = p.program();
  Reference reference = Reference::create(p.function(), 1).value();
  const Execution o = executionOf(program, reference);
  EXPECT_THAT(o.faults, IsEmpty()) << dev::print(program);
  EXPECT_EQ(o.wrong, 0) << dev::print(program);
}

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

TEST(WarpgroupProducts, AreCheckedWithinTheBudget) {
  WarpgroupProduct p{.m = 1024, .n = 1024, .k = 1024, .groups = 2, .columns = 128, .stage = "[0, 0, 3]"};
  const auto report = check(p.function(), p.scheduledFunction());
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(report->status, Report::Status::Partly) << describe(*report).english();
  EXPECT_THAT(report->findings, IsEmpty());
  EXPECT_GE(report->compared, 4096);
  RecordProperty("milliseconds", int(report->milliseconds));
}

}  // namespace
}  // namespace loom::exec
