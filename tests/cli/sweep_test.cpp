// `tileloom sweep`: states at other sizes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/program.h"
#include "tests/schedules/schedule_text.h"

namespace loom::cli::sweep_test {
namespace {

using testing::HasSubstr;

class SweepVerb : public testing::Test {
 protected:
  void SetUp() override {
    folder.file("f.py", product());
    folder.file("s.py", kSchedule);
  }
  Ended sweep(std::vector<std::string> words, const Surroundings& surroundings = {}) {
    words.insert(words.begin(), {"sweep", "f.py", "s.py", "--no-compile"});
    return folder.run(words, surroundings);
  }
  Folder folder;
};

TEST_F(SweepVerb, JsonHasARowASizeAndState) {
  const Ended e = sweep({"--sizes", "32..128,24x40x8", "--step", "0", "--step", "3", "--json", "--device", "none"});
  EXPECT_EQ(e.status, 0) << e.err;
  const auto rows = objects(e.out);
  ASSERT_EQ(rows.size(), 8U);
  EXPECT_EQ(rows[3]["m"], 64);
  EXPECT_EQ(rows[3]["step"], 3);
  EXPECT_EQ(rows[3]["launches"][0]["block"][0], 16);
  EXPECT_EQ(rows[3]["flops"], 2 * 64 * 64 * 64);
  EXPECT_EQ(rows[3]["predicted"]["from"], "the program");
  const double us = rows[3]["predicted"]["us"], tflops = rows[3]["predicted"]["tflops"];
  EXPECT_NEAR(tflops, 2.0 * 64 * 64 * 64 / us * 1e-6, 1e-9);
  EXPECT_EQ(rows[7]["m"], 24);
  EXPECT_NEAR(rows[7]["guards"][0]["share"].get<double>(), 24.0 / 32, 1e-9);
  EXPECT_FALSE(rows[7].contains("result"));
  // The program's own size is the very kernel that `steps` tells of.
  const auto steps = objects(folder.run({"steps", "f.py", "s.py", "--json", "--no-compile", "--last"}).out);
  EXPECT_EQ(rows[3]["key"], steps[0]["key"]);
}

TEST_F(SweepVerb, AListPartedByBlanksIsExplained) {
  const Ended e = folder.run({"sweep", "tensor_core", "--sizes", "512", "1024"});
  EXPECT_EQ(e.status, 2);
  EXPECT_THAT(e.err, HasSubstr("\"1024\" is one word too many"));
  EXPECT_THAT(e.err, HasSubstr("by commas"));
}

TEST_F(SweepVerb, TheTableSaysWhatRefusesAndWhatIsOnlyPredicted) {
  folder.file("fixed.py", tests::scheduleText("fixed_factors"));
  const Ended e = folder.run({"sweep", "f.py", "fixed.py", "--no-compile", "--sizes", "64 128 40", "--device", "none"});
  EXPECT_EQ(e.status, 0) << e.err;
  EXPECT_THAT(e.out, testing::ContainsRegex("\n128 .*step 1 refuses: "));
  EXPECT_THAT(e.out, HasSubstr("C is guarded: 62.5 % of its runs work"));
  EXPECT_THAT(e.out, HasSubstr("Predicted by the model of "));
  EXPECT_THAT(e.out, HasSubstr("Nothing was measured here: measuring is switched off"));
}

TEST_F(SweepVerb, TypesAreSweptToo) {
  const auto rows =
      objects(sweep({"--sizes", "64", "--dtypes", "float32/float32", "--dtypes", "float16/float32", "--json"}).out);
  ASSERT_GE(rows.size(), 2U);
  EXPECT_EQ(rows[0]["input"], "float32");
  EXPECT_EQ(rows[1]["input"], "float16");
  EXPECT_NE(rows[0]["key"], rows[1]["key"]);
}

TEST_F(SweepVerb, CsvHasAsManyFieldsInEachRow) {
  const Ended e = sweep({"--sizes", "32 64", "--csv", "--device", "none"});
  EXPECT_EQ(e.status, 0) << e.err;
  std::istringstream lines(e.out);
  std::string line;
  std::getline(lines, line);
  EXPECT_THAT(line, testing::StartsWith("m,n,k,input,output,step,"));
  const auto fields = std::count(line.begin(), line.end(), ',');
  int rows = 0;
  while (std::getline(lines, line)) {
    std::string bare;  // without what is quoted
    bool quoted = false;
    for (char c : line) {
      quoted ^= c == '"';
      if (!quoted) bare += c;
    }
    EXPECT_EQ(std::count(bare.begin(), bare.end(), ','), fields) << line;
    ++rows;
  }
  EXPECT_EQ(rows, 2);
}

TEST_F(SweepVerb, TheCpuExecutorChecksSmallSizes) {
  const std::string cpu = "'" TILELOOM_BINARY_DIR "/tileloom' worker --cpu";
  const Ended e = sweep({"--sizes", "32 40 512", "--json", "--worker", cpu});
  EXPECT_EQ(e.status, 0) << e.err;
  const auto rows = objects(e.out);
  ASSERT_EQ(rows.size(), 3U);
  for (int i : {0, 1}) {
    EXPECT_EQ(rows[std::size_t(i)]["result"]["status"], "measured") << rows[std::size_t(i)].dump();
    EXPECT_EQ(rows[std::size_t(i)]["result"]["origin"], "executed on the CPU");
    EXPECT_FALSE(rows[std::size_t(i)]["result"].contains("tflops")) << "its time says nothing of a GPU";
  }
  EXPECT_FALSE(rows[2].contains("result"));
}

TEST_F(SweepVerb, RecordedTimesShowAtTheSizeTheyAreOf) {
  const Ended e = folder.run({"sweep", "tensor_core", "--no-compile", "--sizes", "1024 2048", "--chapter", "store",
                              "--json", "--device", "none"});
  EXPECT_EQ(e.status, 0) << e.err;
  const auto rows = objects(e.out);
  ASSERT_GE(rows.size(), 3U);
  EXPECT_EQ(rows[0]["result"]["origin"], "recorded");
  EXPECT_GT(rows[0]["result"]["tflops"], 1);
  EXPECT_TRUE(rows[1].contains("vendor"));
  EXPECT_FALSE(rows[2].contains("result"));
}

TEST_F(SweepVerb, RefusesWhatItCannotRead) {
  EXPECT_EQ(sweep({"--sizes", "big"}).status, 64);
  EXPECT_THAT(sweep({"--sizes", "big"}).err, HasSubstr("\"big\" is no size"));
  EXPECT_THAT(sweep({"--dtypes", "half"}).err, HasSubstr("no pair of element types"));
  EXPECT_EQ(sweep({"--step", "99"}).status, 2);
  EXPECT_EQ(sweep({"--step", "x"}).status, 64);
  folder.file("copy.py", tests::programText("vector_copy", {{"N", 8}, {"TYPE", "float32"}}));
  const Ended none = folder.run({"sweep", "copy.py"});
  EXPECT_NE(none.status, 0);
  EXPECT_THAT(none.err, HasSubstr("one product of two matrices"));
}

}  // namespace
}  // namespace loom::cli::sweep_test
