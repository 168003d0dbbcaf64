#include "core/model/warpgroup_advice.h"

#include <gtest/gtest.h>

#include "core/model/wave_reads.h"
#include "tests/model/programs.h"

namespace loom::model::warpgroup_advice_test {
namespace {

// The subject of the advice on a state of a Hopper lesson, after these chapters; "": there is none.
std::string nextAfter(const std::string& lesson, std::initializer_list<const char*> chapters,
                      const char* device = "h200") {
  const std::string folder = "assets/lessons/" + lesson;
  std::string lines;
  for (const char* chapter : chapters) lines += readText(folder + "/steps/" + chapter + ".sched.py");
  const device::Program program = lowered(readText(folder + "/function.py"), lines);
  const Device d = deviceNamed(device);
  const auto advice = warpgroupAdvice(modelOf(program.kernels.front(), d), d);
  if (!advice) return "";
  EXPECT_EQ(advice->code, "warpgroups");
  EXPECT_GT(advice->microseconds, 0);
  EXPECT_GT(advice->numbers.at("tensor"), 0);
  EXPECT_FALSE(advice->message.empty());
  return advice->subject;
}

TEST(WarpgroupAdvice, NamesTheNextDecisionOfTheLadder) {
  EXPECT_EQ(nextAfter("hopper_1024", {"02_one"}), "ring");
  EXPECT_EQ(nextAfter("hopper_1024", {"03_tile", "04_ring"}), "flight");
  EXPECT_EQ(nextAfter("hopper_1024", {"03_tile", "04_ring", "05_in_flight"}), "loaders");
  EXPECT_EQ(nextAfter("hopper_1024", {"03_tile", "04_ring", "05_in_flight", "06_roles"}), "staged");
  EXPECT_EQ(nextAfter("hopper_1024", {"07_staged"}), "early");
  EXPECT_EQ(nextAfter("hopper_1024", {"07_staged", "08_early"}), "");
  EXPECT_EQ(nextAfter("hopper", {"03_large"}), "ring");
  EXPECT_EQ(nextAfter("hopper", {"03_large", "04_ring"}), "loaders");
  EXPECT_EQ(nextAfter("hopper", {"03_large", "04_ring", "05_roles"}), "tile");
  EXPECT_EQ(nextAfter("hopper", {"07_raster"}), "stays");
  EXPECT_EQ(nextAfter("hopper", {"08_persistent"}), "staged");
  EXPECT_EQ(nextAfter("hopper", {"09_staged"}), "turns");
  EXPECT_EQ(nextAfter("hopper", {"10_turns"}), "flight");
  EXPECT_EQ(nextAfter("hopper", {"10_turns", "11_in_flight"}), "");
}

// What stands in the advice is what stands among the limits, at the clock that power leaves.
TEST(WarpgroupAdvice, TellsOfProductsWhatThePredictionTells) {
  const Device d = deviceNamed("h200");
  const device::Program program =
      lowered(readText("assets/lessons/hopper/function.py"), readText("assets/lessons/hopper/steps/03_large.sched.py"));
  const KernelModel model = modelOf(program.kernels.front(), d);
  const auto advice = warpgroupAdvice(model, d);
  ASSERT_TRUE(advice);
  const auto tensor = std::ranges::find(model.estimate->pipes, "tensor", &PipeClocks::pipe);
  ASSERT_NE(tensor, model.estimate->pipes.end());
  EXPECT_DOUBLE_EQ(advice->numbers.at("tensor"), tensor->clocks / *d.value(Quantity::ClockMhz));
}

// The lesson's program at 8192: 64 rows of tiles are read for 132 of them, one below the other.
TEST(WarpgroupAdvice, NamesAnotherOrderOfTilesByWhatAWaveReads) {
  std::string text = readText("assets/lessons/hopper/function.py");
  for (std::size_t at = text.find("4096"); at != std::string::npos; at = text.find("4096", at))
    text.replace(at, 4, "8192");
  const Device d = deviceNamed("h200");
  const auto of = [&](const char* chapter) {
    const device::Program program =
        lowered(text, readText(std::string("assets/lessons/hopper/steps/") + chapter + ".sched.py"));
    const KernelModel model = modelOf(program.kernels.front(), d);
    return std::pair(warpgroupAdvice(model, d).value_or(Advice{}).subject, *waveReads(model.accesses, 132));
  };
  const auto [wide, inColumns] = of("06_wide");
  EXPECT_EQ(wide, "raster");
  EXPECT_EQ(inColumns.rows, 64);
  EXPECT_EQ(inColumns.columns, 3);
  EXPECT_EQ(inColumns.bytes, (64 * 128 + 3 * 256) * 8192.0 * 2);
  EXPECT_EQ(inColumns.bestRows, 16);
  EXPECT_EQ(inColumns.leastBytes, (16 * 128 + 9 * 256) * 8192.0 * 2);
  const auto [grouped, inGroups] = of("08_persistent");
  EXPECT_NE(grouped, "raster");
  EXPECT_EQ(inGroups.rows, 8);
  EXPECT_EQ(inGroups.columns, 17);
}

TEST(WarpgroupAdvice, LeadsFromWarpsAndThreadsToWarpgroups) {
  const Device hopper = deviceNamed("h200"), older = deviceNamed("a100_80");
  const device::Program warps = tensorCore();
  const auto advice = warpgroupAdvice(modelOf(warps.kernels.front(), hopper), hopper);
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->subject, "warps");
  EXPECT_FALSE(warpgroupAdvice(modelOf(warps.kernels.front(), older), older));
  EXPECT_EQ(nextAfter("hopper_1024", {}), "cores") << "the triple loop of float16";
  EXPECT_EQ(nextAfter("cuda_cores", {}), "") << "factors of 32 bits";
}

// Each element of the matrix is multiplied once: nothing is to be read again, and no tile is there to multiply.
TEST(WarpgroupAdvice, IsNoneForAMatrixByAVector) {
  const device::Program program = lowered(readText("assets/functions/gemv.py"), "");
  const Device d = deviceNamed("h200");
  EXPECT_FALSE(warpgroupAdvice(modelOf(program.kernels.front(), d), d));
}

TEST(WarpgroupAdvice, IsNoneForAKernelThatOnlyCopies) {
  const device::Program program = copy(1, 1, "float16");
  const Device d = deviceNamed("h200");
  EXPECT_FALSE(warpgroupAdvice(modelOf(program.kernels.front(), d), d));
}

}  // namespace
}  // namespace loom::model::warpgroup_advice_test
