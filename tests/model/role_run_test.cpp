#include "core/model/role_run.h"

#include <gtest/gtest.h>

#include "core/ir/build.h"
#include "core/model/role_estimate.h"
#include "tests/model/programs.h"
#include "tests/schedules/schedule_text.h"

namespace loom::model::role_run_test {
namespace {

using Does = RoleStep::Does;

// One group of warps, and a barrier for a slot.
device::Kernel oneGroup() {
  device::Kernel k;
  k.block = {128, 1, 1};
  k.grid = {1, 1, 1};
  for (int axis = 0; axis < 3; ++axis) {
    k.blockIdx[std::size_t(axis)] = std::make_shared<ir::VarNode>("b", ir::DType::Int(32));
    k.threadIdx[std::size_t(axis)] = std::make_shared<ir::VarNode>("t", ir::DType::Int(32));
  }
  k.mbarriers.push_back({nullptr, 1, 1, false});
  return k;
}
RoleStep step(Does does, double bytes = 0, double clocks = 0) {
  RoleStep s;
  s.does = does;
  s.bytes = bytes;
  s.clocks = clocks;
  s.barrier = 0;
  s.value = ir::intImm(0);
  return s;
}

TEST(RunOfRoles, WaitsForTheBoxThenForTheProduct) {
  const std::vector<RoleStep> steps{step(Does::Expect, 8192),   step(Does::Load, 8192),
                                    step(Does::WaitBarrier),    step(Does::Multiply, 4096, 64),
                                    step(Does::CommitProducts), step(Does::WaitProducts)};
  const RoleConstants c;
  RoleMachine m;
  m.boxBytes = 64;
  const auto run = runRoles(oneGroup(), steps, m, c);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->use.copy, 8192 / 64.0);
  EXPECT_EQ(run->use.tensor, 64);
  const double landed = c.firstBox + c.arrival + c.boxIssue + c.boxLatency + 8192 / 64.0;
  EXPECT_NEAR(run->firstProduct, landed + c.barrierWait + c.productIssue, 1);
  // Who waits goes on productLatency after the product's end.
  EXPECT_NEAR(run->clocks, run->firstProduct + 64 + c.productLatency, 1);
}

// Of a box whose rows begin off sectors a multiprocessor's link carries also the lines that others request for it.
TEST(RunOfRoles, LinesOffSectorsTakeLongerAlsoThoseThatOthersRequest) {
  const RoleConstants c;
  RoleMachine m;
  m.boxBytes = 1000;
  m.lineClocks = 2;
  const auto copied = [&](double lines, double arriving, bool onSectors) {
    RoleStep load = step(Does::Load, 8192);
    load.lines = lines, load.arriving = arriving, load.onSectors = onSectors;
    const auto run = runRoles(oneGroup(), {step(Does::Expect, 8192), load, step(Does::WaitBarrier)}, m, c);
    return run ? run->use.copy : 0;
  };
  EXPECT_NEAR(copied(64, 64, true), 128, 1e-9);
  EXPECT_NEAR(copied(64, 64, false), 128 * c.offSectors, 1e-9);
  EXPECT_NEAR(copied(32, 64, true), 64, 1e-9);
  EXPECT_NEAR(copied(32, 64, false), std::max(64 * c.offSectors, 128 * c.offSectorsArriving), 1e-9);
  EXPECT_NEAR(copied(16, 64, false), 128 * c.offSectorsArriving, 1e-9) << "shared by four blocks";
}

TEST(RunOfRoles, EndsWithNothingWhereAGroupWaitsForWhatNeverComes) {
  EXPECT_FALSE(runRoles(oneGroup(), {step(Does::Expect, 8192), step(Does::WaitBarrier)}, {}));
  // Half of what was announced.
  EXPECT_FALSE(runRoles(oneGroup(), {step(Does::Expect, 8192), step(Does::Load, 4096), step(Does::WaitBarrier)}, {}));
}

// Who hasn't waited for the first phase of a slot waits for the second one by its number, as those do that take turns.
TEST(RunOfRoles, WaitsForThePhaseThatAWaitNames) {
  device::Kernel k = oneGroup();
  k.block = {128, 2, 1};
  RoleStep branch = step(Does::Branch), named = step(Does::WaitBarrier);
  branch.value = ir::eq(k.threadIdx[1], ir::intImm(0));
  branch.target = 3;
  RoleStep jump = step(Does::Jump);
  jump.target = 7;
  const auto clocksOf = [&](const RoleStep& wait) {
    const auto run = runRoles(k,
                              {branch, wait, jump, step(Does::Work, 0, 1000), step(Does::Arrive),
                               step(Does::Work, 0, 1000), step(Does::Arrive)},
                              {});
    return run ? run->clocks : -1;
  };
  const RoleConstants c;
  const double arrivals = c.firstBox + 2 * (1000 + c.arrival);
  EXPECT_EQ(clocksOf(named), arrivals) << "the next phase is the first one, and over before the second";
  named.phase = ir::intImm(1);
  EXPECT_EQ(clocksOf(named), arrivals + c.barrierWait);
  named.phase = ir::intImm(2);
  EXPECT_EQ(clocksOf(named), -1) << "nobody arrives a third time";
}

TEST(RunOfRoles, IsWithoutValuesThatMemoryHolds) {
  const auto unknown = std::make_shared<ir::VarNode>("n", ir::DType::Int(32));
  RoleStep branch = step(Does::Branch);
  branch.value = unknown;
  branch.target = 1;
  EXPECT_FALSE(runRoles(oneGroup(), {branch}, {}));
}

// 128 blocks that a multiprocessor holds one of: those of clusters of 4 don't all run at a time.
TEST(RunOfRoles, OfClustersTakesTheWavesThatGpcsLeave) {
  const Device device = deviceNamed("h200");
  const std::string function = readText("tests/model/roles/2048.func.py"),
                    lines = readText("tests/model/roles/2048_128x256_ring3.sched.py");
  const auto timeOf = [&](const std::string& more) {
    const device::Program program = lowered(function, lines + more);
    return modelOf(program.kernels.front(), device).estimate->microseconds;
  };
  const double alone = timeOf("");
  EXPECT_NEAR(timeOf("sch.annotate(tile, \"tileloom.cluster_x\", 2)\n"), alone, 0.01 * alone)
      << "66 clusters of 2 run at a time";
  const double four = timeOf("sch.annotate(tile, \"tileloom.cluster_x\", 4)\n");
  EXPECT_GT(four, 1.5 * alone) << "30 of 4 do: 8 blocks come second";
  EXPECT_LT(four, 2 * alone);
}

}  // namespace
}  // namespace loom::model::role_run_test
