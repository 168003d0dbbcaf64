// `tileloom tune`: rules, a counted space, a construction, and a search where there is a device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"
#include "tests/schedules/schedule_text.h"

namespace loom::cli::tune_test {
namespace {

using testing::HasSubstr;

std::string linesOf(const nlohmann::json& best) {
  std::string lines;
  for (const std::string line : best["steps"]) lines += line + "\n";
  return lines;
}

TEST(TuneVerb, WithoutADeviceConstructsAScheduleThatChecks) {
  const Folder folder;
  folder.file("f.py", tests::programText("transposed_product", {{"M", 64}, {"N", 64}, {"K", 64}}));
  const Ended said = folder.run({"tune", "f.py", "--device", "none", "--model", "a100_80", "--json"});
  ASSERT_EQ(said.status, 0) << said.err;
  const auto lines = objects(said.out);
  EXPECT_GT(lines.front()["space"]["schedules"], 1000);
  for (const auto& decision : lines.front()["space"]["decisions"]) {
    std::uint64_t sum = 0;
    for (const auto& value : decision["values"]) sum += std::uint64_t(value["schedules"]);
    EXPECT_GT(sum, 0) << decision;
  }
  folder.file("s.py", linesOf(lines.back()["best"]));
  EXPECT_EQ(folder.run({"check", "f.py", "s.py"}).status, 0);
  EXPECT_THAT(folder.run({"replay", "f.py", "s.py"}).out, HasSubstr("T.ptx_mma("));
}

TEST(TuneVerb, ConstructsAKernelOfWarpgroupsForHopper) {
  const Folder folder;
  folder.file("f.py", tests::programText("transposed_product", {{"M", 1024}, {"N", 1024}, {"K", 1024}}));
  const Ended said = folder.run({"tune", "f.py", "--rules-only", "--device", "none", "--model", "h200", "--json"});
  ASSERT_EQ(said.status, 0) << said.err;
  const std::string lines = linesOf(objects(said.out).back()["best"]);
  EXPECT_THAT(lines, HasSubstr("wgmma_m64n128k16_f16f16f32_trans"));
  folder.file("s.py", lines);
  EXPECT_EQ(folder.run({"replay", "f.py", "s.py"}).status, 0);
}

TEST(TuneVerb, SaysWhichPartOfAProgramIsOpen) {
  const Folder folder;
  folder.file("f.py", tests::programText("two_layers"));
  const std::vector<std::string> words{"tune", "f.py", "--rules-only", "--device", "none", "--model", "h200"};
  const auto with = [&](std::initializer_list<const char*> more) {
    std::vector<std::string> all = words;
    all.insert(all.end(), more.begin(), more.end());
    return folder.run(all);
  };
  const auto parts = objects(with({"--json"}).out).front()["space"]["parts"];
  ASSERT_EQ(parts.size(), 2U) << parts;
  EXPECT_EQ(parts[0]["blocks"], (std::vector<std::string>{"h", "g"}));
  EXPECT_NE(bool(parts[0]["open"]), bool(parts[1]["open"]));
  EXPECT_GT(double(parts[0]["predicted_us"]), 0.5);
  const char* fixed = parts[0]["open"] ? "  fixed  z, Y: wgmma, " : "  fixed  h, g: wgmma, ";
  EXPECT_THAT(with({}).out, HasSubstr(fixed));
  EXPECT_THAT(with({"--lang", "zh"}).out, HasSubstr("已固定"));
}

// What is constructed is in the space that it is of, and another schedule isn't, which is said of each sketch.
TEST(TuneVerb, SaysWhetherAScheduleIsInItsSpaces) {
  const Folder folder;
  folder.file("f.py", tests::programText("transposed_product", {{"M", 256}, {"N", 256}, {"K", 512}}));
  const auto tune = [&](std::initializer_list<const char*> more) {
    std::vector<std::string> all{"tune", "f.py"};
    all.insert(all.end(), more.begin(), more.end());
    all.insert(all.end(), {"--rules-only", "--device", "none", "--model", "a100_80"});
    return folder.run(all);
  };
  const auto ownOf = [&](const Ended& said, const std::string& sketch) {
    for (const auto& line : objects(said.out))
      if (line.contains("own") && line["own"]["sketch"] == sketch) return line["own"];
    return nlohmann::json();
  };
  const auto best = objects(tune({"--json"}).out).back()["best"];
  const std::string sketch = best["sketch"];
  folder.file("s.py", linesOf(best));
  const Ended inside = tune({"s.py", "--json"});
  ASSERT_EQ(inside.status, 0) << inside.err;
  const auto own = ownOf(inside, sketch);
  EXPECT_EQ(own["in_space"], true) << own;
  EXPECT_EQ(own["same_kernel"], true) << own;
  EXPECT_GE(own["decisions"].size(), 15U) << own;
  EXPECT_THAT(tune({"s.py"}).out, HasSubstr("✓ in the space of " + sketch + ": "));
  EXPECT_THAT(tune({"s.py", "--lang", "zh"}).out, HasSubstr("✓ 在 " + sketch + " 的空间中"));

  std::string lines = linesOf(best);
  const std::size_t last = lines.find("]", lines.find("(k0, \"software_pipeline_stage\", [")) - 1;
  ASSERT_LT(last, lines.size()) << lines;
  lines[last] = '9';  // the last stage
  folder.file("nine.py", lines);
  const auto nine = ownOf(tune({"nine.py", "--json"}), sketch);
  EXPECT_EQ(nine["in_space"], false) << nine;
  EXPECT_EQ(nine["why"][0]["decision"], "stages") << nine;
  EXPECT_THAT(std::string(nine["why"][0]["words"]), HasSubstr(" 10 is not in {")) << nine;

  folder.file("other.py", "i, j, k = sch.get_loops(sch.get_block(\"Z\"))\nsch.reorder(j, i)\n");
  EXPECT_THAT(tune({"other.py"}).out, HasSubstr("its steps are not those of the sketch " + sketch));
}

// As `replay` does it, and before anything is constructed.
TEST(TuneVerb, RefusesAScheduleThatIsRefused) {
  const Folder folder;
  folder.file("f.py", product());
  folder.file("unknown.py", "sch.frob()\n");
  folder.file("refused.py", "b = sch.get_block(\"Z\")\nsch.split(sch.get_loops(b)[0], [7, 7])\n");
  for (const char* schedule : {"unknown.py", "refused.py"}) {
    const Ended replayed = folder.run({"replay", "f.py", schedule});
    const Ended tuned = folder.run({"tune", "f.py", schedule, "--rules-only", "--device", "none", "--model", "h200"});
    EXPECT_NE(tuned.status, 0) << schedule;
    EXPECT_EQ(tuned.status, replayed.status) << schedule;
    EXPECT_THAT(tuned.err, HasSubstr(replayed.err)) << schedule;
    EXPECT_EQ(tuned.out, "") << schedule;
  }
}

TEST(TuneVerb, MeasuresCandidatesAndKeepsTheirLines) {
  const Folder folder;
  const std::string cpu = "'" TILELOOM_BINARY_DIR "/tileloom' worker --cpu";
  folder.file("f.py", tests::programText("transposed_product", {{"M", 32}, {"N", 32}, {"K", 32}}));
  for (const char* strategy : {"funnel", "random"}) {
    const Ended said = folder.run({"tune", "f.py", "--worker", cpu, "--trials", "3", "--strategy", strategy, "--json"});
    ASSERT_EQ(said.status, 0) << said.err;
    int measured = 0;
    for (const auto& line : objects(said.out)) measured += line.contains("measured_us");
    EXPECT_EQ(measured, 3);
    const auto best = objects(said.out).back()["best"];
    EXPECT_EQ(best["spent"]["measured"], 3);
    // The line before the last: how it came about, with gains that multiply to the whole.
    const auto path = objects(said.out).rbegin()[1]["path"];
    ASSERT_FALSE(path.empty()) << said.out;
    EXPECT_EQ(path[0]["from"], "construction");
    double gains = 1;
    for (const auto& state : path) gains *= state.value("gain", 1.0);
    EXPECT_NEAR(gains * double(path.back()["predicted_us"]) / double(path[0]["predicted_us"]), 1, 1e-9);
    folder.file("s.py", linesOf(best));
    EXPECT_EQ(folder.run({"replay", "f.py", "s.py"}).status, 0);
  }
}

TEST(TuneVerb, SaysWhatItCannotDo) {
  const Folder folder;
  folder.file("f.py", product());
  const Ended luck = folder.run({"tune", "f.py", "--strategy", "luck"});
  EXPECT_EQ(luck.status, 64);
  EXPECT_THAT(luck.err, HasSubstr("{coordinate,evolution,exhaustive,funnel,random}"));
  EXPECT_EQ(folder.run({"tune", "f.py", "--trials", "0"}).status, 64);
  EXPECT_EQ(folder.run({"tune", "f.py", "--device", "7"}).status, 4) << "a device was asked for";
  EXPECT_EQ(folder.run({"tune", "tensor_core", "--rules-only"}).status, 0) << "of a lesson, its function";
}

}  // namespace
}  // namespace loom::cli::tune_test
