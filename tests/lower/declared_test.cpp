// No kernel has a name that nothing declares; steps whose annotation comes to nothing are told at the step.
#include <gmock/gmock.h>

#include "core/lower/lower.h"
#include "core/lower/step_remarks.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::lower::declared_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kRowSum = tests::programText("row_sum", {{"M", 4}, {"K", 6}});

std::vector<schedule::State> statesOf(const std::string& lines) {
  std::vector<schedule::State> states{schedule::State::create(*script::parseModule(kRowSum, "f.py")).value()};
  const auto done = schedule::replay(states[0], *script::parseSchedule(lines, "s.py"), {});
  EXPECT_FALSE(done.refusal) << done.refusal->message.english();
  for (const auto& step : done.steps) states.push_back(step.state);
  return states;
}

TEST(Declared, AProgramThatUsesALoopThatIsGoneIsNoKernel) {
  const auto states = statesOf(tests::scheduleText("blockized_above_a_split"));
  EXPECT_TRUE(lower(states[1].module().functions[0]));
  const auto program = lower(states[2].module().functions[0]);
  ASSERT_FALSE(program) << device::print(*program);
  EXPECT_EQ(program.error().code, "NotAKernel");
  EXPECT_EQ(program.error().message.english(), "block C_init uses k_0, k_1, which no loop around it declares");
  EXPECT_EQ(program.error().subjects.size(), 1u);
  EXPECT_FALSE(draft(states[2].module().functions[0]));
}

TEST(Declared, AVariableThatTheFunctionNeverDeclaresIsRefused) {
  const std::string function = tests::programText("undeclared_variable");
  const auto program = lower(script::parseModule(function, "f.py")->functions[0]);
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().message.english(), "block C uses n, which no loop around it declares");
}

TEST(StepRemarks, AnAnnotationThatComesToNothingIsToldAtItsStepAlone) {
  const auto states = statesOf(tests::scheduleText("annotations_without_effect"));
  ASSERT_EQ(states.size(), 5u);
  auto texts = [&](std::size_t i) {
    std::vector<std::string> all;
    for (const StepRemark& r : remarksOnStep(states[i - 1], states[i])) {
      EXPECT_EQ(r.kind, StepRemark::Kind::kNoEffect);
      EXPECT_EQ(r.subjects.size(), 1u);
      all.push_back(r.text);
    }
    return all;
  };
  EXPECT_THAT(texts(1), ElementsAre(HasSubstr("\"pragma_import_llvm\" of loop k has no effect")));
  EXPECT_THAT(texts(2), ElementsAre(HasSubstr("\"on.block\" of block C has no effect")));
  EXPECT_THAT(texts(3), IsEmpty()) << "copies it to another block";
  EXPECT_THAT(texts(4), IsEmpty());
}

TEST(StepRemarks, ALoopThatRunsInAnotherWayIsToldAtItsStep) {
  const auto states = statesOf(tests::scheduleText("parallel_rows"));
  ASSERT_EQ(states.size(), 3u);
  std::vector<device::Program> lowered;
  for (const auto& s : states) lowered.push_back(lower(s.module().functions[0]).value());
  const auto first = remarksOnStep(states[0], &lowered[0], states[1], &lowered[1]);
  ASSERT_EQ(first.size(), 1u);
  EXPECT_THAT(first[0].text, HasSubstr("the parallel loop i runs in order"));
  EXPECT_EQ(first[0].subjects.size(), 1u);
  EXPECT_THAT(remarksOnStep(states[1], &lowered[1], states[2], &lowered[2]), IsEmpty());
  EXPECT_THAT(remarksOnStep(states[0], states[1]), IsEmpty()) << "without kernels nobody knows";
}

TEST(StepRemarks, WhatBreaksTheProgramComesFirst) {
  const auto states = statesOf(tests::scheduleText("blockized_above_a_split"));
  const auto all = remarksOnStep(states[1], states[2]);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].kind, StepRemark::Kind::kBreaks);
  EXPECT_EQ(all[0].code, "UndeclaredVariable");
  EXPECT_FALSE(all[0].remedy.english().empty());
  EXPECT_THAT(remarksOnStep(states[0], states[1]), IsEmpty());
  EXPECT_THAT(remarksOnStep(states[1], states[1]), IsEmpty());
}

}  // namespace
}  // namespace loom::lower::declared_test
