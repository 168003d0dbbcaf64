#include "core/model/pipeline_advice.h"

#include <gtest/gtest.h>

#include <cstring>
#include <sstream>

#include "tests/model/programs.h"

namespace loom::model::pipeline_advice_test {
namespace {

std::optional<Advice> adviceFor(const device::Program& p, const char* device = "h200") {
  const Device d = deviceNamed(device);
  return pipelineAdvice(modelOf(p.kernels.front(), d), d);
}

constexpr const char* kAhead =
    "sch.annotate(l17, \"software_pipeline_stage\", [0, 0, 1])\n"
    "sch.annotate(l17, \"software_pipeline_order\", [0, 1, 2])\n";

TEST(PipelineAdvice, TellsWhatOfTheCopiesIsExposed) {
  const auto turns = adviceFor(tensorCore());
  ASSERT_TRUE(turns);
  EXPECT_EQ(turns->subject, "turns");
  EXPECT_GT(turns->numbers.at("exposed"), 0);
  EXPECT_LT(turns->numbers.at("exposed"), turns->numbers.at("clocks"));
  EXPECT_GT(turns->microseconds, 0);
  EXPECT_EQ(turns->numbers.at("bytes"), 0) << "16 bytes at once could be asynchronous";
  EXPECT_EQ(turns->block, "X_shared");
}

// Where the launch gives the memory of the tiles, the advice is the same.
TEST(PipelineAdvice, IsOfTilesInSharedMemoryOfEitherKind) {
  const std::string path = "tests/oracle/cases/lessons/tensorcore";
  std::string lines = readText(path + ".sched.py");
  for (const auto& [what, by] : {std::pair{"=\"shared\"", "=\"shared.dyn\""}, {"_shared\"", "_shared_dyn\""}})
    for (std::size_t at = 0; (at = lines.find(what, at)) != std::string::npos;)
      lines.replace(at, std::strlen(what), by);
  const auto dynamic = adviceFor(lowered(readText(path + ".func.py"), lines)), usual = adviceFor(tensorCore());
  ASSERT_TRUE(dynamic);
  EXPECT_EQ(dynamic->subject, "turns");
  EXPECT_EQ(dynamic->numbers.at("exposed"), usual->numbers.at("exposed"));
}

TEST(PipelineAdvice, TellsHowFarTheCopiesAre) {
  const auto ahead = adviceFor(tensorCore(kAhead));
  ASSERT_TRUE(ahead);
  EXPECT_EQ(ahead->subject, "registers");
  const auto ring =
      adviceFor(tensorCore(std::string(kAhead) + "sch.annotate(l17, \"software_pipeline_async_stages\", [0])\n"));
  ASSERT_TRUE(ring);
  EXPECT_EQ(ring->subject, "ring");
}

// What arrives in time is helped by fewer bytes, not by a longer ring.
TEST(PipelineAdvice, CopiesThatArriveInTimeOnlyPass) {
  const std::string folder = "assets/lessons/pipelines";
  std::string lines;
  for (const char* chapter :
       {"06_tiles", "07_copies", "08_registers", "09_lanes", "10_tensorize", "11_unroll", "13_swizzle", "14_slots"})
    lines += readText(folder + "/steps/" + chapter + ".sched.py");
  const auto passing = adviceFor(lowered(readText(folder + "/function.py"), lines));
  ASSERT_TRUE(passing);
  EXPECT_EQ(passing->subject, "passing");
  EXPECT_GT(passing->numbers.at("exposed"), 0);
}

TEST(PipelineAdvice, TellsWhatPreventsAsynchronousCopies) {
  const std::string path = "tests/oracle/cases/lessons/tensorcore";
  std::istringstream lines(readText(path + ".sched.py"));
  std::string narrow;
  for (std::string line; std::getline(lines, line);)
    if (line.find("sch.vectorize(") == std::string::npos) narrow += line + "\n";
  const auto advice = adviceFor(lowered(readText(path + ".func.py"), narrow));
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->numbers.at("bytes"), 2);
  EXPECT_EQ(advice->numbers.at("old"), 0);
  EXPECT_EQ(adviceFor(tensorCore(), "t4")->numbers.at("old"), 1);
}

TEST(PipelineAdvice, IsNoneForAKernelThatOnlyCopies) { EXPECT_FALSE(adviceFor(copy(1, 1, "float32"))); }

}  // namespace
}  // namespace loom::model::pipeline_advice_test
