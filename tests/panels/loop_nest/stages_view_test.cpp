// Stages of a pipelined loop's statements, and the steps that change them.
#include "app/panels/loop_nest/view/stages.h"

#include <gmock/gmock.h>

#include "core/document/target.h"
#include "core/intrin/intrinsic.h"
#include "tests/schedules/schedule_text.h"

namespace loom::session::loop_nest_stages_view_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const intrin::Library& intrinsics() {
  static const auto library = intrin::Library::load(std::string(TILELOOM_SOURCE_DIR) + "/assets/intrinsics");
  return *library;
}
const schedule::Environment kEnvironment{&intrinsics()};

struct Pipeline {
  document::History history;
  LoopNest nest;
  StagedBody body;

  const schedule::State& state() const { return history.node(history.current()).state; }
  // The lines of an edit, which are applied; the body that they make.
  StagedBody after(const std::optional<StagedBody>& next) {
    auto lines = tune::linesOf(history, history.current(), stageSteps(body, next.value(), ""));
    auto applied = history.apply(history.current(), lines.value(), kEnvironment);
    EXPECT_TRUE(applied && !applied->refusal);
    history.select(applied->node);
    read();
    return body;
  }
  void read() {
    const auto kernel = document::makeKernel(state());
    nest = loopNestOf(statePath(history, history.current()), &kernel);
    for (int i = 0; i < int(nest.rows.size()); ++i)
      if (nest.rows[std::size_t(i)].stages > 0) body = stagedBodyOf(nest, i).value();
  }
};

Pipeline pipeline(const std::string& stage = "[0, 0, 1]", const std::string& order = "[0, 1, 2]") {
  auto target = document::openFunction(
      tests::programText("product_of_casts", {{"M", 64}, {"N", 64}, {"K", 64}, {"TYPE", "float32"}}), "test");
  auto applied = target->history.apply(
      0, tests::scheduleText("staged_copies", {{"STAGE", stage}, {"ORDER", order}, {"ASYNC", "[0]"}}), kEnvironment);
  EXPECT_TRUE(applied && !applied->refusal) << applied->refusal->message.english();
  target->history.select(applied->node);
  Pipeline p{std::move(target->history), {}, {}};
  p.read();
  return p;
}

TEST(Stages, TheBodyIsWhatTheAnnotationsSay) {
  const Pipeline p = pipeline();
  ASSERT_EQ(p.body.statements.size(), 3U);
  EXPECT_EQ(p.body.statements[0].name, "A_shared");
  EXPECT_EQ(p.body.statements[1].name, "B_shared");
  EXPECT_EQ(p.body.statements[2].name, "C_update");
  EXPECT_THAT(p.body.stage, ElementsAre(0, 0, 1));
  EXPECT_THAT(p.body.asyncs, ElementsAre(0));
  EXPECT_EQ(p.body.stages(), 2);
  // From a row below the loop, too; not from what is further inside.
  EXPECT_TRUE(stagedBodyOf(p.nest, p.body.statements[1].row));
  EXPECT_FALSE(stagedBodyOf(p.nest, p.body.statements[1].row + 1));
  EXPECT_EQ(p.body.find(p.nest, p.nest.rows[std::size_t(p.body.statements[1].row + 1)].id), &p.body.statements[1]);
}

TEST(Stages, AStatementGoesToAnotherStageByOrdinarySteps) {
  Pipeline p = pipeline();
  // One stage further its copies are one more iteration ahead.
  EXPECT_THAT(p.after(movedToStage(p.body, 2, 2)).stage, ElementsAre(0, 0, 2));
  EXPECT_THAT(p.after(movedToStage(p.body, 1, 1)).stage, ElementsAre(0, 1, 2));
  EXPECT_THAT(p.body.asyncs, ElementsAre(0, 1)) << "B, alone in its stage, is still copied asynchronously";
}

TEST(Stages, AreCountedFromTheFirst) {
  Pipeline p = pipeline("[0, 1, 2]");
  EXPECT_FALSE(movedToStage(p.body, 0, 0));
  const StagedBody next = movedToStage(p.body, 0, 1).value();
  EXPECT_THAT(next.stage, ElementsAre(0, 0, 1));
  EXPECT_TRUE(next.asyncs.empty()) << "beside B, whose copies are waited for";
  EXPECT_THAT(movedToStage(p.body, 0, 3)->asyncs, ElementsAre(2)) << "alone in its stage it stays asynchronous";
}

TEST(Stages, StepsAreUnannotateAndAnnotate) {
  Pipeline p = pipeline();
  const auto lines =
      tune::linesOf(p.history, p.history.current(), stageSteps(p.body, movedToStage(p.body, 1, 1).value(), ""));
  ASSERT_TRUE(lines);
  EXPECT_THAT(*lines, HasSubstr("unannotate("));
  EXPECT_THAT(*lines, HasSubstr("[0, 1, 1]"));
  EXPECT_EQ(lines->find("software_pipeline_order"), std::string::npos) << "the order stays";
}

TEST(Stages, PlacesInTheOrderAreExchanged) {
  Pipeline p = pipeline();
  EXPECT_FALSE(movedInOrder(p.body, 0, true)) << "it comes first already";
  EXPECT_THAT(p.after(movedInOrder(p.body, 2, true)).order, ElementsAre(0, 2, 1));
}

TEST(Stages, CopiesOfAStageAreMadeSynchronousAndAsynchronous) {
  Pipeline p = pipeline();
  EXPECT_FALSE(withAsync(p.body, 0, true));
  EXPECT_TRUE(p.after(withAsync(p.body, 0, false)).asyncs.empty());
  EXPECT_FALSE(p.body.annotatesAsync) << "an empty list is no annotation";
  EXPECT_THAT(p.after(withAsync(p.body, 0, true)).asyncs, ElementsAre(0));
}

TEST(Stages, WhatWouldBeReadBeforeItIsWrittenIsRefusedWithTheRule) {
  const Pipeline p = pipeline();
  const auto legal = stageSteps(p.body, movedToStage(p.body, 0, 1).value(), "");
  EXPECT_FALSE(stageRefusal(p.state(), kEnvironment, legal)) << "A is written first in stage 1, too";
  const Pipeline turned = pipeline("[0, 0, 1]", "[1, 2, 0]");
  const auto illegal = stageSteps(turned.body, movedToStage(turned.body, 0, 1).value(), "");
  const auto refusal = stageRefusal(turned.state(), kEnvironment, illegal);
  ASSERT_TRUE(refusal);
  EXPECT_THAT(refusal->message.english(), HasSubstr("in the pipeline it would come before"));
}

}  // namespace
}  // namespace loom::session::loop_nest_stages_view_test
