// tir.manifest_shared_memory_local_stage: copies to shared memory go through registers, in a loop nest of their own.
#include <gmock/gmock.h>

#include "core/lower/annotations.h"
#include "core/lower/lower.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::lower::local_stages_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

Result<device::Program> lowered(const std::string& more, const std::string& before = "") {
  const std::string function =
      tests::programText("product_of_type", {{"M", 64}, {"N", 64}, {"K", 64}, {"TYPE", "float32"}});
  auto state = schedule::State::create(script::parseModule(function, "test.py").value()).value();
  auto replay = schedule::replay(
      state, script::parseSchedule(tests::scheduleText("row_reads") + before + more, "test.sched.py").value(), {});
  if (replay.refusal) throw std::runtime_error(replay.refusal->message.english());
  return lower(replay.last.module().functions.front());
}
const std::string kDivided = "sch.annotate(a, \"tir.manifest_shared_memory_local_stage\", 1)\n";

TEST(LocalStages, BringValuesToRegistersFirst) {
  const auto program = lowered(kDivided);
  ASSERT_TRUE(program) << program.error().message.english();
  EXPECT_THAT(program->remarks, IsEmpty());
  const std::string text = device::print(*program);
  const auto first = text.find("A_shared_local[ramp("), second = text.find("  A_shared[ramp(");
  EXPECT_LT(first, second) << text;
  EXPECT_NE(second, std::string::npos) << text;
  EXPECT_EQ(std::ranges::count(program->kernels[0].allocations, "A_shared_local",
                               [](const device::Allocation& a) { return a.buffer->name; }),
            2)
      << "its own and the one of the schedule's own cache";
}

// As dlight's schedules have it: lists of a pipeline count the two parts apart.
TEST(LocalStages, AreStatementsOfAPipeline) {
  const auto pipeline = [](const std::string& stage, const std::string& order) {
    return "sch.annotate(k0, \"software_pipeline_stage\", " + stage +
           ")\nsch.annotate(k0, \"software_pipeline_order\", " + order + ")\n";
  };
  const auto program = lowered(kDivided + pipeline("[0, 0, 1]", "[0, 2, 1]"));
  ASSERT_TRUE(program) << program.error().message.english();
  EXPECT_FALSE(lowered(pipeline("[0, 0, 1]", "[0, 2, 1]"))) << "without, there are two";
}

TEST(LocalStagesRefused, OfWhatIsNoCopyToSharedMemory) {
  const auto program = lowered("sch.annotate(r, \"tir.manifest_shared_memory_local_stage\", 1)\n");
  ASSERT_FALSE(program);
  EXPECT_THAT(program.error().message.english(),
              HasSubstr("divides a copy to shared memory; block A_shared_local is none"));
}

TEST(LocalStagesRefused, UnderLoopsThatAreNotGoneThroughTwice) {
  const auto unrolled = lowered(kDivided, "sch.unroll(f0)\n");
  ASSERT_FALSE(unrolled);
  EXPECT_THAT(unrolled.error().message.english(),
              HasSubstr("loop ax0_ax1_fused_0 around it is neither serial, vectorized nor bound to threads"));
}

}  // namespace
}  // namespace loom::lower::local_stages_test
