// Sums that threads of a block share: which they can, what the kernel does for it, and each way in which they can't.
#include <gmock/gmock.h>

#include "core/lower/lower.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::lower::cross_thread_test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kProduct = tests::programText("product", {{"M", 16}, {"N", 8}, {"K", 64}});
const std::string kLoops = "b = sch.get_block(\"C\")\ni, j, k = sch.get_loops(b)\n";

Result<device::Program> lowered(const std::string& function, const std::string& lines) {
  auto state = schedule::State::create(script::parseModule(function, "test.py").value()).value();
  auto replay = schedule::replay(state, script::parseSchedule(lines, "test.sched.py").value(), {});
  if (replay.refusal) ADD_FAILURE() << replay.refusal->message.english();
  return lower(replay.last.module().functions.front());
}
void expectRefused(const std::string& function, const std::string& lines, const std::string& rule,
                   const std::string& remedy) {
  auto program = lowered(function, lines);
  ASSERT_FALSE(program) << device::print(*program);
  EXPECT_EQ(program.error().code, "NotAKernel");
  EXPECT_THAT(program.error().message.english(), HasSubstr(rule));
  EXPECT_THAT(program.error().remedy.english(), HasSubstr(remedy));
  EXPECT_EQ(program.error().subjects.size(), 2U) << "the loop and the block";
}

TEST(CrossThread, LoopsThatMakeOtherElementsMayBeBound) {
  auto program = lowered(kProduct, kLoops + "sch.bind(j, \"threadIdx.x\")\n");
  ASSERT_TRUE(program) << program.error().message.english();
  EXPECT_THAT(device::print(*program), Not(HasSubstr("shuffle")));
}

TEST(CrossThread, ALoopThatIsSummedOverIsShared) {
  auto program = lowered(kProduct, kLoops + "sch.bind(k, \"threadIdx.x\")\n");
  ASSERT_TRUE(program) << program.error().message.english();
  const std::string text = device::print(*program);
  EXPECT_THAT(text, HasSubstr("shuffle.down shuffled_C[0] = in_thread_C[0] of lane + 16 in 32"));
  EXPECT_THAT(text, HasSubstr("staging_C")) << "64 threads are two warps";
}

// A loop of one iteration parts nobody.
TEST(CrossThread, OneThreadSharesWithNobody) {
  auto program = lowered(kProduct, kLoops + "k0, k1 = sch.split(k, [None, 1])\nsch.bind(k1, \"threadIdx.x\")\n");
  ASSERT_TRUE(program) << program.error().message.english();
  EXPECT_THAT(device::print(*program), Not(HasSubstr("shuffle")));
}

TEST(CrossThreadRefused, OverBlocksOfTheGrid) {
  expectRefused(tests::programText("sum_over_blocks", {{"THREAD", "blockIdx.x"}}), "",
                "only the threads of one block, along threadIdx, can share a sum",
                "sch.bind(i, \"blockIdx.x\") instead: C doesn't sum over it");
}

TEST(CrossThreadRefused, AroundALoopThatIsNotSummedOver) {
  expectRefused(kProduct, kLoops + "sch.reorder(k, j)\nsch.bind(k, \"threadIdx.x\")\n",
                "loop j, which it doesn't sum over, is inside of loop k", "sch.reorder(j, k)");
}

TEST(CrossThreadRefused, WithoutItsInit) {
  expectRefused(kProduct, kLoops + "sch.bind(k, \"threadIdx.x\")\nsch.decompose_reduction(b, k)\n", "has no T.init",
                "decompose_reduction");
}

TEST(CrossThreadRefused, OfWhatNobodyKnowsToCombine) {
  std::string text = kProduct;
  text.replace(text.find("C[vi, vj] + "), 12, "C[vi, vj] * T.float32(0.5) + ");
  expectRefused(text, kLoops + "sch.bind(k, \"threadIdx.x\")\n", "combines values neither by a sum", "sch.bind(j");
}

TEST(CrossThreadRefused, WhereOneLoopIsElementsAndSum) {
  expectRefused(kProduct, kLoops + "f = sch.fuse(j, k)\nsch.bind(f, \"threadIdx.x\")\n",
                "tells both which elements block C writes and what it sums over", "");
}

TEST(CrossThreadRefused, InsideAnotherBlock) {
  expectRefused(kProduct, tests::scheduleText("blockized_shared_sum"), "bound to threadIdx.x", "");
}

}  // namespace
}  // namespace loom::lower::cross_thread_test
