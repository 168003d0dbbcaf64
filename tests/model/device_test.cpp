#include "core/model/device.h"

#include <gtest/gtest.h>

#include "tests/model/programs.h"

namespace loom::model::device_test {
namespace {

std::string file(const std::string& figures) {
  return R"({"id": "x", "name": "X", "compute_capability": [8, 0], "figures": {)" + figures + "}}";
}

TEST(DeviceFiles, AllAreReadAndEachFigureNamesItsSource) {
  auto devices = loadDevices(std::string(TILELOOM_SOURCE_DIR) + "/assets");
  ASSERT_TRUE(devices) << devices.error().message.english();
  std::vector<std::string> ids;
  for (const Device& d : *devices) {
    ids.push_back(d.id);
    for (const auto& [quantity, figure] : d.figures) EXPECT_FALSE(figure.source.empty()) << d.id << nameOf(quantity);
  }
  EXPECT_EQ(ids, (std::vector<std::string>{"a100_40", "a100_80", "h100_pcie", "h100_sxm", "h200", "rtx_3080", "t4"}));
}

TEST(DeviceFiles, ADeviceIsFoundByIdAndByTheDriversName) {
  EXPECT_EQ(deviceNamed("NVIDIA H200").id, "h200");
  EXPECT_EQ(deviceNamed("t4").major, 7);
  auto missing = findDevice(*loadDevices(std::string(TILELOOM_SOURCE_DIR) + "/assets"), "h300");
  EXPECT_EQ(missing.error().code, "NoSuchDevice");
  EXPECT_NE(missing.error().message.english().find("h200"), std::string::npos) << "says which there are";
}

TEST(DeviceFiles, AMissingFigureIsAnAnswerNotANumber) {
  Device d = *parseDevice(file(""), "x.json");
  EXPECT_FALSE(d.value(Quantity::L2Bytes));
  EXPECT_EQ(d.need(Quantity::L2Bytes).error().code, "UnknownFigure");
}

std::string withGpcs(const std::string& gpcs) {
  return R"({"id": "x", "name": "X", "compute_capability": [9, 0], "figures": {"multiprocessors": {"value": 20, "source": "s"}}, "gpcs": )" +
         gpcs + "}";
}

TEST(DeviceFiles, NameTheMultiprocessorsOfEachGpc) {
  const auto d = parseDevice(withGpcs(R"({"multiprocessors": [18, 2], "source": "counted"})"), "x.json");
  ASSERT_TRUE(d) << d.error().message.english();
  EXPECT_EQ(d->gpcs.multiprocessors, (std::vector<int>{18, 2}));
  EXPECT_EQ(d->gpcs.source, "counted");
  EXPECT_FALSE(deviceNamed("h100_sxm").gpcs.source.empty());
  EXPECT_TRUE(deviceNamed("t4").gpcs.multiprocessors.empty());
}

TEST(DeviceFilesRefuse, Nonsense) {
  for (const std::string& text : {
           std::string(""),
           std::string("[1, 2]"),
           std::string("{\"id\": \"x\""),
           std::string(R"({"id": "x", "name": "X"})"),
           std::string(R"({"id": 3, "name": "X", "compute_capability": [8, 0]})"),
           std::string(R"({"id": "x", "name": "X", "compute_capability": "8.0"})"),
           std::string(R"({"id": "x", "name": "X", "compute_capability": [8, 0], "colour": "green"})"),
           file(R"("warp_drive": {"value": 1, "source": "s"})"),
           file(R"("multiprocessors": 132)"),
           file(R"("multiprocessors": {"value": "many", "source": "s"})"),
           file(R"("multiprocessors": {"value": 0, "source": "s"})"),
           file(R"("multiprocessors": {"value": -3, "source": "s"})"),
           file(R"("multiprocessors": {"value": 132})"),
           file(R"("multiprocessors": {"value": 132, "source": ""})"),
           file(R"("multiprocessors": {"value": 1e300, "source": "s"})"),
           withGpcs(R"({"multiprocessors": [18, 3], "source": "s"})"),
           withGpcs(R"({"multiprocessors": [18, 2]})"),
           withGpcs(R"({"multiprocessors": [20.5, -0.5], "source": "s"})"),
           withGpcs("3"),
       }) {
    auto d = parseDevice(text, "x.json");
    ASSERT_FALSE(d) << text;
    EXPECT_EQ(d.error().code, "DeviceFileError");
    EXPECT_TRUE(d.error().message.english().starts_with("x.json: ")) << d.error().message.english();
  }
}

}  // namespace
}  // namespace loom::model::device_test
