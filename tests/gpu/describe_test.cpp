#include "core/gpu/describe.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/gpu/protocol.h"

namespace loom::gpu::describe_test {
namespace {

using model::Quantity;

// What the driver says of one H200 (580.159).
DeviceInfo h200() {
  DeviceInfo d;
  d.name = "NVIDIA H200";
  d.major = 9;
  d.multiprocessors = 132;
  d.memoryBytes = 150109880320;
  d.sharedPerBlock = 232448;
  d.sharedPerMultiprocessor = 233472;
  d.l2Bytes = 62914560;
  d.clockKhz = 1980000;
  d.memoryClockKhz = 3201000;
  d.driver = "13.0";
  d.threadsPerBlock = 1024;
  d.threadsPerMultiprocessor = 2048;
  d.blocksPerMultiprocessor = 32;
  d.registersPerBlock = d.registersPerMultiprocessor = 65536;
  d.sharedReserve = 1024;
  d.memoryBusBits = 6016;
  return d;
}

// Limits that a driver tells are those that people wrote down, with their sources, for the same device.
TEST(Describe, GivesTheLimitsThatTheDevicesFileHas) {
  const auto own = describe(h200());
  ASSERT_TRUE(own) << own.error().message.english();
  const auto all = model::loadDevices(std::string(TILELOOM_SOURCE_DIR) + "/assets").value();
  const model::Device file = model::findDevice(all, "h200").value();
  for (Quantity q :
       {Quantity::Multiprocessors, Quantity::ClockMhz, Quantity::ThreadsPerMultiprocessor,
        Quantity::BlocksPerMultiprocessor, Quantity::ThreadsPerBlock, Quantity::RegistersPerMultiprocessor,
        Quantity::RegistersPerBlock, Quantity::RegistersPerThread, Quantity::RegisterUnit, Quantity::SubPartitions,
        Quantity::SharedPerMultiprocessor, Quantity::SharedPerBlock, Quantity::SharedUnit, Quantity::SharedReserve,
        Quantity::Fp32FlopPerClock, Quantity::SharedBytesPerClock, Quantity::L2Bytes}) {
    ASSERT_TRUE(own->value(q)) << nameOf(q);
    EXPECT_EQ(*own->value(q), *file.value(q)) << nameOf(q);
  }
  EXPECT_NEAR(*own->value(Quantity::Fp32Tflops), *file.value(Quantity::Fp32Tflops), 0.1);
  EXPECT_NEAR(*own->value(Quantity::MemoryGbPerS), *file.value(Quantity::MemoryGbPerS), 0.01 * 4800);
  EXPECT_FALSE(own->value(Quantity::L2GbPerS)) << "no driver tells it";
  for (const auto& [quantity, figure] : own->figures) EXPECT_FALSE(figure.source.empty()) << nameOf(quantity);
}

TEST(Describe, SaysWhatItCannotDescribe) {
  DeviceInfo old = h200();
  old.major = 6;
  EXPECT_EQ(describe(old).error().code, "NoSuchDevice");
  DeviceInfo silent = h200();
  silent.blocksPerMultiprocessor = 0;
  EXPECT_NE(describe(silent).error().message.english().find("doesn't tell its limits"), std::string::npos);
  DeviceInfo cpu = h200();
  cpu.cpu = true;
  EXPECT_FALSE(describe(cpu));
}

TEST(Describe, LimitsTravelAndOldRecordsLackThem) {
  nlohmann::json j = toJson(h200());
  EXPECT_EQ(deviceFromJson(j).memoryBusBits, 6016);
  for (const char* key : {"threads_per_block", "memory_bus_bits", "shared_reserve"}) j.erase(key);
  EXPECT_EQ(deviceFromJson(j).threadsPerBlock, 0);
  j["threads_per_block"] = 1e30;
  EXPECT_THROW(deviceFromJson(j), nlohmann::json::exception);
}

}  // namespace
}  // namespace loom::gpu::describe_test
