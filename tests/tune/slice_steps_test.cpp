#include "core/tune/slice_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/document/kernel.h"
#include "core/document/target.h"
#include "core/tune/rules/built.h"
#include "tests/document/scheduled.h"
#include "tests/model/programs.h"
#include "tests/tune/rules/products.h"

namespace loom::tune::slice_steps_test {
namespace {

const std::atomic<bool> kNeverStops = false;

// The lesson's product of float32 at a state of its ladder.
struct Ladder {
  document::Target target =
      *document::openFunction(model::readText("assets/lessons/cuda_cores/function.py"), "function.py");
  int node = 0;

  explicit Ladder(std::initializer_list<const char*> chapters) {
    for (const char* chapter : chapters) {
      const auto lines = model::readText("assets/lessons/cuda_cores/steps/" + std::string(chapter) + ".sched.py");
      const auto applied = target.history.apply(node, lines, document::environment());
      EXPECT_TRUE(applied && !applied->refusal) << chapter;
      node = applied->node;
    }
  }
  const schedule::State& state() const { return target.history.node(node).state; }
  std::vector<CandidateStep> steps(const char* device = "h100_sxm") const {
    return sliceSteps(target.history, node, document::environment(), model::deviceNamed(device), kNeverStops);
  }
};

double predicted(const schedule::State& state) {
  return predictedTime(document::makeKernel(state), model::deviceNamed("h100_sxm")).value();
}

TEST(SliceSteps, LeadFromSlicesInABlockToACluster) {
  const Ladder ladder({"12_slices", "13_unrolled"});
  const auto steps = ladder.steps();
  ASSERT_EQ(steps.size(), 1U);
  const CandidateStep& step = steps.front();
  EXPECT_EQ(step.at, 0) << "an edit of all steps since the program";
  EXPECT_EQ(step.edited, ladder.target.history.path(ladder.node)[1]);
  EXPECT_THAT(step.moves, testing::ElementsAre(PipelineMove::Slices));
  EXPECT_FALSE(step.isOfWarpgroups());
  EXPECT_THAT(step.lines, testing::HasSubstr("\"shared.cluster\""));
  EXPECT_EQ(titleOf(step).english(), "slices of k across a cluster");
  const document::KernelText made = document::makeKernel(step.state);
  ASSERT_FALSE(made.problem);
  EXPECT_EQ(made.program->kernels.front().cluster, (std::array<std::int64_t, 3>{1, 1, 2}));
  std::printf("predicted as written: %.1f us, and %.1f us before\n", predicted(step.state), predicted(ladder.state()));
  EXPECT_LT(predicted(step.state), predicted(ladder.state()));
}

TEST(SliceSteps, AreRight) {
  const Ladder ladder({"12_slices", "13_unrolled"});
  const auto steps = ladder.steps();
  ASSERT_EQ(steps.size(), 1U);
  expectRight(ladder.target.history.node(0).state, steps.front().state, steps.front().lines);
}

TEST(SliceSteps, AreOfGpusWithClustersAndOfSumsThatNoneSharesYet) {
  const Ladder ladder({"12_slices", "13_unrolled"});
  EXPECT_TRUE(ladder.steps("a100_80").empty());
  EXPECT_TRUE(Ladder({"14_cluster"}).steps().empty()) << "it does already";
  EXPECT_TRUE(Ladder({}).steps().empty()) << "no threads multiply";
}

}  // namespace
}  // namespace loom::tune::slice_steps_test
