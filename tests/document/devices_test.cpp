#include "core/document/devices.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/document/file.h"
#include "core/gpu/describe.h"

namespace loom::document::devices_test {
namespace {

namespace fs = std::filesystem;
using model::Quantity;

const fs::path kAssets = fs::path(TILELOOM_SOURCE_DIR) / "assets";

class Devices : public testing::Test {
 protected:
  Devices() : folder_(fs::temp_directory_path() / ("tileloom_devices_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Devices() override { fs::remove_all(folder_); }

  // A GPU that has no file.
  static gpu::DeviceInfo ada() {
    gpu::DeviceInfo d;
    d.name = "NVIDIA RTX 6000 Ada Generation";
    d.major = 8;
    d.minor = 9;
    d.multiprocessors = 142;
    d.sharedPerBlock = 101376;
    d.sharedPerMultiprocessor = 102400;
    d.l2Bytes = 100663296;
    d.clockKhz = 2505000;
    d.memoryClockKhz = 10001000;
    d.threadsPerBlock = 1024;
    d.threadsPerMultiprocessor = 1536;
    d.blocksPerMultiprocessor = 24;
    d.registersPerBlock = d.registersPerMultiprocessor = 65536;
    d.sharedReserve = 1024;
    d.memoryBusBits = 384;
    return d;
  }

  static model::ProbeResults probed(const std::string& device, Quantity quantity, double value) {
    model::ProbeResults p;
    p.device = device;
    p.major = 9;
    p.date = "2026-11-23";
    p.driver = p.compiler = "13.0";
    p.program = "tileloom probe";
    p.figures[quantity] = {value, "a test; median of 3 launches"};
    return p;
  }

  fs::path folder_;
};

TEST_F(Devices, TheOneHereStandsBesideThoseWithFiles) {
  const auto known = knownDevices({kAssets, folder_, ada(), {}});
  ASSERT_TRUE(known) << known.error().message.english();
  EXPECT_EQ(known->all.size(), model::loadDevices(kAssets)->size() + 1);
  EXPECT_EQ(known->all.back().name, ada().name);
  EXPECT_NEAR(*known->all.back().value(Quantity::Fp32Tflops), 91.1, 0.1);
  EXPECT_NEAR(*known->all.back().value(Quantity::MemoryGbPerS), 960, 1);
  EXPECT_TRUE(knownDevice({kAssets, folder_, ada(), {}}, ada().name));
  EXPECT_EQ(knownDevice({kAssets, folder_, std::nullopt, {}}, ada().name).error().code, "NoSuchDevice");
}

TEST_F(Devices, OneThatHasAFileIsNotDescribedTwice) {
  gpu::DeviceInfo here = ada();
  here.name = "NVIDIA H200";
  EXPECT_EQ(knownDevices({kAssets, folder_, here, {}})->all.size(), model::loadDevices(kAssets)->size());
}

TEST_F(Devices, ADriverThatTellsNoLimitsIsToldOf) {
  gpu::DeviceInfo here = ada();
  here.blocksPerMultiprocessor = 0;
  const auto found = knownDevice({kAssets, folder_, here, {}}, here.name);
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.english().find("doesn't tell its limits"), std::string::npos)
      << found.error().message.english();
}

TEST_F(Devices, WhatIsKeptRaisesTheRoofs) {
  ASSERT_TRUE(keepProbed(folder_, probed(ada().name, Quantity::L2GbPerS, 5000)));
  ASSERT_TRUE(keepProbed(folder_, probed("NVIDIA H200", Quantity::SharedGbPerSMeasured, 34000)));
  const DeviceSources sources{kAssets, folder_, ada(), {}};
  const auto own = knownDevice(sources, ada().name);
  ASSERT_TRUE(own);
  EXPECT_EQ(*own->value(Quantity::L2GbPerS), 5000);
  EXPECT_NE(own->find(Quantity::L2GbPerS)->source.find("measured by tileloom probe on NVIDIA RTX 6000"),
            std::string::npos);
  EXPECT_EQ(*knownDevice(sources, "h200")->value(Quantity::SharedGbPerSMeasured), 34000);
  EXPECT_FALSE(knownDevice(sources, "t4")->value(Quantity::L2GbPerS)) << "another device's";
  ASSERT_TRUE(keepProbed(folder_, probed(ada().name, Quantity::L2GbPerS, 5100))) << "one file a device";
  EXPECT_EQ(*knownDevice(sources, ada().name)->value(Quantity::L2GbPerS), 5100);
}

TEST_F(Devices, ABrokenFileCostsOnlyItself) {
  fs::create_directories(folder_ / "probed");
  ASSERT_TRUE(writeFile(folder_ / "probed" / "x.json", "{"));
  const auto known = knownDevices({kAssets, folder_, ada(), {}});
  ASSERT_TRUE(known);
  ASSERT_EQ(known->remarks.size(), 1U);
  EXPECT_NE(known->remarks.front().english().find("x.json"), std::string::npos) << known->remarks.front();
}

TEST_F(Devices, WhatCannotBeKeptIsSaidAndLivesOn) {
  EXPECT_EQ(keepProbed("", probed("x", Quantity::L2GbPerS, 1)).error().code, "NoFolder");
  ASSERT_TRUE(writeFile(folder_ / "file", "x"));
  EXPECT_FALSE(keepProbed(folder_ / "file", probed("x", Quantity::L2GbPerS, 1)));
  const auto own = knownDevice({kAssets, folder_, ada(), {probed(ada().name, Quantity::L2GbPerS, 4000)}}, ada().name);
  EXPECT_EQ(*own->value(Quantity::L2GbPerS), 4000);
}

}  // namespace
}  // namespace loom::document::devices_test
