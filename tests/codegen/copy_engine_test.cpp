// What the text of a kernel with the copy engine and a warpgroup's product declares, and what its launch has to pass.
#include <gmock/gmock.h>

#include "core/codegen/cuda.h"
#include "core/codegen/launch_call.h"
#include "core/lower/lower.h"
#include "core/script/parser.h"
#include "tests/device/warpgroup_program.h"
#include "tests/schedules/schedule_text.h"

namespace loom::codegen::copy_engine_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Source product() {
  device::WarpgroupProgram one;
  one.add(*device::findOperation("wgmma.m64n128k16.f32_f16.row"));
  return generate(one.program);
}

TEST(CopyEngine, MapsArePassedByValueAfterTheBuffers) {
  const Source source = product();
  EXPECT_THAT(source.text, HasSubstr("const __grid_constant__ TensorMap A_map, const __grid_constant__ TensorMap "
                                     "B_map) {"));
  EXPECT_EQ(source.text.find("struct alignas(64) TensorMap"), 0u) << "before all functions that take one";
  ASSERT_EQ(source.launches.size(), 1u);
  const KernelLaunch& launch = source.launches[0];
  ASSERT_EQ(launch.maps.size(), 2u);
  EXPECT_EQ(launch.maps[1], (TensorMapArgument{"B_map", 1, {64, 128}, {128, 1}, {64, 64}, 128}));
  EXPECT_THAT(launchCall(source, launch), HasSubstr(", A_map, B_map)"));
  EXPECT_EQ(source.needs.since, 90);
  EXPECT_EQ(source.needs.only, "wgmma.m64n128k16.f32_f16.row") << "which it is compiled for sm_90a for";
  EXPECT_EQ(device::onlyArchitecture(source.needs), "sm_90a");
}

TEST(CopyEngine, TheLaunchHasMemoryForBothFactorsAtTheSwizzlesAlignment) {
  const Source source = product();
  EXPECT_THAT(source.text, HasSubstr("extern __shared__ __align__(1024) unsigned char shared_memory[];"));
  EXPECT_EQ(source.launches[0].dynamicSharedBytes, (64 + 128) * 128);
}

TEST(CopyEngine, OneThreadAsksForTheBoxesAndAllWaitForTheirBytes) {
  const Source source = product();
  EXPECT_THAT(source.text, HasSubstr("mbarrier_expect(full, 0, 24576);"));
  EXPECT_THAT(source.text, HasSubstr("tma_load(B_shared, 4096, B_map, 64, 0, full, 0);"));
  EXPECT_THAT(source.text, HasSubstr("  mbarrier_wait(full, 0, full_phases);"));
  EXPECT_LT(source.text.find("mbarrier_init(full, 1, 1);"), source.text.find("  __syncthreads();"));
}

// A warp has two rows of 16 threads, of which the first thread of each stores: no single one is elected.
TEST(CopyEngine, FirstThreadsOfRowsThatAreNoWholeWarpsAskAsTheyAre) {
  const auto module = script::parseModule(tests::programText("tiles_stored_by_rows_of_threads"), "test.py");
  ASSERT_TRUE(module) << module.error().message.english();
  const auto program = lower::lower(module->functions.front());
  ASSERT_TRUE(program) << program.error().message.english();
  const std::string text = generate(*program).text;
  EXPECT_THAT(text, HasSubstr("  if (tx == 0) {\n    // O\n    tma_store(B_map, 0, ty * 16, S, ty * 1024);")) << text;
  EXPECT_THAT(text, Not(HasSubstr("if (elect_one()")));
}

// Electing waits for all lanes of a warp: behind a condition that parts them, some never come. And the lane that is
// elected, which may be any, must do what the first one would.
TEST(CopyEngine, NoThreadIsElectedWhereLanesDiffer) {
  for (const char* program : {"tile_stored_under_a_condition", "tile_stored_by_a_threads_value"}) {
    const auto textOf = [&](const std::string& value) {
      const auto module = script::parseModule(tests::programText(program, {{"VALUE", value}}), "test.py");
      return generate(lower::lower(module.value().functions.front()).value()).text;
    };
    EXPECT_THAT(textOf("A[0, 0]"), HasSubstr("  if (tx < 32 && elect_one()) {"));
    EXPECT_THAT(textOf("A[0, vj]"),
                AllOf(HasSubstr("  if (tx == 0) {"), Not(HasSubstr("  if (tx < 32 && elect_one()"))));
  }
}

}  // namespace
}  // namespace loom::codegen::copy_engine_test
