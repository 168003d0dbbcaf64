#include "core/model/probed.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace loom::model::probed_test {
namespace {

const std::filesystem::path kAssets = std::filesystem::path(TILELOOM_SOURCE_DIR) / "assets";

const FragmentKind kA{layout::Operand::A}, kB{layout::Operand::B}, kAccumulatorF16{layout::Operand::Accumulator},
    kAccumulatorF32{layout::Operand::Accumulator, 16, 16, 16, ir::DType::Float(32)};

ProbeResults small() {
  ProbeResults p;
  p.device = "Some GPU";
  p.major = 9;
  p.date = "2026-01-01";
  p.driver = "13.0";
  p.compiler = "NVRTC 13.0";
  p.program = "tileloom probe";
  return p;
}

// Lane l holds element 8·l + i as its x[i]: a row is two lanes.
std::vector<int> rowsInOrder() {
  std::vector<int> table(256);
  for (int i = 0; i < 256; ++i) table[std::size_t(i)] = i;
  return table;
}

TEST(ProbeResults, FilesOfTheAssetsGiveTheLayoutsThatCompiledCodeHas) {
  auto all = loadProbeResults(kAssets);
  ASSERT_TRUE(all) << all.error().message.english();
  ASSERT_FALSE(all->empty());
  for (const ProbeResults& p : *all) {
    for (const FragmentKind& kind : {kA, kB, kAccumulatorF16, kAccumulatorF32}) {
      auto probed = fragmentLayout(p, kind);
      ASSERT_TRUE(probed) << probed.error().message.english();
      const bool packed = kind == kAccumulatorF16;
      const layout::Layout compiled = layout::wmmaFragmentSeen(kind.operand, packed);
      ASSERT_EQ(probed->inputs(), compiled.inputs());
      for (std::int64_t i = 0; i < compiled.size(); ++i) {
        const layout::Point at = layout::pointAt(compiled.inputs(), i);
        EXPECT_EQ(probed->apply(at).value(), compiled.apply(at).value());
      }
    }
  }
}

TEST(ProbeResults, ComesBackFromItsText) {
  ProbeResults p = small();
  p.figures[Quantity::L2GbPerS] = {1234.5, "how"};
  p.fragments["a"] = rowsInOrder();
  auto back = parseProbeResults(p.text(), "p");
  ASSERT_TRUE(back) << back.error().message.english();
  EXPECT_EQ(back->fragments, p.fragments);
  EXPECT_EQ(back->figures.at(Quantity::L2GbPerS).value, 1234.5);
  EXPECT_NE(back->figures.at(Quantity::L2GbPerS).source.find("Some GPU, 2026-01-01"), std::string::npos);
}

TEST(ProbeResults, FilesThatDontFitAreRefusedWithTheirName) {
  ProbeResults p = small();
  p.fragments["a"] = rowsInOrder();
  const std::string good = p.text();
  auto broken = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    auto parsed = parseProbeResults(text, "assets/probed/x.json");
    return parsed ? std::string("accepted") : parsed.error().message.english().substr(0, 20);
  };
  EXPECT_EQ(broken("255", "256"), "assets/probed/x.json");
  EXPECT_EQ(broken(", 255", ""), "assets/probed/x.json");
  EXPECT_EQ(broken("255", "1e63"), "assets/probed/x.json");
  EXPECT_EQ(broken("\"compute_capability\": [", "\"compute_capability\": [1e63, "), "assets/probed/x.json");
  EXPECT_EQ(broken("\"date\"", "\"day\""), "assets/probed/x.json");
  EXPECT_EQ(broken("\"figures\": {}", "\"figures\": {\"speed\": {\"value\": 1, \"how\": \"\"}}"),
            "assets/probed/x.json");
  EXPECT_FALSE(parseProbeResults("", "x"));
  EXPECT_FALSE(parseProbeResults(good.substr(0, good.size() / 2), "x"));
}

TEST(ProbeResults, ElementsHeldTwiceAreGivenOnce) {
  ProbeResults p = small();
  for (int lane = 0; lane < 32; ++lane) {
    for (int copy = 0; copy < 2; ++copy) {
      for (int i = 0; i < 8; ++i) p.fragments["a"].push_back(lane * 8 + i);
    }
  }
  auto layout = fragmentLayout(p, kA);
  ASSERT_TRUE(layout) << layout.error().message.english();
  EXPECT_EQ(layout->text(),
            "(lane:32, register:4, half:2) → (row:16, column:16): row = lane / 2, column = lane % 2 · 8 + register · 2 "
            "+ half");
}

TEST(ProbeResults, TablesThatNoDigitsGiveAndUnknownFragmentsAreErrors) {
  ProbeResults p = small();
  p.fragments["b"] = rowsInOrder();
  std::swap(p.fragments["b"][3], p.fragments["b"][200]);
  auto layout = fragmentLayout(p, kB);
  ASSERT_FALSE(layout);
  EXPECT_EQ(layout.error().code, "LayoutError");
  EXPECT_EQ(fragmentLayout(p, kA).error().code, "UnknownFragment");
  FragmentKind other = kB;
  other.n = 32;
  other.m = 8;
  EXPECT_EQ(fragmentLayout(p, other).error().code, "UnknownFragment") << "another shape's isn't shown for it";
}

TEST(ProbeResults, RaisesTheRoofsOfItsDeviceAndNeverLowersThem) {
  auto folder = std::filesystem::path(testing::TempDir()) / "probed_assets";
  std::filesystem::create_directories(folder / "devices");
  std::filesystem::create_directories(folder / "probed");
  auto write = [&](const char* name, const std::string& text) { std::ofstream(folder / name) << text; };
  write("devices/some.json", R"({"id": "some", "name": "Some GPU", "compute_capability": [9, 0], "figures": {
    "l2_gb_per_s": {"value": 1000, "source": "a paper"}, "fp32_tflops": {"value": 50, "source": "a datasheet"}}})");
  ProbeResults p = small();
  p.figures[Quantity::L2GbPerS] = {1200, "reads"};
  p.figures[Quantity::Fp32Tflops] = {40, "chains"};
  p.figures[Quantity::MmaF16F32Tflops] = {300, "chains"};
  write("probed/some.json", p.text());
  auto devices = loadDevices(folder);
  ASSERT_TRUE(devices) << devices.error().message.english();
  const Device& d = devices->front();
  EXPECT_EQ(d.value(Quantity::L2GbPerS), 1200);
  EXPECT_EQ(d.value(Quantity::MmaF16F32Tflops), 300);
  EXPECT_EQ(d.value(Quantity::Fp32Tflops), 50);
  EXPECT_EQ(d.find(Quantity::Fp32Tflops)->source, "a datasheet; tileloom probe reached 40 on 2026-01-01");
  write("probed/some.json", "{");
  EXPECT_EQ(loadDevices(folder).error().code, "DeviceFileError");
}

}  // namespace
}  // namespace loom::model::probed_test
