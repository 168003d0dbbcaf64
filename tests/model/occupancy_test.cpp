#include "core/model/occupancy.h"

#include <gtest/gtest.h>

#include "core/model/active_clusters.h"
#include "tests/model/programs.h"

namespace loom::model::occupancy_test {
namespace {

struct Case {
  const char* device;
  int threads, registers, shared, blocks;
};

// What cuda_occupancy.h of CUDA 13.0 computes (the header behind cudaOccupancyMaxActiveBlocksPerMultiprocessor), with
// the whole shared memory as carve-out.
const Case kCases[] = {
    {"t4", 32, 32, 0, 16},
    {"t4", 512, 64, 32768, 2},
    {"t4", 512, 65, 32768, 1},
    {"t4", 256, 168, 49152, 1},
    {"t4", 1024, 64, 0, 1},
    {"t4", 1024, 65, 0, 0},
    {"t4", 16, 63, 0, 16},
    {"t4", 33, 40, 1000, 16},
    {"t4", 96, 255, 2048, 2},
    {"t4", 128, 32, 16384, 4},
    {"t4", 128, 32, 65536, 1},
    {"t4", 384, 168, 100000, 0},
    {"t4", 64, 24, 0, 16},
    {"t4", 1024, 32, 8192, 1},
    {"t4", 256, 128, 101376, 0},
    {"t4", 640, 90, 0, 1},
    {"t4", 160, 96, 5000, 4},
    {"a100_40", 32, 32, 0, 32},
    {"a100_40", 512, 64, 32768, 2},
    {"a100_40", 512, 65, 32768, 1},
    {"a100_40", 256, 168, 49152, 1},
    {"a100_40", 1024, 64, 0, 1},
    {"a100_40", 1024, 65, 0, 0},
    {"a100_40", 16, 63, 0, 32},
    {"a100_40", 33, 40, 1000, 24},
    {"a100_40", 96, 255, 2048, 2},
    {"a100_40", 128, 32, 16384, 9},
    {"a100_40", 128, 32, 65536, 2},
    {"a100_40", 384, 168, 100000, 1},
    {"a100_40", 64, 24, 0, 32},
    {"a100_40", 1024, 32, 8192, 2},
    {"a100_40", 256, 128, 101376, 1},
    {"a100_40", 640, 90, 0, 1},
    {"a100_40", 160, 96, 5000, 4},
    {"rtx_3080", 32, 32, 0, 16},
    {"rtx_3080", 512, 64, 32768, 2},
    {"rtx_3080", 512, 65, 32768, 1},
    {"rtx_3080", 256, 168, 49152, 1},
    {"rtx_3080", 1024, 64, 0, 1},
    {"rtx_3080", 1024, 65, 0, 0},
    {"rtx_3080", 16, 63, 0, 16},
    {"rtx_3080", 33, 40, 1000, 16},
    {"rtx_3080", 96, 255, 2048, 2},
    {"rtx_3080", 128, 32, 16384, 5},
    {"rtx_3080", 128, 32, 65536, 1},
    {"rtx_3080", 384, 168, 100000, 1},
    {"rtx_3080", 64, 24, 0, 16},
    {"rtx_3080", 1024, 32, 8192, 1},
    {"rtx_3080", 256, 128, 101376, 1},
    {"rtx_3080", 640, 90, 0, 1},
    {"rtx_3080", 160, 96, 5000, 4},
    {"h200", 32, 32, 0, 32},
    {"h200", 512, 64, 32768, 2},
    {"h200", 512, 65, 32768, 1},
    {"h200", 256, 168, 49152, 1},
    {"h200", 1024, 64, 0, 1},
    {"h200", 1024, 65, 0, 0},
    {"h200", 16, 63, 0, 32},
    {"h200", 33, 40, 1000, 24},
    {"h200", 96, 255, 2048, 2},
    {"h200", 128, 32, 16384, 13},
    {"h200", 128, 32, 65536, 3},
    {"h200", 384, 168, 100000, 1},
    {"h200", 64, 24, 0, 32},
    {"h200", 1024, 32, 8192, 2},
    {"h200", 256, 128, 101376, 2},
    {"h200", 640, 90, 0, 1},
    {"h200", 160, 96, 5000, 4},
};

TEST(Occupancy, IsCudas) {
  for (const Case& c : kCases) {
    auto o = occupancy(deviceNamed(c.device), {c.threads, c.registers, c.shared});
    ASSERT_TRUE(o) << o.error().message.english();
    EXPECT_EQ(o->blocks, c.blocks) << c.device << ": " << c.threads << " threads, " << c.registers << " registers, "
                                   << c.shared << " bytes";
  }
}

TEST(Occupancy, NamesWhatLimits) {
  Device h200 = deviceNamed("h200");
  EXPECT_EQ(occupancy(h200, {1024, 32, 0})->limiter, Limiter::Threads);
  EXPECT_EQ(occupancy(h200, {32, 32, 0})->limiter, Limiter::Blocks);
  EXPECT_EQ(occupancy(h200, {512, 65, 0})->limiter, Limiter::Registers);
  EXPECT_EQ(occupancy(h200, {128, 32, 65536})->limiter, Limiter::Shared);
  EXPECT_EQ(occupancy(h200, {1024, 65, 0})->limiter, Limiter::TooLarge);
  EXPECT_EQ(occupancy(h200, {128, 32, 0})->sharedPerBlock, 1024) << "the system's reserve";
  EXPECT_EQ(occupancy(deviceNamed("t4"), {128, 32, 0})->sharedPerBlock, 0) << "none before 8.0";
  EXPECT_EQ(occupancy(h200, {128, 33, 0})->registersPerBlock, 4 * 1280) << "33 · 32 rounded up to 256";
}

TEST(Occupancy, WithoutRegistersTheyDoNotLimit) {
  auto o = occupancy(deviceNamed("h200"), {256, 0, 0});
  EXPECT_EQ(o->blocks, 8);
  EXPECT_EQ(o->byRegisters, -1);
}

TEST(Waves, CountWhatIsLeftForTheLast) {
  Device h200 = deviceNamed("h200");
  auto o = occupancy(h200, {512, 64, 32768});
  auto w = waves(h200, *o, 64);
  EXPECT_EQ(w->full, 0);
  EXPECT_EQ(w->last, 64);
  EXPECT_NEAR(w->busyMultiprocessors, 64.0 / 132, 1e-9) << "less than half of the chip works";
  w = waves(h200, *o, 264 * 2 + 1);
  EXPECT_EQ(w->full, 2);
  EXPECT_EQ(w->last, 1);
  EXPECT_NEAR(w->efficiency, 529.0 / (3 * 264), 1e-9);
}

// By cudaOccupancyMaxActiveClusters on an H100 SXM, blocks of 200 KB of shared memory.
TEST(ActiveClusters, AreCudas) {
  const Device h100 = deviceNamed("h100_sxm");
  const auto o = occupancy(h100, {384, 168, 200 << 10});
  ASSERT_EQ(o->blocks, 1);
  const std::int64_t counted[] = {132, 66, 39, 30, 22, 17, 15, 15};
  for (std::int64_t size = 1; size <= 8; ++size) {
    const auto active = activeClusters(h100, *o, size);
    EXPECT_EQ(active->clusters, counted[size - 1]) << size;
    EXPECT_EQ(active->areLimitedByGpcs(), counted[size - 1] < 132 / size) << size;
  }
}

TEST(ActiveClusters, OfUnknownGpcsFillTheDevice) {
  Device device = deviceNamed("h100_sxm");
  device.gpcs = {};
  const auto o = occupancy(device, {384, 168, 200 << 10});
  EXPECT_EQ(activeClusters(device, *o, 4)->clusters, 33);
  EXPECT_TRUE(activeClusters(device, *o, 4)->gpcs.empty());
  EXPECT_FALSE(activeClusters(device, *o, 4)->areLimitedByGpcs());
  EXPECT_EQ(activeClusters(device, *o, 0).error().code, "InvalidArgument");
}

// 30 clusters of 4 are 120 blocks: 128 take two waves, though 132 multiprocessors are there.
TEST(Waves, OfClustersAreWholeClusters) {
  const Device h100 = deviceNamed("h100_sxm");
  const auto o = occupancy(h100, {384, 168, 200 << 10});
  const auto w = waves(h100, *o, 128, 4);
  EXPECT_EQ(w->slots, 120);
  EXPECT_EQ(w->count(), 2);
  EXPECT_EQ(w->last, 8);
  EXPECT_EQ(w->clusters.wavesWithout(128), 1);
  EXPECT_EQ(w->clusters.busiest(128), 2);
  EXPECT_NEAR(w->busyMultiprocessors, 120.0 / 132, 1e-9);
  EXPECT_EQ(waves(h100, *o, 128, 2)->count(), 1);
  EXPECT_EQ(waves(h100, *o, 128)->clusters.busiest(128), 1);
  const auto two = occupancy(h100, {128, 64, 100 << 10});
  ASSERT_EQ(two->blocks, 2);
  EXPECT_EQ(waves(h100, *two, 256, 4)->slots, 264) << "two blocks on each multiprocessor: pairs hold whole clusters";
  EXPECT_EQ(waves(h100, *two, 128, 4)->clusters.busiest(128), 2) << "30 clusters have multiprocessors of their own";
  EXPECT_EQ(waves(h100, *two, 120, 4)->clusters.busiest(120), 1);
  EXPECT_EQ(waves(h100, *two, 264 + 4, 4)->clusters.busiest(264 + 4), 3);
}

TEST(OccupancyRefuses, WhatIsNoBlock) {
  Device h200 = deviceNamed("h200");
  EXPECT_EQ(occupancy(h200, {0, 32, 0}).error().code, "InvalidArgument");
  EXPECT_EQ(occupancy(h200, {32, -1, 0}).error().code, "InvalidArgument");
  EXPECT_EQ(occupancy(h200, {32, 32, -1}).error().code, "InvalidArgument");
  EXPECT_EQ(waves(h200, *occupancy(h200, {32, 32, 0}), 0).error().code, "InvalidArgument");
}

TEST(OccupancyRefuses, ADeviceWithoutTheFigures) {
  Device bare = *parseDevice(R"({"id": "x", "name": "X", "compute_capability": [9, 0], "figures": {}})", "x.json");
  auto o = occupancy(bare, {32, 32, 0});
  ASSERT_FALSE(o);
  EXPECT_EQ(o.error().code, "UnknownFigure");
  EXPECT_NE(o.error().message.english().find("threads_per_multiprocessor"), std::string::npos);
  Device noCount = deviceNamed("h200");
  noCount.figures.erase(Quantity::Multiprocessors);
  EXPECT_EQ(waves(noCount, *occupancy(noCount, {32, 32, 0}), 8).error().code, "UnknownFigure");
}

}  // namespace
}  // namespace loom::model::occupancy_test
