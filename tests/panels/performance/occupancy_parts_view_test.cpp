#include "app/panels/performance/view/occupancy_parts.h"

#include <gmock/gmock.h>

#include "app/panels/performance/view/performance.h"
#include "core/tune/cluster_hints.h"
#include "tests/panels/reused_kernel.h"
#include "tests/panels/warpgroup_kernel.h"

namespace loom::session::performance_occupancy_parts_view_test {
namespace {

OccupancyParts partsOf(const document::KernelText& text, int registers) {
  static const model::Device h200 = model::deviceNamed("h200");
  compile::KernelResources resources;
  resources.registers = registers;
  model::Machine machine;
  machine.resources = &resources;
  const auto model = model::modelOf(text.program->kernels.front(), h200, machine);
  return occupancyParts(model, h200, registers);
}

TEST(OccupancyParts, RegistersGoByRoleAndSharedMemoryByBuffer) {
  const OccupancyParts parts = partsOf(warpgroupKernel(true, 2), 168);
  ASSERT_EQ(parts.registers.size(), 3U);
  EXPECT_EQ(parts.registers[0].each, 232);
  EXPECT_EQ(parts.registers[0].amount, 232 * 256);
  EXPECT_EQ(parts.registers[1].each, 40);
  EXPECT_EQ(parts.registers[1].amount, 40 * 32);
  EXPECT_EQ(parts.registers[2].amount, 40 * 96);
  EXPECT_EQ(parts.launched, 168 * 384);
  EXPECT_TRUE(parts.haveOwnRegisters());
  EXPECT_FALSE(parts.areShort()) << "232 · 256 + 40 · 128 is what 168 for each of 384 threads is";
  EXPECT_TRUE(partsOf(warpgroupKernel(true, 2), 160).areShort());
  EXPECT_EQ(parts.registersOfSm, 65536);
  using Kind = OccupancyParts::Shared::Kind;
  ASSERT_EQ(parts.shared.size(), 5U);
  ASSERT_EQ(parts.shared[0].buffers.size(), 1U);
  EXPECT_EQ(parts.shared[0].buffers[0].stages, 3);
  EXPECT_EQ(parts.shared[0].bytes, 3 * 128 * 64 * 2) << "rows of both warpgroups";
  EXPECT_EQ(parts.shared[1].bytes, 3 * 64 * 64 * 2);
  EXPECT_EQ(parts.shared[2].kind, Kind::kMbarriers);
  EXPECT_EQ(parts.shared[2].bytes, 2 * 3 * 8) << "a word a slot, full and empty";
  EXPECT_EQ(parts.shared[3].kind, Kind::kReserve);
  EXPECT_EQ(parts.shared[4].kind, Kind::kRounding);
  double all = 0;
  for (const OccupancyParts::Shared& s : parts.shared) all += s.bytes;
  EXPECT_EQ(int(all) % 128, 0) << "as much as a block is given";
  EXPECT_EQ(parts.blocks, 1) << "registers";
}

// Bytes that buffers share are one part, so that the parts are what a block is given.
TEST(OccupancyParts, CountSharedBytesOnce) {
  const document::KernelText text = reusedKernel();
  ASSERT_TRUE(text.program);
  const OccupancyParts parts = partsOf(text, 32);
  using Kind = OccupancyParts::Shared::Kind;
  ASSERT_EQ(parts.shared.size(), 3U);
  std::vector<std::string> names;
  double shared = 0, all = 0;
  for (const OccupancyParts::Shared& s : parts.shared) {
    all += s.bytes;
    if (s.buffers.size() < 2) continue;
    shared += s.bytes;
    for (const auto& b : s.buffers) names.push_back(b.name);
  }
  EXPECT_THAT(names, testing::UnorderedElementsAre("S", "U"));
  EXPECT_EQ(shared, 2048) << "the larger one's";
  EXPECT_EQ(parts.shared.back().kind, Kind::kReserve) << "nothing is between them";
  EXPECT_EQ(all, 2048 + 512 + 1024);
}

TEST(OccupancyParts, WithoutMachineCodeRegistersAreNotTold) {
  const OccupancyParts parts = partsOf(warpgroupKernel(false), 0);
  EXPECT_TRUE(parts.registers.empty());
  EXPECT_FALSE(parts.areShort());
  EXPECT_FALSE(parts.shared.empty());
  const OccupancyParts alike = partsOf(warpgroupKernel(false), 90);
  ASSERT_EQ(alike.registers.size(), 1U);
  EXPECT_EQ(alike.registers.front().each, 90);
  EXPECT_FALSE(alike.haveOwnRegisters());
}

// The page has the waves of a kernel with clusters, and which GPC holds how many.
TEST(OccupancyOfClusters, IsByGpc) {
  static const model::Device h200 = model::deviceNamed("h200");
  document::KernelText text = warpgroupKernel(true, 2);
  device::Kernel kernel = text.program->kernels.front();
  kernel.grid = {64, 2, 1};
  kernel.cluster = {4, 1, 1};
  compile::KernelResources resources;
  resources.registers = 168;
  model::Machine machine;
  machine.resources = &resources;
  const auto model = model::modelOf(kernel, h200, machine);
  const PerformanceView view = performanceView(model, &h200, &resources, {});
  ASSERT_TRUE(view.waves);
  EXPECT_EQ(view.waves->clusters.clusters, 30);
  EXPECT_EQ(view.waves->clusters.gpcs.size(), h200.gpcs.multiprocessors.size());
  EXPECT_EQ(view.waves->clusters.gpcs.front().clusters, 4) << "of 18 multiprocessors";
  EXPECT_EQ(view.waves->count(), 2);
  // What another number would do, as the form of the annotation says.
  const auto hints = tune::ClusterHints::of(model, h200, "tileloom.cluster_x");
  ASSERT_TRUE(hints);
  EXPECT_EQ(hints->wavesOf(2)->count(), 1);
  EXPECT_EQ(hints->wavesOf(4)->count(), 2);
  const auto across = tune::ClusterHints::of(model, h200, "tileloom.cluster_y");
  EXPECT_EQ(across->wavesOf(2)->clusters.size, 8) << "beside the 4 along x";
  EXPECT_FALSE(tune::ClusterHints::of(model, h200, "tileloom.slots"));
  EXPECT_FALSE(tune::ClusterHints::of(model, model::deviceNamed("t4"), "tileloom.cluster_x"));
}

}  // namespace
}  // namespace loom::session::performance_occupancy_parts_view_test
