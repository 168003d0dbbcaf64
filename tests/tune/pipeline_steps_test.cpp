#include "core/tune/pipeline_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "core/document/kernel.h"
#include "core/document/target.h"
#include "core/tune/mma_sync_lines.h"
#include "tests/document/scheduled.h"
#include "tests/model/programs.h"

namespace loom::tune::pipeline_steps_test {
namespace {

using enum PipelineMove;
using Moves = std::vector<PipelineMove>;
using testing::HasSubstr;

const std::atomic<bool> kGoesOn = false;

// The end of the Tensor Core lesson; `without`: lines with this text are left out.
class EndOfTheLesson : public testing::Test {
 protected:
  explicit EndOfTheLesson(const std::string& without = "")
      : target_(*document::openFunction(model::readText(lesson("function.py")), "function.py")) {
    std::string kept;
    for (const char* chapter : {"01_tile", "15_smaller", "16_again"}) {
      std::istringstream lines(model::readText(lesson(std::string("steps/") + chapter + ".sched.py")));
      for (std::string line; std::getline(lines, line);)
        if (without.empty() || line.find(without) == std::string::npos) kept += line + "\n";
    }
    take(kept);
  }
  void take(const std::string& lines) {
    const auto applied = target_.history.apply(node_, lines, document::environment());
    ASSERT_TRUE(applied && !applied->refusal) << lines;
    node_ = applied->node;
  }
  std::vector<CandidateStep> steps() const {
    return pipelineSteps(target_.history, node_, document::environment(), kGoesOn);
  }
  CopyingLoop loop() const {
    const auto found = copyingLoops(target_.history.node(node_).state);
    if (found.size() != 1) throw std::logic_error("not one loop that copies");
    return found.front();
  }
  // The one with these moves; the test fails where there is none.
  CandidateStep with(const Moves& moves) const {
    for (CandidateStep& step : steps())
      if (step.moves == moves) return step;
    ADD_FAILURE() << "no such step";
    return steps().front();
  }

  document::Target target_;
  int node_ = 0;

