// A program that lacks nothing but its tensor intrinsics, on its threads: what models and views count and draw.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/model/programs.h"
#include "tests/schedules/schedule_text.h"

namespace loom::lower::draft_test {
namespace {

using testing::HasSubstr;
using testing::Not;

// The first `lines` lines of the Tensor Core lesson's schedule; −1: all.
ir::Function lesson(int lines) {
  const std::string path = "tests/oracle/cases/lessons/tensorcore";
  const std::string all = model::readText(path + ".sched.py");
  std::size_t end = 0;
  for (int i = 0; i < lines && end != std::string::npos; ++i) end = all.find('\n', end + 1);
  const auto last =
      model::replayed(model::readText(path + ".func.py"), lines < 0 ? all : all.substr(0, end) + "\n").last;
  return last.module().functions.front();
}
constexpr int kFragmentsUnfilled = 33;

std::string printed(const Result<device::Program>& program) {
  return program ? device::print(*program) : program.error().message.english();
}

TEST(Draft, IsTheKernelWhereThereIsOne) {
  const auto kernel = lower(lesson(-1));
  const auto drafted = draft(lesson(-1));
  ASSERT_TRUE(kernel && drafted);
  EXPECT_EQ(device::print(*drafted), device::print(*kernel));
  EXPECT_FALSE(kernel->kernels.front().draft);
  EXPECT_TRUE(drafted->kernels.front().draft);
}

TEST(Draft, OneLaneOfAWarpFillsItsFragment) {
  ASSERT_FALSE(lower(lesson(kFragmentsUnfilled)));
  const auto drafted = draft(lesson(kFragmentsUnfilled));
  ASSERT_TRUE(drafted) << drafted.error().message.english();
  ASSERT_EQ(drafted->kernels.size(), 1U);
  const std::string text = device::print(*drafted);
  EXPECT_THAT(text, HasSubstr("if threadIdx.x %% 32 == 0"));
  EXPECT_THAT(device::print(*lower(lesson(-1))), Not(HasSubstr("%% 32 == 0")));
}

// Calls on lanes' registers beside loops over a warp's elements: both are loops, on the same threads.
TEST(Draft, OfMmaIsThereBetweenItsIntrinsics) {
  const std::string path = "tests/oracle/cases/tensorize/mma_written_f16f16f32_trans_b";
  const auto states = model::replayed(model::readText(path + ".func.py"), model::readText(path + ".sched.py"));
  for (const auto& step : states.steps) {
    const ir::Function& function = step.state.module().functions.front();
    const auto drafted = draft(function);
    ASSERT_TRUE(drafted) << step.source << ": " << drafted.error().message.english();
    const device::Kernel& kernel = drafted->kernels.front();
    EXPECT_EQ(kernel.block, (std::array<std::int64_t, 3>{32, 1, 1}));
    const bool last = &step == &states.steps.back();
    EXPECT_EQ(lower(function).has_value(), last);
    const auto sums = std::ranges::find(kernel.allocations, std::string("C_warp"),
                                        [](const device::Allocation& a) { return a.buffer->name; });
    ASSERT_NE(sums, kernel.allocations.end());
    EXPECT_EQ(sums->memory, last ? device::Memory::Local : device::Memory::Fragment);
  }
}

// What kernels and drafts have in common is made once for both.
TEST(Draft, OfWhatCouldNotBeLoweredIsTheDraftByItself) {
  const std::string path = "tests/oracle/cases/tensorize/mma_written_f16f16f32_trans_b";
  const auto states = model::replayed(model::readText(path + ".func.py"), model::readText(path + ".sched.py"));
  std::vector<ir::Function> functions{lesson(kFragmentsUnfilled), lesson(-1)};
  for (const auto& step : states.steps) functions.push_back(step.state.module().functions.front());
  int drafts = 0;
  for (const ir::Function& function : functions) {
    const Lowered both = lowerOrDraft(function);
    const auto kernel = lower(function), drafted = draft(function);
    EXPECT_EQ(printed(both.program), printed(kernel));
    EXPECT_EQ(both.draft.has_value(), !kernel && drafted);
    if (both.draft) {
      EXPECT_EQ(device::print(*both.draft), printed(drafted));
    }
    drafts += both.draft.has_value();
  }
  EXPECT_GT(drafts, 1);
}

TEST(Draft, HelpsAgainstNoOtherRule) {
  const auto function = model::replayed(tests::programText("copy_of_a_matrix", {{"M", 64}, {"N", 64}}),
                                        tests::scheduleText("threads_of_two_axes"))
                            .last.module()
                            .functions.front();
  const auto drafted = draft(function);
  ASSERT_FALSE(drafted);
  EXPECT_EQ(drafted.error().message.english(), lower(function).error().message.english());
}

}  // namespace
}  // namespace loom::lower::draft_test