 private:
  static std::string lesson(const std::string& file) { return "assets/lessons/tensor_core/" + file; }
};

class CopiesOfOneElement : public EndOfTheLesson {
 protected:
  CopiesOfOneElement() : EndOfTheLesson("sch.vectorize(") {}
};

TEST_F(EndOfTheLesson, TheLoopOverKCopiesTwoTilesAndMultiplies) {
  const CopyingLoop found = loop();
  EXPECT_EQ(found.copies.size(), 2U);
  EXPECT_EQ(found.products.size(), 1U);
  EXPECT_TRUE(found.inner) << "which loads fragments, and multiplies";
  EXPECT_EQ(found.stage, 0);
  EXPECT_FALSE(found.asynchronous);
}

TEST_F(EndOfTheLesson, EveryStepLeadsToAnotherKernel) {
  std::set<std::string> keys{document::makeKernel(target_.history.node(node_).state).key};
  for (const CandidateStep& step : steps()) {
    document::History history = target_.history;
    const auto applied = history.apply(step.at, step.lines, document::environment());
    ASSERT_TRUE(applied && !applied->refusal) << step.lines;
    const auto made = document::makeKernel(history.node(applied->node).state);
    ASSERT_FALSE(made.problem) << step.lines;
    EXPECT_EQ(made.key, document::makeKernel(step.state).key);
    EXPECT_TRUE(keys.insert(made.key).second) << step.lines;
    EXPECT_FALSE(step.moves.empty());
  }
  EXPECT_GT(keys.size(), 6U);
}

TEST_F(EndOfTheLesson, TakesTheStepsOfAPipelineOneAfterAnother) {
  const CandidateStep overlap = with({Overlap});
  EXPECT_EQ(overlap.slots, 2);
  EXPECT_THAT(overlap.step, HasSubstr("\"software_pipeline_stage\", [0, 0, 1])"));
  EXPECT_THAT(overlap.step, HasSubstr("\"software_pipeline_order\", [0, 1, 2])"));
  take(overlap.lines);
  EXPECT_EQ(loop().stage, 1);
  take(with({Asynchronous}).lines);
  EXPECT_TRUE(loop().asynchronous);
  const CandidateStep ring = with({Slot, Order, Unroll});
  EXPECT_EQ(ring.slots, 3);
  EXPECT_THAT(ring.step, testing::ContainsRegex("unannotate\\(.*stage.*\n.*\"software_pipeline_stage\", \\[0, 0, 2\\]"))
      << "a key that is there is taken away first";
  EXPECT_THAT(ring.step, HasSubstr("\"software_pipeline_order\", [1, 2, 0])"));
  EXPECT_THAT(ring.step, HasSubstr("\"tileloom.unroll_stages\", 3)"));
  EXPECT_THAT(ring.step, testing::Not(HasSubstr("async"))) << "which stays";
  take(ring.lines);
  EXPECT_EQ(loop().stage, 2);
  EXPECT_EQ(loop().unrolled, 3);
  EXPECT_FALSE(loop().copiesFirst);
  take(with({Slot}).lines);
  EXPECT_EQ(loop().unrolled, 4) << "of four slots, so that a turn's slot stays a constant";
  const CandidateStep ahead = with({Fragments});
  EXPECT_THAT(ahead.step, HasSubstr("[0, 0, 3, 3, 3])")) << "the loop over fragments counts as its three pieces";
  take(ahead.lines);
  EXPECT_TRUE(loop().fragmentsAhead);
  for (const CandidateStep& step : steps()) EXPECT_FALSE(step.makes(Fragments));
}

TEST_F(CopiesOfOneElement, AreNotStartedAhead) {
  EXPECT_EQ(with({Overlap}).slots, 2);
  for (const CandidateStep& step : steps()) EXPECT_FALSE(step.makes(Asynchronous)) << step.step;
}

TEST_F(EndOfTheLesson, FragmentsOfWmmaBecomeThoseOfMmaSync) {
  take(with({Overlap, Asynchronous}).lines);
  const CandidateStep other = with({MmaSync});
  EXPECT_GE(other.edited, 0) << "in place of a step of the past";
  EXPECT_EQ(other.slots, 2) << "the pipeline is there again";
  const std::string text = document::makeKernel(other.state).source.text;
  EXPECT_THAT(text, HasSubstr("ldmatrix"));
  EXPECT_THAT(text, HasSubstr("mma.sync"));
  EXPECT_THAT(text, testing::Not(HasSubstr("wmma")));
  const CandidateStep swizzled = with({Swizzle, MmaSync});
  EXPECT_LT(document::makeKernel(swizzled.state).program->kernels.front().sharedBytes(),
            document::makeKernel(other.state).program->kernels.front().sharedBytes());
  EXPECT_THAT(swizzled.step, HasSubstr("\"tileloom.swizzle\", 128)"));
}

TEST_F(EndOfTheLesson, PaddingOfWhatLdmatrixReadsBecomesASwizzle) {
  for (const CandidateStep& step : steps()) EXPECT_NE(step.moves, Moves{Swizzle}) << "wmma reads rows by their pitch";
  const CandidateStep other = with({MmaSync});
  node_ = other.at;
  take(other.lines);
  const CandidateStep swizzle = with({Swizzle});
  EXPECT_THAT(swizzle.step, HasSubstr("sch.unannotate"));
  EXPECT_EQ(document::makeKernel(swizzle.state).key, document::makeKernel(with({Swizzle}).state).key);
}

TEST(MmaSyncLines, AreNoneForOtherTypes) {
  EXPECT_TRUE(asMmaSync({"sch.bind(i, \"blockIdx.x\")"}).empty());
  EXPECT_TRUE(
      asMmaSync({"b1 = sch.cache_read(b0, 0, \"wmma.matrix_a\")", "b2 = sch.cache_read(b0, 1, \"wmma.matrix_b\")",
                 "b3 = sch.cache_write(b0, 0, \"wmma.accumulator\")",
                 "sch.tensorize(l, \"wmma_sync_16x16x16_s8s8s32\")"})
          .empty());
}

}  // namespace
}  // namespace loom::tune::pipeline_steps_test
